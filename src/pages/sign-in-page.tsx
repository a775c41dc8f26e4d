import type { Child } from 'hono/jsx'
import { Confirmation } from './confirmation.tsx'
import { FormButton } from './form-button.tsx'
import { QrIcon } from './icons.tsx'
import { type ShownUser, UserName } from './identity.tsx'
import { isolateTextDirection } from './isolate-text-direction.ts'
import type { Messages } from './messages/en.ts'

export interface ProviderButtonsProps {
  messages: Messages
  choices: readonly ProviderChoice[]
  /** What providers of this service show before and after the buttons. */
  parts?: { before: readonly Child[]; after: readonly Child[] } | undefined
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
  /** Whether a form of the page asks for a password. */
  asksForPassword?: boolean
  /** Whether someone who signs in for the first time gets an account. */
  createsUsers?: boolean
  /** Whether the session of this browser has ended. */
  wasSignedIn?: boolean
}

/** The sign-in page of a browser without a session. */
export function SignInPage(props: SignInPageProps) {
  const { messages, choices, parts, browserUrl } = props
  const { asksForPassword = false, createsUsers = false, wasSignedIn = false } = props
  const { inAppBrowserWarning, openInBrowser, or, lead, privacyNote, newUserNote } = messages.signIn
  const hasChoice = choices.length > 1
  const hasQrCode = choices.some(({ qr }) => qr)
  const onlyProvider = hasChoice ? undefined : choices[0]?.name
  return (
    <>
      {wasSignedIn && <Confirmation text={messages.signIn.sessionEnded} />}
      {browserUrl && (
        <>
          <p>{inAppBrowserWarning}</p>
          <a class="primary" id="to-browser" href={browserUrl}>
            {openInBrowser}
          </a>
          <p class="or">{or}</p>
        </>
      )}
      {(hasChoice || hasQrCode) && <p class={hasChoice ? undefined : 'scan'}>{lead}</p>}
      <ProviderButtons
        messages={messages}
        choices={choices}
        parts={parts}
        note={choices.length > 0 && !asksForPassword ? privacyNote(onlyProvider) : undefined}
      />
      {createsUsers && <p class="note">{newUserNote}</p>}
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
  const { messages, choices, parts, user, returnTo, csrfToken } = props
  const { continueAs, useAnotherAccount } = messages.signedIn
  return (
    <>
      <UserName user={user} />
      {returnTo ? (
        <a class="primary" id="continue" href={returnTo}>
          {user.name ? continueAs(isolateTextDirection(user.name)) : messages.signedIn.continue}
        </a>
      ) : (
        <a class="primary" href="/account">
          {messages.actions.goToAccount}
        </a>
      )}
      <FormButton action="/api/auth/signout" fields={{ csrfToken }}>
        {messages.signOut.confirm}
      </FormButton>
      <p>{useAnotherAccount}</p>
      <ProviderButtons {...{ messages, choices, parts }} />
    </>
  )
}

/** One wide button per provider. */
export function ProviderButtons(props: ProviderButtonsProps & { note?: string | undefined }) {
  const { messages, choices, parts, note } = props
  const { signInWith, signInWithQrCode, or, lastUsed } = messages.signIn
  const forms = parts?.after.filter(Boolean) ?? []
  return (
    <>
      {parts?.before}
      {choices.map(({ id, name, logo, href, qr, isLastUsed }) => (
        <>
          <a class={`brand-${id}`} href={href}>
            {logo && <img src={logo} alt="" />}
            {signInWith(name)}
            {isLastUsed && <span class="badge">{lastUsed}</span>}
          </a>
          {qr && (
            <a class="scan" href={qr}>
              <QrIcon />
              {signInWithQrCode(name)}
            </a>
          )}
        </>
      ))}
      {/* It is about these buttons, and not about an address or a passkey. */}
      {note && <p class="note">{note}</p>}
      {forms.map((form, index) => (
        <>
          {(choices.length > 0 || index > 0) && <p class="or">{or}</p>}
          {form}
        </>
      ))}
    </>
  )
}
