import { FormButton } from '../form-button.tsx'
import { Problems } from './console-parts.tsx'

interface ConfirmPageProps {
  /** What is changed: an id. */
  subject: string
  consequences: readonly string[]
  /** Where the form is posted to. */
  action: string
  label: string
  /** Whether users or clients lose their access, or something is deleted. */
  isDanger: boolean
  back: string
  problems: readonly string[]
  csrfToken: string
}

/** States the consequences of a change before it is made. */
export function ConfirmPage(props: ConfirmPageProps) {
  const { subject, consequences, action, label, isDanger, back, problems, csrfToken } = props
  return (
    <>
      <Problems problems={problems} />
      {subject && (
        <p>
          <code>{subject}</code>
        </p>
      )}
      <ul>
        {consequences.map((consequence) => (
          <li>{consequence}</li>
        ))}
      </ul>
      <div class="row">
        <FormButton
          action={action}
          fields={{ csrfToken }}
          id="confirm"
          isPrimary
          isDanger={isDanger}
        >
          {label}
        </FormButton>
        <a href={back}>Cancel</a>
      </div>
    </>
  )
}

/** A new secret. It is stored as a digest only, so it cannot be shown again. */
export function SecretPage({ secret, back }: { secret: string; back: string }) {
  return (
    <>
      <p>Copy the secret now. It is stored as a digest only and cannot be shown again.</p>
      <p class="secret" id="secret">
        {secret}
      </p>
      <div class="row">
        <a href={back}>Continue</a>
      </div>
    </>
  )
}
