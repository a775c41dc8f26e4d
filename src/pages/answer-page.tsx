import type { Messages } from './messages/choose.ts'

interface AnswerPageProps {
  messages: Messages
  redirectUri: string
  parameters: Record<string, string>
}

/** Posts an answer to the app (OAuth 2.0 Form Post Response Mode), by a button: our pages run no script. */
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
