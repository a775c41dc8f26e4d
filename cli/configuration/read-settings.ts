import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'

/** Named after the options of the commands. */
export interface SettingsFiles {
  config?: string | undefined
  env?: string | undefined
  'secrets-file'?: string | undefined
}

/** The experimental configuration of newer versions of wrangler, as a program. */
const PROGRAMMATIC_CONFIG = 'cloudflare.config.ts'

/** Settings that whoever reads the repository must not see. */
export const SECRET_NAME = /^AUTH_(?:.+_)?SECRET(?:_\d+)?$|^AUTH_.+_KEY$/

/** What wrangler's configuration file defines, in one of its environments. */
export interface WranglerConfig {
  configPath: string
  /** The environment that was read, if it is not the top level of the file. */
  environment: string | undefined
  /** The whole file, with all of its environments, as it is written. */
  raw: Readonly<Record<string, unknown>>
  /** The entry file of the Worker. */
  main: string
  vars: Record<string, unknown>
  secrets: unknown
  /** The bindings of the Worker, by name. */
  bindings: ReadonlyMap<string, Binding>
  /** The addresses that requests are routed to the Worker from. */
  routes: readonly Route[]
  /** Whether a browser that opens a page gets a file of [assets] instead. */
  hidesPages: boolean
  compatibilityDate: string
  compatibilityFlags: readonly string[]
  /** The Durable Object classes that migrations create with SQL storage, and with the former one. */
  sqliteClasses: readonly string[]
  keyValueClasses: readonly string[]
  /** The classes whose objects migrations delete, or give to another class. */
  deletedClasses: readonly string[]
  renamedClasses: readonly { from: string; to: string }[]
  /** The tags of all migrations. */
  migrationTags: readonly string[]
  /** Where the migrations of the database are, relative to the file. */
  migrationsFolder: string | undefined
  /** The database, which has an id once it has been created. */
  database: { name: string; id: string | undefined }
  rateLimits: readonly RateLimit[]
  /** When the Worker is started by the clock, in the format of cron. */
  crons: readonly string[]
  /** How much CPU a request may use, in milliseconds, which the free plan does not allow to set. */
  cpuLimit: number | undefined
  /** Whether Cloudflare stores the addresses of requests with their query. */
  logsQueries: boolean
}

/** An address, or a pattern of addresses. */
export interface Route {
  pattern: string
  /** Cloudflare creates the DNS entry, and routes every path of the host. */
  isCustomDomain: boolean
}

export interface RateLimit {
  name: string
  namespace: string
  limit: number
  period: number // seconds
}

/** A binding, as it is declared. */
export interface Binding {
  type: 'kv' | 'd1' | 'r2' | 'object' | 'rate limit' | 'email'
  /** Of an object. */
  className?: string
  /** The Worker that has the objects, if it is another one. */
  script?: string
  /** Of a bucket. */
  jurisdiction?: string
}

/**
 * Reads the configuration file of the deployment in the current folder, or the one named by
 * `--config`.
 */
export async function readWranglerConfig({ config, env }: SettingsFiles): Promise<WranglerConfig> {
  // Otherwise wrangler prints the names of the files it reads. It reads this variable when it is
  // imported.
  process.env['WRANGLER_LOG'] ??= 'none'
  const { experimental_readRawConfig, unstable_readConfig } = await import('wrangler')
  const declared = unstable_readConfig({
    ...(config !== undefined && { config }),
    ...(env !== undefined && { env }),
  })
  const { configPath, main, vars, secrets, definedEnvironments, observability } = declared
  if (configPath === undefined) {
    throw new Error(
      existsSync(PROGRAMMATIC_CONFIG)
        ? `There is only ${PROGRAMMATIC_CONFIG}, which the commands of this package do not read yet: keep the configuration in wrangler.toml`
        : 'There is no wrangler.toml in this folder: use --config FILE',
    )
  }
  if (env !== undefined && !definedEnvironments?.includes(env)) {
    throw new Error(`${configPath} has no [env.${env}]`)
  }
  if (main === undefined) throw new Error(`${configPath} has no main`)
  return {
    configPath,
    environment: env,
    raw: { ...experimental_readRawConfig({ config: configPath }).rawConfig },
    main,
    vars,
    secrets,
    bindings: readBindings(declared),
    routes: readRoutes(declared),
    hidesPages: hidesPages(declared.assets),
    ...readRuntime(declared),
    cpuLimit: declared.limits?.cpu_ms,
    logsQueries: isLogged(observability) && observability?.redact_query_string !== true,
  }
}

interface Observability {
  enabled?: boolean | undefined
  logs?: { enabled?: boolean | undefined } | undefined
  traces?: { enabled?: boolean | undefined } | undefined
}

/** Logs and traces can be enabled together, or each in a table of its own. */
function isLogged({ enabled, logs, traces }: Observability = {}): boolean {
  return [enabled, logs?.enabled, traces?.enabled].includes(true)
}

/** The part of wrangler's result that is read here. */
interface DeclaredConfig {
  kv_namespaces: { binding: string }[]
  d1_databases: D1Binding[]
  r2_buckets: { binding: string; jurisdiction?: string }[]
  durable_objects: { bindings: { name: string; class_name: string; script_name?: string }[] }
  ratelimits: { name: string; namespace_id: string; simple: { limit: number; period: number } }[]
  migrations: {
    tag: string
    new_classes?: string[]
    new_sqlite_classes?: string[]
    renamed_classes?: { from: string; to: string }[]
    deleted_classes?: string[]
  }[]
  compatibility_date?: string | undefined
  compatibility_flags: string[]
  send_email: { name: string }[]
  triggers: { crons?: string[] | undefined }
  route?: DeclaredRoute | undefined
  routes?: DeclaredRoute[] | undefined
}

interface D1Binding {
  binding: string
  database_name?: string
  database_id?: string
  migrations_dir?: string
}

type DeclaredRoute = string | { pattern: string; custom_domain?: boolean }

interface DeclaredAssets {
  not_found_handling?: string | undefined
  run_worker_first?: boolean | string[] | undefined
}

function readBindings(declared: DeclaredConfig): Map<string, Binding> {
  const { kv_namespaces, d1_databases, r2_buckets, durable_objects, ratelimits, send_email } =
    declared
  return new Map<string, Binding>([
    ...kv_namespaces.map(({ binding }) => [binding, { type: 'kv' }] as const),
    ...d1_databases.map(({ binding }) => [binding, { type: 'd1' }] as const),
    ...r2_buckets.map(
      ({ binding, jurisdiction }) =>
        [binding, { type: 'r2', ...(jurisdiction && { jurisdiction }) }] as const,
    ),
    ...durable_objects.bindings.map(
      ({ name, class_name, script_name: script }) =>
        [name, { type: 'object', className: class_name, ...(script && { script }) }] as const,
    ),
    ...ratelimits.map(({ name }) => [name, { type: 'rate limit' }] as const),
    ...send_email.map(({ name }) => [name, { type: 'email' }] as const),
  ])
}

function readRuntime(declared: DeclaredConfig) {
  const { d1_databases, ratelimits, migrations } = declared
  const directory = d1_databases.find(({ binding }) => binding === 'DIRECTORY')
  return {
    compatibilityDate: declared.compatibility_date ?? '',
    compatibilityFlags: declared.compatibility_flags,
    crons: declared.triggers.crons ?? [],
    sqliteClasses: createdClasses(migrations, 'new_sqlite_classes'),
    keyValueClasses: createdClasses(migrations, 'new_classes'),
    deletedClasses: migrations.flatMap((step) => step.deleted_classes ?? []),
    renamedClasses: migrations.flatMap((step) => step.renamed_classes ?? []),
    migrationTags: migrations.map(({ tag }) => tag),
    migrationsFolder: directory?.migrations_dir,
    database: { name: directory?.database_name ?? 'DIRECTORY', id: directory?.database_id },
    rateLimits: ratelimits.map(({ name, namespace_id, simple }) => ({
      name,
      namespace: namespace_id,
      ...simple,
    })),
  }
}

/** The classes that migrations create with one kind of storage, and the names they were given later. */
function createdClasses(
  migrations: DeclaredConfig['migrations'],
  field: 'new_sqlite_classes' | 'new_classes',
): string[] {
  const names: string[] = []
  for (const { [field]: created = [], renamed_classes: renamed = [] } of migrations) {
    names.push(...created)
    names.push(...renamed.filter(({ from }) => names.includes(from)).map(({ to }) => to))
  }
  return names
}

function readRoutes({ route, routes = [] }: DeclaredConfig): Route[] {
  const all = route === undefined ? routes : [route, ...routes]
  return all.map((entry) =>
    typeof entry === 'string'
      ? { pattern: entry, isCustomDomain: false }
      : { pattern: entry.pattern, isCustomDomain: entry.custom_domain === true },
  )
}

/** With these modes, a navigation gets a file although no file has its path. */
function hidesPages({ not_found_handling: mode, run_worker_first: first }: DeclaredAssets = {}) {
  const isWorkerFirst = Array.isArray(first) ? first.includes('/*') : first === true
  return (mode === 'single-page-application' || mode === '404-page') && !isWorkerFirst
}

/**
 * Reads the settings as the service would receive them from `wrangler dev`, or from a deployment
 * with the secrets file. No deployment has a variable and a secret of the same name.
 */
export async function readSettings(
  { configPath, vars, secrets }: WranglerConfig,
  { env, 'secrets-file': secretsFile }: SettingsFiles,
): Promise<Record<string, unknown>> {
  if (secretsFile !== undefined) return { ...(await readSecrets(secretsFile)), ...vars }
  const { unstable_getVarsForDev } = await import('wrangler')
  const bindings = unstable_getVarsForDev(
    configPath,
    undefined,
    vars as never,
    env,
    true,
    secrets as never,
  )
  return Object.fromEntries(Object.entries(bindings).map(([name, { value }]) => [name, value]))
}

/** The file with the secrets, if it exists. */
export function secretsFilePath(
  { configPath }: Pick<WranglerConfig, 'configPath'>,
  { env, 'secrets-file': secretsFile }: SettingsFiles,
): string | undefined {
  if (secretsFile !== undefined) return secretsFile
  return [...(env === undefined ? [] : [`.dev.vars.${env}`]), '.dev.vars']
    .map((name) => join(dirname(configPath), name))
    .find((file) => existsSync(file))
}

/**
 * Reads JSON or lines of `NAME=value`: the two formats that `wrangler deploy --secrets-file`
 * accepts.
 */
export async function readSecrets(file: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, 'utf8')
  return text.trimStart().startsWith('{') ? JSON.parse(text) : { ...parseEnv(text) }
}
