import type { Messages } from '../messages/messages.ts'
import { ACCOUNT_SIGN_IN_PATH } from '../pages/account-path.ts'
import { FormButton } from '../pages/form-button.tsx'
import { formatChoice, joinSentences } from '../pages/format.ts'
import { MethodMark } from '../pages/method-mark.tsx'
import { isolateTextDirection } from '../values/isolate-text-direction.ts'
import type { DescribedAccount } from './describe-account.ts'

interface DisconnectPageProps {
  messages: Messages
  account: Omit<DescribedAccount, 'linkedAt'>
  /** The other ways to sign in. */
  methods: readonly string[]
  csrfToken: string
}

/** Asks for confirmation before an account is disconnected, which also ends every session. */
export function DisconnectPage({ messages, account, methods, csrfToken }: DisconnectPageProps) {
  const { digest, provider, providerId, logo, label, removal } = account
  return (
    <>
      <p class="row">
        <MethodMark id={providerId} name={provider} logo={logo} />
        <strong class="grow">{isolateTextDirection(label ?? provider)}</strong>
      </p>
      <ul>
        <li>{removal.effect}</li>
        <li>
          {messages.t('account.removal.sessions', { methods: formatChoice(methods, messages) })}
        </li>
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
      <a href="/account">{messages.t('actions.goBack')}</a>
    </>
  )
}

interface DisconnectedPageProps {
  messages: Messages
  /** The ways to sign in that remain, if one was removed. */
  methods: readonly string[] | undefined
}

/** Says that every session has ended. Its title says what was disconnected. */
export function DisconnectedPage({ messages, methods }: DisconnectedPageProps) {
  const sentences = [
    messages.t('account.removal.signedOut'),
    ...(methods
      ? [messages.t('account.removal.signInAgain', { methods: formatChoice(methods, messages) })]
      : []),
  ]
  return (
    <>
      <p>{joinSentences(sentences, messages)}</p>
      <a class="primary" href={ACCOUNT_SIGN_IN_PATH}>
        {messages.t('actions.goToSignIn')}
      </a>
    </>
  )
}

/** For a link to an account that the user does not have, or no longer. Its title says so. */
export function NotLinkedPage({ messages }: { messages: Messages }) {
  return (
    <a class="primary" href="/account">
      {messages.t('actions.goToAccount')}
    </a>
  )
}
