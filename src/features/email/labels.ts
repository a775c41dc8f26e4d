import type { MethodLabels } from '../../core/config/feature.ts'
import { type Messages, withTexts } from '../../core/messages/messages.ts'
import type { en } from './texts.ts'

/** What pages say about email addresses. `name` is that of the deployment. */
export function labels(messages: Messages, name: string | undefined): MethodLabels {
  const { t } = withTexts<typeof en>(messages)
  return {
    account: name ?? t('email.name'),
    method: name ?? t('email.method'),
    addFirst: t('email.address.linkTitle'),
    addAnother: t('email.address.linkAnother'),
    removal: {
      remove: t('email.removal.remove'),
      title: t('email.removal.title'),
      effect: t('email.removal.effect'),
      doneTitle: t('email.removal.doneTitle'),
    },
  }
}
