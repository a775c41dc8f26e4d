import {
  NEW_SECRET,
  REMOVE_SECRET,
  type RegistrationAction,
} from '../../../administration/console/registration-pages.tsx'
import { CopyButton } from '../../../administration/console/secret-page.tsx'
import { CLIENT_KINDS } from '../../../core/registration-schemas/clients.ts'
import { kindOf } from './client-kind.ts'
import type { Period } from './periods.ts'
import { type Bar, formatNumber, PeriodLinks, SignInChart } from './sign-in-chart.tsx'

export const CLIENT_ACTIONS: readonly RegistrationAction[] = [
  NEW_SECRET,
  { path: 'enable', label: 'Enable', isShown: ({ disabled_at }) => disabled_at !== undefined },
  REMOVE_SECRET,
  {
    path: 'disable',
    label: 'Disable',
    isDanger: true,
    isShown: ({ disabled_at }) => disabled_at === undefined,
  },
]

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
        Lines for its <code>.env</code>. The section “{recipe}” of <code>docs/relying-apps.md</code>{' '}
        has the code that reads them.{' '}
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
      <SignInChart {...{ period, bars, client }} />
      <p class="note">
        {formatNumber(total.succeeded)} sign-ins succeeded, {formatNumber(total.failed)} failed. All
        failures are counted; the audit log merges those of people who are not signed in.
      </p>
    </>
  )
}
