import type { AppContext } from '../http/app-env.ts'
import { csrfToken } from '../http/csrf.ts'
import type { Messages } from '../messages/messages.ts'
import { confirmedChange, repeatedChangeLabel } from '../pages/account-path.ts'
import { FormButton } from '../pages/form-button.tsx'
import type { NoticeProps } from '../pages/notice.tsx'
import { clearPreference, readPreference } from '../pages/preferences.ts'
import { findClient } from '../registrations/find-client.ts'
import { knownDevice } from '../session/device.ts'
import type { AuthoritativeSession } from '../session/read-session.ts'
import { isRecent } from '../session/recent-session.ts'
import { nowInSeconds } from '../values/clock.ts'
import { isolateTextDirection } from '../values/isolate-text-direction.ts'
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
  const change = confirmedChange(c)
  const isNew = takeNewUserMark(c, accounts)
  switch (change) {
    case undefined:
      return isNew ? { text: messages.t('account.created') } : undefined
    case 'confirmed':
      // Not every sign-in is sufficient.
      return (await isRecent(c, session)) ? offerChange(c, messages) : undefined
    case 'passkeyAdded':
    case 'passkeyRenamed':
    case 'methodConfirmed':
    case 'otherSessionsEnded':
      return { text: messages.t(`account.done.${change}`) }
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
