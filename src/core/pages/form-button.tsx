import type { PropsWithChildren } from 'hono/jsx'

type FormButtonProps = PropsWithChildren<{
  action: string
  /** Hidden fields. A form that posts to this service needs a `csrfToken`. */
  fields: Record<string, string>
  id?: string
  /** Whether this is the action the page is about. */
  isPrimary?: boolean
  /** Whether it is one of many, next to an entry of a list. */
  isSmall?: boolean
  /** Whether it is that action, and deletes something. */
  isDanger?: boolean
  /** Whether the browser downloads the response, and stays on the page. */
  isDownload?: boolean
}>

/** A button that sends a POST request. It is a form of its own, so it works without scripts. */
export function FormButton(props: FormButtonProps) {
  const { action, fields, id, isPrimary, isSmall, isDanger, isDownload, children } = props
  const classes = [
    (isPrimary || isDanger) && 'primary',
    isSmall && 'small quiet',
    isDanger && 'danger',
  ].filter(Boolean)
  return (
    <form method="post" action={action} data-download={isDownload ? '' : undefined}>
      <HiddenFields fields={Object.entries(fields)} />
      <button class={classes.join(' ') || undefined} id={id} type="submit">
        {children}
      </button>
    </form>
  )
}

/** Hidden inputs. */
export function HiddenFields({ fields }: { fields: Iterable<readonly [string, string]> }) {
  return (
    <>
      {[...fields].map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  )
}
