import type { Child } from 'hono/jsx'
import { AccountPage } from '../../src/core/account/account-page.tsx'
import { AddMethodPage } from '../../src/core/account/add-method.tsx'
import { ConfirmPage } from '../../src/core/account/confirm.tsx'
import { DeletedPage, DeletePage } from '../../src/core/account/delete.tsx'
import { removalTexts } from '../../src/core/account/describe-account.ts'
import {
  DisconnectedPage,
  DisconnectPage,
  NotLinkedPage,
} from '../../src/core/account/disconnect.tsx'
import type { ShownSession } from '../../src/core/account/sessions.tsx'
import { SessionsPage } from '../../src/core/account/sessions.tsx'
import { WithdrawPage } from '../../src/core/account/withdraw.tsx'
import { FormPostPage } from '../../src/core/oidc/authorization-response.tsx'
import {
  ConsentPage,
  ContinueToAppPage,
  type RequestedScope,
} from '../../src/core/oidc/consent-page.tsx'
import { ContinuePage, OpenAppPage } from '../../src/core/pages/continue-page.tsx'
import { ErrorPage } from '../../src/core/pages/error-page.tsx'
import { errorTexts } from '../../src/core/pages/error-texts.ts'
import { FormButton } from '../../src/core/pages/form-button.tsx'
import type { DateFormat } from '../../src/core/pages/format.ts'
import type { App } from '../../src/core/pages/identity.tsx'
import type { NoticeProps } from '../../src/core/pages/notice.tsx'
import type { SignInPart } from '../../src/core/pages/page-part.ts'
import { SignedOutPage, SignOutPage } from '../../src/core/session/sign-out-page.tsx'
import { SignedInPage, SignInPage } from '../../src/core/signin/sign-in-page.tsx'
import { StepUpPage } from '../../src/core/signin/step-up-page.tsx'
import { UnregisteredApp } from '../../src/features/agents/consent.tsx'
import { UnsentErrorPage } from '../../src/features/agents/unsent-error.tsx'
import { DeviceNotice, DeviceResultPage, UserCodePage } from '../../src/features/device/pages.tsx'
import { labels as emailLabels } from '../../src/features/email/labels.ts'
import { ERRORS as PASSKEY_ERRORS } from '../../src/features/passkeys/errors.ts'
import { labels as passkeyLabels } from '../../src/features/passkeys/labels.ts'
import { AssertionForm, CreatePage, passkeyFacts } from '../../src/features/passkeys/pages.tsx'
import { QrLink, QrPage } from '../../src/features/qr-sign-in/qr-page.tsx'
import { type Recovery, signInErrorCodes } from '../../src/foundation/errors/sign-in-error.ts'
import { CONSOLE_STATES } from './console-states.tsx'
import { LOCAL_STATES } from './local-states.tsx'
import type { AllMessages, PageState } from './page-state.ts'
import { FEW, findProvider, PROVIDERS } from './providers.ts'

const PICTURE =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Crect width='8' height='8' fill='%23c96'/%3E%3Ccircle cx='4' cy='3' r='1.6' fill='%23fec'/%3E%3Cellipse cx='4' cy='7.500' rx='3' ry='2.500' fill='%23357'/%3E%3C/svg%3E"

const APP_LOGO =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Crect width='8' height='8' fill='%23a5431f'/%3E%3Cpath d='M2 3h4l-.5 3h-3z' fill='%23fff'/%3E%3C/svg%3E"

const APP: App = {
  name: 'Clay & Co.',
  logo: APP_LOGO,
  policyUri: 'https://shop.example/privacy',
  termsUri: 'https://shop.example/terms',
}

const USER = { name: 'Mia Lindqvist', image: PICTURE }

const OTHER_USER = { name: 'Noah Adeyemi', image: undefined, provider: 'TikTok' }

/** 15 November 2026, 12:00 UTC. */
const NOW = 1_794_744_000

const DAY = 24 * 3600

const csrfToken = 'token'

function choices(ids: readonly string[], lastUsed?: string) {
  const listed = PROVIDERS.filter(({ id }) => ids.includes(id))
  const ordered = listed.toSorted((a, b) => Number(b.id === lastUsed) - Number(a.id === lastUsed))
  return ordered.map(({ id, name, style }) => ({
    id,
    name,
    logo: style?.logo,
    isFilled: lastUsed === undefined ? ids.length === 1 : id === lastUsed,
    href: `/api/auth/signin/${id}`,
    isLastUsed: id === lastUsed,
  }))
}

function links(messages: AllMessages, ids: readonly string[] = ['tiktok']): SignInPart[] {
  const href = '/api/auth/signin/tiktok/qr'
  return ids.includes('tiktok')
    ? [
        {
          content: <QrLink messages={messages} provider="TikTok" href={href} />,
          place: 'link',
        },
      ]
    : []
}

const ALL = PROVIDERS.map(({ id }) => id)

/** Eighteen providers with logos. */
const MANY = PROVIDERS.filter(({ style }) => style?.logo)
  .slice(0, 18)
  .map(({ id }) => id)

const RECOVERY: Recovery = {
  provider: 'tiktok',
  returnTo: 'https://shop.example/',
  goBackUrl: 'https://shop.example/',
  app: APP.name,
  cancelledUrl: '/api/auth/signin?cancelled=true',
  otherMethodsUrl: '/api/auth/signin',
  chooseAccountUrl: '/api/auth/signin/tiktok?prompt=select_account',
  tryAgainUrl: '/api/auth/signin/tiktok?prompt=consent',
  withoutAutofillUrl: '/api/auth/signin?autofill=off',
}

/** The errors of a sign-in that was started, from which the user can continue. */
const RECOVERABLE: readonly string[] = [
  'access_denied',
  'account_rejected',
  'account_taken',
  'already_signed_in',
  'attempt_missing',
  'code_expired',
  'not_allowed',
  'not_eligible',
  ...PASSKEY_ERRORS,
  'provider_invalid',
  'provider_misconfigured',
  'provider_refused',
  'provider_unavailable',
  'scope_missing',
  'too_many_guesses',
  'unavailable',
  'user_blocked',
]

const PARAMETERS: Readonly<Record<string, string>> = {
  client_unknown: 'client_id',
  id_token_hint_missing: 'id_token_hint',
  id_token_hint_refused: 'id_token_hint',
  post_logout_redirect_uri_refused: 'post_logout_redirect_uri',
  redirect_uri_missing: 'redirect_uri',
  redirect_uri_refused: 'redirect_uri',
  request_invalid: 'callbackUrl',
  request_uri_invalid: 'request_uri',
  return_url_refused: 'callbackUrl',
}

const signInTitle = (messages: AllMessages) => messages.t('signIn.title')
const appTitle = (messages: AllMessages) => messages.t('signIn.titleFor', { app: APP.name })

function signIn(name: string, ids: readonly string[], lastUsed?: string): PageState {
  return {
    name,
    title: signInTitle,
    providers: ids,
    render: (messages) => (
      <SignInPage
        messages={messages}
        choices={choices(ids, lastUsed)}
        parts={links(messages, ids)}
        browserUrl={undefined}
        createsUsers
      />
    ),
  }
}

/** As Cloudflare reports it for a user in Sweden, whose browser prefers British English. */
function datesIn({ language }: AllMessages): DateFormat {
  return { locale: language === 'en' ? 'en-GB' : language, timeZone: 'Europe/Stockholm' }
}

/** An account at a provider of the catalogue, or an email address. */
function linkedAccount(messages: AllMessages, providerId: string) {
  const isEmail = providerId === 'email'
  const own = isEmail ? emailLabels(messages, undefined) : {}
  const provider = own.account ?? findProvider(providerId)?.name ?? providerId
  return {
    digest: providerId,
    provider,
    providerId,
    logo: findProvider(providerId)?.style?.logo,
    label: isEmail ? 'mia.lindqvist@mail.example' : 'Mia Lindqvist',
    removal: own.removal ?? removalTexts(messages, provider),
  }
}

function linkedPasskey(messages: AllMessages, label: string, index = 0) {
  const isUsed = index % 2 === 0
  const use = { isBackedUp: isUsed, ...(isUsed && { lastUsedAt: NOW }) }
  const { account = '', removal } = passkeyLabels(messages, undefined)
  return {
    digest: label,
    provider: account,
    providerId: 'passkey',
    logo: undefined,
    label,
    facts: passkeyFacts(use, messages, datesIn(messages)),
    edit: { path: '/account/passkeys/name', label: messages.t('passkeys.rename') },
    removal: removal ?? removalTexts(messages, account),
  }
}

interface AddMethodDetails {
  services: readonly string[]
  local: readonly string[]
  linked?: readonly string[]
}

function addMethod(name: string, { services, local, linked = [] }: AddMethodDetails): PageState {
  return {
    name,
    title: (messages) => messages.t('account.addMethod'),
    providers: services,
    render: (messages) => (
      <AddMethodPage
        messages={messages}
        choices={[...services, ...local].map((id) => ({
          ...linkChoice(messages, id, linked),
        }))}
      />
    ),
  }
}

function linkChoice(messages: AllMessages, id: string, linked: readonly string[]) {
  const { name = id, style } = findProvider(id) ?? {}
  const label = messages.t(linked.includes(id) ? 'account.linkAnother' : 'account.link', {
    provider: name,
  })
  return {
    id,
    name,
    label: id === 'email' ? messages.t('email.address.linkTitle') : label,
    logo: style?.logo,
    href: `/api/auth/signin/${id}`,
  }
}

function disconnect(name: string, describe: (messages: AllMessages) => DisconnectedAccount) {
  return {
    name,
    title: (messages: AllMessages) => describe(messages).removal.title,
    render: (messages: AllMessages) => (
      <DisconnectPage
        messages={messages}
        account={describe(messages)}
        methods={['Google', 'GitHub']}
        csrfToken={csrfToken}
      />
    ),
  }
}

type DisconnectedAccount = Parameters<typeof DisconnectPage>[0]['account']

function inventSessions(from: number, end: number): ShownSession[] {
  return Array.from({ length: end }, (_, index) => ({
    sid: `ses_${'A'.repeat(22)}`,
    isCurrent: index === 0,
    device: index % 5 === 3 ? undefined : ['Firefox, Linux', 'Safari, iPhone'][index % 2],
    place: ['Gothenburg, SE', undefined, 'Lisbon, PT'][index % 3],
    provider: ['TikTok', 'Google'][index % 2],
    authenticatedAt: NOW - (index + 9) * DAY,
    lastUsedAt: NOW - index * DAY,
    apps: index % 2 === 0 ? ['Clay & Co.', 'The gallery'] : [],
  })).slice(from)
}

const CHANGES: { title: string; kind: 'added' | 'removed'; at: number }[] = [
  { title: 'Passkey (Work laptop)', kind: 'added', at: NOW - DAY },
  { title: 'Google', kind: 'removed', at: NOW - DAY / 2 },
]

function account(
  name: string,
  sessions: number,
  accounts: readonly string[],
  {
    passkeys = [],
    notice,
    changes = [],
    confirmation,
    withheldEmail,
  }: {
    passkeys?: readonly string[]
    changes?: typeof CHANGES
    /** What applies to all ways to sign in but the first. */
    confirmation?: Parameters<typeof AccountPage>[0]['accounts'][number]['confirmation']
    withheldEmail?: string
    notice?: (messages: AllMessages) => NoticeProps
  } = {},
): PageState {
  return {
    name,
    title: (messages) => messages.t('account.title'),
    isWide: true,
    render: (messages) => (
      <AccountPage
        messages={messages}
        dates={datesIn(messages)}
        user={USER}
        profile={['@mia.lindqvist', ...(name === 'account' ? ['mia.lindqvist@mail.example'] : [])]}
        accounts={[
          ...accounts.map((providerId) => linkedAccount(messages, providerId)),
          ...passkeys.map((passkey, index) => linkedPasskey(messages, passkey, index)),
        ].map((account, index, { length }) => ({
          ...account,
          ...(index > 0 && { confirmation, withheldEmail }),
          linkedAt: NOW - index * 90 * DAY,
          mayRemove: length > 1 && (!confirmation || index > 0),
        }))}
        sessions={{ shown: inventSessions(0, Math.min(sessions, 20)), from: 0, total: sessions }}
        hasOtherGrants={false}
        consents={
          sessions > 1
            ? [
                {
                  clientId: 'gallery',
                  name: 'The gallery',
                  scope: ['openid', 'profile', 'email'],
                  resources: [],
                },
              ]
            : []
        }
        mayLink
        parts={[
          passkeys.length < 3
            ? { add: { path: '/account/passkeys/new', label: messages.t('passkeys.add') } }
            : { note: messages.t('passkeys.tooMany', { count: 20 }) },
        ]}
        links={
          name === 'account'
            ? [{ path: '/admin', label: messages.t('account.administration') }]
            : []
        }
        notice={notice?.(messages)}
        changes={changes}
        continuation={
          changes.length > 0
            ? {
                url: '/oidc/authorize/x',
                label: messages.t('signedIn.continueTo', { app: APP.name }),
                isPrimary: true,
              }
            : name === 'account-from-app'
              ? {
                  url: 'https://shop.example/',
                  label: messages.t('actions.goBackTo', { app: APP.name }),
                  isPrimary: false,
                }
              : undefined
        }
        csrfToken={csrfToken}
      />
    ),
  }
}

function requestedScope(name: string, isOptional: boolean, description = name): RequestedScope {
  const value = name === 'email' ? 'mia@mail.example' : undefined
  return { entry: name, name, description, value, isOptional, isDeclined: false, isDecided: false }
}

const OPENID_SCOPES = [
  requestedScope('openid', false),
  requestedScope('profile', true),
  requestedScope('email', true),
]

function consent(
  name: string,
  details: Partial<Parameters<typeof ConsentPage>[0]>,
  notice?: (messages: AllMessages) => Child,
): PageState {
  return {
    name,
    title: (messages) => messages.t('consent.title', { app: APP.name }),
    app: APP,
    brandColor: '#a5431f',
    render: (messages) => (
      <ConsentPage
        messages={messages}
        host="shop.example"
        user={USER}
        scope={OPENID_SCOPES}
        apis={[]}
        lifetime={30 * DAY}
        interaction="interaction"
        shown="digest"
        otherAccountUrl="/api/auth/signin?interaction=interaction&prompt=select_account"
        csrfToken={csrfToken}
        notices={notice && [notice(messages)]}
        {...details}
      />
    ),
  }
}

/** An unregistered app has no brand. */
function unregisteredConsent(
  name: string,
  host: string,
  unregistered: Parameters<typeof UnregisteredApp>[0]['app'],
): PageState {
  const { brandColor: _, ...state } = consent(name, { host, isWarning: true }, (messages) => (
    <UnregisteredApp messages={messages} app={unregistered} />
  ))
  const app = { name: 'claude.ai', isUnregistered: true }
  return { ...state, app, title: (messages) => messages.t('consent.title', { app: app.name }) }
}

function userCode(state: 'new' | 'wrong'): PageState {
  const isWrong = state === 'wrong'
  return {
    name: `device-code-${state}`,
    title: (messages) => messages.t('device.title'),
    render: (messages) => (
      <UserCodePage
        messages={messages}
        value={isWrong ? 'WDJB-MJHX' : undefined}
        isWrong={isWrong}
        csrfToken={csrfToken}
      />
    ),
  }
}

function deviceResult(result: 'approved' | 'denied'): PageState {
  return {
    name: `device-${result}`,
    outcome: result === 'approved' ? 'done' : 'failed',
    app: APP,
    brandColor: '#a5431f',
    title: (messages) => messages.t(`device.${result}.title`),
    render: (messages) => <DeviceResultPage messages={messages} result={result} />,
  }
}

interface StepUpDetails {
  providers: readonly string[]
  upstreamScope?: readonly string[]
  part?: (messages: AllMessages) => Child
}

function stepUp(name: string, details: StepUpDetails): PageState {
  const { providers, upstreamScope = [], part } = details
  return {
    name,
    title: (messages) =>
      upstreamScope.length > 0
        ? messages.t('stepUp.permissionTitle', { app: APP.name })
        : messages.t('stepUp.signInTitle'),
    app: APP,
    brandColor: '#a5431f',
    render: (messages) => (
      <StepUpPage
        messages={messages}
        user={USER}
        choices={choices(providers, providers.length > 1 ? 'tiktok' : undefined)}
        parts={[
          ...(part ? [{ content: part(messages), place: 'first' as const }] : []),
          ...links(messages, providers),
        ]}
        upstreamScope={upstreamScope}
        app={APP.name}
        host="shop.example"
        cancelUrl="/oidc/authorize"
      />
    ),
  }
}

function chooseAccount(name: string): PageState {
  return {
    ...stepUp(name, { providers: FEW }),
    title: (messages) => messages.t('actions.useDifferentAccount'),
    render: (messages) => (
      <StepUpPage
        messages={messages}
        user={USER}
        choices={choices(FEW)}
        parts={links(messages)}
        upstreamScope={[]}
        choosesAccount
        host="shop.example"
        cancelUrl="/oidc/authorize"
      />
    ),
  }
}

/** For a change to the account, with these providers. */
function confirmChange(
  name: string,
  change: (messages: AllMessages) => string,
  providers = FEW,
): PageState {
  return {
    name,
    title: (messages) => messages.t('stepUp.signInTitle'),
    render: (messages) => (
      <StepUpPage
        messages={messages}
        user={USER}
        choices={choices(providers, 'tiktok')}
        upstreamScope={[]}
        change={change(messages)}
        isConfirmedLater
        hidesMethods
        host={undefined}
        cancelUrl="/account"
      />
    ),
  }
}

function qr(status: 'new' | 'scanned' | 'expired'): PageState {
  return {
    name: `qr-${status}`,
    title: (messages) => messages.t('signIn.signInWith', { provider: 'TikTok' }),
    render: (messages) => (
      <QrPage
        messages={messages}
        provider="TikTok"
        status={status}
        link="https://www.tiktok.com/qr/6fN2n"
        newCodeUrl="/api/auth/signin/tiktok/qr"
        otherWaysUrl="/api/auth/signin"
      />
    ),
  }
}

/** Shows what the script of the page would show in a browser with passkeys. */
const PASSKEY_CSS = '#passkey[hidden]{display:grid!important}'
const PROBLEM_CSS = '[data-problem][hidden]{display:block!important}'
const WAITING_CSS =
  '[role=status]{position:static!important}[data-waiting][hidden]{display:inline!important}#passkey button{background:var(--surface);border-color:var(--border);color:var(--muted)}'
const SUPPORTED_CSS = '[data-unsupported]{display:none!important}'

function assertionForm(messages: AllMessages, isConfirmation = false, isLastUsed = false) {
  return (
    <AssertionForm
      messages={messages}
      options={{}}
      csrfToken={csrfToken}
      params={new URLSearchParams()}
      expiresAt={0}
      isConfirmation={isConfirmation}
      isLastUsed={isLastUsed}
      hasMark
    />
  )
}

function passkeySignIn(name: string, css: string, isLastUsed = false): PageState {
  return {
    name,
    title: signInTitle,
    css,
    render: (messages) => (
      <SignInPage
        messages={messages}
        choices={choices(FEW)}
        parts={[
          {
            content: assertionForm(messages, false, isLastUsed),
            place: isLastUsed ? 'first' : 'button',
          },
          ...links(messages),
        ]}
        browserUrl={undefined}
        createsUsers
      />
    ),
  }
}

function passkeyCreation(name: string, css: string): PageState {
  return {
    name,
    title: (messages) => messages.t('passkeys.createTitle'),
    css,
    render: (messages) => <CreatePage messages={messages} options={{}} csrfToken={csrfToken} />,
  }
}

function errorState(code: string, provider?: string, contact?: string): PageState {
  return {
    name: `error-${code}`,
    outcome: code === 'already_signed_in' || code === 'not_found' ? undefined : 'failed',
    title: (messages) => errorTexts(messages, code, provider).title,
    ...(RECOVERABLE.includes(code) && { app: APP, brandColor: '#a5431f' }),
    render: (messages) => (
      <ErrorPage
        code={code}
        text={errorTexts(messages, code, provider).text}
        messages={messages}
        reference="2F7K-X9QH-ZM4B"
        problems={[]}
        recovery={RECOVERABLE.includes(code) ? RECOVERY : undefined}
        avoidsAutofill={PASSKEY_ERRORS.some((error) => error === code)}
        isRepeatable
        parameter={PARAMETERS[code]}
        users={code === 'already_signed_in' ? { current: USER, other: OTHER_USER } : undefined}
        contact={contact}
      />
    ),
  }
}

/** For a user who did not come from an app. */
function errorWithoutApp(code: string): PageState {
  return {
    name: `error-${code}-without-app`,
    outcome: 'failed',
    title: (messages) => errorTexts(messages, code, 'TikTok').title,
    render: (messages) => (
      <ErrorPage
        code={code}
        text={errorTexts(messages, code, 'TikTok').text}
        messages={messages}
        reference="2F7K-X9QH-ZM4B"
        problems={[]}
        recovery={{ ...RECOVERY, app: undefined }}
        isRepeatable={false}
      />
    ),
  }
}

/** Every page in every state. */
export const STATES: readonly PageState[] = [
  signIn('sign-in', FEW),
  signIn('sign-in-one-provider', ['tiktok']),
  signIn('sign-in-many-providers', MANY),
  signIn('sign-in-many-providers-last-used', MANY, MANY.at(-1)),
  signIn('sign-in-all-providers', ALL),
  signIn('sign-in-last-used', FEW, 'google'),
  { ...signIn('sign-in-app', FEW), title: appTitle, app: APP, brandColor: '#a5431f' },
  { ...signIn('sign-in-app-without-logo', FEW), title: appTitle, app: { name: APP.name } },
  {
    ...signIn('sign-in-in-app-browser', FEW),
    render: (messages) => (
      <SignInPage
        messages={messages}
        choices={choices(FEW)}
        parts={links(messages)}
        browserUrl="intent://login.example"
        createsUsers
      />
    ),
  },
  {
    ...signIn('sign-in-session-ended', FEW),
    render: (messages) => (
      <SignInPage
        messages={messages}
        choices={choices(FEW, 'tiktok')}
        parts={links(messages)}
        browserUrl={undefined}
        createsUsers
        isSessionEnded
      />
    ),
  },
  {
    ...signIn('sign-in-cancelled', FEW),
    render: (messages) => (
      <SignInPage
        messages={messages}
        choices={choices(FEW)}
        parts={links(messages)}
        browserUrl={undefined}
        createsUsers
        isCancelled
      />
    ),
  },
  {
    name: 'signed-in-app',
    title: (messages) => messages.t('signedIn.title'),
    app: APP,
    brandColor: '#a5431f',
    render: (messages) => (
      <SignedInPage
        messages={messages}
        choices={choices(FEW)}
        parts={links(messages)}
        user={USER}
        returnTo="https://shop.example/"
        csrfToken={csrfToken}
      />
    ),
  },
  {
    name: 'signed-in',
    title: (messages) => messages.t('signedIn.title'),
    render: (messages) => (
      <SignedInPage
        messages={messages}
        choices={choices(FEW)}
        parts={links(messages)}
        user={USER}
        returnTo={undefined}
        csrfToken={csrfToken}
      />
    ),
  },
  {
    name: 'signed-in-without-name',
    title: (messages) => messages.t('signedIn.title'),
    render: (messages) => (
      <SignedInPage
        messages={messages}
        choices={choices(FEW)}
        parts={links(messages)}
        user={{ name: undefined, image: undefined }}
        returnTo={undefined}
        csrfToken={csrfToken}
      />
    ),
  },
  stepUp('step-up-sign-in', { providers: FEW }),
  chooseAccount('step-up-choose-account'),
  confirmChange('confirm-deletion', (messages) => messages.t('account.deleteAccount')),
  {
    ...confirmChange('confirm-after-sign-in', (messages) => messages.t('passkeys.add')),
    app: APP,
    brandColor: '#a5431f',
    render: (messages) => (
      <StepUpPage
        messages={messages}
        user={USER}
        choices={choices(FEW, 'tiktok')}
        upstreamScope={[]}
        change={messages.t('passkeys.add')}
        isSilent
        host={undefined}
        cancelUrl="/account"
      />
    ),
  },
  {
    ...confirmChange('confirm-after-unconfirmed-sign-in', (messages) => messages.t('passkeys.add')),
    app: APP,
    brandColor: '#a5431f',
    render: (messages) => (
      <StepUpPage
        messages={messages}
        user={USER}
        choices={choices(FEW, 'tiktok')}
        upstreamScope={[]}
        app={APP.name}
        isUnconfirmed
        host="shop.example"
        cancelUrl="/"
      />
    ),
  },
  {
    ...confirmChange('step-up-console', () => ''),
    render: (messages) => (
      <StepUpPage
        messages={messages}
        user={USER}
        choices={choices(FEW, 'tiktok')}
        upstreamScope={[]}
        change={'\u2068Block Zoe Walker\u2069'}
        isConfirmedLater
        isInConsole
        hidesMethods
        host={undefined}
        cancelUrl="/admin/users"
      />
    ),
  },
  confirmChange('confirm-unavailable', (messages) => messages.t('account.deleteAccount'), []),
  stepUp('step-up-permission', {
    providers: ['tiktok'],
    upstreamScope: ['user.info.stats', 'video.list'],
  }),
  stepUp('step-up-permission-choice', {
    providers: ['google', 'apple'],
    upstreamScope: ['email'],
  }),
  {
    ...stepUp('step-up-passkey', {
      providers: FEW,
      part: (messages) => assertionForm(messages, true),
    }),
    css: PASSKEY_CSS,
  },
  passkeySignIn('sign-in-passkey', PASSKEY_CSS),
  passkeySignIn('sign-in-passkey-last-used', PASSKEY_CSS, true),
  passkeySignIn('sign-in-passkey-waiting', PASSKEY_CSS + WAITING_CSS),
  passkeySignIn('sign-in-passkey-failed', PASSKEY_CSS + PROBLEM_CSS),
  passkeySignIn('sign-in-passkey-unsupported', ''),
  {
    name: 'confirm-with-passkey',
    title: (messages) => messages.t('stepUp.signInTitle'),
    css: PASSKEY_CSS,
    render: (messages) => (
      <StepUpPage
        messages={messages}
        user={USER}
        choices={choices(FEW, 'tiktok')}
        parts={[{ content: assertionForm(messages, true), place: 'first' }]}
        upstreamScope={[]}
        change={messages.t('account.deleteAccount')}
        isConfirmedLater
        host={undefined}
        cancelUrl="/account"
      />
    ),
  },
  account('account-passkeys', 1, ['tiktok', 'email'], { passkeys: ['iCloud Keychain'] }),
  account('account-passkeys-most', 1, ['tiktok'], {
    passkeys: ['iCloud Keychain', 'Laptop', 'A'.repeat(50)],
  }),
  account('account-passkeys-only-method', 1, [], { passkeys: ['iCloud Keychain'] }),
  passkeyCreation('passkey-new', PASSKEY_CSS + SUPPORTED_CSS),
  passkeyCreation('passkey-new-waiting', PASSKEY_CSS + SUPPORTED_CSS + WAITING_CSS),
  passkeyCreation('passkey-new-failed', PASSKEY_CSS + SUPPORTED_CSS + PROBLEM_CSS),
  passkeyCreation('passkey-new-unsupported', ''),
  qr('new'),
  qr('scanned'),
  qr('expired'),
  consent('consent', {}),
  {
    ...consent('consent-device', { host: undefined }, (messages) => (
      <DeviceNotice
        messages={messages}
        code="WDJB-MJHT"
        place="Malmö, SE"
        date="15 November 2026 at 12:00"
      />
    )),
    title: (messages) => messages.t('device.confirmTitle', { app: APP.name }),
  },
  userCode('new'),
  userCode('wrong'),
  deviceResult('approved'),
  deviceResult('denied'),
  consent('consent-without-choice', { scope: OPENID_SCOPES.filter((scope) => !scope.isOptional) }),
  consent('consent-declined-before', {
    scope: OPENID_SCOPES.map((scope) => ({
      ...scope,
      isDeclined: scope.name === 'email',
      isDecided: true,
    })),
  }),
  consent('consent-api', {
    scope: [requestedScope('openid', false), requestedScope('offline_access', true)],
    lifetime: 365 * DAY,
    apis: [
      {
        name: 'Orders',
        isDecided: false,
        scopes: [
          requestedScope('orders:read', false, 'See your orders.'),
          requestedScope('orders:write', true, 'Place and cancel orders.'),
        ],
      },
    ],
  }),
  unregisteredConsent('consent-unregistered', 'claude.ai', { name: 'Claude', isLocal: false }),
  unregisteredConsent('consent-unregistered-local', '127.0.0.1:33418', {
    name: 'Claude Code',
    isLocal: true,
  }),
  consent('consent-extended', {
    scope: OPENID_SCOPES.map((scope) => ({ ...scope, isDecided: scope.name !== 'email' })),
    apis: [
      {
        name: 'Orders',
        isDecided: true,
        scopes: [
          { ...requestedScope('orders:read', true, 'See your orders.'), isDecided: true },
          requestedScope('orders:write', true, 'Place and cancel orders.'),
        ],
      },
    ],
  }),
  account('account', 2, ['tiktok']),
  { ...account('account-from-app', 2, ['tiktok', 'google']), app: APP, brandColor: '#a5431f' },
  account('account-local', 1, ['email', 'credentials']),
  account('account-many', 50, ['tiktok', 'google', 'github', 'email']),
  account('account-linked', 1, ['tiktok', 'google'], {
    notice: (messages) => ({
      text: messages.t('account.done.linked', { provider: 'Google' }),
    }),
  }),
  account('account-already-linked', 1, ['tiktok'], {
    notice: (messages) => ({
      text: messages.t('account.done.alreadyLinked', { provider: 'TikTok' }),
    }),
  }),
  account('account-confirmed', 1, ['tiktok'], {
    notice: (messages) => ({ text: messages.t('account.done.confirmed') }),
  }),
  account('account-confirmed-download', 1, ['tiktok'], {
    notice: (messages) => ({
      text: messages.t('account.confirmedFor', { change: messages.t('account.downloadData') }),
      button: (
        <FormButton action="/account/export" fields={{ csrfToken }} isPrimary>
          {messages.t('account.downloadData')}
        </FormButton>
      ),
    }),
  }),
  account('account-changed', 1, ['tiktok'], { changes: CHANGES }),
  account('account-unconfirmed', 1, ['tiktok'], {
    passkeys: ['Work laptop'],
    confirmation: { isPossible: true },
  }),
  account('account-unconfirmed-new', 1, ['tiktok'], {
    passkeys: ['Work laptop'],
    confirmation: { isPossible: false, from: NOW + DAY, methods: ['TikTok'] },
  }),
  account('account-unconfirmed-email', 1, ['tiktok', 'google'], {
    confirmation: { isPossible: false, from: NOW + DAY, methods: ['TikTok'] },
    withheldEmail: 'mia.lindqvist@mail.example',
  }),
  {
    name: 'account-confirm-method',
    title: (messages) => messages.t('account.confirmation.title'),
    render: (messages) => (
      <ConfirmPage
        messages={messages}
        dates={datesIn(messages)}
        account={{ ...linkedPasskey(messages, 'Work laptop'), linkedAt: NOW - 2 * DAY }}
        csrfToken={csrfToken}
      />
    ),
  },
  account('account-created', 1, ['tiktok'], {
    notice: (messages) => ({ text: messages.t('account.created') }),
  }),
  account('account-session-ended', 1, ['tiktok'], {
    notice: (messages) => ({
      text: messages.t('account.done.sessionEnded', { device: 'Firefox, Linux' }),
    }),
  }),
  account('account-sessions-ended', 1, ['tiktok'], {
    notice: (messages) => ({ text: messages.t('account.done.otherSessionsEnded') }),
  }),
  {
    name: 'account-sessions',
    title: (messages) => messages.t('account.sessionsHeading'),
    isWide: true,
    render: (messages) => (
      <SessionsPage
        messages={messages}
        dates={datesIn(messages)}
        sessions={{ shown: inventSessions(20, 40), from: 20, total: 50 }}
        csrfToken={csrfToken}
      />
    ),
  },
  addMethod('account-link', {
    services: FEW,
    local: ['email', 'credentials'],
    linked: ['tiktok'],
  }),
  {
    ...addMethod('account-link-cancelled', { services: FEW, local: ['email'] }),
    render: (messages) => (
      <AddMethodPage
        messages={messages}
        choices={FEW.map((id) => linkChoice(messages, id, []))}
        isCancelled
      />
    ),
  },
  addMethod('account-link-many-providers', { services: MANY, local: ['email'] }),
  addMethod('account-link-all-providers', { services: ALL, local: ['email'] }),
  {
    name: 'account-withdraw',
    title: (messages) => messages.t('account.withdrawal.title', { app: APP.name }),
    app: APP,
    brandColor: '#a5431f',
    render: (messages) => (
      <WithdrawPage
        messages={messages}
        app={{ clientId: 'shop', name: APP.name }}
        csrfToken={csrfToken}
      />
    ),
  },
  {
    name: 'account-delete',
    title: (messages) => messages.t('account.deleteAccount'),
    render: (messages) => (
      <DeletePage
        messages={messages}
        user={USER}
        services={['TikTok', 'Google']}
        notes={[messages.t('passkeys.deletionNote')]}
        retention={90 * DAY}
        csrfToken={csrfToken}
      />
    ),
  },
  disconnect('account-disconnect', (messages) => linkedAccount(messages, 'tiktok')),
  disconnect('account-remove-address', (messages) => linkedAccount(messages, 'email')),
  disconnect('account-remove-passkey', (messages) => linkedPasskey(messages, 'iCloud Keychain')),
  {
    name: 'account-disconnected',
    outcome: 'done',
    title: (messages) => messages.t('account.removal.doneTitle', { provider: 'TikTok' }),
    render: (messages) => <DisconnectedPage messages={messages} methods={['Google']} />,
  },
  {
    name: 'account-disconnected-last',
    outcome: 'done',
    title: (messages) => messages.t('signedOut.title'),
    render: (messages) => <DisconnectedPage messages={messages} methods={undefined} />,
  },
  {
    name: 'account-not-linked',
    title: (messages) => messages.t('account.removal.unknownTitle'),
    render: (messages) => <NotLinkedPage messages={messages} />,
  },
  {
    name: 'account-deleted',
    outcome: 'done',
    title: (messages) => messages.t('account.deletedTitle'),
    render: (messages) => (
      <DeletedPage messages={messages} providers={['TikTok', 'Google', 'GitHub']} />
    ),
  },
  {
    name: 'account-deleted-no-provider',
    outcome: 'done',
    title: (messages) => messages.t('account.deletedTitle'),
    render: (messages) => <DeletedPage messages={messages} providers={[]} />,
  },
  {
    name: 'sign-out',
    title: (messages) => messages.t('signOut.title'),
    render: (messages) => (
      <SignOutPage
        messages={messages}
        action="/api/auth/signout"
        fields={{ csrfToken }}
        returnTo="https://shop.example/"
      />
    ),
  },
  {
    name: 'signed-out',
    outcome: 'done',
    title: (messages) => messages.t('signedOut.title'),
    render: (messages) => (
      <SignedOutPage messages={messages} provider="TikTok" returnTo={undefined} />
    ),
  },
  {
    name: 'signed-out-no-provider',
    outcome: 'done',
    title: (messages) => messages.t('signedOut.title'),
    render: (messages) => (
      <SignedOutPage messages={messages} provider={undefined} returnTo={undefined} />
    ),
  },
  {
    name: 'signed-out-app',
    outcome: 'done',
    title: (messages) => messages.t('signedOut.title'),
    render: (messages) => (
      <SignedOutPage messages={messages} provider="TikTok" returnTo="https://shop.example/" />
    ),
  },
  {
    name: 'continuing',
    isLeaving: true,
    title: (messages) => messages.t('continuing.title'),
    render: (messages) => (
      <ContinuePage messages={messages} href="/oidc/authorize" host={undefined} />
    ),
  },
  {
    name: 'continuing-app',
    isLeaving: true,
    app: APP,
    brandColor: '#a5431f',
    title: (messages) => messages.t('continuing.titleFor', { app: APP.name }),
    render: (messages) => (
      <ContinuePage messages={messages} href="https://shop.example/" host="shop.example" />
    ),
  },
  {
    name: 'continue-to-native-app',
    app: APP,
    brandColor: '#a5431f',
    title: (messages) => messages.t('signedIn.title'),
    render: (messages) => (
      <ContinueToAppPage
        messages={messages}
        app={APP.name}
        user={USER}
        interaction="interaction"
        shown="digest"
        otherAccountUrl="/api/auth/signin?interaction=interaction&prompt=select_account"
        csrfToken={csrfToken}
      />
    ),
  },
  {
    name: 'opening-native-app',
    isLeaving: true,
    app: APP,
    brandColor: '#a5431f',
    title: (messages) => messages.t('signedIn.continueTo', { app: APP.name }),
    render: (messages) => (
      <OpenAppPage messages={messages} href="com.example.shop:/callback" app={APP.name} />
    ),
  },
  {
    name: 'form-post',
    title: (messages) => messages.t('signedIn.continueTo', { app: 'shop.example' }),
    render: (messages) => (
      <FormPostPage messages={messages} redirectUri="https://shop.example/cb" parameters={{}} />
    ),
  },
  {
    name: 'unsent-error',
    outcome: 'failed',
    title: (messages) => messages.t('unsentError.title'),
    render: (messages) => (
      <UnsentErrorPage
        messages={messages}
        host="agent.example"
        returnUrl="https://agent.example/callback?error=login_required"
        error={{ error: 'login_required', error_description: 'The user is not signed in.' }}
        reference="2F7K-X9QH-ZM4B"
      />
    ),
  },
  ...LOCAL_STATES,
  ...signInErrorCodes([{ errors: { users: PASSKEY_ERRORS } }]).map((code) =>
    errorState(code, 'TikTok'),
  ),
  errorWithoutApp('access_denied'),
  { ...errorState('provider_unavailable'), name: 'error-provider_unavailable-unnamed' },
  {
    ...errorState('internal', undefined, 'mailto:support@login.example'),
    name: 'error-internal-contact',
  },
  ...CONSOLE_STATES,
]
