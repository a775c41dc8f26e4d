import { HiddenFields } from './field.tsx'
import type { Messages } from './messages/en.ts'
import { removeSpaces } from './stylesheet.ts'

export const MORE_CHOICES_CSS = removeSpaces(`
.more { padding-bottom: .5rem; }
.more label { display: grid; gap: .5rem; font-weight: 600; }
select {
  width: 100%;
  min-height: 3rem;
  padding: .5rem .75rem;
  background: var(--surface);
  border: 1px solid var(--muted);
  border-radius: var(--radius);
  color: inherit;
  font: inherit;
  font-weight: 400;
}
`)

/** Where a form sends what the user chose. */
export interface ChoiceForm {
  action: string
  fields: readonly (readonly [name: string, value: string])[]
}

interface MoreChoicesProps {
  messages: Messages
  choices: readonly Choice[]
  /** Undefined if there are no such choices. */
  form: ChoiceForm | undefined
}

interface Choice {
  id: string
  name: string
  /** Whether this browser last signed in with it. */
  isLastUsed?: boolean
}

/** The providers for which a page has no room, by their names. */
export function MoreChoices({ messages, choices, form }: MoreChoicesProps) {
  if (!form || choices.length === 0) return null
  return (
    <form class="more" method="post" action={form.action}>
      <HiddenFields fields={form.fields} />
      <label>
        {messages.actions.chooseProvider}
        <select name="provider" required>
          {/* None of them is recommended. */}
          <option value="" />
          {choices.map(({ id, name, isLastUsed }) => (
            <option value={id} selected={isLastUsed}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">{messages.signedIn.continue}</button>
    </form>
  )
}
