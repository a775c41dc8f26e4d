import { calculateJwkThumbprint, importJWK, type JWK } from 'jose'
import type { AuditOrigin } from '../../core/audit/audit-entry.ts'
import type { Config } from '../../core/config/config.ts'
import { validateClient } from '../../core/config/validate-registration.ts'
import { type Client, isPublicClient, toClient } from '../../core/registration-schemas/clients.ts'
import { clientSchemaOf } from '../../core/registration-schemas/deployment-schemas.ts'
import { publicKey } from '../../core/registration-schemas/public-keys.ts'
import { credentialIds } from '../../core/registrations/credential-ids.ts'
import { RegistrationError } from '../../core/registrations/registration-error.ts'
import { requireValid } from '../../core/registrations/require-valid.ts'
import { CLIENTS, storedFields } from '../../core/registrations/stored-registrations.ts'
import { database } from '../../core/storage/database.ts'
import { sha256 } from '../../foundation/crypto/digest.ts'
import { randomSecret } from '../../foundation/crypto/random.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { isObject } from '../../foundation/values/json.ts'
import { sha256 as secretDigest } from '../../foundation/values/schemas.ts'
import { recordChange, repeatOnConflict } from './record-change.ts'
import {
  type Fields,
  type RegistrationChange,
  type RegistrationRecord,
  withoutNull,
} from './registration-store.ts'
import { revokeCredentials, revokeTokens } from './revoke-tokens.ts'
import { SecretStore } from './secret-store.ts'

/** The first one is used for what is recorded from now on. */
export type SecretIds = readonly string[]

function lastSecret(): RegistrationError {
  const message =
    'The client has no other secret. Create a new one first, and change the app to it.'
  return new RegistrationError({ path: [], code: 'invalid', message })
}

class ClientStore extends SecretStore {
  readonly noun = 'client'
  protected readonly eventPrefix = 'client'
  protected readonly secretField = 'client_secrets_sha256'
  protected readonly fixedFields = ['client_id', 'client_secrets_sha256']

  schemaOf(features: Config['features']) {
    return clientSchemaOf(features)
  }

  protected configured({ clients }: Config): RegistrationRecord[] {
    return clients.map(configuredRecord)
  }

  protected validate(config: Config, registration: Fields): void {
    requireValid(validateClient(registration, config))
  }

  protected describe(config: Config, stored: Fields) {
    const { data, unlisted } = validateClient(stored, config)
    const { client_secrets_sha256: _, ...registration } = data ? { ...data, ...unlisted } : stored
    return { registration, secretCount: this.secretsOf(stored).length }
  }

  protected override applyChanges(registration: Fields, changes: Fields): Fields {
    return this.#withoutUnusedSecrets(super.applyChanges(registration, changes))
  }

  /** The digest is stored instead of the secret. */
  protected async createSecret(): Promise<{ secret: string; stored: string }> {
    const secret = randomSecret()
    return { secret, stored: (await sha256(secret)).toHex() }
  }

  /** Those that the settings could not contain either, such as the digest of an empty secret. */
  protected override async unusableSecrets(_config: Config, _id: string, secrets: unknown[]) {
    return secrets.filter((digest) => !secretDigest.safeParse(digest).success)
  }

  /**
   * Registers a client. It gets a secret, which is returned this once, unless it is public or has
   * keys or digests of secrets. A client of the settings can be copied, so that it stays registered
   * when the settings no longer have it; until then, the copy has no effect.
   */
  override async create(
    env: Env,
    config: Config,
    { registration, origin }: { registration: unknown; origin: AuditOrigin },
  ): Promise<{ record: RegistrationRecord; secret?: string }> {
    const fields = withoutEmptySecrets(withoutNull(registration))
    const configured = config.clients.find(({ client_id }) => client_id === fields['client_id'])
    if (configured) return this.#copy(env, config, { configured, fields, origin })
    if (isPublicRegistration(fields)) fields['token_endpoint_auth_method'] = 'none'
    const created = needsSecret(fields) ? await this.createSecret() : undefined
    if (created) fields['client_secrets_sha256'] = [created.stored]
    const id = String(fields['client_id'])
    // A client that was deleted within the last minute may have had the same id.
    const isNew = (await this.read(env, config, id)) === undefined
    if (isNew) await revokeTokens(env, config, [id], 'valid from now on')
    const { record } = await super.create(env, config, { registration: fields, origin })
    return { record, ...(created && { secret: created.secret }) }
  }

  protected override beforeDeletion(env: Env, config: Config, id: string): Promise<void> {
    return revokeTokens(env, config, [id], 'disabled')
  }

  /** Whoever has a credential that is removed may have tokens. */
  protected override async beforeChange(
    env: Env,
    config: Config,
    { id, former, changed }: { id: string; former: Fields; changed: Fields },
  ): Promise<void> {
    const [before, after] = await Promise.all([keysOf(former), keysOf(changed)])
    const kept = [...this.secretsOf(changed), ...after]
    await revokeCredentials(env, config, {
      clientId: id,
      removed: [...this.secretsOf(former), ...before]
        .filter((credential) => !kept.includes(credential))
        .map(String),
      addedKeys: after.filter((key) => !before.includes(key)),
    })
  }

  /**
   * The ids of each valid secret, the newest secret first. Several ids name the same one, as
   * {@link credentialIds} describes.
   */
  async listSecrets(env: Env, config: Config, id: string): Promise<readonly SecretIds[]> {
    const configured = config.clients.find(({ client_id }) => client_id === id)
    if (configured) return this.#secretIds(config, id, configured.client_secrets_sha256)
    const row = await this.findRow(env, id)
    return row ? this.#secretIds(config, id, this.secretsOf(storedFields(this.table, row))) : []
  }

  /** Removes one of several secrets. The last one stays: the app could not authenticate any more. */
  async removeSecret(
    env: Env,
    config: Config,
    { id, secret, origin }: RegistrationChange & { secret: string },
  ): Promise<RegistrationRecord> {
    const row = await this.requireRow(env, config, id)
    const digests = this.secretsOf(storedFields(this.table, row))
    const ids = await this.#secretIds(config, id, digests)
    const removed = digests.find((_, index) => ids[index]?.includes(secret))
    return this.change<string>(env, config, {
      id,
      origin,
      event: 'client_secret_rotated',
      detail: 'secret removed',
      change: (registration) => {
        const present = this.secretsOf(registration)
        if (removed === undefined || !present.includes(removed)) {
          const message = 'This secret does not exist any more.'
          throw new RegistrationError({ path: [], code: 'not_found', message })
        }
        if (present.length === 1) throw lastSecret()
        const kept = present.filter((other) => other !== removed)
        return { ...registration, client_secrets_sha256: kept }
      },
    })
  }

  #secretIds(config: Config, id: string, digests: readonly unknown[]): Promise<SecretIds[]> {
    return Promise.all(digests.map((digest) => credentialIds(config, id, String(digest))))
  }

  /** A disabled client is rejected everywhere, within a minute. Its registration is kept. */
  async setDisabled(
    env: Env,
    config: Config,
    { id, isDisabled, origin }: RegistrationChange & { isDisabled: boolean },
  ): Promise<RegistrationRecord> {
    return repeatOnConflict(async () => {
      const row = await this.requireRow(env, config, id)
      if ((row.disabled_at !== null) === isDisabled) return this.toRecord(config, row)
      await revokeTokens(env, config, [id], isDisabled ? 'disabled' : 'valid from now on')
      const now = nowInSeconds()
      const disabledAt = isDisabled ? now : null
      const isChanged = await recordChange(env, config, {
        statement: database(env).prepare(SET_DISABLED).bind(id, disabledAt, now),
        entry: {
          ...origin,
          event: isDisabled ? 'client_disabled' : 'client_enabled',
          subject: id,
        },
      })
      return isChanged
        ? this.toRecord(config, { ...row, disabled_at: disabledAt, updated_at: now })
        : undefined
    })
  }

  /** Removes the secrets of a client that becomes public or uses keys from now on. */
  #withoutUnusedSecrets(registration: Fields): Fields {
    const { client_secrets_sha256, ...rest } = registration
    const isPublic = rest['token_endpoint_auth_method'] === 'none'
    if (isPublic || hasKeys(rest)) return rest
    // Otherwise it would become a public client by removing its keys.
    if (this.secretsOf(registration).length === 0) {
      throw new RegistrationError({
        path: ['token_endpoint_auth_method'],
        code: 'invalid',
        message:
          'must be none, because the client would have no credentials. Otherwise, create another client.',
      })
    }
    return { ...rest, client_secrets_sha256 }
  }

  async #copy(
    env: Env,
    config: Config,
    { configured, fields, origin }: { configured: Client; fields: Fields; origin: AuditOrigin },
  ): Promise<{ record: RegistrationRecord }> {
    const id = configured.client_id
    const client = toClient(requireValid(validateClient(fields, config)), config)
    // Both were created by the same functions, so their fields are in the same order.
    if (JSON.stringify(client) !== JSON.stringify(configured)) {
      throw new RegistrationError({
        path: ['client_id'],
        code: 'exists',
        message: 'is the id of a client in the settings, with another registration.',
      })
    }
    // In the settings, a client without credentials is public. Here it could get them later.
    const copy = isPublicClient(client) ? { ...fields, token_endpoint_auth_method: 'none' } : fields
    await recordChange(env, config, {
      statement: database(env).prepare(COPY_CLIENT).bind(id, this.serialize(copy), nowInSeconds()),
      entry: { ...origin, event: 'client_created', subject: id, detail: 'copy of the settings' },
    })
    return { record: configuredRecord(configured) }
  }
}

/** Reads and changes the clients. */
export const clientStore = new ClientStore(CLIENTS)

/** Replaces a former copy. */
const COPY_CLIENT = `
  INSERT INTO clients (client_id, registration, created_at, updated_at) VALUES (?1, ?2, 0, ?3)
  ON CONFLICT (client_id) DO UPDATE
  SET registration = excluded.registration, disabled_at = NULL, updated_at = excluded.updated_at`

/** Changes nothing if the client has this state already. */
const SET_DISABLED = `
  UPDATE clients SET disabled_at = ?2, updated_at = ?3
  WHERE client_id = ?1 AND (disabled_at IS NULL) <> (?2 IS NULL)`

function configuredRecord(client: Client): RegistrationRecord {
  const {
    authenticationMethods,
    origins: _,
    registeredAt: __,
    updatedAt: ___,
    assertionAlgorithms: ____,
    scope,
    required_scope,
    client_secrets_sha256,
    ...fields
  } = client
  const [method, ...furtherMethods] = authenticationMethods
  return {
    id: client.client_id,
    registration: {
      ...fields,
      scope: scope.join(' '),
      ...(required_scope.length > 0 && { required_scope: required_scope.join(' ') }),
      ...(furtherMethods.length === 0 && { token_endpoint_auth_method: method }),
    },
    secretCount: client_secrets_sha256.length,
    source: 'settings',
  }
}

/** A list without digests is the default of the field. */
function withoutEmptySecrets(fields: Fields): Fields {
  const { client_secrets_sha256: digests, ...rest } = fields
  return Array.isArray(digests) && digests.length === 0 ? rest : fields
}

/** A program on users' machines cannot keep a secret. */
function isPublicRegistration(fields: Fields): boolean {
  const { application_type, token_endpoint_auth_method, client_secrets_sha256 } = fields
  return (
    application_type === 'native' &&
    token_endpoint_auth_method === undefined &&
    !hasKeys(fields) &&
    client_secrets_sha256 === undefined
  )
}

function needsSecret(fields: Fields): boolean {
  const { token_endpoint_auth_method, client_secrets_sha256 } = fields
  return (
    !hasKeys(fields) && token_endpoint_auth_method !== 'none' && client_secrets_sha256 === undefined
  )
}

/** The thumbprints of its public keys, or their URL. */
async function keysOf({ jwks, jwks_uri }: Fields): Promise<string[]> {
  if (typeof jwks_uri === 'string') return [jwks_uri]
  const keys = isObject(jwks) && Array.isArray(jwks['keys']) ? jwks['keys'] : []
  // What is not a public key has authenticated nobody.
  const valid = keys.flatMap((key) => publicKey.safeParse(key).data ?? [])
  return (await Promise.all(valid.map((key) => thumbprintOf(key as JWK)))).flat()
}

/**
 * That of the key itself, as it is known when a client authenticates: a registration may spell it in
 * another way, such as with leading zeros. None if it is not a key.
 */
async function thumbprintOf(jwk: JWK): Promise<string[]> {
  const alg = { RSA: 'RS256', EC: 'ES256', OKP: 'EdDSA' }[String(jwk.kty)]
  const key = await importJWK(jwk, alg).catch(() => undefined)
  return key ? [await calculateJwkThumbprint(key as CryptoKey)] : []
}

function hasKeys({ jwks, jwks_uri }: Fields): boolean {
  return jwks !== undefined || jwks_uri !== undefined
}
