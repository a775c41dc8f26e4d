import type { AuditEvent, AuditOrigin } from '../audit/audit-entry.ts'
import { adminApi } from '../config/apis.ts'
import type { Config } from '../config/config.ts'
import { database } from '../storage/database.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import { nowInSeconds } from '../values/clock.ts'
import { isObject } from '../values/json.ts'
import { type ApiRecord, configuredApiRecord, storedApiRecord } from './api-record.ts'
import { mergePatch } from './merge-patch.ts'
import { parseApiRegistration } from './parse-registration.ts'
import { recordChange, repeatOnConflict } from './record-change.ts'
import { RegistrationError, rejectFields } from './registration-error.ts'
import { createSecret } from './secrets.ts'
import { type ApiRow, apiRegistration } from './stored-registrations.ts'

export type { ApiRecord } from './api-record.ts'

interface ApiChange {
  identifier: string
  origin: AuditOrigin
}

/** All APIs: the one of this service, those of the settings, then those in the database by identifier. */
export async function listApis(env: Env, config: Config): Promise<ApiRecord[]> {
  const { results } = await requireStorage(() =>
    database(env).prepare('SELECT * FROM apis ORDER BY identifier').all<ApiRow>(),
  )
  const stored = results.filter(({ identifier }) => !findConfigured(config, identifier))
  return [...configuredApis(config).map(configuredApiRecord), ...stored.map(storedApiRecord)]
}

/** The API with this identifier. */
export async function readApi(
  env: Env,
  config: Config,
  identifier: string,
): Promise<ApiRecord | undefined> {
  const configured = findConfigured(config, identifier)
  if (configured) return configuredApiRecord(configured)
  const row = await findRow(env, identifier)
  return row && storedApiRecord(row)
}

/**
 * Registers an API. It gets a secret for introspection, which is returned this once, unless the
 * registration has `secrets_sha256`; an empty list means that it has none.
 */
export async function createApi(
  env: Env,
  config: Config,
  { registration, origin }: { registration: unknown; origin: AuditOrigin },
): Promise<{ api: ApiRecord; apiSecret?: string }> {
  const input = isObject(registration) ? mergePatch(registration, {}) : {}
  const created = input['secrets_sha256'] === undefined ? await createSecret() : undefined
  const complete = created ? { ...input, secrets_sha256: [created.digest] } : input
  const { identifier } = parseApiRegistration(config, complete)
  const now = nowInSeconds()
  const row: ApiRow = {
    identifier,
    registration: serialize(complete),
    created_at: now,
    updated_at: now,
  }
  const isCreated =
    !findConfigured(config, identifier) &&
    (await recordChange(env, config, {
      statement: database(env)
        .prepare(
          'INSERT INTO apis (identifier, registration, created_at, updated_at) VALUES (?1, ?2, ?3, ?3)',
        )
        .bind(identifier, row.registration, now),
      entry: { ...origin, event: 'api_created', subject: identifier },
    }))
  if (!isCreated) {
    throw new RegistrationError({
      path: ['identifier'],
      code: 'exists',
      message: 'already exists.',
    })
  }
  return { api: storedApiRecord(row), ...(created && { apiSecret: created.secret }) }
}

/** Changes fields of a registration (RFC 7396): null removes a field. */
export async function updateApi(
  env: Env,
  config: Config,
  { identifier, changes, origin }: ApiChange & { changes: Record<string, unknown> },
): Promise<ApiRecord> {
  rejectFields(changes, ['identifier', 'secrets_sha256'])
  return changeRegistration(env, config, {
    identifier,
    origin,
    event: 'api_updated',
    detail: Object.keys(changes).join(' '),
    change: (registration) => mergePatch(registration, changes),
  })
}

/** Adds a secret for introspection, which is returned this once. The former one stays valid; older ones are removed. */
export async function rotateApiSecret(
  env: Env,
  config: Config,
  { identifier, origin }: ApiChange,
): Promise<{ apiSecret: string }> {
  const { secret, digest } = await createSecret()
  await changeRegistration(env, config, {
    identifier,
    origin,
    event: 'api_secret_rotated',
    change: (registration) => {
      const former = secretDigests(registration).slice(0, 1)
      return { ...registration, secrets_sha256: [digest, ...former] }
    },
  })
  return { apiSecret: secret }
}

/** Leaves only the newest secret valid. */
export async function removeFormerApiSecret(
  env: Env,
  config: Config,
  { identifier, origin }: ApiChange,
): Promise<ApiRecord> {
  const row = await requireRow(env, config, identifier)
  if (secretDigests(apiRegistration(row)).length < 2) return storedApiRecord(row)
  return changeRegistration(env, config, {
    identifier,
    origin,
    event: 'api_secret_rotated',
    detail: 'former secret removed',
    change: (registration) => ({
      ...registration,
      secrets_sha256: secretDigests(registration).slice(0, 1),
    }),
  })
}

/** Deletes an API. One that does not exist is deleted already. */
export async function deleteApi(
  env: Env,
  config: Config,
  { identifier, origin }: ApiChange,
): Promise<void> {
  rejectConfigured(config, identifier)
  if (!(await findRow(env, identifier))) return
  await recordChange(env, config, {
    statement: database(env).prepare('DELETE FROM apis WHERE identifier = ?').bind(identifier),
    entry: { ...origin, event: 'api_deleted', subject: identifier },
  })
}

interface RegistrationChange extends ApiChange {
  event: AuditEvent
  detail?: string
  change: (registration: Record<string, unknown>) => Record<string, unknown>
}

async function changeRegistration(
  env: Env,
  config: Config,
  { identifier, origin, event, detail, change }: RegistrationChange,
): Promise<ApiRecord> {
  return repeatOnConflict(async () => {
    const row = await requireRow(env, config, identifier)
    const changed = change(apiRegistration(row))
    parseApiRegistration(config, changed)
    const registration = serialize(changed)
    const now = nowInSeconds()
    const isChanged = await recordChange(env, config, {
      statement: database(env)
        .prepare(REPLACE_REGISTRATION)
        .bind(identifier, row.registration, registration, now),
      entry: { ...origin, event, subject: identifier, detail },
    })
    return isChanged ? storedApiRecord({ ...row, registration, updated_at: now }) : undefined
  })
}

/**
 * Fails, and with it the transaction, if the API was deleted or its registration is not the expected one: then
 * the new one is null, which the table does not allow. An UPDATE would succeed without changing a row.
 */
const REPLACE_REGISTRATION = `
  INSERT INTO apis (identifier, registration, created_at, updated_at)
  VALUES (?1, (SELECT ?3 FROM apis WHERE identifier = ?1 AND registration = ?2), ?4, ?4)
  ON CONFLICT (identifier) DO UPDATE
  SET registration = excluded.registration, updated_at = excluded.updated_at`

/** The digests of its secrets, newest first. */
function secretDigests(registration: Record<string, unknown>): unknown[] {
  const digests = registration['secrets_sha256']
  return Array.isArray(digests) ? digests : []
}

function serialize({ identifier: _, ...registration }: Record<string, unknown>): string {
  return JSON.stringify(registration)
}

async function findRow(env: Env, identifier: string): Promise<ApiRow | undefined> {
  const row = await requireStorage(() =>
    database(env)
      .prepare('SELECT * FROM apis WHERE identifier = ?')
      .bind(identifier)
      .first<ApiRow>(),
  )
  return row ?? undefined
}

async function requireRow(env: Env, config: Config, identifier: string): Promise<ApiRow> {
  rejectConfigured(config, identifier)
  const row = await findRow(env, identifier)
  if (row) return row
  throw new RegistrationError({
    path: [],
    code: 'not_found',
    message: `There is no API ${identifier}.`,
  })
}

function rejectConfigured(config: Config, identifier: string): void {
  if (findConfigured(config, identifier)) {
    throw new RegistrationError({
      path: [],
      code: 'read_only',
      message: `The API ${identifier} is in the settings, or part of this service: it cannot be changed here.`,
    })
  }
}

function configuredApis(config: Config) {
  return [adminApi(config), ...config.apis]
}

function findConfigured(config: Config, identifier: string) {
  return configuredApis(config).find((api) => api.identifier === identifier)
}
