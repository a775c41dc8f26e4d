import { isObject, objectsIn, parseJson } from '../../src/foundation/values/json.ts'
import { CommandError } from '../command-error.ts'

/*
 * Exports of other services, as the lines that the service imports: one for each account of a user,
 * with the user's former id.
 */

type Fields = Record<string, unknown>

export const EXPORT_FORMATS = ['auth0', 'clerk', 'firebase', 'authjs'] as const

export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** The providers of other services whose names differ from ours. */
const PROVIDER_IDS: Readonly<Record<string, string>> = {
  'google-oauth2': 'google',
  windowslive: 'microsoft-entra-id',
  microsoft: 'microsoft-entra-id',
  x: 'twitter',
}

/** The lines to import. Passwords and other fields that are not used have no value in them. */
export function convertExport(format: ExportFormat, content: string): string {
  const lines = CONVERTERS[format](content)
  if (lines.every((line) => line['former_id'] === undefined)) {
    throw new CommandError(`The file has no users in the format ${format}. Nothing was imported.`)
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

const CONVERTERS: Record<ExportFormat, (content: string) => Fields[]> = {
  auth0: (content) =>
    readList(content).flatMap((user) => {
      const { user_id: id, identities, created_at: createdAt, blocked = false, ...rest } = user
      const { name, username, nickname, picture, ...unused } = rest
      return listAccounts(user, objectsIn(identities), {
        account: (identity) =>
          identity['provider'] === 'auth0'
            ? undefined
            : [identity['provider'], identity['user_id']],
        email: unused['email'],
        isVerified: unused['email_verified'] === true,
        fields: {
          former_id: id,
          name,
          username: username ?? nickname,
          picture,
          blocked,
          created_at: toSeconds(createdAt),
        },
        unused,
      })
    }),
  clerk: (content) =>
    readList(content).flatMap((user) => {
      const { id, external_accounts: accounts, email_addresses: addresses, ...rest } = user
      const { first_name, last_name, username, image_url, banned = false, ...others } = rest
      const { created_at: createdAt, ...unused } = others
      const emails = objectsIn(addresses)
      const primary =
        emails.find((email) => email['id'] === unused['primary_email_address_id']) ?? emails[0]
      const verification = primary?.['verification']
      return listAccounts(user, objectsIn(accounts), {
        account: ({ provider, provider_user_id }) => [
          String(provider).replace(/^oauth_/, ''),
          provider_user_id,
        ],
        email: primary?.['email_address'],
        isVerified: isObject(verification) && verification['status'] === 'verified',
        fields: {
          former_id: id,
          name: [first_name, last_name].filter(Boolean).join(' ') || undefined,
          username,
          picture: image_url,
          blocked: banned,
          created_at: toSeconds(createdAt),
        },
        unused,
      })
    }),
  firebase: (content) =>
    readList(content, 'users').flatMap((user) => {
      const { localId, providerUserInfo, displayName, photoUrl, disabled = false, ...rest } = user
      const { createdAt, ...unused } = rest
      return listAccounts(user, objectsIn(providerUserInfo), {
        account: ({ providerId, rawId }) =>
          providerId === 'password' ? undefined : [String(providerId).replace(/\.com$/, ''), rawId],
        email: unused['email'],
        isVerified: unused['emailVerified'] === true,
        fields: {
          former_id: localId,
          name: displayName,
          picture: photoUrl,
          blocked: disabled,
          created_at: toSeconds(createdAt),
        },
        unused,
      })
    }),
  authjs(content) {
    const accounts = readList(content, 'accounts')
    return readList(content, 'users').flatMap((user) => {
      const { id, name, image, ...unused } = user
      const own = accounts.filter((account) => account['userId'] === id)
      return listAccounts(user, own, {
        account: ({ provider, providerAccountId }) => [provider, providerAccountId],
        email: unused['email'],
        isVerified: Boolean(unused['emailVerified']),
        fields: { former_id: id, name, picture: image },
        unused,
      })
    })
  },
}

interface UserExport {
  /** The provider and the id of an account; undefined for a password. */
  account(account: Fields): readonly [provider: unknown, id: unknown] | undefined
  email: unknown
  isVerified: boolean
  fields: Fields
  unused: Fields
}

/**
 * One line for each account, and one for the verified email address of a user with a password: this
 * user can sign in with a code that is sent there.
 */
function listAccounts(user: Fields, accounts: Fields[], options: UserExport): Fields[] {
  const { account, email, isVerified, fields, unused } = options
  const others = accounts.flatMap((entry) => {
    const [provider, id] = account(entry) ?? []
    if (provider === undefined || id === undefined) return []
    return [
      { provider: PROVIDER_IDS[String(provider)] ?? provider, provider_account_id: String(id) },
    ]
  })
  const hasPassword = others.length < accounts.length || user['password_enabled'] === true
  const needsEmail = hasPassword || others.length === 0
  const byEmail =
    typeof email === 'string' && isVerified && needsEmail
      ? [{ provider: 'email', provider_account_id: email }]
      : []
  const lines: Fields[] = [...others, ...byEmail]
  // Reported as a problem: there is no way to sign in as this user.
  const isUnverified = lines.length === 0 && typeof email === 'string'
  if (lines.length === 0) lines.push({ provider: 'email', provider_account_id: '' })
  const names = Object.keys(unused).filter(
    (name) => user[name] !== null && user[name] !== undefined,
  )
  return lines.map((line) => ({
    ...line,
    ...withoutEmpty(fields),
    ...Object.fromEntries(names.map((name) => [name, null])),
    ...(isUnverified && { email_verified: false }),
  }))
}

/** Whether the line is of a user whose only way to sign in would be an unverified address. */
export function isUnverifiedAddress(line: Fields): boolean {
  return line['provider_account_id'] === '' && line['email_verified'] === false
}

function withoutEmpty(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  )
}

/** A time in ISO 8601 or in milliseconds, in seconds. */
function toSeconds(value: unknown): number | undefined {
  const isText = typeof value === 'string' && !/^\d+$/.test(value)
  const milliseconds = isText ? Date.parse(value) : Number(value ?? Number.NaN)
  return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000)
}

/** The entries of a JSON array, of a list in a JSON object, or of one JSON object per line. */
function readList(content: string, name?: string): Fields[] {
  const parsed = parseJson(content)
  if (Array.isArray(parsed)) return requireObjects('Entries', parsed)
  if (isObject(parsed) && name !== undefined) {
    const list = parsed[name]
    return requireObjects(`Entries of ${name}`, Array.isArray(list) ? list : [])
  }
  const lines = content.split('\n')
  return requireObjects(
    'Lines',
    // Empty lines are not users, and not mistakes.
    lines.map((line) => (line.trim() === '' ? undefined : (parseJson(line) ?? line))),
  )
}

/** Rejects the whole file, because a user would be missing. Numbers are counted from 1. */
function requireObjects(what: string, values: readonly unknown[]): Fields[] {
  const objects = values.filter(isObject)
  const wrong = values.flatMap((value, index) =>
    value === undefined || isObject(value) ? [] : [index + 1],
  )
  // A file without any user is in another format.
  if (wrong.length === 0 || objects.length === 0) return objects
  throw new CommandError(
    `${what} that are not JSON objects: ${wrong.join(', ')}. Correct or remove them. Nothing was imported.`,
  )
}
