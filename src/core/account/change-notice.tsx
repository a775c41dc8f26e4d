import { nowInSeconds } from '../../foundation/values/clock.ts'
import { isolateTextDirection } from '../../foundation/values/isolate-text-direction.ts'
import type { AppContext } from '../http/app-env.ts'
import { csrfToken } from '../http/csrf.ts'
import type { Messages } from '../messages/messages.ts'
import { repeatedChangeLabel } from '../pages/account-path.ts'
import { FormButton } from '../pages/form-button.tsx'
import type { NoticeProps } from '../pages/notice.tsx'
import { clearPreference, readPreference } from '../pages/preferences.ts'
import { findClient } from '../registrations/find-client.ts'
import { knownDevice } from '../session/device.ts'
import { isRecent } from '../session/recent-session.ts'
import type { AuthoritativeSession } from '../users/session.ts'
import { type DescribedAccount, methodName } from './describe-account.ts'

/** How long the page may say that the user has just been created. */
const NEW_USER = 600 // seconds

interface ChangeContext {
  session: AuthoritativeSession
  accounts: readonly DescribedAccount[]
  consents: readonly { clientId: string }[]
}

/**
 * What the user has just done, unless the page shows something else: the URL may be opened again,
 * or forged.
 */
export async function describeChange(
  c: AppContext,
  messages: Messages,
  { session, accounts, consents }: ChangeContext,
): Promise<NoticeProps | undefined> {
  const change = c.req.query('done')
  const isNew = takeNewUserMark(c, accounts)
  switch (change) {
    case 'confirmed':
      // Not every sign-in is sufficient.
      return (await isRecent(c, session)) ? offerChange(c, messages) : undefined
    case 'sessionEnded': {
      const device = knownDevice(c.req.query('device')) ?? messages.t('account.unknownBrowser')
      return {
        text: messages.t('account.done.sessionEnded', { device: isolateTextDirection(device) }),
      }
    }
    case 'consentWithdrawn': {
      const client = await findClient(c.env, c.get('config'), c.req.query('client'))
      const hasAccess = consents.some(({ clientId }) => clientId === client?.client_id)
      if (!client || hasAccess) return undefined
      const app = isolateTextDirection(client.client_name)
      return { text: messages.t('account.done.consentWithdrawn', { app }) }
    }
    case 'linked':
    case 'alreadyLinked': {
      const linked = accounts.find(({ providerId }) => providerId === c.req.query('provider'))
      if (!linked) return undefined
      const provider = methodName(c.get('config'), messages, linked.providerId)
      return { text: messages.t(`account.done.${change}`, { provider }) }
    }
    default: {
      // A text without values, of the core or of a feature. The URL itself is never shown.
      const done = messages.find(`account.done.${change}`)
      const text = done ?? (isNew ? messages.t('account.created') : undefined)
      return text === undefined ? undefined : { text }
    }
  }
}

/** Offers the change for which the user has signed in again, as far as it is known. */
async function offerChange(c: AppContext, messages: Messages): Promise<NoticeProps> {
  const { searchParams } = new URL(c.req.url)
  const label = repeatedChangeLabel(messages, searchParams)
  if (label === undefined) return { text: messages.t('account.done.confirmed') }
  const isDownload = searchParams.get('change') === 'download'
  const form = (
    <FormButton
      action={isDownload ? '/account/export' : '/account/sessions'}
      fields={{ ...(!isDownload && { sid: 'others' }), csrfToken: await csrfToken(c) }}
      isPrimary
      isDownload={isDownload}
    >
      {label}
    </FormButton>
  )
  return { text: messages.t('account.confirmedFor', { change: label }), button: form }
}

/**
 * Whether this browser has created the user a few minutes ago. It forgets this, so that the page
 * says so once.
 */
function takeNewUserMark(c: AppContext, [oldest]: readonly DescribedAccount[]): boolean {
  const hasCreatedUser = readPreference(c, 'new-user') !== undefined
  clearPreference(c, 'new-user')
  return hasCreatedUser && oldest !== undefined && nowInSeconds() - oldest.linkedAt < NEW_USER
}
