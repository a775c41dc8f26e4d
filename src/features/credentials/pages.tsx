import type { Messages } from '../../core/messages/messages.ts'
import { HiddenFields } from '../../core/pages/form-button.tsx'
import { LastUsed } from '../../core/signin/sign-in-page.tsx'
import { Field } from '../../define-feature/field.tsx'
import type { CredentialInput } from '../../provider-interface/local-types.ts'

interface CredentialsFormProps {
  messages: Messages
  action: string
  /** The provider's name. */
  name: string
  inputs: Readonly<Record<string, CredentialInput>>
  /** The parameters of the sign-in, and the CSRF token. */
  fields: Iterable<readonly [string, string]>
  /** Why the credentials were not accepted. */
  error?: string | undefined
  /** The sign-in page, if it offers anything else. */
  otherMethodsUrl?: string | undefined
  /** Whether the form is what the page is about. */
  isOnlyContent?: boolean
  /** Whether its button is the most important one of the page. */
  isPrimary?: boolean
  isLastUsed?: boolean
  isLinking?: boolean
}

/** The form with the fields of the deployment. What was entered is never shown again. */
export function CredentialsForm(props: CredentialsFormProps) {
  const { messages, action, name, inputs, fields, error } = props
  const { otherMethodsUrl, isOnlyContent = false, isLastUsed, isLinking } = props
  const { isPrimary = isOnlyContent } = props
  const [identifier] = identifyingFields(inputs)
  return (
    <>
      <form method="post" action={action}>
        <HiddenFields fields={fields} />
        {error && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
        {Object.entries(inputs).map(([field, input], index) => (
          <Field
            id={`${action.split('/').at(-1)}-${field}`}
            name={fieldName(field)}
            label={input.label ?? field}
            type={input.type ?? 'text'}
            value={input.value}
            placeholder={input.placeholder}
            autocomplete={input.autocomplete ?? autocomplete(input, field === identifier)}
            maxLength={MAX_VALUE_LENGTH}
            hasFocus={isOnlyContent && index === 0}
          />
        ))}
        <button class={isPrimary ? 'primary' : undefined} type="submit">
          {messages.t(isLinking ? 'account.link' : 'signIn.signInWith', { provider: name })}
          {isLastUsed && <LastUsed messages={messages} />}
        </button>
      </form>
      {otherMethodsUrl && <a href={otherMethodsUrl}>{messages.t('actions.chooseProvider')}</a>}
      {isLinking && <a href="/account">{messages.t('actions.cancel')}</a>}
    </>
  )
}

interface InputKind {
  type?: string | undefined
  autocomplete?: string | undefined
}

/** The names of the fields that identify the account: all that are not secret. */
export function identifyingFields(inputs: Readonly<Record<string, InputKind>>): string[] {
  return Object.keys(inputs).filter((field) => !isSecret(inputs[field]))
}

/** {@link https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#autofill} */
const SECRETS = /\b(?:current-password|new-password|one-time-code)\b/

function isSecret({ type, autocomplete = '' }: InputKind = {}): boolean {
  return type === 'password' || SECRETS.test(autocomplete)
}

/** Longer than any passphrase. */
export const MAX_VALUE_LENGTH = 1024 // characters

/** The name of a field in the form, which must not be that of a parameter of the sign-in. */
export function fieldName(field: string): string {
  return `credential.${field}`
}

/** By these values, password managers recognise the fields. */
function autocomplete({ type }: CredentialInput, isIdentifier: boolean): string {
  if (type === 'password') return 'current-password'
  return isIdentifier ? 'username' : 'off'
}
