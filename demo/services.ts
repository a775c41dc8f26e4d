import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import {
  convertV4MiniflareOptions,
  fetch,
  Miniflare,
  NoOpLog,
  type Request,
  Response,
  type V4WorkerOptions,
  type WorkerdStructuredLog,
} from 'miniflare'
import {
  unstable_getMiniflareWorkerOptions,
  unstable_readConfig,
  unstable_splitSqlQuery,
} from 'wrangler'
import { bundle } from './bundle.ts'
import { addHistory } from './history.ts'
import { deriveOpenId } from './video-platform/identifiers.ts'

export interface ServiceOptions {
  /** The first of five consecutive ports. */
  port?: number
  /** Additional clients of the login service. */
  clients?: readonly ({ client_id: string } & Record<string, unknown>)[]
  /** Additional APIs of the login service. */
  apis?: readonly ({ identifier: string } & Record<string, unknown>)[]
  /**
   * Metadata documents of clients on the internet, which the login service receives without a
   * request that leaves this machine.
   */
  documents?: readonly { client_id: string }[]
  /** Users of the stand-in who may open the console of the login service, by their handles. */
  administrators?: readonly string[]
  /** Whether the login service has invented users and sign-ins. */
  hasHistory?: boolean
  /** Receives every log line of the five services. */
  onLog?: (log: WorkerdStructuredLog) => void
  /** The directory for stored data. Without it, data is kept in memory and lost on `stop`. */
  persist?: string
  /** The main module of the login service, if not `demo/login/index.ts`. */
  main?: string
}

/** The origins of the five services. */
export interface Services {
  login: string
  platform: string
  storefront: string
  orders: string
  /** The MCP server, which is a part of the orders API. */
  mcp: string
  gallery: string
  /** The page with the messages that the login service sends; a part of the stand-in. */
  mailbox: string
  /** Ends the runtime process that all five share. */
  stop: () => Promise<void>
}

export class PortTakenError extends Error {
  readonly port: number

  constructor(port: number) {
    super(`Port ${port} is already in use.`)
    this.port = port
  }
}

type Origins = Omit<Services, 'stop'>

/** The default ports start here, as in the configuration files. */
export const FIRST_PORT = 8787

const ROOT = fileURLToPath(new URL('../', import.meta.url))

/** The deployment of this repository and further ways to sign in. */
const DEMO_LOGIN = join(ROOT, 'demo/login/index.ts')

/** The stand-in accepts these values. The login service rejects them when its address is public. */
const LOOPBACK_ONLY = {
  AUTH_SECRET: 'loopback-only-secret-of-the-demo',
  AUTH_TIKTOK_ID: 'sbawstandin0000001',
  AUTH_TIKTOK_SECRET: 'stand-in-secret-for-loopback-only-0001',
  AUTH_TIKTOK_SCOPE: 'user.info.basic,user.info.profile',
  AUTH_TIKTOK_QR: 'on',
}

/** Starts the five services in one runtime and returns when they accept requests. */
export async function startServices(options: ServiceOptions = {}): Promise<Services> {
  const { port = FIRST_PORT, onLog = () => {}, persist, hasHistory } = options
  process.env['WRANGLER_LOG'] ??= 'error' // otherwise wrangler logs which files it reads
  for (let offset = 0; offset < 5; offset++) await rejectTakenPort(port + offset)

  const origins: Origins = {
    login: `http://localhost:${port}`,
    platform: `http://localhost:${port + 1}`,
    storefront: `http://localhost:${port + 2}`,
    orders: `http://localhost:${port + 3}`,
    mcp: `http://localhost:${port + 3}/mcp`,
    gallery: `http://localhost:${port + 4}`,
    mailbox: `http://localhost:${port + 1}/mailbox`,
  }
  const [loginWorker, otherWorkers] = await Promise.all([
    loginService(origins, options),
    platformAndDemoApps(origins),
  ])
  await esbuild.stop()

  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      workers: [loginWorker, ...otherWorkers],
      log: new NoOpLog(),
      handleStructuredLogs: onLog,
      // By default, Miniflare fetches the contents of `request.cf` from the internet.
      cf: false,
      ...(persist && { resourcePersistencePath: persist }),
    }),
  )
  try {
    await runtime.ready
    await applyMigrations(runtime)
    if (hasHistory) await addHistory(await runtime.getD1Database('DIRECTORY', 'vestibule'))
  } catch (cause) {
    await runtime.dispose()
    throw cause
  }
  return { ...origins, stop: () => runtime.dispose() }
}

async function loginService(origins: Origins, options: ServiceOptions) {
  const { clients = [], apis = [], documents, administrators = [], main = DEMO_LOGIN } = options
  const { login, platform, storefront, mcp, gallery, mailbox } = origins
  const configured = configuredTables()
  const worker = await readWorker('wrangler.toml', {
    origin: login,
    main,
    bindings: {
      ...LOOPBACK_ONLY,
      AUTH_URL: login,
      AUTH_TIKTOK_WEB_URL: platform,
      AUTH_TIKTOK_API_URL: platform,
      MAILBOX_URL: mailbox,
      TIME_ZONE: Intl.DateTimeFormat().resolvedOptions().timeZone,
      ...(administrators.length > 0 && { AUTH_ADMINS: await listAccounts(administrators) }),
      CLIENTS: [
        {
          client_id: 'storefront',
          client_name: 'The storefront',
          logo_uri: `${storefront}/logo.svg`,
          brand_color: '#8a3b12',
          redirect_uris: [`${storefront}/`],
          first_party: true,
        },
        {
          client_id: 'gallery',
          client_name: 'The gallery',
          redirect_uris: [`${gallery}/callback`],
          post_logout_redirect_uris: [`${gallery}/`],
          first_party: true,
        },
        ...configured.clients,
        ...clients,
      ],
      UNREGISTERED_CLIENTS: { hosts: ['*'], registration: true },
      APIS: [
        {
          identifier: mcp,
          name: 'Orders',
          scopes: [
            { name: 'orders:read', description: 'See your orders.' },
            { name: 'orders:cancel', description: 'Cancel your orders.' },
          ],
          unregistered_client_scopes: ['orders:read', 'orders:cancel'],
        },
        ...configured.apis,
        ...apis,
      ],
    },
  })
  return documents ? { ...worker, outboundService: serveDocuments(documents) } : worker
}

function serveDocuments(documents: readonly { client_id: string }[]) {
  return async (request: Request): Promise<Response> => {
    const document = documents.find(({ client_id }) => client_id === request.url)
    return document ? Response.json(document) : fetch(request)
  }
}

/** The accounts of these users, as a value of `AUTH_ADMINS`. */
async function listAccounts(handles: readonly string[]): Promise<string> {
  const ids = handles.map((handle) => deriveOpenId(LOOPBACK_ONLY.AUTH_TIKTOK_ID, handle))
  return (await Promise.all(ids)).map((id) => `tiktok:${id}`).join()
}

async function platformAndDemoApps({ login, platform, storefront, orders, gallery }: Origins) {
  const script = await bundle(join(ROOT, 'demo/storefront/browser.ts'))
  return Promise.all([
    readWorker('demo/video-platform/wrangler.toml', {
      origin: platform,
      bindings: { WEBHOOK_URL: `${login}/api/auth/webhook/tiktok` },
    }),
    readWorker('demo/storefront/wrangler.toml', {
      origin: storefront,
      bindings: {
        AUTH_URL: login,
        ORDERS_URL: orders,
        GALLERY_URL: gallery,
        PICTURES_URL: platform,
        SCRIPT: script,
      },
    }),
    readWorker('demo/orders-api/wrangler.toml', {
      origin: orders,
      bindings: { AUTH_URL: login, ORDERS_URL: orders, STOREFRONT_URL: storefront },
    }),
    readWorker('demo/gallery/wrangler.toml', {
      origin: gallery,
      bindings: {
        AUTH_URL: login,
        APP_URL: gallery,
        CLIENT_ID: 'gallery',
        STOREFRONT_URL: storefront,
        PICTURES_URL: platform,
      },
    }),
  ])
}

/**
 * The clients and APIs in the service's own configuration, so that they can be tried against the
 * stand-in.
 */
function configuredTables() {
  const { vars } = unstable_readConfig({ config: join(ROOT, 'wrangler.toml') })
  const clients = (vars['CLIENTS'] ?? []) as unknown as { client_id: string }[]
  const apis = (vars['APIS'] ?? []) as unknown as { identifier: string }[]
  const isDemoClient = (clientId: string) => ['storefront', 'gallery'].includes(clientId)
  return { clients: clients.filter(({ client_id }) => !isDemoClient(client_id)), apis }
}

interface WorkerSettings {
  origin: string
  bindings: NonNullable<V4WorkerOptions['bindings']>
  main?: string | undefined
}

/** Reads a worker from its configuration file, but with these variables and no others. */
async function readWorker(
  configFile: string,
  { origin, bindings, main }: WorkerSettings,
): Promise<V4WorkerOptions> {
  const configuration = unstable_readConfig({ config: join(ROOT, configFile) })
  // With no declared variables and secrets, wrangler reads none from .dev.vars or the environment.
  const { workerOptions } = unstable_getMiniflareWorkerOptions({
    ...configuration,
    vars: {},
    secrets: {},
  })
  const contents = await bundle(main ?? configuration.main)
  return {
    ...workerOptions,
    name: configuration.name,
    bindings,
    modules: [{ type: 'ESModule', path: 'index.js', contents }],
    modulesRoot: '/',
    unsafeDirectSockets: [{ host: 'localhost', port: Number(new URL(origin).port) }],
  }
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

/** Checks both addresses of `localhost`: a server on either one could receive our requests. */
async function rejectTakenPort(port: number): Promise<void> {
  for (const host of ['127.0.0.1', '::1']) {
    if (await isTaken(port, host)) throw new PortTakenError(port)
  }
}

/** Other errors do not count: on a machine without IPv6, nothing can listen on `::1`. */
async function isTaken(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
      .once('error', (error) => resolve('code' in error && error.code === 'EADDRINUSE'))
      .listen({ port, host, exclusive: true }, () => server.close(() => resolve(false)))
  })
}
