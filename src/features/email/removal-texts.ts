import type { RemovalTexts } from '../../feature.ts'
import type { Messages } from '../../messages/messages.ts'

/** What pages say about the removal of an email address. */
export function removalTexts(messages: Messages): RemovalTexts {
  return {
    remove: messages.t('email.removal.remove'),
    title: messages.t('email.removal.title'),
    effect: messages.t('email.removal.effect'),
    doneTitle: messages.t('email.removal.doneTitle'),
  }
}
