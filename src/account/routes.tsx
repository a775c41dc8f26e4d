import { Hono } from 'hono'
import * as z from 'zod/mini'
import { nowInSeconds } from '../clock.ts'
import type { LocalProvider } from '../config/local-providers.ts'
import { digest } from '../crypto/digest.ts'
import { sealUntil } from '../crypto/expiring-seal.ts'
import { requireStorage, SignInError } from '../errors.ts'
import type { AppContext, AppEnv } from '../http/app-env.ts'
import { auditOrigin, auditUserEvent } from '../http/audit-origin.ts'
import { requireOwnPage } from '../http/cross-origin.ts'
import { csrfToken } from '../http/csrf.ts'
import { emitEvent } from '../http/events.ts'
import { messagesFor, respondWithPage, toShownUser } from '../http/page-response.tsx'
import { addToLog } from '../http/request-log.ts'
import { signInKind } from '../http/sign-in-kind.ts'
import { validateForm } from '../http/validate.ts'
import { AccountPage } from '../pages/account-page.tsx'
import { DeletedPage, DeletePage } from '../pages/delete-page.tsx'
import type { Messages } from '../pages/messages/en.ts'
import { providerButtonCss } from '../pages/stylesheet.ts'
import { findClient } from '../registrations/find-client.ts'
import {
  authoritativeSession,
  endOtherSessions,
  endSession,
  limitRequestsByUser,
  readSessionCookie,
  reportSignOut,
  requireRecentSession,
} from '../session/current.ts'
import { enabledProviders } from '../upstream/enabled-providers.ts'
import { findSignInMethod } from '../upstream/sign-in-methods.ts'
import { deleteUserCompletely } from '../users/delete-user.ts'
import { type LinkedAccount, listAccounts, unlinkAccount } from '../users/directory.ts'
import { exportUser } from '../users/export-user.ts'
import { PASSKEY_PROVIDER } from '../users/passkeys.ts'
import { accountKey, toEventAccount } from '../users/upstream-account.ts'
import { callUserObject } from '../users/user-object.ts'
import { describeConsent } from './describe-consent.ts'

/** How long the page may stay open before one of its links to a provider is used. */
const LINK_LIFETIME = 600 // seconds

const sessionForm = z.lazy(() => z.object({ sid: z.string() }))
const consentForm = z.lazy(() => z.object({ client_id: z.string() }))
const disconnectForm = z.lazy(() => z.object({ account: z.string() }))

/** `/account`: what users can see and change about themselves. */
export const account = new Hono<AppEnv>()
  .use('/account/*', requireOwnPage, limitRequestsByUser('account'))

  .get('/account', async (c) => {
    const session = await authoritativeSession(c)
    const cookie = await readSessionCookie(c)
    if (!session || !cookie) return c.redirect('/api/auth/signin?callbackUrl=%2Faccount')
    const { user } = session
    const config = c.get('config')
    const messages = await messagesFor(c)
    const providers = enabledProviders(config)
    const [accounts, overview] = await Promise.all([
      requireStorage(async () => listAccounts(c.env, user.id)),
      callUserObject(c.env, user.id, (object) => object.readOverview(cookie.secretDigest)),
    ])
    const link = await sealUntil(config.seal, nowInSeconds() + LINK_LIFETIME, {
      purpose: 'link',
      context: user.id,
    })
    const shownUser = toShownUser(config, user)
    const linkParams = new URLSearchParams({ link, callbackUrl: '/account' })
    const token = await csrfToken(c)
    const described = await Promise.all(
      accounts.map((linked) => describeAccount(c, messages, linked)),
    )
    const listsAccounts = (provider: LocalProvider) => signInKind(provider).listsAccounts ?? false
    const parts = await Promise.all(
      // Lists of their own follow the buttons that add to the list of the page.
      [
        ...config.localProviders.filter((provider) => !listsAccounts(provider)),
        ...config.localProviders.filter(listsAccounts),
      ].map((provider) =>
        signInKind(provider).accountPart(c, provider, {
          messages,
          params: linkParams,
          csrfToken: token,
          userId: user.id,
          accounts: described.filter(({ providerId }) => providerId === provider.id),
          hasOtherMethod: hasOtherMethod(c, accounts, provider.id),
        }),
      ),
    )
    const listedElsewhere = config.localProviders.filter(listsAccounts).map(({ id }) => id)
    const clientName = async (id: string) =>
      (await findClient(c.env, config, id))?.client_name ?? id
    return respondWithPage(
      c,
      <AccountPage
        messages={messages}
        user={shownUser}
        accounts={described.filter(({ providerId }) => !listedElsewhere.includes(providerId))}
        sessions={
          await Promise.all(
            overview.sessions.map(async ({ clientIds, ...summary }) => ({
              ...summary,
              apps: await Promise.all(clientIds.map(clientName)),
            })),
          )
        }
        hasOtherGrants={overview.hasOtherGrants}
        consents={
          await Promise.all(
            overview.consents.map(async (consent) => ({
              clientId: consent.clientId,
              ...(await describeConsent(c.env, config, consent)),
              name: await clientName(consent.clientId),
            })),
          )
        }
        choices={providers.map(({ id, name, style }) => ({
          id,
          name,
          logo: style.logo,
          href: `/api/auth/signin/${id}?${linkParams}`,
        }))}
        parts={parts.map(({ content }) => content)}
        csrfToken={token}
      />,
      {
        title: messages.account.title,
        css: [
          ...providers.map(({ id, style }) => providerButtonCss(id, style)),
          ...parts.map(({ css = '' }) => css),
        ].join(''),
        script: parts.map(({ script = '' }) => script).join('') || undefined,
        images: [shownUser.image, ...providers.map(({ style }) => style.logo)],
        isRepeatable: true,
        isWide: true,
      },
    )
  })

  .post('/account/sessions', validateForm(sessionForm), async (c) => {
    const { user } = await requireSession(c)
    const { sid } = c.req.valid('form')
    if (sid === 'others') await endOtherSessions(c)
    else {
      const isEnded = await callUserObject(c.env, user.id, (object) => object.endSessionById(sid))
      if (isEnded) reportSignOut(c, user.id, 'one')
    }
    return c.redirect('/account', 303)
  })

  .post('/account/consents', validateForm(consentForm), async (c) => {
    const { user } = await requireSession(c)
    const { client_id } = c.req.valid('form')
    const isWithdrawn = await callUserObject(c.env, user.id, (object) =>
      object.revokeClient(client_id),
    )
    addToLog(c, { event: 'consent', userId: user.id })
    // Otherwise a form could record any text as the client.
    if (isWithdrawn) auditUserEvent(c, user.id, { event: 'consent_withdrawn', client: client_id })
    return c.redirect('/account', 303)
  })

  .post('/account/disconnect', validateForm(disconnectForm), async (c) => {
    const { user } = await requireRecentSession(c)
    const requested = c.req.valid('form').account
    const accounts = await requireStorage(async () => listAccounts(c.env, user.id))
    let isFound = false
    for (const linked of accounts) {
      if ((await accountDigest(linked)) !== requested) continue
      isFound = true
      requireOtherMethod(c, accounts, linked)
      const unlinked = await requireStorage(async () =>
        unlinkAccount(c.env, c.get('config'), {
          userId: user.id,
          account: linked,
          origin: auditOrigin(c, user.id),
        }),
      )
      if (linked.provider === PASSKEY_PROVIDER && !unlinked.isKept) {
        await callUserObject(c.env, user.id, (object) => object.removePasskey(linked.accountId))
      }
      // Someone else may have signed in with this account, so every session ends.
      await callUserObject(c.env, user.id, (object) =>
        object.disconnect(linked, unlinked.unlinkedAt, unlinked.accounts),
      )
      if (unlinked.isKept) {
        const detail = 'last account disconnected'
        auditUserEvent(c, user.id, { event: 'sessions_ended', provider: linked.provider, detail })
      } else {
        emitEvent(c, 'unlinkAccount', { user: { id: user.id }, account: toEventAccount(linked) })
      }
      addToLog(c, { event: 'account_unlinked', userId: user.id, provider: linked.provider })
    }
    // The form may have been sent again because the object failed after the account was unlinked.
    if (!isFound) await callUserObject(c.env, user.id, (object) => object.endEverything([]))
    return c.redirect('/api/auth/signout', 303)
  })

  // A POST, because another site could make the browser send a GET, and each export is recorded.
  .post('/account/export', async (c) => {
    const { user } = await requireRecentSession(c)
    const document = await exportUser(c.env, c.get('config'), {
      userId: user.id,
      origin: auditOrigin(c, user.id),
    })
    if (!document) throw new SignInError('not_found')
    c.header('Content-Disposition', `attachment; filename="${user.id}.json"`)
    return c.body(JSON.stringify(document, undefined, 2), 200, {
      'Content-Type': 'application/json',
    })
  })

  .get('/account/delete', async (c) => {
    await requireRecentSession(c)
    const messages = await messagesFor(c)
    const page = <DeletePage messages={messages} csrfToken={await csrfToken(c)} />
    return respondWithPage(c, page, { title: messages.account.deleteAccount })
  })
  .post('/account/delete', async (c) => {
    const { user } = await requireRecentSession(c)
    const isDeleted = await deleteUserCompletely(c.env, c.get('config'), {
      userId: user.id,
      origin: auditOrigin(c, user.id),
    })
    await endSession(c)
    addToLog(c, { event: 'account_deleted', userId: user.id })
    if (isDeleted) emitEvent(c, 'deleteUser', { user: { id: user.id }, reason: 'user' })
    const messages = await messagesFor(c)
    return respondWithPage(c, <DeletedPage messages={messages} />, {
      title: messages.account.deletedTitle,
    })
  })

async function requireSession(c: AppContext) {
  const session = await authoritativeSession(c)
  if (!session) throw new SignInError('sign_in_again')
  return session
}

async function describeAccount(c: AppContext, messages: Messages, linked: LinkedAccount) {
  const config = c.get('config')
  const provider = findSignInMethod(config, linked.provider)
  const local = config.localProviders.find(({ id }) => id === linked.provider)
  const localName = local && signInKind(local).accountName?.(local, messages)
  return {
    ...linked,
    provider: localName ?? provider?.name ?? linked.provider,
    providerId: linked.provider,
    logo: provider?.style.logo,
    digest: await accountDigest(linked),
  }
}

/**
 * The last account of another service is only disconnected, but a passkey that is removed is gone. The page does
 * not offer to remove the last one.
 */
function requireOtherMethod(
  c: AppContext,
  accounts: readonly LinkedAccount[],
  linked: LinkedAccount,
): void {
  if (linked.provider !== PASSKEY_PROVIDER) return
  const passkeys = accounts.filter(({ provider }) => provider === linked.provider)
  if (passkeys.length > 1 || hasOtherMethod(c, accounts, linked.provider)) return
  throw new SignInError('request_invalid', { parameter: 'account' })
}

/** Whether the user can sign in with an account of another provider than this one. */
function hasOtherMethod(c: AppContext, accounts: readonly LinkedAccount[], id: string): boolean {
  const config = c.get('config')
  return accounts.some(
    ({ provider }) => provider !== id && findSignInMethod(config, provider) !== undefined,
  )
}

/** Identifies an account in a form without revealing the provider's id. */
function accountDigest(account: LinkedAccount): Promise<string> {
  return digest(accountKey(account))
}
