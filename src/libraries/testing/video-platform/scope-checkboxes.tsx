import type { FC } from 'hono/jsx'
import { BASIC, SCOPES } from './scopes.ts'

/** One checkbox per scope, all checked at first. The basic scope cannot be deselected. */
export const ScopeCheckboxes: FC<{ scopes: readonly string[] }> = ({ scopes }) => (
  <fieldset>
    <legend>It would like to access</legend>
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
          <span>{SCOPES[scope] ?? 'Other data'}</span>
          <span class="muted">{scope === BASIC ? `${scope}, always shared` : scope}</span>
        </span>
      </label>
    ))}
  </fieldset>
)
