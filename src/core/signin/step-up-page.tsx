import type { Messages } from '../messages/messages.ts'
import { joinSentences } from '../pages/format.ts'
import { type ShownUser, SignedInAs } from '../pages/identity.tsx'
import { listEntry } from '../pages/list.tsx'
import { ProviderButtons, type ProviderButtonsProps, type ProviderChoice } from './sign-in-page.tsx'

interface StepUpPageProps extends ProviderButtonsProps {
  user: ShownUser
  /** What the provider must share in addition, in its own spelling; empty if nothing. */
  upstreamScope: readonly string[]
  /** Whether the user wants to use another account. */
  choosesAccount?: boolean
  /** What the account page calls the change that the user wants to make, if it is known. */
  change?: string | undefined
  /** The name of the app that requires a new sign-in. */
  app?: string | undefined
  /** Whether the user has only just signed in, but perhaps without being asked anything. */
  isSilent?: boolean
  /** Whether the user has just signed in with an unconfirmed account, which is not sufficient. */
  isUnconfirmed?: boolean
  /** Whether the user has to confirm that change on another page. */
  isConfirmedLater?: boolean
  /** Whether it is a change in the console, of which an administrator makes several. */
  isInConsole?: boolean | undefined
  /** Whether only the ways to sign in are offered that prove most. */
  hidesMethods?: boolean | undefined
  /** The host that the user returns to; undefined if they did not come from an app. */
  host: string | undefined
  /** Where the user goes instead: back to the app, or to the account page; undefined if neither. */
  cancelUrl: string | undefined
}

/** Asks a signed-in user to prove who they are, or to allow more at the provider. */
export function StepUpPage(props: StepUpPageProps) {
  const { messages, user, choices, parts, isCancelled, upstreamScope, host } = props
  const { choosesAccount = false, isSilent = false, isConfirmedLater = false } = props
  const { hidesMethods = false, isUnconfirmed = false, isInConsole = false } = props
  const needsPermission = upstreamScope.length > 0
  if (choices.length === 0 && !parts?.length) return <UnavailablePage {...props} />
  const signInLead = choosesAccount ? messages.t('signIn.lead') : confirmationLead(props)
  const lead = [
    needsPermission ? permissionLead(messages, choices) : signInLead,
    ...(isSilent ? [messages.t('stepUp.silent')] : []),
    ...(isUnconfirmed ? [messages.t('stepUp.unconfirmed')] : []),
    ...(isConfirmedLater ? [messages.t('stepUp.confirmedLater')] : []),
    ...(isInConsole ? [messages.t('stepUp.validFor')] : []),
  ]
  return (
    <>
      <SignedInAs messages={messages} user={user} />
      <p>{joinSentences(lead, messages)}</p>
      {needsPermission && (
        <ul>
          {upstreamScope.map((value) => (
            <li>{listEntry(messages.scope(value) ?? value, messages.language)}</li>
          ))}
        </ul>
      )}
      {host && <p class="note">{messages.t('consent.returnsTo', { host })}</p>}
      <ProviderButtons {...{ messages, choices, parts, isCancelled }} />
      {hidesMethods && <p class="note">{messages.t('stepUp.strongest')}</p>}
      <CancelLink {...props} />
    </>
  )
}

/** For a user whose sufficient ways to sign in are all disabled because of a problem. */
function UnavailablePage(props: StepUpPageProps) {
  const { messages, user } = props
  return (
    <>
      <SignedInAs messages={messages} user={user} />
      <p>{messages.t('stepUp.unavailable')}</p>
      <CancelLink {...props} />
    </>
  )
}

function CancelLink({ messages, cancelUrl }: Pick<StepUpPageProps, 'messages' | 'cancelUrl'>) {
  if (!cancelUrl) return null
  return (
    <a id="cancel" href={cancelUrl}>
      {messages.t('actions.cancel')}
    </a>
  )
}

/** Names the provider if there is one only. */
function permissionLead(messages: Messages, [first, second]: readonly ProviderChoice[]): string {
  return first && !second
    ? messages.t('stepUp.permissionLeadWith', { provider: first.name })
    : messages.t('stepUp.permissionLead')
}

/** Names the change that the user wants to make, or the app, if one is known. */
function confirmationLead({ messages, change, app }: StepUpPageProps): string {
  if (change) return messages.t('stepUp.signInLeadFor', { change })
  return app ? messages.t('stepUp.requestedBy', { app }) : messages.t('stepUp.signInLead')
}
