import type { RemovalTexts } from '../../core/config/feature.ts'
import { type Messages, withTexts } from '../../core/messages/messages.ts'
import type { en } from './texts.ts'

/** What pages say about the removal of a passkey. */
export function removalTexts(messages: Messages): RemovalTexts {
  const { t } = withTexts<typeof en>(messages)
  return {
    remove: t('passkeys.removal.remove'),
    title: t('passkeys.removal.title'),
    effect: t('passkeys.removal.effect'),
    doneTitle: t('passkeys.removal.doneTitle'),
  }
}
