import { isObject } from '../../foundation/values/json.ts'
import type { User } from '../../provider-interface/oauth-types.ts'

/** The additional fields of a user, as JSON. They are read with every token that is issued. */
const MAX_ADDITIONAL_FIELDS_SIZE = 4096 // bytes

/** What a callback returned instead of a user, such as “no id”. */
export class InvalidUserError extends Error {
  override readonly name = 'InvalidUserError'
}

type Check = (value: unknown) => boolean

const isText: Check = (value) => typeof value === 'string'

/** Longer than any name. */
const MAX_CLAIM_LENGTH = 200 // characters

const isShortText: Check = (value) => typeof value === 'string' && value.length <= MAX_CLAIM_LENGTH

/** Frontends use it in their pages, so only https is accepted. */
const isWebsite: Check = (value) =>
  isShortText(value) && URL.parse(String(value))?.protocol === 'https:'

/** The parts of a name, which many providers send that do not speak OpenID Connect. */
const NAMES = { given_name: isShortText, family_name: isShortText, middle_name: isShortText }

/**
 * The claims of the scope `profile` (OpenID Connect Core §5.1) that are additional fields of a user.
 * Without `gender` and `birthdate`, which the consent page does not name.
 */
const PROFILE_CLAIMS: Readonly<Record<string, Check>> = {
  ...NAMES,
  nickname: isShortText,
  website: isWebsite,
  zoneinfo: isShortText,
  locale: isShortText,
  updated_at: (value) => Number.isSafeInteger(value),
}

export const PROFILE_CLAIM_NAMES = Object.keys(PROFILE_CLAIMS)

/**
 * These claims in what a provider sent, or in the additional fields of a user. Of a provider without
 * OpenID Connect, only the names: its other fields may mean something else.
 */
export function profileClaims(values: unknown, type = 'oidc'): Record<string, unknown> {
  const checks = Object.entries(type === 'oidc' ? PROFILE_CLAIMS : NAMES)
  const source = isObject(values) ? values : {}
  const valid = checks.filter(([name, isValid]) => isValid(source[name]))
  return Object.fromEntries(valid.map(([name]) => [name, source[name]]))
}

/** The optional fields that this service uses itself, with their types. */
const OPTIONAL_FIELDS: Readonly<Record<string, readonly [isValid: Check, type: string]>> = {
  name: [isText, 'text'],
  email: [isText, 'text'],
  emailVerified: [(value) => typeof value === 'boolean', 'true or false'],
  image: [isText, 'text'],
  username: [isText, 'text'],
  url: [isText, 'text'],
  unionId: [isText, 'text'],
  extras: [isExtras, 'an object of texts, numbers and booleans'],
}

/**
 * Validates what a `profile` or `authorize` callback returned. A user without an id cannot sign in.
 * Optional values of the wrong type are dropped if the callback is ours, because the provider sent
 * them; otherwise the deployment's own callback has a bug. Values that are absent or null are left
 * out. Throws an InvalidUserError.
 */
export function parseUser(value: unknown, { hasBuiltInProfile = false } = {}): User {
  if (!isObject(value)) throw new InvalidUserError('no object')
  const { id } = value
  if (!isId(id)) throw new InvalidUserError('no id')
  const user: User = { id: String(id) }
  for (const [name, [isValid, type]] of Object.entries(OPTIONAL_FIELDS)) {
    const field = value[name] ?? undefined
    if (field === undefined) continue
    if (isValid(field)) user[name] = field
    else if (!hasBuiltInProfile)
      throw new InvalidUserError(`a value for ${name} that is not ${type}`)
  }
  return { ...user, ...parseAdditionalFields(additionalFields(value)) }
}

/** What `String(id)` returns for an id that is missing or is no text: the same for every user. */
const MISSING_IDS = ['', 'undefined', 'null', 'NaN', '[object Object]']

/** Larger numbers are rounded, so that two users would have the same one. */
function isId(id: unknown): boolean {
  return typeof id === 'string' ? !MISSING_IDS.includes(id) : Number.isSafeInteger(id)
}

/**
 * The fields that this service does not use itself. They are stored for the deployment's callbacks.
 */
export function additionalFields(user: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(user).filter(
    ([name, value]) =>
      name !== 'id' && !Object.hasOwn(OPTIONAL_FIELDS, name) && value !== undefined,
  )
  return Object.fromEntries(entries)
}

function parseAdditionalFields(fields: Record<string, unknown>): Record<string, unknown> {
  const notJson = Object.entries(fields).find(([, value]) => !isJson(value))
  // The name may come from the provider, so it is logged only if it looks like a name.
  if (notJson) {
    const name = /^\w{1,40}$/.test(notJson[0]) ? notJson[0] : 'a field'
    throw new InvalidUserError(`a value for ${name} that is not JSON`)
  }
  const json = JSON.stringify(fields)
  if (new TextEncoder().encode(json).length > MAX_ADDITIONAL_FIELDS_SIZE) {
    throw new InvalidUserError(`more than ${MAX_ADDITIONAL_FIELDS_SIZE} bytes of additional fields`)
  }
  return JSON.parse(json)
}

/** More levels than any profile has; stops at an object that contains itself. */
const MAX_DEPTH = 20

function isJson(value: unknown, depth = 0): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (depth === MAX_DEPTH || typeof value !== 'object') return false
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1))
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  return Object.values(value).every((item) => item === undefined || isJson(item, depth + 1))
}

function isExtras(value: unknown): boolean {
  return (
    isObject(value) &&
    Object.values(value).every((item) =>
      ['string', 'number', 'boolean', 'undefined'].includes(typeof item),
    )
  )
}
