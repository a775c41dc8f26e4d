import { isolateTextDirection } from './isolate-text-direction.ts'
import type { Messages } from './messages/en.ts'

/** The app that a page is about, by what it registered. */
export interface App {
  name: string
  /** The address of its logo. */
  logo?: string | undefined
  policyUri?: string | undefined
  termsUri?: string | undefined
}

/** The app's logo, or the first letter of its name. The name is in the heading next to it. */
export function AppLogo({ name, logo }: App) {
  return logo ? (
    <img class="app" src={logo} alt="" referrerpolicy="no-referrer" />
  ) : (
    <Initial of={name} className="app" />
  )
}

/** A user as pages show them. */
export interface ShownUser {
  name: string | undefined
  /** The address of their picture. */
  image: string | undefined
}

/** The picture and name of the signed-in user, in one sentence. */
export function SignedInAs({ messages, user }: { messages: Messages; user: ShownUser }) {
  const { as, unnamedUser } = messages.signedIn
  const name = user.name ?? unnamedUser
  return (
    <p class="row">
      <Picture {...user} />
      <span class="grow">{as(isolateTextDirection(name))}</span>
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

function Picture({ name, image }: ShownUser) {
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
