import { withTexts } from '../../core/messages/messages.ts'
import type { AccountSection } from '../../core/pages/account-section.ts'
import type { Context } from './code-pages.tsx'
import { openFactor, readFactor } from './factor.ts'
import { ADD_PATH, CONFIRM_PATH, NEW_CODES_PATH, REMOVE_PATH } from './paths.ts'
import type { en } from './texts.ts'

/** What the account page says about the second factor, and offers to change. */
export async function accountSection(context: Context): Promise<AccountSection> {
  const { t } = withTexts<typeof en>(context.messages)
  const factor = await readFactor(context)
  const title = t('totp.section.title')
  if (!factor) {
    return {
      title,
      facts: [t('totp.section.none')],
      links: [{ path: ADD_PATH, label: t('totp.add.title') }],
    }
  }
  const remove = { path: REMOVE_PATH, label: t('totp.section.remove') }
  if (factor.unconfirmed) {
    return {
      title,
      facts: [t('totp.section.unconfirmed')],
      links: [
        { path: CONFIRM_PATH, label: t('totp.section.confirm') },
        { path: ADD_PATH, label: t('totp.section.replace') },
        remove,
      ],
    }
  }
  const isReadable = (await openFactor(context, factor)) !== undefined
  return {
    title,
    facts: [
      t(isReadable ? 'totp.section.active' : 'totp.unreadable'),
      t('totp.codes.left', { count: factor.recoveryCodes.length }),
    ],
    links: [
      { path: ADD_PATH, label: t('totp.section.replace') },
      { path: NEW_CODES_PATH, label: t('totp.codes.new') },
      remove,
    ],
  }
}
