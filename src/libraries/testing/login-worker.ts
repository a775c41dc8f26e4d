import { createHash } from 'node:crypto'
import { dirname, extname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { V4WorkerOptions } from 'miniflare'
import { cachedBundle } from './bundle.ts'
import { localSettings } from './local-settings.ts'
import type { LoginOptions, TestClient } from './start-login.ts'
import { loadWranglerDependency } from './wrangler-dependency.ts'

const ROOT = new URL(
  extname(import.meta.url) === '.ts' ? '../../../' : '../../../../',
  import.meta.url,
)

/** A login service, and where the tables of its databases are declared, by their bindings. */
export interface LoginWorker {
  worker: V4WorkerOptions
  migrations: ReadonlyMap<string, string>
}

interface Service {
  url: string
  platform: string
  options: LoginOptions
}

/** The login service of this package, or that of a configuration file. */
export async function readLoginWorker({ url, platform, options }: Service): Promise<LoginWorker> {
  const { config, settings, clients = [], apis = [] } = options
  const { main, vars, migrations, ...rest } =
    config === undefined ? ownWorker() : await readConfiguredWorker(config)
  const worker: V4WorkerOptions = {
    ...rest,
    name: 'login',
    modules: [{ type: 'ESModule', path: 'index.js', contents: await cachedBundle(main) }],
    modulesRoot: '/',
    bindings: {
      ...vars,
      ...localSettings({ login: url, platform }),
      ...settings,
      CLIENTS: JSON.parse(JSON.stringify(clients.map(toRegistration))),
      APIS: JSON.parse(JSON.stringify(apis)),
    },
    ratelimits: {
      USER_RATE_LIMIT: { namespace_id: '1', simple: { limit: 6000, period: 60 } },
      CLIENT_RATE_LIMIT: { namespace_id: '2', simple: { limit: 6000, period: 60 } },
    },
    unsafeDirectSockets: [{ host: 'localhost', port: Number(new URL(url).port) }],
  }
  return { worker, migrations: new Map([...migrations, ['DIRECTORY', OWN_MIGRATIONS]]) }
}

const OWN_MIGRATIONS = fileURLToPath(new URL('migrations/', ROOT))

/** The bindings are those of wrangler.toml. */
function ownWorker() {
  const object = (className: string) => ({ className, useSQLite: true })
  const file = `../../testing-login${extname(import.meta.url)}`
  return {
    main: fileURLToPath(new URL(file, import.meta.url)),
    vars: { AUTH_TIKTOK_QR: 'on' },
    migrations: [],
    compatibilityDate: '2026-09-01',
    compatibilityFlags: ['global_fetch_strictly_public'],
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
  }
}

/** A deployment with its bindings and variables, but without the secrets of `.dev.vars`. */
async function readConfiguredWorker(config: string) {
  process.env['WRANGLER_LOG'] ??= 'error' // otherwise wrangler logs which files it reads
  const { unstable_readConfig, unstable_getMiniflareWorkerOptions } =
    await loadWranglerDependency('wrangler')
  const configuration = unstable_readConfig({ config: resolve(config) })
  const { main, vars, d1_databases: databases } = configuration
  if (main === undefined) throw new Error(`${config} has no main.`)
  const { workerOptions } = unstable_getMiniflareWorkerOptions({
    ...configuration,
    vars: {},
    secrets: {},
  })
  const migrations = databases.map(
    (database: { binding: string; migrations_dir?: string }): [string, string] => [
      database.binding,
      resolve(dirname(config), database.migrations_dir ?? 'migrations'),
    ],
  )
  return { ...workerOptions, main, vars, migrations }
}

function toRegistration({ client_secret: secret, ...client }: TestClient): object {
  if (secret === undefined) return client
  return { ...client, client_secrets_sha256: [createHash('sha256').update(secret).digest('hex')] }
}
