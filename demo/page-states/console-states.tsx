import type { Child } from 'hono/jsx'
import { API_SCHEMA, CLIENT_SCHEMA } from '../../cli/admin/registration-schemas.ts'
import { ActionLink, Card, Pill, Row, Rows } from '../../src/administration/console/cards.tsx'
import {
  ConsoleHeader,
  type CountedSection,
  type Fact,
  NotFoundPage,
  PageLinks,
  type TrailLink,
} from '../../src/administration/console/console-parts.tsx'
import { Documentation } from '../../src/administration/console/document-name.tsx'
import { RegistrationForm } from '../../src/administration/console/registration-form.tsx'
import {
  RegistrationPage,
  RegistrationsPage,
  type RegistrationView,
} from '../../src/administration/console/registration-pages.tsx'
import { SecretPage } from '../../src/administration/console/secret-page.tsx'
import { enteredNotice } from '../../src/administration/console/step-up.ts'
import { CONSOLE_RULES } from '../../src/administration/console/stylesheet.ts'
import { UndoButton } from '../../src/administration/console/undo-button.tsx'
import type { OperationDescription } from '../../src/administration/operation-description.ts'
import { toSnakeCase } from '../../src/administration/resources.ts'
import { RotationTooEarlyError } from '../../src/administration/rotation-too-early-error.ts'
import { en } from '../../src/core/messages/en.ts'
import { createMessages } from '../../src/core/messages/messages.ts'
import { Notice } from '../../src/core/pages/notice.tsx'
import { auditSentences } from '../../src/features/admin/audit-sentences.ts'
import {
  AdministratorsPage,
  administratorFacts,
} from '../../src/features/admin/console/administrators-page.tsx'
import { AuditPage } from '../../src/features/admin/console/audit-page.tsx'
import {
  CLIENT_ACTIONS,
  ClientSecrets,
  ClientSignIns,
  Connection,
  warnOfUse,
} from '../../src/features/admin/console/client-pages.tsx'
import { ConfigurationPage } from '../../src/features/admin/console/configuration-page.tsx'
import { ConfirmPage, OWN_USER } from '../../src/features/admin/console/confirm-page.tsx'
import { factsAbout } from '../../src/features/admin/console/facts-about.ts'
import { KeysPage } from '../../src/features/admin/console/keys-page.tsx'
import { LivePage } from '../../src/features/admin/console/live-page.tsx'
import { OverviewPage } from '../../src/features/admin/console/overview-page.tsx'
import { ReferencePage, SearchPage } from '../../src/features/admin/console/search-pages.tsx'
import type { Activity } from '../../src/features/admin/console/user-activity.tsx'
import {
  UserHead,
  UserPage,
  type UserPageProps,
} from '../../src/features/admin/console/user-page.tsx'
import { UsersPage, userFacts } from '../../src/features/admin/console/users-pages.tsx'
import { forAuditFilters } from '../../src/features/admin/operations/audit-filters.ts'
import { OPERATIONS } from '../../src/features/admin/operations/operation-table.ts'
import type { Administrator } from '../../src/features/admin/resources/administrator.ts'
import { SESSION_FIELDS } from '../../src/features/admin/resources/user.ts'
import { administratorSchema } from '../../src/features/admin/roles.ts'
import { UnregisteredClientsPage } from '../../src/features/agents/console-pages.tsx'
import { Deliveries, WEBHOOK_ACTIONS } from '../../src/features/webhooks/console-pages.tsx'
import { createWebhookSchema } from '../../src/features/webhooks/webhook-schema.ts'
import { signInErrorCodes } from '../../src/foundation/errors/sign-in-error.ts'
import type { Problem } from '../../src/foundation/values/problem.ts'
import type { PageState } from './page-state.ts'
import { findProvider } from './providers.ts'

/** 15 November 2026, 12:00 UTC. */
const NOW = 1_794_744_000
const HOUR = 3600
const DAY = 24 * HOUR

/** An account of a user. */
function account(account_id: string, label: string) {
  const times = { created_at: NOW - 90 * DAY, updated_at: NOW - DAY }
  const issuer = 'https://www.tiktok.com'
  return { provider: 'tiktok', issuer, account_id, client_id: 'client-key', label, ...times }
}

const USER = {
  id: 'usr_q7Xn2cR5tY8uP1aZ',
  name: 'Mia Lindqvist',
  username: 'mia',
  email: 'mia@mail.example',
  created_at: NOW - 90 * DAY,
  updated_at: NOW - DAY,
  accounts: [account('-000f8Kq2mZ7vR5tY', 'Mia Lindqvist')],
}

const BLOCKED_USER = {
  ...USER,
  id: 'usr_b3Lm9wQ4sD7fG2hJ',
  name: 'Noah Adeyemi',
  username: 'noah',
  email: 'noah@mail.example',
  accounts: [account('-000b2Lw8nX4cQ1sD', 'Noah Adeyemi')],
  blocked_at: NOW,
  block_reason: 'Sends advertising to other customers.',
}

const SESSION = {
  sid: 'ses_1',
  device: 'Firefox, Linux',
  place: 'Gothenburg, SE',
  provider: 'tiktok',
  authenticated_at: NOW - DAY,
  last_used_at: NOW,
  client_ids: ['shop'],
}

const EVENTS = ['sign_in', 'sign_out', 'consent_granted', 'sign_in'] as const

const NO_AUDIT_FILTER = { ...forAuditFilters(() => ''), since: '', until: '' }

const ENTRIES = EVENTS.map((event, index) => ({
  id: `entry_${index}`,
  at: NOW - index * HOUR,
  event,
  outcome: index === 3 ? 'access_denied' : 'ok',
  actor: USER.id,
  subject: USER.id,
  client: 'shop',
  provider: 'tiktok',
  network: '203.0.113.0/24',
  requestId: '2F7K-X9QH-ZM4B',
}))

const CLIENT_NAMES = new Map([['shop', 'Clay & Co.']])

const NAMES = new Map([[USER.id, USER.name], [BLOCKED_USER.id, BLOCKED_USER.name], ...CLIENT_NAMES])

const AUDIT_TEXTS = {
  names: NAMES,
  providers: new Map([['tiktok', 'TikTok']]),
  sentences: auditSentences([]),
}

const AUDIT_NAMES = { ...AUDIT_TEXTS, clients: CLIENT_NAMES }

const CLIENT: RegistrationView = {
  id: 'shop',
  name: 'Clay & Co.',
  source: 'database',
  secret_count: 2,
  created_at: NOW - 30 * DAY,
  updated_at: NOW - DAY,
  registration: {
    client_id: 'shop',
    client_name: 'Clay & Co.',
    redirect_uris: ['https://shop.example/callback', 'https://www.shop.example/callback'],
    scope: 'openid profile email offline_access',
    first_party: true,
  },
}

const SECRETS = [
  { id: 'u5bK2QpXw0a', createdAt: NOW - DAY, lastUsedOn: '2026-11-15' },
  { id: 'q7Xn2cR5tY8' },
]

const SETTINGS_CLIENT: RegistrationView = {
  id: 'gallery',
  name: 'The gallery',
  source: 'settings',
  secret_count: 0,
  registration: {
    client_id: 'gallery',
    client_name: 'The gallery',
    redirect_uris: ['https://gallery.example/callback'],
    scope: 'openid profile',
    first_party: false,
  },
}

const DISABLED_CLIENT: RegistrationView = {
  ...CLIENT,
  id: 'old-shop',
  name: 'The former shop',
  secret_count: 1,
  disabled_at: NOW - DAY,
  registration: { ...CLIENT.registration, client_id: 'old-shop', client_name: 'The former shop' },
}

const API: RegistrationView = {
  id: 'https://orders.example',
  name: 'Orders',
  source: 'database',
  secret_count: 1,
  created_at: NOW - 30 * DAY,
  updated_at: NOW - DAY,
  registration: {
    identifier: 'https://orders.example',
    name: 'Orders',
    scopes: [{ name: 'orders:read', description: 'Read your orders.' }],
    access_token_type: 'at+jwt',
  },
}

const OWN_API: RegistrationView = {
  id: 'https://login.example/admin/api',
  name: 'Administration',
  source: 'service',
  secret_count: 0,
  registration: {
    identifier: 'https://login.example/admin/api',
    name: 'Administration',
    scopes: [{ name: 'admin:read', description: 'Read everything about this service.' }],
    client_credentials: true,
  },
}

const WEBHOOK: RegistrationView = {
  id: 'crm',
  name: 'https://crm.example/events',
  source: 'database',
  secret_count: 2,
  created_at: NOW - 30 * DAY,
  updated_at: NOW - DAY,
  registration: {
    webhook_id: 'crm',
    url: 'https://crm.example/events',
    events: ['user.created', 'user.deleted'],
  },
}

const DELIVERIES: Parameters<typeof Deliveries>[0] = {
  id: 'crm',
  mayResend: true,
  state: { unsent_since: NOW - HOUR, waiting: 1, given_up: 1 },
  deliveries: (['user.created', 'user.deleted'] as const).map((type, index) => ({
    event_id: `0mwk7n6c0_q7Xn2cR5tY8uP1aZb3Lm${index}`,
    type,
    at: NOW - index * DAY,
    attempts: 7 + index * 22,
    failed_at: NOW - index * DAY,
    due_at: index === 0 ? NOW + HOUR : undefined,
    problem: index === 0 ? 'It responded with 503.' : 'It did not respond in time.',
  })),
}

const PASSKEY_ID = 'u5bK2QpX'

const USER_DETAILS = {
  ...USER,
  accounts: [
    ...USER.accounts.map((account) => ({
      ...account,
      is_confirmed: true,
      last_used_at: NOW - 600,
    })),
    {
      provider: 'passkey',
      issuer: '',
      account_id: PASSKEY_ID,
      client_id: '',
      label: 'iCloud Keychain',
      created_at: NOW - DAY,
      updated_at: NOW - DAY,
      is_confirmed: false,
    },
  ],
  is_block_incomplete: false,
  passkeys: [
    {
      credential_id: PASSKEY_ID,
      name: 'iCloud Keychain',
      created_at: NOW - DAY,
      last_used_at: NOW,
      is_backup_eligible: true,
      is_backed_up: true,
      transports: ['internal'],
      aaguid: '',
      counter: 0,
    },
  ],
  sessions: [SESSION],
  consents: [
    { client_id: 'postcards', scope: ['openid', 'profile'], declined: ['email'], resources: [] },
  ],
  grants: [
    {
      client_id: 'shop',
      sid: SESSION.sid,
      scope: ['openid', 'offline_access'],
      resources: ['https://orders.example'],
      since: NOW - DAY,
      expires_at: NOW + 30 * DAY,
    },
  ],
  recent_sign_ins: toSnakeCase(ENTRIES.filter(({ event }) => event === 'sign_in')),
}

/** Sign-ins on most of the last thirty days, and some that failed. */
const SIGN_INS_BY_DAY = Array.from({ length: 30 }, (_, day) => ({
  at: NOW - day * DAY,
  succeeded: (day * 7) % 5,
  failed: day % 11 === 1 ? 3 : 0,
}))

const ACTIVITY: Activity = {
  messages: createMessages('en', en),
  ...AUDIT_TEXTS,
  names: new Map([...NAMES, ['usr_ada', 'Ada Admin'], ['postcards', 'Postcards']]),
  now: NOW,
  signIns: SIGN_INS_BY_DAY,
  entries: [
    { event: 'sign_in', at: NOW - 600 },
    ...[1000, 1120, 1240].map((ago) => ({
      event: 'sign_in',
      outcome: 'attempt_missing',
      at: NOW - ago,
    })),
    { event: 'sessions_ended', actor: 'usr_ada', at: NOW - 2 * HOUR },
    { event: 'sign_in', at: SESSION.authenticated_at },
    { event: 'code_reused', actor: 'client:shop', at: NOW - DAY - HOUR },
    { event: 'consent_granted', client: 'postcards', at: NOW - DAY - 3 * HOUR },
  ].map((entry, index) => ({
    id: `entry_${index}`,
    outcome: 'ok',
    actor: USER.id,
    subject: USER.id,
    client: 'shop',
    provider: 'tiktok',
    network: '203.0.113.0/24',
    requestId: '2F7K-X9QH-ZM4B',
    ...entry,
  })),
}

const CHANGES = {
  ...AUDIT_TEXTS,
  names: ACTIVITY.names,
  entries: [
    { event: 'user_blocked', at: NOW - 600, subject: BLOCKED_USER.id },
    { event: 'client_updated', at: NOW - DAY, subject: 'shop' },
  ].map((entry, index) => ({ id: `change_${index}`, outcome: 'ok', actor: 'usr_ada', ...entry })),
}

const APPS = new Map([
  ['shop', { name: 'Clay & Co.', logo: undefined, isOwn: true }],
  ['postcards', { name: 'Postcards', logo: undefined, isOwn: false }],
])

const METHODS = new Map(
  ['tiktok', 'email'].flatMap((id) => {
    const provider = findProvider(id)
    return provider ? [[id, { name: provider.name, logo: provider.style?.logo }] as const] : []
  }),
)

const ROLES = (
  <Card title="Roles" note="in tokens within minutes">
    <Rows whenEmpty="">
      {['editor', 'author'].map((name, index) => (
        <Row
          title={
            <>
              {name} {index === 0 && <Pill tone="good">given</Pill>}
            </>
          }
        >
          <ActionLink
            href={`/admin/users/${USER.id}/roles/${name}/give`}
            label={index === 0 ? 'Take away' : 'Give'}
            of={name}
          />
        </Row>
      ))}
    </Rows>
  </Card>
)

const OWN_ENTRY: Administrator = {
  name: USER.id,
  role: 'owner',
  source: 'database',
  user_id: USER.id,
  user_name: USER.name,
  created_at: NOW - 30 * DAY,
  created_by: 'operator',
}

const ADMINISTRATORS: readonly Administrator[] = [
  {
    name: 'tiktok:-000b2Lw8nX4cQ1sD',
    role: 'owner',
    source: 'settings',
    user_id: BLOCKED_USER.id,
    user_name: BLOCKED_USER.name,
  },
  {
    name: 'tiktok:-000f8Kq2mZ7vR5tY',
    role: 'support',
    source: 'database',
    created_at: NOW - DAY,
    created_by: USER.id,
  },
  OWN_ENTRY,
]

const USER_LINK = { href: `/admin/users/${USER.id}`, label: 'Mia Lindqvist' }
const CLIENT_LINK = { href: '/admin/clients/shop', label: 'Clay & Co.' }

const BARS = Array.from({ length: 24 }, (_, index) => ({
  since: NOW - (23 - index) * HOUR,
  until: NOW - (22 - index) * HOUR,
  succeeded: 20 + ((index * 37) % 50),
  failed: index % 7,
}))

/** Fewer sign-ins succeed in the last ten minutes, as after a deployment with a problem. */
const MINUTES = Object.fromEntries(
  Array.from({ length: 60 }, (_, ago) => [
    NOW / 60 - ago,
    { succeeded: ago < 9 ? 4 + (ago % 3) : 12 + ((ago * 7) % 9), failed: ago < 9 ? 6 : ago % 2 },
  ]),
)

const SIGN_INS = {
  bars: BARS,
  total: { succeeded: 1071, failed: 68, newUsers: 12 },
  before: { succeeded: 988, failed: 31, newUsers: 14 },
  providers: [
    { name: 'TikTok', succeeded: 1020, failed: 68 },
    { name: 'Email', succeeded: 51, failed: 0 },
  ],
  clients: [
    { name: 'The storefront of Clay & Co.', succeeded: 830, failed: 44 },
    { name: 'The gallery', succeeded: 241, failed: 24 },
  ],
  failures: [
    { outcome: 'access_denied', count: 61 },
    { outcome: 'attempt_missing', count: 24 },
    { outcome: 'provider_unavailable', count: 7 },
  ],
}

const EMAILS = { sent: 54, rejected: 1, failed: 0 }

const SESSIONS = { count: 1000, isComplete: false }
const KEY_TIMES = { activeSince: NOW - 12 * DAY, rotatesAt: NOW + 18 * DAY }

const OTHER_CHECKS = [
  'KV',
  'object USERS',
  'object KEYRING',
  'object GUARDS',
  'object REVOCATIONS',
  'object CLIENT_METADATA',
].map((name) => ({
  name,
  ready: true,
}))

const READY = [{ name: 'D1', ready: true }, ...OTHER_CHECKS]

const UNREGISTERED_CLIENTS = [
  {
    id: 'https://claude.ai/oauth/client.json',
    hosts: ['claude.ai'],
    name: 'Claude',
    approvals: 42,
    created_at: NOW - 30 * 86_400,
    approved_at: NOW - 3600,
  },
  {
    id: '*.evil.example',
    hosts: ['*.evil.example'],
    approvals: 0,
    created_at: NOW - 86_400,
    blocked_at: NOW - 86_400,
  },
]

const NOT_READY = [
  {
    name: 'D1',
    ready: false,
    problem: 'Migrations have not been applied.',
    fix: 'npm run migrate',
  },
  ...OTHER_CHECKS,
]

const READY_WITH_PROBLEM = [
  ...READY,
  {
    name: 'credentials',
    ready: true,
    problem: 'The credentials of this service are rejected by tiktok (invalid_client).',
    fix: "Compare AUTH_TIKTOK_ID and AUTH_TIKTOK_SECRET with the provider's developer portal, correct them, and sign in.",
  },
]

/** Any image. */
const ICON = 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 21c1-6 15-6 16 0'

const SECTIONS: readonly CountedSection[] = [
  { id: 'overview', label: 'Overview' },
  { id: 'users', label: 'Users' },
  { id: 'audit', label: 'Audit' },
  ...[
    { id: 'clients', label: 'Clients', count: 7 },
    { id: 'apis', label: 'APIs', count: 3 },
    { id: 'unregistered-clients', label: 'Unregistered clients' },
    { id: 'webhooks', label: 'Webhooks', count: 1 },
  ].map((section) => ({ ...section, group: 'Apps' as const })),
  ...[
    { id: 'keys', label: 'Keys' },
    { id: 'administrators', label: 'Administrators', count: 3 },
    { id: 'configuration', label: 'Configuration' },
  ].map((section) => ({ ...section, group: 'Service' as const })),
].map((section) => ({ ...section, icon: ICON }))

const CLIENT_LIST = {
  kind: 'clients',
  title: 'Clients',
  noun: 'a client',
  purpose: 'A client is an app that users sign in to.',
  filter: { sort: '', state: '' },
}

interface StateOptions {
  section: string
  title: string
  trail?: readonly TrailLink[]
  query?: string
}

function consoleState(
  name: string,
  { section, title, trail, query }: StateOptions,
  page: Child,
): PageState {
  return {
    name: `console-${name}`,
    title: () => title,
    header: (
      <ConsoleHeader
        section={section}
        serviceName="login.example"
        administrator={{ name: 'Ada Admin', role: 'owner' }}
        sections={SECTIONS}
        trail={trail}
        query={query}
        timeZone="UTC"
      />
    ),
    css: CONSOLE_RULES,
    isEnglishOnly: true,
    render: () => (
      <Documentation.Provider value="https://docs.example/">{page}</Documentation.Provider>
    ),
  }
}

const NOT_A_SECURE_URI =
  'must be an https address, or http on loopback, without a fragment or a user name.'

interface ClientFormOptions {
  values: Record<string, unknown>
  isNew: boolean
  problems?: readonly Problem[]
}

function clientForm({ values, isNew, problems = [] }: ClientFormOptions): Child {
  return (
    <RegistrationForm
      noun="client"
      section="Fields of clients"
      action={isNew ? '/admin/new/clients' : '/admin/clients/shop/edit'}
      back={isNew ? '/admin/clients' : '/admin/clients/shop'}
      schema={CLIENT_SCHEMA}
      values={values}
      readOnlyField={isNew ? undefined : 'client_id'}
      clientKind={isNew ? 'web' : undefined}
      preview="/admin/new/clients/preview"
      warnings={
        isNew
          ? []
          : ['No API has the scope orders:read. No token will contain it, until an API does.']
      }
      problems={problems}
      csrfToken="token"
    />
  )
}

/** The page of a user, with roles as a feature shows them. */
function userState(
  name: string,
  props: Pick<UserPageProps, 'user' | 'administratorRole'> & { activity?: Activity },
  notice?: Child,
): PageState {
  const page: UserPageProps = {
    activity: ACTIVITY,
    apps: APPS,
    methods: METHODS,
    may: () => true,
    parts: [ROLES],
    ...props,
  }
  return {
    ...consoleState(
      name,
      { section: 'users', title: props.user.name ?? props.user.id, trail: [] },
      <>
        {notice}
        <UserPage {...page} />
      </>,
    ),
    heading: <UserHead {...page} />,
  }
}

function userConfirmation(
  name: string,
  operation: OperationDescription,
  { facts = [], entered }: { facts?: readonly Fact[]; entered?: string } = {},
): PageState {
  const path = operation.path.replace(':id', USER.id).replace(':sid', SESSION.sid)
  return consoleState(
    name,
    { section: 'users', title: operation.summary, trail: [USER_LINK] },
    <>
      {entered && <Notice text={enteredNotice(operation.button ?? '')} />}
      <ConfirmPage
        subject={[...userFacts(USER), ...facts]}
        operation={operation}
        action={`/admin${path}`}
        back={USER_LINK.href}
        problems={[]}
        entered={entered ?? ''}
        csrfToken="token"
      />
    </>,
  )
}

/** The pages of the console. */
export const CONSOLE_STATES: readonly PageState[] = [
  consoleState(
    'overview',
    { section: 'overview', title: 'Overview' },
    <OverviewPage
      messages={createMessages('en', en)}
      period="24h"
      signIns={SIGN_INS}
      emails={EMAILS}
      sessions={SESSIONS}
      keys={KEY_TIMES}
      checks={READY}
      changes={CHANGES}
    />,
  ),
  consoleState(
    'overview-not-ready',
    { section: 'overview', title: 'Overview' },
    <OverviewPage
      messages={createMessages('en', en)}
      period="7d"
      signIns={SIGN_INS}
      emails={EMAILS}
      sessions={SESSIONS}
      keys={KEY_TIMES}
      checks={NOT_READY}
      changes={undefined}
    />,
  ),
  consoleState(
    'overview-warning',
    { section: 'overview', title: 'Overview' },
    <OverviewPage
      messages={createMessages('en', en)}
      period="24h"
      signIns={SIGN_INS}
      emails={EMAILS}
      sessions={SESSIONS}
      keys={KEY_TIMES}
      checks={READY_WITH_PROBLEM}
      changes={undefined}
    />,
  ),
  consoleState(
    'overview-unavailable',
    { section: 'overview', title: 'Overview' },
    <OverviewPage
      messages={createMessages('en', en)}
      period="24h"
      signIns={undefined}
      emails={undefined}
      sessions={undefined}
      keys={undefined}
      checks={NOT_READY}
      changes={undefined}
    />,
  ),
  consoleState(
    'live',
    { section: 'overview', title: 'Live', trail: [] },
    <LivePage permission="permission" minutes={MINUTES} now={NOW + 20} />,
  ),
  consoleState(
    'live-unavailable',
    { section: 'overview', title: 'Live', trail: [] },
    <LivePage permission="permission" minutes={undefined} now={NOW} />,
  ),
  consoleState(
    'users',
    { section: 'users', title: 'Users' },
    <>
      <UsersPage list="newest" users={[USER, BLOCKED_USER]} />
      <PageLinks path="/admin/users" filter={{}} cursor={undefined} nextCursor="next" />
    </>,
  ),
  consoleState(
    'users-none',
    { section: 'users', title: 'Users' },
    <UsersPage list="blocked" users={[]} />,
  ),
  consoleState(
    'clients-none',
    { section: 'clients', title: 'Clients' },
    <RegistrationsPage {...CLIENT_LIST} registrations={[]} mayChange />,
  ),
  consoleState(
    'search',
    { section: 'users', title: 'Search', trail: [], query: 'o' },
    <SearchPage
      query="o"
      clients={[CLIENT, DISABLED_CLIENT]}
      users={[BLOCKED_USER]}
      cursor="this"
      nextCursor={undefined}
    />,
  ),
  consoleState(
    'search-none',
    { section: 'users', title: 'Search', trail: [], query: 'zoe' },
    <SearchPage query="zoe" clients={[]} users={[]} cursor={undefined} nextCursor={undefined} />,
  ),
  consoleState(
    'reference',
    { section: 'audit', title: 'Reference 2F7K-X9QH-ZM4B', trail: [] },
    <ReferencePage
      messages={createMessages('en', en)}
      reference="2F7K-X9QH-ZM4B"
      entries={ENTRIES.slice(3)}
      {...AUDIT_TEXTS}
    />,
  ),
  consoleState(
    'reference-none',
    { section: 'audit', title: 'Reference 2F7K-X9QH-ZM4B', trail: [] },
    <ReferencePage
      messages={createMessages('en', en)}
      reference="2F7K-X9QH-ZM4B"
      entries={[]}
      {...AUDIT_TEXTS}
    />,
  ),
  userState('user', { user: USER_DETAILS, administratorRole: undefined }),
  userState('user-new', {
    user: {
      ...USER,
      accounts: USER_DETAILS.accounts.slice(0, 1),
      is_block_incomplete: false,
      passkeys: [],
      sessions: [],
      consents: [],
      grants: [],
      recent_sign_ins: [],
    },
    administratorRole: undefined,
    activity: { ...ACTIVITY, entries: [], signIns: [] },
  }),
  userState('user-blocked-in-part', {
    user: {
      ...USER_DETAILS,
      ...BLOCKED_USER,
      accounts: USER_DETAILS.accounts.slice(0, 1),
      is_block_incomplete: true,
    },
    administratorRole: 'support',
  }),
  userState(
    'user-just-blocked',
    {
      user: {
        ...USER_DETAILS,
        ...BLOCKED_USER,
        accounts: USER_DETAILS.accounts.slice(0, 1),
        sessions: [],
      },
      administratorRole: undefined,
    },
    <Notice
      text="Noah Adeyemi is blocked. 3 sessions ended."
      button={<UndoButton action="/admin/users/usr/unblock" fields={{}} csrfToken="token" />}
    />,
  ),
  consoleState(
    'not-found',
    { section: 'users', title: 'Not found', trail: [] },
    <NotFoundPage section="users" noun="user" />,
  ),
  consoleState(
    'clients',
    { section: 'clients', title: 'Clients' },
    <RegistrationsPage
      {...CLIENT_LIST}
      registrations={[CLIENT, SETTINGS_CLIENT, DISABLED_CLIENT]}
      mayChange
    />,
  ),
  consoleState(
    'client',
    { section: 'clients', title: 'Clay & Co.', trail: [] },
    <RegistrationPage
      kind="clients"
      schema={CLIENT_SCHEMA}
      actions={CLIENT_ACTIONS}
      registration={CLIENT}
      mayChange
    >
      <ClientSecrets client="shop" secrets={SECRETS} mayRemove />
      <Connection
        issuer="https://login.example"
        clientId="shop"
        registration={CLIENT.registration}
      />
      <ClientSignIns client="shop" period="24h" bars={SIGN_INS.bars} total={SIGN_INS.total} />
    </RegistrationPage>,
  ),
  consoleState(
    'client-disabled',
    { section: 'clients', title: 'The former shop', trail: [] },
    <RegistrationPage
      kind="clients"
      schema={CLIENT_SCHEMA}
      actions={CLIENT_ACTIONS}
      registration={DISABLED_CLIENT}
      mayChange
    >
      <ClientSecrets client="old-shop" secrets={SECRETS.slice(1)} mayRemove />
    </RegistrationPage>,
  ),
  consoleState(
    'client-of-settings',
    { section: 'clients', title: 'The gallery', trail: [] },
    <RegistrationPage
      kind="clients"
      schema={CLIENT_SCHEMA}
      actions={CLIENT_ACTIONS}
      registration={SETTINGS_CLIENT}
      mayChange
    >
      <ClientSecrets client="gallery" secrets={undefined} mayRemove={false} />
    </RegistrationPage>,
  ),
  consoleState(
    'apis',
    { section: 'apis', title: 'APIs' },
    <RegistrationsPage
      kind="apis"
      title="APIs"
      noun="an API"
      purpose="An API accepts access tokens of this service."
      filter={{ sort: 'name', state: '' }}
      registrations={[OWN_API, API]}
      mayChange
    />,
  ),
  consoleState(
    'api',
    { section: 'apis', title: 'Orders', trail: [] },
    <RegistrationPage kind="apis" schema={API_SCHEMA} registration={API} mayChange />,
  ),
  consoleState(
    'api-of-service',
    { section: 'apis', title: 'Administration', trail: [] },
    <RegistrationPage kind="apis" schema={API_SCHEMA} registration={OWN_API} mayChange />,
  ),
  consoleState(
    'webhooks',
    { section: 'webhooks', title: 'Webhooks' },
    <RegistrationsPage
      kind="webhooks"
      nameTitle="URL"
      title="Webhooks"
      noun="a webhook"
      purpose="A webhook sends events to a service of yours."
      filter={{ sort: '', state: '' }}
      registrations={[WEBHOOK]}
      mayChange
    />,
  ),
  consoleState(
    'webhook',
    { section: 'webhooks', title: 'https://crm.example/events', trail: [] },
    <RegistrationPage
      kind="webhooks"
      schema={createWebhookSchema()}
      actions={WEBHOOK_ACTIONS}
      registration={WEBHOOK}
      mayChange
    >
      <Deliveries {...DELIVERIES} />
    </RegistrationPage>,
  ),
  consoleState(
    'client-form',
    { section: 'clients', title: 'Edit Clay & Co.', trail: [CLIENT_LINK] },
    clientForm({ values: CLIENT.registration, isNew: false }),
  ),
  consoleState(
    'client-form-new',
    { section: 'clients', title: 'Add a client', trail: [] },
    clientForm({ values: {}, isNew: true }),
  ),
  consoleState(
    'client-form-problems',
    { section: 'clients', title: 'Add a client', trail: [] },
    clientForm({
      values: {
        ...CLIENT.registration,
        client_id: 'my shop',
        redirect_uris: ['http://shop.example/callback'],
        introspects: ['orders'],
      },
      isNew: true,
      problems: [
        {
          path: ['client_id'],
          code: 'invalid',
          message: 'may only contain letters, digits and . _ ~ -',
        },
        { path: ['redirect_uris', 0], code: 'invalid', message: NOT_A_SECURE_URI },
        { path: ['introspects', 0], code: 'invalid', message: NOT_A_SECURE_URI },
      ],
    }),
  ),
  consoleState(
    'api-form',
    { section: 'apis', title: 'Add an API', trail: [] },
    <RegistrationForm
      noun="API"
      section="Fields of APIs"
      action="/admin/new/apis"
      back="/admin/apis"
      schema={API_SCHEMA}
      values={{}}
      problems={[]}
      csrfToken="token"
    />,
  ),
  consoleState(
    'webhook-form',
    { section: 'webhooks', title: 'Add a webhook', trail: [] },
    <RegistrationForm
      noun="webhook"
      section="Fields"
      document="docs/webhooks.md"
      action="/admin/new/webhooks"
      back="/admin/webhooks"
      schema={createWebhookSchema()}
      values={{ events: ['user.created', 'user.deleted'] }}
      problems={[]}
      csrfToken="token"
    />,
  ),
  consoleState(
    'secret',
    { section: 'clients', title: 'New secret of Clay & Co.', trail: [CLIENT_LINK] },
    <SecretPage
      idTitle="Client ID"
      id="shop"
      secret="5yQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o"
      isReplacement
      back="/admin/clients/shop"
    >
      <Connection
        issuer="https://login.example"
        clientId="shop"
        secret="5yQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o"
        registration={CLIENT.registration}
      />
    </SecretPage>,
  ),
  userConfirmation('confirm', OPERATIONS.blockUser),
  userConfirmation('confirm-after-step-up', OPERATIONS.blockUser, {
    entered: 'Sends advertising to other customers.',
  }),
  userConfirmation('confirm-session', OPERATIONS.endUserSession, {
    facts: factsAbout(SESSION, SESSION_FIELDS),
  }),
  userConfirmation('confirm-unblock', OPERATIONS.unblockUser),
  consoleState(
    'confirm-secret',
    { section: 'clients', title: OPERATIONS.removeClientSecret.summary, trail: [CLIENT_LINK] },
    <ConfirmPage
      subject={[
        ['Secret', 'Newest secret'],
        ['Created', { time: NOW - DAY }],
        ['Last used', 'today'],
      ]}
      operation={OPERATIONS.removeClientSecret}
      warning={warnOfUse('today')}
      action="/admin/clients/shop/secrets/u5bK2QpXw0a/remove"
      back={CLIENT_LINK.href}
      problems={[]}
      csrfToken="token"
    />,
  ),
  consoleState(
    'confirm-problem',
    { section: 'keys', title: OPERATIONS.rotateKeys.summary, trail: [] },
    <ConfirmPage
      subject={[]}
      operation={OPERATIONS.rotateKeys}
      action="/admin/keys/rotate"
      back="/admin/keys"
      problems={[new RotationTooEarlyError('too_early', NOW + 600).message]}
      csrfToken="token"
    />,
  ),
  consoleState(
    'keys',
    { section: 'keys', title: 'Keys' },
    <KeysPage
      mayRotate
      rotatesAt={KEY_TIMES.rotatesAt}
      keys={[
        { kid: 'k0Xn2cR5tY8uP1aZ', alg: 'ES256', state: 'next', createdAt: NOW - 11 * DAY },
        {
          kid: 'k1Xn2cR5tY8uP1aZ',
          alg: 'ES256',
          state: 'active',
          activeSince: KEY_TIMES.activeSince,
        },
        {
          kid: 'k2Xn2cR5tY8uP1aZ',
          alg: 'ES256',
          state: 'retired',
          activeSince: NOW - 42 * DAY,
          removedAt: NOW + DAY,
        },
      ]}
    />,
  ),
  consoleState(
    'unregistered-clients',
    { section: 'unregistered-clients', title: 'Unregistered clients' },
    <UnregisteredClientsPage clients={UNREGISTERED_CLIENTS} isAccepted mayBlock />,
  ),
  consoleState(
    'unregistered-clients-problem',
    { section: 'unregistered-clients', title: 'Unregistered clients' },
    <UnregisteredClientsPage clients={[]} isAccepted={false} mayBlock invalidHost="https://a.b/" />,
  ),
  consoleState(
    'administrators',
    { section: 'administrators', title: 'Administrators' },
    <AdministratorsPage administrators={ADMINISTRATORS} ownId={USER.id} mayChange />,
  ),
  consoleState(
    'administrator-form',
    { section: 'administrators', title: 'Add an administrator', trail: [] },
    <RegistrationForm
      noun="administrator"
      section="Administrators"
      document="docs/admin.md"
      action="/admin/new/administrators"
      back="/admin/administrators"
      schema={administratorSchema()}
      values={{}}
      problems={[]}
      csrfToken="token"
    />,
  ),
  consoleState(
    'confirm-own',
    {
      section: 'administrators',
      title: OPERATIONS.removeAdministrator.summary,
      trail: [],
    },
    <ConfirmPage
      subject={administratorFacts(OWN_ENTRY)}
      operation={OPERATIONS.removeAdministrator}
      warning={OWN_USER}
      action={`/admin/administrators/${USER.id}/delete`}
      back="/admin/administrators"
      problems={[]}
      csrfToken="token"
    />,
  ),
  consoleState(
    'configuration',
    { section: 'configuration', title: 'Configuration' },
    <ConfigurationPage
      testedProvider="TikTok"
      problems={['AUTH_GOOGLE_SECRET is missing.']}
      providers={[
        {
          id: 'tiktok',
          name: 'TikTok',
          type: 'oauth',
          isEnabled: true,
          callbackUrl: 'https://login.example/api/auth/callback/tiktok',
          credentials: 'ID and secret set',
        },
        { id: 'email', name: 'Email', type: 'email', isEnabled: true },
        {
          id: 'google',
          name: 'Google',
          type: 'oidc',
          isEnabled: false,
          callbackUrl: 'https://login.example/api/auth/callback/google',
        },
      ]}
      languages={[
        { tag: 'en', name: 'English' },
        { tag: 'ar', name: 'العربية' },
      ]}
      theme={[['brandColor', '#1a73e8']]}
      settings={[
        ['AUTH_URL', 'https://login.example'],
        ['AUTH_SECRET', 'set'],
        ['sessionIdle', '7 days'],
      ]}
      mayTest
    />,
  ),
  consoleState(
    'audit',
    { section: 'audit', title: 'Audit' },
    <AuditPage
      filter={NO_AUDIT_FILTER}
      problems={[]}
      entries={ENTRIES}
      {...AUDIT_NAMES}
      errors={signInErrorCodes([])}
      cursor={undefined}
      nextCursor="next"
    />,
  ),
  consoleState(
    'audit-filtered',
    { section: 'audit', title: 'Audit' },
    <AuditPage
      filter={{ ...NO_AUDIT_FILTER, event: 'sign_in', since: '2026-11-14T12:00' }}
      problems={[]}
      entries={ENTRIES.filter(({ event }) => event === 'sign_in')}
      {...AUDIT_NAMES}
      errors={signInErrorCodes([])}
      cursor="this"
      nextCursor={undefined}
    />,
  ),
]
