/**
 * A sender accepts no messages for this recipient, for example because earlier ones bounced. The user is not informed,
 * so that the response reveals nothing about the address. The text is logged, and must not contain the address.
 */
export class RecipientRejectedError extends Error {
  override readonly name = 'RecipientRejectedError'
}
