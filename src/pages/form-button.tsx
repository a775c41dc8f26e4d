interface FormButtonProps {
  action: string
  /** What the form says. One that leads to us has a `csrfToken`. */
  fields: Record<string, string>
  /** Of the button that the page is for. */
  id?: string
  children?: unknown
}

/** A button that changes something: a form of its own, which works without script. */
export function FormButton({ action, fields, id, children }: FormButtonProps) {
  return (
    <form method="post" action={action}>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button class={id && 'main'} id={id} type="submit">
        {children}
      </button>
    </form>
  )
}
