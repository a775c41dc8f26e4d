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
  /** Whether there is anything that the user could end. */
  hasOtherSessions: boolean
}

/**
 * What the user has just done, unless the page shows something else: the URL may be opened again,
 * or forged.
 */
export async function describeChange(
  c: AppContext,
  messages: Messages,
  { session, accounts, consents, hasOtherSessions }: ChangeContext,
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
      const notice = await describeDone(c, messages, hasOtherSessions)
      return notice ?? (isNew ? { text: messages.t('account.created') } : undefined)
    }
  }
}

/** A text without values, of the core or of a feature. The URL itself is never shown. */
async function describeDone(
  c: AppContext,
  messages: Messages,
  hasOtherSessions: boolean,
): Promise<NoticeProps | undefined> {
  const text = messages.find(`account.done.${c.req.query('done')}`)
  if (text === undefined) return undefined
  // Whoever has secured their account can end what others may have.
  const isOffered = hasOtherSessions && c.req.query('change') === 'endOtherSessions'
  return { text, button: isOffered && (await changeButton(c, messages)) }
}

/** Offers the change for which the user has signed in again, as far as it is known. */
async function offerChange(c: AppContext, messages: Messages): Promise<NoticeProps> {
  const label = repeatedChangeLabel(messages, new URL(c.req.url).searchParams)
  const button = await changeButton(c, messages)
  if (label === undefined || !button) return { text: messages.t('account.done.confirmed') }
  return { text: messages.t('account.confirmedFor', { change: label }), button }
}

/** The button of the change that the URL names. */
async function changeButton(c: AppContext, messages: Messages) {
  const { searchParams } = new URL(c.req.url)
  const label = repeatedChangeLabel(messages, searchParams)
  if (label === undefined) return undefined
  const isDownload = searchParams.get('change') === 'download'
  return (
    <FormButton
      action={isDownload ? '/account/export' : '/account/sessions'}
      fields={{ ...(!isDownload && { sid: 'others' }), csrfToken: await csrfToken(c) }}
      isPrimary
      isDownload={isDownload}
    >
      {label}
    </FormButton>
  )
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
