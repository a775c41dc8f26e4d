import { FormButton } from './form-button.tsx'
import type { Messages } from './messages/en.ts'
import { SignedInAs } from './signed-in-as.tsx'

interface ProviderButtonsProps {
  messages: Messages
  choices: readonly ProviderChoice[]
}

/** A provider that the page offers. */
interface ProviderChoice {
  id: string
  name: string
  logo: string | undefined
  href: string
  /** Starts a sign-in with a phone that scans a QR code. */
  qr: string | undefined
}

interface SignInPageProps extends ProviderButtonsProps {
  /** Opens this page in the system browser; set only inside an in-app browser. */
  browserUrl: string | undefined
}

/** The sign-in page of a browser without a session. */
export function SignInPage({ messages, choices, browserUrl }: SignInPageProps) {
  const { inAppBrowserWarning, openInBrowser, lead, privacyNote } = messages.signIn
  return (
    <>
      {browserUrl && (
        <>
          <p>{inAppBrowserWarning}</p>
          <a class="primary" id="to-browser" href={browserUrl}>
            {openInBrowser}
          </a>
        </>
      )}
      <p>{lead}</p>
      <ProviderButtons messages={messages} choices={choices} />
      <p class="note">{privacyNote}</p>
    </>
  )
}

interface SignedInPageProps extends ProviderButtonsProps {
  /** The app that requested the sign-in, if any. */
  clientName: string | undefined
  name: string | undefined
  /** Where *Continue* leads; undefined if the user did not come from an app. */
  returnTo: string | undefined
  csrfToken: string
}

/** The sign-in page of a signed-in user: continue, sign out, or use another account. */
export function SignedInPage(props: SignedInPageProps) {
  const { messages, clientName, choices, name, returnTo, csrfToken } = props
  const { continueTo, useAnotherAccount } = messages.signedIn
  return (
    <>
      <SignedInAs messages={messages} name={name} />
      {returnTo && (
        <a class="primary" id="continue" href={returnTo}>
          {clientName ? continueTo(clientName) : messages.signedIn.continue}
        </a>
      )}
      <FormButton action="/api/auth/signout" fields={{ csrfToken }}>
        {messages.signOut.confirm}
      </FormButton>
      <p>{useAnotherAccount}</p>
      <ProviderButtons messages={messages} choices={choices} />
    </>
  )
}

function ProviderButtons({ messages, choices }: ProviderButtonsProps) {
  const { signInWith, signInWithPhone } = messages.signIn
  return (
    <>
      {choices.map(({ id, name, logo, href, qr }) => (
        <>
          <a class={`brand-${id}`} href={href} rel="nofollow">
            {logo && <img src={logo} alt="" />}
            {signInWith(name)}
          </a>
          {qr && (
            <a href={qr} rel="nofollow">
              {signInWithPhone}
            </a>
          )}
        </>
      ))}
    </>
  )
}
