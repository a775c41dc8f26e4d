import type { Config } from '../config/config.ts'
import { findLocalProvider } from '../config/local-providers.ts'
import type { AppContext } from '../http/app-env.ts'
import type { Messages } from '../messages/messages.ts'
import { ChoiceList, NAME } from '../pages/choice-list.tsx'
import { MethodMark } from '../pages/method-mark.tsx'
import { Notice } from '../pages/notice.tsx'
import { messagesFor, respondWithPage } from '../pages/page-response.tsx'
import { type SignInMethod, signInMethods } from '../upstream/sign-in-methods.ts'
import { listAccounts } from '../users/linked-accounts.ts'
import { accountLink } from './account-link.ts'
import { methodLabels } from './describe-account.ts'

/** The methods that the page offers. Passkeys have a page of their own. */
export function linkableMethods(config: Config): SignInMethod[] {
  return signInMethods(config).filter(
    ({ id }) => !findLocalProvider(config, id)?.method.isCreatedByDevice,
  )
}

/** The page on which this user adds a way to sign in. */
export async function respondWithAddMethodPage(c: AppContext, userId: string): Promise<Response> {
  const config = c.get('config')
  const messages = await messagesFor(c)
  const accounts = await listAccounts(c.env, userId)
  const link = await accountLink(config, userId)
  const choices = linkableMethods(config).map(({ id, name, style }) => {
    const own = methodLabels(config, messages, id)
    const hasAccount = accounts.some(({ provider }) => provider === id)
    const label = messages.t(hasAccount ? 'account.linkAnother' : 'account.link', {
      provider: name,
    })
    return {
      id,
      name,
      label: (hasAccount ? own.addAnother : own.addFirst) ?? label,
      logo: style.logo,
      href: `/api/auth/signin/${id}?${link}`,
    }
  })
  if (choices.length === 0) return c.redirect('/account')
  const isCancelled = c.req.query('cancelled') !== undefined
  return respondWithPage(c, <AddMethodPage {...{ messages, choices, isCancelled }} />, {
    title: messages.t('account.addMethod'),
    images: choices.map(({ logo }) => logo),
    isRepeatable: true,
  })
}

interface AddMethodPageProps {
  messages: Messages
  choices: readonly LinkChoice[]
  /** Whether the user has cancelled at a provider and come back. */
  isCancelled?: boolean
}

/** A provider of which an account can be linked. */
interface LinkChoice {
  id: string
  name: string
  label: string
  logo: string | undefined
  href: string
}

/** The page on which a user adds a way to sign in. */
export function AddMethodPage({ messages, choices, isCancelled }: AddMethodPageProps) {
  return (
    <>
      {isCancelled && <Notice text={messages.t('signIn.cancelled')} />}
      <ChoiceList
        messages={messages}
        label={messages.t('account.link', { provider: NAME })}
        choices={choices.map(({ id, name, label, logo, href }) => ({
          content: (
            <a href={href}>
              <MethodMark {...{ id, name, logo }} />
              {label}
            </a>
          ),
        }))}
      />
      <a href="/account">{messages.t('actions.goBack')}</a>
    </>
  )
}
