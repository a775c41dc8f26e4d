import type { FC } from 'hono/jsx'
import type { App } from './apps.ts'
import { Layout } from './layout.tsx'
import { PersonaCard, UseAnotherPersona } from './persona-card.tsx'
import type { Persona } from './personas.ts'
import type { Grant } from './platform.ts'
import { SCOPES } from './scopes.ts'
import type { Delivery, DeliveryAttempt } from './webhook-event.ts'

interface ConnectedAppsProps {
  persona: Persona
  connections: { app: App; grant: Grant }[]
  removal: { app: App; delivery: Delivery } | undefined
}

/** The apps a user has authorized, each with a button to remove it. */
export const ConnectedAppsPage: FC<ConnectedAppsProps> = ({ persona, connections, removal }) => (
  <Layout title="Connected apps">
    <h1>Connected apps</h1>
    {removal === undefined ? null : <RemovalNote {...removal} />}
    <PersonaCard persona={persona} />
    {connections.length === 0 ? (
      <p class="apart" data-testid="no-apps">
        No app has access to this account. Apps appear here after you log in to them with the video
        platform.
      </p>
    ) : (
      <ul>
        {connections.map((connection) => (
          <li>
            <Connection {...connection} />
          </li>
        ))}
      </ul>
    )}
    <UseAnotherPersona returnTo="/settings/apps" />
    <p>
      <a href="/">Back to the front page</a>
    </p>
  </Layout>
)

const Connection: FC<{ app: App; grant: Grant }> = ({ app, grant }) => (
  <section class="card stack" data-testid={`app-${app.clientKey}`}>
    <h2>
      <bdi>{app.name}</bdi>
    </h2>
    <p class="muted">
      {app.kind === 'sandbox' ? 'A sandbox app' : 'An app'} with the key {app.clientKey}, authorized
      on <time dateTime={formatDate(grant.since)}>{formatDate(grant.since)}</time>. It can access:
    </p>
    <ul class="plain">
      {grant.scopes.map((scope) => (
        <li>{SCOPES[scope] ?? scope}</li>
      ))}
    </ul>
    <form method="post" action="/settings/apps/remove">
      <input type="hidden" name="client_key" value={app.clientKey} />
      <button type="submit" class="button" data-testid={`remove-${app.clientKey}`}>
        Remove access
      </button>
    </form>
  </section>
)

/**
 * Includes the result of the webhook, which the real platform does not show, for developers of the
 * app.
 */
const RemovalNote: FC<{ app: App; delivery: Delivery }> = ({ app, delivery }) => {
  const lastAttempt = delivery.attempts.at(-1)
  return (
    <div class="note" role="status" data-testid="removed">
      <p>
        <bdi>{app.name}</bdi> no longer has access to this account.
      </p>
      <p class="muted">
        {app.webhookUrl === undefined
          ? 'It has no webhook address, so it was not notified.'
          : `Its webhook ${describeResult(lastAttempt)}.`}
      </p>
    </div>
  )
}

function describeResult(attempt: DeliveryAttempt | undefined): string {
  if (attempt?.status === 200) return 'responded with 200, so it was notified'
  const result =
    attempt?.status === undefined
      ? `did not respond (${attempt?.problem})`
      : `responded with ${attempt.status}`
  return `${result}, so it will be notified again`
}

function formatDate(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}
