import type { Child } from 'hono/jsx'
import type { Messages } from '../messages/messages.ts'
import { FormButton } from '../pages/form-button.tsx'
import { type ShownUser, UserName } from '../pages/identity.tsx'
import { Notice } from '../pages/notice.tsx'
import { isolateTextDirection } from '../values/isolate-text-direction.ts'

export interface ProviderButtonsProps {
  messages: Messages
  choices: readonly ProviderChoice[]
  /** How local methods are offered: passkeys before the buttons, forms after them. */
  parts?: { passkeys?: Child; forms: readonly Child[] } | undefined
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

/** Names the provider if there is one only. */
function privacyNote(messages: Messages, provider: string | undefined): string {
  return provider
    ? messages.t('signIn.privacyNoteFor', { provider })
    : messages.t('signIn.privacyNote')
}

/** The sign-in page of a browser without a session. */
export function SignInPage(props: SignInPageProps) {
  const { messages, choices, parts, browserUrl } = props
  const { asksForPassword = false, createsUsers = false, wasSignedIn = false } = props
  const hasChoice = choices.length > 1
  const hasQrCode = choices.some(({ qr }) => qr)
  const onlyProvider = hasChoice ? undefined : choices[0]?.name
  return (
    <>
      {wasSignedIn && <Notice text={messages.t('signIn.sessionEnded')} />}
      {browserUrl && (
        <>
          <p>{messages.t('signIn.inAppBrowserWarning')}</p>
          <a class="primary" id="to-browser" href={browserUrl}>
            {messages.t('signIn.openInBrowser')}
          </a>
          <p class="or">{messages.t('signIn.or')}</p>
        </>
      )}
      {(hasChoice || hasQrCode) && (
        <p class={hasChoice ? undefined : 'scan'}>{messages.t('signIn.lead')}</p>
      )}
      <ProviderButtons
        messages={messages}
        choices={choices}
        parts={parts}
        note={
          choices.length > 0 && !asksForPassword ? privacyNote(messages, onlyProvider) : undefined
        }
      />
      {createsUsers && <p class="note">{messages.t('signIn.newUserNote')}</p>}
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
  return (
    <>
      <UserName user={user} />
      {returnTo ? (
        <a class="primary" id="continue" href={returnTo}>
          {user.name
            ? messages.t('signedIn.continueAs', { name: isolateTextDirection(user.name) })
            : messages.t('signedIn.continue')}
        </a>
      ) : (
        <a class="primary" href="/account">
          {messages.t('actions.goToAccount')}
        </a>
      )}
      <FormButton action="/api/auth/signout" fields={{ csrfToken }}>
        {messages.t('signOut.confirm')}
      </FormButton>
      <p>{messages.t('signedIn.useAnotherAccount')}</p>
      <ProviderButtons {...{ messages, choices, parts }} />
    </>
  )
}

/** One wide button per provider. */
export function ProviderButtons(props: ProviderButtonsProps & { note?: string | undefined }) {
  const { messages, choices, parts, note } = props
  const { passkeys, forms = [] } = parts ?? {}
  return (
    <>
      {passkeys}
      {choices.map(({ id, name, logo, href, qr, isLastUsed }) => (
        <>
          <a class={`brand-${id}`} href={href}>
            {logo && <img src={logo} alt="" />}
            {messages.t('signIn.signInWith', { provider: name })}
            {isLastUsed && <span class="badge">{messages.t('signIn.lastUsed')}</span>}
          </a>
          {qr && (
            <a class="scan" href={qr}>
              <QrIcon />
              {messages.t('signIn.signInWithQrCode', { provider: name })}
            </a>
          )}
        </>
      ))}
      {/* It is about these buttons, and not about an address or a passkey. */}
      {note && <p class="note">{note}</p>}
      {forms.map((form, index) => (
        <>
          {(choices.length > 0 || index > 0) && <p class="or">{messages.t('signIn.or')}</p>}
          {form}
        </>
      ))}
    </>
  )
}

/** The corners of a QR code: our own drawing, in the colour of the text around it. */
function QrIcon() {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M4 4h6v6H4zm10 0h6v6h-6zM4 14h6v6H4zm10 0h2v2m4-2v6m-6 0h2" />
    </svg>
  )
}
