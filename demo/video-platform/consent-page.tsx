import type { FC } from 'hono/jsx'
import type { AuthorizationRequest } from './authorization-request.ts'
import { Layout } from './layout.tsx'
import { PersonaCard } from './persona-card.tsx'
import type { Persona } from './personas.ts'
import { ScopeSwitches } from './scope-switches.tsx'

interface ConsentProps {
  request: AuthorizationRequest
  persona: Persona
  query: URLSearchParams
}

/** Asks a person what an app may see of them. */
export const ConsentPage: FC<ConsentProps> = ({ request, persona, query }) => (
  <Layout title="Allow access">
    <h1>Let {request.app.name} use your account?</h1>
    <PersonaCard persona={persona} />
    <form method="post" action="/v2/auth/consent">
      <input type="hidden" name="query" value={query.toString()} />
      <ScopeSwitches scopes={request.scopes} />
      <p class="soft">
        You would return to <bdi>{new URL(request.redirectUri).host}</bdi>.
      </p>
      <div class="row">
        <button type="submit" class="button" name="decision" value="deny" data-testid="deny">
          Cancel
        </button>
        <button type="submit" class="button main" name="decision" value="allow" data-testid="allow">
          Allow
        </button>
      </div>
    </form>
    <form method="post" action="/v2/auth/logout">
      <input type="hidden" name="place" value={addressWithoutShortcuts(query)} />
      <p>
        <button type="submit" class="link" data-testid="use-another-persona">
          Use another persona
        </button>
      </p>
    </form>
  </Layout>
)

function addressWithoutShortcuts(query: URLSearchParams): string {
  const kept = new URLSearchParams(query)
  kept.delete('__as')
  return `/v2/auth/authorize/?${kept}`
}
