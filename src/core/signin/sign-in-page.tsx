import { isolateTextDirection } from '../../foundation/values/isolate-text-direction.ts'
import type { Messages } from '../messages/messages.ts'
import { ChoiceList, NAME } from '../pages/choice-list.tsx'
import { FormButton } from '../pages/form-button.tsx'
import { type ShownUser, UserName } from '../pages/identity.tsx'
import { MethodMark } from '../pages/method-mark.tsx'
import { Notice } from '../pages/notice.tsx'
import type { SignInPart } from '../pages/page-part.ts'

export interface ProviderButtonsProps {
  messages: Messages
  choices: readonly ProviderChoice[]
  /** What features and local methods offer. */
  parts?: readonly SignInPart[] | undefined
  /** Whether the user has cancelled at a provider and come back. */
  isCancelled?: boolean | undefined
}

/** A provider that the page offers. */
export interface ProviderChoice {
  id: string
  name: string
  logo: string | undefined
  /** Whether the button has the provider's colour. */
  isFilled: boolean
  href: string
  /** Whether this browser last signed in with it. */
  isLastUsed: boolean
}

interface SignInPageProps extends ProviderButtonsProps {
  /** Opens this page in the system browser; set only inside an in-app browser. */
  browserUrl: string | undefined
  /** Whether someone who signs in for the first time gets an account. */
  createsUsers?: boolean
  /** Whether one of our pages was opened in a browser whose session has ended. */
  isSessionEnded?: boolean
  /** Where a user who has cancelled goes back to. */
  goBack?: { href: string; label: string } | undefined
}

/** The sign-in page of a browser without a session. */
export function SignInPage(props: SignInPageProps) {
  const { messages, choices, parts, isCancelled, browserUrl, createsUsers = false } = props
  const { isSessionEnded, goBack } = props
  return (
    <>
      {isSessionEnded && <Notice text={messages.t('signIn.sessionEnded')} />}
      {browserUrl && (
        <>
          <p>{messages.t('signIn.inAppBrowserWarning')}</p>
          <a class="primary" id="to-browser" href={browserUrl}>
            {messages.t('signIn.openInBrowser')}
          </a>
          <p class="or">{messages.t('signIn.or')}</p>
        </>
      )}
      <ProviderButtons {...{ messages, choices, parts, isCancelled }} />
      {createsUsers && <p class="note">{messages.t('signIn.newUserNote')}</p>}
      {goBack && <a href={goBack.href}>{goBack.label}</a>}
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
  const { messages, choices, parts, isCancelled, user, returnTo, csrfToken } = props
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
      <ProviderButtons {...{ messages, choices, parts, isCancelled }} />
    </>
  )
}

/**
 * A wide button for each provider and passkeys, then the forms, then links to what few users need.
 * What the browser last signed in with comes first.
 */
export function ProviderButtons(props: ProviderButtonsProps) {
  const { messages, choices, parts = [], isCancelled } = props
  const partsIn = (place: SignInPart['place']) => parts.filter((part) => part.place === place)
  const links = partsIn('link')
  const buttons = choices.map((choice) => ({
    ...choice,
    content: <ProviderButton messages={messages} choice={choice} />,
  }))
  const otherButtons = partsIn('button')
  const groups = [
    ...(buttons.length + otherButtons.length > 0
      ? [
          {
            content: (
              <>
                <ChoiceList
                  messages={messages}
                  choices={buttons}
                  label={messages.t('signIn.signInWith', { provider: NAME })}
                />
                {otherButtons.map(({ content }) => content)}
              </>
            ),
            isLastUsed: false,
          },
        ]
      : []),
    ...partsIn('form'),
  ].toSorted((a, b) => Number(b.isLastUsed ?? false) - Number(a.isLastUsed ?? false))
  return (
    <>
      {isCancelled && <Notice text={messages.t('signIn.cancelled')} />}
      {partsIn('first').map(({ content }) => content)}
      {groups.map(({ content }, index) => (
        <>
          {index > 0 && <p class="or">{messages.t('signIn.or')}</p>}
          {content}
        </>
      ))}
      {links.length > 0 && <div class="links">{links.map(({ content }) => content)}</div>}
    </>
  )
}

function ProviderButton({ messages, choice }: { messages: Messages; choice: ProviderChoice }) {
  const { id, name, logo, isFilled, href, isLastUsed } = choice
  return (
    <a class={isFilled ? `brand-${id}` : undefined} href={href}>
      {isFilled ? logo && <img src={logo} alt="" /> : <MethodMark {...{ id, name, logo }} />}
      {messages.t('signIn.signInWith', { provider: name })}
      {isLastUsed && <LastUsed messages={messages} />}
    </a>
  )
}

/** Inside the button of what this browser last signed in with. */
export function LastUsed({ messages }: { messages: Messages }) {
  return <span class="badge">{messages.t('signIn.lastUsed')}</span>
}
