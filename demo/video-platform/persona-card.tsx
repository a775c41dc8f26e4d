import type { FC } from 'hono/jsx'
import { Letter } from './layout.tsx'
import type { Persona } from './personas.ts'

/** Whose account a page is about. */
export const PersonaCard: FC<{ persona: Persona }> = ({ persona }) => (
  <div class="card" data-testid="current-persona">
    <Letter handle={persona.handle} />
    <span>
      <span class="name">
        <bdi>{persona.displayName || '(no name)'}</bdi>
      </span>
      <span class="soft">@{persona.handle}</span>
    </span>
  </div>
)
