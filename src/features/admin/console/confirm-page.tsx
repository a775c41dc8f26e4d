import { type Fact, Facts } from '../../../administration/console/console-parts.tsx'
import type { OperationDescription } from '../../../administration/operation-description.ts'
import { HiddenFields } from '../../../core/pages/form-button.tsx'
import { Problems } from './problems.tsx'

/** A warning on pages that change the signed-in administrator. */
export const OWN_USER = 'This is you: you may lose your access to this console.'

interface ConfirmPageProps {
  /** What is changed. */
  subject: readonly Fact[]
  operation: OperationDescription
  /** What concerns only the signed-in administrator. */
  warning?: string | undefined
  /** Where the form is posted to. */
  action: string
  back: string
  /** Why the change was not made. */
  problems: readonly string[]
  /** What was entered before a step-up. */
  entered?: string
  csrfToken: string
}

/** States the consequences of a change before it is made, or what prevented it. */
export function ConfirmPage(props: ConfirmPageProps) {
  const { subject, operation, warning, action, back, problems } = props
  const { entered = '', csrfToken } = props
  const { details = [], button, input, isDanger = false, isDownload = false } = operation
  if (problems.length > 0) {
    return (
      <>
        <Problems problems={['Nothing was changed.', ...problems]} />
        {subject.length > 0 && <Facts facts={subject} />}
        <div class="row">
          <a class="primary" href={back}>
            Back
          </a>
        </div>
      </>
    )
  }
  return (
    <>
      {subject.length > 0 && <Facts facts={subject} />}
      {warning && <Problems problems={[warning]} />}
      <Details details={details} />
      <form method="post" action={action} data-download={isDownload ? '' : undefined}>
        <HiddenFields fields={[['csrfToken', csrfToken]]} />
        {input && <Input {...input} entered={entered} />}
        <div class="row">
          <button class={isDanger ? 'primary danger' : 'primary'} id="confirm" type="submit">
            {button}
          </button>
          <a href={back}>Cancel</a>
        </div>
      </form>
    </>
  )
}

type InputProps = NonNullable<OperationDescription['input']> & { entered: string }

function Input({ name, label, hint, maxLength, entered }: InputProps) {
  return (
    <div class="input">
      <label>
        {label} (optional, at most {maxLength} characters)
        <input
          name={name}
          value={entered || undefined}
          maxlength={maxLength}
          aria-describedby={`${name}-hint`}
        />
      </label>
      <small id={`${name}-hint`}>{hint}</small>
    </div>
  )
}

function Details({ details }: { details: readonly string[] }) {
  if (details.length === 1) return <p>{details[0]}</p>
  return (
    <ul>
      {details.map((sentence) => (
        <li>{sentence}</li>
      ))}
    </ul>
  )
}
