import type { Child } from 'hono/jsx'
import { FIELD_CSS } from '../../src/pages/field.tsx'
import type { Messages } from '../../src/pages/messages/en.ts'
import { SignInPage } from '../../src/pages/sign-in-page.tsx'
import { providerButtonCss } from '../../src/pages/stylesheet.ts'
import { Google, TikTok } from '../../src/providers/index.ts'
import { CredentialsForm } from '../../src/signin/credentials/pages.tsx'
import { credentialsTexts } from '../../src/signin/credentials/texts.ts'
import { AddressForm, CodePage, ElsewherePage, LinkPage } from '../../src/signin/email/pages.tsx'
import { emailTexts } from '../../src/signin/email/texts.ts'
import type { PageState } from './page-state.ts'

/*
 * The pages of providers whose users sign in on pages of this service.
 */

const ADDRESS = 'mia.lindqvist@mail.example'

const fields = [['csrfToken', 'token']] as const

const PROVIDERS = [TikTok(), Google({})]

const PROVIDER_CSS = PROVIDERS.map(({ id, style }) => providerButtonCss(id, style ?? {})).join('')

function addressForm(messages: Messages, error?: 'invalid' | 'tooMany') {
  return (
    <AddressForm
      messages={messages}
      action="/api/auth/signin/email"
      fields={fields}
      value={error && 'mia'}
      error={error}
      isOnlyContent
    />
  )
}

function codePage(messages: Messages, changes: Partial<Parameters<typeof CodePage>[0]> = {}) {
  return (
    <CodePage
      messages={messages}
      address={ADDRESS}
      action="/api/auth/signin/email/attempt"
      csrfToken="token"
      restartUrl="/api/auth/signin/email"
      isLinking={false}
      {...changes}
    />
  )
}

function credentialsForm(messages: Messages, error?: string) {
  return (
    <CredentialsForm
      messages={messages}
      action="/api/auth/callback/credentials"
      name="Acme"
      inputs={{
        username: { label: 'User name', placeholder: 'mia' },
        password: { label: 'Password', type: 'password' },
      }}
      identifier="username"
      fields={fields}
      error={error}
      isOnlyContent
    />
  )
}

function state(
  name: string,
  title: (messages: Messages) => string,
  render: (messages: Messages) => Child,
): PageState {
  return { name, title, render, css: FIELD_CSS + PROVIDER_CSS }
}

const signInTitle = (messages: Messages) => messages.signIn.title
const emailTitle = (page: 'address' | 'code' | 'link' | 'elsewhere') => (messages: Messages) =>
  emailTexts(messages.language)[page].title

/** The pages of email and of credentials. */
export const LOCAL_STATES: readonly PageState[] = [
  state('sign-in-email', signInTitle, (messages) => (
    <SignInPage
      messages={messages}
      choices={PROVIDERS.map(({ id, name, style }) => ({
        id,
        name,
        logo: style?.logo,
        href: '/api/auth/signin',
        qr: undefined,
        isLastUsed: false,
      }))}
      parts={{
        before: [],
        after: [
          <AddressForm messages={messages} action="/api/auth/signin/email" fields={fields} />,
        ],
      }}
      browserUrl={undefined}
    />
  )),
  state('email-address', emailTitle('address'), (messages) => addressForm(messages)),
  state('email-address-invalid', emailTitle('address'), (messages) =>
    addressForm(messages, 'invalid'),
  ),
  state('email-address-too-many', emailTitle('address'), (messages) =>
    addressForm(messages, 'tooMany'),
  ),
  state('email-code', emailTitle('code'), (messages) => codePage(messages)),
  state('email-code-wrong', emailTitle('code'), (messages) => codePage(messages, { remaining: 3 })),
  state('email-code-sent-again', emailTitle('code'), (messages) =>
    codePage(messages, { notice: 'sentAgain' }),
  ),
  state('email-link', emailTitle('link'), (messages) => (
    <LinkPage
      messages={messages}
      address={ADDRESS}
      action="/api/auth/callback/email"
      token="token"
      csrfToken="token"
      isLinking={false}
    />
  )),
  state('email-elsewhere', emailTitle('elsewhere'), (messages) => (
    <ElsewherePage messages={messages} browser="Firefox, Linux" />
  )),
  state('credentials', signInTitle, (messages) => credentialsForm(messages)),
  state('credentials-wrong', signInTitle, (messages) =>
    credentialsForm(messages, credentialsTexts(messages.language).wrong),
  ),
]
