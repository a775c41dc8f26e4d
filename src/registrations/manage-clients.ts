import type { AuditEvent, AuditOrigin } from '../audit/audit-entry.ts'
import { type Client, toClient } from '../config/clients.ts'
import type { Config } from '../config/config.ts'
import { database } from '../storage/database.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import { nowInSeconds } from '../values/clock.ts'
import { isObject } from '../values/json.ts'
import { type ClientRecord, configuredClientRecord, storedClientRecord } from './client-record.ts'
import { mergePatch } from './merge-patch.ts'
import { parseClientRegistration } from './parse-registration.ts'
import { recordChange, repeatOnConflict } from './record-change.ts'
import { RegistrationError, rejectFields } from './registration-error.ts'
import { createSecret } from './secrets.ts'
import { type ClientRow, clientRegistration } from './stored-registrations.ts'

export type { ClientRecord } from './client-record.ts'

interface ClientChange {
  clientId: string
  origin: AuditOrigin
}

/** All clients: those of the settings, then those in the database by id. */
export async function listClients(env: Env, config: Config): Promise<ClientRecord[]> {
  const { results } = await requireStorage(() =>
    database(env).prepare('SELECT * FROM clients ORDER BY client_id').all<ClientRow>(),
  )
  const stored = results.filter(({ client_id }) => !findConfigured(config, client_id))
  return [...config.clients.map(configuredClientRecord), ...stored.map(storedClientRecord)]
}

/** The client with this id, enabled or not. */
export async function readClient(
  env: Env,
  config: Config,
  clientId: string,
): Promise<ClientRecord | undefined> {
  const configured = findConfigured(config, clientId)
  if (configured) return configuredClientRecord(configured)
  const row = await findRow(env, clientId)
  return row && storedClientRecord(row)
}

/**
 * Registers a client. It gets a secret, which is returned this once, unless it is public or has keys or
 * digests of secrets. A client of the settings can be copied, so that it stays registered when the settings no
 * longer have it; until then, the copy has no effect.
 */
export async function createClient(
  env: Env,
  config: Config,
  { registration, origin }: { registration: unknown; origin: AuditOrigin },
): Promise<{ client: ClientRecord; clientSecret?: string }> {
  const input = isObject(registration) ? withoutNull(registration) : {}
  if (isPublicRegistration(input)) input['token_endpoint_auth_method'] = 'none'
  const needsSecret = !input['jwks'] && input['token_endpoint_auth_method'] !== 'none'
  const created =
    needsSecret && input['client_secrets_sha256'] === undefined ? await createSecret() : undefined
  const complete = created ? { ...input, client_secrets_sha256: [created.digest] } : input
  const parsed = parseClientRegistration(config, complete)
  const { client_id } = parsed
  const now = nowInSeconds()
  const row: ClientRow = {
    client_id,
    registration: serialize(complete),
    disabled_at: null,
    created_at: now,
    updated_at: now,
  }
  const configured = findConfigured(config, client_id)
  if (configured) {
    const isSame = isSameClient(toClient(parsed, config.isDevelopment), configured)
    const copy = { ...row, created_at: 0 }
    if (isSame) await insertClient(env, config, { row: copy, origin, isCopy: true })
    else {
      throw new RegistrationError({
        path: ['client_id'],
        code: 'exists',
        message: 'is the id of a client in the settings, with another registration.',
      })
    }
    return { client: configuredClientRecord(configured) }
  }
  if (!(await insertClient(env, config, { row, origin, isCopy: false }))) {
    throw new RegistrationError({
      path: ['client_id'],
      code: 'exists',
      message: 'already exists.',
    })
  }
  return { client: storedClientRecord(row), ...(created && { clientSecret: created.secret }) }
}

/** Changes fields of a registration (RFC 7396): null removes a field. Secrets have functions of their own. */
export async function updateClient(
  env: Env,
  config: Config,
  { clientId, changes, origin }: ClientChange & { changes: Record<string, unknown> },
): Promise<ClientRecord> {
  rejectFields(changes, ['client_id', 'client_secrets_sha256'])
  return changeRegistration(env, config, {
    clientId,
    origin,
    event: 'client_updated',
    detail: Object.keys(changes).join(' '),
    change: (registration) => withoutUnusedSecrets(mergePatch(registration, changes)),
  })
}

/** A disabled client is rejected everywhere, within a minute. Its registration is kept. */
export async function setClientDisabled(
  env: Env,
  config: Config,
  { clientId, isDisabled, origin }: ClientChange & { isDisabled: boolean },
): Promise<ClientRecord> {
  return repeatOnConflict(async () => {
    const row = await requireRow(env, config, clientId)
    if ((row.disabled_at !== null) === isDisabled) return storedClientRecord(row)
    const now = nowInSeconds()
    const disabledAt = isDisabled ? now : null
    const isChanged = await recordChange(env, config, {
      statement: database(env).prepare(SET_DISABLED).bind(clientId, disabledAt, now),
      entry: {
        ...origin,
        event: isDisabled ? 'client_disabled' : 'client_enabled',
        subject: clientId,
      },
    })
    return isChanged
      ? storedClientRecord({ ...row, disabled_at: disabledAt, updated_at: now })
      : undefined
  })
}

/**
 * Adds a secret, which is returned this once. The former one stays valid, so that apps can change over;
 * older ones are removed.
 */
export async function rotateClientSecret(
  env: Env,
  config: Config,
  { clientId, origin }: ClientChange,
): Promise<{ clientSecret: string }> {
  const { secret, digest } = await createSecret()
  await changeRegistration(env, config, {
    clientId,
    origin,
    event: 'client_secret_rotated',
    change: (registration) => {
      const [newest] = secretDigests(registration)
      if (newest === undefined) {
        throw new RegistrationError({
          path: [],
          code: 'invalid',
          message: `The client ${clientId} has no secret.`,
        })
      }
      return { ...registration, client_secrets_sha256: [digest, newest] }
    },
  })
  return { clientSecret: secret }
}

/** Leaves only the newest secret valid. */
export async function removeFormerClientSecret(
  env: Env,
  config: Config,
  { clientId, origin }: ClientChange,
): Promise<ClientRecord> {
  const row = await requireRow(env, config, clientId)
  if (secretDigests(clientRegistration(row)).length < 2) return storedClientRecord(row)
  return changeRegistration(env, config, {
    clientId,
    origin,
    event: 'client_secret_rotated',
    detail: 'former secret removed',
    change: (registration) => ({
      ...registration,
      client_secrets_sha256: secretDigests(registration).slice(0, 1),
    }),
  })
}

/** Deletes a client. One that does not exist is deleted already. */
export async function deleteClient(
  env: Env,
  config: Config,
  { clientId, origin }: ClientChange,
): Promise<void> {
  rejectConfigured(config, clientId)
  if (!(await findRow(env, clientId))) return
  await recordChange(env, config, {
    statement: database(env).prepare('DELETE FROM clients WHERE client_id = ?').bind(clientId),
    entry: { ...origin, event: 'client_deleted', subject: clientId },
  })
}

interface RegistrationChange extends ClientChange {
  event: AuditEvent
  detail?: string
  change: (registration: Record<string, unknown>) => Record<string, unknown>
}

async function changeRegistration(
  env: Env,
  config: Config,
  { clientId, origin, event, detail, change }: RegistrationChange,
): Promise<ClientRecord> {
  return repeatOnConflict(async () => {
    const row = await requireRow(env, config, clientId)
    const changed = change(clientRegistration(row))
    parseClientRegistration(config, changed)
    const registration = serialize(changed)
    const now = nowInSeconds()
    const isChanged = await recordChange(env, config, {
      statement: database(env)
        .prepare(REPLACE_REGISTRATION)
        .bind(clientId, row.registration, registration, now),
      entry: { ...origin, event, subject: clientId, detail },
    })
    return isChanged ? storedClientRecord({ ...row, registration, updated_at: now }) : undefined
  })
}

/** Returns false if there is a row with this id, unless the client is a copy, which replaces a former one. */
function insertClient(
  env: Env,
  config: Config,
  { row, origin, isCopy }: { row: ClientRow; origin: AuditOrigin; isCopy: boolean },
): Promise<boolean> {
  const { client_id, registration, created_at, updated_at } = row
  const entry = { ...origin, event: 'client_created', subject: client_id } as const
  return recordChange(env, config, {
    statement: database(env)
      .prepare(isCopy ? INSERT_CLIENT + REPLACE_COPY : INSERT_CLIENT)
      .bind(client_id, registration, created_at, updated_at),
    entry: isCopy ? { ...entry, detail: 'copy of the settings' } : entry,
  })
}

const INSERT_CLIENT = `
  INSERT INTO clients (client_id, registration, created_at, updated_at) VALUES (?1, ?2, ?3, ?4)`

const REPLACE_COPY = `
  ON CONFLICT (client_id) DO UPDATE
  SET registration = excluded.registration, disabled_at = NULL, updated_at = excluded.updated_at`

/*
 * These statements fail, and with them the transaction, if the client was deleted or is not as expected: then
 * the registration is null, which the table does not allow. An UPDATE would succeed without changing a row.
 */

const REPLACE_REGISTRATION = `
  INSERT INTO clients (client_id, registration, created_at, updated_at)
  VALUES (?1, (SELECT ?3 FROM clients WHERE client_id = ?1 AND registration = ?2), ?4, ?4)
  ON CONFLICT (client_id) DO UPDATE
  SET registration = excluded.registration, updated_at = excluded.updated_at`

const SET_DISABLED = `
  INSERT INTO clients (client_id, registration, created_at, updated_at)
  VALUES (
    ?1,
    (SELECT registration FROM clients WHERE client_id = ?1 AND (disabled_at IS NULL) <> (?2 IS NULL)),
    ?3,
    ?3
  )
  ON CONFLICT (client_id) DO UPDATE SET disabled_at = ?2, updated_at = excluded.updated_at`

/** Both were created by the same functions, so their fields are in the same order. */
function isSameClient(client: Client, other: Client): boolean {
  return JSON.stringify(client) === JSON.stringify(other)
}

/** A program on users' machines cannot keep a secret. */
function isPublicRegistration(input: Record<string, unknown>): boolean {
  const { application_type, token_endpoint_auth_method, jwks, client_secrets_sha256 } = input
  return (
    application_type === 'native' &&
    token_endpoint_auth_method === undefined &&
    jwks === undefined &&
    client_secrets_sha256 === undefined
  )
}

/** The secrets of a client that becomes public, or uses keys from now on, are removed with the change. */
function withoutUnusedSecrets(registration: Record<string, unknown>): Record<string, unknown> {
  const { client_secrets_sha256, ...rest } = registration
  const isPublic = rest['token_endpoint_auth_method'] === 'none'
  if (isPublic || rest['jwks'] !== undefined) return rest
  // Otherwise it would become a public client by removing its keys.
  if (secretDigests(registration).length === 0) {
    throw new RegistrationError({
      path: ['token_endpoint_auth_method'],
      code: 'invalid',
      message:
        'must be none, because the client would have no credentials. Otherwise, create another client.',
    })
  }
  return { ...rest, client_secrets_sha256 }
}

function withoutNull(registration: Record<string, unknown>): Record<string, unknown> {
  return mergePatch(registration, {})
}

/** The digests of its secrets, newest first. */
function secretDigests(registration: Record<string, unknown>): unknown[] {
  const digests = registration['client_secrets_sha256']
  return Array.isArray(digests) ? digests : []
}

function serialize({ client_id: _, ...registration }: Record<string, unknown>): string {
  return JSON.stringify(registration)
}

async function findRow(env: Env, clientId: string): Promise<ClientRow | undefined> {
  const row = await requireStorage(() =>
    database(env)
      .prepare('SELECT * FROM clients WHERE client_id = ?')
      .bind(clientId)
      .first<ClientRow>(),
  )
  return row ?? undefined
}

async function requireRow(env: Env, config: Config, clientId: string): Promise<ClientRow> {
  rejectConfigured(config, clientId)
  const row = await findRow(env, clientId)
  if (row) return row
  throw new RegistrationError({
    path: [],
    code: 'not_found',
    message: `There is no client with the id ${clientId}.`,
  })
}

function rejectConfigured(config: Config, clientId: string): void {
  if (findConfigured(config, clientId)) {
    throw new RegistrationError({
      path: [],
      code: 'read_only',
      message: `The client ${clientId} is in the settings: change it there.`,
    })
  }
}

function findConfigured({ clients }: Config, clientId: string) {
  return clients.find(({ client_id }) => client_id === clientId)
}
