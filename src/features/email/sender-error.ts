/**
 * A sender did not accept a message. The text is logged: it has the sender's error code and nothing
 * else of its response.
 */
export class SenderError extends Error {
  override readonly name = 'SenderError'
}

/**
 * A sender accepts no messages for this recipient, for example because earlier ones bounced. The
 * user is not informed, so that the response reveals nothing about the address. The text is logged,
 * and must not contain the address.
 */
export class RecipientRejectedError extends Error {
  override readonly name = 'RecipientRejectedError'
}

/** The format of the error codes that senders use. Anything else may quote the message. */
const ERROR_CODE = /^[\w.-]{1,60}$/

/** An error code of a sender, reduced to what may be logged. */
export function loggableCode(code: unknown): string {
  const isReadable = code !== undefined && code !== null && ERROR_CODE.test(String(code))
  return isReadable ? String(code) : 'no readable error code'
}
