import { FormButton } from './form-button.tsx'
import type { Messages } from './messages/choose.ts'

interface AnswerPageProps {
  messages: Messages
  redirectUri: string
  parameters: Record<string, string>
}

/** Posts an answer to the app (OAuth 2.0 Form Post Response Mode): by itself, or by a button where no script runs. */
export function AnswerPage({ messages, redirectUri, parameters }: AnswerPageProps) {
  return (
    <FormButton action={redirectUri} fields={parameters} id="continue">
      {messages.signedIn.goOnTo(new URL(redirectUri).host)}
    </FormButton>
  )
}

/** What presses the button. */
export const POST_ANSWER = 'document.forms[0].submit()'
