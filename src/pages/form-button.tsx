import type { PropsWithChildren } from 'hono/jsx'

type FormButtonProps = PropsWithChildren<{
  action: string
  /** Hidden fields. A form that posts to this service needs a `csrfToken`. */
  fields: Record<string, string>
  id?: string
  /** Whether this is the action the page is about. */
  isPrimary?: boolean
}>

/** A button that sends a POST request. It is a form of its own, so it works without scripts. */
export function FormButton({ action, fields, id, isPrimary, children }: FormButtonProps) {
  return (
    <form method="post" action={action}>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button class={isPrimary ? 'primary' : undefined} id={id} type="submit">
        {children}
      </button>
    </form>
  )
}
