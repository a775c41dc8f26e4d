import type { FC } from 'hono/jsx'
import type { AuthorizationRequest } from './authorization-request.ts'
import { Layout } from './layout.tsx'
import { PersonaCard, UseAnotherPersona } from './persona-card.tsx'
import type { Persona } from './personas.ts'
import { ScopeCheckboxes } from './scope-checkboxes.tsx'

interface ConsentProps {
  request: AuthorizationRequest
  persona: Persona
  query: URLSearchParams
}

/** Asks the user which data the app may access. */
export const ConsentPage: FC<ConsentProps> = ({ request, persona, query }) => (
  <Layout title="Allow access">
    <h1>Let {request.app.name} use your account?</h1>
    <PersonaCard persona={persona} />
    <form method="post" action="/v2/auth/consent">
      <input type="hidden" name="query" value={query.toString()} />
      <ScopeCheckboxes scopes={request.scopes} />
      <p class="muted">
        You will return to <bdi>{new URL(request.redirectUri).host}</bdi>.
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
    <UseAnotherPersona returnTo={pathWithoutPersona(query)} />
  </Layout>
)

function pathWithoutPersona(query: URLSearchParams): string {
  const remaining = new URLSearchParams(query)
  remaining.delete('__as')
  return `/v2/auth/authorize/?${remaining}`
}
