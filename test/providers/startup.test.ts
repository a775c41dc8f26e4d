import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../src/config/configuration-error.ts'
import { Credentials, Email, Passkey } from '../../src/provider-exports.ts'
import {
  GitHub,
  Google,
  MicrosoftEntraId,
  Oidc,
  Spotify,
  TikTok,
} from '../../src/providers/index.ts'
import type { OAuth2Config, OIDCConfig, OIDCProfile } from '../../src/providers/oauth-types.ts'
import type { Provider } from '../../src/providers/types.ts'
import { createVestibule } from '../../src/vestibule.ts'
import { Browser, serviceOf, WITHOUT_TIKTOK } from '../browser.ts'
import keys from '../oidc/signing-keys.json'

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
    createVestibule({ providers: providers as Provider[] })
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError)
    return (error as ConfigurationError).problems
  }
}

/** The problems that the deployment reports for its settings, at its first request. */
async function settingProblemsOf(provider: Provider, settings: Record<string, unknown>) {
  const AUTH_URL = 'http://localhost:8787'
  const service = serviceOf(createVestibule({ providers: [provider] }), {
    ...WITHOUT_TIKTOK,
    AUTH_URL,
    ...settings,
  })
  const response = await new Browser(service, AUTH_URL).get('/healthz', {
    Accept: 'application/json',
  })
  const { problems = [] } = await response.json<{ problems?: string[] }>()
  return problems
}

const without = (config: object, ...names: string[]) =>
  Object.fromEntries(Object.entries(config).filter(([name]) => !names.includes(name)))

const PRIVATE_KEY = JSON.stringify(keys.signer)
const ADDRESS = 'it must be an https address, or http on loopback.'

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
      `The provider acme has ${name}, which cannot be called: this service builds the authorization request itself. Use authorization.url and authorization.params.`,
    ])
  })

  it.each([
    [
      { ...acme, allowDangerousEmailAccountLinking: 'false' },
      'has allowDangerousEmailAccountLinking that is neither true nor false.',
    ],
    [{ ...acme, client: 'none' }, 'has client that is not an object.'],
    [
      { ...acme, callbackParameters: 'device_id' },
      'has callbackParameters that are not a list of texts.',
    ],
    [{ ...acme, knownScopes: 'read write' }, 'has knownScopes that are not a list of texts.'],
    [{ ...acme, registration: { url: 1 } }, 'has registration that is not an object of texts.'],
    [
      { ...acme, codeChallengeEncoding: 'HEX' },
      'has a codeChallengeEncoding that is neither base64url nor hex.',
    ],
    [
      { ...acme, style: { logo: 'https://x;sandbox;y/logo.png' } },
      'has an invalid style.logo: it must be an https address or a data: address of an image.',
    ],
    [
      without(acme, 'token', 'userinfo'),
      'lacks token, userinfo. Set the addresses of these endpoints, or wellKnown.',
    ],
    [
      { ...acme, token: { url: '' } },
      'lacks token. Set the addresses of these endpoints, or wellKnown.',
    ],
    [
      without(oidc, 'issuer'),
      'lacks issuer, authorization, token. Set issuer or wellKnown, from which the endpoints are discovered.',
    ],
    [
      without({ ...oidc, idToken: false }, 'issuer'),
      'lacks issuer, authorization, token, userinfo. Set issuer or wellKnown, from which the endpoints are discovered.',
    ],
  ])('[L12] rejects an incomplete provider: %o', (provider, problem) => {
    expect(problemsOf(provider)).toEqual([`The provider acme ${problem}`])
  })

  it.each([
    [{ name: '' }, 'needs a name of at most 64 characters without control characters.'],
    [{ name: 'a\u202e' }, 'needs a name of at most 64 characters without control characters.'],
    [{ idToken: false }, 'has the option idToken, which does not exist for the type oauth.'],
    [
      { endpointOrigins: [] },
      'has the option endpointOrigins, which does not exist for the type oauth.',
    ],
    [{ issuer: 'acme.example' }, `has an invalid issuer: ${ADDRESS}`],
    [{ wellKnown: 'http://acme.example/.well-known/x' }, `has an invalid wellKnown: ${ADDRESS}`],
    [{ jwks_endpoint: 'ftp://acme.example' }, `has an invalid jwks_endpoint: ${ADDRESS}`],
    [{ authorization: 'nowhere' }, `has an invalid address in authorization: ${ADDRESS}`],
    [{ token: 'http://acme.example' }, `has an invalid address in token: ${ADDRESS}`],
    [{ userinfo: 'https://me:pw@acme.example' }, `has an invalid address in userinfo: ${ADDRESS}`],
    [{ token: 42 }, 'has an invalid token: it must be an address or an object.'],
    [
      { token: { url: 'https://acme.example/', conform: () => {} } },
      'has token.conform, which does not exist.',
    ],
    [
      { token: { url: 'https://acme.example/', request: 'POST' } },
      'has token.request that is not a function.',
    ],
    [
      { userinfo: { url: 'https://acme.example/', params: { a: 1 } } },
      'has userinfo.params that are not texts.',
    ],
    [{ profile: {} }, 'has profile that is not a function.'],
    [{ account: true }, 'has account that is not a function.'],
    [{ checks: ['nonce'] }, 'has invalid checks: they must be a list of none, state, pkce.'],
    [{ checks: 'pkce' }, 'has invalid checks: they must be a list of none, state, pkce.'],
    [{ client: { client_id: 'x' } }, 'has client.client_id: use clientId instead.'],
    [
      { client: { use_mtls_endpoint_aliases: true } },
      'has client.use_mtls_endpoint_aliases, but this service has no certificate.',
    ],
    [
      { client: { token_endpoint_auth_method: 'tls_client_auth' } },
      'has the token_endpoint_auth_method tls_client_auth, which is not supported. Use one of client_secret_post, client_secret_basic, client_secret_jwt, private_key_jwt, none.',
    ],
    [
      { client: { token_endpoint_auth_method: 'none' } },
      'has a clientSecret, but token_endpoint_auth_method is none.',
    ],
    [
      { client: { token_endpoint_auth_method: 'private_key_jwt' } },
      'has an invalid clientSecret: it must be the private key as a JWK in JSON, because token_endpoint_auth_method is private_key_jwt.',
    ],
    [
      { redirectProxyUrl: 'https://login.example' },
      'has an invalid redirectProxyUrl: it must be the /api/auth of the deployment whose callback is registered, such as https://login.example.com/api/auth.',
    ],
    [
      { style: { brandColor: 'dark-ish' } },
      'has an invalid colour in style.brandColor: use a hex code, rgb(), hsl() or the name of a colour.',
    ],
    [
      { style: { bg: '#12' } },
      'has an invalid colour in style.bg: use a hex code, rgb(), hsl() or the name of a colour.',
    ],
    [
      { style: { text: 'red}body{display:none' } },
      'has an invalid colour in style.text: use a hex code, rgb(), hsl() or the name of a colour.',
    ],
    [
      { style: { logo: 'http://acme.example/logo.svg' } },
      'has an invalid style.logo: it must be an https address or a data: address of an image.',
    ],
    [
      { style: { logo: 'data:text/html,x' } },
      'has an invalid style.logo: it must be an https address or a data: address of an image.',
    ],
    [{ style: { bgDark: '#000' } }, 'has style.bgDark, which does not exist.'],
  ])('rejects a provider with %o', (change, problem) => {
    expect(problemsOf({ ...acme, ...change })).toEqual([`The provider acme ${problem}`])
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
      'The provider odd has the type oauth2, which does not exist.',
      'providers[5] cannot be read: Error: no configuration.',
      'providers[6] is null: check the name that it is imported by.',
      'providers[7] has no id.',
      'The provider id secret is reserved: choose another one.',
      'Two providers have the id Acme, or ids whose settings have the same names.',
      'The provider acme has invalid checks: they must be a list of none, state, pkce.',
      expect.stringContaining('The provider acme has an invalid colour'),
      'The provider other lacks token. Set the addresses of these endpoints, or wellKnown.',
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
        `The provider local has the type ${type}: create it with ${create} of vestibule-auth/providers.`,
      )
    },
  )
})

describe('a provider whose users sign in on pages of this service', () => {
  it.each([
    {
      name: 'email',
      create: (options: object) => Email({ sendVerificationRequest() {}, ...options }),
    },
    { name: 'passkey', create: (options: object) => Passkey(options) },
    {
      name: 'credentials',
      create: (options: object) =>
        Credentials({ credentials: { pin: {} }, authorize: () => null, ...options }),
    },
  ])('rejects an option of $name that does not exist', ({ name, create }) => {
    expect(problemsOf(acme, create({ colour: 'red' }))).toEqual([
      `The provider ${name}: colour is not an option of this provider.`,
    ])
    expect(problemsOf(acme, create({}))).toEqual([])
  })

  it('rejects a deployment in which Passkey() is the only provider', async () => {
    expect(await settingProblemsOf(Passkey(), {})).toEqual([
      expect.stringContaining('Passkey() is the only provider'),
    ])
  })
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

    expect(await settingProblemsOf(MicrosoftEntraId(credentials), {})).toEqual([
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
      ['The provider acme lacks token. Set the addresses of these endpoints, or wellKnown.'],
    )
  })
})
