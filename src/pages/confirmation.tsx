/** Says that a change was made. */
export function Confirmation({ text }: { text: string | undefined }) {
  return text === undefined ? null : <p role="status">{text}</p>
}

/** The rules that pages with a confirmation need. */
export const CONFIRMATION_CSS =
  '[role=status]{padding:.75rem 1rem;border:2px solid var(--accent);border-radius:min(var(--radius),1rem)}'
