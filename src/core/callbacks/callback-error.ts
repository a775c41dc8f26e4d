import type { SignInErrorCode } from '../../foundation/errors/sign-in-error.ts'

/**
 * A callback or an event of the deployment failed, so nothing was issued. Its message names the
 * callback and the reason, and is only logged.
 */
export class CallbackError extends Error {
  override readonly name = 'CallbackError'
  /** It took too long: trying again may help. Otherwise the deployment must be corrected. */
  readonly isTimeout: boolean

  constructor(
    text: string,
    { cause, isTimeout = false }: { cause?: unknown; isTimeout?: boolean } = {},
  ) {
    super(text, { cause })
    this.isTimeout = isTimeout
  }
}

/** What a user is informed with. */
export function callbackErrorCode({ isTimeout }: CallbackError): SignInErrorCode {
  return isTimeout ? 'unavailable' : 'configuration'
}

/** For the log: the message, and the stack of the deployment's own error. */
export function describeCallbackError({ message, cause }: CallbackError): string {
  if (cause === undefined) return message
  return `${message} ${cause instanceof Error ? (cause.stack ?? cause) : cause}`
}
