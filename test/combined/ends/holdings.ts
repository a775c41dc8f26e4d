import { decodeJwt } from 'jose'
import { expect } from 'vitest'
import { Browser, issuedSecrets, LOGIN } from '../../browser.ts'
import { continueUrl } from '../../continue-url.ts'
import { approveConsent, consentForm, signInOnPage } from '../../core/oidc/user-steps.ts'
import { ADMIN_API } from '../../features/admin/machine-client.ts'
import { callSdk, PROVIDER_CODE } from '../../features/native-apps/native-app.ts'
import { ProofKey } from '../../features/sender-constrained/proof-key.ts'
import { redirectUrl } from '../../redirect.ts'
import { type BareWorld, DEVICE_CODE, type World } from './world.ts'

/** Whether it is still valid. */
type Check = () => Promise<boolean>

/** Something that a browser, an app, an API or a device has, and that can end. */
export interface Holding {
  /**
   * Obtains it, and returns how its holder finds out whether it is valid. Undefined if it cannot
   * exist.
   */
  obtain(world: World): Promise<Check | undefined>
  /** It can be used once, and is checked this many seconds after the request. */
  usedAt?: number
  /** It is also checked when the access tokens have expired. */
  isConfirmedLater?: true
  /** The purposes of sealed values that this is, or that are behind it. */
  seals?: readonly string[]
  /** The grant types of requests for it. */
  grantTypes?: readonly string[]
}

const AUTHORIZATION = { seals: ['code', 'refresh'], grantTypes: ['authorization_code'] } as const

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'

export const HOLDINGS: Readonly<Record<string, Holding>> = {
  // First, because reading a session corrects its copy.
  'copy of the session': {
    obtain: ({ browser }) => copyCheck(browser),
  },
  'copy of a session elsewhere': {
    obtain: ({ elsewhere }) => copyCheck(elsewhere),
  },
  session: {
    seals: ['session'],
    obtain: async ({ browser }) => sessionCheck(browser),
  },
  'session elsewhere': {
    obtain: async ({ elsewhere }) => sessionCheck(elsewhere),
  },
  'console page': {
    async obtain({ browser, userId, administer }) {
      await administer(`/administrators/${userId}`, 'PUT', { role: 'support' })
      return async () => (await browser.get('/admin/users')).status === 200
    },
  },
  'session token: verify': {
    async obtain(world) {
      const { token } = await world.browser.json<{ token: string }>(
        `/api/auth/session?client_id=${world.clientId}`,
      )
      return verifyCheck(world.verifier(world.clientId, 'session'), token)
    },
  },
  'sign-in in progress': {
    usedAt: 0,
    seals: ['attempt', 'state'],
    async obtain({ service, handle }) {
      const browser = new Browser(service)
      const callback = await browser.approve(await browser.start(), handle)
      return async () => {
        await browser.get(callback)
        return (await browser.session()) !== null
      }
    },
  },
  'consent page': {
    usedAt: 0,
    seals: ['interaction', 'csrf'],
    async obtain({ service, browser, authorizationRequest }) {
      const using = new Browser(service).withCookiesOf(browser)
      const page = await using.get(
        `/oidc/authorize?${new URLSearchParams({
          ...without(authorizationRequest, 'resource'),
          client_id: 'kiosk',
          redirect_uri: 'https://kiosk.example/callback',
        })}`,
      )
      const form = await consentForm(page)
      return async () => {
        const headers = { 'Sec-Fetch-Site': 'same-origin' }
        const approved = await using.fetch('/oidc/consent', { form, headers })
        if (approved.status !== 200) return false
        const response = await using.get(await continueUrl(approved))
        return hasCode(response)
      }
    },
  },
  'pushed request': {
    usedAt: 0,
    seals: ['pushed'],
    async obtain({ bystander, post, clientId, authorizationRequest, operators }) {
      const { request_uri } = await post<{ request_uri: string }>('/oidc/par', authorizationRequest)
      const using = await bystander()
      return async () => {
        const browser = new Browser(operators).withCookiesOf(using)
        const query = new URLSearchParams({ client_id: clientId, request_uri })
        const response = await browser.get(`/oidc/authorize?${query}`)
        return hasCode(response) || (await response.text()).includes('id="approve"')
      }
    },
  },
  code: {
    usedAt: 0,
    seals: ['code'],
    async obtain({ code, redeem, operators }) {
      const obtained = await code()
      return async () => (await redeem(obtained, { via: operators })).access_token !== undefined
    },
  },
  'access token: userinfo': {
    ...AUTHORIZATION,
    async obtain({ service, tokens }) {
      const headers = { Authorization: `Bearer ${tokens.access_token}` }
      return async () =>
        (await service(new Request(`${LOGIN}/oidc/userinfo`, { headers }))).status === 200
    },
  },
  'access token: introspection': {
    async obtain({ post, tokens }) {
      return introspectionCheck(post, tokens.access_token)
    },
  },
  'access token: verify': {
    obtain: async (world) => verifyCheck(world.verifier(world.api), world.tokens.access_token),
  },
  'bound access token: userinfo': {
    seals: ['dpop'],
    async obtain({ service, boundTokens: { key, access_token } }) {
      const url = `${LOGIN}/oidc/userinfo`
      return async () => {
        const headers = await key.headers(url, access_token)
        return (await service(new Request(url, { headers }))).status === 200
      }
    },
  },
  'bound access token: verify': {
    async obtain(world) {
      const { key, access_token } = world.boundTokens
      const verifier = world.verifier(world.api)
      return async () => {
        const headers = await key.headers(world.api, access_token)
        return isAccepted(verifier.verify(new Request(world.api, { headers })))
      }
    },
  },
  'refresh token': {
    grantTypes: ['refresh_token'],
    async obtain({ refresh, tokens }) {
      return refreshCheck(refresh, tokens)
    },
  },
  'refresh token of a session elsewhere': {
    async obtain({ code, redeem, refresh, elsewhere }) {
      return refreshCheck(refresh, await redeem(await code(elsewhere)))
    },
  },
  'refresh token of another app': {
    async obtain({ service, browser, authorizationRequest }) {
      const client_id = 'native'
      const redirect_uri = 'http://127.0.0.1/callback'
      const request = { ...without(authorizationRequest, 'resource'), client_id, redirect_uri }
      const page = await browser.get(`/oidc/authorize?${new URLSearchParams(request)}`)
      const code = redirectUrl(await approveConsent(browser, page)).searchParams.get('code') ?? ''
      const post = async (form: Record<string, string>) => {
        const body = new URLSearchParams({ client_id, ...form })
        const response = await service(new Request(`${LOGIN}/oidc/token`, { method: 'POST', body }))
        return response.json<World['tokens']>()
      }
      const tokens = await post({
        grant_type: 'authorization_code',
        redirect_uri,
        code,
        code_verifier: 'v'.repeat(43),
      })
      return refreshCheck(
        (refresh_token) => post({ grant_type: 'refresh_token', refresh_token }),
        tokens,
      )
    },
  },
  "refresh token of a phone's session": {
    grantTypes: [PROVIDER_CODE],
    async obtain({ post, refresh, handle }) {
      const { code, code_verifier } = await callSdk(handle)
      const tokens = await post<World['tokens']>('/oidc/token', {
        grant_type: PROVIDER_CODE,
        provider: 'tiktok',
        scope: 'openid profile offline_access',
        code,
        code_verifier,
      })
      return refreshCheck(refresh, tokens)
    },
  },
  'session of vestibule-auth/server': {
    isConfirmedLater: true,
    async obtain({ app }) {
      return app && (() => app.isSignedIn())
    },
  },
  'device request, undecided': {
    usedAt: 60,
    seals: ['device'],
    grantTypes: [DEVICE_CODE],
    async obtain(world) {
      const device = await startDevice(world)
      const browser = await world.bystander()
      return async () => {
        if (!(await approveDevice(browser, device.user_code))) return false
        return (await pollDevice(world, device)) !== undefined
      }
    },
  },
  'device request, approved': {
    usedAt: 0,
    async obtain(world) {
      const device = await startDevice(world)
      expect(await approveDevice(world.browser, device.user_code)).toBe(true)
      return async () => (await pollDevice(world, device, world.operators)) !== undefined
    },
  },
  "provider's token: handed to the app": {
    seals: ['account'],
    grantTypes: [TOKEN_EXCHANGE],
    async obtain(world) {
      if (!(await exchangeProviderToken(world))) return undefined
      return async () => (await exchangeProviderToken(world)) !== undefined
    },
  },
  "provider's token: at the provider": {
    async obtain(world) {
      const token = await exchangeProviderToken(world)
      if (!token) return undefined
      const headers = { Authorization: `Bearer ${token}` }
      const url = 'https://open.tiktokapis.com/v2/user/info/?fields=open_id'
      return async () => (await fetch(url, { headers })).status === 200
    },
  },
  'machine token: introspection': {
    grantTypes: ['client_credentials'],
    async obtain({ post, machineToken }) {
      return introspectionCheck(post, machineToken)
    },
  },
  'machine token: verify': {
    obtain: async (world) => verifyCheck(world.verifier(world.api), world.machineToken),
  },
  'new machine token': {
    async obtain({ post }) {
      return async () => (await requestMachineToken(post)) !== undefined
    },
  },
  'command line of an administrator': {
    async obtain({ service, handle, userId, administer }) {
      await administer(`/administrators/${userId}`, 'PUT', { role: 'support' })
      const browser = new Browser(service)
      const client = { client_id: 'vestibule-login' }
      const key = await ProofKey.create()
      const post = async (path: string, form: Record<string, string>, headers = {}) => {
        const body = new URLSearchParams({ ...client, ...form })
        const request = new Request(`${LOGIN}${path}`, { method: 'POST', body, headers })
        return (await service(request)).json<Record<string, string>>()
      }
      const scope = 'offline_access admin:read admin:support'
      const device = await post('/oidc/device', { scope, resource: ADMIN_API })
      const { user_code = '', device_code = '' } = device
      const entered = await browser.post('/device', { user_code })
      const toSignIn = await browser.get(await continueUrl(entered))
      await approveConsent(browser, await signInOnPage(browser, toSignIn, handle))
      const form = { grant_type: DEVICE_CODE, device_code }
      const tokens = await post('/oidc/token', form, { DPoP: await key.proof() })
      const { access_token = '' } = tokens
      for (const secret of [device_code, access_token]) if (secret) issuedSecrets.add(secret)
      const url = `${ADMIN_API}/users`
      const statusWith = async (headers: Record<string, string>) =>
        (await service(new Request(url, { headers }))).status
      // It is bound to the key.
      expect(await statusWith({ Authorization: `Bearer ${access_token}` })).toBe(401)
      return async () => (await statusWith(await key.headers(url, access_token))) === 200
    },
  },
}

/** What apps, browsers and devices have that is no column, and why. */
export const NOT_HELD: Readonly<Record<string, string>> = {
  pending: 'The session counts only after the step: test/features/totp/attacks.test.ts.',
  keyring: 'Only the keyring has it.',
  proxy: 'Part of a sign-in in progress.',
  email: 'Part of a sign-in in progress, whose user is not known yet.',
  challenge: 'It gives access to nothing.',
  webhook: 'Only the service has it.',
  link: 'A link of an open account page, which needs its session: test/core/account/account-links.test.ts.',
  known: 'It gives access to nothing.',
  notice: 'It gives access to nothing.',
  entered: 'It gives access to nothing.',
  live: 'Of an open page of the console, which asks for the role again: test/features/admin/live.test.ts.',
  server: 'What vestibule-auth/server seals with a secret of its own.',
}

type Post = BareWorld['post']

/** What the app gets before anything else is obtained. */
export async function obtainTokens(world: BareWorld) {
  const { code, redeem, post } = world
  const usedCode = await code()
  const tokens = await redeem(usedCode)
  const key = await ProofKey.create()
  const bound = await redeem(await code(), { headers: { DPoP: await key.proof() } })
  return {
    usedCode,
    tokens,
    sid: String(decodeJwt(tokens.id_token)['sid']),
    boundTokens: { key, ...bound },
    machineToken: (await requestMachineToken(post)) ?? '',
    app: world.keys ? undefined : await signInToServer(world),
  }
}

/** Signs the user in to an app with `vestibule-auth/server`, which authenticates with a secret. */
async function signInToServer({ server, origin, browser }: BareWorld) {
  const login = server()
  const cookies = new Map<string, string>()
  const request = (url: string, method = 'GET') => {
    const Cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ')
    return new Request(url, { method, headers: { Cookie, Origin: origin } })
  }
  const visit = async (url: string, method?: string) => {
    const response = await login.handler(request(url, method))
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = cookie.match(/^(.+?)=(.*?);/) ?? []
      cookies.set(name, value)
      if (value) issuedSecrets.add(value)
    }
    return redirectUrl(response, 303).href
  }
  const callback = redirectUrl(await browser.get(await visit(`${origin}/auth/signin`)), 303)
  await visit(callback.href)
  const sent = request(origin)
  return {
    /** With a copy of the cookie. */
    isSignedIn: async () => (await login.getSession(sent)) !== null,
    /** Signs out of the app, and follows the redirect to the login service. */
    signOut: async () => browser.get(await visit(`${origin}/auth/signout`, 'POST')),
  }
}

async function requestMachineToken(post: Post): Promise<string | undefined> {
  const form = { grant_type: 'client_credentials', scope: 'stock:read' }
  return (await post<{ access_token?: string }>('/oidc/token', form)).access_token
}

function sessionCheck(browser: Browser): Check {
  return async () => (await browser.session()) !== null
}

/** What a frontend shows that only displays who is signed in. */
async function copyCheck(browser: Browser): Promise<Check> {
  const isShown = async () => (await browser.json('/api/auth/session?token=false')) !== null
  await isShown()
  return isShown
}

function introspectionCheck(post: Post, token: string): Check {
  return async () =>
    (await post<{ active?: boolean }>('/oidc/introspect', { token })).active === true
}

function verifyCheck(verifier: ReturnType<World['verifier']>, token: string): Check {
  return () => isAccepted(verifier.verify(token))
}

async function isAccepted(verified: Promise<unknown>): Promise<boolean> {
  return verified.then(
    () => true,
    () => false,
  )
}

/** Uses the token, and then its successor. */
function refreshCheck(refresh: World['refresh'], tokens: World['tokens']): Check {
  let { refresh_token } = tokens
  return async () => {
    const refreshed = await refresh(refresh_token)
    refresh_token = refreshed.refresh_token ?? refresh_token
    return refreshed.access_token !== undefined
  }
}

function hasCode(response: Response): boolean {
  const location = response.headers.get('Location')
  return location !== null && new URL(location, LOGIN).searchParams.has('code')
}

interface Device {
  device_code: string
  user_code: string
}

function startDevice({ post, api }: World): Promise<Device> {
  return post('/oidc/device', { scope: 'openid profile', resource: api })
}

/** Returns false if the request cannot be approved any more. */
async function approveDevice(browser: Browser, user_code: string): Promise<boolean> {
  const entered = await browser.post('/device', { user_code })
  if (!entered.headers.has('Refresh')) return false
  const page = await browser.get(await continueUrl(entered))
  if (page.status !== 200) return false
  return (await approveConsent(browser, page)).status === 303
}

async function pollDevice(
  { post, service }: World,
  { device_code }: Device,
  via = service,
): Promise<string | undefined> {
  const form = { grant_type: DEVICE_CODE, device_code }
  return (await post<{ access_token?: string }>('/oidc/token', form, { via })).access_token
}

async function exchangeProviderToken({ post, tokens }: World): Promise<string | undefined> {
  const form = {
    grant_type: TOKEN_EXCHANGE,
    subject_token: tokens.access_token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    audience: 'tiktok',
  }
  return (await post<{ access_token?: string }>('/oidc/token', form)).access_token
}

function without(request: Record<string, string>, name: string): Record<string, string> {
  const { [name]: _, ...rest } = request
  return rest
}
