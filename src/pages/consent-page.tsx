import { formatUnit } from './format-unit.ts'
import { type ShownUser, SignedInAs } from './identity.tsx'
import type { Messages } from './messages/en.ts'

/** The rules that pages with a list of permissions need. */
export const PERMISSIONS_CSS = `
.permissions{padding:0;list-style:none}
.permissions>li{position:relative;padding-block:.25rem;padding-inline-start:1.75rem}
.permissions>li:not(.optional)::before{content:"✓" / "";position:absolute;inset-inline-start:0;color:var(--accent);font-weight:700}
.optional input{position:absolute;inset-inline-start:0;width:1.125rem;height:1.125rem;margin-block:.1875rem;accent-color:var(--accent)}
`

interface ConsentPageProps {
  messages: Messages
  /** The host of the redirect URI. */
  host: string
  user: ShownUser
  /** The scopes of OpenID Connect. */
  scope: readonly RequestedScope[]
  apis: readonly RequestedApi[]
  /** How long the app can keep the access without a new sign-in, in seconds. */
  lifetime: number
  /** The authorization request, sealed, so that the form cannot return a different one. */
  request: string
  csrfToken: string
}

/** A scope that the app wants to have. */
export interface RequestedScope {
  /** Identifies it in the form. */
  entry: string
  name: string
  /** Is shown if the deployment's texts have none for this scope. */
  description: string
  /** Whether the user can decline it. */
  isOptional: boolean
  /** Whether the user has declined it before. */
  isDeclined: boolean
}

/** An API that the app wants to use. */
export interface RequestedApi {
  name: string
  /** What the app may do there. */
  scopes: readonly RequestedScope[]
}

/** Asks the user whether an app that is not first-party may use their account. */
export function ConsentPage(props: ConsentPageProps) {
  const { messages, host, user, scope, apis, lifetime, request, csrfToken } = props
  const texts = messages.consent
  const hasChoice = [...scope, ...apis.flatMap(({ scopes }) => scopes)].some(
    ({ isOptional }) => isOptional,
  )
  return (
    <>
      <SignedInAs messages={messages} user={user} />
      <form method="post" action="/oidc/consent">
        <input type="hidden" name="csrfToken" value={csrfToken} />
        <input type="hidden" name="request" value={request} />
        <h2>{texts.permissionsHeading}</h2>
        <ul class="permissions">
          {scope.filter(isAboutUser).map((value) => (
            <Permission messages={messages} scope={value} />
          ))}
          {apis.map((api) => (
            <li>
              {texts.useApi(api.name)}
              {api.scopes.length > 0 && (
                <ul class="permissions">
                  {api.scopes.map((value) => (
                    <Permission messages={messages} scope={value} />
                  ))}
                </ul>
              )}
            </li>
          ))}
          {scope
            .filter((value) => !isAboutUser(value))
            .map((value) => (
              <Permission messages={messages} scope={value} />
            ))}
        </ul>
        {hasChoice && <p class="note">{texts.optional}</p>}
        <p class="note">
          {joinSentences(
            [
              texts.returnsTo(host),
              texts.lasts(formatDuration(lifetime, messages)),
              texts.revocable,
            ],
            messages,
          )}
        </p>
        <button class="primary" id="approve" name="answer" value="approve" type="submit">
          {texts.approve}
        </button>
        <button id="deny" name="answer" value="deny" type="submit">
          {texts.deny}
        </button>
      </form>
    </>
  )
}

/** The others extend everything before them. */
function isAboutUser({ name }: RequestedScope): boolean {
  return name !== 'offline_access'
}

function Permission({ messages, scope }: { messages: Messages; scope: RequestedScope }) {
  const { entry, name, description, isOptional, isDeclined } = scope
  const text = <bdi>{messages.consent.scopes[name] ?? description}</bdi>
  if (!isOptional) return <li>{text}</li>
  return (
    <li class="optional">
      <label>
        <input type="checkbox" name="scope" value={entry} checked={!isDeclined} /> {text}
      </label>
    </li>
  )
}

const HOUR = 3600 // seconds
const DAY = 24 * HOUR

/** A duration in whole days, or in hours if it is shorter than two days. */
function formatDuration(seconds: number, { language }: Messages): string {
  const [unit, length] = seconds < 2 * DAY ? (['hour', HOUR] as const) : (['day', DAY] as const)
  return formatUnit(Math.max(1, Math.round(seconds / length)), unit, language)
}

/** Chinese and Japanese have no spaces between sentences. */
function joinSentences(sentences: readonly string[], { language }: Messages): string {
  return sentences.join(/^(?:ja|zh)\b/.test(language) ? '' : ' ')
}
