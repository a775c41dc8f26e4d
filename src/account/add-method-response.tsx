import type { AppContext } from '../config/app-env.ts'
import { messagesFor, respondWithPage } from '../pages/page-response.tsx'
import { signInKind } from '../pages/sign-in-kind.ts'
import { requireStorage } from '../storage/unavailable-error.ts'
import { enabledProviders } from '../upstream/enabled-providers.ts'
import { listAccounts } from '../users/directory.ts'
import { accountLink } from './account-link.ts'
import { AddMethodPage } from './add-method-page.tsx'
import { linkableLocalProviders } from './linkable-local-providers.ts'

/** The page on which this user adds a way to sign in. */
export async function respondWithAddMethodPage(c: AppContext, userId: string): Promise<Response> {
  const config = c.get('config')
  const messages = await messagesFor(c)
  const accounts = await requireStorage(async () => listAccounts(c.env, userId))
  const link = await accountLink(config, userId)
  const hasAccount = (id: string) => accounts.some(({ provider }) => provider === id)
  const href = (id: string) => `/api/auth/signin/${id}?${link}`

  const services = enabledProviders(config).map(({ id, name, style }) => ({
    id,
    name,
    label: hasAccount(id)
      ? messages.t('account.linkAnother', { provider: name })
      : messages.t('account.link', { provider: name }),
    logo: style.logo,
    href: href(id),
  }))
  const local = linkableLocalProviders(config).map((provider) => ({
    id: provider.id,
    name: provider.name,
    label: signInKind(provider).linkLabel(provider, messages, hasAccount(provider.id)),
    logo: provider.style?.logo,
    href: href(provider.id),
  }))
  if (services.length + local.length === 0) return c.redirect('/account')
  return respondWithPage(c, <AddMethodPage {...{ messages, services, local }} />, {
    title: messages.t('account.addMethod'),
    images: [...services, ...local].map(({ logo }) => logo),
    isRepeatable: true,
  })
}
