import type { FC } from 'hono/jsx'
import { BASIC, SCOPES } from './scopes.ts'

/** One switch for each scope, all on at first; the basic one cannot be turned off. */
export const ScopeSwitches: FC<{ scopes: readonly string[] }> = ({ scopes }) => (
  <fieldset>
    <legend>It would like to see</legend>
    {scopes.map((scope) => (
      <label class="card">
        <input
          type="checkbox"
          name="scope"
          value={scope}
          checked
          disabled={scope === BASIC}
          data-testid={`scope-${scope}`}
        />
        <span>
          <span>{SCOPES[scope] ?? 'Something else'}</span>
          <span class="soft">{scope === BASIC ? `${scope}, always shared` : scope}</span>
        </span>
      </label>
    ))}
  </fieldset>
)
