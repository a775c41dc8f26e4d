import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../src/core/config/configuration-error.ts'
import { formatProblem } from '../../src/foundation/values/problem.ts'
import type {
  OAuth2Config,
  OIDCConfig,
  OIDCProfile,
} from '../../src/provider-interface/oauth-types.ts'
import type { Provider } from '../../src/provider-interface/types.ts'
import {
  EVEOnline,
  GitHub,
  Google,
  MicrosoftEntraID,
  Notion,
  Oidc,
  Spotify,
  TikTok,
} from '../../src/providers/index.ts'
import { createVestibule } from '../../src/vestibule.ts'
import { Browser, serviceOf, WITHOUT_TIKTOK } from '../browser.ts'
import keys from '../core/oidc/signing-keys.json'
import { declared } from '../deployment.ts'

const acme: OAuth2Config<{ id: string }> = {
  id: 'acme',
  name: 'Acme',
  type: 'oauth',
  jwks_endpoint: undefined,
  clientId: 'our-client',
  clientSecret: 'our-secret',
  authorization: 'https://acme.example/authorize',
  token: 'https://acme.example/token',
  userinfo: 'https://acme.example/me',
}

const oidc: OIDCConfig<OIDCProfile> = {
  id: 'acme',
  name: 'Acme',
  type: 'oidc',
  jwks_endpoint: undefined,
  clientId: 'our-client',
  clientSecret: 'our-secret',
  issuer: 'https://acme.example',
}

/** The problems that are reported for these providers. A deployment may not use TypeScript. */
function problemsOf(...providers: unknown[]): readonly string[] {
  try {
    createVestibule({ providers: providers as Provider[], features: declared.features })
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError)
    return (error as ConfigurationError).problems.map(formatProblem)
  }
}

/** The problems that the deployment reports for its settings, at its first request. */
async function settingProblemsOf(provider: Provider, settings: Record<string, unknown>) {
  const AUTH_URL = 'http://localhost:8787'
  const service = serviceOf(
    createVestibule({ providers: [provider], features: declared.features }),
    {
      ...WITHOUT_TIKTOK,
      AUTH_URL,
      ...settings,
    },
  )
  const response = await new Browser(service, AUTH_URL).get('/healthz', {
    Accept: 'application/json',
  })
  const { problems = [] } = await response.json<{ problems?: string[] }>()
  return problems
}

const without = (config: object, ...names: string[]) =>
  Object.fromEntries(Object.entries(config).filter(([name]) => !names.includes(name)))

const PRIVATE_KEY = JSON.stringify(keys.signer)
const ADDRESS = 'must be an https URL, or http on loopback.'

describe('createVestibule', () => {
  it('accepts a configuration, a function that returns one, and providers of the catalogue with and without options', () => {
    const problems = problemsOf(
      acme,
      () => ({ ...oidc, id: 'second' }),
      Google,
      GitHub({ clientId: 'x', clientSecret: 'y' }),
      Oidc({ id: 'third', issuer: 'https://third.example' }),
    )

    expect(problems).toEqual([])
  })

  it.each([
    ['authorization.request', { authorization: { url: 'https://a.example', request: () => {} } }],
    [
      'authorization.normalizeResponse',
      { authorization: { url: 'https://a.example', normalizeResponse: () => {} } },
    ],
  ])('rejects %s with a reason', (name, change) => {
    expect(problemsOf({ ...acme, ...change })).toEqual([
      `providers.acme.${name} cannot be called: this service builds the authorization request itself. Use authorization.url and authorization.params.`,
    ])
  })

  it.each([
    [
      { ...acme, allowDangerousEmailAccountLinking: 'false' },
      '.allowDangerousEmailAccountLinking must be true or false.',
    ],
    [{ ...acme, client: 'none' }, '.client must be an object.'],
    [{ ...acme, callbackParameters: 'device_id' }, '.callbackParameters must be a list.'],
    [{ ...acme, knownScopes: 'read write' }, '.knownScopes must be a list.'],
    [{ ...acme, registration: { url: 1 } }, '.registration.url must be a string.'],
    [{ ...acme, codeChallengeEncoding: 'HEX' }, '.codeChallengeEncoding must be base64url or hex.'],
    [
      { ...acme, style: { logo: 'https://x;sandbox;y/logo.png' } },
      '.style.logo must be an https URL or a data: URL of an image.',
    ],
    [
      without(acme, 'token', 'userinfo'),
      ' lacks token, userinfo. Set the URLs of these endpoints, or wellKnown.',
    ],
    [
      { ...acme, token: { url: '' } },
      ' lacks token. Set the URLs of these endpoints, or wellKnown.',
    ],
    [
      without(oidc, 'issuer'),
      ' lacks issuer, authorization, token. Set issuer or wellKnown, from which the endpoints are discovered.',
    ],
    [
      { ...without(oidc, 'issuer'), wellKnown: 'https://acme.example/openid-configuration' },
      ' lacks issuer, which is unknown if wellKnown has no path /.well-known/….',
    ],
    [
      without({ ...oidc, idToken: false }, 'issuer'),
      ' lacks issuer, authorization, token, userinfo. Set issuer or wellKnown, from which the endpoints are discovered.',
    ],
  ])('[L12] rejects an incomplete provider: %o', (provider, problem) => {
    expect(problemsOf(provider)).toEqual([`providers.acme${problem}`])
  })

  it.each([
    [{ name: ' ' }, '.name is empty.'],
    [{ name: 'a\u202e' }, '.name contains control characters.'],
    [{ issuer: 'acme.example' }, `.issuer ${ADDRESS}`],
    [{ wellKnown: 'http://acme.example/.well-known/x' }, `.wellKnown ${ADDRESS}`],
    [{ jwks_endpoint: 'ftp://acme.example' }, `.jwks_endpoint ${ADDRESS}`],
    [{ authorization: 'nowhere' }, `.authorization ${ADDRESS}`],
    [{ token: 'http://acme.example' }, `.token ${ADDRESS}`],
    [{ userinfo: 'https://me:pw@acme.example' }, `.userinfo ${ADDRESS}`],
    [{ token: 42 }, '.token must be a URL or an object.'],
    [
      { token: { url: 'https://acme.example/', correct: () => {} } },
      '.token.correct does not exist: the names are url, params, request, normalizeResponse.',
    ],
    [
      { token: { url: 'https://acme.example/', request: 'POST' } },
      '.token.request must be a function.',
    ],
    [
      { userinfo: { url: 'https://acme.example/', params: { a: null } } },
      '.userinfo.params.a must be a string.',
    ],
    [{ profile: {} }, '.profile must be a function.'],
    [{ checks: ['nonce'] }, '.checks.0 must be none or state or pkce.'],
    [{ checks: 'pkce' }, '.checks must be a list.'],
    [{ client: { client_id: 'x' } }, '.client.client_id is not used: use clientId instead.'],
    [
      { client: { use_mtls_endpoint_aliases: true } },
      '.client.use_mtls_endpoint_aliases cannot be used: this service has no certificate.',
    ],
    [
      { client: { token_endpoint_auth_method: 'tls_client_auth' } },
      '.client.token_endpoint_auth_method must be client_secret_post or client_secret_basic or client_secret_jwt or private_key_jwt or none.',
    ],
    [
      { client: { token_endpoint_auth_method: 'none' } },
      '.clientSecret must be absent, because token_endpoint_auth_method is none.',
    ],
    [
      { client: { token_endpoint_auth_method: 'private_key_jwt' } },
      '.clientSecret must be the private key as a JWK in JSON, because token_endpoint_auth_method is private_key_jwt.',
    ],
    [
      { redirectProxyUrl: 'https://login.example' },
      '.redirectProxyUrl must be the /api/auth of the deployment whose callback is registered, such as https://login.example.com/api/auth.',
    ],
    [
      { style: { brandColor: 'dark-ish' } },
      '.style.brandColor must be a hex colour such as #1a73e8.',
    ],
    [{ style: { bg: '#12' } }, '.style.bg must be a hex colour such as #1a73e8.'],
    [
      { style: { text: 'red}body{display:none' } },
      '.style.text must be a hex colour such as #1a73e8.',
    ],
    [
      { style: { logo: 'http://acme.example/logo.svg' } },
      '.style.logo must be an https URL or a data: URL of an image.',
    ],
    [
      { style: { logo: 'data:text/html,x' } },
      '.style.logo must be an https URL or a data: URL of an image.',
    ],
    [
      { style: { bgDark: '#000' } },
      '.style.bgDark does not exist: the names are brandColor, logo, bg, text.',
    ],
  ])('rejects a provider with %o', (change, problem) => {
    expect(problemsOf({ ...acme, ...change })).toEqual([`providers.acme${problem}`])
  })

  it.each([
    [{ [Symbol('other')]: 1 }, ' has the option Symbol(other), which does not exist.'],
    [
      { client: { [Symbol('skew')]: 1 } },
      '.client has the option Symbol(skew), which does not exist. For client, import clockSkew and clockTolerance from vestibule-auth/providers.',
    ],
    [{ client: { jwks_uri: 'x' } }, '.client.jwks_uri does not exist'],
    [
      {
        client: { userinfo_signed_response_alg: 'RS256' },
        userinfo: { url: 'https://acme.example/me', request: () => {} },
      },
      '.client.userinfo_signed_response_alg has no effect, because userinfo.request reads the response.',
    ],
  ])('rejects what would have no effect: %o', (change, problem) => {
    expect(problemsOf({ ...acme, ...change })).toEqual([
      expect.stringContaining(`providers.acme${problem}`),
    ])
  })

  it('rejects a signed userinfo response if the profile is read from the ID token', () => {
    const client = { userinfo_signed_response_alg: 'RS256' }

    expect(problemsOf({ ...oidc, client, idToken: false })).toEqual([])
    expect(problemsOf({ ...oidc, client })).toEqual([
      'providers.acme.client.userinfo_signed_response_alg has no effect, because the profile is read from the ID token.',
    ])
  })

  it.each([EVEOnline, Notion])('rejects userinfo.params if no request is sent: %o', (create) => {
    expect(problemsOf(create({ userinfo: { params: { a: '1' } } }))).toEqual([
      expect.stringContaining(
        '.userinfo.params has no effect: no request is sent for the profile.',
      ),
    ])
  })

  it.each([
    { params: { fields: 'open_id,displayname, nick' } },
    'https://open.tiktokapis.com/v2/user/info/?fields=open_id,displayname,,nick',
  ])('rejects fields that TikTok does not have: %o', (userinfo) => {
    expect(problemsOf(TikTok({ userinfo }))).toEqual([
      expect.stringMatching(
        /^providers\.tiktok\.userinfo\.params\.fields contains displayname, nick: the names are open_id, union_id, .*video_count\.$/,
      ),
    ])
    const fields = 'username,follower_count, open_id'
    expect(problemsOf(TikTok({ userinfo: { params: { fields } } }))).toEqual([])
    const request = () => ({}) as never
    expect(problemsOf(TikTok({ userinfo: { params: { fields: 'own' }, request } }))).toEqual([])
  })

  it.each(['idToken', 'endpointOrigins'])('rejects the option %s of an OAuth provider', (name) => {
    expect(problemsOf({ ...acme, [name]: false })).toEqual([
      expect.stringMatching(`^providers.acme.${name} does not exist: the names are id, name, `),
    ])
  })

  it.each(['tik tok', '../x', '', '-a', '.', 'a/b', 'a%2fb', 'a;b', 'a=b', 'é', 'a'.repeat(65)])(
    '[S9] rejects the provider id "%s"',
    (id) => {
      expect(problemsOf({ ...acme, id })[0]).toContain('cannot be part of a URL and a cookie name')
    },
  )

  it('reports all problems of all providers at once', () => {
    const problems = problemsOf(
      { ...acme, checks: ['nonce'], style: { brandColor: 'x' } },
      { ...acme, id: 'Acme' },
      without({ ...acme, id: 'other' }, 'token'),
      { ...acme, id: 'secret' },
      { ...acme, id: 'odd', type: 'oauth2' },
      () => {
        throw new Error('no configuration')
      },
      null,
      { name: 'Nameless', type: 'oauth' },
    )

    expect(problems).toEqual([
      'providers.odd has the type oauth2, which does not exist.',
      'providers.5 cannot be read: Error: no configuration.',
      'providers.6 is null: check the name that it is imported by.',
      'providers.7 has no id.',
      'providers.Acme has the id of another provider, or one whose settings have the same names.',
      'providers.secret has a reserved id: choose another one.',
      'providers.acme.style.brandColor must be a hex colour such as #1a73e8.',
      'providers.acme.checks.0 must be none or state or pkce.',
      'providers.other lacks token. Set the URLs of these endpoints, or wellKnown.',
    ])
  })

  it('reports providers that are not a list', () => {
    expect(() => createVestibule({ providers: 'tiktok' as never })).toThrow(
      'providers must be a list of providers.',
    )
  })

  it.each([
    { type: 'email', create: 'Email()' },
    { type: 'credentials', create: 'Credentials()' },
    { type: 'webauthn', create: 'Passkey()' },
  ] as const)(
    'rejects a provider of type $type that $create did not create',
    ({ type, create }) => {
      const provider = { id: 'local', name: 'Local', type } as Provider
      expect(() => createVestibule({ providers: [provider, acme] })).toThrow(
        `providers.local has the type ${type}: create it with ${create} of vestibule-auth/providers.`,
      )
    },
  )
})

describe('the settings of a provider in code', () => {
  it('are required for what the code does not contain', async () => {
    expect(await settingProblemsOf(TikTok, {})).toEqual([
      'AUTH_TIKTOK_ID is missing.',
      'AUTH_TIKTOK_SECRET is missing.',
    ])
    expect(await settingProblemsOf(Spotify({ clientId: 'x' }), {})).toEqual([
      'AUTH_SPOTIFY_SECRET is missing.',
    ])
    expect(await settingProblemsOf({ ...acme, clientId: '', clientSecret: '' }, {})).toEqual([
      'AUTH_ACME_ID is missing.',
      'AUTH_ACME_SECRET is missing.',
    ])
  })

  it('include the tenant of Entra ID', async () => {
    const credentials = { clientId: 'x', clientSecret: 'y' }

    expect(await settingProblemsOf(MicrosoftEntraID(credentials), {})).toEqual([
      'AUTH_MICROSOFT_ENTRA_ID_ISSUER is missing.',
    ])
  })

  it('include no secret for a public client', async () => {
    const { clientSecret: _, ...config } = acme
    const provider = { ...config, client: { token_endpoint_auth_method: 'none' } }

    expect(await settingProblemsOf(provider, {})).toEqual([])
    expect(await settingProblemsOf(provider, { AUTH_ACME_SECRET: 'x' })).toEqual([
      'AUTH_ACME_SECRET is not a setting of this service.',
    ])
  })

  it.each([
    ['clientAuth', { clientAuth: () => () => {} }],
    ['token.request', { token: { url: 'https://acme.example/', request: () => {} } }],
  ])('include an optional secret for a provider with its own %s', async (_, change) => {
    const { clientSecret: _secret, ...config } = acme
    const provider = { ...config, ...change } as typeof acme

    expect(await settingProblemsOf(provider, {})).toEqual([])
    expect(await settingProblemsOf(provider, { AUTH_ACME_SECRET: 'x' })).toEqual([])
  })

  it.each([
    ['', 'is empty.'],
    [
      'a-password',
      'must be the private key as a JWK in JSON, because token_endpoint_auth_method is private_key_jwt.',
    ],
    [
      JSON.stringify({ ...keys.signer, d: undefined }),
      'must be the private key as a JWK in JSON, because token_endpoint_auth_method is private_key_jwt.',
    ],
    [
      JSON.stringify({ ...keys.signer, alg: 'RS256' }),
      'must be the private key as a JWK in JSON, because token_endpoint_auth_method is private_key_jwt.',
    ],
  ])(
    'must contain a private key for private_key_jwt, not %j',
    async (AUTH_ACME_SECRET, problem) => {
      const { clientSecret: _, ...config } = oidc
      const provider = { ...config, client: { token_endpoint_auth_method: 'private_key_jwt' } }

      expect(await settingProblemsOf(provider, { AUTH_ACME_SECRET })).toEqual([
        `AUTH_ACME_SECRET ${problem}`,
      ])
      expect(await settingProblemsOf(provider, { AUTH_ACME_SECRET: PRIVATE_KEY })).toEqual([])
    },
  )

  it('must contain private keys for private_key_jwt only, also while one replaces the other', async () => {
    const { clientSecret: _, ...config } = oidc
    const provider = { ...config, client: { token_endpoint_auth_method: 'private_key_jwt' } }
    const problemsWith = (AUTH_ACME_SECRET_1: string) =>
      settingProblemsOf(provider, { AUTH_ACME_SECRET: PRIVATE_KEY, AUTH_ACME_SECRET_1 })

    expect(await problemsWith(PRIVATE_KEY)).toEqual([])
    expect(await problemsWith('a-password')).toEqual([
      expect.stringContaining('must be the private key as a JWK in JSON'),
    ])
  })

  it('include the secret of a redirect proxy that is configured in code', async () => {
    const provider = { ...acme, redirectProxyUrl: 'https://stable.example/api/auth' }

    expect(await settingProblemsOf(provider, {})).toEqual([
      'AUTH_REDIRECT_PROXY_SECRET is missing: both sides of a redirect proxy need the same secret.',
    ])
  })

  it('can leave a self-hosted provider incomplete, which is reported in the same way', async () => {
    const { token: _, ...config } = acme
    const provider = { ...config, isSelfHosted: true }

    expect(await settingProblemsOf(provider, { AUTH_ACME_ISSUER: 'https://acme.example' })).toEqual(
      ['providers.acme lacks token. Set the URLs of these endpoints, or wellKnown.'],
    )
  })
})
