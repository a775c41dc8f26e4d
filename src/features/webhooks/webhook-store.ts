import {
  type Fields,
  type RegistrationRecord,
  withoutNull,
} from '../../administration/registrations/registration-store.ts'
import { SecretStore } from '../../administration/registrations/secret-store.ts'
import type { AuditOrigin } from '../../core/audit/audit-entry.ts'
import type { Config } from '../../core/config/config.ts'
import { isPublicUrl } from '../../core/fetch/public-url.ts'
import { RegistrationError } from '../../core/registrations/registration-error.ts'
import type { Seal } from '../../foundation/crypto/seal.ts'
import { isLoopback } from '../../foundation/values/loopback.ts'
import { type Problem, validate } from '../../foundation/values/problem.ts'
import { createWebhookSecret } from './sign-webhook.ts'
import { WEBHOOKS } from './table.ts'
import { createWebhookSchema, type Webhook } from './webhook-schema.ts'

/** What secrets are sealed for. */
export const SEAL = 'webhook'

class WebhookStore extends SecretStore {
  readonly noun = 'webhook'
  protected readonly eventPrefix = 'webhook'
  protected readonly secretField = 'sealed_secrets'
  protected readonly fixedFields = ['webhook_id', 'sealed_secrets']
  #schema: ReturnType<typeof createWebhookSchema> | undefined

  get schema() {
    this.#schema ??= createWebhookSchema()
    return this.#schema
  }

  schemaOf() {
    return this.schema
  }

  protected configured(): RegistrationRecord[] {
    return []
  }

  protected validate(config: Config, registration: Fields): void {
    const { data, problems } = validate(this.schema, registration)
    const found = data ? urlProblems(data, config) : problems
    if (found.length > 0) throw new RegistrationError(...found)
  }

  protected describe(_config: Config, stored: Fields) {
    const { sealed_secrets: _, ...registration } = stored
    return { registration, secretCount: this.secretsOf(stored).length }
  }

  /** Events are signed with it, so it is sealed. */
  protected async createSecret({ seal }: Config, id: string) {
    const secret = createWebhookSecret()
    return { secret, stored: await seal.seal<typeof SEAL>(SEAL, id, secret) }
  }

  /** Those that no configured secret opens, because `AUTH_SECRET` was replaced. */
  protected override async unusableSecrets({ seal }: Config, id: string, secrets: unknown[]) {
    const opened = await Promise.all(
      secrets.map((sealed) => seal.openAndRenew<typeof SEAL>(SEAL, id, String(sealed))),
    )
    return secrets.filter((_, index) => opened[index] === undefined)
  }

  /** Registers a webhook. Its secret is returned this once. */
  override async create(
    env: Env,
    config: Config,
    { registration, origin }: { registration: unknown; origin: AuditOrigin },
  ): Promise<{ record: RegistrationRecord; secret: string }> {
    const fields = withoutNull(registration)
    if ('sealed_secrets' in fields) {
      const message = 'does not exist: the secret is created by the service.'
      throw new RegistrationError({ path: ['sealed_secrets'], code: 'unknown', message })
    }
    const { secret, stored } = await this.createSecret(config, String(fields['webhook_id']))
    const { record } = await super.create(env, config, {
      registration: { ...fields, sealed_secrets: [stored] },
      origin,
    })
    return { record, secret }
  }
}

/** Reads and changes the webhooks. */
export const webhookStore = new WebhookStore(WEBHOOKS)

/** The secrets that sign, without those that cannot be opened. `renewed` replaces what is stored. */
export async function openSecrets(
  seal: Seal,
  { webhook_id, sealed_secrets }: Webhook,
): Promise<{ secrets: string[]; renewed?: string[] }> {
  const opened = await Promise.all(
    sealed_secrets.map((sealed) => seal.openAndRenew<typeof SEAL>(SEAL, webhook_id, sealed)),
  )
  const secrets = opened.flatMap((value) => value?.text ?? [])
  const isRenewed = opened.some((value) => value?.renewed !== undefined)
  if (!isRenewed) return { secrets }
  const renewed = sealed_secrets.map((sealed, index) => opened[index]?.renewed ?? sealed)
  return { secrets, renewed }
}

function urlProblems({ url }: Webhook, { issuer, isDevelopment }: Config): Problem[] {
  const reject = (message: string): Problem[] => [{ path: ['url'], code: 'invalid', message }]
  if (new URL(url).origin === issuer) return reject('is an address of this service.')
  if (isPublicUrl(url) || (isDevelopment && isLoopback(url))) return []
  return reject(
    'must be a public https URL: with a host name, not an IP address or a name of a local network.',
  )
}
