import type { Child } from 'hono/jsx'

/** A sentence, and a button if the user can continue with it. */
export interface ConfirmationProps {
  text: string
  button?: Child
}

/** Says what has happened, or can be done now. */
export function Confirmation({ text, button }: ConfirmationProps) {
  return (
    <div class="notice" role="status">
      <p>{text}</p>
      {button}
    </div>
  )
}
