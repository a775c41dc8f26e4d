import { env } from 'cloudflare:workers'
import { SignJWT } from 'jose'
import { apiStore } from '../../../src/administration/registrations/api-store.ts'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import { POLL_INTERVAL } from '../../../src/features/device/stored-request.ts'
import { Browser, LOGIN } from '../../browser.ts'
import { advanceClock } from '../../clock.ts'
import { continueUrl } from '../../continue-url.ts'
import {
  basic,
  bearer,
  formRequest,
  logoutUrl,
  OFFLINE_ACCESS,
  type ParameterChanges,
  RelyingApp,
  signingKey,
} from '../../core/oidc/relying-app.ts'
import keys from '../../core/oidc/signing-keys.json'
import { approveConsent, consentForm } from '../../core/oidc/user-steps.ts'
import { config, newId, ORIGIN, redirectUri } from '../../core/registrations/stored-clients.ts'
import { UnregisteredApp } from '../../features/agents/unregistered-app.ts'
import {
  AppProvider,
  ID_TOKEN,
  OWN_APP,
  TOKEN_EXCHANGE,
} from '../../features/native-apps/native-app.ts'
import { hiddenFields } from '../../html.ts'
import { redeemCode } from '../../redeem-code.ts'
import { redirectUrl } from '../../redirect.ts'
import { userObject } from '../../storage.ts'
import { newIsolate } from '../isolate.ts'
import {
  at,
  type DescribedRequest,
  forgetDocuments,
  newUser,
  once,
  open,
} from './described-request.ts'

/** The only OpenID Provider of the matrix, whose ID tokens native apps exchange. */
export const appProvider = new AppProvider()

/** A machine client and an API of the settings. */
export const SETTINGS_API = {
  identifier: 'https://machines.example',
  client_credentials: true,
  scopes: [{ name: 'stock:read', description: 'Read the stock.' }],
}
export const SETTINGS_MACHINE = {
  client_id: 'matrix-machine',
  grant_types: ['client_credentials'],
  scope: 'stock:read',
  resources: [SETTINGS_API.identifier],
}
export const MACHINE_SECRET = 'machine-secret'

interface Tokens {
  access_token: string
  refresh_token: string
  id_token: string
}

/** A user who is signed in to an app of the settings, and the app's tokens. */
async function userWithTokens(clientId = 'certifier', changes: ParameterChanges = OFFLINE_ACCESS) {
  const user = await newUser()
  const app = new RelyingApp(clientId)
  const callback = await app.callbackFor(user.browser, changes)
  const response = await redeemCode(user.browser, app, callback)
  return { ...user, app, tokens: await response.json<Tokens>() }
}

/** Whether neither the session nor the grants of its apps are left. */
async function isSignedOut(browser: Browser, userId: string): Promise<boolean> {
  const session = await at(newIsolate(), browser).session()
  return session === null && (await userObject(userId).readUserData()).grants.length === 0
}

/** A client of the database. Isolates that have used it before know it. */
const storedClient = once(() => registerClient())

/** A machine and its API of the database. */
const storedMachine = once(async () => {
  const identifier = `https://${newId('api')}.example`
  const registration = { ...SETTINGS_API, identifier }
  await apiStore.create(env, config, { registration, origin: ORIGIN })
  return registerClient({
    ...SETTINGS_MACHINE,
    redirect_uris: undefined,
    first_party: undefined,
    resources: [identifier],
  })
})

/** A client that publishes its metadata. */
const unregisteredApp = once(() => new UnregisteredApp().publish())

async function registerClient(fields: Record<string, unknown> = {}) {
  const clientId = newId('matrix')
  const { secret = '' } = await clientStore.create(env, config, {
    registration: {
      redirect_uris: [redirectUri(clientId)],
      first_party: true,
      token_endpoint_auth_method: 'client_secret_basic',
      ...fields,
      client_id: clientId,
    },
    origin: ORIGIN,
  })
  return { clientId, secret }
}

/** The authorization request of a client with this id. */
function requestOf(clientId: string, redirect_uri: string): string {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri,
    response_type: 'code',
    scope: 'openid offline_access',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  })
  return `/oidc/authorize?${query}`
}

const VERIFIER = 'v'.repeat(43)
const CHALLENGE = '7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM'

async function clientAssertion(): Promise<string> {
  return new SignJWT({ jti: crypto.randomUUID() })
    .setProtectedHeader({ alg: 'ES256', kid: keys.signer.kid })
    .setIssuer('signer')
    .setSubject('signer')
    .setAudience(LOGIN)
    .setIssuedAt()
    .setExpirationTime('1m')
    .sign(await signingKey())
}

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'

async function startDevice(browser: Browser) {
  const response = await browser.fetch('/oidc/device', {
    form: { client_id: 'television', ...OFFLINE_ACCESS },
  })
  return response.json<{ device_code: string; user_code: string }>()
}

/** A token request of an app that has a code. */
function codeRequest(
  variant: string,
  prepare: () => Promise<{ userId: string; request: () => Request | Promise<Request> }>,
): DescribedRequest {
  return {
    route: 'POST /oidc/token',
    variant,
    async prepare() {
      const { userId, request } = await prepare()
      return {
        send: async (service) => service(await request()),
        isStored: async () => (await userObject(userId).readUserData()).grants.length > 0,
      }
    },
    isSingleUse: true,
  }
}

/** The code of an app of the settings. */
async function codeOf(clientId: string, changes: ParameterChanges = OFFLINE_ACCESS) {
  const { browser, userId } = await newUser()
  const app = new RelyingApp(clientId)
  const callback = await app.callbackFor(browser, changes)
  return { userId, form: app.codeExchangeForm(callback) }
}

/** `/oidc`: what apps and their users request. */
export const oidcRequests: DescribedRequest[] = [
  {
    route: 'GET /oidc/authorize',
    variant: 'not signed in',
    async prepare() {
      const url = await new RelyingApp('certifier').authorizationUrl()
      return { send: (service) => new Browser(service).get(url) }
    },
  },
  {
    route: 'GET /oidc/authorize',
    variant: 'signed in',
    async prepare() {
      const { browser } = await newUser()
      const url = await new RelyingApp('certifier').authorizationUrl()
      return { send: (service) => at(service, browser).get(url) }
    },
  },
  {
    route: 'GET /oidc/authorize',
    variant: 'a client in the database',
    async prepare() {
      const { browser } = await newUser()
      const { clientId } = await storedClient()
      const url = requestOf(clientId, redirectUri(clientId))
      return { send: (service) => at(service, browser).get(url) }
    },
  },
  {
    route: 'GET /oidc/authorize',
    variant: 'an unregistered client',
    async prepare() {
      const { browser } = await newUser()
      const app = await unregisteredApp()
      await app.authorize(browser)
      const url = await app.authorizationPath()
      return { send: (service) => at(service, browser).get(url) }
    },
  },
  {
    route: 'GET /oidc/authorize',
    variant: 'a pushed request',
    async prepare() {
      const { browser } = await newUser()
      const app = new RelyingApp('certifier')
      const form = Object.fromEntries(new URL(await app.authorizationUrl()).searchParams)
      const response = await browser.fetch('/oidc/par', { form, headers: basic('certifier') })
      const { request_uri } = await response.json<{ request_uri: string }>()
      const query = new URLSearchParams({ client_id: 'certifier', request_uri })
      return { send: (service) => at(service, browser).get(`/oidc/authorize?${query}`) }
    },
    isSingleUse: true,
  },
  {
    route: 'POST /oidc/authorize',
    async prepare() {
      const { browser } = await newUser()
      const form = Object.fromEntries(
        new URL(await new RelyingApp('certifier').authorizationUrl()).searchParams,
      )
      return { send: (service) => at(service, browser).fetch('/oidc/authorize', { form }) }
    },
  },
  {
    route: 'GET /oidc/authorize/:interaction',
    async prepare() {
      const { browser: signedIn } = await newUser()
      const browser = new Browser(newIsolate())
      const url = await new RelyingApp('certifier').authorizationUrl()
      const toSignIn = redirectUrl(await browser.get(url))
      const id = toSignIn.searchParams.get('interaction')
      browser.withCookiesOf(signedIn)
      return { send: (service) => at(service, browser).get(`/oidc/authorize/${id}`) }
    },
  },
  {
    route: 'POST /oidc/consent',
    async prepare() {
      const { browser, userId } = await newUser()
      const url = await new RelyingApp('kiosk').authorizationUrl()
      const form = await consentForm(await browser.get(url))
      const headers = { 'Sec-Fetch-Site': 'same-origin' }
      return {
        send: (service) => at(service, browser).fetch('/oidc/consent', { form, headers }),
        isStored: async () => (await userObject(userId).readUserData()).consents.length > 0,
      }
    },
  },
  {
    route: 'POST /oidc/consent',
    variant: 'an unregistered client',
    async prepare() {
      const { browser, userId } = await newUser()
      const app = await unregisteredApp()
      const form = await consentForm(await app.authorize(browser))
      const headers = { 'Sec-Fetch-Site': 'same-origin' }
      return {
        send: (service) => at(service, browser).fetch('/oidc/consent', { form, headers }),
        isStored: async () => (await userObject(userId).readUserData()).consents.length > 0,
      }
    },
  },
  {
    route: 'POST /oidc/par',
    async prepare() {
      const url = new URL(await new RelyingApp('certifier').authorizationUrl())
      const form = Object.fromEntries(url.searchParams)
      return {
        send: (service) =>
          new Browser(service).fetch('/oidc/par', { form, headers: basic('certifier') }),
      }
    },
  },
  codeRequest('a code', async () => {
    const { userId, form } = await codeOf('certifier')
    return { userId, request: () => formRequest('/oidc/token', form, basic('certifier')) }
  }),
  codeRequest('a code, for an API outside the settings', async () => {
    const resource = 'https://stock.example'
    const { userId, form } = await codeOf('web', { ...OFFLINE_ACCESS, resource })
    return { userId, request: () => formRequest('/oidc/token', form, basic('web')) }
  }),
  codeRequest('a code, a client in the database', async () => {
    const { browser, userId } = await newUser()
    const { clientId, secret } = await storedClient()
    const callback = redirectUrl(await browser.get(requestOf(clientId, redirectUri(clientId))))
    const form = {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: redirectUri(clientId),
      code_verifier: VERIFIER,
    }
    return { userId, request: () => formRequest('/oidc/token', form, basic(clientId, secret)) }
  }),
  codeRequest('a code, private_key_jwt', async () => {
    const { userId, form } = await codeOf('signer')
    const request = async () =>
      formRequest('/oidc/token', {
        ...form,
        client_assertion_type: ASSERTION_TYPE,
        client_assertion: await clientAssertion(),
      })
    return { userId, request }
  }),
  codeRequest('a code, an unregistered client', async () => {
    const { browser, userId } = await newUser()
    const app = await unregisteredApp()
    const code = await app.code(browser)
    const form = {
      grant_type: 'authorization_code',
      client_id: app.clientId,
      code,
      redirect_uri: app.redirectUri,
      code_verifier: app.verifier,
    }
    return { userId, request: () => formRequest('/oidc/token', form) }
  }),
  {
    route: 'POST /oidc/token',
    variant: 'a refresh token',
    async prepare() {
      const { tokens } = await userWithTokens()
      const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
      return { send: (service) => service(formRequest('/oidc/token', form, basic('certifier'))) }
    },
  },
  {
    route: 'POST /oidc/token',
    variant: 'a refresh token, for an API outside the settings',
    async prepare() {
      const changes = { ...OFFLINE_ACCESS, resource: 'https://stock.example' }
      const { tokens } = await userWithTokens('web', changes)
      const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
      return { send: (service) => service(formRequest('/oidc/token', form, basic('web'))) }
    },
  },
  {
    route: 'POST /oidc/token',
    variant: 'a machine of the settings',
    prepare: async () => ({
      send: (service) =>
        service(
          formRequest(
            '/oidc/token',
            { grant_type: 'client_credentials' },
            basic(SETTINGS_MACHINE.client_id, MACHINE_SECRET),
          ),
        ),
    }),
  },
  {
    route: 'POST /oidc/token',
    variant: 'a machine in the database',
    async prepare() {
      const { clientId, secret } = await storedMachine()
      const form = { grant_type: 'client_credentials' }
      return {
        send: (service) => service(formRequest('/oidc/token', form, basic(clientId, secret))),
      }
    },
  },
  {
    route: 'POST /oidc/token',
    variant: 'a device, waiting',
    isError: true,
    async prepare() {
      const { device_code } = await startDevice(new Browser(newIsolate()))
      const form = { grant_type: DEVICE_CODE, client_id: 'television', device_code }
      return { send: (service) => service(formRequest('/oidc/token', form)) }
    },
  },
  codeRequest('a device, approved', async () => {
    const { browser, userId } = await newUser()
    const { device_code, user_code } = await startDevice(browser)
    const entered = await browser.post('/device', { user_code })
    await approveConsent(browser, await browser.get(await continueUrl(entered)))
    const form = { grant_type: DEVICE_CODE, client_id: 'television', device_code }
    const request = () => {
      advanceClock(POLL_INTERVAL)
      return formRequest('/oidc/token', form)
    }
    return { userId, request }
  }),
  {
    route: 'POST /oidc/token',
    variant: 'an ID token of a native app',
    forgetCopies: forgetDocuments,
    async prepare() {
      const browser = new Browser(newIsolate())
      const challenge = await browser.fetch('/oidc/challenge', {
        form: { client_id: OWN_APP.client_id },
      })
      const { nonce } = await challenge.json<{ nonce: string }>()
      const form = {
        grant_type: TOKEN_EXCHANGE,
        client_id: OWN_APP.client_id,
        provider: 'oidc',
        subject_token: await appProvider.sign({ sub: crypto.randomUUID(), nonce }),
        nonce,
        subject_token_type: ID_TOKEN,
        scope: 'openid profile offline_access',
      }
      return { send: (service) => service(formRequest('/oidc/token', form)) }
    },
    isSingleUse: true,
  },
  {
    route: 'POST /oidc/token',
    variant: 'a wrong secret',
    isError: true,
    prepare: async () => ({
      send: (service) =>
        service(
          formRequest(
            '/oidc/token',
            { grant_type: 'refresh_token', refresh_token: 'x' },
            basic('certifier', 'wrong'),
          ),
        ),
    }),
  },
  {
    route: 'POST /oidc/challenge',
    prepare: async () => ({
      send: (service) => service(formRequest('/oidc/challenge', { client_id: OWN_APP.client_id })),
    }),
  },
  ...(['GET', 'POST'] as const).map((method) => ({
    route: `${method} /oidc/userinfo`,
    async prepare() {
      const { tokens } = await userWithTokens()
      const headers = bearer(tokens.access_token)
      return {
        send: (service: (request: Request) => Promise<Response>) =>
          new Browser(service).fetch('/oidc/userinfo', { method, headers }),
      }
    },
  })),
  {
    route: 'POST /oidc/introspect',
    variant: 'an access token',
    async prepare() {
      const { tokens } = await userWithTokens()
      const form = { token: tokens.access_token }
      return {
        send: (service) => service(formRequest('/oidc/introspect', form, basic('certifier'))),
      }
    },
  },
  {
    route: 'POST /oidc/introspect',
    variant: 'a refresh token',
    async prepare() {
      const { tokens } = await userWithTokens()
      const form = { token: tokens.refresh_token }
      return {
        send: (service) => service(formRequest('/oidc/introspect', form, basic('certifier'))),
      }
    },
  },
  {
    route: 'POST /oidc/introspect',
    variant: 'a token of a machine',
    async prepare() {
      const credentials = basic(SETTINGS_MACHINE.client_id, MACHINE_SECRET)
      const form = { grant_type: 'client_credentials' }
      const response = await newIsolate()(formRequest('/oidc/token', form, credentials))
      const { access_token: token } = await response.json<Tokens>()
      return { send: (service) => service(formRequest('/oidc/introspect', { token }, credentials)) }
    },
  },
  {
    route: 'POST /oidc/revoke',
    async prepare() {
      const { tokens, userId } = await userWithTokens()
      const form = { token: tokens.refresh_token }
      return {
        send: (service) => service(formRequest('/oidc/revoke', form, basic('certifier'))),
        isStored: async () => (await userObject(userId).readUserData()).grants.length === 0,
      }
    },
  },
  {
    route: 'GET /oidc/logout',
    async prepare() {
      const { browser, tokens, userId } = await userWithTokens()
      const url = logoutUrl({ id_token_hint: tokens.id_token })
      return {
        send: (service) => at(service, browser).get(url),
        isStored: () => isSignedOut(browser, userId),
      }
    },
  },
  {
    // It leads to the same URL with GET.
    route: 'POST /oidc/logout',
    async prepare() {
      const { browser, tokens } = await userWithTokens()
      const form = { id_token_hint: tokens.id_token }
      return { send: (service) => at(service, browser).fetch('/oidc/logout', { form }) }
    },
  },
  {
    route: 'POST /oidc/logout/confirm',
    async prepare() {
      const { browser, userId } = await userWithTokens()
      const page = await (await browser.get(logoutUrl({ client_id: 'certifier' }))).text()
      const form = Object.fromEntries(hiddenFields(page))
      return {
        send: (service) => at(service, browser).post('/oidc/logout/confirm', form),
        isStored: () => isSignedOut(browser, userId),
      }
    },
  },
  {
    route: 'POST /oidc/device',
    prepare: async () => ({
      send: (service) =>
        service(formRequest('/oidc/device', { client_id: 'television', ...OFFLINE_ACCESS })),
    }),
  },
  open('GET /device'),
  {
    route: 'POST /device',
    async prepare() {
      const { browser } = await newUser()
      const { user_code } = await startDevice(browser)
      return { send: (service) => at(service, browser).post('/device', { user_code }) }
    },
  },
  {
    route: 'POST /oidc/register',
    prepare: async () => ({
      send: (service) =>
        service(
          new Request(`${LOGIN}/oidc/register`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ redirect_uris: ['http://127.0.0.1/callback'] }),
          }),
        ),
    }),
  },
]
