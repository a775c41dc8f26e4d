import type { Messages } from './messages/choose.ts'

interface AnswerPageProps {
  messages: Messages
  redirectUri: string
  parameters: Record<string, string>
}

/** Posts an answer to the app (OAuth 2.0 Form Post Response Mode): by itself, or by a button where no script runs. */
export function AnswerPage({ messages, redirectUri, parameters }: AnswerPageProps) {
  const { title, lead, goOn } = messages.answer
  return (
    <>
      <h1>{title}</h1>
      <p>{lead(new URL(redirectUri).host)}</p>
      <form method="post" action={redirectUri}>
        {Object.entries(parameters).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <button class="button main" id="continue" type="submit">
          {goOn}
        </button>
      </form>
    </>
  )
}

/** What presses the button. */
export const POST_ANSWER = 'document.forms[0].submit()'
