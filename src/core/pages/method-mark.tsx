interface MethodMarkProps {
  id: string
  name: string
  /** The URL of its logo. */
  logo: string | undefined
}

/**
 * The logo of a way to sign in, on the provider's own colour, for which it is drawn; a key for
 * passkeys; otherwise the first letter of the name, which is next to it.
 */
export function MethodMark({ id, name, logo }: MethodMarkProps) {
  if (id === 'passkey') return <KeyMark />
  const [letter = ''] = name
  return (
    <span class={`mark brand-${id}`}>
      {logo ? <img src={logo} alt="" /> : <span aria-hidden="true">{letter.toUpperCase()}</span>}
    </span>
  )
}

/** The mark of passkeys. */
export function KeyMark() {
  return (
    <span class="mark">
      <KeyIcon />
    </span>
  )
}

/** A key: our own drawing, in the colour of the text around it. */
export function KeyIcon() {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="8" cy="8" r="5" />
      <path d="m12 12 9 9m-4-4 3-3m-6 0 2-2" />
    </svg>
  )
}
