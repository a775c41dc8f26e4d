import { env } from 'cloudflare:workers'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import providersPage from '../../docs/providers.md?raw'
import { type AnyProvider, callProvider, settingName } from '../../src/core/config/providers.ts'
import { identifyUser } from '../../src/core/upstream/identify-user.ts'
import {
  type ResolvedProvider,
  resolveProvider,
} from '../../src/core/upstream/resolved-provider.ts'
import type { User } from '../../src/provider-interface/oauth-types.ts'
import type { Provider } from '../../src/provider-interface/types.ts'
import * as catalogue from '../../src/providers/index.ts'
import { createVestibule } from '../../src/vestibule.ts'
import { Browser, LOGIN, serviceOf, WITHOUT_TIKTOK } from '../browser.ts'
import { attempt } from './attempt.ts'
import { FIXTURES } from './fixtures/all.ts'
import { AUTH_JS_USERS } from './fixtures/auth-js.ts'
import { AUTH_JS_CODE, CREDENTIALS, EMAIL, type Fixture } from './fixtures/fixture.ts'

type Create = (options: object) => AnyProvider

/**
 * The installed Auth.js. Its types belong to other runtimes, and are compiled with
 * test/upstream/auth-js-types.ts.
 */
const modules = import.meta.glob<{ default?: Create }>(
  [
    '../../node_modules/@auth/core/providers/*.js',
    // They need a package for Node.
    '!../../node_modules/@auth/core/providers/{email,index,nodemailer}.js',
  ],
  { eager: true },
)

/** For providers that need options besides the credentials, and have no fixture. */
const OTHER_OPTIONS = {
  issuer: 'https://issuer.example/',
  accountID: '1',
  userinfo: 'https://netsuite.example/profile',
}

/** The providers of Auth.js that are other services, by their ids. */
const AUTH_JS = new Map(
  Object.values(modules).flatMap(({ default: create }) => {
    const { id = '', type } = create?.(OTHER_OPTIONS) ?? {}
    return create && (type === 'oauth' || type === 'oidc') ? [[id, create]] : []
  }),
)

const OURS = new Map(
  Object.entries(catalogue).map(([name, create]) => [
    create().id,
    { name, create: create as Create },
  ]),
)

function authJs(id: string): Create {
  const create = AUTH_JS.get(id)
  if (!create) throw new Error(`Auth.js has no provider ${id}.`)
  return create
}

function fixtureOf(id: string): Fixture | undefined {
  return (FIXTURES as Record<string, Fixture>)[id]
}

function optionsFor(id: string): object {
  const fixture = fixtureOf(id)
  if (!fixture) return { ...CREDENTIALS, ...OTHER_OPTIONS }
  const { type, options } = fixture
  return { ...CREDENTIALS, ...(type === 'oidc' && { issuer: fixture.issuer }), ...options }
}

/** Signs a user in by the callback of a provider. */
async function signIn(config: unknown, params: Record<string, string> = {}): Promise<User> {
  return signInAt(resolveProvider(callProvider(config as Provider).config, LOGIN), params)
}

async function signInAt(provider: ResolvedProvider, params: Record<string, string> = {}) {
  const code = provider.sendsNonce ? `${AUTH_JS_CODE} ${attempt.nonce}` : AUTH_JS_CODE
  const callback = new URLSearchParams({ code, state: attempt.state, ...params })
  const { user } = await identifyUser(provider, attempt, callback)
  return user ?? { id: '' }
}

function compared({ id, name, email, image }: User) {
  return { id, name: name ?? undefined, email: email ?? undefined, image: image ?? undefined }
}

describe('a provider of Auth.js', () => {
  const ids = Array.from(AUTH_JS.keys())

  it.each(ids)('can be listed with options, unchanged: %s', async (id) => {
    const vestibule = createVestibule({ providers: [authJs(id)(optionsFor(id))] })
    const browser = new Browser(serviceOf(vestibule, WITHOUT_TIKTOK))

    expect(await browser.json('/api/auth/providers')).toHaveProperty([id])
    expect(AUTH_JS.size).toBe(93)
  })

  it.each(ids.filter(fixtureOf))('identifies the same user as ours: %s', async (id) => {
    const config = authJs(id)(optionsFor(id))
    const ours = fixtureOf(id)?.user ?? { id: '' }

    const user = await signIn(config)

    expect(compared(user)).toEqual({ ...compared(ours), ...AUTH_JS_USERS[id] })
    // The `profile` of Auth.js does not say whether the address is verified.
    const isVerified = !config.profile && user.email != null && ours.emailVerified === true
    expect(user.emailVerified ?? false).toBe(isVerified)
  })

  it.each(ids.filter((id) => OURS.has(id)))('has the name of ours: %s', (id) => {
    expect(OURS.get(id)?.name).toBe(authJs(id).name.replace(/Provider$/, ''))
  })

  it('is a function whose credentials are in settings', async () => {
    const ids = ['github', 'google', 'tiktok']
    const settings = ids.flatMap((id) => [
      [settingName(id, 'ID'), `the-id-of-${id}`],
      [settingName(id, 'SECRET'), `the-secret-of-${id}`],
    ])
    const vestibule = createVestibule({ providers: ids.map(authJs) })
    const browser = new Browser(
      serviceOf(vestibule, { ...WITHOUT_TIKTOK, ...Object.fromEntries(settings) }),
    )

    const response = await browser.get('/api/auth/signin/tiktok', {
      'Sec-Fetch-Site': 'same-origin',
      'Sec-Fetch-Mode': 'navigate',
    })

    const url = new URL(response.headers.get('Location') ?? '')
    expect(url.searchParams.get('client_key')).toBe('the-id-of-tiktok')
  })

  it('for TikTok signs a user in at the platform', async () => {
    const config = authJs('tiktok')({
      clientId: env.AUTH_TIKTOK_ID,
      clientSecret: env.AUTH_TIKTOK_SECRET,
      authorization: { url: 'https://www.tiktok.com/v2/auth/authorize/' },
    })
    const browser = new Browser(serviceOf(createVestibule({ providers: [config] }), WITHOUT_TIKTOK))

    expect((await browser.signIn('mia')).status).toBe(302)
    expect(await browser.session()).toMatchObject({ user: { name: 'Mia Lindqvist' } })
  })

  it('identifies accounts differently than ours only where the documentation says so', () => {
    const [, sentence = ''] = /identify accounts differently than Auth\.js does:([^.]+)\./.exec(
      providersPage,
    ) ?? ['']
    const documented = Array.from(sentence.matchAll(/`([\w-]+)` \(/g), ([, id]) => id)

    const different = Object.keys(AUTH_JS_USERS).filter((id) => AUTH_JS_USERS[id]?.['id'])
    expect(documented.toSorted()).toEqual(different.toSorted())
  })

  it('for Apple maps the name in the first callback', async () => {
    const user = JSON.stringify({ name: { firstName: 'Mia', lastName: 'Moreau' } })

    expect(await signIn(authJs('apple')(optionsFor('apple')), { user })).toMatchObject({
      name: 'Mia Moreau',
    })
  })
})

describe('the signed userinfo response of BankID', () => {
  it.each<[string, (jwt: string) => Response]>([
    ['a forged signature', (jwt) => signed(`${jwt.slice(0, -8)}AAAAAAAA`)],
    ['no signature', (jwt) => Response.json(decodeJwt(jwt))],
  ])('[K1] is rejected with %s', async (_, change) => {
    const config = authJs('bankid-no')(optionsFor('bankid-no'))
    const fetching = async (url: string, init: RequestInit) => {
      const response = await fetch(url, init)
      return url.endsWith('/userinfo') ? change(await response.text()) : response
    }

    await expect(signIn({ ...config, [Symbol('custom-fetch')]: fetching })).rejects.toMatchObject({
      code: 'provider_invalid',
    })
  })

  function signed(jwt: string): Response {
    return new Response(jwt, { headers: { 'Content-Type': 'application/jwt' } })
  }
})

describe('the ID token of LINE', () => {
  it('[K1] is rejected if it is not signed with the client secret', async () => {
    const line = authJs('line')({ ...CREDENTIALS })
    const fetching = async (url: string, init: RequestInit) => {
      const response = await fetch(url, init)
      if (!url.endsWith('/token')) return response
      const { id_token, ...tokens } = await response.json<{ id_token: string }>()
      return Response.json({ ...tokens, id_token: `${id_token.slice(0, -8)}AAAAAAAA` })
    }

    await expect(signIn({ ...line, [Symbol('custom-fetch')]: fetching })).rejects.toMatchObject({
      code: 'provider_invalid',
    })
  })
})

describe('Microsoft for users of any tenant', async () => {
  const MICROSOFT = 'https://login.microsoftonline.com'
  const TENANT = '72f988bf-86f1-41af-91ab-2d7cd011db47'
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: '1', alg: 'RS256' }] }

  /** Microsoft's documents and tokens. Each tenant has an issuer of its own. */
  function microsoft(claims: object) {
    const idToken = new SignJWT({ sub: '1', name: 'Mia', ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: '1' })
      .setAudience(CREDENTIALS.clientId)
      .setIssuedAt()
      .setExpirationTime('5m')
    return async (url: string) => {
      const { pathname } = new URL(url)
      if (url.includes('graph.microsoft')) return new Response(null, { status: 404 })
      if (pathname.endsWith('/keys')) return Response.json(keys)
      if (pathname.endsWith('/token')) {
        return Response.json({
          access_token: 'a',
          token_type: 'Bearer',
          id_token: await idToken.sign(privateKey),
        })
      }
      const [, tenant = ''] = pathname.split('/')
      return Response.json({
        issuer: `${MICROSOFT}/${tenant}/v2.0`,
        authorization_endpoint: `${MICROSOFT}/${tenant}/authorize`,
        token_endpoint: `${MICROSOFT}/${tenant}/token`,
        jwks_uri: `${MICROSOFT}/${tenant}/keys`,
      })
    }
  }

  const configOf = (fetch: (url: string) => Promise<Response>) => ({
    ...authJs('microsoft-entra-id')({ ...CREDENTIALS }),
    profile: ({ sub }: { sub: string }) => ({ id: sub }),
    // The symbol of the configuration is replaced.
    [customFetchOf('microsoft-entra-id')]: fetch,
  })
  const signInWith = (claims: object) => signIn(configOf(microsoft(claims)))

  function customFetchOf(id: string): symbol {
    const symbols = Object.getOwnPropertySymbols(authJs(id)({ ...CREDENTIALS }))
    return symbols.find(({ description }) => description === 'custom-fetch') ?? Symbol('none')
  }

  it('accepts the issuer of the tenant that the ID token names', async () => {
    const iss = `${MICROSOFT}/${TENANT}/v2.0`

    expect(await signInWith({ iss, tid: TENANT })).toMatchObject({ id: '1' })
  })

  it('reads the documents of each tenant once', async () => {
    const otherTenant = '9188040d-6c67-4c5b-b112-36a304b66dad'
    const read: string[] = []
    let tid = TENANT
    const config = configOf((url) => {
      if (url.includes(tid)) read.push(new URL(url).pathname)
      return microsoft({ iss: `${MICROSOFT}/${tid}/v2.0`, tid })(url)
    })
    const provider = resolveProvider(callProvider(config as unknown as Provider).config, LOGIN)

    for (tid of [TENANT, otherTenant, TENANT, otherTenant]) await signInAt(provider)

    expect(read).toEqual(
      [TENANT, otherTenant].flatMap((tenant) => [
        `/${tenant}/v2.0/.well-known/openid-configuration`,
        `/${tenant}/keys`,
      ]),
    )
  })

  it.each([
    [
      'another tenant',
      { iss: `${MICROSOFT}/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0`, tid: TENANT },
    ],
    ['no tenant', { iss: `${MICROSOFT}/common/v2.0` }],
    ['a path', { iss: `${MICROSOFT}/../v2.0`, tid: '..' }],
  ])('[K1] rejects the issuer of %s', async (_, claims) => {
    await expect(signInWith(claims)).rejects.toMatchObject({ code: 'provider_invalid' })
  })
})

describe('a configuration that was written for Auth.js', () => {
  const acme = {
    id: 'acme',
    name: 'Acme',
    type: 'oauth',
    authorization: { url: 'https://acme.example/authorize?a=1', params: { size: 12, b: true } },
    token: { url: 'https://acme.example/token?version=2', params: { c: 3 } },
    userinfo: { url: 'https://acme.example/me', params: { size: 12 } },
    headers: { 'X-Acme': 'yes' },
    style: { logo: '/acme.svg', bg: '#000', text: '#fff' },
    profile: ({ id, name }: { id: string; name: string }) => ({ id, name }),
  }
  const options = { ...CREDENTIALS, authorization: { params: { scope: 'me' } }, plan: 'gold' }

  /** Signs in at Acme, whose requests are recorded. */
  async function requestsOf(changes: object) {
    const requests: Request[] = []
    const config = {
      ...acme,
      ...changes,
      async [Symbol('custom-fetch')](url: string, init: RequestInit) {
        requests.push(new Request(url, init))
        return url.includes('/token')
          ? Response.json({ access_token: 'a', token_type: 'Bearer' })
          : Response.json({ id: '1', name: 'Mia' })
      },
    }
    return { user: await signIn(config), requests, config }
  }

  it('has its options merged, and its parameters sent', async () => {
    const { user, requests, config } = await requestsOf({ options })
    const [token, userinfo] = requests

    expect(user).toMatchObject({ id: '1', name: 'Mia' })
    expect(callProvider(config as unknown as Provider).config).toMatchObject({
      ...CREDENTIALS,
      authorization: { params: { a: '1', size: '12', b: 'true', scope: 'me' } },
      style: { logo: 'https://authjs.dev/img/providers/acme.svg' },
    })
    expect(token?.url).toBe('https://acme.example/token?version=2&c=3')
    expect(new URLSearchParams(await token?.text()).has('c')).toBe(false)
    expect(token?.headers.get('X-Acme')).toBe('yes')
    expect(token?.headers.get('Authorization')).toBe(`Basic ${btoa('the-client:the-secret')}`)
    expect(userinfo?.url).toBe('https://acme.example/me?size=12')
  })

  it('may have no options: it is recognised by the lack of jwks_endpoint', async () => {
    const { requests } = await requestsOf(CREDENTIALS)

    expect(requests[0]?.headers.get('Authorization')).toBe(`Basic ${btoa('the-client:the-secret')}`)
  })

  it('keeps a default that an option leaves undefined', async () => {
    const { requests } = await requestsOf({ options: { ...options, userinfo: undefined } })

    expect(requests[1]?.url).toBe('https://acme.example/me?size=12')
  })

  it('passes the provider to userinfo.request, and the response to conform', async () => {
    let context: { provider?: { userinfo: { url: URL }; callbackUrl: string } } = {}
    const { user } = await requestsOf({
      ...CREDENTIALS,
      token: {
        url: 'https://acme.example/token',
        conform: async (response: Response) => {
          await response.text() // A copy: nothing is returned, so the response stays the same.
        },
      },
      userinfo: {
        ...acme.userinfo,
        request: (received: typeof context) => {
          context = received
          return { id: '2', name: EMAIL }
        },
      },
    })

    expect(user.id).toBe('2')
    expect(context.provider).toMatchObject({
      ...CREDENTIALS,
      callbackUrl: `${LOGIN}/api/auth/callback/acme`,
    })
    expect(context.provider?.userinfo.url.href).toBe('https://acme.example/me?size=12')
  })

  it('authenticates with token.clientPrivateKey', async () => {
    const { privateKey } = await generateKeyPair('ES256')
    const { requests } = await requestsOf({
      options: {
        clientId: 'the-client',
        client: { token_endpoint_auth_method: 'private_key_jwt' },
        token: { clientPrivateKey: privateKey },
      },
    })

    const form = new URLSearchParams(await requests[0]?.text())
    expect(form.get('client_assertion')).toMatch(/^eyJ/)
  })
})
