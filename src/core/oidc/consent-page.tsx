import type { Child } from 'hono/jsx'
import { isolateTextDirection } from '../../foundation/values/isolate-text-direction.ts'
import type { Messages } from '../messages/messages.ts'
import { FormButton } from '../pages/form-button.tsx'
import { formatUnit, inParentheses, joinSentences } from '../pages/format.ts'
import { type ShownUser, UserRow } from '../pages/identity.tsx'
import { listEntry } from '../pages/list.tsx'

interface ConsentPageProps extends Permissions {
  messages: Messages
  /** The host that the user returns to; undefined if a feature answers the request. */
  host: string | undefined
  /** What features say about the app or the request. */
  notices?: readonly Child[] | undefined
  /** Whether nobody vouches for the app. */
  isWarning?: boolean
  user: ShownUser
  /** What the app gets besides what it requests. */
  included?: readonly string[]
  /** How long the app can keep the access without a new sign-in, in seconds. */
  lifetime: number
  /** The interaction that the page belongs to. */
  interaction: string
  /** Identifies what the page shows. */
  shown: string
  /** Where the user chooses another account for the same request. */
  otherAccountUrl: string
  csrfToken: string
}

/** A scope that the app wants to have. */
export interface RequestedScope {
  /** Identifies it in the form. */
  entry: string
  name: string
  /** Is shown if the deployment's texts have none for this scope. */
  description: string
  /** What the app receives, if it is short enough to be shown. */
  value?: string | undefined
  /** Whether the user can decline it. */
  isOptional: boolean
  /** Whether the user has declined it before. */
  isDeclined: boolean
  /** Whether the user has decided about it before. */
  isDecided: boolean
}

/** An API that the app wants to use. */
export interface RequestedApi {
  name: string
  /** Whether the user has allowed the app to use it before. */
  isDecided: boolean
  /** What the app may do there. */
  scopes: readonly RequestedScope[]
}

/** What an app wants to have, or a part of it. */
interface Permissions {
  /** The scopes of OpenID Connect. */
  scope: readonly RequestedScope[]
  apis: readonly RequestedApi[]
}

/**
 * Asks the user whether an app that is not first-party may use their account. If they have decided
 * about a part of what it requests before, the page shows the rest first.
 */
export function ConsentPage(props: ConsentPageProps) {
  const { messages, host, user, scope, apis, lifetime } = props
  const { otherAccountUrl, csrfToken } = props
  const hasChoice = [...scope, ...apis.flatMap(({ scopes }) => scopes)].some(
    ({ isOptional }) => isOptional,
  )
  const added = selectPermissions(props, false)
  const decided = selectPermissions(props, true)
  const isExtended = !isEmpty(added) && !isEmpty(decided)
  return (
    <>
      <RequestedUser messages={messages} user={user} otherAccountUrl={otherAccountUrl} />
      <form method="post" action="/oidc/consent">
        <input type="hidden" name="csrfToken" value={csrfToken} />
        <input type="hidden" name="interaction" value={props.interaction} />
        <input type="hidden" name="shown" value={props.shown} />
        {props.notices}
        <h2>{messages.t(isExtended ? 'consent.addedHeading' : 'consent.permissionsHeading')}</h2>
        <PermissionList
          messages={messages}
          permissions={isExtended ? added : props}
          hasChoice={hasChoice}
          included={props.included}
        />
        {isExtended && (
          <details class="note">
            <summary>{messages.t('consent.decidedBefore')}</summary>
            <PermissionList messages={messages} permissions={decided} hasChoice={hasChoice} />
          </details>
        )}
        {hasChoice && <p class="note">{messages.t('consent.optional')}</p>}
        {host && <p class="note">{messages.t('consent.returnsTo', { host })}</p>}
        <button
          class={props.isWarning ? undefined : 'primary'}
          id="approve"
          name="answer"
          value="approve"
          type="submit"
        >
          {messages.t('consent.approve')}
        </button>
        <button id="deny" name="answer" value="deny" type="submit">
          {messages.t('consent.deny')}
        </button>
        <p class="note">
          {joinSentences(
            [
              messages.t('consent.lasts', { duration: formatDuration(lifetime, messages) }),
              messages.t('consent.revocable'),
            ],
            messages,
          )}
        </p>
      </form>
    </>
  )
}

interface ContinueToAppPageProps
  extends Pick<
    ConsentPageProps,
    'messages' | 'user' | 'interaction' | 'shown' | 'otherAccountUrl' | 'csrfToken'
  > {
  /** The name of the app. */
  app: string
}

/**
 * Replaces the consent page for a native app of the operator's own. Another program may pose as the
 * app, so the user decides whether they continue.
 */
export function ContinueToAppPage(props: ContinueToAppPageProps) {
  const { messages, app, user, interaction, shown, otherAccountUrl, csrfToken } = props
  return (
    <>
      <RequestedUser messages={messages} user={user} otherAccountUrl={otherAccountUrl} />
      <FormButton
        action="/oidc/consent"
        fields={{ csrfToken, interaction, shown, answer: 'approve' }}
        id="continue"
        isPrimary
      >
        {messages.t('signedIn.continueTo', { app })}
      </FormButton>
      <p class="note">{messages.t('consent.nativeApp', { app })}</p>
    </>
  )
}

/** The user that the request is about, and where another one is chosen. */
function RequestedUser({
  messages,
  user,
  otherAccountUrl,
}: Pick<ConsentPageProps, 'messages' | 'user' | 'otherAccountUrl'>) {
  return (
    <UserRow user={user}>
      {isolateTextDirection(user.name ?? messages.t('signedIn.unnamedUser'))}{' '}
      <a id="other-account" href={otherAccountUrl}>
        {messages.t('consent.notYou')}
      </a>
    </UserRow>
  )
}

/** What the user has decided about before, or the rest. */
function selectPermissions({ scope, apis }: Permissions, isDecided: boolean): Permissions {
  const select = (scopes: readonly RequestedScope[]) =>
    scopes.filter((value) => value.isDecided === isDecided)
  return {
    scope: select(scope),
    apis: apis
      .map((api) => ({ ...api, scopes: select(api.scopes) }))
      .filter((api) => api.scopes.length > 0 || api.isDecided === isDecided),
  }
}

function isEmpty({ scope, apis }: Permissions): boolean {
  return scope.length === 0 && apis.length === 0
}

interface PermissionListProps {
  messages: Messages
  permissions: Permissions
  /** Whether the user can decline any scope of the page. */
  hasChoice: boolean
  included?: readonly string[] | undefined
}

function PermissionList(props: PermissionListProps) {
  const { messages, permissions, hasChoice, included = [] } = props
  const { scope, apis } = permissions
  return (
    <ul class="permissions">
      {scope.filter(isAboutUser).map((value) => (
        <Permission messages={messages} scope={value} hasChoice={hasChoice} />
      ))}
      {apis.map((api) => (
        <Api messages={messages} api={api} hasChoice={hasChoice} />
      ))}
      {included.map((text) => (
        <li>
          {listEntry(text, messages.language)}
          {hasChoice && <AlwaysIncluded messages={messages} />}
        </li>
      ))}
      {scope
        .filter((value) => !isAboutUser(value))
        .map((value) => (
          <Permission messages={messages} scope={value} hasChoice={hasChoice} />
        ))}
    </ul>
  )
}

/** The others extend everything before them. */
function isAboutUser({ name }: RequestedScope): boolean {
  return name !== 'offline_access'
}

interface ApiProps {
  messages: Messages
  api: RequestedApi
  /** Whether the user can decline any scope of the page. */
  hasChoice: boolean
}

/**
 * An API, with what the app may do there. It is only a heading if it includes something that cannot
 * be declined, or if only what the app may do there is new.
 */
function Api({ messages, api, hasChoice }: ApiProps) {
  const isHeading = api.scopes.some(
    ({ isOptional, isDecided }) => !isOptional || isDecided !== api.isDecided,
  )
  return (
    <li class={isHeading ? 'group' : undefined}>
      {useApi(messages, api)}
      {hasChoice && !isHeading && <AlwaysIncluded messages={messages} />}
      {api.scopes.length > 0 && (
        <ul class="permissions">
          {api.scopes.map((scope) => (
            <Permission messages={messages} scope={scope} hasChoice={hasChoice} />
          ))}
        </ul>
      )}
    </li>
  )
}

function useApi(messages: Messages, { name }: RequestedApi): string {
  const text = messages.t('consent.useApi', { api: name })
  // In some languages it begins with the name, which is left as it is.
  return text.startsWith(name) ? text : listEntry(text, messages.language)
}

interface PermissionProps {
  messages: Messages
  scope: RequestedScope
  /** Whether the user can decline any scope of the page. */
  hasChoice: boolean
}

function Permission({ messages, scope, hasChoice }: PermissionProps) {
  const { entry, name, description, value, isOptional, isDeclined } = scope
  const text = (
    <>
      <bdi>{listEntry(messages.scope(name) ?? description, messages.language)}</bdi>
      {value && inParentheses(isolateTextDirection(value), messages)}
    </>
  )
  if (!isOptional) {
    return (
      <li>
        {text}
        {hasChoice && <AlwaysIncluded messages={messages} />}
      </li>
    )
  }
  return (
    <li class="optional">
      <label>
        <input type="checkbox" name="scope" value={entry} checked={!isDeclined} /> {text}
      </label>
    </li>
  )
}

function AlwaysIncluded({ messages }: { messages: Messages }) {
  return <p class="note">{messages.t('consent.alwaysIncluded')}</p>
}

const HOUR = 3600 // seconds
const DAY = 24 * HOUR

/** A duration in whole days, or in hours if it is shorter than two days. */
function formatDuration(seconds: number, { language }: Messages): string {
  const [unit, length] = seconds < 2 * DAY ? (['hour', HOUR] as const) : (['day', DAY] as const)
  return formatUnit(Math.max(1, Math.round(seconds / length)), unit, language)
}
