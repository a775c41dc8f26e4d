import { env } from 'cloudflare:workers'
import { apiStore } from '../../../src/registrations/api-store.ts'
import { clientStore } from '../../../src/registrations/client-store.ts'
import { ADMIN_API, callApi } from '../../admin/machine-client.ts'
import { UnregisteredApp } from '../../agents/unregistered-app.ts'
import { Browser } from '../../browser.ts'
import { advanceClock, HOUR, MINUTE } from '../../clock.ts'
import { hiddenFields, inputValues, shownFields } from '../../html.ts'
import { basic, formRequest, RelyingApp } from '../../oidc/relying-app.ts'
import { approveConsent } from '../../oidc/user-steps.ts'
import { createPasskeyUser } from '../../passkeys/passkey-user.ts'
import { config, newId, ORIGIN, redirectUri } from '../../registrations/stored-clients.ts'
import { newIsolate, type Service } from '../isolate.ts'
import { at, type DescribedRequest, newUser, type PreparedRequest } from './described-request.ts'
import { MACHINE_SECRET } from './oidc.ts'

/** The client of the settings that calls the admin API. */
export const ADMIN_MACHINE = {
  client_id: 'matrix-admin',
  grant_types: ['client_credentials'],
  scope: 'admin:read admin:write admin:administrators',
  resources: [ADMIN_API],
}

/** The administrator of the settings. */
let administrator: { browser: Browser; handle: string; signedInAt: number } | undefined

/** Changes need a sign-in of the last ten minutes. */
const SIGN_IN_INTERVAL = 4 * MINUTE

/** Signs the administrator in, who is then to be listed in the settings. Returns the user's id. */
export async function createAdministrator(): Promise<string> {
  const { browser, handle, userId } = await newUser()
  administrator = { browser, handle, signedInAt: Date.now() / 1000 }
  return userId
}

/** The administrator's browser, which has signed in recently. */
async function administratorBrowser(): Promise<Browser> {
  if (!administrator) throw new Error('There is no administrator.')
  const { handle, signedInAt } = administrator
  const now = Date.now() / 1000
  if (Math.abs(now - signedInAt) < SIGN_IN_INTERVAL) return administrator.browser
  const browser = new Browser(newIsolate())
  await browser.signIn(handle, { prompt: 'login' })
  administrator = { browser, handle, signedInAt: now }
  return browser
}

/** The parameters of a path, by name. */
type Parameters = Record<string, string>

/** What all pages of a section show. Only requests that change something need one of their own. */
const shownTargets = new Map<string, Promise<Parameters>>()

function shownTarget(section: string, create: () => Promise<Parameters>): Promise<Parameters> {
  const target = shownTargets.get(section) ?? create()
  shownTargets.set(section, target)
  return target
}

/** Creates what a path of this section is about. */
const TARGETS: Record<string, (path: string) => Promise<Parameters>> = {
  clients: async () => ({ id: await storedClient() }),
  apis: async () => {
    const identifier = `https://${newId('api')}.example`
    await apiStore.create(env, config, { registration: { identifier }, origin: ORIGIN })
    return { id: identifier }
  },
  users: async (path) => {
    // Not the last way to sign in.
    const isRemoval = path.includes(':account')
    const { browser, userId } = await (isRemoval
      ? createPasskeyUser(new Browser(newIsolate()))
      : newUser())
    const url = await new RelyingApp('kiosk').authorizationUrl()
    await approveConsent(browser, await browser.get(url))
    const api = await adminCaller()
    const { sessions = [], accounts = [] } = await (
      await api(newIsolate(), `/users/${userId}`)
    ).json<UserDetails>()
    const account = accounts.at(-1)
    return {
      id: userId,
      sid: sessions[0]?.sid ?? '',
      client: 'kiosk',
      account: `${account?.provider}:${account?.account_id}`,
      role: 'editor',
    }
  },
  roles: async () => ({ id: 'editor' }),
  administrators: async () => {
    const { userId } = await newUser()
    await env.DIRECTORY.prepare("INSERT INTO administrators VALUES (?, 'viewer', 1, 'operator')")
      .bind(userId)
      .run()
    return { id: userId }
  },
  configuration: async () => ({ id: 'tiktok' }),
  references: async () => ({ reference: '7KQ2-MX4R-TB3W' }),
  'unregistered-clients': async () => {
    const { browser } = await newUser()
    const app = await new UnregisteredApp().publish()
    await app.code(browser)
    return { id: app.host }
  },
  webhooks: async () => {
    return { id: await createWebhook(), event: crypto.randomUUID() }
  },
}

/** Registers a webhook, and returns its id. */
export async function createWebhook(): Promise<string> {
  const api = await adminCaller()
  const id = `w${crypto.randomUUID().slice(0, 8)}`
  const body = { webhook_id: id, url: `https://told.example/events/${id}` }
  await api(newIsolate(), '/webhooks', 'POST', body)
  return id
}

interface UserDetails {
  sessions?: { sid: string }[]
  accounts?: { provider: string; account_id: string }[]
}

/** The bodies of operations that need one. */
const BODIES: Record<string, () => unknown> = {
  'POST /clients': () => registration(newId('matrix')),
  'PATCH /clients/:id': () => ({ client_name: 'Renamed' }),
  'POST /apis': () => ({ identifier: `https://${newId('api')}.example` }),
  'PATCH /apis/:id': () => ({ name: 'Renamed' }),
  'POST /users/import': () => {
    const line = { provider: 'tiktok', provider_account_id: crypto.randomUUID(), name: 'Imported' }
    return `${JSON.stringify(line)}\n`
  },
  'PUT /administrators/:id': () => ({ role: 'support' }),
  'POST /webhooks': () => {
    const id = `w${crypto.randomUUID().slice(0, 8)}`
    return { webhook_id: id, url: `https://told.example/events/${id}` }
  },
  'PATCH /webhooks/:id': () => ({ url: 'https://told.example/events/changed' }),
}

/** What the forms of the console send, besides what they show. */
const FORMS: Record<string, () => Record<string, string> | Promise<Record<string, string>>> = {
  '/new/administrators': async () => ({ name: (await newUser()).userId, role: 'support' }),
  '/administrators/:id/edit': () => ({ role: 'support' }),
  '/new/clients': () => {
    const client_id = newId('matrix')
    return { client_id, client_name: 'New', redirect_uris: redirectUri(client_id) }
  },
  '/new/apis': () => ({ identifier: `https://${newId('api')}.example`, name: 'New' }),
  '/new/webhooks': () => {
    const webhook_id = `w${crypto.randomUUID().slice(0, 8)}`
    return { webhook_id, url: `https://told.example/events/${webhook_id}` }
  },
}

function registration(client_id: string) {
  return {
    client_id,
    redirect_uris: [redirectUri(client_id)],
    token_endpoint_auth_method: 'client_secret_basic',
  }
}

async function storedClient(): Promise<string> {
  const clientId = newId('matrix')
  await clientStore.create(env, config, { registration: registration(clientId), origin: ORIGIN })
  return clientId
}

type CallApi = (
  service: Service,
  path: string,
  method?: string,
  body?: unknown,
) => Promise<Response>

/** Calls the admin API as the machine of the settings. */
async function adminCaller(): Promise<CallApi> {
  const form = { grant_type: 'client_credentials', resource: ADMIN_API }
  const credentials = basic(ADMIN_MACHINE.client_id, MACHINE_SECRET)
  const response = await newIsolate()(formRequest('/oidc/token', form, credentials))
  const { access_token: token } = await response.json<{ access_token: string }>()
  return (service, path, method = 'GET', body) =>
    callApi(path, {
      token,
      service,
      method,
      ...(body !== undefined && { body }),
      ...(typeof body === 'string' && { headers: { 'Content-Type': 'application/x-ndjson' } }),
    })
}

/** The request of a route of the admin API or of the console; undefined if it is not known. */
export function describeAdminRequest(route: string): DescribedRequest | undefined {
  const [method = '', fullPath = ''] = route.split(' ')
  const isApi = fullPath.startsWith('/admin/api/')
  const path = fullPath.slice(isApi ? '/admin/api'.length : '/admin'.length)
  const section = path.match(/^\/(?:new\/)?([\w-]+)/)?.[1] ?? ''
  const target = path.includes(':') ? TARGETS[section] : async () => ({})
  if (!target) return undefined
  return {
    route,
    ...(path.startsWith('/configuration/') && { reports: 'provider' as const }),
    // There is no event to be sent again.
    ...(path.endsWith('/resend') && method === 'POST' && { isError: true }),
    async prepare() {
      const isShown = method === 'GET' && path.includes(':')
      const parameters = await (isShown
        ? shownTarget(section, () => target(':account'))
        : target(path))
      const filled = path.replaceAll(/:(\w+)/g, (_, name) =>
        encodeURIComponent(Reflect.get(parameters, name) ?? ''),
      )
      passTime(path)
      if (isApi) return prepareCall(method, path, filled)
      return prepareConsole(method, path, filled)
    },
  }
}

/** Keys can be rotated some time after the last rotation. */
function passTime(path: string): void {
  if (path !== '/keys/rotate') return
  rotations += 1
  advanceClock(rotations * HOUR)
}

let rotations = 0

async function prepareCall(method: string, path: string, filled: string): Promise<PreparedRequest> {
  const api = await adminCaller()
  const body = BODIES[`${method} ${path}`]?.()
  return { send: (service) => api(service, filled, method, body) }
}

async function prepareConsole(
  method: string,
  path: string,
  filled: string,
): Promise<PreparedRequest> {
  const browser = await administratorBrowser()
  const url = `/admin${filled}`
  if (method === 'GET') return { send: (service) => at(service, browser).get(url) }
  const form = at(newIsolate(), browser)
  const page = await (await form.get(url.replace(/\/preview$/, ''))).text()
  const [csrfToken = ''] = inputValues(page, 'csrfToken')
  const fields = {
    ...Object.fromEntries(hiddenFields(page)),
    ...shownFields(page),
    ...(await FORMS[path.replace(/\/preview$/, '')]?.()),
    csrfToken,
  }
  return { send: (service) => at(service, form).post(url, fields) }
}
