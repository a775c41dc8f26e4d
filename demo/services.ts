import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import {
  convertV4MiniflareOptions,
  Miniflare,
  NoOpLog,
  type V4ModuleDefinition,
  type V4WorkerOptions,
  type WorkerdStructuredLog,
} from 'miniflare'
import {
  unstable_getMiniflareWorkerOptions,
  unstable_readConfig,
  unstable_splitSqlQuery,
} from 'wrangler'
import { bundle } from './bundle.ts'

export interface ServiceOptions {
  /** The first of five ports in a row. */
  port?: number
  /** Apps of your own, as clients of the login service. */
  clients?: readonly ({ client_id: string } & Record<string, unknown>)[]
  /** Hears every line that the five write to their logs. */
  onLog?: (log: WorkerdStructuredLog) => void
  /** The directory they remember everything in; without one they forget it when they stop. */
  persist?: string
  /** The module that the login service is built from, if not its own. */
  main?: string
}

/** The login service and those around it: each by its origin. */
export interface Services {
  login: string
  platform: string
  storefront: string
  orders: string
  gallery: string
  /** Ends the one process they share, and with it all that they remember in no directory. */
  stop: () => Promise<void>
}

/** Something else listens where a service should. */
export class PortTakenError extends Error {
  readonly port: number

  constructor(port: number) {
    super(`Port ${port} is already in use.`)
    this.port = port
  }
}

/** The ports the configuration files name. */
export const FIRST_PORT = 8787

const ROOT = fileURLToPath(new URL('../', import.meta.url))

/** Known to the stand-in, and refused by the login service wherever its address is public. */
const LOOPBACK_ONLY = {
  AUTH_SECRET: 'loopback-only-secret-of-the-demo',
  AUTH_TIKTOK_ID: 'sbawstandin0000001',
  AUTH_TIKTOK_SECRET: 'stand-in-secret-for-loopback-only-0001',
  AUTH_TIKTOK_SCOPE: 'user.info.basic,user.info.profile',
  AUTH_TIKTOK_QR: 'on',
}

/** The storefront's, of which the login service knows the digest alone. */
const STOREFRONT_SECRET = 'loopback-only-secret-of-the-storefront'

/** Starts all five in one runtime, with empty storage unless told otherwise, and returns when they answer. */
export async function startServices(options: ServiceOptions = {}): Promise<Services> {
  const { port = FIRST_PORT, clients = [], onLog = () => {}, persist } = options
  const { main = join(ROOT, 'src/index.ts') } = options
  process.env['WRANGLER_LOG'] ??= 'error' // or it reports which files it reads
  for (let offset = 0; offset < 5; offset++) await refuseTakenPort(port + offset)

  const login = originAt(port)
  const platform = originAt(port + 1)
  const storefront = originAt(port + 2)
  const orders = originAt(port + 3)
  const gallery = originAt(port + 4)
  const workers = await Promise.all([
    readWorker(
      'wrangler.toml',
      port,
      {
        ...LOOPBACK_ONLY,
        AUTH_URL: login,
        AUTH_TIKTOK_WEB_URL: platform,
        AUTH_TIKTOK_API_URL: platform,
        CLIENTS: [
          {
            client_id: 'storefront',
            client_name: 'The storefront',
            redirect_uris: [`${storefront}/callback`],
            post_logout_redirect_uris: [`${storefront}/`],
            client_secrets_sha256: [sha256(STOREFRONT_SECRET)],
            resources: [orders],
            first_party: true,
          },
          {
            client_id: 'gallery',
            client_name: 'The gallery',
            redirect_uris: [`${gallery}/callback`],
            post_logout_redirect_uris: [`${gallery}/`],
            first_party: true,
          },
          ...registeredApps(),
          ...clients,
        ],
      },
      main,
    ),
    readWorker('demo/video-platform/wrangler.toml', port + 1, {
      WEBHOOK_URL: `${login}/api/auth/webhook/tiktok`,
    }),
    readWorker('demo/storefront/wrangler.toml', port + 2, {
      AUTH_URL: login,
      APP_URL: storefront,
      CLIENT_ID: 'storefront',
      CLIENT_SECRET: STOREFRONT_SECRET,
      ORDERS_URL: orders,
      GALLERY_URL: gallery,
      PICTURES_URL: platform,
    }),
    readWorker('demo/orders-api/wrangler.toml', port + 3, { AUTH_URL: login, ORDERS_URL: orders }),
    readWorker('demo/gallery/wrangler.toml', port + 4, {
      AUTH_URL: login,
      APP_URL: gallery,
      CLIENT_ID: 'gallery',
      STOREFRONT_URL: storefront,
      PICTURES_URL: platform,
    }),
  ])
  await esbuild.stop()

  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      workers,
      log: new NoOpLog(),
      handleStructuredLogs: onLog,
      // What Cloudflare would tell about a request is looked up on the internet otherwise.
      cf: false,
      ...(persist && { resourcePersistencePath: persist }),
    }),
  )
  try {
    await runtime.ready
    await applyMigrations(runtime)
  } catch (cause) {
    await runtime.dispose()
    throw cause
  }
  return { login, platform, storefront, orders, gallery, stop: () => runtime.dispose() }
}

/** The apps you have added to the service's own configuration: they can be tried against the stand-in. */
function registeredApps(): { client_id: string }[] {
  const { vars } = unstable_readConfig({ config: join(ROOT, 'wrangler.toml') })
  const apps = vars['CLIENTS'] as unknown as { client_id: string }[]
  return apps.filter(({ client_id }) => !['storefront', 'gallery'].includes(client_id))
}

function sha256(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

function originAt(port: number): string {
  return `http://localhost:${port}`
}

/** A worker as its own configuration file describes it, but with these settings and no others. */
async function readWorker(
  path: string,
  port: number,
  bindings: NonNullable<V4WorkerOptions['bindings']>,
  main?: string,
): Promise<V4WorkerOptions> {
  const configuration = unstable_readConfig({ config: join(ROOT, path) })
  // Where no variable and no secret is declared, none is read from .dev.vars or the environment.
  const { workerOptions } = unstable_getMiniflareWorkerOptions({
    ...configuration,
    vars: {},
    secrets: {},
  })
  return {
    ...workerOptions,
    name: configuration.name,
    bindings,
    modules: await modulesOf(main ?? configuration.main),
    modulesRoot: '/',
    unsafeDirectSockets: [{ host: 'localhost', port }],
  }
}

async function modulesOf(main: string): Promise<V4ModuleDefinition[]> {
  return [{ type: 'ESModule', path: 'index.js', contents: await bundle(main) }]
}

async function applyMigrations(runtime: Miniflare): Promise<void> {
  const directory = await runtime.getD1Database('DIRECTORY', 'vestibule')
  await directory.exec('CREATE TABLE IF NOT EXISTS d1_migrations (name TEXT PRIMARY KEY)')
  const applied = (await directory.prepare('SELECT name FROM d1_migrations').raw()).flat()
  const files = await readdir(join(ROOT, 'migrations'))
  for (const file of files.filter((name) => name.endsWith('.sql')).sort()) {
    if (applied.includes(file)) continue
    const sql = await readFile(join(ROOT, 'migrations', file), 'utf8')
    const statements = unstable_splitSqlQuery(sql)
    await directory.batch([
      ...statements.map((statement) => directory.prepare(statement)),
      directory.prepare('INSERT INTO d1_migrations VALUES (?)').bind(file),
    ])
  }
}

/** `localhost` is two addresses, and a server on either would answer in our place. */
async function refuseTakenPort(port: number): Promise<void> {
  for (const host of ['127.0.0.1', '::1']) {
    if (await isTaken(port, host)) throw new PortTakenError(port)
  }
}

/** A machine without IPv6 has nothing that could listen there. */
async function isTaken(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      .once('error', (error) => resolve('code' in error && error.code === 'EADDRINUSE'))
      .listen({ port, host, exclusive: true }, () => server.close(() => resolve(false)))
  })
}
