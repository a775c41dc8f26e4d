import { SignInError } from '../../foundation/errors/sign-in-error.ts'

export const ERRORS = ['passkey_rejected', 'passkey_unknown'] as const

export type PasskeyError = (typeof ERRORS)[number]

export function passkeyError(code: PasskeyError, cause?: unknown): SignInError<PasskeyError> {
  return new SignInError<PasskeyError>(code, { cause, avoidsAutofill: true })
}
