import type { FC } from 'hono/jsx'
import { Initial } from './layout.tsx'
import type { Persona } from './personas.ts'

/** The account that a page is about. */
export const PersonaCard: FC<{ persona: Persona }> = ({ persona }) => (
  <div class="card" data-testid="current-persona">
    <Initial handle={persona.handle} />
    <span>
      <span class="name">
        <bdi>{persona.displayName || '(no name)'}</bdi>
      </span>
      <span class="muted">@{persona.handle}</span>
    </span>
  </div>
)

/** Logs the persona out and returns to a page that lets the user select another one. */
export const UseAnotherPersona: FC<{ returnTo: string }> = ({ returnTo }) => (
  <form method="post" action="/v2/auth/logout">
    <input type="hidden" name="place" value={returnTo} />
    <p>
      <button type="submit" class="link" data-testid="use-another-persona">
        Use another persona
      </button>
    </p>
  </form>
)
