import type { Messages } from '../messages/messages.ts'
import { FormButton } from '../pages/form-button.tsx'

interface FormPostPageProps {
  messages: Messages
  redirectUri: string
  parameters: Record<string, string>
}

/**
 * Posts an authorization response to the app (OAuth 2.0 Form Post Response Mode). A script submits
 * the form; without scripts the user presses the button.
 */
export function FormPostPage({ messages, redirectUri, parameters }: FormPostPageProps) {
  return (
    <>
      <p>{messages.t('continuing.lead')}</p>
      <FormButton action={redirectUri} fields={parameters} id="continue" isPrimary>
        {messages.t('signedIn.continueTo', { app: new URL(redirectUri).host })}
      </FormButton>
    </>
  )
}

/** Submits the only form on the page. */
export const SUBMIT_FORM_SCRIPT = 'document.forms[0].submit()'
