import { useContext } from 'hono/jsx'
import { Facts, PageLinks } from '../../../administration/console/console-parts.tsx'
import {
  RegistrationsTable,
  type RegistrationView,
} from '../../../administration/console/registration-pages.tsx'
import { formatTime, TimeZone } from '../../../administration/console/times.tsx'
import type { RecordedEntry } from '../../../core/audit/audit-entry.ts'
import type { Messages } from '../../../core/messages/messages.ts'
import { adviceForFailure, failureOfEntry, textOfErrorPage } from '../explain-outcome.ts'
import type { User } from '../resources/user.ts'
import { AuditTable, type AuditTableProps } from './audit-table.tsx'
import { UsersTable } from './users-pages.tsx'

interface SearchPageProps {
  query: string
  clients: readonly RegistrationView[]
  users: readonly User[]
  /** The position of this page. Absent on the first one. */
  cursor: string | undefined
  nextCursor: string | undefined
}

/** Clients and users whose name or id was searched for. */
export function SearchPage({ query, clients, users, cursor, nextCursor }: SearchPageProps) {
  return (
    <>
      {clients.length > 0 && (
        <RegistrationsTable kind="clients" caption="Clients" registrations={clients} />
      )}
      <UsersTable caption="Users" users={users} />
      <p class="note">
        Users are found by any part of their name or username, by the beginning of a verified email
        address, and by a complete account ID or user ID (usr_…).
      </p>
      <PageLinks path="/admin/search" filter={{ query }} cursor={cursor} nextCursor={nextCursor} />
    </>
  )
}

interface ReferencePageProps extends AuditTableProps {
  messages: Messages
  reference: string
}

/** What the audit log has about one request, and what to do about it. */
export function ReferencePage({ messages, reference, ...table }: ReferencePageProps) {
  const { entries } = table
  if (entries.length === 0) {
    return (
      <>
        <p>
          The audit log has nothing about this request. Of failed sign-ins of unknown users, it has
          one of each kind in an hour, and it has no failures of other pages.
        </p>
        <HowToExplain reference={reference} />
      </>
    )
  }
  return (
    <>
      {entries.toReversed().map((entry) => (
        <Explanation messages={messages} entry={entry} />
      ))}
      <AuditTable {...table} />
      <HowToExplain reference={reference} />
    </>
  )
}

function Explanation({ messages, entry }: { messages: Messages; entry: RecordedEntry }) {
  const { at, outcome, detail } = entry
  const timeZone = useContext(TimeZone)
  const text = textOfErrorPage(messages, outcome)
  return (
    <Facts
      facts={[
        ['Time', formatTime(at, timeZone)],
        ['The provider reported', text && detail],
        ['The user saw', text && `“${text}”`],
        ['To do', text && adviceForFailure(failureOfEntry(entry))],
      ]}
    />
  )
}

function HowToExplain({ reference }: { reference: string }) {
  return (
    <p>
      The log of the service has every step: <code>npx vestibule-auth explain {reference}</code>
    </p>
  )
}
