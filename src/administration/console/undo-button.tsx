import { HiddenFields } from '../../core/pages/form-button.tsx'
import type { UndoForm } from './notice.ts'

/** The operation asks for the same role and the same recent sign-in as its page does. */
export function UndoButton({ action, fields, csrfToken }: UndoForm & { csrfToken: string }) {
  return (
    <form method="post" action={action}>
      <HiddenFields fields={Object.entries({ ...fields, csrfToken })} />
      <button class="small" type="submit">
        Undo
      </button>
    </form>
  )
}
