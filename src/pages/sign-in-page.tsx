import { FormButton } from './form-button.tsx'
import { type ShownUser, SignedInAs } from './identity.tsx'
import { isolateTextDirection } from './isolate-text-direction.ts'
import type { Messages } from './messages/en.ts'

interface ProviderButtonsProps {
  messages: Messages
  choices: readonly ProviderChoice[]
}

/** A provider that the page offers. */
export interface ProviderChoice {
  id: string
  name: string
  logo: string | undefined
  href: string
  /** Starts a sign-in with a phone that scans a QR code. */
  qr: string | undefined
  /** Whether this browser last signed in with it. */
  isLastUsed: boolean
}

interface SignInPageProps extends ProviderButtonsProps {
  /** Opens this page in the system browser; set only inside an in-app browser. */
  browserUrl: string | undefined
}

/** The sign-in page of a browser without a session. */
export function SignInPage({ messages, choices, browserUrl }: SignInPageProps) {
  const { inAppBrowserWarning, openInBrowser, lead, privacyNote } = messages.signIn
  const hasChoice = choices.length > 1 || choices.some(({ qr }) => qr)
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
      {hasChoice && <p>{lead}</p>}
      <ProviderButtons messages={messages} choices={choices} />
      <p class="note">{privacyNote}</p>
    </>
  )
}

interface SignedInPageProps extends ProviderButtonsProps {
  user: ShownUser
  /** Where *Continue* leads; undefined if the user did not come from an app. */
  returnTo: string | undefined
  csrfToken: string
}

/** The sign-in page of a signed-in user: continue, sign out, or use another account. */
export function SignedInPage(props: SignedInPageProps) {
  const { messages, choices, user, returnTo, csrfToken } = props
  const { continueAs, useAnotherAccount } = messages.signedIn
  return (
    <>
      <SignedInAs messages={messages} user={user} />
      {returnTo && (
        <a class="primary" id="continue" href={returnTo}>
          {user.name ? continueAs(isolateTextDirection(user.name)) : messages.signedIn.continue}
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

/** One wide button per provider. */
export function ProviderButtons({ messages, choices }: ProviderButtonsProps) {
  const { signInWith, signInWithPhone, lastUsed } = messages.signIn
  return (
    <>
      {choices.map(({ id, name, logo, href, qr, isLastUsed }) => (
        <>
          <a class={`brand-${id}`} href={href} rel="nofollow">
            {logo && <img src={logo} alt="" />}
            {signInWith(name)}
            {isLastUsed && <span class="badge">{lastUsed}</span>}
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
