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
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from 'wrangler'
import { applyMigrations } from '../src/libraries/testing/apply-migrations.ts'
import { bundle } from '../src/libraries/testing/bundle.ts'
import { localSettings } from '../src/libraries/testing/local-settings.ts'
import { isPortTaken } from '../src/libraries/testing/ports.ts'
import { SANDBOX_APP } from '../src/libraries/testing/video-platform/apps.ts'
import { deriveOpenId } from '../src/libraries/testing/video-platform/identifiers.ts'
import { addHistory } from './history.ts'

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
  /** The main module of the login service, if not `src/testing-login.ts`. */
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

/** What the README describes. */
export const DEMO: ServiceOptions = { administrators: ['mia'], hasHistory: true }

/** The default ports start here, as in the configuration files. */
export const FIRST_PORT = 8787

const ROOT = fileURLToPath(new URL('../', import.meta.url))

/** The deployment of this repository and further ways to sign in. */
const DEMO_LOGIN = join(ROOT, 'src/testing-login.ts')

/** Starts the five services in one runtime and returns when they accept requests. */
export async function startServices(options: ServiceOptions = {}): Promise<Services> {
  const { port = FIRST_PORT, onLog = () => {}, persist, hasHistory } = options
  process.env['WRANGLER_LOG'] ??= 'error' // otherwise wrangler logs which files it reads
  for (let offset = 0; offset < 5; offset++) {
    if (await isPortTaken(port + offset)) throw new PortTakenError(port + offset)
  }

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
    const directory = await runtime.getD1Database('DIRECTORY', 'vestibule')
    await applyMigrations(directory, join(ROOT, 'migrations'))
    if (hasHistory) await addHistory(directory)
  } catch (cause) {
    await runtime.dispose()
    throw cause
  }
  return { ...origins, stop: () => runtime.dispose() }
}

async function loginService(origins: Origins, options: ServiceOptions) {
  const { clients = [], apis = [], documents, administrators = [], main = DEMO_LOGIN } = options
  const { login, platform, storefront, mcp, gallery } = origins
  const configured = configuredTables()
  const worker = await readWorker('wrangler.toml', {
    origin: login,
    main,
    bindings: {
      ...localSettings({ login, platform }),
      AUTH_TIKTOK_QR: 'on',
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
  const ids = handles.map((handle) => deriveOpenId(SANDBOX_APP.clientKey, handle))
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
