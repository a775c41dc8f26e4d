import type { Child } from 'hono/jsx'

export interface NoticeProps {
  text: string
  /** How the user can continue. */
  button?: Child
}

/** Says what has happened, or can be done now. */
export function Notice({ text, button }: NoticeProps) {
  return (
    <div class="notice" role="status">
      <p>{text}</p>
      {button}
    </div>
  )
}
