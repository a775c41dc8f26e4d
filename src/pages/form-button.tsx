interface FormButtonProps {
  action: string
  csrfToken: string
  /** What the form says besides. */
  fields?: Record<string, string>
  id?: string
  main?: boolean
  children?: unknown
}

/** A button that changes something: a form of its own, which works without script. */
export function FormButton({ action, csrfToken, fields, id, main, children }: FormButtonProps) {
  return (
    <form method="post" action={action}>
      {Object.entries({ ...fields, csrfToken }).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button class={main ? 'button main' : 'button'} id={id} type="submit">
        {children}
      </button>
    </form>
  )
}
