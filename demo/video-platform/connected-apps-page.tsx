import type { FC } from 'hono/jsx'
import type { App } from './apps.ts'
import { Layout } from './layout.tsx'
import { PersonaCard } from './persona-card.tsx'
import type { Persona } from './personas.ts'
import type { Grant } from './platform.ts'
import { SCOPES } from './scopes.ts'
import type { Delivery } from './webhook-event.ts'

interface ConnectedAppsProps {
  persona: Persona
  connections: { app: App; grant: Grant }[]
  removal: { app: App; delivery: Delivery } | undefined
}

/** Every app a person has allowed something, each with a button to end it. */
export const ConnectedAppsPage: FC<ConnectedAppsProps> = ({ persona, connections, removal }) => (
  <Layout title="Connected apps">
    <h1>Connected apps</h1>
    {removal === undefined ? null : <RemovalNote {...removal} />}
    <PersonaCard persona={persona} />
    {connections.length === 0 ? (
      <p class="apart" data-testid="no-apps">
        No app can use this account. One appears here when you log in to it with the video platform.
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
    <form method="post" action="/v2/auth/logout">
      <input type="hidden" name="place" value="/settings/apps" />
      <p>
        <button type="submit" class="link" data-testid="use-another-persona">
          Use another persona
        </button>
      </p>
    </form>
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
    <p class="soft">
      {app.kind === 'sandbox' ? 'A sandbox app' : 'An app'} with the key {app.clientKey}, allowed on{' '}
      <time dateTime={isoDateOf(grant.since)}>{isoDateOf(grant.since)}</time>. It can see:
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

/** The real platform tells a person less; whoever works on the app wants to know. */
const RemovalNote: FC<{ app: App; delivery: Delivery }> = ({ app, delivery }) => {
  const last = delivery.attempts.at(-1)
  return (
    <div class="note" role="status" data-testid="removed">
      <p>
        <bdi>{app.name}</bdi> can no longer use this account.
      </p>
      <p class="soft">
        {app.webhookUrl === undefined
          ? 'It has no webhook address, so it was not told.'
          : `Its webhook ${outcomeOf(last?.status, last?.problem)}.`}
      </p>
    </div>
  )
}

function outcomeOf(status: number | undefined, problem: string | undefined): string {
  if (status === 200) return 'answered 200, so it knows'
  const answer = status === undefined ? `did not answer (${problem})` : `answered ${status}`
  return `${answer}, so it will be told again`
}

function isoDateOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}
