import { type Child, useContext } from 'hono/jsx'
import {
  ActionLink,
  Avatar,
  Card,
  joinFacts,
  Pill,
  Row,
  Rows,
  Warning,
} from '../../../administration/console/cards.tsx'
import { CopyIcon } from '../../../administration/console/secret-page.tsx'
import { formatDay, Time, TimeZone } from '../../../administration/console/times.tsx'
import { MethodMark } from '../../../core/pages/method-mark.tsx'
import { accountName } from '../../../core/users/account-reference.ts'
import { isolateTextDirection } from '../../../foundation/values/isolate-text-direction.ts'
import type { OPERATIONS } from '../operations/operation-table.ts'
import { lastSeen, type UserDetails, warningsAbout } from '../resources/user.ts'
import type { AdminRole } from '../roles.ts'
import { type Activity, ActivityCard, CHART_DAYS, countSignIns } from './user-activity.tsx'
import { userName, userPath } from './users-pages.tsx'

/** An app or a way to sign in, as the page names it. */
interface Named {
  name: string
  /** The URL of its logo. */
  logo: string | undefined
}

export interface UserPageProps {
  user: UserDetails
  /** Absent if the user is not an administrator. */
  administratorRole: AdminRole | undefined
  /** Whether the signed-in administrator may do this. Other operations are not shown. */
  may: (operationId: keyof typeof OPERATIONS) => boolean
  activity: Activity
  /** The registered clients. */
  apps: ReadonlyMap<string, Named & { isOwn: boolean }>
  /** The providers and local methods. */
  methods: ReadonlyMap<string, Named>
  /** What features show. */
  parts?: readonly Child[]
}

/** Who a user is, what matters now, and what is done most often. It contains the heading. */
export function UserHead({ user, administratorRole, may, activity }: UserPageProps) {
  const name = userName(user)
  const path = userPath(user.id)
  const isBlocked = user.blocked_at !== undefined
  const { succeeded, failed } = countSignIns(activity.signIns)
  return (
    <div class="card">
      <div class="who">
        <div class="identity">
          <Avatar name={name} image={user.image} isLarge />
          <div>
            <div class="name">
              <h1>{isolateTextDirection(name)}</h1>
              {isBlocked ? <Pill tone="bad">blocked</Pill> : <Pill tone="good">active</Pill>}
              {administratorRole && <Pill tone="mute">{administratorRole}</Pill>}
            </div>
            <p class="sub">
              {user.name && user.username && <span>@{isolateTextDirection(user.username)}</span>}
              {user.email && user.email !== name && (
                <span>{isolateTextDirection(user.email)}&nbsp;✓</span>
              )}
              <span>
                <code id="user-id">{user.id}</code>
                <CopyIcon of="user-id" label="Copy the user ID" />
              </span>
            </p>
          </div>
        </div>
        <div class="row">
          {may('endUserSessions') && user.sessions.length > 0 && (
            <a href={`${path}/end-sessions`}>End all sessions</a>
          )}
          {may('unblockUser') && isBlocked && <a href={`${path}/unblock`}>Unblock</a>}
          {may('blockUser') && (!isBlocked || user.is_block_incomplete) && (
            <a href={`${path}/block`}>Block</a>
          )}
        </div>
      </div>
      <dl class="figures">
        <Figure name="Last seen" value={<Time at={lastSeen(user)} />} />
        <Figure
          name={`Sign-ins, ${CHART_DAYS} days`}
          value={succeeded}
          note={failed > 0 && `${failed} failed`}
        />
        <Figure name="Sessions" value={user.sessions.length} />
        <Figure name="User since" value={<Day at={user.created_at} />} />
      </dl>
    </div>
  )
}

function Figure({ name, value, note }: { name: string; value: Child; note?: Child }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value}
        {note && <small> · {note}</small>}
      </dd>
    </div>
  )
}

function Day({ at }: { at: number }) {
  return <>{formatDay(at, useContext(TimeZone))}</>
}

/** What happened, and everything else that an administrator can see and do about one user. */
export function UserPage(props: UserPageProps) {
  const { user, may, activity, parts = [] } = props
  const path = userPath(user.id)
  return (
    <>
      <Warnings {...props} />
      <div class="columns">
        <div>
          <ActivityCard user={user} {...activity} />
          <Apps {...props} />
        </div>
        <div>
          <Sessions {...props} />
          <Methods {...props} />
          {parts}
          {(may('exportUser') || may('deleteUser')) && (
            <Card title="Data" isDanger>
              <ul class="rows">
                <Row title={<small>Export what is stored, or delete the user.</small>}>
                  {may('exportUser') && <ActionLink href={`${path}/export`} label="Export" />}
                  {may('deleteUser') && (
                    <ActionLink href={`${path}/delete`} label="Delete" isDanger />
                  )}
                </Row>
              </ul>
            </Card>
          )}
        </div>
      </div>
    </>
  )
}

function Warnings(props: UserPageProps) {
  const warnings = warningsAbout(props.user, (account) => methodTitle(props, account))
  return (
    <>
      {warnings.map(({ title, text, reason, since, account }) => (
        <Warning action={account && <RemoveLink {...props} account={account} />}>
          <b>{title}</b> {text}{' '}
          {reason && (
            <>
              Reason: <q>{isolateTextDirection(reason)}</q>{' '}
            </>
          )}
          {since !== undefined && (
            <small>
              Since <Time at={since} />
            </small>
          )}
        </Warning>
      ))}
    </>
  )
}

type Account = UserDetails['accounts'][number]

function Sessions({ user, apps, methods, may }: UserPageProps) {
  const path = userPath(user.id)
  return (
    <Card title="Sessions" note={user.sessions.length}>
      <Rows whenEmpty="Not signed in anywhere.">
        {user.sessions.map((session) => {
          const { sid, device = 'Unknown browser', place, provider, client_ids } = session
          const { is_bound } = session
          return (
            <Row
              lead={<DeviceIcon device={device} />}
              title={device}
              note={joinFacts([
                is_bound && 'this device only',
                place && isolateTextDirection(place),
                provider && (methods.get(provider)?.name ?? provider),
                ...client_ids.map((id) => isolateTextDirection(apps.get(id)?.name ?? id)),
                <>
                  used <Time at={session.last_used_at} />
                </>,
              ])}
            >
              {may('endUserSession') && (
                <ActionLink
                  href={`${path}/sessions/${encodeURIComponent(sid)}/end`}
                  label="End"
                  of={device}
                />
              )}
            </Row>
          )
        })}
      </Rows>
    </Card>
  )
}

function Methods(props: UserPageProps) {
  const { user, methods } = props
  return (
    <Card title="Ways to sign in">
      <ul class="rows">
        {user.accounts.map((account) => {
          const { provider, account_id, last_used_at, created_at } = account
          const method = methods.get(provider)
          const passkey = findPasskey(user, account)
          const isNamedById = account.label === account_id
          return (
            <Row
              lead={
                <MethodMark id={provider} name={method?.name ?? provider} logo={method?.logo} />
              }
              title={
                <>
                  {methodTitle(props, account)}{' '}
                  {!account.is_confirmed && <Pill tone="warn">not confirmed</Pill>}
                </>
              }
              note={joinFacts([
                !passkey && account.label && !isNamedById && isolateTextDirection(account.label),
                passkey && (passkey.is_backed_up ? 'synced' : 'on one device'),
                last_used_at === undefined ? (
                  <>
                    added <Time at={created_at} />
                  </>
                ) : (
                  <>
                    used <Time at={last_used_at} />
                  </>
                ),
                !passkey && <code>{account_id}</code>,
              ])}
            >
              <RemoveLink {...props} account={account} />
            </Row>
          )
        })}
      </ul>
    </Card>
  )
}

function findPasskey({ passkeys }: UserDetails, { provider, account_id }: Account) {
  if (provider !== 'passkey') return undefined
  return passkeys.find(({ credential_id }) => credential_id === account_id)
}

/** Such as "TikTok", or "Passkey “Work laptop”". */
function methodTitle({ user, methods }: UserPageProps, account: Account): string {
  const name = methods.get(account.provider)?.name ?? account.provider
  const label = findPasskey(user, account)?.name ?? account.label
  if (account.provider !== 'passkey') return name
  return label ? `Passkey “${isolateTextDirection(label)}”` : 'Passkey'
}

function RemoveLink(props: UserPageProps & { account: Account }) {
  const { user, may, account } = props
  const { provider, account_id: accountId } = account
  if (!may('removeUserAccount') || user.accounts.length < 2) return null
  const name = encodeURIComponent(accountName({ provider, accountId }))
  return (
    <ActionLink
      href={`${userPath(user.id)}/accounts/${name}/remove`}
      label="Remove"
      of={methodTitle(props, account)}
    />
  )
}

/** What each app may do: what the user allowed, and how long it stays signed in. */
function Apps({ user, apps, may }: UserPageProps) {
  const ids = [...user.consents, ...user.grants].map(({ client_id }) => client_id)
  return (
    <Card title="Apps with access">
      <Rows whenEmpty="No app has access.">
        {[...new Set(ids)].map((id) => {
          const { name, logo, isOwn = false } = apps.get(id) ?? { name: id, logo: undefined }
          const consent = user.consents.find(({ client_id }) => client_id === id)
          const grants = user.grants.filter(({ client_id }) => client_id === id)
          const scopes = new Set([
            ...(consent?.scope ?? []),
            ...grants.flatMap(({ scope }) => scope),
          ])
          const resources = [...(consent?.resources ?? []), ...grants.flatMap((g) => g.resources)]
          scopes.delete('openid')
          return (
            <Row
              lead={<Avatar name={name} image={logo} isApp />}
              title={
                <>
                  {isolateTextDirection(name)} {isOwn && <Pill tone="mute">our own</Pill>}
                </>
              }
              note={joinFacts([
                [...scopes].join(', '),
                consent &&
                  consent.declined.length > 0 &&
                  `declined: ${consent.declined.join(', ')}`,
                ...new Set(resources),
                grants.length > 0 && (
                  <>
                    stays signed in until{' '}
                    <Day at={Math.max(...grants.map(({ expires_at }) => expires_at))} />
                  </>
                ),
              ])}
            >
              {may('revokeUserClient') && (
                <ActionLink
                  href={`${userPath(user.id)}/clients/${encodeURIComponent(id)}/revoke`}
                  label="Revoke"
                  of={name}
                />
              )}
            </Row>
          )
        })}
      </Rows>
    </Card>
  )
}

const LAPTOP = 'M5 5h14v10H5zM2 19h20'
const PHONE = 'M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM11 18h2'

function DeviceIcon({ device }: { device: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={/iPhone|iPad|Android/.test(device) ? PHONE : LAPTOP} />
    </svg>
  )
}
