import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import type { Feature } from '../../../src/core/config/feature.ts'
import type { ListedFeature } from '../../../src/core/config/vestibule-options.ts'
import { options } from '../../../src/deployment.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, LOGIN, serviceOf } from '../../browser.ts'
import { errorCode } from '../../html.ts'
import { signInNewUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { clientsWith } from '../../registered-clients.ts'
import { RelyingApp } from '../oidc/relying-app.ts'
import { config, newId, ORIGIN, storeRow } from './stored-clients.ts'

const WILDCARD = 'https://*.preview.shop.example/callback'
const PREVIEW = 'https://pr-42.preview.shop.example/callback'
const ORIGIN_OF_PREVIEW = 'https://pr-42.preview.shop.example'
const EXACT = 'https://shop.example/callback'

function serviceWithFeatures(features: ListedFeature[], registration: object, clientId = 'shop') {
  const clients = clientsWith({ [clientId]: registration })
  return serviceOf(createVestibule({ ...options, features }), { CLIENTS: clients })
}

type Service = ReturnType<typeof serviceOf>

async function authorize(
  service: Service,
  redirect_uri: string,
  { clientId = 'shop', browser = new Browser(service), ...changes } = {},
) {
  const url = await new RelyingApp(clientId).authorizationUrl({ redirect_uri, ...changes })
  return browser.get(url)
}

function logout(service: Service, redirectUri: string): Promise<Response> {
  const query = { client_id: 'shop', post_logout_redirect_uri: redirectUri }
  return new Browser(service).get(`/oidc/logout?${new URLSearchParams(query)}`)
}

/** The headers that let a page call the token endpoint. */
async function allowedOrigin(service: Service, origin: string) {
  const { headers } = await service(
    new Request(`${LOGIN}/oidc/token`, { method: 'POST', headers: { Origin: origin } }),
  )
  return headers.get('Access-Control-Allow-Origin')
}

describe('a wildcard in a deployment without previews()', () => {
  const redirect_uris = [EXACT, WILDCARD]
  const service = serviceWithFeatures([], {
    redirect_uris,
    post_logout_redirect_uris: redirect_uris,
  })

  it.each([PREVIEW, WILDCARD])('[N1][A2] matches no redirect URI: %s', async (uri) => {
    const response = await authorize(service, uri)

    expect(response.status).toBe(400)
    expect(response.headers.get('Location')).toBeNull()
    expect(await errorCode(response)).toBe('redirect_uri_refused')
  })

  it('[A2] matches no redirect URI of a native app, at any port', async () => {
    const native = serviceWithFeatures([], { redirect_uris: ['http://127.0.0.1/*'] }, 'native')
    const response = await authorize(native, 'http://127.0.0.1:51004/*', { clientId: 'native' })

    expect(response.status).toBe(400)
  })

  it.each([PREVIEW, WILDCARD])('[J3] matches no address after a sign-out: %s', async (uri) => {
    expect((await logout(service, uri)).status).toBe(400)
  })

  it('[M3] lets no page call the token endpoint or read the session', async () => {
    const { browser } = await signInNewUser(new Browser(service))
    const session = await browser.get('/api/auth/session', { Origin: ORIGIN_OF_PREVIEW })

    expect(await allowedOrigin(service, ORIGIN_OF_PREVIEW)).toBeNull()
    expect(await allowedOrigin(service, 'https://shop.example')).toBe('https://shop.example')
    expect(session.status).toBe(403)
    expect(session.headers.get('Access-Control-Allow-Origin')).toBeNull()
  })

  it('leaves the other addresses of the client as they are', async () => {
    const { browser } = await signInNewUser(new Browser(service))
    const { origin, pathname } = redirectUrl(await authorize(service, EXACT, { browser }), 303)

    expect(origin + pathname).toBe(EXACT)
    expect(redirectUrl(await logout(service, EXACT), 303).href).toBe(EXACT)
  })

  it('is reported by /readyz, which names the feature', async () => {
    const { checks } = await new Browser(service).json<{
      checks: { name: string; problem?: string }[]
    }>('/readyz')

    expect(checks.find(({ name }) => name === 'settings')).toMatchObject({
      problem: expect.stringContaining(
        'redirect_uris has a wildcard, which needs previews(), which features does not list',
      ),
    })
  })

  it.each([WILDCARD, 'https://*.pages.dev/', 'https://shop.example/*'])(
    'is rejected by the admin API: %s',
    async (uri) => {
      const registration = { client_id: newId(), first_party: true, redirect_uris: [EXACT, uri] }

      await expect(
        clientStore.create(env, config, { registration, origin: ORIGIN }),
      ).rejects.toThrow('redirect_uris has a wildcard, which needs previews()')
    },
  )

  it('[N1] has no effect for a client of the database, whose other addresses work', async () => {
    const clientId = newId('preview')
    const own = `https://${clientId}.example/callback`
    const wildcard = `https://*.${clientId}.example/callback`
    const registration = { first_party: true, redirect_uris: [own, wildcard] }
    await storeRow(clientId, JSON.stringify(registration))
    const url = (uri: string) => {
      const query = {
        client_id: clientId,
        redirect_uri: uri,
        response_type: 'code',
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
      }
      return `/oidc/authorize?${new URLSearchParams(query)}`
    }
    const { browser } = await signInNewUser(new Browser(service))

    expect(redirectUrl(await browser.get(url(own)), 303).href).toContain(`${own}?code=`)
    expect((await browser.get(url(`https://pr-1.${clientId}.example/callback`))).status).toBe(400)
    expect((await browser.get(url(wildcard))).status).toBe(400)
    expect(await allowedOrigin(service, `https://pr-1.${clientId}.example`)).toBeNull()
  })
})

describe('a feature that says that every wildcard stands for everything', () => {
  const careless: Feature = {
    id: 'careless',
    wildcards: { matches: () => true, matchesOrigin: async () => true },
  }
  const serviceWithWildcard = (registration: object = {}, clientId = 'shop') =>
    serviceWithFeatures([careless], { redirect_uris: [EXACT, WILDCARD], ...registration }, clientId)
  const service = serviceWithWildcard()

  it('is asked about the client of an own app', async () => {
    expect((await authorize(service, PREVIEW)).status).toBe(303)
  })

  it.each([
    ['another company', { first_party: false }],
    ['a native app', { application_type: 'native' }],
    ['an app with two wildcards', { redirect_uris: [WILDCARD, 'https://*.other.example/'] }],
    ['an app without a wildcard', { redirect_uris: [EXACT] }],
  ])('[N1] is not asked about the client of %s', async (_, registration) => {
    const response = await authorize(serviceWithWildcard(registration), PREVIEW)

    expect(response.status).toBe(400)
    expect(response.headers.get('Location')).toBeNull()
  })

  it('[N1] cannot send codes to the login service', async () => {
    expect((await authorize(service, `${LOGIN}/account`)).status).toBe(400)
  })

  it('[N1] cannot make a wildcard an address', async () => {
    expect((await authorize(service, WILDCARD)).status).toBe(400)
  })

  it('[B1] cannot make PKCE optional', async () => {
    const confidential = serviceWithWildcard(
      { redirect_uris: ['https://post.example/callback', WILDCARD] },
      'post',
    )
    const { browser } = await signInNewUser(new Browser(confidential))
    const withoutPkce = { code_challenge: undefined, code_challenge_method: undefined }
    const response = await authorize(confidential, PREVIEW, {
      ...{ clientId: 'post', browser },
      ...withoutPkce,
    })

    expect(redirectUrl(response, 303).searchParams.get('error')).toBe('invalid_request')
  })

  it('[N1] cannot add a page to return to after a sign-in', async () => {
    const query = new URLSearchParams({ callbackUrl: `${ORIGIN_OF_PREVIEW}/` })

    expect((await new Browser(service).get(`/api/auth/signin?${query}`)).status).toBe(400)
  })

  it('[J3] cannot add one after a sign-out, unless the wildcard is listed there, too', async () => {
    const listed = serviceWithWildcard({ post_logout_redirect_uris: [WILDCARD] })
    const other = serviceWithWildcard({
      post_logout_redirect_uris: ['https://*.other.example/'],
    })

    expect((await logout(service, PREVIEW)).status).toBe(400)
    expect((await logout(other, PREVIEW)).status).toBe(400)
    expect((await logout(listed, WILDCARD)).status).toBe(400)
    expect(redirectUrl(await logout(listed, PREVIEW), 303).href).toBe(PREVIEW)
  })

  it('[M3] cannot let a page read the session, or send credentials', async () => {
    const { browser } = await signInNewUser(new Browser(service))
    const headers = { Origin: ORIGIN_OF_PREVIEW }
    const session = await browser.get('/api/auth/session', headers)
    const token = await service(new Request(`${LOGIN}/oidc/token`, { method: 'POST', headers }))

    expect(session.status).toBe(403)
    expect(session.headers.get('Access-Control-Allow-Origin')).toBeNull()
    expect(token.headers.get('Access-Control-Allow-Origin')).toBe(ORIGIN_OF_PREVIEW)
    expect(token.headers.get('Access-Control-Allow-Credentials')).toBeNull()
  })
})
