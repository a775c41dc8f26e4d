import { LOGIN } from '../../browser.ts'
import { type ApiSet, type Kind, ORDERS, VAULT } from './kinds.ts'
import type { Rule } from './rules.ts'

/** What a client observes, by its name in `rules.ts`. */
type Observation = Readonly<Record<string, string | number>>

/** A cell that cannot exist, and why. */
interface Impossible {
  reason: string
}

export type Cell = Readonly<Record<ApiSet, Observation | Impossible>>

export function isImpossible(value: Observation | Impossible): value is Impossible {
  return 'reason' in value
}

/** What is observed without an API, and what differs with one, and then with two. */
function cell(none: Observation, one: Observation = {}, two: Observation = {}): Cell {
  return { none, one: { ...none, ...one }, two: { ...none, ...one, ...two } }
}

function impossible(reason: string): Cell {
  return { none: { reason }, one: { reason }, two: { reason } }
}

const NO_REDIRECT_URI = impossible('The command line has no redirect URI, and opens no browser.')
const NO_CODE = impossible('It gets no code, which PKCE protects.')
const NO_USER = impossible('It acts for itself: there is no user who could be asked.')
const NO_API = { reason: 'A machine gets tokens only for an API.' }

const ONE_REDIRECT_URI = cell({
  accepted: 'registered',
  refused: 'page: redirect_uri_missing, page: redirect_uri_refused',
  'other at the token endpoint': 'invalid_grant',
  'none at the token endpoint': 'invalid_grant',
})

const ANY_LOOPBACK_PORT = cell({ ...ONE_REDIRECT_URI.none, accepted: 'registered, other port' })

/** Which requests without a nonce are accepted, and then which verifiers. */
const ALWAYS_PKCE = cell(
  {
    S256: 'consent',
    plain: 'invalid_request',
    'no method': 'invalid_request',
    none: 'invalid_request',
    'none, but a nonce': 'invalid_request',
    'none, but a nonce without openid': 'invalid_request',
    'its verifier': 'Bearer',
    'another verifier': 'invalid_grant',
    'no verifier': 'invalid_grant',
  },
  {},
  { 'its verifier': 'DPoP' },
)

const PKCE_OR_NONCE = cell(
  {
    ...ALWAYS_PKCE.none,
    'none, but a nonce': 'consent',
    'a verifier without a challenge': 'invalid_grant',
    'neither challenge nor verifier': 'Bearer',
  },
  {},
  { 'its verifier': 'DPoP', 'neither challenge nor verifier': 'DPoP' },
)

const NEVER_ASKED = cell(
  {
    silent: 'code',
    first: 'code',
    again: 'code',
    'silent again': 'code',
    'more scopes': 'code',
    'on request': 'consent',
    'offline access': 'code',
  },
  { 'scope of an API': 'code' },
  { 'another API': 'code' },
)

const ASKED_ONCE = cell(
  {
    silent: 'consent_required',
    first: 'consent',
    again: 'code',
    'silent again': 'code',
    'more scopes': 'consent',
    'on request': 'consent',
    'offline access': 'consent',
  },
  { 'scope of an API': 'consent' },
  { 'another API': 'consent' },
)

/** Another program can pose as it. */
const ASKED_EACH_TIME = cell(
  { ...ASKED_ONCE.none, again: 'consent', 'silent again': 'consent_required' },
  { 'scope of an API': 'consent' },
  { 'another API': 'consent' },
)

/** Users of the operator's own apps are not asked, but press a button. */
const PRESSED_EACH_TIME = cell(
  {
    silent: 'interaction_required',
    first: 'button',
    again: 'button',
    'silent again': 'interaction_required',
    'more scopes': 'button',
    'on request': 'consent',
    'offline access': 'button',
  },
  { 'scope of an API': 'button' },
  { 'another API': 'button' },
)

const OPENID = 'openid profile email offline_access'

/** Without `resource`, the first API of the registration is meant. */
const REGISTERED_SCOPES = cell(
  {
    everything: OPENID,
    nothing: '',
    'without its API': OPENID,
    'an unknown API': 'invalid_target',
    'the admin API': 'invalid_target',
    'several APIs': OPENID,
    userinfo: OPENID,
  },
  {
    everything: `${OPENID} orders:read`,
    'without its API': `${OPENID} orders:read`,
    'several APIs': `${OPENID} orders:read`,
    [ORDERS]: `${OPENID} orders:read`,
  },
  {
    everything: `${OPENID} orders:read vault:open`,
    'several APIs': `${OPENID} orders:read vault:open`,
    [VAULT]: `${OPENID} vault:open`,
  },
)

const UNREGISTERED_SCOPES = cell(
  REGISTERED_SCOPES.none as Observation,
  { ...(REGISTERED_SCOPES.one as Observation), 'without its API': OPENID },
  { ...(REGISTERED_SCOPES.two as Observation), 'without its API': OPENID },
)

const USER_TOKEN = 'acr aud auth_time client_id exp iat iss jti scope sid sub'
const WITH_ROLES = 'acr aud auth_time client_id exp iat iss jti roles scope sid sub'
const BOUND_WITH_ROLES = 'acr aud auth_time client_id cnf exp iat iss jti roles scope sid sub'
const PROFILE = 'name picture preferred_username profile sub'

/** Roles are for the APIs that list them, and in ID tokens for the operator's own apps. */
const OTHER_CLAIMS = cell(
  {
    'access token': USER_TOKEN,
    aud: LOGIN,
    roles: 'none',
    'ID token':
      'acr at_hash aud auth_time exp iat iss name picture preferred_username profile sid sub',
    'roles in it': 'none',
    userinfo: PROFILE,
  },
  { 'access token': WITH_ROLES, aud: `${ORDERS} ${LOGIN}`, roles: 'editor' },
  { 'access token': BOUND_WITH_ROLES, aud: `${ORDERS} ${VAULT} ${LOGIN}` },
)

const own = {
  'ID token':
    'acr at_hash aud auth_time exp iat iss name picture preferred_username profile roles sid sub',
  'roles in it': 'editor,author',
}
const OWN_CLAIMS: Cell = {
  none: { ...OTHER_CLAIMS.none, ...own },
  one: { ...OTHER_CLAIMS.one, ...own },
  two: { ...OTHER_CLAIMS.two, ...own },
}

const REFRESH = cell(
  {
    'without offline_access': 'none',
    scope: OPENID,
    replaced: 'yes',
    'narrower scope': 'openid',
    'scope that was not granted': 'invalid_scope',
    'wider scope': 'invalid_scope',
    'scope afterwards': OPENID,
    'an unknown API': 'invalid_target',
    'the first one, later': 'invalid_grant',
    'the last one, after that': 'invalid_grant',
  },
  { scope: `${OPENID} orders:read`, 'scope afterwards': `${OPENID} orders:read` },
  {
    scope: `${OPENID} orders:read vault:open`,
    'scope afterwards': `${OPENID} orders:read vault:open`,
  },
)

/** Its refresh tokens are not replaced, so that none has been used before. */
const kept = (scope: string) => ({
  replaced: 'no',
  'the first one, later': scope,
  'the last one, after that': scope,
})
const REFRESH_OF_FAPI2: Cell = {
  none: { ...REFRESH.none, ...kept(OPENID) },
  one: { ...REFRESH.one, ...kept(`${OPENID} orders:read`) },
  two: { ...REFRESH.two, ...kept(`${OPENID} orders:read vault:open`) },
}

const INTROSPECTED = 'acr aud auth_time client_id exp iat iss jti scope sub token_type'
const INTROSPECTED_WITH_ROLES =
  'acr aud auth_time client_id exp iat iss jti roles=editor scope sub token_type'
const INTROSPECTED_BOUND = INTROSPECTED_WITH_ROLES.replace('client_id', 'client_id cnf')
const INTROSPECTED_REFRESH = 'client_id exp iss scope sub'

const CONFIDENTIAL_INTROSPECTION = cell(
  {
    'access token, by the client': INTROSPECTED,
    'access token, by the API': 'inactive',
    'access token, by a stranger': 'inactive',
    'refresh token, by the client': INTROSPECTED_REFRESH,
    'refresh token, by the API': 'inactive',
  },
  {
    'access token, by the client': INTROSPECTED_WITH_ROLES,
    'access token, by the API': INTROSPECTED_WITH_ROLES,
  },
  {
    'access token, by the client': INTROSPECTED_BOUND,
    'access token, by the API': INTROSPECTED_BOUND,
  },
)

/** Its own servers learn all roles of a user from a refresh token, which no API sees. */
const roles = { 'refresh token, by the client': 'client_id exp iss roles=editor,author scope sub' }
const OWN_INTROSPECTION: Cell = {
  none: { ...CONFIDENTIAL_INTROSPECTION.none, ...roles },
  one: { ...CONFIDENTIAL_INTROSPECTION.one, ...roles },
  two: { ...CONFIDENTIAL_INTROSPECTION.two, ...roles },
}

const PUBLIC_INTROSPECTION = cell(
  {
    ...CONFIDENTIAL_INTROSPECTION.none,
    'access token, by the client': 'unauthorized_client',
    'refresh token, by the client': 'unauthorized_client',
  },
  { 'access token, by the API': INTROSPECTED_WITH_ROLES },
  { 'access token, by the API': INTROSPECTED_BOUND },
)

const OPTIONAL = {
  'without a proof': 'Bearer',
  'with a proof': 'DPoP',
  'sent as Bearer': 401,
  'sent with another key': 401,
  'sent with its key': 200,
}

/** With `dpop_jkt` in the request. */
const BOUND_CODE = {
  'a code for its key, without a proof': 'invalid_grant',
  'a code for its key, with another key': 'invalid_grant',
  'a code for its key, with it': 'DPoP',
}

const REQUIRED_BY_API = {
  'for the API that requires it, without a proof': 'invalid_dpop_proof',
  'for it, with a proof': 'DPoP',
  'refreshed for it, without a proof': 'invalid_dpop_proof',
}

/** The credentials of the client protect its refresh tokens. */
const CONFIDENTIAL_BINDING = cell(
  {
    ...OPTIONAL,
    ...BOUND_CODE,
    'refreshed without a proof': 'Bearer',
    'refreshed with another key': 'DPoP',
    'refreshed with its key': 'DPoP',
  },
  {},
  REQUIRED_BY_API,
)

/** The key is all that protects its refresh tokens. */
const BOUND_REFRESH = {
  'refreshed without a proof': 'invalid_grant',
  'refreshed with another key': 'invalid_grant',
  'refreshed with its key': 'DPoP',
}
const PUBLIC_BINDING = cell(
  { ...OPTIONAL, ...BOUND_CODE, ...BOUND_REFRESH },
  {},
  { ...REQUIRED_BY_API, 'refreshed for it, without a proof': 'invalid_grant' },
)

const THIRD_PARTY: Readonly<Record<Rule, Cell>> = {
  'redirect URI': ONE_REDIRECT_URI,
  PKCE: PKCE_OR_NONCE,
  consent: ASKED_ONCE,
  scopes: REGISTERED_SCOPES,
  claims: OTHER_CLAIMS,
  refresh: REFRESH,
  introspection: CONFIDENTIAL_INTROSPECTION,
  'bound tokens': CONFIDENTIAL_BINDING,
}

const BROWSER: Readonly<Record<Rule, Cell>> = {
  ...THIRD_PARTY,
  PKCE: ALWAYS_PKCE,
  introspection: PUBLIC_INTROSPECTION,
  'bound tokens': PUBLIC_BINDING,
}

const UNREGISTERED: Readonly<Record<Rule, Cell>> = { ...BROWSER, scopes: UNREGISTERED_SCOPES }

const NATIVE: Readonly<Record<Rule, Cell>> = {
  ...BROWSER,
  'redirect URI': ANY_LOOPBACK_PORT,
  consent: ASKED_EACH_TIME,
}

const MACHINE_TOKEN = 'aud client_id exp iat iss jti scope sub'
const MACHINE_INTROSPECTED = 'aud client_id exp iat iss jti scope sub token_type'

export const TABLE: Readonly<Record<Kind, Readonly<Record<Rule, Cell>>>> = {
  'third-party': THIRD_PARTY,
  'first-party': {
    ...THIRD_PARTY,
    consent: NEVER_ASKED,
    claims: OWN_CLAIMS,
    introspection: OWN_INTROSPECTION,
  },
  'unregistered, by document': UNREGISTERED,
  'unregistered, by registration': UNREGISTERED,
  browser: BROWSER,
  native: NATIVE,
  'native, first-party': { ...NATIVE, consent: PRESSED_EACH_TIME, claims: OWN_CLAIMS },
  machine: {
    'redirect URI': cell({
      accepted: '',
      refused: 'page: redirect_uri_missing, page: redirect_uri_refused, unauthorized_client',
    }),
    PKCE: NO_CODE,
    consent: NO_USER,
    scopes: {
      none: {
        everything: 'invalid_target',
        nothing: 'invalid_target',
        'without its API': 'invalid_target',
        'an unknown API': 'invalid_target',
        'the admin API': 'invalid_target',
        'several APIs': 'invalid_target',
        userinfo: 'invalid_target',
      },
      one: {
        everything: 'orders:read',
        nothing: 'orders:read',
        'without its API': 'orders:read',
        'an unknown API': 'invalid_target',
        'the admin API': 'invalid_target',
        'several APIs': 'orders:read',
        userinfo: 'invalid_target',
        [ORDERS]: 'orders:read',
      },
      two: {
        everything: 'vault:open',
        nothing: 'vault:open',
        'without its API': 'invalid_target',
        'an unknown API': 'invalid_target',
        'the admin API': 'invalid_target',
        'several APIs': 'invalid_target',
        userinfo: 'invalid_target',
        [ORDERS]: 'orders:read',
        [VAULT]: 'vault:open',
      },
    },
    claims: {
      none: NO_API,
      one: {
        'access token': MACHINE_TOKEN,
        aud: ORDERS,
        roles: 'none',
        userinfo: '401 invalid_token',
      },
      two: {
        'access token': 'aud client_id cnf exp iat iss jti scope sub',
        aud: VAULT,
        roles: 'none',
        userinfo: '401 invalid_token',
      },
    },
    refresh: cell({ offered: 'none' }),
    introspection: {
      none: NO_API,
      one: {
        'access token, by the client': MACHINE_INTROSPECTED,
        'access token, by the API': MACHINE_INTROSPECTED,
        'access token, by a stranger': 'inactive',
        'refresh token, by the client': 'none',
        'refresh token, by the API': 'none',
      },
      two: {
        'access token, by the client': 'aud client_id cnf exp iat iss jti scope sub token_type',
        'access token, by the API': 'aud client_id cnf exp iat iss jti scope sub token_type',
        'access token, by a stranger': 'inactive',
        'refresh token, by the client': 'none',
        'refresh token, by the API': 'none',
      },
    },
    'bound tokens': {
      none: NO_API,
      one: { ...OPTIONAL, 'sent with its key': 401 },
      two: {
        ...OPTIONAL,
        'sent with its key': 401,
        ...REQUIRED_BY_API,
        'refreshed for it, without a proof': 'none',
      },
    },
  },
  'command line': {
    'redirect URI': NO_REDIRECT_URI,
    PKCE: NO_CODE,
    consent: cell({ first: 'consent', again: 'consent' }),
    scopes: cell(
      {
        everything: 'offline_access admin:read',
        nothing: 'offline_access admin:read',
        'without its API': 'offline_access admin:read',
        'an unknown API': 'invalid_target',
        'the admin API': 'offline_access admin:read',
        'several APIs': 'offline_access admin:read',
        userinfo: 'offline_access',
      },
      { 'several APIs': 'invalid_target', [ORDERS]: 'invalid_target' },
      { [VAULT]: 'invalid_target' },
    ),
    claims: cell({
      'access token': USER_TOKEN,
      aud: `${LOGIN}/admin/api`,
      roles: 'none',
      userinfo: '401 invalid_token',
    }),
    refresh: cell({
      ...REFRESH.none,
      scope: 'offline_access admin:read',
      'narrower scope': 'admin:read',
      'scope afterwards': 'offline_access admin:read',
    }),
    introspection: cell(PUBLIC_INTROSPECTION.none as Observation),
    'bound tokens': cell({ ...OPTIONAL, ...BOUND_REFRESH }),
  },
  'FAPI 2.0': {
    ...THIRD_PARTY,
    'redirect URI': cell({ ...ONE_REDIRECT_URI.none, refused: 'invalid_request' }),
    PKCE: cell({ ...(ALWAYS_PKCE.none as Observation), 'its verifier': 'DPoP' }),
    claims: cell(
      {
        ...(OTHER_CLAIMS.none as Observation),
        'access token': 'acr aud auth_time client_id cnf exp iat iss jti scope sid sub',
      },
      { 'access token': BOUND_WITH_ROLES, aud: `${ORDERS} ${LOGIN}`, roles: 'editor' },
      { aud: `${ORDERS} ${VAULT} ${LOGIN}` },
    ),
    refresh: REFRESH_OF_FAPI2,
    introspection: cell(
      {
        ...(CONFIDENTIAL_INTROSPECTION.none as Observation),
        'access token, by the client': INTROSPECTED.replace('client_id', 'client_id cnf'),
      },
      {
        'access token, by the client': INTROSPECTED_BOUND,
        'access token, by the API': INTROSPECTED_BOUND,
      },
    ),
    'bound tokens': cell(
      {
        ...(CONFIDENTIAL_BINDING.none as Observation),
        'without a proof': 'invalid_dpop_proof',
        'a code for its key, without a proof': 'invalid_dpop_proof',
        'refreshed without a proof': 'invalid_dpop_proof',
      },
      {},
      REQUIRED_BY_API,
    ),
  },
}
