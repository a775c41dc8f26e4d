import { styleText } from 'node:util'
import type { ShownFields } from '../../src/administration/shown-fields.ts'
import { accountName } from '../../src/core/users/account-reference.ts'
import {
  lastSeen,
  SESSION_FIELDS,
  type UserDetails,
  warningsAbout,
} from '../../src/features/admin/resources/user.ts'
import { sanitizeForTerminal } from '../sanitize-for-terminal.ts'
import type { Resource } from './admin-api.ts'
import { formatEntry } from './audit-entries.ts'
import { formatTime, printFields, printLine } from './format.ts'
import { printTable } from './table.ts'

/**
 * Prints what the console shows on the page of a user: who it is, what matters now, what happened,
 * sessions, ways to sign in, and apps. The entries of the audit log are the newest first.
 */
export function printUser(user: UserDetails, activity: readonly Resource[]): void {
  const { id, name, username, email, sessions, roles, url, former_id } = user
  const isBlocked = user.blocked_at !== undefined
  const state = isBlocked ? styleText('red', 'blocked') : styleText('green', 'active')
  const title = sanitizeForTerminal(name ?? username ?? email ?? id)
  process.stdout.write(`${styleText('bold', title)}  ${state}\n`)
  const seen = lastSeen(user)
  printFields({
    id,
    ...(name !== undefined && { username, email }),
    url,
    former_id,
    roles,
    'last seen': seen && formatTime(seen),
    'user since': formatTime(user.created_at),
  })
  for (const warning of warningsAbout(user, methodTitle)) {
    const { title, text, reason, since } = warning
    const details = [
      text,
      reason === undefined ? '' : `Reason: “${reason}”`,
      since === undefined ? '' : `Since ${formatTime(since)}`,
    ]
    const line = [title, ...details.filter(Boolean)].join(' ')
    process.stdout.write(`\n${styleText('yellow', `! ${sanitizeForTerminal(line)}`)}\n`)
  }
  printHeading('Activity')
  for (const entry of activity) {
    process.stdout.write(`  ${formatEntry(entry).replace('\n', '\n  ')}\n`)
  }
  if (activity.length === 0) printLine('The audit log has nothing about this user.')
  printSection('Sessions', sessions, SESSION_COLUMNS, 'Not signed in anywhere.')
  printSection('Ways to sign in', user.accounts, METHOD_COLUMNS, 'None.')
  printSection('Apps with access', appsOf(user), APP_COLUMNS, 'No app has access.')
}

const { Browser, Place, ...OTHER_SESSION_FIELDS } = SESSION_FIELDS

const SESSION_COLUMNS: ShownFields<UserDetails['sessions'][number]> = {
  SID: ({ sid }) => ({ id: sid }),
  Browser,
  Place,
  ...OTHER_SESSION_FIELDS,
}

const METHOD_COLUMNS: ShownFields<UserDetails['accounts'][number]> = {
  Account: (account) => ({ id: nameOf(account) }),
  Name: ({ label }) => ({ name: label }),
  State: ({ is_confirmed }) =>
    is_confirmed ? { good: 'confirmed' } : { problem: 'not confirmed' },
  'Last used': ({ last_used_at }) => ({ time: last_used_at }),
  Added: ({ created_at }) => ({ time: created_at }),
}

interface App {
  id: string
  scope: string
  declined: string
  until: number | undefined
}

const APP_COLUMNS: ShownFields<App> = {
  Client: ({ id }) => ({ id }),
  Scope: ({ scope }) => scope,
  Declined: ({ declined }) => declined,
  'Signed in until': ({ until }) => ({ time: until }),
}

/** What each app may do: what the user allowed, and how long it stays signed in. */
function appsOf({ consents, grants }: UserDetails): App[] {
  const ids = new Set([...consents, ...grants].map(({ client_id }) => client_id))
  return [...ids].map((id) => {
    const consent = consents.find(({ client_id }) => client_id === id)
    const own = grants.filter(({ client_id }) => client_id === id)
    const scopes = new Set([...(consent?.scope ?? []), ...own.flatMap(({ scope }) => scope)])
    const ends = own.map(({ expires_at }) => expires_at)
    return {
      id,
      scope: [...scopes].join(' '),
      declined: consent?.declined.join(' ') ?? '',
      until: ends.length > 0 ? Math.max(...ends) : undefined,
    }
  })
}

function nameOf({ provider, account_id: accountId }: UserDetails['accounts'][number]): string {
  return accountName({ provider, accountId })
}

function methodTitle(account: UserDetails['accounts'][number]): string {
  return `The account ${nameOf(account)}`
}

function printSection<Item>(
  heading: string,
  items: readonly Item[],
  columns: ShownFields<Item>,
  emptyText: string,
): void {
  printHeading(heading)
  printTable(items, columns, `  ${emptyText}`)
}

function printHeading(text: string): void {
  process.stdout.write(`\n${styleText('bold', text)}\n`)
}
