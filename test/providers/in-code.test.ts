import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { clockTolerance } from 'oauth4webapi'
import { describe, expect, it, vi } from 'vitest'
import type { SignInCallbackInput } from '../../src/core/config/callbacks.ts'
import type { UpstreamAccount } from '../../src/core/users/upstream-account.ts'
import type {
  OAuth2Config,
  OIDCProfile,
  ReturnedTokens,
} from '../../src/provider-interface/oauth-types.ts'
import type { AppProvider, OAuthUserConfig, Provider } from '../../src/provider-interface/types.ts'
import { GitLab, Oidc, Spotify, TikTok } from '../../src/providers/index.ts'
import type { TiktokProfile } from '../../src/providers/tiktok/tiktok.ts'
import { createVestibule } from '../../src/vestibule.ts'
import {
  Browser,
  LOGIN,
  lastLogEntry,
  serviceOf,
  standIn,
  USER_INFO_PATH,
  WITHOUT_TIKTOK,
} from '../browser.ts'
import { RelyingApp } from '../core/oidc/relying-app.ts'
import keys from '../core/oidc/signing-keys.json'
import { configReaderWith } from '../deployment.ts'
import { hangingCall } from '../hanging-call.ts'
import { errorCode } from '../html.ts'
import { redirectUrl } from '../redirect.ts'
import { userObject, usersWith } from '../storage.ts'
import {
  acme,
  browserFor,
  company,
  GIT,
  GIT_ACCOUNT,
  type GitProfile,
  HOSTILE,
  linking,
  result,
  signInAtGit,
  signInAtHostile,
  signInWithBoth,
  start,
  storedAccount,
  TIKTOK_SETTINGS,
} from './providers-in-code.ts'
import { walkThrough } from './walk-through.ts'

describe('a provider in code', () => {
  it('is a configuration', async () => {
    expect(await signInAtGit(browserFor(acme), 'acme')).toMatchObject({
      status: 302,
      session: { user: { name: 'Gitta Lab' } },
    })
  })

  it('is a function that returns a configuration', async () => {
    expect(
      await signInAtGit(
        browserFor(() => acme),
        'acme',
      ),
    ).toMatchObject({ status: 302 })
  })

  it('is a provider of the catalogue without options, with its credentials in settings', async () => {
    const browser = browserFor(GitLab, {
      AUTH_GITLAB_ID: 'git-client',
      AUTH_GITLAB_SECRET: 'git-secret-7Hk2',
      AUTH_GITLAB_ISSUER: GIT,
    })

    expect(await signInAtGit(browser, 'gitlab')).toMatchObject({
      session: { user: { username: 'gitta' } },
    })
  })

  it('is a provider of the catalogue with options, and needs no settings', async () => {
    const browser = browserFor(
      GitLab({
        id: 'our-git',
        name: 'Our Git',
        issuer: GIT,
        clientId: 'git-client',
        clientSecret: 'git-secret-7Hk2',
      }),
    )

    expect(await signInAtGit(browser, 'our-git')).toMatchObject({
      session: { user: { username: 'gitta' } },
    })
  })

  it('can be one of several of the same kind: three issuers have three kinds of accounts', async () => {
    const browser = browserFor(
      [
        Oidc({ id: 'first', name: 'First', issuer: `${HOSTILE}/plain` }),
        Oidc({ id: 'second', name: 'Second', issuer: `${HOSTILE}/one-key` }),
        Oidc({ id: 'third', name: 'Third', issuer: `${HOSTILE}/other-origins` }),
      ].map((config) => ({ ...config, clientId: 'our-client', clientSecret: 'our-secret-Kq7vR2' })),
    )

    const page = await (await browser.get('/api/auth/signin')).text()
    const users = []
    for (const id of ['first', 'second', 'third']) {
      browser.cookies.clear()
      users.push((await signInAtHostile(browser, id)).session?.user.id)
    }

    for (const name of ['First', 'Second', 'Third']) expect(page).toContain(`Sign in with ${name}`)
    expect(users).toEqual(Array(3).fill(expect.stringMatching(/^usr_/)))
    expect(new Set(users).size).toBe(3)
  })

  it('has its credentials, name, scope and issuer replaced by settings', async () => {
    const provider = {
      ...company,
      clientId: 'in-code',
      clientSecret: 'in-code',
      isSelfHosted: true,
    }
    const browser = browserFor(provider, {
      AUTH_COMPANY_ID: 'our-client',
      AUTH_COMPANY_SECRET: 'our-secret-Kq7vR2',
      AUTH_COMPANY_NAME: 'From settings',
      AUTH_COMPANY_SCOPE: 'openid',
      AUTH_COMPANY_ISSUER: `${HOSTILE}/other-origins`,
    })

    const { origin, searchParams } = await start(browser, 'company')

    expect(origin).toBe('https://api.hostile.example')
    expect(searchParams.get('client_id')).toBe('our-client')
    expect(searchParams.get('scope')).toBe('openid')
    expect(await browser.json('/api/auth/providers')).toMatchObject({
      company: { name: 'From settings' },
    })
  })

  it('leaves an option that is undefined at its default', async () => {
    const provider = {
      ...TikTok({ name: undefined, checks: undefined } as object),
      authorization: undefined,
    } as unknown as Provider
    const options = { ...acme, checks: undefined, style: undefined } as unknown as Provider

    expect(() => createVestibule({ providers: [provider] })).toThrow('lacks authorization')
    expect(await signInAtGit(browserFor(options), 'acme')).toMatchObject({ status: 302 })
  })
})

describe('the id of a provider', () => {
  it.each(['Acme', 'a.b', 'a~b', 'a_b', '0', 'a'.repeat(64)])(
    '[S9] may be %s: a sign-in works, and its button has its colour',
    async (id) => {
      const browser = browserFor({ ...acme, id, style: { brandColor: '#663399' } })

      const page = await (await browser.get('/api/auth/signin')).text()

      const selector = `.brand-${id.replaceAll(/[.~]/g, '\\$&')}`
      expect(page).toContain(`${selector}{background:#663399;color:#ffffff}`)
      expect(page).toContain(`class="brand-${id}"`)
      expect(await signInAtGit(browser, id)).toMatchObject({ status: 302 })
    },
  )
})

describe('GET /api/auth/providers', () => {
  it('describes a provider in code by id, name, type, signinUrl and callbackUrl', async () => {
    const browser = browserFor([acme, company])

    expect(await browser.json<Record<string, AppProvider>>('/api/auth/providers')).toEqual({
      acme: {
        id: 'acme',
        name: 'Acme',
        type: 'oauth',
        signinUrl: `${LOGIN}/api/auth/signin/acme`,
        callbackUrl: `${LOGIN}/api/auth/callback/acme`,
      },
      company: {
        id: 'company',
        name: 'Our company',
        type: 'oidc',
        signinUrl: `${LOGIN}/api/auth/signin/company`,
        callbackUrl: `${LOGIN}/api/auth/callback/company`,
      },
    })
  })
})

describe('the option client', () => {
  const SECRET = 'our-secret-Kq7vR2-of-32-bytes-or-more'
  const PRIVATE_KEY = JSON.stringify(keys.signer)

  const certified = (method: string, clientSecret?: string) => ({
    id: method,
    name: 'The certified provider',
    type: 'oidc' as const,
    issuer: 'https://op.example',
    jwks_endpoint: undefined,
    clientId: method,
    ...(clientSecret && { clientSecret }),
    checks: ['pkce', 'nonce'] as const,
    client: { token_endpoint_auth_method: method },
  })

  it.each([
    ['client_secret_post', SECRET],
    ['client_secret_basic', SECRET],
    ['client_secret_jwt', SECRET],
    ['private_key_jwt', PRIVATE_KEY],
    ['none', undefined],
  ])('authenticates by %s at a certified OpenID Provider', async (method, secret) => {
    const browser = browserFor(certified(method, secret))

    const callback = await walkThrough(await start(browser, method), 'alice')

    expect(await result(browser, await browser.get(callback))).toMatchObject({
      status: 302,
      session: { user: { name: 'Alice Park' } },
    })
  })

  it('authenticates by private_key_jwt with the key in AUTH_<ID>_SECRET', async () => {
    const browser = browserFor(certified('private_key_jwt'), {
      AUTH_PRIVATE_KEY_JWT_SECRET: PRIVATE_KEY,
    })

    const callback = await walkThrough(await start(browser, 'private_key_jwt'), 'alice')

    expect((await browser.get(callback)).status).toBe(302)
  })

  it('does not authenticate with another key or secret', async () => {
    const { privateKey } = (await crypto.subtle.generateKey(
      { name: 'ECDSA', namedCurve: 'P-256' },
      true,
      ['sign', 'verify'],
    )) as CryptoKeyPair
    const otherKey = JSON.stringify(await crypto.subtle.exportKey('jwk', privateKey))
    for (const [method, secret] of [
      ['private_key_jwt', otherKey],
      ['client_secret_basic', 'another-secret'],
    ] as const) {
      const browser = browserFor(certified(method, secret))
      const callback = await walkThrough(await start(browser, method), 'alice')

      expect(await result(browser, await browser.get(callback))).toMatchObject({
        status: 502,
        code: 'provider_refused',
        session: null,
      })
    }
  })

  it('reports a private key that cannot be imported as a bug of the configuration', async () => {
    const invalid = JSON.stringify({ ...keys.signer, x: keys.signer.y })
    const browser = browserFor(certified('private_key_jwt', invalid))

    const callback = await walkThrough(await start(browser, 'private_key_jwt'), 'alice')

    expect(await result(browser, await browser.get(callback))).toMatchObject({
      status: 500,
      code: 'provider_misconfigured',
    })
    expect(lastLogEntry('provider_misconfigured').hint).toBe(
      'The client secret is not a valid private key.',
    )
  })

  it.each([undefined, 'client_secret_post'])(
    "authenticates with TikTok's client_key if token_endpoint_auth_method is %s",
    async (method) => {
      const client = method === undefined ? {} : { token_endpoint_auth_method: method }
      const browser = browserFor(TikTok({ client }), TIKTOK_SETTINGS)

      expect((await browser.signIn('mia')).status).toBe(302)
    },
  )

  it.each([
    ['the first', { clientSecret: SECRET, otherClientSecret: 'the-next-secret' }],
    ['the second', { clientSecret: 'the-former-secret', otherClientSecret: SECRET }],
  ])('accepts an ID token that is signed with %s of two client secrets', async (_, secrets) => {
    const browser = browserFor({
      ...certified('signed-with-secret'),
      ...secrets,
      client: { id_token_signed_response_alg: 'HS256' },
    })

    const callback = await walkThrough(await start(browser, 'signed-with-secret'), 'alice')

    expect(await result(browser, await browser.get(callback))).toMatchObject({
      status: 302,
      session: { user: { name: 'Alice Park' } },
    })
  })

  it('passes other metadata to oauth4webapi, such as id_token_signed_response_alg', async () => {
    const browser = browserFor({ ...company, client: { id_token_signed_response_alg: 'ES256' } })

    expect(await signInAtHostile(browser, 'company')).toMatchObject({ code: 'provider_invalid' })
  })
})

describe('the option profile', () => {
  it('returns additional fields, which are stored with the account', async () => {
    const plan = { name: 'gold', seats: [1, 2], trial: null }
    const browser = browserFor({
      ...acme,
      profile: ({ id, name }) => ({ id: String(id), name, staff: true, plan, none: undefined }),
    })

    const { session } = await signInAtGit(browser, 'acme')

    const account = await storedAccount(session?.user.id, `acme ${GIT_ACCOUNT}`)
    expect(JSON.parse(account?.profileFields ?? '')).toEqual({ staff: true, plan })
    expect(account?.extras).toEqual({})
    expect(session?.user).not.toHaveProperty('staff')
  })

  it('may be asynchronous, and receives the profile and the tokens', async () => {
    const browser = browserFor({
      ...acme,
      profile: async ({ username }, { access_token }) => ({
        id: 'async',
        name: `${username} ${access_token}`,
      }),
    })

    expect(await signInAtGit(browser, 'acme')).toMatchObject({
      session: { user: { name: 'gitta git-access' } },
    })
  })

  it('is the standard claims of OpenID Connect by default', async () => {
    expect(await signInAtHostile(browserFor(company), 'company')).toMatchObject({
      session: { user: { name: 'Pat Example', email: 'pat@mail.example' } },
    })
  })

  const cyclic: Record<string, unknown> = {}
  cyclic['self'] = cyclic

  it.each([
    [{ id: '' }, 'no id'],
    [{ id: null }, 'no id'],
    [{ id: 'undefined' }, 'no id'],
    [{ id: 'null' }, 'no id'],
    [{ id: 'NaN' }, 'no id'],
    [{ id: '[object Object]' }, 'no id'],
    [{ id: Number.NaN }, 'no id'],
    [{ id: 1.5 }, 'no id'],
    [{ id: { id: 1 } }, 'no id'],
    [{ id: 2 ** 53 }, 'no id'],
    [{ name: 42 }, 'a value for name that is not text'],
    [{ username: {} }, 'a value for username that is not text'],
    [{ image: false }, 'a value for image that is not text'],
    [{ email: ['a@mail.example'] }, 'a value for email that is not text'],
    [{ emailVerified: 'yes' }, 'a value for emailVerified that is not true or false'],
    [
      { extras: { a: {} } },
      'a value for extras that is not an object of texts, numbers and booleans',
    ],
    [{ since: new Date() }, 'a value for since that is not JSON'],
    [{ big: 1n }, 'a value for big that is not JSON'],
    [{ call: () => 1 }, 'a value for call that is not JSON'],
    [{ count: Number.NaN }, 'a value for count that is not JSON'],
    [{ cyclic }, 'a value for cyclic that is not JSON'],
    [{ 'not a name': 1n }, 'a value for a field that is not JSON'],
    [{ text: 'x'.repeat(4096) }, 'more than 4096 bytes of additional fields'],
    [{ text: 'é'.repeat(2048) }, 'more than 4096 bytes of additional fields'],
  ])('[P12] cannot return %o: the sign-in fails with provider_invalid', async (fields, problem) => {
    const profile = () => ({ id: 'user', ...fields }) as { id: string }
    const browser = browserFor({ ...acme, profile })

    expect(await signInAtGit(browser, 'acme')).toMatchObject({
      status: 502,
      code: 'provider_invalid',
      session: null,
    })
    expect(lastLogEntry('provider_invalid')).toMatchObject({
      event: 'signin_failed',
      provider: 'acme',
      hint: `The profile callback returned ${problem}.`,
    })
  })

  it('[P12] cannot return nothing', async () => {
    const browser = browserFor({ ...acme, profile: () => undefined as never })

    expect(await signInAtGit(browser, 'acme')).toMatchObject({ code: 'provider_invalid' })
  })

  it('may return null for a value that is absent', async () => {
    const profile = () => ({ id: 'no-values', name: null, email: null, image: null })

    const { session } = await signInAtGit(browserFor({ ...acme, profile }), 'acme')

    expect(Object.keys(session?.user ?? {})).toEqual(['id'])
  })

  it('[P12] of a built-in provider drops a value of the wrong type, unless the deployment replaces it', async () => {
    const credentials = { clientId: 'our-client', clientSecret: 'our-secret-Kq7vR2' }
    const builtIn = Oidc({ ...credentials, issuer: `${HOSTILE}/plain` })
    const replaced = { ...builtIn, profile: ({ sub, name }: OIDCProfile) => ({ id: sub, name }) }

    const dropped = await signInAtHostile(browserFor(builtIn), 'oidc', 'name-number')
    const rejected = await signInAtHostile(browserFor(replaced), 'oidc', 'name-number')

    expect(dropped).toMatchObject({ status: 302 })
    expect(dropped.session?.user).not.toHaveProperty('name')
    expect(rejected).toMatchObject({ status: 502, code: 'provider_invalid', session: null })
  })

  it.each([
    ['throws', () => ({ id: (undefined as unknown as GitProfile).name })],
    [
      'rejects',
      async () => {
        throw new TypeError('no such plan')
      },
    ],
  ])('that %s is logged as a bug of the configuration with its stack', async (_, profile) => {
    const browser = browserFor({ ...acme, profile })
    const approved = await fetch(await start(browser, 'acme'), { redirect: 'manual' })

    const response = await browser.get(redirectUrl(approved).href)

    const page = await response.text()
    expect(response.status).toBe(500)
    expect(page).toContain('<dd>provider_misconfigured</dd>')
    expect(page).toContain('This sign-in option does not work')
    expect(page).not.toContain('Try again')
    expect(page).not.toContain('in-code.test')
    expect(lastLogEntry('profile_callback_failed')).toMatchObject({
      event: 'profile_callback_failed',
      code: 'provider_misconfigured',
      provider: 'acme',
      cause: expect.stringMatching(/^TypeError: .*\n\s+at .*in-code\.test/s),
    })
    expect(await browser.session()).toBeNull()
  })
})

describe('a bug in a function of a provider', () => {
  const bug = () => {
    throw new TypeError('no such plan')
  }
  const rejection = async () => bug()

  it.each<[string, Partial<OAuth2Config<GitProfile>>]>([
    ['token.request', { token: { url: `${GIT}/oauth/token`, request: bug } }],
    ['token.request', { token: { url: `${GIT}/oauth/token`, request: rejection } }],
    ['token.normalizeResponse', { token: { url: `${GIT}/oauth/token`, normalizeResponse: bug } }],
    ['userinfo.request', { userinfo: { url: `${GIT}/api/v4/user`, request: bug } }],
    ['userinfo.request', { userinfo: { url: `${GIT}/api/v4/user`, request: rejection } }],
    [
      'userinfo.normalizeResponse',
      { userinfo: { url: `${GIT}/api/v4/user`, normalizeResponse: rejection } },
    ],
    ['customFetch', { customFetch: bug }],
    ['customFetch', { customFetch: () => rejection }],
    ['fetch', { fetch: bug }],
    ['fetch', { fetch: rejection }],
    ['clientAuth', { clientAuth: bug }],
    ['clientAuth', { clientAuth: () => rejection }],
    ['accountIdFromTokens', { accountIdFromTokens: bug }],
    ['profile', { profile: bug }],
  ])('is a bug of the configuration with its stack in the log: %s', async (name, functions) => {
    expect(await signInAtGit(browserFor({ ...acme, ...functions }), 'acme')).toMatchObject({
      status: 500,
      code: 'provider_misconfigured',
      session: null,
    })
    expect(lastLogEntry('callback_failed')).toMatchObject({
      code: 'provider_misconfigured',
      provider: 'acme',
      hint: `${name} failed.`,
      cause: expect.stringMatching(/^TypeError: no such plan\n\s+at .*in-code\.test/s),
    })
  })

  it.each<[string, string, Partial<OAuth2Config<GitProfile>>]>([
    ['fetch', 'Response', { fetch: (() => undefined) as never }],
    ['fetch', 'Response', { fetch: (async () => undefined) as never }],
    ['customFetch', 'Response', { customFetch: () => (async () => undefined) as never }],
    ['token.request', 'access_token', { token: { request: () => ({ tokens: {} }) } }],
    [
      'token.request',
      'access_token',
      { token: { request: () => ({ tokens: { access_token: '' } }) } },
    ],
    [
      'token.request',
      'token_type',
      { token: { request: () => ({ tokens: { access_token: 'a', token_type: 'mac' } }) } },
    ],
    [
      'token.request',
      'refresh_token',
      { token: { request: () => ({ tokens: { access_token: 'a', refresh_token: 1 as never } }) } },
    ],
    [
      'token.request',
      'expires_in',
      { token: { request: () => ({ tokens: { access_token: 'a', expires_in: Number.NaN } }) } },
    ],
  ])('is named if it returns no valid value: %s, %s', async (name, value, functions) => {
    expect(await signInAtGit(browserFor({ ...acme, ...functions }), 'acme')).toMatchObject({
      status: 500,
      code: 'provider_misconfigured',
    })
    expect(lastLogEntry('callback_failed')).toMatchObject({
      hint: `${name} failed.`,
      cause: expect.stringMatching(new RegExp(`^TypeError: It returned no (valid )?${value}\\.`)),
    })
  })

  it.each([undefined, null, {}, { tokens: null }, { tokens: undefined }])(
    'is named if token.request returns %j',
    async (returned) => {
      const token = { request: () => returned as never }

      expect(await signInAtGit(browserFor({ ...acme, token }), 'acme')).toMatchObject({
        code: 'provider_misconfigured',
      })
      expect(lastLogEntry('callback_failed').hint).toBe('token.request failed.')
    },
  )

  it('is named if token.request of an OpenID Connect provider returns no id_token', async () => {
    const token = { request: () => ({ tokens: { access_token: 'a' } }) }

    expect(await signInAtHostile(browserFor({ ...company, token }), 'company')).toMatchObject({
      code: 'provider_misconfigured',
    })
    expect(lastLogEntry('callback_failed').hint).toBe('token.request failed.')
  })

  it('in customFetch is not mistaken for a discovery document that is not available', async () => {
    const browser = browserFor({ ...company, issuer: `${HOSTILE}/bug`, customFetch: () => bug })

    const response = await browser.get('/api/auth/signin/company', {
      'Sec-Fetch-Site': 'same-origin',
      'Sec-Fetch-Mode': 'navigate',
    })

    expect(await errorCode(response)).toBe('provider_misconfigured')
  })

  it.each<[string, number, Partial<OAuth2Config<GitProfile>>]>([
    [
      'provider_unavailable',
      503,
      {
        userinfo: {
          async request({ fetch }) {
            const response = await fetch(`${GIT}/no-such-path`)
            throw new Error('It failed.', { cause: new Response(response.body, { status: 503 }) })
          },
        },
      },
    ],
    [
      'provider_invalid',
      502,
      {
        userinfo: {
          request: async () => new Response('<title>Maintenance</title>').json(),
        },
      },
    ],
  ])('is not a response of the provider: %s', async (code, status, functions) => {
    expect(await signInAtGit(browserFor({ ...acme, ...functions }), 'acme')).toMatchObject({
      status,
      code,
    })
  })
})

describe('a function of a provider that never returns', () => {
  type Never = () => Promise<never>

  it.each([
    ['profile', (never: Never) => ({ profile: never })],
    [
      'profile',
      (never: Never) => ({
        profile() {
          void never()
          // Promises of other libraries are objects with a method `then`.
          // biome-ignore lint/suspicious/noThenProperty: that is what is tested.
          return { then() {} }
        },
      }),
    ],
    ['userinfo.request', (request: Never) => ({ userinfo: { url: acme.userinfo, request } })],
    ['token.request', (request: Never) => ({ token: { url: acme.token, request } })],
  ])('[P4] ends the sign-in after 15 seconds: %s', async (name, functions) => {
    const { call, endsAfter } = hangingCall()
    const browser = browserFor({ ...acme, ...functions(call) } as typeof acme)
    const approved = await fetch(await start(browser, 'acme'), { redirect: 'manual' })

    const response = await endsAfter(15_000, () => browser.get(redirectUrl(approved).href))

    expect(response.status).toBe(503)
    expect(lastLogEntry('took longer')).toMatchObject({
      code: 'provider_unavailable',
      hint: `${name} took longer than 15 seconds.`,
    })
  })
})

describe('an email address in a profile', () => {
  it('[S2] links accounts if allowDangerousEmailAccountLinking is set and both providers verified it', async () => {
    const [one, two] = await signInWithBoth(linking('both@mail.example', () => true))

    expect(one).toMatchObject({ email: 'both@mail.example' })
    expect(two?.id).toBe(one?.id)
  })

  it.each([
    ['the first provider', (id: string) => (id === 'one' ? undefined : true)],
    ['the second provider', (id: string) => (id === 'two' ? undefined : true)],
    ['either provider', () => undefined],
    ['the second provider, which says so', (id: string) => id === 'one'],
  ])('[S2] is not used for linking without emailVerified of %s', async (who, isVerified) => {
    const email = `${who.length}-${isVerified.length}@mail.example`

    const [one, two] = await signInWithBoth(linking(email, isVerified))

    expect(one?.id).toMatch(/^usr_/)
    expect(two?.id).not.toBe(one?.id)
  })

  it.each(['one', 'two'])(
    '[S2] does not link accounts if only provider %s allows it',
    async (allowed) => {
      const hasFlag = (id: string) => id === allowed
      const email = `only-${allowed}@mail.example`

      const [one, two] = await signInWithBoth(linking(email, () => true, { hasFlag }))

      expect(two).toMatchObject({ email })
      expect(two?.id).not.toBe(one?.id)
    },
  )

  it.each([
    ['Boss@MAIL.example', 'Boss@mail.example'],
    ['boss@m\u00fcnchen.example', 'boss@xn--mnchen-3ya.example'],
    ['not an address', undefined],
  ])('[S5] %s is passed to callbacks.signIn as it is stored', async (email, stored) => {
    const signIn = vi.fn((_: SignInCallbackInput) => true)
    const profile = () => ({ id: `callback ${email}`, email, emailVerified: true })
    const vestibule = createVestibule({
      providers: [{ ...acme, profile }],
      callbacks: { signIn },
    })

    const { session } = await signInAtGit(new Browser(serviceOf(vestibule, WITHOUT_TIKTOK)), 'acme')

    expect(session?.user.email).toBe(stored)
    const user = signIn.mock.lastCall?.[0].user
    expect(user?.email).toBe(stored)
    expect(user?.emailVerified).toBe(stored !== undefined)
  })

  it('[S2] does not link accounts by default', async () => {
    const profile = () => ({ id: 'd', email: 'default@mail.example', emailVerified: true })
    const browser = browserFor(['one', 'two'].map((id) => ({ ...acme, id, profile })))

    const [one, two] = await signInWithBoth(browser)

    expect(two?.id).not.toBe(one?.id)
  })

  it('[S3] without emailVerified is stored as unverified, and is neither in the session nor in a claim', async () => {
    const profile = () => ({ id: 'unverified', email: 'Someone@Mail.example' })
    const browser = browserFor({ ...acme, profile })

    const { session } = await signInAtGit(browser, 'acme')

    const account = await storedAccount(session?.user.id, `acme ${GIT} unverified`)
    expect(account?.unverifiedEmail).toBe('Someone@mail.example')
    expect(session?.user).not.toHaveProperty('email')
    const tokens = await new RelyingApp('web').tokens(browser, { scope: 'openid email' })
    expect(tokens.claims()).not.toHaveProperty('email')
  })

  it('with emailVerified is not stored as unverified', async () => {
    const { session } = await signInAtHostile(browserFor(company), 'company')

    const key = `company ${HOSTILE}/plain user-1`
    expect((await storedAccount(session?.user.id, key))?.unverifiedEmail).toBeUndefined()
    expect(session?.user.email).toBe('pat@mail.example')
  })
})

describe('the issuer of an OAuth 2 provider', () => {
  it('[S1] is the same with a slash at its end: the account is that of the same user', async () => {
    const { session: first } = await signInAtGit(browserFor(acme), 'acme')
    const { session } = await signInAtGit(browserFor({ ...acme, issuer: `${GIT}/` }), 'acme')

    expect(session?.user.id).toBe(first?.user.id)
  })
})

describe('the option style', () => {
  async function signInPage(style: OAuth2Config<GitProfile>['style'] = {}) {
    const response = await browserFor({ ...acme, style }).get('/api/auth/signin')
    const policy = response.headers.get('Content-Security-Policy') ?? ''
    return { page: await response.text(), policy }
  }

  it.each([
    [{ brandColor: '#7a1f4b' }, '#7a1f4b', '#ffffff'],
    [{ brandColor: '#fd0' }, '#ffdd00', '#000000'],
    [{ bg: '#112233', text: '#ddeeff' }, '#112233', '#ddeeff'],
    [{ bg: '#000080' }, '#000080', '#ffffff'],
  ])('%o colours the button %s with text in %s', async (style, background, color) => {
    const { page } = await signInPage(style)

    expect(page).toContain(`.brand-acme{background:${background};color:${color}}`)
  })

  it('[M1] logo may be an https address, whose origin alone is added to img-src', async () => {
    const logo = 'https://cdn.acme.example:8443/logo.svg?a=1&b=2'

    const { page, policy } = await signInPage({ logo })

    expect(page).toContain('<img src="https://cdn.acme.example:8443/logo.svg?a=1&amp;b=2" alt=""')
    expect(policy).toContain('; img-src data: https://cdn.acme.example:8443; ')
  })

  it('[M1] logo on another page adds nothing to img-src', async () => {
    const browser = browserFor({ ...acme, style: { logo: 'https://cdn.acme.example/logo.svg' } })

    const { headers } = await browser.get('/api/auth/signout')

    expect(headers.get('Content-Security-Policy')).toContain('; img-src data:; ')
  })

  it('[M1] logo may be a data address, which adds nothing to img-src', async () => {
    const { page, policy } = await signInPage({ logo: 'data:image/png;base64,AAAA' })

    expect(page).toContain('<img src="data:image/png;base64,AAAA" alt=""')
    expect(policy).toContain('; img-src data:; ')
  })

  it.each([
    ['https://cdn.acme.example/logo.svg?a=1&b=2', 'https://cdn.acme.example/logo.svg?a=1&amp;b=2'],
    ['data:image/png;base64,AAAA', 'data:image/png;base64,AAAA'],
    ['data:image/svg+xml,">&<b>', 'data:image/svg+xml,&quot;&gt;&amp;&lt;b&gt;'],
  ])(
    '[M1] logo is on the account page, in the colour of the provider: %s',
    async (logo, address) => {
      const browser = browserFor({ ...acme, style: { logo, brandColor: '#ffd700' } })
      await signInAtGit(browser, 'acme')

      const response = await browser.get('/account')

      const page = await response.text()
      expect(page).toContain('.brand-acme{background:#ffd700;color:#000000}')
      expect(page).toContain(`<span class="mark brand-acme"><img src="${address}" alt=""`)
      expect(page).not.toContain('<b>')
      const origin = logo.startsWith('https:') ? ' https://cdn.acme.example' : ''
      expect(response.headers.get('Content-Security-Policy')).toContain(`img-src data:${origin}`)
    },
  )

  it('logo is shown for each of many providers, on the sign-in page and to link an account', async () => {
    const logo = 'https://cdn.acme.example/logo.svg'
    const ids = Array.from({ length: 30 }, (_, index) => `acme${index}`)
    const providers = ids.map((id) => ({ ...acme, id, name: id, style: { logo, bg: '#000080' } }))
    const browser = browserFor(providers)

    const page = await (await browser.get('/api/auth/signin')).text()
    await signInAtGit(browser, 'acme9', '?prompt=login')
    const account = await (await browser.get('/account')).text()
    const linkPage = await (await browser.get('/account/link')).text()

    for (const shown of [page, linkPage]) {
      expect(shown.match(/<img /g)).toHaveLength(30)
      expect(ids.filter((id) => !shown.includes(`<span class="mark brand-${id}">`))).toEqual([])
    }
    // The account that the user has is listed with its logo.
    expect(ids.filter((id) => account.includes(`<span class="mark brand-${id}">`))).toEqual([
      'acme9',
    ])
  })

  it.each([
    ['en', 'Sign in with Acme'],
    ['es', 'Iniciar sesión con Acme'],
  ])(
    'does not change the text of the button, which has the name of the provider: %s',
    async (language, text) => {
      const response = await browserFor(acme).get('/api/auth/signin', {
        'Accept-Language': language,
      })

      expect(await response.text()).toContain(`${text}</a>`)
    },
  )
})

describe('the endpoints of a provider in code', () => {
  it('wellKnown is the address of a discovery document, which names the issuer', async () => {
    const { issuer: _, ...config } = company
    const wellKnown = `${HOSTILE}/other-origins/.well-known/openid-configuration`
    const { session } = await signInAtHostile(browserFor({ ...config, wellKnown }), 'company')

    expect(session?.user.name).toBe('Pat Example')
    const key = `company ${HOSTILE}/other-origins user-1`
    expect(await storedAccount(session?.user.id, key)).toBeDefined()
  })

  it('[K22] wellKnown of another issuer than the configured one is rejected', async () => {
    const wellKnown = `${HOSTILE}/one-key/.well-known/openid-configuration`

    const response = await browserFor({ ...company, wellKnown }).get('/api/auth/signin/company')

    expect(response.status).toBe(502)
  })

  it('wellKnown replaces the endpoints of an OAuth 2 provider, too', async () => {
    const { profile, authorization, token, userinfo, issuer, ...config } = acme
    const wellKnown = `${HOSTILE}/plain/.well-known/openid-configuration`
    const provider = {
      ...config,
      clientId: 'our-client',
      wellKnown,
      profile: (claims: unknown) => ({ id: 'x', name: (claims as OIDCProfile).name ?? '' }),
    }

    // The ID token is not requested, and not read.
    expect(await signInAtHostile(browserFor(provider), 'acme', 'no-id-token')).toMatchObject({
      session: { user: { name: 'From Userinfo' } },
    })
  })

  it('issuer is the issuer that the callback and the ID token must name', async () => {
    const browser = browserFor(company)
    const { searchParams } = await start(browser, 'company')
    const query = new URLSearchParams({
      code: '{}',
      state: searchParams.get('state') ?? '',
      iss: 'https://evil.example',
    })

    const response = await browser.get(`/api/auth/callback/company?${query}`)

    expect(await errorCode(response)).toBe('provider_invalid')
    expect(await signInAtHostile(browser, 'company', 'wrong-iss')).toMatchObject({
      code: 'provider_invalid',
    })
  })

  it('jwks_endpoint replaces the discovered address of the keys', async () => {
    const browser = browserFor({ ...company, jwks_endpoint: `${HOSTILE}/ES384/jwks` })

    expect(await signInAtHostile(browser, 'company')).toMatchObject({ code: 'provider_invalid' })
  })

  it('authorization is an address with parameters', async () => {
    const authorization = `${GIT}/oauth/authorize?audience=x`

    const url = await start(browserFor({ ...acme, authorization }), 'acme')

    expect(url.origin + url.pathname).toBe(`${GIT}/oauth/authorize`)
    expect(url.searchParams.get('audience')).toBe('x')
  })

  it('authorization is an object with an address and parameters', async () => {
    const authorization = { url: `${GIT}/oauth/authorize`, params: { scope: 'read_user' } }
    const browser = browserFor({ ...acme, authorization })

    const url = await start(browser, 'acme')

    expect(url.searchParams.get('scope')).toBe('read_user')
    expect(await signInAtGit(browser, 'acme')).toMatchObject({ status: 302 })
  })

  it('token keeps the query of its URL (RFC 6749 §3.2)', async () => {
    const sent: [string, string][] = []
    const browser = browserFor({
      ...acme,
      token: `${GIT}/oauth/token?tenant=1`,
      customFetch: (fetch) => (url, init) => {
        if (init?.body) sent.push([url, String(init.body)])
        return fetch(url, init)
      },
    })

    expect(await signInAtGit(browser, 'acme')).toMatchObject({ status: 302 })
    expect(sent).toEqual([[`${GIT}/oauth/token?tenant=1`, expect.not.stringContaining('tenant')]])
  })

  it.each<ReturnedTokens>([
    { access_token: 'git-access' },
    { access_token: 'git-access', token_type: null, refresh_token: null, scope: '' },
    { access_token: 'git-access', refresh_token: '', expires_in: '60' as never, id_token: '' },
    { access_token: 'git-access', token_type: 'Bearer', expires_at: 4_000_000_000 },
  ])('token.request may return %j', async (tokens) => {
    const token = { request: () => ({ tokens }) }

    expect(await signInAtGit(browserFor({ ...acme, token }), 'acme')).toMatchObject({
      status: 302,
      session: { user: { name: 'Gitta Lab' } },
    })
  })

  it.each([
    [{ code: 'scope_not_authorized', message: 'x' }, { code: 'provider_refused' }],
    [{}, { code: 'provider_refused' }],
    ['invalid_grant', { code: 'code_expired' }],
    [{ code: 'ok', message: '' }, { status: 302 }],
    [null, { status: 302 }],
  ])('a token response with tokens and the error %j', async (error, expected) => {
    const normalizeResponse = async (response: Response) =>
      Response.json({ ...(await response.json<object>()), error })
    const token = { url: `${GIT}/oauth/token`, normalizeResponse }

    expect(await signInAtGit(browserFor({ ...acme, token }), 'acme')).toMatchObject(expected)
  })

  it('token.request may return the error that the provider sent', async () => {
    const token = { request: () => ({ tokens: { error: 'invalid_grant' } }) }

    expect(await signInAtGit(browserFor({ ...acme, token }), 'acme')).toMatchObject({
      code: 'code_expired',
    })
  })

  it('token.normalizeResponse corrects the response, also that of token.request', async () => {
    const normalizeResponse = async (response: Response) =>
      Response.json({ ...(await response.json<object>()), token_type: 'bearer' })
    const token = { normalizeResponse }
    const viaHandler = {
      normalizeResponse,
      async request({
        url,
        params,
        fetch,
      }: {
        url: string
        params: Record<string, string>
        fetch: typeof globalThis.fetch
      }) {
        const response = await fetch(url, { method: 'POST', body: new URLSearchParams(params) })
        return { tokens: await response.json<object>() }
      },
    }
    const fault = 'unsupported-token-type'

    for (const endpoint of [token, viaHandler])
      expect(
        await signInAtHostile(
          browserFor({ ...company, token: endpoint as never }),
          'company',
          fault,
        ),
      ).toMatchObject({ status: 302 })
    expect(await signInAtHostile(browserFor(company), 'company', fault)).toMatchObject({
      code: 'provider_invalid',
    })
  })

  it('userinfo.request sends the profile request, with the tokens', async () => {
    const browser = browserFor({
      ...acme,
      userinfo: {
        url: `${GIT}/api/v4/user`,
        params: { fields: 'all' },
        async request({ url, params, tokens, fetch }) {
          const headers = { Authorization: `Bearer ${tokens.access_token}` }
          const response = await fetch(`${url}?${new URLSearchParams(params)}`, { headers })
          const profile = await response.json<GitProfile>()
          return { ...profile, name: `${profile.name}, ${params['fields']}` }
        },
      },
    })

    expect(await signInAtGit(browser, 'acme')).toMatchObject({
      session: { user: { name: 'Gitta Lab, all' } },
    })
  })

  it('userinfo.normalizeResponse corrects the profile', async () => {
    const normalizeResponse = () => Response.json({ id: 7, name: 'Corrected' })
    const userinfo = { url: `${GIT}/api/v4/user`, normalizeResponse }

    expect(await signInAtGit(browserFor({ ...acme, userinfo }), 'acme')).toMatchObject({
      session: { user: { name: 'Corrected' } },
    })
  })

  it('redirectProxyUrl is where the provider returns to, and adds a state for the proxy', async () => {
    const browser = browserFor(
      { ...acme, redirectProxyUrl: 'https://stable.example/api/auth', checks: ['pkce'] },
      { AUTH_REDIRECT_PROXY_SECRET: 'mX7pQ2rT9vB4nK6wZ1cL8sD3fH5jG0yA' },
    )

    const { searchParams } = await start(browser, 'acme')

    expect(searchParams.get('redirect_uri')).toBe('https://stable.example/api/auth/callback/acme')
    expect(searchParams.get('state')?.length).toBeGreaterThan(100)
  })
})

describe('the option checks', () => {
  it.each([
    [undefined, ['code_challenge']],
    [['pkce'], ['code_challenge']],
    [['state'], []],
    [['none'], []],
    [
      ['pkce', 'nonce'],
      ['code_challenge', 'nonce'],
    ],
    [['nonce'], ['nonce']],
  ] as const)('%j sends %j and always state, and a sign-in succeeds', async (checks, expected) => {
    const { checks: _, ...config } = company
    const browser = browserFor({ ...config, ...(checks && { checks }) })

    const { searchParams } = await start(browser, 'company')

    const sent = ['code_challenge', 'nonce'].filter((name) => searchParams.has(name))
    expect(sent).toEqual(expected)
    expect(searchParams.get('state')).toMatch(/^[\w-]{43}/)
    expect(await signInAtHostile(browser, 'company')).toMatchObject({ status: 302 })
  })

  it('with pkce sends the verifier, which the provider compares with the challenge', async () => {
    expect(await signInAtGit(browserFor({ ...acme, checks: ['pkce'] }), 'acme')).toMatchObject({
      status: 302,
    })
    expect(await signInAtGit(browserFor({ ...acme, checks: ['state'] }), 'acme')).toMatchObject({
      code: 'code_expired',
    })
  })

  it('with nonce rejects an ID token with another one', async () => {
    const browser = browserFor({ ...company, checks: ['nonce'] })

    expect(await signInAtHostile(browser, 'company', 'wrong-nonce')).toMatchObject({
      code: 'provider_invalid',
    })
  })
})

describe('the option idToken', () => {
  it('can be given to a provider of the catalogue', async () => {
    const { issuer, clientId, clientSecret } = company as Required<typeof company>
    const browser = browserFor(Oidc({ issuer, clientId, clientSecret, idToken: false }))

    expect(await signInAtHostile(browser, 'oidc')).toMatchObject({
      session: { user: { name: 'From Userinfo' } },
    })
  })

  it('false reads the profile from the userinfo endpoint, and still requires an ID token', async () => {
    const provider = { ...company, idToken: false }

    expect(await signInAtHostile(browserFor(provider), 'company')).toMatchObject({
      session: { user: { name: 'From Userinfo' } },
    })
    expect(await signInAtHostile(browserFor(provider), 'company', 'no-id-token')).toMatchObject({
      code: 'provider_invalid',
    })
  })

  it('true, the default, reads the profile from the ID token', async () => {
    for (const provider of [company, { ...company, idToken: true }])
      expect(await signInAtHostile(browserFor(provider), 'company')).toMatchObject({
        session: { user: { name: 'Pat Example' } },
      })
  })
})

describe('the standard claims of a profile', () => {
  it('are claims of the scope profile if the provider sends them', async () => {
    const profile = ({ id }: GitProfile) => ({
      id: String(id),
      given_name: 'Gitta',
      family_name: 'Lab',
      middle_name: 'x'.repeat(201),
      nickname: 'git',
      website: 'javascript:alert(1)',
      zoneinfo: 'Europe/Paris',
      locale: 'fr-FR',
      updated_at: 1_700_000_000,
      birthdate: '1990-02-17',
      gender: 'female',
    })
    const provider = { ...acme, profile }
    const users = usersWith({}, configReaderWith({ providers: [provider] }))
    const browser = browserFor(provider, { USERS: users })
    await signInAtGit(browser, 'acme')
    const app = new RelyingApp('web')

    const tokens = await app.tokens(browser, { scope: 'openid profile' })
    const narrow = await app.tokens(browser, { scope: 'openid' })

    const claims = {
      ...{ given_name: 'Gitta', family_name: 'Lab', nickname: 'git' },
      ...{ zoneinfo: 'Europe/Paris', locale: 'fr-FR', updated_at: 1_700_000_000 },
    }
    const userinfo = await app.userinfo(tokens.access_token, tokens.claims()?.sub ?? '')
    for (const issued of [tokens.claims(), userinfo]) {
      expect(issued).toMatchObject(claims)
      for (const name of ['middle_name', 'website', 'birthdate', 'gender']) {
        expect(issued).not.toHaveProperty(name)
      }
    }
    expect(narrow.claims()).not.toHaveProperty('given_name')
  })
})

describe('an option of a provider of the catalogue', () => {
  const gitlab = { id: 'git', issuer: GIT, clientId: 'git-client', clientSecret: 'git-secret-7Hk2' }

  it('style keeps the logo if only the colour changes', async () => {
    const browser = browserFor(GitLab({ ...gitlab, style: { brandColor: '#123456' } }))

    const page = await (await browser.get('/api/auth/signin')).text()

    expect(page).toContain('#123456')
    expect(page).toContain('data:image/svg+xml')
  })

  it.each([
    [{ text: '#eeeeee' }, '#fc6d26', '#000000'],
    [{ text: '#111111' }, '#fc6d26', '#111111'],
    [{ bg: '#123456' }, '#123456', '#ffffff'],
    [{ bg: '#123456', text: '#ddeeff' }, '#123456', '#ddeeff'],
  ])('style %o colours the button %s with text in %s', async (style, background, color) => {
    const browser = browserFor(GitLab({ ...gitlab, style }))

    const page = await (await browser.get('/api/auth/signin')).text()

    expect(page).toContain(`.brand-git{background:${background};color:${color}}`)
  })

  it('client keeps the authentication method if only the tolerance changes', () => {
    const { client } = Spotify({ client: { [clockTolerance]: 60 } })

    expect(client).toEqual({
      token_endpoint_auth_method: 'client_secret_basic',
      [clockTolerance]: 60,
    })
  })
})

describe('the profile of the video platform', () => {
  /**
   * The response of the user info endpoint, as the deployment's own `profile` callback receives it.
   */
  async function readResponse(
    scope: string,
    options: OAuthUserConfig<TiktokProfile> = {},
  ): Promise<TiktokProfile> {
    const provider = TikTok<TiktokProfile>({
      ...options,
      authorization: { params: { scope } },
      profile: (response) => ({ id: response.data.user.open_id, response }),
    })
    const browser = browserFor(provider, TIKTOK_SETTINGS)
    await browser.signIn('mia')
    const userId = (await browser.session())?.user.id
    const accounts = await runInDurableObject(userObject(userId), (_, { storage }) =>
      Array.from(
        storage.kv.list<UpstreamAccount>({ prefix: 'upstream:tiktok' }),
        ([, value]) => value,
      ),
    )
    // Other tests sign in as the same user, without this callback.
    const account = accounts.find(({ profileFields }) => profileFields?.includes('response'))
    if (!account) throw new Error('The account is not stored.')
    return JSON.parse(account.profileFields ?? '').response as TiktokProfile
  }

  it('has every field of the interface that its scopes allow', async () => {
    const { data } = await readResponse('user.info.basic,user.info.profile,user.info.stats')

    expect(data.user).toEqual({
      open_id: expect.any(String),
      union_id: expect.any(String),
      avatar_url: expect.stringMatching(/^https:/),
      avatar_url_100: expect.stringMatching(/^https:/),
      avatar_large_url: expect.stringMatching(/^https:/),
      display_name: 'Mia Lindqvist',
      username: 'mia',
      bio_description: 'Ceramics, slow mornings and one very small dog.',
      profile_deep_link: expect.stringMatching(/^https:/),
      is_verified: true,
      follower_count: 12_840,
      following_count: 312,
      likes_count: 98_211,
      video_count: 147,
    })
  })

  it('has no field that was not requested, and never an email address', async () => {
    const { data } = await readResponse('user.info.basic')

    expect(Object.keys(data.user).toSorted()).toEqual([
      'avatar_large_url',
      'avatar_url',
      'avatar_url_100',
      'display_name',
      'open_id',
      'union_id',
    ])
  })

  it.each<[string, NonNullable<OAuthUserConfig<TiktokProfile>['userinfo']>]>([
    ['params', { params: { fields: 'display_name,union_id,follower_count' } }],
    [
      'a URL',
      'https://open.tiktokapis.com/v2/user/info/?fields=display_name,union_id,follower_count',
    ],
  ])('has the fields of userinfo.params that were granted, and the id: %s', async (_, userinfo) => {
    const { data } = await readResponse('user.info.basic', { userinfo })

    expect(Object.keys(data.user).toSorted()).toEqual(['display_name', 'open_id', 'union_id'])
  })

  it('has everything that the platform sent', async () => {
    const { data, paging } = await readResponse('user.info.basic', {
      userinfo: {
        async normalizeResponse(response) {
          const { data, error } = await response.json<TiktokProfile>()
          const user = { ...data.user, badge: ['gold'] }
          return Response.json({ data: { ...data, user, region: 'SE' }, error, paging: 1 })
        },
      },
    })

    expect(data).toMatchObject({ user: { badge: ['gold'] }, region: 'SE' })
    expect(paging).toBe(1)
  })

  it('has an error object with code, message and log_id, also on success', async () => {
    const { error } = await readResponse('user.info.basic')

    expect(error).toEqual({
      code: 'ok',
      message: expect.any(String),
      log_id: expect.stringMatching(/^\w+$/),
    })
  })
})

describe('a profile callback that returns another id than the video platform', () => {
  const provider = TikTok<TiktokProfile>({
    profile: ({ data: { user } }) => ({ id: `union ${user.union_id}`, name: user.display_name }),
  })
  const newBrowser = () => browserFor(provider, TIKTOK_SETTINGS)

  it('identifies the account by that id', async () => {
    const [first, second] = [newBrowser(), newBrowser()]

    expect((await first.signIn('mia')).status).toBe(302)
    expect((await second.signIn('mia')).status).toBe(302)

    const userId = (await first.session())?.user.id
    expect((await second.session())?.user.id).toBe(userId)
    const { results } = await env.DIRECTORY.prepare(
      'SELECT provider_account_id FROM accounts WHERE user_id = ?',
    )
      .bind(userId)
      .all()
    expect(results).toEqual([{ provider_account_id: expect.stringMatching(/^union ./) }])
  })

  it('[K8] does not replace the check that profile and tokens belong to the same account', async () => {
    const browser = newBrowser()
    await standIn.fault({ path: USER_INFO_PATH, kind: 'open-id-mismatch' })

    expect(await errorCode(await browser.signIn('mia'))).toBe('provider_invalid')
    expect(lastLogEntry('provider_invalid').hint).toBe(
      'The profile and the tokens belong to different accounts.',
    )
    expect(await browser.session()).toBeNull()
  })
})

describe('the provider that was last used', () => {
  it('is the first of the page', async () => {
    const ids = ['acme0', 'acme1', 'acme2']
    const browser = browserFor(ids.map((id) => ({ ...acme, id, name: id })))
    const last = 'acme2'

    await signInAtGit(browser, last)
    await browser.post('/api/auth/signout', {})
    const page = await (await browser.get('/api/auth/signin')).text()

    const buttons = [...page.matchAll(/Sign in with (\w+)</g)].map(([, id]) => id)
    expect(buttons).toEqual([last, 'acme0', 'acme1'])
    expect(page).toMatch(new RegExp(`Sign in with ${last}<span class="badge">`))
  })
})
