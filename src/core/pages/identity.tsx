import type { Child } from 'hono/jsx'
import { isolateTextDirection } from '../../foundation/values/isolate-text-direction.ts'
import type { Messages } from '../messages/messages.ts'

/** The app that a page is about, by what it registered. */
export interface App {
  name: string
  /** The URL of its logo. */
  logo?: string | undefined
  policyUri?: string | undefined
  termsUri?: string | undefined
  /** Whether nobody has registered it. It then has no logo, and must not look like one that is. */
  isUnregistered?: boolean
}

/** The app's logo, or the first letter of its name. The name is in the heading next to it. */
export function AppLogo({ name, logo, isUnregistered }: App) {
  if (isUnregistered) return <Initial of={name} className="app unregistered" />
  return logo ? (
    <img class="app" src={logo} alt="" referrerpolicy="no-referrer" />
  ) : (
    <Initial of={name} className="app" />
  )
}

/** A user as pages show them. */
export interface ShownUser {
  name: string | undefined
  /** The URL of their picture. */
  image: string | undefined
}

/** The picture and name of the signed-in user, in one sentence. */
export function SignedInAs({ messages, user }: { messages: Messages; user: ShownUser }) {
  const sentence = messages.t('signedIn.as', {
    name: isolateTextDirection(user.name ?? messages.t('signedIn.unnamedUser')),
  })
  return (
    <UserRow user={user}>{messages.language === 'ja' ? markAfterName(sentence) : sentence}</UserRow>
  )
}

/**
 * Marks what follows the name, which then stays on one line. In other languages it may be a full
 * stop only.
 */
function markAfterName(sentence: string): Child {
  const end = sentence.lastIndexOf('\u2069') + 1
  return (
    <>
      {sentence.slice(0, end)}
      <span class="after-name">{sentence.slice(end)}</span>
    </>
  )
}

/** The picture of a user next to a sentence about them. */
export function UserRow({ user, children }: { user: ShownUser; children: Child }) {
  return (
    <p class="row">
      <Picture {...user} />
      <span class="grow">{children}</span>
    </p>
  )
}

/** The picture and name of a user, for a page whose title says that they are signed in. */
export function UserName({ user }: { user: ShownUser }) {
  return user.name ? (
    <p class="row">
      <Picture {...user} />
      <strong class="grow">{isolateTextDirection(user.name)}</strong>
    </p>
  ) : null
}

/** The picture of a user, or the first letter of their name. */
export function Picture({ name, image }: ShownUser) {
  return image ? (
    <img class="picture" src={image} alt="" referrerpolicy="no-referrer" />
  ) : (
    <Initial of={name ?? '?'} className="picture" />
  )
}

function Initial({ of, className }: { of: string; className: string }) {
  const [letter = ''] = of.trim()
  return (
    <span class={`initial ${className}`} aria-hidden="true">
      {letter.toLocaleUpperCase()}
    </span>
  )
}
