import type { Child } from 'hono/jsx'
import { FormButton, HiddenFields } from '../../core/pages/form-button.tsx'
import { LastUsed } from '../../core/signin/sign-in-page.tsx'
import { Field } from '../../define-feature/field.tsx'
import { formatDuration } from '../../define-feature/format-duration.ts'
import { MAX_EMAIL_LENGTH } from '../../foundation/values/email-address.ts'
import { isolateTextDirection } from '../../foundation/values/isolate-text-direction.ts'
import { DEFAULT_NAME } from './style.ts'
import type { EmailMessages } from './texts.ts'

interface AddressFormProps {
  messages: EmailMessages
  action: string
  /** The parameters of the sign-in, and the CSRF token. */
  fields: Iterable<readonly [string, string]>
  /** The name of the provider. */
  name?: string
  /** What the user entered, if it was not accepted, or the address of a user who signs in again. */
  value?: string | undefined
  isInvalid?: boolean | undefined
  /** For how many seconds no further message is sent. */
  wait?: number | undefined
  /** Whether the address is added to the account of a signed-in user. */
  isLinking?: boolean
  /** The sign-in page, if it offers anything else. */
  otherMethodsUrl?: string | undefined
  /** Whether the form is what the page is about. */
  isOnlyContent?: boolean
  /** Whether its button is the most important one of the page. */
  isPrimary?: boolean
  isLastUsed?: boolean
}

/** The form that requests a message. */
export function AddressForm(props: AddressFormProps) {
  const { messages, action, fields, value, isInvalid, wait, isLinking, otherMethodsUrl } = props
  const { isOnlyContent = false, isPrimary = isOnlyContent, isLastUsed } = props
  const { name = DEFAULT_NAME } = props
  const mustWait = wait !== undefined
  return (
    <>
      {isLinking && <p>{messages.t('email.address.linkLead')}</p>}
      <form method="post" action={action}>
        <HiddenFields fields={fields} />
        {mustWait && (
          <p class="error" role="alert">
            {messages.t('email.address.tooMany', {
              duration: formatDuration(wait, messages.language),
            })}
          </p>
        )}
        <Field
          id={action.split('/').at(-1) ?? 'email'}
          name="email"
          label={messages.t('email.address.label')}
          type="email"
          inputmode="email"
          autocomplete="email"
          placeholder="you@example.com"
          dir="ltr"
          maxLength={MAX_EMAIL_LENGTH}
          value={value}
          hasFocus={isOnlyContent}
          error={isInvalid ? messages.t('email.address.invalid') : undefined}
        />
        <button class={isPrimary && !mustWait ? 'primary' : undefined} type="submit">
          {name === DEFAULT_NAME || isLinking
            ? messages.t('email.address.send')
            : messages.t('signIn.signInWith', { provider: name })}
          {isLastUsed && <LastUsed messages={messages} />}
        </button>
      </form>
      {otherMethodsUrl && (
        <a class={mustWait ? 'primary' : undefined} href={otherMethodsUrl}>
          {messages.t('actions.chooseProvider')}
        </a>
      )}
      {isLinking && <CancelLink messages={messages} />}
    </>
  )
}

/** Leads back to where the user wanted to add the address. */
function CancelLink({ messages }: { messages: EmailMessages }) {
  return <a href="/account">{messages.t('actions.cancel')}</a>
}

/** Six digits or more, of any script, with spaces and hyphens. Browsers do not send fewer. */
const CODE_PATTERN = '[\\s\\-]*(?:\\p{Nd}[\\s\\-]*){6,}'

/** A code that is complete, without spaces and hyphens: the form is sent. */
const COMPLETE_CODE = '^\\p{Nd}{6}$'

interface CodePageProps {
  messages: EmailMessages
  address: string
  /** Where the code is sent. */
  action: string
  csrfToken: string
  /** Where the user can enter another address. */
  restartUrl: string
  /** How long the code is valid, in seconds. */
  validFor: number
  /** The number of attempts that are left after a wrong code. */
  remaining?: number | undefined
  notice?: 'sentAgain' | 'wait' | undefined
  /** For how many seconds the message is not sent again. */
  wait: number
  isLinking: boolean
}

/** The page of the browser that requested a message: it waits for the code. */
export function CodePage(props: CodePageProps) {
  const { messages, address, action, csrfToken, restartUrl, validFor, remaining } = props
  const { notice, wait, isLinking } = props
  const validity = formatDuration(Math.max(60, validFor), messages.language)
  return (
    <>
      <p>
        {emphasizeNames(
          messages.t('email.code.lead', { address: isolateTextDirection(address) }),
          <a href={restartUrl}>{messages.t('email.code.change')}</a>,
        )}
      </p>
      {notice && <p role="status">{messages.t(`email.code.${notice}`)}</p>}
      <form method="post" action={action}>
        <HiddenFields fields={[['csrfToken', csrfToken]]} />
        <Field
          name="code"
          label={messages.t('email.code.label')}
          inputmode="numeric"
          autocomplete="one-time-code"
          dir="ltr"
          maxLength={20}
          pattern={CODE_PATTERN}
          isCode
          completeCode={COMPLETE_CODE}
          hasFocus
          error={
            remaining === undefined
              ? undefined
              : messages.t('email.code.wrong', { count: remaining })
          }
        />
        <button class="primary" type="submit">
          {messages.t(isLinking ? 'email.address.linkConfirm' : 'signIn.title')}
        </button>
      </form>
      <p class="note">
        {messages.t('email.message.validity', { duration: validity })}
        <br />
        {messages.t('email.code.notArrived')}
      </p>
      <form method="post" action={`${action}/again`}>
        <HiddenFields fields={[['csrfToken', csrfToken]]} />
        <button
          type="submit"
          data-wait={wait > 0 ? String(wait) : undefined}
          data-wait-text={messages.t('email.code.sendAgainIn', { time: '0:00' })}
        >
          {messages.t('email.code.sendAgain')}
        </button>
      </form>
      {isLinking && <CancelLink messages={messages} />}
    </>
  )
}

interface LinkPageProps {
  messages: EmailMessages
  address: string
  action: string
  token: string
  csrfToken: string
  /** The sign-in page of the same interaction. */
  otherMethodsUrl: string
  isLinking: boolean
}

/** The page of a link in the browser that requested it. Only its button uses the link. */
export function LinkPage(props: LinkPageProps) {
  const { messages, address, action, token, csrfToken, otherMethodsUrl, isLinking } = props
  const lead = messages.t(isLinking ? 'email.link.linkLead' : 'email.link.lead', {
    address: isolateTextDirection(address),
  })
  return (
    <>
      <p>{emphasizeNames(lead)}</p>
      <FormButton action={action} fields={{ token, csrfToken }} isPrimary>
        {messages.t(isLinking ? 'email.address.linkConfirm' : 'signIn.title')}
      </FormButton>
      {isLinking ? (
        <CancelLink messages={messages} />
      ) : (
        <a href={otherMethodsUrl}>{messages.t('actions.chooseProvider')}</a>
      )}
    </>
  )
}

interface ElsewherePageProps {
  messages: EmailMessages
  /** The browser that requested the message, if it is known. */
  browser: string
}

/** The page of a link in any other browser. It signs nobody in, and has nothing to enter. */
export function ElsewherePage({ messages, browser }: ElsewherePageProps) {
  return (
    <>
      <p>{messages.t('email.elsewhere.lead')}</p>
      {browser && (
        <p>{messages.t('email.elsewhere.startedIn', { browser: isolateTextDirection(browser) })}</p>
      )}
      <p>{messages.t('email.elsewhere.warning')}</p>
    </>
  )
}

/** A sentence in which the names that it isolates are bold, and followed by this. */
function emphasizeNames(sentence: string, addition?: Child): Child[] {
  return sentence.split(/(\u2068[^\u2069]*\u2069)/).map((part) =>
    part.startsWith('\u2068') ? (
      <>
        <strong>{part}</strong>
        {addition && <> ({addition})</>}
      </>
    ) : (
      part
    ),
  )
}
