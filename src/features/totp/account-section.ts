import { withTexts } from '../../messages/messages.ts'
import type { AccountSection } from '../../pages/account-section.ts'
import type { Context } from './code-pages.tsx'
import { readFactor } from './factor.ts'
import { ADD_PATH, CONFIRM_PATH, NEW_CODES_PATH, REMOVE_PATH } from './paths.ts'
import type { en } from './texts.ts'

/** What the account page says about the second factor, and offers to change. */
export async function accountSection(context: Context): Promise<AccountSection> {
  const { t } = withTexts<typeof en>(context.messages)
  const factor = await readFactor(context)
  const title = t('totp.section.title')
  const link = (path: string, key: Parameters<typeof t>[0]) => ({
    path,
    label: t(key as 'totp.name'),
  })
  if (!factor) {
    return {
      title,
      facts: [t('totp.section.none')],
      links: [link(ADD_PATH, 'totp.add.title')],
    }
  }
  const remove = link(REMOVE_PATH, 'totp.section.remove')
  if (factor.unconfirmed) {
    return {
      title,
      facts: [t('totp.section.unconfirmed')],
      links: [
        link(CONFIRM_PATH, 'totp.section.confirm'),
        link(ADD_PATH, 'totp.section.replace'),
        remove,
      ],
    }
  }
  return {
    title,
    facts: [t('totp.section.active'), t('totp.codes.left', { count: factor.recoveryCodes.length })],
    links: [link(ADD_PATH, 'totp.section.replace'), link(NEW_CODES_PATH, 'totp.codes.new'), remove],
  }
}
