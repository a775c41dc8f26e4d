import type { RemovalTexts } from '../../feature.ts'
import type { Messages } from '../../messages/messages.ts'

/** What pages say about the removal of a passkey. */
export function removalTexts(messages: Messages): RemovalTexts {
  return {
    remove: messages.t('passkeys.removal.remove'),
    title: messages.t('passkeys.removal.title'),
    effect: messages.t('passkeys.removal.effect'),
    doneTitle: messages.t('passkeys.removal.doneTitle'),
  }
}
