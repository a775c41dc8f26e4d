import * as z from 'zod/mini'
import { seconds } from '../clock.ts'
import { digest } from '../crypto/random.ts'
import { SignInError } from '../errors.ts'
import type { AppContext } from '../http/app-env.ts'
import { ownPagePosts } from '../http/cross-origin.ts'
import { csrfToken } from '../http/csrf.ts'
import { messagesFor, respondWithPage } from '../http/page-response.tsx'
import { note } from '../http/request-log.ts'
import { room } from '../http/room.ts'
import { validForm } from '../http/validate.ts'
import { AccountPage } from '../pages/account-page.tsx'
import { DeletedPage, DeletePage } from '../pages/delete-page.tsx'
import { providerButtonCss } from '../pages/stylesheet.ts'
import {
  askObject,
  confirmFreshSession,
  confirmSession,
  endOtherSessions,
  endSession,
  readTicket,
} from '../session/current.ts'
import { enabledProviders } from '../upstream/enabled-providers.ts'
import { accountsOf, deleteUser, type LinkedAccount, unlinkAccount } from '../users/directory.ts'

/** As long as the page may stand open before a link on it is followed. */
const TEN_MINUTES = 600 // seconds

/** What a form of ours names. */
const form = <Field extends string>(field: Field) =>
  z.object({ [field]: z.string(), csrfToken: z.optional(z.string()) } as Record<
    Field,
    z.ZodMiniString
  >)

/** `/account`: what a person can see and change about themselves. */
export const account = room()
  .use('/account/*', ownPagePosts)

  .get('/account', async (c) => {
    const session = await confirmSession(c)
    const ticket = await readTicket(c)
    if (!session || !ticket) return c.redirect('/api/auth/signin?callbackUrl=%2Faccount')
    const { user } = session
    const config = c.get('config')
    const providers = enabledProviders(config)
    const [accounts, belongings] = await Promise.all([
      accountsOf(c.env, user.id),
      askObject(c, user.id, (object) => object.readBelongings(ticket.key)),
    ])
    const link = await config.seal.seal('link', user.id, String(seconds() + TEN_MINUTES))
    const messages = messagesFor(c)
    const nameOf = (clientId: string) =>
      config.clients.find(({ client_id }) => client_id === clientId)?.client_name ?? clientId
    const page = (
      <AccountPage
        messages={messages}
        name={user.name ?? user.username}
        accounts={await Promise.all(accounts.map((one) => describe(c, one)))}
        sessions={belongings.sessions.map((one) => ({ ...one, apps: one.clientIds.map(nameOf) }))}
        consents={belongings.consents.map((one) => ({ ...one, name: nameOf(one.clientId) }))}
        choices={providers.map(({ id, name }) => ({
          id,
          name,
          href: `/api/auth/signin/${id}?${new URLSearchParams({ link, callbackUrl: '/account' })}`,
        }))}
        csrfToken={await csrfToken(c)}
      />
    )
    const css = providers.map(({ id, style }) => providerButtonCss(id, style)).join('')
    return respondWithPage(c, page, { title: messages.account.title, css })
  })

  .post('/account/sessions', validForm(form('sid')), async (c) => {
    const { user } = await confirmHere(c)
    const { sid } = c.req.valid('form')
    if (sid === 'others') await endOtherSessions(c)
    else await askObject(c, user.id, (object) => object.endSid(sid))
    return c.redirect('/account', 303)
  })

  .post('/account/consents', validForm(form('client_id')), async (c) => {
    const { user } = await confirmHere(c)
    const { client_id } = c.req.valid('form')
    await askObject(c, user.id, (object) => object.shutOut(client_id))
    note(c, { event: 'consent', userId: user.id })
    return c.redirect('/account', 303)
  })

  .post('/account/disconnect', validForm(form('account')), async (c) => {
    const { user } = await confirmFreshSession(c)
    const handle = c.req.valid('form').account
    for (const one of await accountsOf(c.env, user.id)) {
      if ((await handleOf(one)) !== handle) continue
      await unlinkAccount(c.env, user.id, one)
      // Whoever came in by that account may be somebody else; and what it granted is given back.
      await askObject(c, user.id, (object) => object.endEverything([one]))
      note(c, { event: 'account_unlinked', userId: user.id, provider: one.provider })
    }
    return c.redirect('/api/auth/signout', 303)
  })

  .get('/account/delete', async (c) => {
    await confirmFreshSession(c)
    const messages = messagesFor(c)
    const page = <DeletePage messages={messages} csrfToken={await csrfToken(c)} />
    return respondWithPage(c, page, { title: messages.account.deleteAccount })
  })
  .post('/account/delete', async (c) => {
    const { user } = await confirmFreshSession(c)
    // In this order: nobody is left with a session who is not in the directory.
    const accounts = await accountsOf(c.env, user.id)
    await askObject(c, user.id, (object) => object.erase(accounts))
    await deleteUser(c.env, user.id)
    await endSession(c)
    note(c, { event: 'account_deleted', userId: user.id })
    const messages = messagesFor(c)
    return respondWithPage(c, <DeletedPage messages={messages} />, {
      title: messages.account.deletedTitle,
    })
  })

async function confirmHere(c: AppContext) {
  const session = await confirmSession(c)
  if (!session) throw new SignInError('sign_in_again')
  return session
}

async function describe(c: AppContext, linked: LinkedAccount) {
  const provider = enabledProviders(c.get('config')).find(({ id }) => id === linked.provider)
  return { ...linked, provider: provider?.name ?? linked.provider, digest: await handleOf(linked) }
}

/** What a form names an account by: not the platform's id, which is nobody's business. */
function handleOf({ provider, accountId }: LinkedAccount): Promise<string> {
  return digest(`${provider} ${accountId}`)
}
