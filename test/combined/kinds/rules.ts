import { decodeJwt } from 'jose'
import { LOGIN } from '../../browser.ts'
import { approveConsent } from '../../core/oidc/user-steps.ts'
import { ADMIN_API } from '../../features/admin/machine-client.ts'
import { ProofKey } from '../../features/sender-constrained/proof-key.ts'
import { type Kind, type Parameters, type Subject, type Tokens, VAULT } from './kinds.ts'

const USERINFO = `${LOGIN}/oidc/userinfo`
const VERIFIER = 'v'.repeat(43)
const PLAIN = { code_challenge: VERIFIER, code_challenge_method: 'plain' }
const NO_CHALLENGE = { code_challenge: undefined, code_challenge_method: undefined }

/** Whether the tokens for all APIs of the client must be bound, so that its requests need proofs. */
function keyFor({ kind, apis, key }: Subject): ProofKey | undefined {
  return kind === 'FAPI 2.0' || (kind !== 'command line' && apis.includes(VAULT)) ? key : undefined
}

/** Tokens of a client that requests all it can. */
async function ordinaryTokens(subject: Subject, changes: Parameters = {}): Promise<Tokens> {
  return subject.tokens(changes, keyFor(subject))
}

/** The error of a response, or what it contains. */
function outcomeOf({ error, token_type }: Tokens): string {
  return error ?? token_type
}

function names(claims: object): string {
  return Object.keys(claims).toSorted().join(' ')
}

/** The redirect URIs that are accepted, by their difference from the registered one. */
async function redirectUri(subject: Subject) {
  const url = new URL(subject.redirectUri)
  const with_ = (changes: Partial<URL>) => Object.assign(new URL(url), changes).href
  const variants: Record<string, string | readonly string[] | undefined> = {
    registered: url.href,
    'other port': with_({ port: '51005' }),
    'other path': with_({ pathname: '/other' }),
    'longer path': `${url.href}/`,
    query: `${url.href}?a=b`,
    fragment: `${url.href}#a`,
    'other host': with_({ hostname: 'evil.example' }),
    localhost: with_({ hostname: 'localhost' }),
    'longer host': with_({ hostname: `${url.hostname}.evil.example` }),
    'other scheme': url.href.replace(/^https?/, 'com.evil.app'),
    missing: undefined,
    twice: [url.href, url.href],
  }
  const accepted: string[] = []
  const refused = new Set<string>()
  for (const [name, redirect_uri] of Object.entries(variants)) {
    const { outcome } = await subject.ask({ redirect_uri, prompt: 'consent' })
    if (outcome === 'consent') accepted.push(name)
    else refused.add(outcome)
  }
  const other = { redirect_uri: url.href.replace(url.pathname, '/other') }
  const redeemed = async (changes: Parameters) => {
    const answer = await subject.authorize({ resource: undefined })
    return outcomeOf(await subject.redeem(answer, changes, keyFor(subject)))
  }
  const atToken = accepted.length > 0 && {
    'other at the token endpoint': await redeemed(other),
    'none at the token endpoint': await redeemed({ redirect_uri: undefined }),
  }
  return { accepted: accepted.join(', '), refused: [...refused].toSorted().join(', '), ...atToken }
}

/** Which requests are accepted, by their challenge, and then which verifiers. */
async function pkce(subject: Subject) {
  const request = async (changes: Parameters) =>
    (await subject.ask({ prompt: 'consent', ...changes })).outcome
  const redeemed = async (verifier: string | undefined, changes: Parameters = {}) => {
    const code = await subject.authorize(changes)
    const form = verifier === subject.verifier ? {} : { code_verifier: verifier }
    return outcomeOf(await subject.redeem(code, form, keyFor(subject)))
  }
  const withNonce = await request({ ...NO_CHALLENGE, nonce: 'n' })
  return {
    S256: await request({}),
    plain: await request(PLAIN),
    'no method': await request({ code_challenge_method: undefined }),
    none: await request(NO_CHALLENGE),
    'none, but a nonce': withNonce,
    'none, but a nonce without openid': await request({
      ...NO_CHALLENGE,
      nonce: 'n',
      scope: 'profile',
    }),
    'its verifier': await redeemed(subject.verifier),
    'another verifier': await redeemed(VERIFIER),
    'no verifier': await redeemed(undefined),
    ...(withNonce === 'consent' && {
      'a verifier without a challenge': await redeemed(VERIFIER, { ...NO_CHALLENGE, nonce: 'n' }),
      'neither challenge nor verifier': await redeemed(undefined, { ...NO_CHALLENGE, nonce: 'n' }),
    }),
  }
}

/** Whether a user is asked, for the first time, again, for more and without a page. */
async function consent(subject: Subject) {
  const little = { scope: 'openid', resource: subject.apis.slice(0, 1) }
  const ask = async (changes: Parameters) => (await subject.ask(changes)).outcome
  const silent = await ask({ ...little, prompt: 'none' })
  const first = await subject.ask(little)
  if (first.page) await subject.approve(first.page)
  return {
    silent,
    first: first.outcome,
    again: await ask(little),
    'silent again': await ask({ ...little, prompt: 'none' }),
    'more scopes': await ask({ ...little, scope: 'openid profile' }),
    'on request': await ask({ ...little, prompt: 'consent' }),
    'offline access': await ask({ ...little, scope: 'openid offline_access' }),
    ...(subject.apis.length > 0 && {
      'scope of an API': await ask({ ...little, scope: 'openid orders:read' }),
    }),
    ...(subject.apis.length > 1 && { 'another API': await ask({ ...little, resource: [VAULT] }) }),
  }
}

/** What the command line is asked for, which has no authorization request of its own. */
async function loginConsent(subject: Subject) {
  const fields = { scope: 'offline_access admin:read', resource: subject.targets }
  const asked = async () => {
    const { page } = await subject.startLogin(fields)
    if (page === undefined) return 'error'
    const isAsked = (await page.clone().text()).includes('id="approve"')
    await approveConsent(subject.user.browser, page)
    return isAsked ? 'consent' : 'none'
  }
  return { first: await asked(), again: await asked() }
}

/** The scopes that are granted. */
async function scopes(subject: Subject) {
  const granted = async (changes: Parameters = {}) => {
    const tokens = await ordinaryTokens(subject, changes)
    return tokens.error ?? tokens.scope ?? ''
  }
  const ofApis: Record<string, string> = {}
  for (const api of subject.apis) ofApis[api] = await granted({ resource: [api] })
  return {
    everything: await granted(),
    nothing: await granted({ scope: undefined }),
    'without its API': await granted({ resource: undefined }),
    'an unknown API': await granted({ resource: ['https://unknown.example'] }),
    'the admin API': await granted({ resource: [ADMIN_API] }),
    'several APIs': await granted({ resource: subject.apis }),
    userinfo: await granted({ resource: [USERINFO] }),
    ...ofApis,
  }
}

/** The claims that tokens and userinfo have. */
async function claims(subject: Subject) {
  const { id_token, access_token } = await ordinaryTokens(subject)
  const access = decodeJwt(access_token)
  const userinfo = await subject.present(
    USERINFO,
    access_token,
    access['cnf'] === undefined ? undefined : subject.key,
  )
  return {
    'access token': names(access),
    aud: [access.aud].flat().join(' '),
    roles: String(access['roles'] ?? 'none'),
    ...(id_token !== undefined && {
      'ID token': names(decodeJwt(id_token)),
      'roles in it': String(decodeJwt(id_token)['roles'] ?? 'none'),
    }),
    userinfo: userinfo.ok
      ? names(await userinfo.json<object>())
      : `${userinfo.status} ${userinfo.headers.get('WWW-Authenticate')?.match(/error="(\w+)"/)?.[1]}`,
  }
}

/** What can be done with a refresh token, and what ends it. */
async function refresh(subject: Subject) {
  const isCommandLine = subject.kind === 'command line'
  const online = isCommandLine ? 'admin:read' : 'openid orders:read'
  const { refresh_token: unexpected } = await ordinaryTokens(subject, { scope: online })
  const little = isCommandLine ? 'offline_access admin:read' : 'openid offline_access'
  const { refresh_token: limited } = await ordinaryTokens(subject, { scope: little })
  const { refresh_token: first } = await ordinaryTokens(subject)
  if (first === undefined) return { offered: 'none' }
  let current = first
  const use = async (changes: Parameters = {}, token = current) => {
    const { refresh_token = token, ...tokens } = await subject.refresh(
      token,
      changes,
      keyFor(subject),
    )
    current = refresh_token
    return tokens.error ?? tokens.scope ?? ''
  }
  return {
    'without offline_access': unexpected === undefined ? 'none' : 'a refresh token',
    scope: await use(),
    replaced: current === first ? 'no' : 'yes',
    'narrower scope': await use({ scope: isCommandLine ? 'admin:read' : 'openid' }),
    'scope that was not granted': outcomeOf(
      await subject.refresh(
        limited,
        { scope: isCommandLine ? 'admin:support' : 'profile' },
        keyFor(subject),
      ),
    ),
    'wider scope': await use({ scope: isCommandLine ? 'admin:write' : 'openid orders:write' }),
    'scope afterwards': await use(),
    'an unknown API': await use({ resource: ['https://unknown.example'] }),
    'the first one, later': await use({}, first),
    'the last one, after that': await use({}, current),
  }
}

/** What introspection says, and to whom. */
async function introspection(subject: Subject) {
  const { access_token, refresh_token } = await ordinaryTokens(subject)
  const read = async (token: string | undefined, reader: Reader) => {
    if (token === undefined) return 'none'
    const { active, error, roles, ...rest } = await subject.introspect(token, reader)
    if (error !== undefined) return String(error)
    return active
      ? names({ ...rest, ...(roles !== undefined && { [`roles=${roles}`]: 1 }) })
      : 'inactive'
  }
  return {
    'access token, by the client': await read(access_token, 'itself'),
    'access token, by the API': await read(access_token, 'the API'),
    'access token, by a stranger': await read(access_token, 'a stranger'),
    'refresh token, by the client': await read(refresh_token, 'itself'),
    'refresh token, by the API': await read(refresh_token, 'the API'),
  }
}

type Reader = Introspection[1]
type Introspection = globalThis.Parameters<Subject['introspect']>

/** Which tokens are bound to a key, and what that requires. */
async function boundTokens(subject: Subject) {
  const { key, apis, kind } = subject
  const other = await ProofKey.create()
  const api = kind === 'command line' ? `${ADMIN_API}/users` : USERINFO
  const resource = kind === 'command line' ? subject.targets : apis.slice(0, 1)
  const requiring = kind === 'command line' ? [] : apis.slice(1)
  const target = { resource: resource.length > 0 ? resource : undefined }
  const bound = await subject.tokens(target, key)
  const present = async (presented?: ProofKey) =>
    (await subject.present(api, bound.access_token, presented)).status
  const refreshed = async (proof?: ProofKey) => {
    const { refresh_token } = await subject.tokens(target, key)
    return outcomeOf(await subject.refresh(refresh_token, {}, proof))
  }
  const redeemed = async (proof?: ProofKey) => {
    const answer = await subject.authorize({ ...target, dpop_jkt: key.thumbprint })
    return outcomeOf(await subject.redeem(answer, {}, proof))
  }
  return {
    'without a proof': outcomeOf(await subject.tokens(target)),
    'with a proof': outcomeOf(bound),
    ...(requiring.length > 0 && {
      'for the API that requires it, without a proof': outcomeOf(
        await subject.tokens({ resource: requiring }),
      ),
      'for it, with a proof': outcomeOf(await subject.tokens({ resource: requiring }, key)),
      'refreshed for it, without a proof': await refreshedFor(subject, requiring),
    }),
    ...(usesCodes(kind) && {
      'a code for its key, without a proof': await redeemed(),
      'a code for its key, with another key': await redeemed(other),
      'a code for its key, with it': await redeemed(key),
    }),
    ...(bound.access_token && {
      'sent as Bearer': await present(),
      'sent with another key': await present(other),
      'sent with its key': await present(key),
    }),
    ...(bound.refresh_token !== undefined && {
      'refreshed without a proof': await refreshed(),
      'refreshed with another key': await refreshed(other),
      'refreshed with its key': await refreshed(key),
    }),
  }
}

function usesCodes(kind: Kind): boolean {
  return kind !== 'machine' && kind !== 'command line'
}

/** A refresh of tokens that were issued for another API. */
async function refreshedFor(subject: Subject, resource: readonly string[]): Promise<string> {
  const { apis, key } = subject
  const { refresh_token } = await subject.tokens({ resource: apis }, key)
  if (refresh_token === undefined) return 'none'
  const { refresh_token: next } = await subject.refresh(refresh_token, { resource: apis[0] }, key)
  return outcomeOf(await subject.refresh(next ?? refresh_token, { resource }))
}

/** The rules, with what a client observes of each. */
export const RULES = {
  'redirect URI': redirectUri,
  PKCE: pkce,
  consent: (subject: Subject) =>
    subject.kind === 'command line' ? loginConsent(subject) : consent(subject),
  scopes,
  claims,
  refresh,
  introspection,
  'bound tokens': boundTokens,
}

export type Rule = keyof typeof RULES
