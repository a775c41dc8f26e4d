import { HiddenFields } from '../../core/pages/form-button.tsx'
import { type DateFormat, formatDate } from '../../core/pages/format.ts'
import { KeyIcon, KeyMark } from '../../core/pages/method-mark.tsx'
import { LastUsed } from '../../core/signin/sign-in-page.tsx'
import { Field } from '../../define-feature/field.tsx'
import type { Passkey } from './passkeys.ts'
import type { PasskeyMessages } from './texts.ts'

/** The longest name that fits next to its buttons. */
const MAX_NAME_LENGTH = 50 // characters

interface AssertionFormProps {
  messages: PasskeyMessages
  /** The name that the deployment chose for passkeys. */
  name?: string | undefined
  /** The options of `navigator.credentials.get`. */
  options: object
  csrfToken: string
  /** The parameters that say where the user returns to, and whether another user may sign in. */
  params: URLSearchParams
  /** When the challenge expires, in seconds since 1970. */
  expiresAt: number
  /** Whether this browser last signed in with a passkey. */
  isLastUsed?: boolean
  /** Whether the button has a mark, as the outlined ones of providers above it. */
  hasMark?: boolean
  /** Whether the user is signed in and proves to be present. */
  isConfirmation?: boolean
  /** Whether browsers offer passkeys in another field of the page, too. */
  isConditional?: boolean
}

/** The button. Hidden until the script has found that it works. */
export function AssertionForm(props: AssertionFormProps) {
  const { messages, name, options, csrfToken, params, expiresAt, isLastUsed } = props
  const { isConfirmation, isConditional, hasMark } = props
  const isPrimary = isConfirmation || isLastUsed
  return (
    <form
      method="post"
      action="/api/auth/signin/passkey"
      id="passkey"
      hidden
      data-options={JSON.stringify(options)}
      data-expires={String(expiresAt)}
      data-conditional={isConditional ? 'true' : undefined}
    >
      <HiddenFields fields={[['csrfToken', csrfToken], ...params]} />
      <input type="hidden" name="credential" />
      <button class={isPrimary ? 'primary' : undefined} type="submit">
        {hasMark && !isPrimary ? <KeyMark /> : <KeyIcon />}
        {isConfirmation || !name
          ? messages.t(isConfirmation ? 'passkeys.confirm' : 'passkeys.signIn')
          : messages.t('signIn.signInWith', { provider: name })}
        {isLastUsed && <LastUsed messages={messages} />}
      </button>
      <Waiting messages={messages} />
      <p class="error" role="alert" data-problem hidden>
        {messages.t('passkeys.failed')}
      </p>
    </form>
  )
}

/**
 * Shown while the device asks the user. Screen readers announce changes of an element that exists
 * before.
 */
function Waiting({ messages }: { messages: PasskeyMessages }) {
  return (
    <p role="status">
      <span data-waiting hidden>
        {messages.t('passkeys.waiting')}
      </span>
    </p>
  )
}

interface CreatePageProps {
  messages: PasskeyMessages
  /** The options of `navigator.credentials.create`. */
  options: object
  csrfToken: string
}

/**
 * The page on which a user creates a passkey. Its script starts at once; the button is for another
 * attempt.
 */
export function CreatePage({ messages, options, csrfToken }: CreatePageProps) {
  return (
    <>
      <div data-unsupported>
        <p>{messages.t('passkeys.unsupported')}</p>
        <a href="/account">{messages.t('actions.goBack')}</a>
      </div>
      <form
        method="post"
        action="/account/passkeys"
        id="passkey"
        hidden
        data-options={JSON.stringify(options)}
      >
        <p>{messages.t('passkeys.lead')}</p>
        <input type="hidden" name="csrfToken" value={csrfToken} />
        <input type="hidden" name="credential" />
        <Waiting messages={messages} />
        <p class="error" role="alert" data-existing hidden>
          {messages.t('passkeys.existing')}
        </p>
        <p class="error" role="alert" data-problem hidden>
          {messages.t('passkeys.createFailed')}
        </p>
        <button class="primary" type="submit">
          {messages.t('passkeys.create')}
        </button>
        <a href="/account">{messages.t('actions.cancel')}</a>
      </form>
    </>
  )
}

interface RenamePageProps {
  messages: PasskeyMessages
  passkey: { name: string; digest: string }
  csrfToken: string
}

/** The page on which a user renames a passkey. */
export function RenamePage({ messages, passkey, csrfToken }: RenamePageProps) {
  return (
    <form method="post" action="/account/passkeys/name">
      <input type="hidden" name="csrfToken" value={csrfToken} />
      <input type="hidden" name="account" value={passkey.digest} />
      <Field
        name="name"
        label={messages.t('passkeys.name')}
        value={passkey.name}
        maxLength={MAX_NAME_LENGTH}
        autocomplete="off"
      />
      <button class="primary" type="submit">
        {messages.t('passkeys.save')}
      </button>
      <a href="/account">{messages.t('actions.cancel')}</a>
    </form>
  )
}

/** What the list of the user's ways to sign in says about a passkey. */
export function passkeyFacts(
  { lastUsedAt, isBackedUp }: Pick<Passkey, 'lastUsedAt' | 'isBackedUp'>,
  messages: PasskeyMessages,
  dates: DateFormat,
): string[] {
  return [
    lastUsedAt === undefined
      ? messages.t('passkeys.neverUsed')
      : messages.t('passkeys.lastUsedOn', { date: formatDate(lastUsedAt, dates) }),
    messages.t(isBackedUp ? 'passkeys.synced' : 'passkeys.notSynced'),
  ]
}
