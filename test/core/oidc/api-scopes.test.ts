import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { describe, expect, it, onTestFinished } from 'vitest'
import { apiStore } from '../../../src/administration/registrations/api-store.ts'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import { Browser, issuedSecrets, lastLogEntry } from '../../browser.ts'
import { advanceClock, stopClock } from '../../clock.ts'
import { continueUrl } from '../../continue-url.ts'
import {
  config,
  newId,
  newIsolate,
  ORIGIN,
  redirectUri,
  registerIntrospector,
} from '../registrations/stored-clients.ts'
import { basic, formRequest, signedInAsNewUser } from './relying-app.ts'
import { approveConsent, shownConsent } from './user-steps.ts'

const READ = { name: 'read', description: 'Read your orders.' }
const WRITE = { name: 'write', description: 'Change your orders.' }

async function registerApi(fields: Record<string, unknown> = {}) {
  const identifier = `https://${newId('api')}.example`
  const registration = { identifier, name: 'Orders', scopes: [READ, WRITE], ...fields }
  await apiStore.create(env, config, { registration, origin: ORIGIN })
  return { identifier }
}

interface Tokens {
  access_token: string
  refresh_token: string
  scope: string
  expires_in: number
}

/** Registers a client, with a browser of a new user that sends its authorization requests. */
async function registerApp(fields: Record<string, unknown>) {
  const clientId = newId()
  const { secret: clientSecret = '' } = await clientStore.create(env, config, {
    registration: {
      client_id: clientId,
      redirect_uris: [redirectUri(clientId)],
      scope: 'openid offline_access read write',
      require_pkce: false,
      ...fields,
    },
    origin: ORIGIN,
  })
  issuedSecrets.add(clientSecret)
  const session = await signedInAsNewUser()
  /** Each isolate reads the registrations anew. */
  const browser = () => new Browser(newIsolate().service).withCookiesOf(session)
  const authorize = (scope: string, resources: readonly string[] = [], using = browser()) => {
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri(clientId),
      response_type: 'code',
      nonce: 'n',
      scope,
    })
    for (const resource of resources) query.append('resource', resource)
    return using.get(`/oidc/authorize?${query}`)
  }
  const requestTokens = async (
    form: Record<string, string>,
    service = newIsolate().service,
  ): Promise<Response> => service(formRequest('/oidc/token', form, basic(clientId, clientSecret)))
  const exchange = async (
    response: Response,
    form: Record<string, string> = {},
    service = newIsolate().service,
  ) => {
    const code = new URL(response.headers.get('Location') ?? '').searchParams.get('code') ?? ''
    const tokens = await requestTokens(
      {
        grant_type: 'authorization_code',
        redirect_uri: redirectUri(clientId),
        code,
        ...form,
      },
      service,
    )
    expect(tokens.status).toBe(200)
    return tokens.json<Tokens>()
  }
  return { clientId, browser, authorize, exchange, requestTokens }
}

describe('a scope of an API', () => {
  it('is granted if the client is registered for it and the API is requested', async () => {
    const { identifier } = await registerApi()
    const app = await registerApp({ resources: [identifier], first_party: true })

    const tokens = await app.exchange(await app.authorize('openid read unknown', [identifier]))

    expect(tokens.scope).toBe('openid read')
    expect(decodeJwt(tokens.access_token)).toMatchObject({ scope: 'openid read' })
  })

  it('is granted for the API that is used if none is requested', async () => {
    const { identifier } = await registerApi()
    const app = await registerApp({ resources: [identifier], first_party: true })

    expect(await app.exchange(await app.authorize('openid read'))).toMatchObject({
      scope: 'openid read',
    })
  })

  it('is granted to a client that only the API lists', async () => {
    const app = await registerApp({ first_party: true })
    const { identifier } = await registerApi({ clients: [app.clientId] })

    const tokens = await app.exchange(await app.authorize('read offline_access', [identifier]))

    expect(decodeJwt(tokens.access_token)).toMatchObject({
      scope: 'read offline_access',
      aud: identifier,
    })
    const refreshed = await app.requestTokens({
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
      resource: identifier,
    })
    expect(await refreshed.json()).toMatchObject({ scope: 'read offline_access' })
  })

  it('is granted for an API of the settings and one of the database at once', async () => {
    const inSettings = `https://${newId('api')}.example`
    const { identifier } = await registerApi({ scopes: [READ] })
    const resources = [inSettings, identifier]
    const app = await registerApp({ resources, first_party: true })
    const { service } = newIsolate({ APIS: [{ identifier: inSettings, scopes: [WRITE] }] })
    const browser = new Browser(service).withCookiesOf(app.browser())

    const granted = await app.authorize('openid read write', resources, browser)
    const tokens = await app.exchange(granted, {}, service)

    expect(tokens.scope).toBe('openid read write')
    expect(decodeJwt(tokens.access_token).aud).toEqual([...resources, 'https://login.example'])
  })

  it.each([
    ['the client is not registered for it', { scope: 'openid write' }, {}],
    ['the API does not define it', { scope: 'openid read' }, { scopes: [WRITE] }],
  ])('is omitted if %s', async (_, client, api) => {
    const { identifier } = await registerApi(api)
    const app = await registerApp({ resources: [identifier], first_party: true, ...client })

    expect(await app.exchange(await app.authorize('openid read', [identifier]))).toMatchObject({
      scope: 'openid',
    })
  })

  it('is omitted from a token that is not for its API', async () => {
    const orders = await registerApi()
    const stock = await registerApi({ scopes: [WRITE] })
    const resources = [orders.identifier, stock.identifier]
    const app = await registerApp({ resources, first_party: true })

    const response = await app.authorize('openid read write', resources)
    const tokens = await app.exchange(response, { resource: stock.identifier })

    expect(tokens.scope).toBe('openid write')
  })

  it('is omitted from the next token when the API, or the client’s access, is changed', async () => {
    const { identifier } = await registerApi()
    const app = await registerApp({ resources: [identifier], first_party: true })
    const granted = await app.authorize('read write offline_access', [identifier])
    let { refresh_token } = await app.exchange(granted)
    const refresh = async () => {
      const response = await app.requestTokens({ grant_type: 'refresh_token', refresh_token })
      const tokens = await response.json<Tokens>()
      refresh_token = tokens.refresh_token
      return { scope: tokens.scope, aud: decodeJwt(tokens.access_token).aud }
    }

    await apiStore.update(env, config, {
      id: identifier,
      changes: { scopes: [READ] },
      origin: ORIGIN,
    })
    expect(await refresh()).toEqual({ scope: 'read offline_access', aud: identifier })
    const changes = { resources: [] }
    await clientStore.update(env, config, { id: app.clientId, changes, origin: ORIGIN })
    expect(await refresh()).toEqual({ scope: 'offline_access', aud: 'https://login.example' })
  })
})

describe('the consent page', () => {
  it('shows the name of the API and a sentence for each scope, and covers exactly these', async () => {
    const { identifier } = await registerApi({ name: 'Orders <b>&' })
    const other = await registerApi({ name: 'Stock' })
    const resources = [identifier, other.identifier]
    const app = await registerApp({ resources })
    const browser = app.browser()

    const page = await app.authorize('openid read', [identifier], browser)
    const html = await page.clone().text()
    expect(html).toContain('Orders &lt;b&gt;&amp;')
    expect(html).toContain('<bdi>Read your orders</bdi>')
    expect(html).not.toContain('Change your orders')
    expect((await app.exchange(await approveConsent(browser, page))).scope).toBe('openid read')

    expect((await app.authorize('openid read', [identifier], browser)).status).toBe(303)
    await shownConsent(await app.authorize('openid read write', [identifier], browser))
    await approveConsent(browser, await app.authorize('openid', resources, browser))
    // The other API has a scope with the same name, which the user has not agreed to.
    await shownConsent(await app.authorize('openid read', [other.identifier], browser))
  })

  it('leads to an entry on the account page with the same name and sentences', async () => {
    const { identifier } = await registerApi()
    const app = await registerApp({ resources: [identifier] })
    const browser = app.browser()
    await approveConsent(browser, await app.authorize('openid read', [identifier], browser))

    const html = await (await browser.get('/account')).text()

    expect(html).toContain(
      '<li>Recognise you when you come back</li><li>Orders: Read your orders.</li>',
    )
    expect(html).not.toContain(identifier)
  })

  it('grants nothing that it did not show, if the API was changed while it was open', async () => {
    const { identifier } = await registerApi({ scopes: [READ] })
    const app = await registerApp({ resources: [identifier] })
    const before = app.browser()
    const shown = await shownConsent(await app.authorize('openid read write', [identifier], before))
    await apiStore.update(env, config, {
      id: identifier,
      changes: { scopes: [READ, WRITE] },
      origin: ORIGIN,
    })
    const browser = app.browser().withCookiesOf(before)

    const approved = await browser.post('/oidc/consent', { ...shown, answer: 'approve' })
    const response = await browser.get(await continueUrl(approved))

    await shownConsent(response)
  })
})

describe('the lifetime of an access token', () => {
  it('is that of its API, and the shortest if there are several', async () => {
    const long = await registerApi({ access_token_lifetime: 7200 })
    const short = await registerApi({ access_token_lifetime: 60 })
    const resources = [long.identifier, short.identifier]
    const app = await registerApp({ resources, first_party: true })

    const one = await app.exchange(await app.authorize('openid', [long.identifier]))
    const both = await app.exchange(await app.authorize('openid', resources))
    const mixed = await app.exchange(await app.authorize('openid', resources), {
      resource: long.identifier,
    })

    expect([one, both, mixed].map(({ expires_in }) => expires_in)).toEqual([7200, 60, 7200])
    const { iat = 0, exp = 0 } = decodeJwt(one.access_token)
    expect(exp - iat).toBe(7200)
  })

  it('is also how long introspection reports a token without a refresh token as active', async () => {
    stopClock()
    const { identifier } = await registerApi({ access_token_lifetime: 7200 })
    const credentials = await registerIntrospector(identifier)
    const app = await registerApp({ resources: [identifier], first_party: true })
    const { access_token } = await app.exchange(await app.authorize('openid', [identifier]))
    const introspect = async () => {
      const form = { token: access_token }
      const request = formRequest('/oidc/introspect', form, credentials)
      return (await newIsolate().service(request)).json()
    }

    advanceClock(7199)
    expect(await introspect()).toMatchObject({ active: true })
    advanceClock(1)
    expect(await introspect()).toEqual({ active: false })
  })

  it.each([59, 86_401, 1.5, '600', null])('cannot be %j', async (access_token_lifetime) => {
    const registration = {
      identifier: `https://${newId('api')}.example`,
      access_token_lifetime: access_token_lifetime ?? Number.NaN,
    }

    await expect(
      apiStore.create(env, config, { registration, origin: ORIGIN }),
    ).rejects.toMatchObject({
      message: expect.stringMatching(
        /^access_token_lifetime must be a whole number of seconds from 60 to 86400/,
      ),
    })
  })
})

describe('the registration of an API', () => {
  it.each([
    [{ scopes: [{ name: 'openid', description: 'x' }] }, 'is a scope of OpenID Connect.'],
    [{ scopes: [{ name: 'a b', description: 'x' }] }, 'is not a scope.'],
    [{ scopes: [READ, READ] }, 'has two entries with the same name.'],
    [{ scopes: [{ name: 'x', description: '' }] }, 'is empty.'],
    [{ scopes: [{ name: 'x', description: 'x'.repeat(201) }] }, 'is too long.'],
    [{ scopes: [{ name: 'x', description: 'a\u202eb' }] }, 'contains control characters.'],
    [{ clients: 'shop' }, 'clients'],
    [{ audience: 'x' }, 'audience does not exist: the names are identifier, name, '],
  ])('is rejected with %o', async (fields, problem) => {
    const registration = { identifier: `https://${newId('api')}.example`, ...fields }

    await expect(
      apiStore.create(env, config, { registration, origin: ORIGIN }),
    ).rejects.toMatchObject({
      message: expect.stringContaining(problem),
    })
  })
})

describe('a client that introspects the tokens for an API', () => {
  it('reads users’ tokens for this API, and no others', async () => {
    const [orders, stock] = [await registerApi(), await registerApi()]
    const resources = [orders.identifier, stock.identifier]
    const app = await registerApp({ resources, first_party: true })
    const { access_token } = await app.exchange(await app.authorize('read', [orders.identifier]))
    const introspect = async ({ identifier }: typeof orders) => {
      const credentials = await registerIntrospector(identifier)
      const request = formRequest('/oidc/introspect', { token: access_token }, credentials)
      return (await newIsolate().service(request)).json()
    }

    expect(await introspect(orders)).toMatchObject({ active: true, scope: 'read' })
    expect(await introspect(stock)).toEqual({ active: false })
  })

  it('[C] gets no token for itself, unless it is registered for an API', async () => {
    const { identifier } = await registerApi({ client_credentials: true })
    const credentials = await registerIntrospector(identifier)
    const form = { grant_type: 'client_credentials', resource: identifier }

    const response = await newIsolate().service(formRequest('/oidc/token', form, credentials))

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'invalid_target' })
  })
})

describe.each([
  ['the settings', storeInSettings],
  ['the database', storeInDatabase],
])('an API whose entry in %s is invalid', (place, store) => {
  it.each([
    ['has a field that does not exist', { single_audiences: true }],
    ['has an invalid value', { access_token_type: 'opaque' }],
    [
      'requires what a feature does that is not listed',
      { dpop_bound_access_tokens_required: true },
    ],
    ['has an identifier that is not an https URL', { identifier: 'http://notes.example' }],
    ['has no identifier', { identifier: undefined }],
    ['is no table', undefined],
  ])('gets no tokens, and none of its tokens is active: it %s', async (_what, change) => {
    const identifier = `https://${newId('api')}.example`
    const app = await registerApp({ resources: [identifier], first_party: true })
    const { access_token } = await app.exchange(await app.authorize('openid', [identifier]))
    const credentials = await registerIntrospector(identifier)
    const entry = change && { identifier, client_credentials: true, ...change }
    const { service } = newIsolate(await store(identifier, entry))
    const browser = new Browser(service).withCookiesOf(app.browser())

    const refused = await app.authorize('openid', [identifier], browser)
    const withoutResource = await app.authorize('openid', [], browser)
    const introspection = await service(
      formRequest('/oidc/introspect', { token: access_token }, credentials),
    )

    const location = new URL(refused.headers.get('Location') ?? '')
    expect(location.searchParams.get('error')).toBe('invalid_target')
    expect(location.searchParams.get('error_description')).toContain('is disabled')
    expect(await introspection.json()).toEqual({ active: false })
    const other = await app.exchange(withoutResource, {}, service)
    expect(decodeJwt(other.access_token).aud).toBe('https://login.example')
  })

  it('issues no tokens to machines, which could have used it before', async () => {
    const identifier = `https://${newId('api')}.example`
    const machine = { grant_types: ['client_credentials'], resources: [identifier] }
    const app = await registerApp({ ...machine, redirect_uris: undefined })
    const entry = { identifier, client_credentials: true }
    const form = { grant_type: 'client_credentials' }
    const request = (settings: Record<string, unknown>, resource?: string) =>
      app.requestTokens({ ...form, ...(resource && { resource }) }, newIsolate(settings).service)

    const valid = await request({ APIS: [entry] })
    const settings = await store(identifier, { ...entry, single_audiences: true })
    const invalid = [await request(settings), await request(settings, identifier)]

    expect(valid.status, place).toBe(200)
    for (const response of invalid) {
      expect(await response.json()).toMatchObject({ error: 'invalid_target' })
    }
  })
})

async function storeInSettings(identifier: string, entry: object | undefined) {
  return { APIS: [entry ?? identifier] }
}

/** Writes a row as another program could. Its identifier is a column, which is never missing. */
async function storeInDatabase(identifier: string, entry: object | undefined) {
  const { identifier: id = '', ...registration } = { identifier, ...entry }
  await env.DIRECTORY.prepare('INSERT INTO apis VALUES (?, ?, 1, 1)')
    .bind(id, entry ? JSON.stringify(registration) : '"text"')
    .run()
  // It may be meant for any API, also those of other tests.
  onTestFinished(async () => {
    await env.DIRECTORY.prepare('DELETE FROM apis WHERE identifier = ?').bind(id).run()
  })
  return {}
}

describe('an invalid entry of APIS', () => {
  /** The settings of a deployment in which the entry of this API is invalid. */
  const withInvalid = (identifier: string) => ({
    APIS: [{ identifier, single_audiences: true }],
  })

  /** What the service does whose settings these are. */
  async function withApp(identifier: string, settings: Record<string, unknown>) {
    const machine = { grant_types: ['authorization_code', 'refresh_token', 'client_credentials'] }
    const app = await registerApp({ ...machine, resources: [identifier], first_party: true })
    const { service } = newIsolate(settings)
    const authorize = (
      scope: string,
      resources: readonly string[],
      browser = new Browser(service).withCookiesOf(app.browser()),
    ) => app.authorize(scope, resources, browser)
    return { ...app, service, authorize }
  }

  const errorOf = (response: Response) =>
    new URL(response.headers.get('Location') ?? '').searchParams.get('error')

  it.each([
    ['in the database, too', () => registerApi({ client_credentials: true })],
    ['nowhere else', async () => ({ identifier: `https://${newId('api')}.example` })],
  ])('is disabled: nobody gets tokens for an API that is %s', async (_where, create) => {
    const { identifier } = await create()
    const app = await withApp(identifier, withInvalid(identifier))

    const refused = await app.authorize('openid', [identifier])
    const machine = await app.requestTokens(
      { grant_type: 'client_credentials', resource: identifier },
      app.service,
    )

    expect(errorOf(refused)).toBe('invalid_target')
    expect(refused.headers.get('Location')).toContain('APIS')
    expect(await machine.json()).toMatchObject({ error: 'invalid_target' })
    // Without a resource, the token would be for the first of the client's resources.
    const other = await app.exchange(await app.authorize('openid', []), {}, app.service)
    expect(decodeJwt(other.access_token).aud).toBe('https://login.example')
  })

  it('ends neither sign-ins nor other APIs, and /readyz and the log name it', async () => {
    const { identifier } = await registerApi()
    const invalid = `https://${newId('api')}.example`
    const app = await withApp(identifier, withInvalid(invalid))

    const tokens = await app.exchange(
      await app.authorize('openid read', [identifier]),
      {},
      app.service,
    )
    const ready = await app.service(new Request('https://login.example/readyz'))

    expect(decodeJwt(tokens.access_token)).toMatchObject({ scope: 'openid read' })
    expect(ready.status).toBe(503)
    const problem = 'APIS.0.single_audiences does not exist: did you mean'
    expect(await ready.text()).toContain(problem)
    expect(lastLogEntry('misconfigured').cause).toContain(problem)
  })

  it('refuses refreshes, codes and introspections of what was granted before', async () => {
    const { identifier } = await registerApi()
    const app = await withApp(identifier, withInvalid(identifier))
    const introspector = await registerIntrospector(identifier)
    const grant = () => app.authorize('openid offline_access read', [identifier], app.browser())
    const tokens = await app.exchange(await grant())
    const code = await grant()
    const introspect = async (service: typeof app.service) => {
      const form = { token: tokens.access_token }
      return (await service(formRequest('/oidc/introspect', form, introspector))).json()
    }

    expect(await introspect(newIsolate().service)).toMatchObject({ active: true })
    expect(await introspect(app.service)).toEqual({ active: false })
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    const refused = await app.requestTokens({ ...form, resource: identifier }, app.service)
    expect(await refused.json()).toMatchObject({ error: 'invalid_target' })
    const redeemed = await app.exchange(code, {}, app.service)
    expect(decodeJwt(redeemed.access_token)).toMatchObject({ aud: 'https://login.example' })
  })

  it('is not what a token is for without a resource, if the client may use another API', async () => {
    const { identifier } = await registerApi()
    const invalid = `https://${newId('api')}.example`
    const app = await registerApp({ resources: [invalid, identifier], first_party: true })
    const { service } = newIsolate(withInvalid(invalid))
    const browser = new Browser(service).withCookiesOf(app.browser())

    const tokens = await app.exchange(await app.authorize('openid', [], browser), {}, service)

    expect(decodeJwt(tokens.access_token).aud).toEqual([identifier, 'https://login.example'])
  })

  it('disables one API if that is listed twice, and no others', async () => {
    const { identifier } = await registerApi()
    const twice = `https://${newId('api')}.example`
    const APIS = [{ identifier: twice }, { identifier: twice }]
    const app = await withApp(identifier, { APIS })
    const appOfDisabled = await withApp(twice, { APIS })

    const granted = await app.authorize('openid', [identifier])
    const { access_token } = await app.exchange(granted, {}, app.service)

    expect(decodeJwt(access_token).aud).toEqual([identifier, 'https://login.example'])
    expect(errorOf(await appOfDisabled.authorize('openid', [twice]))).toBe('invalid_target')
  })

  it('does not concern tokens for the service itself if it has no valid identifier', async () => {
    const app = await registerApp({ first_party: true })
    const { access_token } = await app.exchange(await app.authorize('openid', []))
    const introspector = await registerIntrospector('https://login.example')
    const { service } = newIsolate({ APIS: [{ identifier: 'http://invalid.example' }] })

    const request = formRequest('/oidc/introspect', { token: access_token }, introspector)

    expect(await (await service(request)).json()).toMatchObject({ active: true })
  })

  it('refuses every API outside the settings if it has no valid identifier', async () => {
    const { identifier } = await registerApi()
    const APIS = [
      { identifier: `http://${newId('api')}.example` },
      { identifier: 'https://ok.example' },
    ]
    const app = await withApp(identifier, { APIS })
    const clients = await withApp('https://ok.example', { APIS })

    expect(errorOf(await app.authorize('openid', [identifier]))).toBe('invalid_target')
    const tokens = await clients.exchange(
      await clients.authorize('openid', ['https://ok.example']),
      {},
      clients.service,
    )
    expect(decodeJwt(tokens.access_token).aud).toEqual([
      'https://ok.example',
      'https://login.example',
    ])
  })
})
