import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import { clientProblems } from '../../../src/core/registration-schemas/client-problems.ts'
import { clientSchema } from '../../../src/core/registration-schemas/clients.ts'
import { Browser, LOGIN, serviceWith } from '../../browser.ts'
import { formRequest, RelyingApp } from '../../core/oidc/relying-app.ts'
import { config, newId, newIsolate, ORIGIN } from '../../core/registrations/stored-clients.ts'
import { errorCode } from '../../html.ts'
import { signInNewUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { clientsWith } from '../../registered-clients.ts'

const PATTERN = 'https://*.preview.shop.example/callback'
const PREVIEW = 'https://pr-42.preview.shop.example/callback'
const ORIGIN_OF_PREVIEW = 'https://pr-42.preview.shop.example'

function serviceWithPreviews(fields: object = {}, clientId = 'shop') {
  const registered = {
    redirect_uris: [`https://${clientId}.example/callback`, PATTERN],
    post_logout_redirect_uris: [PATTERN],
    ...fields,
  }
  return serviceWith({ CLIENTS: clientsWith({ [clientId]: registered }) })
}

const service = serviceWithPreviews()

/** What is wrong with a redirect URI of a client. */
function findProblems(uri: string, fields: object = {}): string[] {
  const { data, error } = clientSchema().safeParse({
    client_id: 'shop',
    redirect_uris: [uri],
    first_party: true,
    ...fields,
  })
  if (!data) return error.issues.map(({ message }) => message)
  return clientProblems(data, { ...config, issuer: LOGIN }).map(({ message }) => message)
}

async function request(
  browser: Browser,
  changes: Record<string, string | undefined> = {},
  clientId = 'shop',
) {
  const app = new RelyingApp(clientId)
  return browser.get(await app.authorizationUrl({ redirect_uri: PREVIEW, ...changes }))
}

/** The origin whose pages the token endpoint lets read its response. */
async function allowedOrigin(deployment: typeof service, origin: string): Promise<string | null> {
  const { headers } = await deployment(
    new Request(`${LOGIN}/oidc/token`, { method: 'POST', headers: { Origin: origin } }),
  )
  return headers.get('Access-Control-Allow-Origin')
}

describe('the wildcard of a redirect URI', () => {
  it.each([
    PATTERN,
    'https://*.shop.pages.dev/',
    'https://*.my-team.vercel.app/',
    'https://*.xn--bcher-kva.example/',
  ])('is accepted as the whole first label below a host of the operator: %s', (uri) => {
    expect(findProblems(uri)).toEqual([])
  })

  it.each([
    'https://*.com/',
    'https://*.localhost/',
    'https://*.pages.dev/',
    'https://*.workers.dev/',
    'https://*.vercel.app/',
    'https://*.netlify.app/callback',
    'https://*.up.railway.app/',
    'https://*.co.uk/',
    'https://*.com.br/',
  ])('[N1] is rejected directly below a host where anyone can have a name: %s', (uri) => {
    expect(findProblems(uri)).toEqual([expect.stringContaining('anyone can have a name')])
  })

  it.each([
    'https://*/',
    'https://*.',
    'https://*./',
    'https://*shop.example/',
    'https://pr-*.shop.example/',
    'https://*-pr.shop.example/',
    'https://**.shop.example/',
    'https://*.*.shop.example/',
    'https://a.*.shop.example/',
    'https://*.shop.example',
    'https://*.shop.example:8443/',
    'https://*.shop.example:443/',
    'https://*.shop.example./',
    'https://*..shop.example/',
    'https://*.-shop.example/',
    'https://*.SHOP.example/',
    'https://*.bücher.example/',
    'https://*.shop%2eexample/',
    'https://*.127.0.0.1/',
    'https://*.[::1]/',
    'https://*.shop.example/*',
    'https://*.shop.example/a/../b',
    'https://*.shop.example/?preview=1',
    'https://shop.example/*',
    'https://shop.example/?x=*',
    'HTTPS://*.shop.example/',
    'http://*.localhost/',
    'com.example.*:/callback',
  ])('[N1] is rejected in any other place or form: %s', (uri) => {
    expect(findProblems(uri)).not.toEqual([])
  })

  it.each([
    ['of another company', { first_party: false }, 'only a first_party client'],
    ['that is native', { application_type: 'native' }, 'only a first_party client'],
    [
      'that has another one',
      { redirect_uris: [PATTERN, 'https://*.other.example/'] },
      'a client can have one',
    ],
  ])('[N1] is rejected for a client %s', (_, fields, message) => {
    expect(findProblems(PATTERN, fields)).toContainEqual(expect.stringContaining(message))
  })

  it('[N1] is rejected if it includes the login service', () => {
    const fields = { redirect_uris: ['https://*.shop.example/'] }
    const client = clientSchema().parse({ client_id: 'shop', first_party: true, ...fields })
    const context = { ...config, issuer: 'https://login.shop.example' }

    expect(clientProblems(client, context)).toEqual([
      expect.objectContaining({ message: expect.stringContaining('includes this service') }),
    ])
  })

  it('is rejected by the admin API, and has no effect if it is stored nevertheless', async () => {
    const clientId = newId('preview')
    const registration = { client_id: clientId, redirect_uris: [PATTERN] }

    await expect(clientStore.create(env, config, { registration, origin: ORIGIN })).rejects.toThrow(
      'only a first_party client',
    )
    const thirdParty = serviceWithPreviews({}, 'kiosk')
    const response = await request(new Browser(thirdParty), {}, 'kiosk')

    expect(response.status).toBe(400)
    expect(await errorCode(response)).toBe('redirect_uri_refused')
  })

  it.each([
    ['https://*.pages.dev/callback', 'https://evil.pages.dev/callback'],
    ['https://*.com/callback', 'https://evil.com/callback'],
    ['https://*.shop.example:8443/callback', 'https://a.shop.example:8443/callback'],
    ['https://shop.example/*', 'https://shop.example/a'],
    ['http://*.localhost/callback', 'http://a.localhost/callback'],
  ])('[N1][M3] has no effect if it must not be registered: %s', async (wildcard, redirect_uri) => {
    const invalid = serviceWithPreviews({
      redirect_uris: ['https://shop.example/callback', wildcard],
      post_logout_redirect_uris: [wildcard],
    })
    const exact = { redirect_uri: 'https://shop.example/callback' }
    const query = { client_id: 'shop', post_logout_redirect_uri: redirect_uri }
    const logout = await new Browser(invalid).get(`/oidc/logout?${new URLSearchParams(query)}`)
    const { origin } = new URL(redirect_uri)
    const allowed = await allowedOrigin(invalid, origin)

    expect((await request(new Browser(invalid), { redirect_uri })).status).toBe(400)
    expect((await request(new Browser(invalid), exact)).status).toBe(303)
    expect(logout.status).toBe(400)
    expect(allowed).toBe(origin === 'https://shop.example' ? origin : null)
  })
})

describe('a preview', () => {
  it('[A1] gets a code for a request with PKCE, which is redeemed with the same redirect URI only', async () => {
    const { browser } = await signInNewUser(new Browser(service))
    const app = new RelyingApp('shop')
    const redeem = async (redirect_uri: string) => {
      const callback = await app.callbackFor(browser, { redirect_uri: PREVIEW })
      const form = { client_id: 'shop', ...app.codeExchangeForm(callback, { redirect_uri }) }
      return (await service(formRequest('/oidc/token', form))).status
    }

    const { origin, pathname } = await app.callbackFor(browser, { redirect_uri: PREVIEW })

    expect(origin + pathname).toBe(PREVIEW)
    expect(await redeem(PREVIEW)).toBe(200)
    expect(await redeem('https://pr-43.preview.shop.example/callback')).toBe(400)
    expect(await redeem(PATTERN)).toBe(400)
  })

  it('[B1] gets no code without PKCE, also where the client need not use it', async () => {
    const confidential = serviceWithPreviews(
      { redirect_uris: ['https://post.example/callback', PATTERN] },
      'post',
    )
    const { browser } = await signInNewUser(new Browser(confidential))
    const withoutPkce = { code_challenge: undefined, code_challenge_method: undefined }

    const refused = redirectUrl(await request(browser, withoutPkce, 'post'), 303)
    const exact = { ...withoutPkce, redirect_uri: 'https://post.example/callback' }
    const accepted = redirectUrl(await request(browser, exact, 'post'), 303)

    expect(refused.searchParams.get('error')).toBe('invalid_request')
    expect(refused.searchParams.get('error_description')).toBe(
      'code_challenge is missing. Enable PKCE in your client.',
    )
    expect(accepted.searchParams.get('code')).not.toBeNull()
  })

  it.each([
    PATTERN,
    'https://.preview.shop.example/callback',
    'https://preview.shop.example/callback',
    'https://a.b.preview.shop.example/callback',
    'https://a.preview.shop.example',
    'https://a.preview.shop.example/callback/',
    'https://a.preview.shop.example/callback?x=1',
    'https://a.preview.shop.example/callback#x',
    'https://a.preview.shop.example/x/../callback',
    'https://a.preview.shop.example:443/callback',
    'https://a.preview.shop.example:8443/callback',
    'https://a.preview.shop.example./callback',
    'https://A.preview.shop.example/callback',
    'https://a.PREVIEW.shop.example/callback',
    'HTTPS://a.preview.shop.example/callback',
    'http://a.preview.shop.example/callback',
    'https://user@a.preview.shop.example/callback',
    'https://evil.example/.preview.shop.example/callback',
    'https://evil.example?.preview.shop.example/callback',
    'https://evil.example#.preview.shop.example/callback',
    'https://evil.example\\.preview.shop.example/callback',
    'https://evil.example:x@a.preview.shop.example/callback',
    'https://a%2epreview.shop.example/callback',
    'https://%61.preview.shop.example/callback',
    'https://a_b.preview.shop.example/callback',
    'https://-a.preview.shop.example/callback',
    'https://a-.preview.shop.example/callback',
    'https://bücher.preview.shop.example/callback',
    'https://xn--bcher-kva.preview.shop.example/callback',
    'https://a。preview.shop.example/callback',
    'https://a.preview.shop.example.evil.example/callback',
    'https://a.preview.shop.example/callback\n',
    ' https://a.preview.shop.example/callback',
    `https://${'a'.repeat(64)}.preview.shop.example/callback`,
  ])('[N1][A2] is not at %j', async (redirect_uri) => {
    const response = await request(new Browser(service), { redirect_uri })

    expect(response.status).toBe(400)
    expect(response.headers.get('Location')).toBeNull()
  })

  it('[N1] is not at the login service itself, whatever is registered', async () => {
    const stored = serviceWith({
      AUTH_URL: 'https://login.a.example',
      CLIENTS: clientsWith({ shop: { redirect_uris: ['https://*.a.example/'] } }),
    })
    const url = await new RelyingApp('shop').authorizationUrl({
      redirect_uri: 'https://login.a.example/',
    })

    const { pathname, search } = new URL(url)
    const response = await stored(new Request(`https://login.a.example${pathname}${search}`))

    expect(response.status).toBe(400)
  })

  it('[M3] may call the token endpoint without credentials, but not read the session', async () => {
    const headers = { Origin: ORIGIN_OF_PREVIEW }
    const token = await service(new Request(`${LOGIN}/oidc/token`, { method: 'POST', headers }))
    const preflight = await service(
      new Request(`${LOGIN}/oidc/token`, {
        method: 'OPTIONS',
        headers: { ...headers, 'Access-Control-Request-Method': 'POST' },
      }),
    )
    const { browser } = await signInNewUser(new Browser(service))
    const session = await browser.get('/api/auth/session', headers)
    const literal = await browser.get('/api/auth/session', {
      Origin: 'https://*.preview.shop.example',
    })

    for (const response of [token, preflight]) {
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe(ORIGIN_OF_PREVIEW)
      expect(response.headers.get('Access-Control-Allow-Credentials')).toBeNull()
    }
    for (const response of [session, literal]) {
      expect(response.status).toBe(403)
      expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull()
    }
    expect(await allowedOrigin(service, 'https://a.b.preview.shop.example')).toBeNull()
  })

  it('may call the token endpoint if its client is in the database', async () => {
    const clientId = newId('preview')
    const registration = {
      client_id: clientId,
      first_party: true,
      token_endpoint_auth_method: 'none',
      redirect_uris: [`https://*.${clientId}.example/`],
    }
    await clientStore.create(env, config, { registration, origin: ORIGIN })

    const origin = `https://pr-1.${clientId}.example`

    expect(await allowedOrigin(newIsolate().service, origin)).toBe(origin)
    expect(await allowedOrigin(newIsolate().service, 'https://pr-1.other.example')).toBeNull()
    await clientStore.setDisabled(env, config, { id: clientId, isDisabled: true, origin: ORIGIN })
    expect(await allowedOrigin(newIsolate().service, origin)).toBeNull()
  })

  it.each([ORIGIN_OF_PREVIEW, 'https://*.preview.shop.example'])(
    '[N1] is no page to return to after a sign-in: %s',
    async (origin) => {
      const path = `/api/auth/signin?${new URLSearchParams({ callbackUrl: `${origin}/` })}`
      const response = await new Browser(service).get(path)

      expect(response.status).toBe(400)
    },
  )

  it('[J3] is a page to return to after a sign-out only if the wildcard is listed there, too', async () => {
    const query = new URLSearchParams({
      client_id: 'shop',
      post_logout_redirect_uri: PREVIEW,
    })
    const logout = (settings?: object) =>
      new Browser(serviceWithPreviews(settings)).get(`/oidc/logout?${query}`)

    expect((await logout({ post_logout_redirect_uris: [] })).status).toBe(400)
    expect(redirectUrl(await logout(), 303).href).toBe(PREVIEW)
  })
})
