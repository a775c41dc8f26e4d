import {
  LOCATION_FIX,
  locationProblem,
  objectJurisdiction,
  READ_LOCATION,
} from '../../foundation/values/jurisdiction.ts'
import { formatProblem } from '../../foundation/values/problem.ts'
import { clientMetadataObject } from '../client-metadata/client-metadata-object.ts'
import type { Config } from '../config/config.ts'
import type { Feature } from '../config/feature.ts'
import { settingName } from '../config/providers.ts'
import { selectUnlistedRows } from '../config/unlisted-features.ts'
import { withDeadline } from '../fetch/deadline.ts'
import { guardObject } from '../limits/guard-object.ts'
import { askRateLimiter, RATE_LIMITERS } from '../limits/rate-limit.ts'
import { pingRevocations } from '../revocations/revocations-object.ts'
import { database, SCHEMA_VERSION, TABLES } from '../storage/database.ts'
import { wasRecentlyFull } from '../storage/full-database.ts'
import { isMissingMigration } from '../storage/unavailable-error.ts'
import { keyringObject } from '../tokens/keyring.ts'
import { authorizationServer } from '../upstream/authorization-server.ts'
import { enabledProviders } from '../upstream/enabled-providers.ts'
import { readSessionCopy } from '../users/session-copies.ts'
import { userObject } from '../users/user-object.ts'
import type { Finding, Requirement } from './requirement.ts'

/** One part of the deployment, and whether it works. Anyone may read it, so it has no internals. */
export interface ReadinessCheck extends Omit<Finding, 'isWarning'> {
  name: string
  /** Also true with a problem that does not keep users from signing in. */
  ready: boolean
}

/** Storage that takes longer is not usable for a sign-in. */
const DEADLINE = 2_000 // milliseconds

/** Requests within this time get the same result, so that they cannot overload storage. */
const CACHE_LIFETIME = 5_000 // milliseconds

/** The name of objects and the key of an entry that never exist. */
const UNUSED_NAME = 'readiness'

const cache = new WeakMap<Config, { checks: ReadinessCheck[]; startedAt: number }>()

/** Checks everything that the service needs to sign users in. */
export async function checkReadiness(env: Env, config: Config): Promise<ReadinessCheck[]> {
  const cached = cache.get(config)
  const startedAt = Date.now()
  if (cached && startedAt - cached.startedAt < CACHE_LIFETIME) return cached.checks
  // Requests that arrive during this check get the former result.
  if (cached) cached.startedAt = startedAt
  const checks = await Promise.all(requirements(env, config).map((part) => check(env, part)))
  cache.set(config, { checks, startedAt })
  return checks
}

function requirements(env: Env, config: Config): Requirement[] {
  return [
    { name: 'settings', use: async () => checkSettings(config) },
    {
      name: 'D1',
      binding: ['DIRECTORY', 'prepare'],
      use: async () => checkSpace(env) ?? checkSchema(env, config),
    },
    {
      name: 'KV',
      binding: ['SESSIONS', 'get'],
      use: async () =>
        void (await readSessionCopy(env, config, { sessionKey: UNUSED_NAME, maxAge: 0 })),
    },
    {
      name: 'object USERS',
      binding: ['USERS', 'idFromName'],
      use: async () => void (await userObject(env, UNUSED_NAME).readSession(UNUSED_NAME)),
    },
    {
      name: 'object KEYRING',
      binding: ['KEYRING', 'idFromName'],
      use: async () => checkKeyring(env, config),
    },
    {
      name: 'object GUARDS',
      binding: ['GUARDS', 'idFromName'],
      use: async () => void (await guardObject(env, UNUSED_NAME).ping()),
    },
    {
      name: 'object REVOCATIONS',
      binding: ['REVOCATIONS', 'idFromName'],
      use: async () => void (await pingRevocations(env)),
    },
    {
      name: 'object CLIENT_METADATA',
      binding: ['CLIENT_METADATA', 'idFromName'],
      use: async () => void (await clientMetadataObject(env, UNUSED_NAME).ping()),
    },
    ...RATE_LIMITERS.map((name) => ({
      name,
      binding: [name, 'limit'] as const,
      use: async () => void (await askRateLimiter(env, name, UNUSED_NAME)),
    })),
    ...config.features.flatMap((feature) => featureRequirements(env, config, feature)),
    ...config.switchedOff.map((id) => ({
      name: `provider ${id}`,
      use: async () => ({
        problem: `It is switched off by ${settingName(id, 'ENABLED')}.`,
        fix: 'Remove the setting to switch it on again.',
        isWarning: true,
      }),
    })),
    ...enabledProviders(config)
      .filter(({ wellKnown }) => wellKnown !== undefined)
      .map((provider) => ({
        name: `provider ${provider.id}`,
        use: async () => void (await authorizationServer(provider)),
        useFix: `Check the issuer of ${provider.id} and the status page of the provider: its discovery document cannot be read.`,
      })),
  ]
}

function featureRequirements(
  env: Env,
  config: Config,
  { bindings = [], readiness }: Feature,
): readonly Requirement[] {
  return [
    ...bindings.map(({ name, method, toml }) => ({
      name: `binding ${name}`,
      binding: [name, method] as const,
      bindingFix: `Add these lines to wrangler.toml, and deploy: ${toml}`,
    })),
    ...(bindings.every(({ name, method }) => isBound(env, [name, method]))
      ? (readiness?.(env, config) ?? [])
      : []),
  ]
}

const STORAGE_FIX = "See Cloudflare's status page, and the log for the reason."
const BINDING_FIX =
  'Add it to wrangler.toml as in the wrangler.toml that `npx vestibule-auth init` creates, and deploy.'

async function check(env: Env, requirement: Requirement): Promise<ReadinessCheck> {
  const { name } = requirement
  const { cause, isWarning = false, ...finding } = await examine(env, requirement)
  const ready = finding.problem === undefined || isWarning
  if (!ready) {
    const reason = cause ?? finding.problem
    console.error(JSON.stringify({ event: 'not_ready', cause: `${name}: ${reason}` }))
  }
  return { name, ready, ...finding }
}

async function examine(
  env: Env,
  { binding, bindingFix = BINDING_FIX, use, useFix = STORAGE_FIX }: Requirement,
): Promise<Finding & { cause?: unknown }> {
  if (binding && !isBound(env, binding)) {
    return { problem: `The binding ${binding[0]} is missing.`, fix: bindingFix }
  }
  try {
    return (await withDeadline(use?.(), DEADLINE, () => new TooSlowError())) ?? {}
  } catch (cause) {
    const problem =
      cause instanceof TooSlowError
        ? `It did not respond within ${DEADLINE / 1000} seconds.`
        : 'It cannot be used.'
    return { problem, fix: useFix, cause }
  }
}

function isBound(env: Env, [name, method]: readonly [string, string]): boolean {
  const binding: unknown = Reflect.get(env, name)
  return (
    typeof binding === 'object' &&
    binding !== null &&
    typeof Reflect.get(binding, method) === 'function'
  )
}

/** The service may run without the providers, clients and APIs whose settings are invalid. */
export function checkSettings({ problems }: Pick<Config, 'problems'>): Finding {
  if (problems.length === 0) return {}
  return {
    problem: problems.map(formatProblem).join(' '),
    fix: 'Run `npx vestibule-auth doctor` where the service is configured.',
  }
}

/** Sign-ins of known users work without space, but are not recorded. */
function checkSpace(env: Env): Finding | undefined {
  if (!wasRecentlyFull(env)) return undefined
  return {
    problem: 'The database is full: writes failed in the last minutes.',
    fix: 'Shorten AUTH_AUDIT_DAYS, or use a plan with larger databases.',
  }
}

/** A deployment that has used a feature, and does not list it any more, may have lost it by an upgrade. */
async function checkUnlistedFeatures(env: Env, { features }: Config): Promise<Finding> {
  const row = await database(env)
    .prepare(selectUnlistedRows(features))
    .first<Record<string, number>>()
  const calls = Object.entries(row ?? {}).flatMap(([call, exists]) => (exists ? [call] : []))
  if (calls.length === 0) return {}
  return {
    problem: `The database has rows of ${calls.join(', ')}, which features does not list.`,
    fix: 'Import it from vestibule-auth/features and add it to features, or delete the rows: see "Remove a feature" in docs/upgrading.md.',
    isWarning: true,
  }
}

async function checkSchema(env: Env, config: Config): Promise<Finding> {
  const fix = config.isDevelopment
    ? 'npx wrangler d1 migrations apply DIRECTORY --local'
    : 'npm run migrate'
  try {
    const row = await database(env)
      .prepare(READ_SCHEMA)
      .first<{ version: number | null; jurisdiction: string | null; tables: string }>()
    const version = row?.version ?? null
    if (version === null || version < SCHEMA_VERSION) {
      const problem = `Migrations were not applied: the database has schema ${version}, and this version needs ${SCHEMA_VERSION}.`
      return { problem, fix }
    }
    const present = row?.tables.split(' ') ?? []
    const missing = TABLES.filter((name) => !present.includes(name))
    if (missing.length > 0) {
      return { problem: `Tables are missing: ${missing.join(', ')}.`, fix: TABLES_FIX }
    }
    const problem = locationProblem(env, row?.jurisdiction)
    if (problem) return { problem, fix: LOCATION_FIX }
    return { detail: describeSchema(env, version), ...(await checkUnlistedFeatures(env, config)) }
  } catch (error) {
    if (!isMissingMigration(error)) throw error
    return { problem: 'Migrations were not applied.', fix }
  }
}

/** Until the database is right, no keys are created. */
async function checkKeyring(env: Env, config: Config): Promise<Finding> {
  try {
    await keyringObject(env).list()
    return {}
  } catch (cause) {
    const { problem, isWarning, fix } = await checkSchema(env, config).catch((): Finding => ({}))
    if (problem === undefined || isWarning || fix === undefined) throw cause
    return { problem: 'It creates no keys until the database can be used.', fix }
  }
}

/** The version of the schema, where the objects were created, and which tables there are. */
const READ_SCHEMA = `
  SELECT max(version) AS version, (${READ_LOCATION}) AS jurisdiction,
    (SELECT group_concat(name, ' ') FROM sqlite_master WHERE type = 'table') AS tables
  FROM schema_version`

/** Wrangler does not apply migrations again that it has recorded as applied. */
const TABLES_FIX = 'Restore the database: see docs/operations.md.'

function describeSchema(env: Env, version: number): string {
  const jurisdiction = objectJurisdiction(env)
  return `schema ${version}${jurisdiction ? `, objects in ${jurisdiction}` : ''}`
}

class TooSlowError extends Error {
  override message = 'It took too long.'
}
