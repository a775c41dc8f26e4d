import { env } from 'cloudflare:workers'
import * as client from 'openid-client'
import { describe, expect, it } from 'vitest'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import { options } from '../../../src/deployment.ts'
import { senderConstrained } from '../../../src/features/sender-constrained/feature.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, LOGIN, serviceOf, serviceWith } from '../../browser.ts'
import { advanceClock, stopClock } from '../../clock.ts'
import { calls, recordedBindings } from '../../core/oidc/recorded-calls.ts'
import {
  basic,
  formRequest,
  type ParameterChanges,
  postForm,
  RelyingApp,
  signedIn,
  signedInAsNewUser,
} from '../../core/oidc/relying-app.ts'
import { approveConsent, consentForm, signInOnPage } from '../../core/oidc/user-steps.ts'
import { config, newId, ORIGIN } from '../../core/registrations/stored-clients.ts'
import { errorCode } from '../../html.ts'
import { redirectUrl } from '../../redirect.ts'
import { clientsWith } from '../../registered-clients.ts'

const LIFETIME = 60 // seconds

interface PushResponse {
  request_uri: string
  expires_in: number
  error: string
  error_description: string
}

/** The parameters of an ordinary request of an app. */
async function parametersOf(app: RelyingApp, changes: ParameterChanges = {}) {
  return Object.fromEntries(new URL(await app.authorizationUrl(changes)).searchParams)
}

function push(form: Record<string, string>, headers: Record<string, string> = basic('web')) {
  return postForm('/oidc/par', form, headers)
}

async function pushed(app: RelyingApp, changes: ParameterChanges = {}): Promise<string> {
  const headers = app.clientId === 'web' ? basic('web') : {}
  const response = await push(await parametersOf(app, changes), headers)
  expect(response.status).toBe(201)
  return (await response.json<PushResponse>()).request_uri
}

function authorizePath(request_uri: string, changes: Record<string, string> = {}): string {
  return `/oidc/authorize?${new URLSearchParams({ client_id: 'web', request_uri, ...changes })}`
}

describe('POST /oidc/par (RFC 9126)', () => {
  it('signs a user in with a client library, whose URL has only client_id and request_uri', async () => {
    const app = new RelyingApp('web')
    const configuration = await app.configuration()
    const url = await client.buildAuthorizationUrlWithPAR(
      configuration,
      new URLSearchParams(await parametersOf(app)),
    )

    const callback = redirectUrl(await (await signedIn()).get(url.href), 303)
    const tokens = await app.exchange(callback)

    expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri'])
    expect(tokens.claims()?.nonce).toBe(app.nonce)
  })

  it('returns a URI that reveals nothing and is valid for a minute (§2.2)', async () => {
    const response = await push(await parametersOf(new RelyingApp('web')))

    expect(response.status).toBe(201)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    const { request_uri, ...rest } = await response.json<PushResponse>()
    expect(rest).toEqual({ expires_in: LIFETIME })
    expect(request_uri).toMatch(/^urn:ietf:params:oauth:request_uri:[\w-]{100,}$/)
    expect(atob(request_uri.slice(34).replaceAll('-', '+').replaceAll('_', '/'))).not.toContain(
      'web.example',
    )
  })

  it.each([
    ['a wrong secret', { headers: basic('web', 'wrong'), status: 401, error: 'invalid_client' }],
    ['no credentials', { headers: {}, status: 401, error: 'invalid_client' }],
    ['a request_uri', { changes: { request_uri: 'urn:x' }, error: 'invalid_request' }],
    ['a request object', { changes: { request: 'e30.e30.' }, error: 'request_not_supported' }],
    [
      'a request object with everything else in it',
      {
        changes: { request: 'e30.e30.', redirect_uri: undefined, response_type: undefined },
        error: 'request_not_supported',
      },
    ],
    ['another redirect URI', { changes: { redirect_uri: 'https://evil.example' } }],
    ['no redirect URI', { changes: { redirect_uri: undefined } }],
    ['plain PKCE', { changes: { code_challenge_method: 'plain' } }],
    [
      'an unknown response type',
      { changes: { response_type: 'token' }, error: 'unsupported_response_type' },
    ],
    [
      'an unknown API',
      { changes: { resource: 'https://unknown.example' }, error: 'invalid_target' },
    ],
    [
      'the id of another client',
      { changes: { client_id: 'shop' }, status: 401, error: 'invalid_client' },
    ],
    ['a request that does not fit into a URL', { changes: { id_token_hint: 'x'.repeat(8100) } }],
  ] as [
    string,
    {
      headers?: Record<string, string>
      changes?: ParameterChanges
      status?: number
      error?: string
    },
  ][])(
    'rejects %s as JSON (§2.3)',
    async (_, { headers, changes, status = 400, error = 'invalid_request' }) => {
      const response = await push(await parametersOf(new RelyingApp('web'), changes), headers)

      expect(response.status).toBe(status)
      const body = await response.json<PushResponse>()
      expect(body.error).toBe(error)
      expect(body.error_description).toMatch(/\.$/)
      expect(response.headers.get('Location')).toBeNull()
    },
  )

  it('rejects a parameter that is sent twice, and what is not a form', async () => {
    const body = new URLSearchParams([
      ...Object.entries(await parametersOf(new RelyingApp('web'))),
      ['state', 'b'],
    ])
    const json = new Request(`${LOGIN}/oidc/par`, {
      method: 'POST',
      body: '{}',
      headers: { 'Content-Type': 'application/json', ...basic('web') },
    })
    const service = serviceWith({})

    const twice = await service(
      new Request(`${LOGIN}/oidc/par`, { method: 'POST', body, headers: basic('web') }),
    )

    expect(await twice.json()).toMatchObject({ error: 'invalid_request' })
    expect(await (await service(json)).json()).toMatchObject({ error: 'invalid_request' })
  })

  it('can be called by a page of a registered app, and by no other one', async () => {
    const form = await parametersOf(new RelyingApp('shop'))

    const own = await push(form, { Origin: 'https://shop.example' })
    const other = await push(form, { Origin: 'https://evil.example' })

    expect(own.headers.get('Access-Control-Allow-Origin')).toBe('https://shop.example')
    expect(other.headers.get('Access-Control-Allow-Origin')).toBeNull()
  })
})

describe('a pushed request', () => {
  it('can be opened again until the user has authorized, and then only starts an error', async () => {
    const app = new RelyingApp('kiosk')
    const path = authorizePath(await pushed(app), { client_id: 'kiosk' })
    const browser = await signedInAsNewUser()

    const pages = [await browser.get(path), await browser.get(path)]
    const approved = await approveConsent(browser, pages[1] as Response)
    const again = redirectUrl(await browser.get(path), 303)

    expect(pages.map(({ status }) => status)).toEqual([200, 200])
    expect(redirectUrl(approved, 303).searchParams.get('code')).toMatch(/^ac_/)
    expect(again.searchParams.get('error')).toBe('invalid_request_uri')
    expect(again.searchParams.get('state')).toBe(app.state)
    expect(again.searchParams.has('code')).toBe(false)
  })

  it('is used once, also by two users, and by fifty requests at the same time', async () => {
    const app = new RelyingApp('web')
    const [mia, noah] = [await signedIn('mia'), await signedIn('noah')]
    const path = authorizePath(await pushed(app))

    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, n) => (n % 2 ? mia : noah).get(path)),
    )

    const codes = responses.filter((response) =>
      redirectUrl(response, 303).searchParams.has('code'),
    )
    expect(codes).toHaveLength(1)
  })

  it('that was opened in time can be finished by a user who takes longer to sign in', async () => {
    stopClock()
    const app = new RelyingApp('web')
    const browser = new Browser()
    const page = await browser.get(authorizePath(await pushed(app)))
    advanceClock(LIFETIME * 5)

    const callback = redirectUrl(await signInOnPage(browser, page), 303)

    expect((await app.exchange(callback)).claims()?.nonce).toBe(app.nonce)
  })

  it.each([
    ['of another client', { client_id: 'shop' }],
    ['without the client', { client_id: '' }],
    ['that was changed', { request_uri: `urn:ietf:params:oauth:request_uri:${'A'.repeat(200)}` }],
    ['that is empty', { request_uri: 'urn:ietf:params:oauth:request_uri:' }],
  ])('%s is rejected, and nobody is redirected', async (_, changes) => {
    const path = authorizePath(await pushed(new RelyingApp('web')), changes)

    const response = await (await signedIn()).get(path)

    expect(response.status).toBe(400)
    expect(response.headers.get('Location')).toBeNull()
    expect(await errorCode(response)).toBe('request_uri_invalid')
  })

  it('is rejected if the URL has two of them, or two clients', async () => {
    const uri = await pushed(new RelyingApp('web'))
    const browser = await signedIn()

    for (const more of [`&request_uri=${uri}`, '&client_id=shop']) {
      const response = await browser.get(authorizePath(uri) + more)
      expect(await errorCode(response)).toBe('request_invalid')
    }
  })

  it('is not mixed with other parameters of the URL (§4)', async () => {
    const app = new RelyingApp('web')
    const path = authorizePath(await pushed(app, { state: undefined }), {
      redirect_uri: 'https://evil.example/',
      state: 'evil',
      scope: 'openid email',
      nonce: 'evil',
      response_mode: 'fragment',
    })

    const callback = redirectUrl(await (await signedIn()).get(path), 303)
    const tokens = await app.exchange(callback, { expectedState: client.skipStateCheck })

    expect(callback.origin).toBe('https://web.example')
    expect(callback.searchParams.has('state')).toBe(false)
    expect(tokens.scope).toBe('openid profile')
    expect(tokens.claims()?.nonce).toBe(app.nonce)
  })

  it('cannot be imitated by a request with the parameter that has its id', async () => {
    const CLIENTS = clientsWith({ web: { require_pushed_authorization_requests: true } })
    const browser = new Browser(serviceWith({ CLIENTS }))
    const url = new URL(await new RelyingApp('web').authorizationUrl({ pushed: 'par_x' }))

    const response = redirectUrl(await browser.get(url.href), 303)

    expect(response.searchParams.get('error')).toBe('invalid_request')
  })

  it('cannot be used by a client that was registered with another redirect URI meanwhile', async () => {
    const path = authorizePath(await pushed(new RelyingApp('web')))
    const CLIENTS = clientsWith({ web: { redirect_uris: ['https://web.example/new'] } })

    const response = await new Browser(serviceWith({ CLIENTS })).get(path)

    expect(await errorCode(response)).toBe('redirect_uri_refused')
  })

  it('[C23] cannot be used by a client that was registered with the id of a deleted one', async () => {
    stopClock()
    const client_id = newId()
    const redirect_uri = `https://${client_id}.example/callback`
    const register = () =>
      clientStore.create(env, config, {
        registration: {
          client_id,
          redirect_uris: [redirect_uri],
          token_endpoint_auth_method: 'none',
        },
        origin: ORIGIN,
      })
    await register()
    const parameters = await parametersOf(new RelyingApp('web'), { redirect_uri })
    const response = await push({ ...parameters, client_id }, {})
    const { request_uri } = await response.json<PushResponse>()
    await clientStore.delete(env, config, { id: client_id, origin: ORIGIN })
    advanceClock(30)
    await register()

    const newIsolate = new Browser(serviceWith({}))
    const opened = await newIsolate.get(authorizePath(request_uri, { client_id }))

    expect(await errorCode(opened)).toBe('request_uri_invalid')
  })

  it('with prompt=login leads to a sign-in once, and then to the app', async () => {
    const browser = await signedIn()
    const page = await browser.get(
      authorizePath(await pushed(new RelyingApp('web'), { prompt: 'login' })),
    )

    const callback = redirectUrl(await signInOnPage(browser, page), 303)

    expect(callback.searchParams.get('code')).toMatch(/^ac_/)
  })
})

describe('a client that must push its requests', () => {
  const CLIENTS = clientsWith({ web: { require_pushed_authorization_requests: true } })
  const required = serviceWith({ CLIENTS })
  const requiredOfAll = serviceOf(
    createVestibule({
      ...options,
      features: [
        ...(options.features ?? []).filter(({ id }) => id !== 'sender-constrained'),
        senderConstrained({ requirePushedRequests: true }),
      ],
    }),
  )

  it.each([
    ['because of its registration', required],
    ['because of the deployment', requiredOfAll],
  ])(
    '%s gets an error for an ordinary request, and a code for a pushed one',
    async (_, service) => {
      const browser = new Browser(service)
      await browser.signIn('mia')
      const app = new RelyingApp('web')

      const ordinary = redirectUrl(await browser.get(await app.authorizationUrl()), 303)
      const afterPush = redirectUrl(await browser.get(authorizePath(await pushed(app))), 303)

      expect(ordinary.searchParams.get('error')).toBe('invalid_request')
      expect(ordinary.searchParams.get('error_description')).toContain('must be pushed')
      expect(afterPush.searchParams.get('code')).toMatch(/^ac_/)
    },
  )

  it('is not signed in with a request that waited while the requirement was added', async () => {
    const app = new RelyingApp('kiosk')
    const browser = await signedInAsNewUser()
    const page = await browser.get(await app.authorizationUrl())
    const changed = clientsWith({ kiosk: { require_pushed_authorization_requests: true } })
    const later = new Browser(serviceWith({ CLIENTS: changed })).withCookiesOf(browser)

    const headers = { 'Sec-Fetch-Site': 'same-origin' }
    const response = await later.fetch('/oidc/consent', { form: await consentForm(page), headers })

    expect(redirectUrl(response, 303).searchParams.get('error')).toBe('invalid_request')
  })

  it('is announced in discovery', async () => {
    const read = async (service = serviceWith({})) =>
      new Browser(service).json<Record<string, unknown>>('/.well-known/openid-configuration')

    expect(await read()).toMatchObject({
      pushed_authorization_request_endpoint: `${LOGIN}/oidc/par`,
      require_pushed_authorization_requests: false,
      request_uri_parameter_supported: false,
    })
    expect(await read(requiredOfAll)).toMatchObject({ require_pushed_authorization_requests: true })
  })
})

describe('the calls to storage', () => {
  it('of a pushed request: none to push it, one more for its code, and none for other requests', async () => {
    const service = serviceWith(recordedBindings)
    const browser = new Browser(service)
    await browser.signIn('mia')
    const app = new RelyingApp('web')
    await browser.get(await app.authorizationUrl())
    calls.length = 0

    const response = await service(formRequest('/oidc/par', await parametersOf(app), basic('web')))
    const { request_uri } = await response.json<PushResponse>()
    expect(calls).toEqual([])
    await new Browser(service).get(authorizePath(request_uri))
    expect(calls).toEqual([])
    await browser.get(authorizePath(request_uri))
    expect(calls).toEqual(['USERS.authorize', 'GUARDS.useOnce'])
    calls.length = 0
    await browser.get(await app.authorizationUrl())
    expect(calls).toEqual(['USERS.authorize'])
  })

  it('that fail leave the request unused', async () => {
    const GUARDS = {
      idFromName: () => '',
      get: () => ({ useOnce: () => Promise.reject(new Error('broken')) }),
    }
    const broken = new Browser(serviceWith({ GUARDS }))
    await broken.signIn('mia')
    const path = authorizePath(await pushed(new RelyingApp('web')))

    const failed = await broken.get(path)
    const repeated = await (await signedIn()).get(path)

    expect(failed.status).toBe(503)
    expect(redirectUrl(repeated, 303).searchParams.get('code')).toMatch(/^ac_/)
  })
})
