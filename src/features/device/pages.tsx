import { HiddenFields } from '../../core/pages/form-button.tsx'
import { joinSentences } from '../../core/pages/format.ts'
import { Field } from '../../define-feature/field.tsx'
import { isolateTextDirection } from '../../foundation/values/isolate-text-direction.ts'
import type { DeviceMessages } from './texts.ts'
import { USER_CODE } from './user-code.ts'

interface UserCodePageProps {
  messages: DeviceMessages
  /** What the user entered, or what the address of the page contains. */
  value: string | undefined
  isWrong: boolean
  csrfToken: string
}

/** Longer than a code with spaces and hyphens. */
const MAX_LENGTH = 32 // characters

/** Asks for the code that a device shows. */
export function UserCodePage({ messages, value, isWrong, csrfToken }: UserCodePageProps) {
  return (
    <form method="post" action="/device">
      <HiddenFields fields={[['csrfToken', csrfToken]]} />
      <Field
        name="user_code"
        label={messages.t('device.label')}
        placeholder="XXXX-XXXX"
        autocomplete="off"
        dir="ltr"
        maxLength={MAX_LENGTH}
        value={value?.slice(0, MAX_LENGTH)}
        isCode
        completeCode={USER_CODE.source}
        isUpperCase
        hasFocus
        error={isWrong ? messages.t('device.wrong') : undefined}
      />
      <button class="primary" type="submit">
        {messages.t('signedIn.continue')}
      </button>
    </form>
  )
}

interface DeviceNoticeProps {
  messages: DeviceMessages
  /** As the device shows it. */
  code: string
  place: string | undefined
  /** When it sent its request. */
  date: string
}

/** Says which device will be signed in, and warns of those of other people (BCP 247). */
export function DeviceNotice({ messages, code, place, date }: DeviceNoticeProps) {
  return (
    <div class="notice">
      <p class="user-code">
        <bdi>{code}</bdi>
      </p>
      <p>{messages.t('device.warning')}</p>
      <p class="note">
        {joinSentences(
          [
            messages.t('device.requestedAt', { date }),
            ...(place ? [messages.t('device.place', { place: isolateTextDirection(place) })] : []),
          ],
          messages,
        )}
      </p>
    </div>
  )
}

interface DeviceResultPageProps {
  messages: DeviceMessages
  result: 'approved' | 'denied'
}

/** What happens on the device now. */
export function DeviceResultPage({ messages, result }: DeviceResultPageProps) {
  return <p>{messages.t(`device.${result}.text`)}</p>
}
