import type { Messages } from '../messages/messages.ts'
import { FormButton } from '../pages/form-button.tsx'
import { type DateFormat, formatDateTime } from '../pages/format.ts'
import { listEntry } from '../pages/list.tsx'
import { MethodMark } from '../pages/method-mark.tsx'
import { isolateTextDirection } from '../values/isolate-text-direction.ts'
import type { DescribedAccount } from './describe-account.ts'

/** The page on which users confirm an account that was added without proof. */
export const CONFIRM_PATH = '/account/confirm'

interface ConfirmPageProps {
  messages: Messages
  dates: DateFormat
  account: DescribedAccount
  csrfToken: string
}

/** Asks whether the user has added an account themselves. */
export function ConfirmPage({ messages, dates, account, csrfToken }: ConfirmPageProps) {
  const { digest, provider, providerId, logo, label, linkedAt, removal } = account
  const addedOn = messages.t('account.addedOn', { date: formatDateTime(linkedAt, dates) })
  return (
    <>
      <p class="row">
        <MethodMark id={providerId} name={provider} logo={logo} />
        <strong class="grow">{isolateTextDirection(label ?? provider)}</strong>
      </p>
      <ul>
        <li>{listEntry(addedOn, messages.language)}</li>
        <li>{messages.t('account.confirmation.effect')}</li>
      </ul>
      <FormButton
        action={CONFIRM_PATH}
        fields={{ account: digest, csrfToken }}
        id="confirm-method"
        isPrimary
      >
        {messages.t('account.confirmation.confirm')}
      </FormButton>
      <a class="danger" href={`/account/disconnect?account=${digest}`}>
        {removal.remove}
      </a>
      <a href="/account">{messages.t('actions.goBack')}</a>
    </>
  )
}
