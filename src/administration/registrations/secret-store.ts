import type { Config } from '../../core/config/config.ts'
import { RegistrationError } from '../../core/registrations/registration-error.ts'
import { storedFields } from '../../core/registrations/stored-registrations.ts'
import {
  type Fields,
  type RegistrationChange,
  type RegistrationRecord,
  RegistrationStore,
} from './registration-store.ts'

/**
 * How many secrets are valid at once. An app needs two to change over. If the answer with the new one
 * is lost and the rotation repeated, the third one is that which the app uses.
 */
const MAX_SECRETS = 3

/** Registrations with secrets. Several can be valid at once, so that apps can change over. */
export abstract class SecretStore extends RegistrationStore {
  /** The field with the secrets in the form in which they are stored, newest first. */
  protected abstract readonly secretField: string

  /** A new secret, and the form in which it is stored. */
  protected abstract createSecret(
    config: Config,
    id: string,
  ): Promise<{ secret: string; stored: string }>

  /** Those of the stored secrets that cannot be used any more. */
  protected async unusableSecrets(
    _config: Config,
    _id: string,
    _secrets: readonly unknown[],
  ): Promise<readonly unknown[]> {
    return []
  }

  /**
   * Adds a secret, which is returned this once. Of the former ones, the newest stay valid, without
   * those that cannot be used any more.
   */
  async rotateSecret(
    env: Env,
    config: Config,
    { id, origin }: RegistrationChange,
  ): Promise<{ secret: string; record: RegistrationRecord }> {
    const { secret, stored } = await this.createSecret(config, id)
    const row = await this.requireRow(env, config, id)
    const former = this.secretsOf(storedFields(this.table, row))
    const unusable = await this.unusableSecrets(config, id, former)
    const record = await this.change<string>(env, config, {
      id,
      origin,
      event: `${this.eventPrefix}_secret_rotated`,
      change: (registration) => {
        const secrets = this.secretsOf(registration)
        if (secrets.length === 0) {
          const message = `The ${this.noun} ${id} has no secret.`
          throw new RegistrationError({ path: [], code: 'invalid', message })
        }
        const usable = secrets.filter((former) => !unusable.includes(former))
        return { ...registration, [this.secretField]: [stored, ...usable].slice(0, MAX_SECRETS) }
      },
    })
    return { secret, record }
  }

  /** Leaves only the newest secret valid. */
  async removeFormerSecret(
    env: Env,
    config: Config,
    { id, origin }: RegistrationChange,
  ): Promise<RegistrationRecord> {
    const row = await this.requireRow(env, config, id)
    if (this.secretsOf(storedFields(this.table, row)).length < 2) return this.toRecord(config, row)
    return this.change<string>(env, config, {
      id,
      origin,
      event: `${this.eventPrefix}_secret_rotated`,
      detail: 'former secret removed',
      change: (registration) => ({
        ...registration,
        [this.secretField]: this.secretsOf(registration).slice(0, 1),
      }),
    })
  }

  /** The secrets as they are stored, newest first. */
  protected secretsOf({ [this.secretField]: secrets }: Fields): unknown[] {
    return Array.isArray(secrets) ? secrets : []
  }
}
