import type { Child } from 'hono/jsx'
import { SignInPage } from '../../src/core/signin/sign-in-page.tsx'
import type { OwnPageContent } from '../../src/define-feature/own-feature.ts'
import { CredentialsForm } from '../../src/features/credentials/pages.tsx'
import { AddressForm, CodePage, ElsewherePage, LinkPage } from '../../src/features/email/pages.tsx'
import { RenamePage } from '../../src/features/passkeys/pages.tsx'
import { offerPage, showCodes } from '../../src/features/totp/account-pages.tsx'
import { askForCode, askForRecoveryCode } from '../../src/features/totp/code-pages.tsx'
import { Google, TikTok } from '../../src/providers/index.ts'
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

/** A page of the second factor, as its feature describes it. */
function totpState(name: string, describe: (messages: AllMessages) => OwnPageContent): PageState {
  return {
    name: `totp-${name}`,
    title: (messages) => describe(messages).title,
    render: (messages) => {
      const { content, button, links = [] } = describe(messages)
      return (
        <>
          <form method="post" action="/totp">
            {content}
            <button class="primary" type="submit">
              {button}
            </button>
          </form>
          {links.map(({ url, label }) => (
            <a href={url}>{label}</a>
          ))}
        </>
      )
    },
  }
}

const url = (path: string) => path

const SECRET = {
  uri: 'otpauth://totp/login.example:mia?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=login.example',
  key: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  sealed: 'sealed',
}

const RECOVERY_CODES = Array.from(
  { length: 10 },
  (_, index) => `ABCD-EFGH-IJKL-MN${(index % 6) + 2}P`,
)

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
  totpState('code', (messages) => askForCode({ messages, url, serviceName: 'login.example' })),
  totpState('code-refused', (messages) =>
    askForCode(
      { messages, url, serviceName: 'login.example' },
      messages.t('totp.refused', { count: 15 }),
    ),
  ),
  totpState('recovery', (messages) => askForRecoveryCode({ messages, url })),
  totpState('add', (messages) => offerPage({ messages, ...SECRET })),
  totpState('replace', (messages) => offerPage({ messages, ...SECRET, needsCode: true })),
  totpState('recovery-codes', (messages) => ({
    ...showCodes({ messages }, RECOVERY_CODES),
    button: messages.t('totp.codes.saved'),
  })),
]
