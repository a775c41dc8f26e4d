import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { ListedFeature } from '../../src/core/config/vestibule-options.ts'
import { BINDING_CONSEQUENCES } from '../binding-consequences.ts'
import { type Diagnosis, type Finding, goodOrProblems, problem } from '../finding.ts'
import type { EntryFile } from './read-entry-file.ts'
import type { RateLimit, WranglerConfig } from './read-settings.ts'

/** The version of the runtime that the service was developed with. */
const COMPATIBILITY_DATE = '2026-09-01'

/** Without it, requests to another host of the same zone would bypass that host's Worker. */
const PUBLIC_FETCH = 'global_fetch_strictly_public'

/** How often events are sent, and the audit log is exported. */
const EVERY_MINUTE = '* * * * *'

/** Fewer requests per minute than one user may need to sign in and use an app. */
const MIN_REQUESTS = 60

/** Checks how the Worker runs: its runtime, its exports, its tables and its limits. */
export function checkRuntime(config: WranglerConfig, entryFile: EntryFile): Finding[] {
  return [
    ...goodOrProblems('runtime', diagnoseRuntime(config), config.compatibilityDate),
    ...goodOrProblems('entry file', diagnoseDefaultExport(entryFile)),
    ...goodOrProblems('classes', [...diagnoseClasses(config, entryFile), ...diagnoseTags(config)]),
    // A database that is missing is reported with the bindings.
    ...(config.bindings.has('DIRECTORY')
      ? goodOrProblems('migrations', diagnoseMigrations(config))
      : []),
    ...goodOrProblems('rate limits', diagnoseRateLimits(config)),
    ...checkSchedule(config, entryFile),
  ]
}

function diagnoseRuntime(config: WranglerConfig): Diagnosis[] {
  const { compatibilityDate, compatibilityFlags } = config
  const diagnoses: Diagnosis[] = []
  if (compatibilityDate < COMPATIBILITY_DATE) {
    diagnoses.push({
      what: `compatibility_date is ${compatibilityDate || 'missing'}.`,
      why: 'The service needs functions of newer runtimes.',
      fix: `Set compatibility_date = "${COMPATIBILITY_DATE}" or a later date at the top of wrangler.toml.`,
    })
  }
  if (compatibilityDate > today()) {
    diagnoses.push({
      what: `compatibility_date is ${compatibilityDate}, which is in the future.`,
      why: 'The deployment would be rejected.',
      fix: `Set compatibility_date = "${COMPATIBILITY_DATE}" at the top of wrangler.toml.`,
    })
  }
  if (!compatibilityFlags.includes(PUBLIC_FETCH)) {
    diagnoses.push({
      what: `compatibility_flags does not contain ${PUBLIC_FETCH}.`,
      why: 'Requests to a host in the zone of the service, such as back-channel logout, would not reach the Worker of that host, and an unregistered client could make the service read from servers that only Cloudflare reaches.',
      fix: `Set compatibility_flags = ["${PUBLIC_FETCH}"] at the top of wrangler.toml.`,
    })
  }
  return diagnoses
}

/** In UTC, as Cloudflare compares it. */
function today(): string {
  return new Date().toISOString().slice(0, 10)
}

function diagnoseDefaultExport({ exportedNames, handlers }: EntryFile): Diagnosis[] {
  if (handlers.includes('fetch')) return []
  return [
    {
      what: exportedNames.includes('default')
        ? 'The default export of the entry file has no fetch.'
        : 'The entry file has no default export.',
      why: 'The Worker would respond to no request.',
      fix: 'Export the worker: export default vestibule.worker',
    },
  ]
}

function diagnoseClasses(
  { bindings, deletedClasses, renamedClasses, ...config }: WranglerConfig,
  entryFile: EntryFile,
): Diagnosis[] {
  const objects = [...bindings].filter(([, { className }]) => className !== undefined)
  const elsewhere = objects.filter(([name, { script }]) => script && isOwnBinding(name))
  const names = objects.flatMap(([, { className, script }]) => (script ? [] : (className ?? [])))
  return [
    ...elsewhere.map(([name, { script }]) => ({
      what: `The objects of ${name} are in the Worker ${script}.`,
      why: 'It runs another version and has other settings, and requests would fail, or change the data of that service.',
      fix: `Remove script_name from ${name} in [[durable_objects.bindings]].`,
    })),
    ...[...new Set(names)].flatMap((name): Diagnosis[] => {
      if (deletedClasses.includes(name)) {
        return [
          {
            what: `${name} is in deleted_classes of [[migrations]].`,
            why: 'The deployment would delete all of its objects with their data. This cannot be undone.',
            fix: `Remove ${name} from deleted_classes.`,
          },
        ]
      }
      const renamed = renamedClasses.findLast(({ from, to }) => from === name || to === name)
      if (renamed?.from === name) {
        return [
          {
            what: `${name} is renamed to ${renamed.to} by [[migrations]], but its binding is for ${name}.`,
            why: `All objects with their data would belong to ${renamed.to}, and the service would not find them.`,
            fix: `Remove the entry from renamed_classes. If it is deployed, add a migration with renamed_classes = [{ from = "${renamed.to}", to = "${name}" }].`,
          },
        ]
      }
      if (!entryFile.exportedNames.includes(name)) return [missingExport(name, entryFile)]
      return diagnoseStorage(name, config)
    }),
  ]
}

/** Whether a binding to another Worker is not one for the deployment's own code. */
function isOwnBinding(name: string): boolean {
  return name in BINDING_CONSEQUENCES
}

function diagnoseStorage(
  name: string,
  { sqliteClasses, keyValueClasses }: Pick<WranglerConfig, 'sqliteClasses' | 'keyValueClasses'>,
): Diagnosis[] {
  if (sqliteClasses.includes(name)) return []
  if (keyValueClasses.includes(name)) {
    return [
      {
        what: `${name} is in new_classes of [[migrations]].`,
        why: 'Its objects would have no SQL storage, and every request that uses them would fail. This cannot be changed once it is deployed.',
        fix: `Move ${name} from new_classes to new_sqlite_classes of the same migration.`,
      },
    ]
  }
  return [
    {
      what: `${name} is in no [[migrations]].`,
      why: 'The deployment would be rejected.',
      fix: `Add ${name} to new_sqlite_classes in [[migrations]].`,
    },
  ]
}

/** Cloudflare applies the migrations after the one with the tag that was deployed last. */
function diagnoseTags({ migrationTags }: WranglerConfig): Diagnosis[] {
  const repeated = migrationTags.filter((tag, index) => migrationTags.indexOf(tag) !== index)
  return [...new Set(repeated)].map((tag) => ({
    what: `Two [[migrations]] have the tag ${tag}.`,
    why: 'The deployment would be rejected, or the second one would never be applied.',
    fix: 'Give each a tag of its own, and keep those that are deployed as they are.',
  }))
}

function missingExport(name: string, { options }: EntryFile): Diagnosis {
  const hasAdmin = options.features?.some(({ id }) => id === 'admin')
  return {
    what: `The entry file does not export ${name}.`,
    why: 'The deployment would be rejected.',
    fix:
      name === 'MetricsObject' && !hasAdmin
        ? 'It is a class of admin(): add admin() to features, or remove its binding METRICS from wrangler.toml, too: docs/upgrading.md.'
        : `Export the classes: export const { UserObject, KeyringObject, GuardObject, RevocationsObject,${hasAdmin ? ' MetricsObject,' : ''} ClientMetadataObject } = vestibule.objects`,
  }
}

function diagnoseMigrations({ configPath, migrationsFolder }: WranglerConfig): Diagnosis[] {
  const folder = migrationsFolder ?? 'migrations'
  if (existsSync(resolve(dirname(configPath), folder, '0001_schema.sql'))) return []
  return [
    {
      what: migrationsFolder
        ? `migrations_dir is ${folder}, which does not contain the migrations of the service.`
        : 'migrations_dir of the database DIRECTORY is missing.',
      why: '`npm run migrate` would create no tables, and nobody could sign in.',
      fix: 'Set migrations_dir = "node_modules/vestibule-auth/migrations" in [[d1_databases]].',
    },
  ]
}

function diagnoseRateLimits({ rateLimits }: WranglerConfig): Diagnosis[] {
  const namespaces = rateLimits.map(({ namespace }) => namespace)
  const shared = rateLimits.filter(
    ({ namespace }) => namespaces.indexOf(namespace) !== namespaces.lastIndexOf(namespace),
  )
  return [
    ...(shared.length > 0
      ? [
          {
            what: `${shared.map(({ name }) => name).join(' and ')} have the same namespace_id, ${shared[0]?.namespace}.`,
            why: 'Requests that one of them counts use up the limit of the other.',
            fix: 'Choose a namespace_id for each that no other service in your Cloudflare account uses.',
          },
        ]
      : []),
    ...rateLimits.filter(isTooLow).map(({ name, limit, period }) => ({
      what: `${name} allows ${limit} requests in ${period} seconds.`,
      why: 'A sign-in consists of several requests, and users behind one IP address share a limit: they would be rejected.',
      fix: `Allow at least ${MIN_REQUESTS} per minute. The template has 600 for USER_RATE_LIMIT and 6000 for CLIENT_RATE_LIMIT.`,
    })),
  ]
}

/** A feature, with the jobs that its module in the core declares. */
type WithSchedule = ListedFeature & { schedule?: Readonly<Record<string, unknown>> }

/** Only jobs of features need the schedule. A schedule always needs the handler. */
function checkSchedule({ crons }: WranglerConfig, { handlers, options }: EntryFile): Finding[] {
  const features: readonly WithSchedule[] = options.features ?? []
  const jobs = features.flatMap(({ schedule = {} }) => Object.keys(schedule))
  const why = `These jobs do not run: ${jobs.join(', ')}.`
  if (jobs.length > 0 && !crons.some((cron) => cron.replaceAll('*/1 ', '* ') === EVERY_MINUTE)) {
    return [
      problem('schedule', {
        what: `crons under [triggers] does not contain "${EVERY_MINUTE}".`,
        why,
        fix: `Add [triggers] with crons = ["${EVERY_MINUTE}"] to wrangler.toml.`,
      }),
    ]
  }
  // Without fetch, the default export is wrong altogether, which is reported above.
  if (crons.length === 0 || handlers.includes('scheduled') || !handlers.includes('fetch')) return []
  return [
    problem('schedule', {
      what: 'The default export of the entry file has no scheduled.',
      why:
        jobs.length > 0
          ? why
          : 'Cloudflare starts it because of crons, and logs an error each time.',
      fix: 'Export the whole worker: export default vestibule.worker, or { ...vestibule.worker, fetch: … }',
    }),
  ]
}

function isTooLow({ limit, period }: RateLimit): boolean {
  return (limit * 60) / period < MIN_REQUESTS
}
