import { type Fact, Facts, Problems } from '../../../operations/console/console-parts.tsx'
import type { OperationDescription } from '../../../operations/operation-description.ts'
import { FormButton } from '../../../pages/form-button.tsx'

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
  csrfToken: string
}

/** States the consequences of a change before it is made, or what prevented it. */
export function ConfirmPage(props: ConfirmPageProps) {
  const { subject, operation, warning, action, back, problems, csrfToken } = props
  const { details = [], button, isDanger = false, isDownload = false } = operation
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
      <div class="row">
        <FormButton
          action={action}
          fields={{ csrfToken }}
          id="confirm"
          isPrimary
          isDanger={isDanger}
          isDownload={isDownload}
        >
          {button}
        </FormButton>
        <a href={back}>Cancel</a>
      </div>
    </>
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
