import type { MethodLabels } from '../../core/config/feature.ts'
import { type Messages, withTexts } from '../../core/messages/messages.ts'
import { CREATE_PASSKEY_PATH, RENAME_PASSKEY_PATH } from './paths.ts'
import type { en } from './texts.ts'

/** What pages say about passkeys. `name` is that of the deployment. */
export function labels(messages: Messages, name: string | undefined): MethodLabels {
  const { t } = withTexts<typeof en>(messages)
  return {
    account: name ?? t('passkeys.one'),
    method: name ?? t('passkeys.method'),
    removal: {
      remove: t('passkeys.removal.remove'),
      title: t('passkeys.removal.title'),
      effect: t('passkeys.removal.effect'),
      doneTitle: t('passkeys.removal.doneTitle'),
    },
    deletionNote: t('passkeys.deletionNote'),
    changes: {
      [CREATE_PASSKEY_PATH]: t('passkeys.add'),
      [RENAME_PASSKEY_PATH]: t('passkeys.renameTitle'),
    },
  }
}
