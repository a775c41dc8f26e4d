import type { Child } from 'hono/jsx'
import { CredentialsForm } from '../../src/features/credentials/pages.tsx'
import { AddressForm, CodePage, ElsewherePage, LinkPage } from '../../src/features/email/pages.tsx'
import { RenamePage } from '../../src/features/passkeys/pages.tsx'
import { Google, TikTok } from '../../src/providers/index.ts'
import { SignInPage } from '../../src/signin/sign-in-page.tsx'
import type { AllMessages, PageState } from './page-state.ts'

/*
 * The pages of providers whose users sign in on pages of this service.
 */

const ADDRESS = 'mia.lindqvist@mail.example'

const PROVIDERS = [TikTok({}), Google({})]

const fields = [['csrfToken', 'token']] as const

function addressForm(
  messages: AllMessages,
  changes: Partial<Parameters<typeof AddressForm>[0]> = {},
) {
  return (
    <AddressForm
      messages={messages}
      action="/api/auth/signin/email"
      fields={fields}
      otherMethodsUrl="/api/auth/signin"
      isOnlyContent
      {...changes}
    />
  )
}

function codePage(messages: AllMessages, changes: Partial<Parameters<typeof CodePage>[0]> = {}) {
  return (
    <CodePage
      messages={messages}
      address={ADDRESS}
      action="/api/auth/signin/email/attempt"
      csrfToken="token"
      restartUrl="/api/auth/signin/email"
      validFor={600}
      wait={28}
      isLinking={false}
      {...changes}
    />
  )
}

function credentialsForm(messages: AllMessages, error?: string) {
  return (
    <CredentialsForm
      messages={messages}
      action="/api/auth/callback/credentials"
      name="Acme"
      inputs={{
        username: { label: 'User name', placeholder: 'mia' },
        password: { label: 'Password', type: 'password' },
      }}
      fields={fields}
      error={error}
      otherMethodsUrl="/api/auth/signin"
      isOnlyContent
    />
  )
}

function state(
  name: string,
  title: (messages: AllMessages) => string,
  render: (messages: AllMessages) => Child,
): PageState {
  return { name, title, render }
}

const signInTitle = (messages: AllMessages) => messages.t('signIn.title')

/** The pages of email and of credentials, and the one that renames a passkey. */
export const LOCAL_STATES: readonly PageState[] = [
  state('sign-in-email', signInTitle, (messages) => (
    <SignInPage
      messages={messages}
      choices={PROVIDERS.map(({ id, name, style }) => ({
        id,
        name,
        logo: style?.logo,
        isFilled: false,
        href: '/api/auth/signin',
        isLastUsed: false,
      }))}
      parts={[
        {
          content: (
            <AddressForm
              messages={messages}
              action="/api/auth/signin/email"
              fields={fields}
              isPrimary
            />
          ),
          place: 'form',
        },
      ]}
      browserUrl={undefined}
      createsUsers
    />
  )),
  state(
    'email-address',
    (messages) => messages.t('email.address.title'),
    (messages) => addressForm(messages),
  ),
  state(
    'email-address-invalid',
    (messages) => messages.t('email.address.title'),
    (messages) => addressForm(messages, { value: 'mia', isInvalid: true }),
  ),
  state(
    'email-address-too-many',
    (messages) => messages.t('email.address.title'),
    (messages) => addressForm(messages, { value: ADDRESS, wait: 840 }),
  ),
  state(
    'email-code',
    (messages) => messages.t('email.code.title'),
    (messages) => codePage(messages),
  ),
  state(
    'email-code-wrong',
    (messages) => messages.t('email.code.title'),
    (messages) => codePage(messages, { remaining: 3 }),
  ),
  state(
    'email-code-sent-again',
    (messages) => messages.t('email.code.title'),
    (messages) => codePage(messages, { notice: 'sentAgain' }),
  ),
  state(
    'email-link',
    (messages) => messages.t('email.link.title'),
    (messages) => (
      <LinkPage
        messages={messages}
        address={ADDRESS}
        action="/api/auth/callback/email"
        token="token"
        csrfToken="token"
        otherMethodsUrl="/api/auth/signin"
        isLinking={false}
      />
    ),
  ),
  state(
    'email-add',
    (messages) => messages.t('email.address.linkTitle'),
    (messages) => addressForm(messages, { otherMethodsUrl: undefined, isLinking: true }),
  ),
  state(
    'email-add-code',
    (messages) => messages.t('email.code.linkTitle'),
    (messages) => codePage(messages, { isLinking: true }),
  ),
  state(
    'email-add-link',
    (messages) => messages.t('email.address.linkTitle'),
    (messages) => (
      <LinkPage
        messages={messages}
        address={ADDRESS}
        action="/api/auth/callback/email"
        token="token"
        csrfToken="token"
        otherMethodsUrl="/api/auth/signin"
        isLinking
      />
    ),
  ),
  state(
    'email-elsewhere',
    (messages) => messages.t('email.elsewhere.title'),
    (messages) => <ElsewherePage messages={messages} browser="Firefox, Linux" />,
  ),
  state('credentials', signInTitle, (messages) => credentialsForm(messages)),
  state('credentials-wrong', signInTitle, (messages) =>
    credentialsForm(messages, messages.t('credentials.wrong')),
  ),
  state(
    'passkey-rename',
    (messages) => messages.t('passkeys.renameTitle'),
    (messages) => (
      <RenamePage
        messages={messages}
        passkey={{ name: 'My phone', digest: 'passkey' }}
        csrfToken="token"
      />
    ),
  ),
]
