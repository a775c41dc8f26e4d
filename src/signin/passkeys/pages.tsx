import type { Messages } from '../../messages/messages.ts'
import { HiddenFields } from '../../pages/form-button.tsx'
import { type DateFormat, formatDate } from '../../pages/format.ts'
import { Details } from '../../pages/list.tsx'
import { isolateTextDirection } from '../../values/isolate-text-direction.ts'
import { Field } from '../field.tsx'
import { LastUsed } from '../sign-in-page.tsx'

/** The longest name that fits next to its buttons. */
const MAX_NAME_LENGTH = 50 // characters

interface AssertionFormProps {
  messages: Messages
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
  /** Whether the user is signed in and proves to be present. */
  isConfirmation?: boolean
  /** Whether browsers offer passkeys in another field of the page, too. */
  isConditional?: boolean
}

/** The button. Hidden until the script has found that it works. */
export function AssertionForm(props: AssertionFormProps) {
  const { messages, name, options, csrfToken, params, expiresAt, isLastUsed } = props
  const { isConfirmation, isConditional } = props
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
      <button class={isConfirmation ? 'primary' : undefined} type="submit">
        <KeyIcon />
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

/** A key: our own drawing, in the colour of the text around it. */
function KeyIcon() {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="8" cy="8" r="5" />
      <path d="m12 12 9 9m-4-4 3-3m-6 0 2-2" />
    </svg>
  )
}

/**
 * Shown while the device asks the user. Screen readers announce changes of an element that exists
 * before.
 */
function Waiting({ messages }: { messages: Messages }) {
  return (
    <p role="status">
      <span data-waiting hidden>
        {messages.t('passkeys.waiting')}
      </span>
    </p>
  )
}

interface CreatePageProps {
  messages: Messages
  /** The options of `navigator.credentials.create`. */
  options: object
  csrfToken: string
}

/** The page on which a user names and creates a passkey. */
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
        <p>{messages.t('passkeys.createLead')}</p>
        <input type="hidden" name="csrfToken" value={csrfToken} />
        <input type="hidden" name="credential" />
        <Field
          name="name"
          label={messages.t('passkeys.name')}
          maxLength={MAX_NAME_LENGTH}
          autocomplete="off"
        />
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
  messages: Messages
  passkey: Pick<ListedPasskey, 'name' | 'digest'>
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

/** A passkey as the account page shows it. */
interface ListedPasskey {
  name: string
  createdAt: number
  lastUsedAt?: number
  isBackedUp: boolean
  /** Identifies it in the URLs that rename and remove it. */
  digest: string
}

interface PasskeyListProps {
  dates: DateFormat
  messages: Messages
  passkeys: readonly ListedPasskey[]
  /** The number of passkeys that a user can have. */
  limit: number
  mayAdd: boolean
  mayRemove: boolean
}

/** The user's passkeys, each with links to rename and remove it. */
export function PasskeyList(props: PasskeyListProps) {
  const { dates, messages, passkeys, limit, mayAdd, mayRemove } = props
  return (
    <section>
      <h2>{messages.t('passkeys.heading')}</h2>
      <p class="note">{messages.t('passkeys.lead')}</p>
      {passkeys.length > 0 && (
        <ul class="list">
          {passkeys.map((passkey) => (
            <li class="row">
              <span class="mark">
                <KeyIcon />
              </span>
              <div class="grow">
                <strong>{isolateTextDirection(passkey.name)}</strong>
                <Details of={describe(passkey, messages, dates)} />
              </div>
              <a
                class="small quiet"
                href={`/account/passkeys/name?account=${passkey.digest}`}
                aria-label={`${messages.t('passkeys.rename')} (${isolateTextDirection(passkey.name)})`}
              >
                {messages.t('passkeys.rename')}
              </a>
              {mayRemove && (
                <a
                  class="small quiet"
                  href={`/account/disconnect?account=${passkey.digest}`}
                  aria-label={`${messages.t('passkeys.removal.remove')} (${isolateTextDirection(passkey.name)})`}
                >
                  {messages.t('passkeys.removal.remove')}
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
      {passkeys.length > 0 && !mayRemove && <p class="note">{messages.t('passkeys.lastMethod')}</p>}
      {mayAdd ? (
        <div class="row">
          <a class="small quiet" href="/account/passkeys/new">
            {messages.t('passkeys.add')}
          </a>
        </div>
      ) : (
        <p class="note">{messages.t('passkeys.tooMany', { count: limit })}</p>
      )}
    </section>
  )
}

function describe(
  { createdAt, lastUsedAt, isBackedUp }: ListedPasskey,
  messages: Messages,
  dates: DateFormat,
): string[] {
  return [
    messages.t('passkeys.addedOn', { date: formatDate(createdAt, dates) }),
    lastUsedAt === undefined
      ? messages.t('passkeys.neverUsed')
      : messages.t('passkeys.lastUsedOn', { date: formatDate(lastUsedAt, dates) }),
    messages.t(isBackedUp ? 'passkeys.synced' : 'passkeys.notSynced'),
  ]
}
