import type { Messages } from '../messages/messages.ts'
import type { ProviderType } from '../providers/common-options.ts'

/** What pages say about the removal of an account. */
export interface RemovalTexts {
  /** The link and the button. */
  remove: string
  /** Asks for confirmation. */
  title: string
  /** What the user can no longer do. */
  effect: string
  doneTitle: string
}

/** The texts for an account at a provider of this type, with this display name. */
export function removalTexts(
  messages: Messages,
  type: ProviderType | undefined,
  provider: string,
): RemovalTexts {
  switch (type) {
    case 'email':
      return localTexts(messages, 'email')
    case 'webauthn':
      return localTexts(messages, 'passkeys')
    default:
      return {
        remove: messages.t('account.disconnect', { provider }),
        title: messages.t('account.removal.title', { provider }),
        effect: messages.t('account.removal.effect', { provider }),
        doneTitle: messages.t('account.removal.doneTitle', { provider }),
      }
  }
}

function localTexts(messages: Messages, method: 'email' | 'passkeys'): RemovalTexts {
  return {
    remove: messages.t(`${method}.removal.remove`),
    title: messages.t(`${method}.removal.title`),
    effect: messages.t(`${method}.removal.effect`),
    doneTitle: messages.t(`${method}.removal.doneTitle`),
  }
}
