import * as z from 'zod/mini'
import { callback, type Shape } from '../../foundation/values/schemas.ts'
import type { Awaitable, BoundedFetch } from '../../provider-interface/oauth-types.ts'

/** A user as callbacks and events receive it. Values the provider did not send are absent. */
export interface CallbackUser {
  /** The user's permanent id here, `usr_…`: the `sub` of every token. */
  id: string
  name?: string
  username?: string
  /** Always verified by the provider. */
  email?: string
  image?: string
  /** The user's page at the provider. */
  url?: string
  /** Present in `callbacks.claims`, if the deployment has `roles()`. */
  roles?: readonly string[]
}

/** The account that a user has signed in with. Never contains a token. */
export interface CallbackAccount {
  /** The id of the provider. */
  provider: string
  /** The provider's issuer without a trailing slash; empty if it has none. */
  issuer: string
  /** The provider's permanent id for the account. */
  id: string
  /** The scopes that the provider granted. */
  scope: readonly string[]
  /** Further profile fields that the provider's `profile` callback returned. */
  extras: Readonly<Record<string, unknown>>
}

/** A registered client, with the names of its registration. */
export interface CallbackClient {
  client_id: string
  client_name: string
  first_party: boolean
}

/** The part of a client's registration that callbacks and events receive. */
export function toCallbackClient({
  client_id,
  client_name,
  first_party,
}: CallbackClient): CallbackClient {
  return { client_id, client_name, first_party }
}

/** How a user has signed in. */
export interface SignInFacts {
  /** The id of the provider. */
  provider: string | undefined
  /** In seconds since 1970. */
  authenticatedAt: number
  /**
   * What is known about the sign-in, the least first: nothing, because the account is unconfirmed;
   * the provider may not have asked the user anything; neither, but the user was sent there to
   * confirm that it is them; it was requested to ask; it is proved that the user was asked.
   */
  level: 'unconfirmed' | 'silent' | 'repeated' | 'prompted' | 'proved'
  /** How this service authenticated the user (RFC 8176); empty if a provider did. */
  amr: readonly string[]
}

/** What every callback and event receives. */
export interface CallbackTools {
  /** A fetch with a timeout of five seconds and a limit of 64 KiB that follows no redirects. */
  fetch: BoundedFetch
}

/** The user of a sign-in that has not been accepted yet, as the provider describes it. */
export interface SignInUser extends Omit<CallbackUser, 'id' | 'roles'> {
  /** Absent if the sign-in would create the user. */
  id?: string
  /** Whether the provider has verified `email`. An address that is not verified proves nothing. */
  emailVerified: boolean
}

/** The argument of `callbacks.signIn`. */
export interface SignInCallbackInput extends CallbackTools {
  user: SignInUser
  account: CallbackAccount
  /** What the provider sent about the user, unchanged. */
  profile: Readonly<Record<string, unknown>>
  /** Whether the sign-in would create a user. */
  isNewUser: boolean
}

/** What the claims are for. */
export type ClaimsKind = 'id_token' | 'access_token' | 'session' | 'userinfo'

/** The argument of `callbacks.claims`. */
export interface ClaimsCallbackInput extends CallbackTools {
  user: CallbackUser
  /** The account that the user signed in with; absent if nothing is stored about it any more. */
  account: CallbackAccount | undefined
  /** The client the token is for; absent for a session token without a client. */
  client: CallbackClient | undefined
  /** The scopes of the token; empty for a session token. */
  scope: readonly string[]
  kind: ClaimsKind
}

/** The argument of `callbacks.redirect`. */
export interface RedirectCallbackInput extends CallbackTools {
  /** An address that is allowed: a page of this service or of a registered client. */
  url: string
  /** The client that has registered the origin of the address; absent for our own pages. */
  client: CallbackClient | undefined
}

/**
 * Decisions of the deployment. Each callback may take five seconds. They run in the Worker, and
 * nothing is locked meanwhile. If a callback throws, takes longer or returns anything else, the
 * request fails, and the log has the reason.
 */
export interface Callbacks {
  /**
   * Decides whether a user may sign in, or link the account, before anything is stored. `false`
   * shows the error page `not_allowed`; an https URL, or a path of this service, redirects there.
   */
  signIn?: (input: SignInCallbackInput) => Awaitable<boolean | string>
  /**
   * Returns claims to add to a token or to userinfo, of at most 4 KiB as JSON. Claims of the
   * protocol, such as `sub` or `aud`, cannot be set.
   */
  claims?: (input: ClaimsCallbackInput) => Awaitable<Readonly<Record<string, unknown>> | undefined>
  /**
   * Decides where users return to after a sign-in or sign-out. It is called with an allowed
   * address: `true` keeps it, `false` rejects it, and another address replaces it if that is
   * allowed too.
   */
  redirect?: (input: RedirectCallbackInput) => Awaitable<boolean | string>
}

export function callbacksSchema() {
  return z.strictObject({
    signIn: callback,
    claims: callback,
    redirect: callback,
  } satisfies Shape<Callbacks>)
}
