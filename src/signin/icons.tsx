/*
 * Our own drawings, in the colour of the text around them.
 */

/** A key, for passkeys. */
export function KeyIcon() {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="8" cy="8" r="5" />
      <path d="m12 12 9 9m-4-4 3-3m-6 0 2-2" />
    </svg>
  )
}

/** The corners of a QR code. */
export function QrIcon() {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M4 4h6v6H4zm10 0h6v6h-6zM4 14h6v6H4zm10 0h2v2m4-2v6m-6 0h2" />
    </svg>
  )
}
