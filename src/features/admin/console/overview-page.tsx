import { ActionLink, Card, Row } from '../../../administration/console/cards.tsx'
import {
  DataTable,
  Facts,
  filterUrl,
  State,
} from '../../../administration/console/console-parts.tsx'
import { Time } from '../../../administration/console/times.tsx'
import type { Messages } from '../../../core/messages/messages.ts'
import type { ReadinessCheck } from '../../../core/readiness/check-readiness.ts'
import { nowInSeconds } from '../../../foundation/values/clock.ts'
import { isolateTextDirection } from '../../../foundation/values/isolate-text-direction.ts'
import { VERSION } from '../../../foundation/values/version.ts'
import { CHANGES } from '../audit-sentences.ts'
import { adviceForOutcome, explainShortly } from '../explain-outcome.ts'
import { type AuditTableProps, Sentence } from './audit-table.tsx'
import { PERIODS, type Period } from './periods.ts'
import {
  type Bar,
  entriesUrl,
  formatNumber,
  formatShare,
  PeriodLinks,
  SignInChart,
  successRate,
  Tile,
  UNAVAILABLE,
} from './sign-in-chart.tsx'

interface Counts {
  succeeded: number
  failed: number
}

interface Total extends Counts {
  newUsers: number
}

/** The sign-ins through a provider or to a client. */
interface Share extends Counts {
  name: string
}

/** The sign-ins of a period. */
export interface SignIns {
  /** The oldest first. */
  bars: readonly Bar[]
  total: Total
  /** Those of the period before. */
  before: Total
  /** The most frequent first, like the other lists. */
  providers: readonly Share[]
  clients: readonly Share[]
  failures: readonly { outcome: string; count: number }[]
}

/** What could not be read is `undefined`. */
interface OverviewPageProps {
  /** In English. */
  messages: Messages
  period: Period
  signIns: SignIns | undefined
  emails: { sent: number; rejected: number; failed: number } | undefined
  /** How many sessions were used in the last hour, and whether there may be more. */
  sessions: { count: number; isComplete: boolean } | undefined
  keys: { activeSince: number | undefined; rotatesAt: number } | undefined
  checks: readonly ReadinessCheck[]
  /** The latest changes by administrators; also undefined if this one may not see users yet. */
  changes: AuditTableProps | undefined
}

export function OverviewPage(props: OverviewPageProps) {
  const { messages, period, signIns, emails, sessions, keys, checks, changes } = props
  return (
    <>
      <Readiness checks={checks} />
      <PeriodLinks path="/admin" period={period}>
        <a href="/admin/live">Live</a>
      </PeriodLinks>
      <Tiles period={period} signIns={signIns} sessions={sessions} />
      {signIns && <SignInChart scale={PERIODS[period]} bars={signIns.bars} now={nowInSeconds()} />}
      {signIns?.bars[0] && (
        <div class="cards">
          <Shares caption="By provider" shares={signIns.providers} total={signIns.total} />
          <Shares caption="By app" shares={signIns.clients} total={signIns.total} />
        </div>
      )}
      {signIns?.bars[0] && (
        <Failures messages={messages} failures={signIns.failures} since={signIns.bars[0].since} />
      )}
      {changes && changes.entries.length > 0 && <LatestChanges {...changes} />}
      <h2>Service</h2>
      <Facts
        facts={[
          [`Emails, ${PERIODS[period].label}`, emails ? describeEmails(emails) : UNAVAILABLE],
          ['Signing keys active since', keys ? <Time at={keys.activeSince} /> : UNAVAILABLE],
          ['Next key rotation', keys ? <Time at={keys.rotatesAt} /> : UNAVAILABLE],
          ['Version', VERSION],
        ]}
      />
    </>
  )
}

function describeState({ ready, problem }: ReadinessCheck): string {
  if (!ready) return 'not ready'
  return problem === undefined ? 'ready' : 'ready, with a problem'
}

/** The most urgent fact: whether users can sign in, and what to do if not. */
function Readiness({ checks }: Pick<OverviewPageProps, 'checks'>) {
  const isReady = checks.every(({ ready }) => ready)
  const failed = checks.filter(({ problem }) => problem !== undefined)
  const table = (
    <DataTable
      caption="Readiness"
      items={checks}
      columns={{
        Check: ({ name }) => name,
        State: (check) => <State text={describeState(check)} isBad={check.problem !== undefined} />,
        Problem: ({ problem }) => problem,
        Remedy: ({ fix }) => ({ code: fix }),
      }}
    />
  )
  if (failed.length === 0) {
    return (
      <details>
        <summary>✓ The service is ready.</summary>
        {table}
      </details>
    )
  }
  return (
    <>
      <div role="alert">
        <p class="bad">
          <strong>
            {isReady ? '! The service is ready, but has a problem.' : '✗ The service is not ready.'}
          </strong>
        </p>
        {failed.map(({ name, problem, fix }) => (
          <p>
            <strong>{name}:</strong> {problem}{' '}
            {fix && (
              <>
                To fix it: <code>{fix}</code>
              </>
            )}
          </p>
        ))}
      </div>
      {table}
    </>
  )
}

function describeEmails({ sent, rejected, failed }: NonNullable<OverviewPageProps['emails']>) {
  return `${formatNumber(sent)} sent, ${formatNumber(rejected)} rejected for their recipient, ${formatNumber(failed)} failed`
}

/** The numbers that administrators look for first. docs/admin.md defines them. */
function Tiles({
  period,
  signIns,
  sessions,
}: Pick<OverviewPageProps, 'period' | 'signIns' | 'sessions'>) {
  const before = `the ${PERIODS[period].label} before`
  return (
    <dl class="tiles">
      <Tile name="Successful sign-ins" value={signIns && formatNumber(signIns.total.succeeded)}>
        {signIns && growth(signIns.total.succeeded, signIns.before.succeeded, before)}
      </Tile>
      <Tile name="Succeeded" value={signIns && formatShare(successRate(signIns.total))}>
        {signIns && `before: ${formatShare(successRate(signIns.before))}`}
      </Tile>
      <Tile name="New users" value={signIns && formatNumber(signIns.total.newUsers)}>
        {signIns && growth(signIns.total.newUsers, signIns.before.newUsers, before)}
      </Tile>
      <Tile
        name="Active sessions"
        value={sessions && `${formatNumber(sessions.count)}${sessions.isComplete ? '' : '+'}`}
      >
        used in the last hour
      </Tile>
    </dl>
  )
}

/** How a number has changed. More is neither good nor bad, so it has no colour. */
function growth(count: number, before: number, name: string): string {
  if (before === 0) return `none in ${name}`
  const change = count / before - 1
  const sign = change > 0 ? '▲' : change < 0 ? '▼' : ''
  return `${sign} ${formatShare(Math.abs(change))} on ${name}`.trim()
}

/** A bar for each, as long as its part of all sign-ins. */
function Shares(props: { caption: string; shares: readonly Share[]; total: Counts }) {
  const { caption, shares, total } = props
  const all = total.succeeded + total.failed
  return (
    <section>
      <h2>{caption}</h2>
      {shares.length === 0 && <p>No sign-ins.</p>}
      <ul class="shares">
        {shares.map(({ name, succeeded, failed }) => (
          <li>
            <span>{isolateTextDirection(name)}</span>
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
              <path class="all" d="M0 .5h100" />
              <path class="ok" d={line(0, succeeded / all)} />
              <path class="failed" d={line(succeeded / all, failed / all)} />
            </svg>
            <span title={`${succeeded} succeeded, ${failed} failed`}>
              {formatNumber(succeeded + failed)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function line(start: number, length: number): string {
  return length > 0 ? `M${round(start * 100)} .5h${round(length * 100)}` : ''
}

function round(length: number): number {
  return Math.round(length * 10) / 10
}

interface FailuresProps extends Pick<OverviewPageProps, 'messages'> {
  failures: SignIns['failures']
  since: number
}

/** Why users could not sign in, with what to do about it, and the entries. */
function Failures({ messages, failures, since }: FailuresProps) {
  return (
    <Card
      title="Why sign-ins failed"
      note="The audit log has the first failure of each kind per hour, and all of signed-in users."
    >
      {failures.length === 0 && <p class="none">None failed.</p>}
      <ul class="rows failures">
        {failures.map(({ outcome, count }) => {
          const { reason, advice } = explainShortly(messages, outcome)
          return (
            <Row
              lead={<strong>{formatNumber(count)}</strong>}
              title={reason}
              note={
                <>
                  {advice} <code>{outcome}</code>
                  <details>
                    <summary>What to do</summary>
                    {adviceForOutcome(outcome)}
                  </details>
                </>
              }
            >
              <ActionLink href={entriesUrl({ outcome, since })} label="Show" of={reason} />
            </Row>
          )
        })}
      </ul>
    </Card>
  )
}

function LatestChanges({ entries, ...texts }: AuditTableProps) {
  return (
    <Card title="Latest changes by administrators">
      <ul class="rows">
        {entries.map((entry) => (
          <Row title={<Sentence entry={entry} {...texts} />}>
            <small>
              <Time at={entry.at} />
            </small>
          </Row>
        ))}
      </ul>
      <p class="more-link">
        <a href={filterUrl('/admin/audit', { event: CHANGES })}>All changes in the audit log</a>
      </p>
    </Card>
  )
}
