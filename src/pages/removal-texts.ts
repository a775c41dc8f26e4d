import type { Messages } from '../messages/messages.ts'

/** What pages say about the removal of one kind of account. */
export interface RemovalTexts {
  /** The link and the button. */
  remove: string
  /** Asks for confirmation. */
  title: string
  /** What the user can no longer do. */
  effect: string
  doneTitle: string
}

/** The texts of an account at a provider of this service. */
export function removalTexts(messages: Messages, provider: 'email' | 'passkeys'): RemovalTexts {
  return {
    remove: messages.t(`${provider}.removal.remove`),
    title: messages.t(`${provider}.removal.title`),
    effect: messages.t(`${provider}.removal.effect`),
    doneTitle: messages.t(`${provider}.removal.doneTitle`),
  }
}
