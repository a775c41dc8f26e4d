import { FormButton } from './form-button.tsx'
import { isolate } from './isolate.ts'
import type { Messages } from './messages/choose.ts'

interface SignInPageProps {
  messages: Messages
  /** The app that asks, where one does. */
  clientName: string | undefined
  choices: readonly Choice[]
  /** For who is in a browser inside of an app: the way out of it. */
  browserUrl?: string | undefined
}

/** A provider as the page offers it. */
export interface Choice {
  id: string
  name: string
  logo: string | undefined
  href: string
  /** Where to sign in with a phone, by scanning a code. */
  qr: string | undefined
}

export function SignInPage({ messages, clientName, choices, browserUrl }: SignInPageProps) {
  const { titleFor, title, lead, privacy, inApp, toBrowser } = messages.signIn
  return (
    <>
      <h1>{clientName ? titleFor(clientName) : title}</h1>
      {browserUrl && (
        <>
          <p>{inApp}</p>
          <ul>
            <li>
              <a class="button main" id="to-browser" href={browserUrl}>
                {toBrowser}
              </a>
            </li>
          </ul>
        </>
      )}
      <p>{lead}</p>
      <Choices messages={messages} choices={choices} />
      <p class="soft">{privacy}</p>
    </>
  )
}

interface SignedInPageProps extends SignInPageProps {
  name: string | undefined
  /** Where to go on to, if they came from anywhere. */
  returnTo: string | undefined
  csrfToken: string
}

/** The sign-in page of somebody who already is: go on, change the account, or leave. */
export function SignedInPage({
  messages,
  clientName,
  choices,
  name,
  returnTo,
  csrfToken,
}: SignedInPageProps) {
  const { title, as, someone, goOn, goOnTo, another, signOut } = messages.signedIn
  return (
    <>
      <h1>{title}</h1>
      <p>{as(isolate(name ?? someone))}</p>
      <ul>
        {returnTo && (
          <li>
            <a class="button main" id="continue" href={returnTo}>
              {clientName ? goOnTo(clientName) : goOn}
            </a>
          </li>
        )}
        <li>
          <FormButton action="/api/auth/signout" csrfToken={csrfToken}>
            {signOut}
          </FormButton>
        </li>
      </ul>
      <p>{another}</p>
      <Choices messages={messages} choices={choices} />
    </>
  )
}

function Choices({ messages, choices }: Pick<SignInPageProps, 'messages' | 'choices'>) {
  return (
    <ul>
      {choices.map(({ id, name, logo, href, qr }) => (
        <li>
          <a class={`button brand-${id}`} href={href} rel="nofollow">
            {logo && <img src={logo} alt="" />}
            {messages.signIn.continueWith(name)}
          </a>
          {qr && (
            <a class="soft" href={qr} rel="nofollow">
              {messages.signIn.scan}
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
