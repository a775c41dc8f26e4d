import type { RemovalTexts } from '../../core/config/feature.ts'
import { type Messages, withTexts } from '../../core/messages/messages.ts'
import type { en } from './texts.ts'

/** What pages say about the removal of an email address. */
export function removalTexts(messages: Messages): RemovalTexts {
  const { t } = withTexts<typeof en>(messages)
  return {
    remove: t('email.removal.remove'),
    title: t('email.removal.title'),
    effect: t('email.removal.effect'),
    doneTitle: t('email.removal.doneTitle'),
  }
}
