import * as z from 'zod/mini'
import type { ImportFields } from '../../../administration/operation-group.ts'
import type { Config } from '../../../core/config/config.ts'
import type { Feature } from '../../../core/config/feature.ts'
import { findLocalProvider } from '../../../core/config/local-providers.ts'
import { findSignInMethod, type SignInMethod } from '../../../core/upstream/sign-in-methods.ts'
import { parseUser } from '../../../core/upstream/user-schema.ts'
import type { AccountRow } from '../../../core/users/directory-rows.ts'
import { type StoredProfile, toStoredProfile } from '../../../core/users/profile.ts'
import { randomId } from '../../../foundation/crypto/random.ts'
import { nowInSeconds } from '../../../foundation/values/clock.ts'
import { isObject } from '../../../foundation/values/json.ts'
import { formatProblem, validate } from '../../../foundation/values/problem.ts'
import { NOT_EMPTY, text } from '../../../foundation/values/schemas.ts'
import type { User } from '../../../provider-interface/oauth-types.ts'

/** Longer than the ids of any provider. */
const MAX_ID_LENGTH = 255

const PROVIDER_ID = /^[a-z0-9-]{1,64}$/

/** Only these methods themselves know in which form the ids of their accounts are stored. */
const LOCAL_IDS = ['email', 'passkey']

/** An account to import, under the names of its columns. */
export interface ImportedAccount
  extends Omit<StoredProfile, 'email'>,
    Omit<
      AccountRow,
      | 'label'
      | 'verified_email'
      | 'scope'
      | 'passkey'
      | 'updated_at'
      | 'inserted_at'
      | 'unconfirmed_sid'
    > {
  line: number
  former_id: string | null
  blocked_at: number | null
  roles: string | null
}

type LineSchema = ReturnType<typeof createLineSchema>

/**
 * The schema of a line, with every field that is used. Created for each import, because few isolates
 * import users, and a schema makes every cold start longer.
 */
export function createLineSchema({ features }: Config) {
  const id = text(NOT_EMPTY, [(value) => value.length <= MAX_ID_LENGTH, 'is too long.'])
  const time = 'must be a time in the past, in seconds since 1970.'
  // The profile has the rules of those that providers send.
  const ofProfile = z.optional(z.unknown())
  return z.looseObject({
    provider: z.string(),
    provider_account_id: id,
    former_id: z.optional(id),
    issuer: z.optional(z.string()),
    created_at: z.optional(
      z.int(time).check(z.refine((value) => value >= 0 && value <= nowInSeconds(), time)),
    ),
    blocked: z.optional(z.boolean()),
    name: ofProfile,
    username: ofProfile,
    picture: ofProfile,
    image: ofProfile,
    url: ofProfile,
    union_id: ofProfile,
    ...importFieldsOf(features),
  })
}

function importFieldsOf(features: readonly Feature[]): ImportFields {
  return Object.assign({}, ...features.map(({ operations }) => operations?.importFields?.()))
}

/** The fields of a line that are not stored. */
export function findUnusedFields(schema: LineSchema, line: unknown): string[] {
  const used = Object.keys(schema.shape)
  return isObject(line) ? Object.keys(line).filter((name) => !used.includes(name)) : []
}

/** What is stored of these fields. */
const STORED = {
  name: 'name',
  username: 'username',
  picture: 'image',
  image: 'image',
  url: 'url',
} as const

/** The fields of an imported line that are stored shortened, or not at all, because of their value. */
export function findChangedFields(line: unknown, account: ImportedAccount): string[] {
  const given = isObject(line) ? line : {}
  return Object.entries(STORED).flatMap(([field, column]) => {
    const value = given[field]
    if (typeof value !== 'string' || value.trim() === '') return []
    if (field === 'image' && 'picture' in given) return []
    const stored = account[column]
    const isUrl = column === 'image' || column === 'url'
    return stored === null || (!isUrl && stored !== value.trim()) ? [field] : []
  })
}

/** Returns what is wrong, as a sentence, if the line cannot be imported. */
export function parseLine(
  config: Config,
  schema: LineSchema,
  { line: value, number }: { line: unknown; number: number },
): ImportedAccount | string {
  if (!isObject(value)) return 'This is not a JSON object.'
  const { data: line, problems } = validate(schema, value)
  if (!line) return problems.map(formatProblem).join(' ')
  const provider = findImportedProvider(config, line)
  if (typeof provider === 'string') return provider
  const issuer = (line.issuer ?? provider.accountIssuer).replace(/\/$/, '')
  // No sign-in would find an account without the issuer.
  if (issuer === '' && provider.accountIssuer !== '') return 'issuer is empty.'
  const accountId = findableId(config, line.provider, line.provider_account_id)
  const user = parseProfile({ ...line, provider_account_id: accountId })
  if (!user) return 'provider_account_id is invalid, or a field has the wrong type.'
  const { email: _, ...profile } = toStoredProfile(user)
  const now = nowInSeconds()
  return {
    ...profile,
    line: number,
    provider: provider.id,
    issuer,
    provider_account_id: user.id,
    user_id: randomId('usr'),
    client_id: provider.clientId,
    union_id: user.unionId || null,
    created_at: line.created_at ?? now,
    former_id: line.former_id ?? null,
    blocked_at: line.blocked ? now : null,
    // Without the feature, the field is not used.
    roles: 'roles' in schema.shape ? ((line.roles as string | undefined) ?? null) : null,
  }
}

/** Returns what is wrong, as a sentence, if the account cannot be imported. */
function findImportedProvider(
  config: Config,
  { provider: id, issuer, blocked }: z.infer<LineSchema>,
): Pick<SignInMethod, 'id' | 'accountIssuer' | 'clientId'> | string {
  const local = findLocalProvider(config, id)
  // A passkey is useless without its public key, which only its own registration proves.
  if (local?.type === 'webauthn') return 'Passkeys cannot be imported.'
  const method = findSignInMethod(config, id)
  if (method) return method
  if (!blocked || LOCAL_IDS.includes(id) || !PROVIDER_ID.test(id)) {
    return `The provider ${id} is not enabled.`
  }
  // So that the user is still blocked when the provider is enabled later.
  if (issuer !== undefined) return { id, accountIssuer: '', clientId: '' }
  return `The provider ${id} is not enabled. To block the account nevertheless, add its issuer; an empty one, if the provider has none.`
}

/** The id of an account as the next sign-in with it looks for it. */
function findableId(config: Config, providerId: string, accountId: string): string | undefined {
  const local = findLocalProvider(config, providerId)
  if (!local?.method.normalizeAccountId) return accountId
  return local.method.normalizeAccountId(accountId)
}

/** The same rules as for the profile that a provider sends. */
function parseProfile(line: Record<string, unknown>): User | undefined {
  const { provider_account_id: id, name, username, email, url } = line
  try {
    return parseUser({
      id,
      name,
      username,
      email,
      emailVerified: line['email_verified'],
      image: line['picture'] ?? line['image'],
      url,
      unionId: line['union_id'],
    })
  } catch {
    return undefined
  }
}
