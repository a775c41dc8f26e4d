import { env } from 'cloudflare:workers'
import { listKeys, rotateKeys } from '../../../src/administration/manage-keys.ts'
import { apiStore } from '../../../src/administration/registrations/api-store.ts'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import { Browser } from '../../browser.ts'
import { advanceClock, HOUR, MINUTE } from '../../clock.ts'
import { basic, formRequest, RelyingApp } from '../../core/oidc/relying-app.ts'
import { approveConsent } from '../../core/oidc/user-steps.ts'
import { config, newId, ORIGIN, redirectUri } from '../../core/registrations/stored-clients.ts'
import { ADMIN_API, callApi } from '../../features/admin/machine-client.ts'
import { UnregisteredApp } from '../../features/agents/unregistered-app.ts'
import { createPasskeyUser } from '../../features/passkeys/passkey-user.ts'
import { hiddenFields, inputValues, shownFields } from '../../html.ts'
import { userObject } from '../../storage.ts'
import { newIsolate, type Service } from '../isolate.ts'
import {
  at,
  type DescribedRequest,
  forgetDocuments,
  newUser,
  type PreparedRequest,
} from './described-request.ts'
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
  clients: async (path) => {
    const id = await storedClient()
    if (!path.includes(':secret')) return { id }
    // Not the last one.
    await clientStore.rotateSecret(env, config, { id, origin: ORIGIN })
    const [, former] = await clientStore.listSecrets(env, config, id)
    return { id, secret: former?.[0] ?? '' }
  },
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

type Fields = Record<string, string>

function newClient(): Fields {
  const client_id = newId('matrix')
  return { client_id, client_name: 'New', redirect_uris: redirectUri(client_id) }
}

/** What the forms of the console send, besides what they show. */
const FORMS: Record<string, () => Fields | Promise<Fields>> = {
  '/new/administrators': async () => ({ name: (await newUser()).userId, role: 'support' }),
  '/administrators/:id/edit': () => ({ role: 'support' }),
  '/clients/:id/edit': () => ({ client_name: 'Renamed' }),
  '/apis/:id/edit': () => ({ name: 'Renamed' }),
  '/webhooks/:id/edit': () => ({ url: 'https://told.example/events/changed' }),
  '/new/clients': newClient,
  '/new/clients/preview': newClient,
  '/new/apis': () => ({ identifier: `https://${newId('api')}.example`, name: 'New' }),
  '/new/webhooks': () => {
    const webhook_id = `w${crypto.randomUUID().slice(0, 8)}`
    return { webhook_id, url: `https://told.example/events/${webhook_id}` }
  },
}

/** What is done before a request that would otherwise change nothing. */
const BEFORE: Record<string, string> = {
  '/clients/:id/enable': 'disable',
  '/clients/:id/remove-former-secret': 'rotate-secret',
  '/users/:id/unblock': 'block',
  '/users/:id/roles/:role/take': 'give',
  '/users/:id/roles/:role/take-later': 'give',
  '/unregistered-clients/:id/unblock': 'block',
  '/webhooks/:id/remove-former-secret': 'rotate-secret',
}

/** What is stored about the subjects of each section. */
const STORED: Record<string, (id: string) => Promise<unknown>> = {
  clients: (id) => row('SELECT registration, disabled_at FROM clients WHERE client_id = ?', id),
  apis: (id) => row('SELECT registration FROM apis WHERE identifier = ?', id),
  webhooks: (id) => row('SELECT registration FROM webhooks WHERE webhook_id = ?', id),
  administrators: (id) => row('SELECT role FROM administrators WHERE name = ?', id),
  'unregistered-clients': (id) =>
    row('SELECT blocked_at FROM unregistered_clients WHERE id = ? AND blocked_at IS NOT NULL', id),
  users: async (id) => {
    if (id === '') return row('SELECT count(*) FROM users')
    const columns = 'blocked_at, roles, (SELECT count(*) FROM accounts WHERE user_id = users.id)'
    const { sessions, consents, grants } = await userObject(id).readUserData()
    return [
      await row(`SELECT ${columns} FROM users WHERE id = ?`, id),
      sessions.map(({ sid }) => sid),
      [...consents, ...grants].map(({ clientId }) => clientId),
    ]
  },
  keys: async () => (await listKeys(env)).keys.map(({ kid, state }) => [kid, state]),
}

function row(query: string, ...bindings: string[]): Promise<unknown> {
  return env.DIRECTORY.prepare(query)
    .bind(...bindings)
    .first()
}

/** What changes nothing that is stored about its subject. */
const UNCHANGING = /^GET |\/(preview|export|test|resend)$/

/** Returns whether what is stored has changed since now. Absent if the request changes nothing. */
async function watchStored(
  route: string,
  section: string,
  id: string,
): Promise<Pick<PreparedRequest, 'isStored'>> {
  if (UNCHANGING.test(route)) return {}
  const read = async () => JSON.stringify(await STORED[section]?.(id))
  const before = await read()
  return { isStored: async () => (await read()) !== before }
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
    // They show whether the documents of providers can be read.
    ...(/^(|\/readiness|\/metrics)$/.test(path) && { forgetCopies: forgetDocuments }),
    // There is no event to be sent again.
    ...(path.endsWith('/resend') && method === 'POST' && { isError: true }),
    async prepare() {
      const isShown = method === 'GET' && path.includes(':')
      const parameters = await (isShown
        ? shownTarget(section, () => target(':account'))
        : target(path))
      const fill = (template: string) =>
        template.replaceAll(/:(\w+)/g, (_, name) =>
          encodeURIComponent(Reflect.get(parameters, name) ?? ''),
        )
      if (path === '/keys/rotate') await renewKeys()
      const step = BEFORE[path]
      if (step && method === 'POST') {
        const call = await adminCaller()
        await call(newIsolate(), fill(path).replace(/[\w-]+$/, step), 'POST')
      }
      const body = isApi ? BODIES[`${method} ${path}`]?.() : await FORMS[path]?.()
      const subject = idOf({ ...parameters, ...(typeof body === 'object' && body) })
      const stored = await watchStored(route, section, subject)
      const prepared = isApi
        ? await prepareCall(method, fill(path), body)
        : await prepareConsole(method, fill(path), body)
      return { ...prepared, ...stored }
    },
  }
}

/** What a request creates or changes. */
function idOf(fields: Record<string, unknown>): string {
  const { client_id, identifier, webhook_id, name, id } = fields
  return String(id ?? client_id ?? identifier ?? webhook_id ?? name ?? '')
}

/** Keys can be rotated some time after they were created, and a few times. */
async function renewKeys(): Promise<void> {
  await rotateKeys(env, config, { isRevocation: true, origin: ORIGIN })
  advanceClock(HOUR)
}

async function prepareCall(method: string, path: string, body: unknown): Promise<PreparedRequest> {
  const api = await adminCaller()
  return { send: (service) => api(service, path, method, body) }
}

async function prepareConsole(
  method: string,
  path: string,
  entered: unknown,
): Promise<PreparedRequest> {
  const browser = await administratorBrowser()
  const url = `/admin${path}`
  if (method === 'GET') return { send: (service) => at(service, browser).get(url) }
  const form = at(newIsolate(), browser)
  const page = await (await form.get(url.replace(/\/preview$/, ''))).text()
  const [csrfToken = ''] = inputValues(page, 'csrfToken')
  const fields = {
    ...Object.fromEntries(hiddenFields(page)),
    ...shownFields(page),
    ...(entered as Record<string, string> | undefined),
    csrfToken,
  }
  return { send: (service) => at(service, form).post(url, fields) }
}
