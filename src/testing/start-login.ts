import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { V4WorkerOptions } from 'miniflare'
import { applyMigrations } from './apply-migrations.ts'
import { bundle } from './bundle.ts'
import { localSettings } from './local-settings.ts'
import { findFreePort, isPortTaken } from './ports.ts'
import { serve } from './serve.ts'
import { appsWithWebhook } from './video-platform/apps.ts'
import { createPersona, PERSONAS } from './video-platform/personas.ts'
import { createStandIn } from './video-platform/stand-in.ts'
import { loadWranglerDependency } from './wrangler-dependency.ts'

/** An app, with the fields of a registration. */
export interface TestClient {
  client_id: string
  /** Instead of its digest in `client_secrets_sha256`. */
  client_secret?: string
  redirect_uris?: readonly string[]
  first_party?: boolean
  [field: string]: unknown
}

/** An API that access tokens are issued for, with the fields of a registration. */
export interface TestApi {
  identifier: string
  [field: string]: unknown
}

/** A user of the stand-in, in addition to its personas. */
export interface TestUser {
  /** Lower-case letters, digits and hyphens, at most 24. */
  handle: string
  /** By default the handle. */
  displayName?: string
}

export interface LoginOptions {
  clients?: readonly TestClient[]
  apis?: readonly TestApi[]
  users?: readonly TestUser[]
  /** The port of the login service. That of the stand-in is the next one. By default, free ones. */
  port?: number
}

/** A login service on this machine. Its data exists in memory only. */
export interface RunningLogin {
  /** The issuer of its tokens. */
  url: string
  /** The stand-in for TikTok. */
  platform: string
  /** A page with the messages that the login service has sent; `/messages` below it has them as JSON. */
  mailbox: string
  stop(): Promise<void>
}

const ROOT = new URL(extname(import.meta.url) === '.ts' ? '../../' : '../../../', import.meta.url)

/** Starts a login service and a stand-in for TikTok, and returns when users can sign in. */
export async function startLogin(options: LoginOptions = {}): Promise<RunningLogin> {
  const ports = await choosePorts(options.port)
  const [url, platform] = ports.map((port) => `http://localhost:${port}`) as [string, string]
  const standIn = await startStandIn(ports[1], { url, users: options.users ?? [] })
  try {
    const stopService = await startService({ url, platform, options })
    return {
      url,
      platform,
      mailbox: `${platform}/mailbox`,
      stop: async () => void (await Promise.all([stopService(), standIn.stop()])),
    }
  } catch (cause) {
    await standIn.stop()
    throw cause
  }
}

async function choosePorts(first: number | undefined): Promise<[login: number, platform: number]> {
  if (first === undefined) return [await findFreePort(), await findFreePort()]
  for (const port of [first, first + 1]) {
    if (await isPortTaken(port)) throw new Error(`Port ${port} is already in use.`)
  }
  return [first, first + 1]
}

function startStandIn(port: number, { url, users }: { url: string; users: readonly TestUser[] }) {
  const apps = appsWithWebhook(`${url}/api/auth/webhook/tiktok`)
  const handles = users.map(({ handle }) => handle)
  const standIn = createStandIn({
    apps: apps.map((app) => ({ ...app, targetUsers: [...app.targetUsers, ...handles] })),
    personas: [...PERSONAS, ...users.map((user) => createPersona(user))],
  })
  return serve((request) => standIn(request), port)
}

interface Service {
  url: string
  platform: string
  options: LoginOptions
}

async function startService({ url, platform, options }: Service): Promise<() => Promise<void>> {
  const { convertV4MiniflareOptions, Miniflare, NoOpLog } = loadWranglerDependency('miniflare')
  const errors: string[] = []
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      workers: [await loginWorker({ url, platform, options })],
      log: new NoOpLog(),
      handleStructuredLogs: ({ level, message }) => {
        if (level === 'error') errors.push(message)
      },
      // By default, Miniflare fetches the contents of `request.cf` from the internet.
      cf: false,
    }),
  )
  try {
    await runtime.ready
    const migrations = fileURLToPath(new URL('migrations/', ROOT))
    await applyMigrations(await runtime.getD1Database('DIRECTORY'), migrations)
    const response = await fetch(`${url}/readyz`)
    if (!response.ok) {
      throw new Error(
        `The login service cannot start:\n${errors.join('\n') || (await response.text())}`,
      )
    }
  } catch (cause) {
    await runtime.dispose()
    throw cause
  }
  return () => runtime.dispose()
}

/** The bindings are those of wrangler.toml. */
async function loginWorker({ url, platform, options }: Service): Promise<V4WorkerOptions> {
  const { clients = [], apis = [] } = options
  const main = fileURLToPath(
    new URL(`../testing-login${extname(import.meta.url)}`, import.meta.url),
  )
  const object = (className: string) => ({ className, useSQLite: true })
  return {
    name: 'login',
    modules: [{ type: 'ESModule', path: 'index.js', contents: await bundle(main) }],
    modulesRoot: '/',
    compatibilityDate: '2026-09-01',
    compatibilityFlags: ['global_fetch_strictly_public'],
    bindings: {
      ...localSettings({ login: url, platform }),
      CLIENTS: JSON.parse(JSON.stringify(clients.map(toRegistration))),
      APIS: JSON.parse(JSON.stringify(apis)),
    },
    kvNamespaces: ['SESSIONS'],
    d1Databases: ['DIRECTORY'],
    durableObjects: {
      USERS: object('UserObject'),
      KEYRING: object('KeyringObject'),
      GUARDS: object('GuardObject'),
      REVOCATIONS: object('RevocationsObject'),
      METRICS: object('MetricsObject'),
      CLIENT_METADATA: object('ClientMetadataObject'),
    },
    ratelimits: {
      USER_RATE_LIMIT: { namespace_id: '1', simple: { limit: 6000, period: 60 } },
      CLIENT_RATE_LIMIT: { namespace_id: '2', simple: { limit: 6000, period: 60 } },
    },
    unsafeDirectSockets: [{ host: 'localhost', port: Number(new URL(url).port) }],
  }
}

function toRegistration({ client_secret: secret, ...client }: TestClient): object {
  if (secret === undefined) return client
  return { ...client, client_secrets_sha256: [createHash('sha256').update(secret).digest('hex')] }
}
