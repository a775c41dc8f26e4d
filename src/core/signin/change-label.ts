import { LINK_PATH } from '../account/account-link.ts'
import { CONFIRM_PATH } from '../account/confirm.tsx'
import { describeAccount } from '../account/describe-account.ts'
import type { Config } from '../config/config.ts'
import type { Messages } from '../messages/messages.ts'
import { repeatedChangeLabel } from '../pages/account-path.ts'
import { findByDigest } from '../users/account-reference.ts'
import type { LinkedAccount } from '../users/directory-rows.ts'

interface Change {
  /** The page of this service to which the user returns. */
  returnTo: string
  /** The accounts of the user. */
  accounts: readonly LinkedAccount[]
}

/**
 * What the account page calls the change that a user confirms; undefined if the URL is not that of
 * a known change.
 */
export async function changeLabel(
  config: Config,
  messages: Messages,
  { returnTo, accounts }: Change,
): Promise<string | undefined> {
  const { pathname, searchParams } = new URL(returnTo)
  switch (pathname) {
    case '/account':
      return repeatedChangeLabel(messages, searchParams)
    case LINK_PATH:
      return messages.t('account.addMethod')
    case '/account/consents':
      return messages.t('account.withdrawConsent')
    case '/account/delete':
      return messages.t('account.deleteAccount')
    case CONFIRM_PATH:
      return messages.t('account.confirmation.confirm')
    case '/account/disconnect': {
      const linked = await findByDigest(accounts, searchParams.get('account') ?? '')
      return linked && (await describeAccount(config, messages, linked)).removal.remove
    }
    default:
      return config.localProviders
        .map(({ method }) => method.labels?.(messages).changes?.[pathname])
        .find((label) => label !== undefined)
  }
}
