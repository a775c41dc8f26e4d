import * as z from 'zod/mini'
import { seconds } from '../clock.ts'
import { SignInError } from '../errors.ts'
import type { AppContext } from '../http/app-env.ts'
import { ownPagePosts } from '../http/cross-origin.ts'
import { csrfToken } from '../http/csrf.ts'
import { messagesFor, respondWithPage } from '../http/page-response.tsx'
import { note } from '../http/request-log.ts'
import { room } from '../http/room.ts'
import { validate } from '../http/validate.ts'
import { AccountPage } from '../pages/account-page.tsx'
import { brandRule } from '../pages/stylesheet.ts'
import { enabledProviders } from '../providers/enabled.ts'
import { digest } from '../random.ts'
import { confirmFreshSession, confirmSession, endOtherSessions } from '../session/current.ts'
import { accountsOf, type LinkedAccount, unlinkAccount } from '../users/directory.ts'

/** As long as the page may stand open before a link on it is followed. */
const TEN_MINUTES = 600 // seconds

const unlinking = z.object({
  account: z.string(),
  csrfToken: z.optional(z.string()),
})

/** `/account`: what a person can see and change about themselves. */
export const account = room()
  .use('/account/*', ownPagePosts)

  .get('/account', async (c) => {
    const session = await confirmSession(c)
    if (!session) return c.redirect('/api/auth/signin?callbackUrl=%2Faccount')
    const config = c.get('config')
    const providers = enabledProviders(config)
    const accounts = await accountsOf(c.env, session.user.id)
    const until = seconds() + TEN_MINUTES
    const link = await config.seal.seal('link', session.user.id, String(until))
    const messages = messagesFor(c)
    const page = (
      <AccountPage
        messages={messages}
        name={session.user.name ?? session.user.username}
        accounts={await Promise.all(accounts.map((one) => describe(c, one)))}
        choices={providers.map(({ id, name }) => ({
          id,
          name,
          href: `/api/auth/signin/${id}?${new URLSearchParams({ link, callbackUrl: '/account' })}`,
        }))}
        csrfToken={await csrfToken(c)}
      />
    )
    const css = providers.map(({ id, style }) => brandRule(id, style)).join('')
    return respondWithPage(c, page, { title: messages.account.title, css })
  })

  .post('/account/unlink', validate('form', unlinking), async (c) => {
    const { user } = await confirmFreshSession(c)
    const handle = c.req.valid('form').account
    for (const one of await accountsOf(c.env, user.id)) {
      if ((await handleOf(one)) !== handle) continue
      if (!(await unlinkAccount(c.env, user.id, one))) throw new SignInError('account_last')
      // Whoever came in by that account may be somebody else.
      await endOtherSessions(c)
      note(c, { event: 'account_unlinked', userId: user.id, provider: one.provider })
    }
    return c.redirect('/account', 303)
  })

async function describe(c: AppContext, linked: LinkedAccount) {
  const provider = enabledProviders(c.get('config')).find(({ id }) => id === linked.provider)
  return { ...linked, provider: provider?.name ?? linked.provider, handle: await handleOf(linked) }
}

/** What a form names an account by: not the platform's id, which is nobody's business. */
function handleOf({ provider, accountId }: LinkedAccount): Promise<string> {
  return digest(`${provider} ${accountId}`)
}
