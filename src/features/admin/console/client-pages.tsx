import { CLIENT_KINDS } from '../../../administration/client-kinds.ts'
import { ActionLink, Card, joinFacts, Row, Rows } from '../../../administration/console/cards.tsx'
import { DocumentName } from '../../../administration/console/document-name.tsx'
import {
  NEW_SECRET,
  type RegistrationAction,
} from '../../../administration/console/registration-pages.tsx'
import { CopyButton } from '../../../administration/console/secret-page.tsx'
import { calendar, nameDay, Time } from '../../../administration/console/times.tsx'
import { nowInSeconds } from '../../../foundation/values/clock.ts'
import type { ClientSecret } from '../metrics/client-secrets.ts'
import { kindOf } from './client-kind.ts'
import { PERIODS, type Period } from './periods.ts'
import { type Bar, formatNumber, PeriodLinks, SignInChart } from './sign-in-chart.tsx'

export const CLIENT_ACTIONS: readonly RegistrationAction[] = [
  NEW_SECRET,
  { path: 'enable', label: 'Enable', isShown: ({ disabled_at }) => disabled_at !== undefined },
  {
    path: 'disable',
    label: 'Disable',
    isDanger: true,
    isShown: ({ disabled_at }) => disabled_at === undefined,
  },
]

interface ClientSecretsProps {
  client: string
  /** The newest first; undefined if they could not be read. */
  secrets: readonly ClientSecret[] | undefined
  /** Whether this administrator can remove one. */
  mayRemove: boolean
}

/** The secrets of a client, which can be removed one by one, except for the last. */
export function ClientSecrets({ client, secrets, mayRemove }: ClientSecretsProps) {
  if (!secrets) {
    return (
      <Card title="Secrets">
        <p class="none">Not available at the moment.</p>
      </Card>
    )
  }
  if (secrets.length === 0) return null
  return (
    <Card title="Secrets" note="Uses are recorded per day, in UTC.">
      <Rows whenEmpty="">
        {secrets.map((secret, index) => (
          <Row title={nameSecret(index)} note={joinFacts(secretFacts(secret))}>
            {mayRemove && secrets.length > 1 && (
              <ActionLink
                href={`/admin/clients/${encodeURIComponent(client)}/secrets/${secret.id}/remove`}
                label="Remove"
                of={nameSecret(index)}
                isDanger
              />
            )}
          </Row>
        ))}
      </Rows>
      {secrets.length === 1 && mayRemove && (
        <p class="none">
          The last secret cannot be removed. To replace it, create a new one, and change the app.
        </p>
      )}
    </Card>
  )
}

/** What a secret is called, by its place among those of the client, the newest first. */
export function nameSecret(index: number): string {
  return ['Newest secret', 'Former secret', 'Oldest secret'][index] ?? `Secret ${index + 1}`
}

/** When it was created and last used. */
function secretFacts({ createdAt, lastUsedOn }: ClientSecret) {
  return [
    createdAt === undefined ? (
      'created at an unknown time'
    ) : (
      <>
        created <Time at={createdAt} />
      </>
    ),
    lastUsedOn === undefined ? nameNoUse(createdAt) : `last used ${nameUse(lastUsedOn)}`,
  ]
}

/** Uses are recorded since the time of creation is. */
function nameNoUse(createdAt: number | undefined): string {
  return createdAt === undefined ? 'no use recorded' : 'not used yet'
}

/** Such as "today", "yesterday" or "on 17 November". */
export function nameUse(day: string): string {
  const name = nameDay(day, calendar('UTC')(nowInSeconds()))
  return /^(?:Today|Yesterday)$/.test(name) ? name.toLowerCase() : `on ${name}`
}

/** What the page says before a secret is removed that was used only recently. */
export function warnOfUse(use: string): string | undefined {
  if (use !== 'today' && use !== 'yesterday') return undefined
  return `This secret was used ${use}. If the app still uses it, nobody can sign in to it after the removal.`
}

interface ConnectionProps {
  issuer: string
  clientId: string
  /** Only when it was just created. */
  secret?: string
  registration: Record<string, unknown>
}

/** What an app needs to know to sign users in, and where the code for it is. */
export function Connection({ issuer, clientId, secret, registration }: ConnectionProps) {
  const { recipe } = CLIENT_KINDS[kindOf(registration)]
  const lines = [
    `ISSUER=${issuer}`,
    `CLIENT_ID=${clientId}`,
    ...(secret === undefined ? [] : [`CLIENT_SECRET=${secret}`]),
  ]
  return (
    <>
      <h2>Connect the app</h2>
      <p>
        Discovery document:{' '}
        <a href={`${issuer}/.well-known/openid-configuration`}>
          {issuer}/.well-known/openid-configuration
        </a>
      </p>
      <p>
        Lines for its <code>.env</code>. The section “{recipe}” of{' '}
        <DocumentName path="docs/relying-apps.md" section={recipe} /> has the code that reads them.{' '}
        {secret === undefined && 'A secret is shown only when it is created.'}
      </p>
      <pre class="secret" id="env">
        {lines.join('\n')}
      </pre>
      <CopyButton of="env">Copy the lines</CopyButton>
    </>
  )
}

interface ClientSignInsProps {
  client: string
  period: Period
  bars: readonly Bar[]
  total: { succeeded: number; failed: number }
}

/** The sign-in page of a client, and how often users signed in to it. */
export function ClientSignIns({ client, period, bars, total }: ClientSignInsProps) {
  const path = `/admin/clients/${encodeURIComponent(client)}`
  return (
    <>
      <h2>Its sign-in page</h2>
      <iframe src={`${path}/preview`} title="The sign-in page of this client" loading="lazy" />
      <PeriodLinks path={path} period={period} />
      <SignInChart scale={PERIODS[period]} now={nowInSeconds()} {...{ bars, client }} />
      <p class="note">
        {formatNumber(total.succeeded)} sign-ins succeeded, {formatNumber(total.failed)} failed. All
        failures are counted; the audit log merges those of people who are not signed in.
      </p>
    </>
  )
}
