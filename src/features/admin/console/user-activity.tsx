import { type Child, useContext } from 'hono/jsx'
import { Card, joinFacts } from '../../../administration/console/cards.tsx'
import { filterUrl } from '../../../administration/console/console-parts.tsx'
import {
  abbreviateDay,
  calendar,
  daysBefore,
  formatClock,
  formatTime,
  nameDay,
  TimeZone,
} from '../../../administration/console/times.tsx'
import type { RecordedEntry } from '../../../core/audit/audit-entry.ts'
import type { Messages } from '../../../core/messages/messages.ts'
import { isolateTextDirection } from '../../../foundation/values/isolate-text-direction.ts'
import { explainShortly } from '../explain-outcome.ts'
import type { UserDetails } from '../resources/user.ts'
import type { QuarterCount } from '../sign-in-counts.ts'
import { type AuditTexts, ReferenceLink, Sentence } from './audit-table.tsx'

/** How many days the chart shows. */
export const CHART_DAYS = 30

/** What the page of a user shows of the audit log. */
export interface Activity extends AuditTexts {
  messages: Messages
  /** The newest first. */
  entries: readonly RecordedEntry[]
  /** The sign-ins of at least {@link CHART_DAYS} days. */
  signIns: readonly QuarterCount[]
  /** The present time. */
  now: number
}

interface ActivityCardProps extends Activity {
  user: Pick<UserDetails, 'id' | 'sessions'>
}

/** What a user did, and what was done to them: a small chart, and sentences grouped by day. */
export function ActivityCard({ user, entries, signIns, now, ...texts }: ActivityCardProps) {
  const timeZone = useContext(TimeZone)
  const dayOf = calendar(timeZone)
  const days = Map.groupBy(mergeFailures(entries), ({ entry }) => dayOf(entry.at))
  return (
    <Card
      title="Activity"
      note={
        <>
          <span>
            <i class="ok" /> succeeded
          </span>
          <span>
            <i class="failed" /> failed
          </span>
        </>
      }
    >
      <DayChart signIns={signIns} now={now} />
      {[...days].map(([day, lines]) => (
        <>
          <h3>{nameDay(day, dayOf(now))}</h3>
          <ol class="timeline">
            {lines.map((line) => (
              <Line {...line} user={user} {...texts} />
            ))}
          </ol>
        </>
      ))}
      {entries.length === 0 && <p class="none">The audit log has nothing about this user.</p>}
      <p class="more-link">
        <a href={filterUrl('/admin/audit', { subject: user.id })}>All entries in the audit log</a>
      </p>
    </Card>
  )
}

/** An entry, and how many failures like it directly precede it, since when. */
interface MergedEntry {
  entry: RecordedEntry
  count: number
  since: number
}

/** The same failure several times in a row is one line. */
function mergeFailures(entries: readonly RecordedEntry[]): MergedEntry[] {
  const lines: MergedEntry[] = []
  for (const entry of entries) {
    const last = lines.at(-1)
    if (last && isSameFailure(last.entry, entry)) {
      last.count += 1
      last.since = entry.at
    } else {
      lines.push({ entry, count: 1, since: entry.at })
    }
  }
  return lines
}

function isSameFailure(a: RecordedEntry, b: RecordedEntry): boolean {
  const keys = ['event', 'outcome', 'provider', 'client', 'network'] as const
  return a.outcome !== 'ok' && a.at - b.at < 3600 && keys.every((key) => a[key] === b[key])
}

interface LineProps extends MergedEntry, AuditTexts {
  user: ActivityCardProps['user']
  messages: Messages
}

function Line({ entry, count, since, user, messages, ...texts }: LineProps) {
  const timeZone = useContext(TimeZone)
  const { at, event, outcome, network, requestId, detail } = entry
  const isFailure = outcome !== 'ok'
  const { reason } = explainShortly(messages, outcome)
  const session = findSession(entry, user.sessions)
  const facts: Child[] = [
    ...(session ? [session.device, session.place && isolateTextDirection(session.place)] : []),
    session ? undefined : network,
    count > 1 && `${count} times in ${formatMinutes(at - since)}`,
    event.startsWith('sign_in') && detail && isolateTextDirection(detail),
    isFailure && requestId && (
      <ReferenceLink reference={requestId}>What to tell the user</ReferenceLink>
    ),
  ]
  return (
    <li class={toneOf(entry, texts)}>
      <div>
        <p>
          <Sentence entry={entry} about={user.id} {...texts} />
          {isFailure && (
            <>
              : <b>{lowerFirst(reason)}</b>
            </>
          )}
        </p>
        <small>{joinFacts(facts)}</small>
      </div>
      <small class="when">
        <time datetime={new Date(at * 1000).toISOString()} title={formatTime(at, timeZone)}>
          {formatClock(at, timeZone)}
        </time>
      </small>
    </li>
  )
}

function toneOf({ event, outcome }: RecordedEntry, { sentences }: AuditTexts): string | undefined {
  if (outcome !== 'ok') return 'is-bad'
  if (sentences[event]?.isWarning) return 'is-warning'
  return event === 'sign_in' ? 'is-good' : undefined
}

/** A session is opened right after its sign-in is recorded. */
const MAX_OPENING_TIME = 10 // seconds

/**
 * The session that a sign-in has opened, if it still exists and no other one of the user is as
 * close: entries do not name their session.
 */
function findSession(
  { event, outcome, provider, at }: RecordedEntry,
  sessions: UserDetails['sessions'],
): UserDetails['sessions'][number] | undefined {
  if (event !== 'sign_in' || outcome !== 'ok') return undefined
  const [found, ...others] = sessions.filter((session) => {
    const isNear = Math.abs(session.authenticated_at - at) <= MAX_OPENING_TIME
    return isNear && session.provider === provider
  })
  return others.length === 0 ? found : undefined
}

function formatMinutes(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

const BAR_DISTANCE = 20
const CHART_HEIGHT = 72

/** A single sign-in is a low bar, however few there are. */
const LEAST_SCALE = 4

interface Day {
  succeeded: number
  failed: number
}

function DayChart({ signIns, now }: Pick<Activity, 'signIns' | 'now'>) {
  const dayOf = calendar(useContext(TimeZone))
  const today = dayOf(now)
  const names = Array.from({ length: CHART_DAYS }, (_, index) =>
    daysBefore(today, CHART_DAYS - 1 - index),
  )
  const byDay = Map.groupBy(signIns, ({ at }) => dayOf(at))
  const days = names.map((name) => countSignIns(byDay.get(name) ?? []))
  const highest = Math.max(LEAST_SCALE, ...days.map(({ succeeded, failed }) => succeeded + failed))
  const height = (count: number) => Math.round((count / highest) * (CHART_HEIGHT - 8))
  const total = countSignIns(signIns)
  const lines = (draw: (day: Day) => string) =>
    days.map((day, index) => draw(day) && `M${index * BAR_DISTANCE + 10} ${draw(day)}`).join('')
  return (
    <div class="days">
      <svg
        viewBox={`0 0 ${CHART_DAYS * BAR_DISTANCE} ${CHART_HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Sign-ins of each of the last ${CHART_DAYS} days: ${total.succeeded} succeeded, ${total.failed} failed`}
      >
        <path
          class="ok"
          d={lines(({ succeeded }) => (succeeded > 0 ? `${BASE}v-${height(succeeded)}` : ''))}
        />
        <path
          class="failed"
          d={lines(({ succeeded, failed }) =>
            failed > 0 ? `${BASE - height(succeeded)}v-${height(failed)}` : '',
          )}
        />
        <path
          class="no-sign-ins"
          d={days
            .map(({ succeeded, failed }, index) =>
              succeeded + failed === 0 ? `M${index * BAR_DISTANCE + 3} ${BASE}h14` : '',
            )
            .join('')}
        />
      </svg>
      <small class="axis" aria-hidden="true">
        <span>{abbreviateDay(names[0] ?? today)}</span>
        <span>{abbreviateDay(names[CHART_DAYS / 2] ?? today)}</span>
        <span>today</span>
      </small>
    </div>
  )
}

const BASE = CHART_HEIGHT - 2

/** All of them together. */
export function countSignIns(counts: readonly Day[]): Day {
  return {
    succeeded: counts.reduce((sum, { succeeded }) => sum + succeeded, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  }
}
