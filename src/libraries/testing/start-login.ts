import { existsSync } from 'node:fs'
import { addUsers } from './add-users.ts'
import { applyMigrations } from './apply-migrations.ts'
import { readLoginWorker } from './login-worker.ts'
import { findFreePort, isPortTaken } from './ports.ts'
import { serve } from './serve.ts'
import { appsWithWebhook } from './video-platform/apps.ts'
import { createPersona, PERSONAS, type Persona, persona } from './video-platform/personas.ts'
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
  /** Names that `roles()` of the deployment has. Without `config`, these are `editor` and `author`. */
  roles?: readonly string[]
}

export interface LoginOptions {
  /**
   * The wrangler.toml of your own login service, whose features, callbacks and providers are used. By
   * default, the login service is that of this package, with all features.
   */
  config?: string | undefined
  /** Further settings, such as those that the providers of `config` need. */
  settings?: Readonly<Record<string, string>> | undefined
  clients?: readonly TestClient[] | undefined
  apis?: readonly TestApi[] | undefined
  users?: readonly TestUser[] | undefined
  /** The port of the login service. That of the stand-in is the next one. By default, free ones. */
  port?: number | undefined
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

/** Starts a login service and a stand-in for TikTok, and returns when users can sign in. */
export async function startLogin(options: LoginOptions = {}): Promise<RunningLogin> {
  const personas = [...PERSONAS, ...(options.users ?? []).map(toPersona)]
  const ports = await choosePorts(options.port)
  const [url, platform] = ports.map((port) => `http://localhost:${port}`) as [string, string]
  const stopService = await startService({ url, platform, options })
  try {
    // Last, so that whoever waits for the stand-in can sign in.
    const standIn = await startStandIn(ports[1], { url, personas })
    return {
      url,
      platform,
      mailbox: `${platform}/mailbox`,
      stop: async () => void (await Promise.all([stopService(), standIn.stop()])),
    }
  } catch (cause) {
    await stopService()
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

function toPersona({ roles: _, ...user }: TestUser): Persona {
  const { success, data } = persona.safeParse(createPersona(user))
  if (success) return data
  throw new TypeError(
    `The user ${user.handle} is invalid: a handle has up to 24 lower-case letters, digits and hyphens.`,
  )
}

function startStandIn(port: number, { url, personas }: { url: string; personas: Persona[] }) {
  const handles = personas.slice(PERSONAS.length).map(({ handle }) => handle)
  const apps = appsWithWebhook(`${url}/api/auth/webhook/tiktok`).map((app) => ({
    ...app,
    targetUsers: [...app.targetUsers, ...handles],
  }))
  const standIn = createStandIn({ apps, personas })
  return serve((request) => standIn(request), port)
}

interface Service {
  url: string
  platform: string
  options: LoginOptions
}

async function startService(service: Service): Promise<() => Promise<void>> {
  // A process of its own bundles the worker, while Miniflare is loaded.
  const [{ worker, migrations }, { convertV4MiniflareOptions, Miniflare, NoOpLog }] =
    await Promise.all([readLoginWorker(service), loadWranglerDependency('miniflare')])
  let isReady = false
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      workers: [worker],
      log: new NoOpLog(),
      handleStructuredLogs: ({ level, message }) => {
        if (isReady && level === 'error') process.stderr.write(`${message}\n`)
      },
      // By default, Miniflare fetches the contents of `request.cf` from the internet.
      cf: false,
    }),
  )
  try {
    await runtime.ready
    for (const [binding, folder] of migrations) {
      if (existsSync(folder)) await applyMigrations(await runtime.getD1Database(binding), folder)
    }
    await addUsers(await runtime.getD1Database('DIRECTORY'), service.options.users ?? [])
    const problem = await findProblem(service.url)
    if (problem !== undefined) throw new Error(`The login service cannot start: ${problem}`)
    isReady = true
  } catch (cause) {
    await runtime.dispose()
    throw cause
  }
  return () => runtime.dispose()
}

/**
 * What keeps users from signing in. Of the checks only the settings count: somebody who waits for
 * the service may have requested the others before the tables existed.
 */
async function findProblem(url: string): Promise<string | undefined> {
  const keys = await fetch(`${url}/.well-known/jwks.json`)
  if (!keys.ok) return keys.text()
  const readiness = await fetch(`${url}/readyz`)
  const { checks } = (await readiness.json()) as { checks: { name: string; problem?: string }[] }
  return checks.find(({ name }) => name === 'settings')?.problem
}
