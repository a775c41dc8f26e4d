import { FormButton } from './form-button.tsx'
import { isolateTextDirection } from './isolate-text-direction.ts'
import { joinSentences } from './join-sentences.ts'
import type { Messages } from './messages/en.ts'
import { ProviderMark } from './provider-mark.tsx'

/** What pages say about the removal of one kind of account. */
export interface RemovalTexts {
  /** The link and the button. */
  remove: string
  /** Asks for confirmation. */
  title: string
  /** What the user can no longer do. */
  effect: string
  doneTitle: string
}

interface DisconnectPageProps {
  messages: Messages
  account: {
    /** Identifies it in the form. */
    digest: string
    provider: string
    providerId: string
    hasLogo: boolean
    /** The user's name at the provider. */
    label: string | undefined
    removal: RemovalTexts
  }
  csrfToken: string
}

/** Asks for confirmation before an account is disconnected, which also ends every session. */
export function DisconnectPage({ messages, account, csrfToken }: DisconnectPageProps) {
  const { digest, provider, providerId, hasLogo, label, removal } = account
  const texts = messages.account.removal
  return (
    <>
      <p class="row">
        {hasLogo && <ProviderMark id={providerId} />}
        <strong class="grow">{isolateTextDirection(label ?? provider)}</strong>
      </p>
      <ul>
        <li>{removal.effect}</li>
        <li>{texts.sessions}</li>
      </ul>
      <FormButton
        action="/account/disconnect"
        fields={{ account: digest, csrfToken }}
        id="confirm-disconnect"
        isPrimary
        isDanger
      >
        {removal.remove}
      </FormButton>
      <a href="/account">{texts.keep}</a>
    </>
  )
}

interface DisconnectedPageProps {
  messages: Messages
  /** Whether it was another way to sign in that was removed. */
  isRemoved: boolean
}

/** Says that every session has ended. Its title says what was disconnected. */
export function DisconnectedPage({ messages, isRemoved }: DisconnectedPageProps) {
  const { signedOut, signInOtherwise } = messages.account.removal
  return (
    <>
      <p>{isRemoved ? joinSentences([signedOut, signInOtherwise], messages) : signedOut}</p>
      <a class="primary" href="/api/auth/signin?callbackUrl=%2Faccount">
        {messages.actions.goToSignIn}
      </a>
    </>
  )
}

/** For a link to an account that the user does not have, or no longer. */
export function NotLinkedPage({ messages }: { messages: Messages }) {
  return (
    <>
      <p>{messages.account.removal.unknown}</p>
      <a class="primary" href="/account">
        {messages.actions.goToAccount}
      </a>
    </>
  )
}
