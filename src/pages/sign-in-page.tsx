import { FormButton } from './form-button.tsx'
import type { Messages } from './messages/choose.ts'
import { SignedInAs } from './signed-in-as.tsx'

interface ChoicesProps {
  messages: Messages
  choices: readonly Choice[]
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

interface SignInPageProps extends ChoicesProps {
  /** For who is in a browser inside of an app: the way out of it. */
  browserUrl: string | undefined
}

export function SignInPage({ messages, choices, browserUrl }: SignInPageProps) {
  const words = messages.signIn
  return (
    <>
      {browserUrl && (
        <>
          <p>{words.inApp}</p>
          <a class="main" id="to-browser" href={browserUrl}>
            {words.toBrowser}
          </a>
        </>
      )}
      <p>{words.lead}</p>
      <Choices messages={messages} choices={choices} />
      <p class="soft">{words.privacy}</p>
    </>
  )
}

interface SignedInPageProps extends ChoicesProps {
  /** The app that asks, where one does. */
  clientName: string | undefined
  name: string | undefined
  /** Where to go on to, if they came from anywhere. */
  returnTo: string | undefined
  csrfToken: string
}

/** The sign-in page of somebody who already is: go on, change the account, or leave. */
export function SignedInPage(props: SignedInPageProps) {
  const { messages, clientName, choices, name, returnTo, csrfToken } = props
  const words = messages.signedIn
  return (
    <>
      <SignedInAs messages={messages} name={name} />
      {returnTo && (
        <a class="main" id="continue" href={returnTo}>
          {clientName ? words.goOnTo(clientName) : words.goOn}
        </a>
      )}
      <FormButton action="/api/auth/signout" fields={{ csrfToken }}>
        {messages.signOut.confirm}
      </FormButton>
      <p>{words.another}</p>
      <Choices messages={messages} choices={choices} />
    </>
  )
}

function Choices({ messages, choices }: ChoicesProps) {
  return (
    <>
      {choices.map(({ id, name, logo, href, qr }) => (
        <>
          <a class={`brand-${id}`} href={href} rel="nofollow">
            {logo && <img src={logo} alt="" />}
            {messages.signIn.continueWith(name)}
          </a>
          {qr && (
            <a href={qr} rel="nofollow">
              {messages.signIn.scan}
            </a>
          )}
        </>
      ))}
    </>
  )
}
