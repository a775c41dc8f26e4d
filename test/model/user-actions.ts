import * as fc from 'fast-check'
import type { UserObject } from '../../src/core/users/user-object.ts'
import { DAY } from '../clock.ts'
import {
  ACCESS_TOKEN_LIFETIME,
  ATTEMPT_LIFETIME,
  type AuthorizationRequest,
  FIRST_PARTY,
  type Mistake,
  type ModelAttempt,
  type ModelDisconnection,
  now,
  type Observation,
  THIRD_PARTY,
  type UserModel,
} from './user-model.ts'

/**
 * The object itself, or a stub of it: calls through stubs arrive like those of different requests.
 */
export type Callable = UserObject | DurableObjectStub<UserObject>

/** A call of the object, and what the model says about it. */
export interface Step {
  /** Makes the same change to the model and returns the result that the object must return. */
  expect(model: UserModel): unknown
  call(object: Callable): Promise<unknown>
}

/**
 * Something that can happen to a user. Chooses its step when it happens; `undefined` if it cannot
 * happen.
 */
export interface Action {
  name: string
  prepare(model: UserModel): Step | undefined
}

const ACCOUNTS = [
  { provider: 'tiktok', issuer: '', accountId: 'a' },
  { provider: 'gitlab', issuer: 'https://git.example', accountId: 'b' },
] as const

const CLIENTS = [FIRST_PARTY, THIRD_PARTY] as const

const SCOPES = [['openid'], ['openid', 'offline_access'], ['openid', 'profile', 'offline_access']]
/** The scopes that users may decline. */
const OPTIONAL = ['profile', 'offline_access']

/** Around every limit of the model, in seconds. */
const SHORT_PAUSES = [1, 10, 19, 20, 21]
const PAUSES = [59, 60, 61, 300, 599, 600, 601]
const LONG_PAUSES = [DAY, 7 * DAY - 1, 7 * DAY, 23 * DAY, 30 * DAY - 1, 30 * DAY, 335 * DAY]

/** How long ago a prompt may be, where a client requires one. */
const RECENT = 120 // seconds

const USER = { id: 'usr_model' as const, name: 'Model' }
const REDIRECT_URI = 'https://app.example/callback'
const CHALLENGE = 'challenge'

const browsers = fc.nat({ max: 2 })
const accounts = fc.constantFrom(...ACCOUNTS.map(accountKey))
const clients = fc.constantFrom(...CLIENTS)
const scopes = fc.constantFrom(...SCOPES)
const deselections = fc.subarray(OPTIONAL)
/** Which of the things that exist by then. Recent ones are more interesting. */
const choices = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.nat({ max: 9 }) },
)
/** A cookie: mostly that of an active session, sometimes one of a session that has ended. */
const cookies = fc.record({ isActive: oneIn(6).map((isRare) => !isRare), choice: choices })
/** The key that a client proves with a code or refresh token, if any. */
const keys = fc.constantFrom(undefined, undefined, 'own key', 'own key', 'other key')
const mistakes = (...possible: Mistake[]) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant<Mistake>('none') },
    { weight: 1, arbitrary: fc.constantFrom<Mistake>(...possible) },
  )

/** True once in so many cases. */
function oneIn(number: number): fc.Arbitrary<boolean> {
  return fc.nat({ max: number - 1 }).map((value) => value === 0)
}

/** The digest of the secret in the chosen cookie, if there is one. */
function sessionDigest(
  model: UserModel,
  cookie: { isActive: boolean; choice: number },
): string | undefined {
  const digests = cookie.isActive
    ? model.sessions.map(({ secretDigest }) => secretDigest)
    : [...model.cookies.values()]
  return choose(digests, cookie.choice)
}

/** A sign-in without interruption. */
const signIn = fc
  .record({ browser: browsers, account: accounts, isPrompted: fc.boolean() })
  .map((input) => ({
    name: `sign in with ${input.account} in browser ${input.browser}`,
    prepare: (model: UserModel) => openSession(model, claim(model, input)),
  }))

/** A sign-in whose callback is delayed after the directory has found the user. */
const startSignIn = fc
  .record({ browser: browsers, account: accounts, isPrompted: fc.boolean() })
  .map((input) => ({
    name: `find the user of ${input.account} for browser ${input.browser}`,
    prepare: (model: UserModel) => {
      const attempt = claim(model, input)
      return outsideOfObject((state) => {
        state.attempts.push(attempt)
      })
    },
  }))

/** The delayed callback continues, or the same attempt is used again. */
const finishSignIn = choices.map((choice) => ({
  name: `finish sign-in ${choice}`,
  prepare: (model: UserModel) => {
    const attempt = choose(model.attempts, choice)
    return attempt && attempt.expiresAt > now() ? openSession(model, attempt) : undefined
  },
}))

const signOut = cookies.map((cookie) => ({
  name: `sign out (${describe(cookie)})`,
  prepare: (model: UserModel) => {
    const secretDigest = sessionDigest(model, cookie)
    if (secretDigest === undefined) return undefined
    return voidStep(
      (object) => object.endSession(secretDigest),
      (state) => state.endSessions((session) => session.secretDigest === secretDigest),
    )
  },
}))

const signOutElsewhere = choices.map((choice) => ({
  name: `sign out everywhere else (session ${choice})`,
  prepare: (model: UserModel) => {
    const secretDigest = sessionDigest(model, { isActive: true, choice })
    if (secretDigest === undefined) return undefined
    return voidStep(
      (object) => object.endOtherSessions(secretDigest),
      (state) => state.endOtherSessions(secretDigest),
    )
  },
}))

const endSessionById = choices.map((choice) => ({
  name: `end session ${choice} from the account page`,
  prepare: (model: UserModel) => {
    const sid = choose(model.sessions, choice)?.sid ?? 'ses_unknown'
    return voidStep(
      (object) => object.endSessionById(sid),
      (state) => state.endSessions((session) => session.sid === sid),
    )
  },
}))

/** An app requests a logout for a session, which may have ended. */
const endOrphanedGrants = choices.map((choice) => ({
  name: `request the logout of grant ${choice}`,
  prepare: (model: UserModel) => {
    const sid = choose(model.grants, choice)?.sid ?? 'ses_unknown'
    return voidStep(
      (object) => object.endOrphanedGrants(sid),
      (state) => state.endOrphanedGrants(sid),
    )
  },
}))

const authorize = fc
  .record({
    cookie: cookies,
    clientId: clients,
    scope: scopes,
    requiresPrompt: oneIn(6),
    forceConsent: oneIn(6),
    isSilent: oneIn(3),
  })
  .map(({ cookie, requiresPrompt, ...request }) => ({
    name: `authorize ${request.clientId} for ${request.scope.join(' ')} (${describe(cookie)})`,
    prepare: (model: UserModel) => {
      const secretDigest = sessionDigest(model, cookie)
      if (secretDigest === undefined) return undefined
      const promptedSince = requiresPrompt ? now() - RECENT : 0
      return requestCode(secretDigest, { ...request, promptedSince, grantId: newGrantId() })
    },
  }))

/**
 * The code flow of the operator's own app. These are two calls, so something else may happen
 * between them.
 */
export const codeFlows: fc.Arbitrary<Action> = fc
  .record({ choice: choices, scope: scopes, key: keys })
  .map(({ choice, scope, key }) => ({
    name: `get tokens for ${scope.join(' ')} (session ${choice}, ${key})`,
    prepare: (model: UserModel) => {
      const secretDigest = sessionDigest(model, { isActive: true, choice })
      if (secretDigest === undefined) return undefined
      const grantId = newGrantId()
      const steps = [
        requestCode(secretDigest, {
          clientId: FIRST_PARTY,
          scope,
          grantId,
          promptedSince: 0,
          forceConsent: false,
          isSilent: false,
        }),
        redeemCode({ grantId, clientId: FIRST_PARTY, mistake: 'none', key }),
      ]
      return {
        call: async (object: Callable) => {
          const results = []
          for (const step of steps) results.push(await step.call(object))
          return results
        },
        expect: (state: UserModel) => steps.map((step) => step.expect(state)),
      }
    },
  }))

const consent = fc
  .record({ cookie: cookies, clientId: clients, scope: scopes, deselected: deselections })
  .map(({ cookie, clientId, scope: requested, deselected }) => {
    const declined = requested.filter((value) => deselected.includes(value))
    const scope = requested.filter((value) => !declined.includes(value))
    return { cookie, clientId, scope, declined }
  })
  .map(({ cookie, clientId, scope, declined }) => ({
    name: `consent to ${clientId} for ${scope.join(' ')}, without ${declined.join(' ')} (${describe(cookie)})`,
    prepare: (model: UserModel) => {
      const secretDigest = sessionDigest(model, cookie)
      if (secretDigest === undefined) return undefined
      return {
        call: async (object: Callable) =>
          object.grantConsent(secretDigest, clientId, { scope, resources: [], declined }),
        expect: (state: UserModel) =>
          state.grantConsent(secretDigest, clientId, { scope, declined }),
      }
    },
  }))

const removeClient = clients.map((clientId) => ({
  name: `remove ${clientId} on the account page`,
  prepare: () =>
    voidStep(
      (object) => object.revokeClient(clientId),
      (state) => state.revokeClient(clientId),
    ),
}))

const redeem = fc
  .record({
    isReplay: oneIn(4),
    choice: choices,
    mistake: mistakes('secret', 'client', 'redirect_uri', 'verifier'),
    key: keys,
  })
  .map(({ isReplay, choice, mistake, key }) => ({
    name: `redeem ${isReplay ? 'any' : 'unspent'} code ${choice} (mistake: ${mistake}, ${key})`,
    prepare: (model: UserModel) => {
      const unspent = model.grants.flatMap(({ id, generation }) => (generation === 0 ? id : []))
      const grantId = choose(isReplay ? model.codes : unspent, choice)
      if (!grantId) return undefined
      const clientId = model.owners.get(grantId) ?? FIRST_PARTY
      return redeemCode({ grantId, clientId, mistake, key })
    },
  }))

const refresh = fc
  .record({ choice: choices, mistake: mistakes('secret', 'client', 'scope'), key: keys })
  .map(({ choice, mistake, key }) => ({
    name: `use refresh token ${choice} (mistake: ${mistake}, ${key})`,
    prepare: (model: UserModel) => {
      const token = choose(model.refreshTokens, choice)
      if (!token) return undefined
      return {
        call: async (object: Callable) => {
          const result = await object.rotateRefreshToken({
            ...presented(token.grantId, model.owners.get(token.grantId) ?? FIRST_PARTY, mistake),
            generation: token.generation,
            scope: mistake === 'scope' ? ['email'] : [],
            resources: [],
            key: prove(key),
          })
          return 'rejected' in result ? 'rejected' : `issued ${result.generation}`
        },
        expect: (state: UserModel) => state.refresh(token, mistake, key),
      }
    },
  }))

const revokeGrant = fc
  .record({ choice: choices, clientId: clients })
  .map(({ choice, clientId }) => ({
    name: `${clientId} revokes grant ${choice}`,
    prepare: (model: UserModel) => {
      const grantId = choose(model.codes, choice)
      if (!grantId) return undefined
      return {
        call: async (object: Callable) => object.endGrant(grantId, clientId),
        expect: (state: UserModel) => state.revokeGrant(grantId, clientId),
      }
    },
  }))

/** By the user or, through the webhook, by the platform. */
const disconnect = fc
  .record({ account: accounts, isWebhook: fc.boolean() })
  .map(({ account, isWebhook }) => ({
    name: `disconnect ${account}${isWebhook ? ' by webhook' : ''}`,
    prepare: (model: UserModel) => deliver(unlink(model, account), isWebhook),
  }))

/** The directory has disconnected the account, but the call to the object is delayed. */
const startDisconnect = accounts.map((account) => ({
  name: `disconnect ${account} in the directory`,
  prepare: (model: UserModel) => {
    const disconnection = unlink(model, account)
    return outsideOfObject((state) => {
      state.disconnections.push(disconnection)
    })
  },
}))

const finishDisconnect = choices.map((choice) => ({
  name: `finish disconnection ${choice}`,
  prepare: (model: UserModel) => {
    const disconnection = choose(model.disconnections, choice)
    return disconnection && deliver(disconnection, false)
  },
}))

const deleteUserData = fc.constant({
  name: 'delete the user',
  prepare: () =>
    voidStep(
      (object) => object.deleteUserData(ACCOUNTS),
      (state) => state.deleteUserData(),
    ),
})

const block = fc.constant({
  name: 'block the user',
  prepare: () =>
    voidStep(
      (object) => object.block(),
      (state) => state.block(),
    ),
})

const unblock = fc.constant({
  name: 'unblock the user',
  prepare: () =>
    voidStep(
      async (object) => object.unblock(),
      (state) => state.unblock(),
    ),
})

/** Everything that can happen at the same time as something else. */
export const actions: fc.Arbitrary<Action> = fc.oneof(
  { weight: 12, arbitrary: signIn },
  { weight: 3, arbitrary: startSignIn },
  { weight: 3, arbitrary: finishSignIn },
  { weight: 2, arbitrary: signOut },
  { weight: 1, arbitrary: signOutElsewhere },
  { weight: 1, arbitrary: endSessionById },
  { weight: 1, arbitrary: endOrphanedGrants },
  { weight: 12, arbitrary: authorize },
  { weight: 6, arbitrary: consent },
  { weight: 1, arbitrary: removeClient },
  { weight: 12, arbitrary: redeem },
  { weight: 20, arbitrary: refresh },
  { weight: 2, arbitrary: revokeGrant },
  { weight: 2, arbitrary: disconnect },
  { weight: 1, arbitrary: startDisconnect },
  { weight: 1, arbitrary: finishDisconnect },
  { weight: 1, arbitrary: deleteUserData },
  { weight: 1, arbitrary: block },
  { weight: 3, arbitrary: unblock },
)

/** How many seconds pass. */
export const pauses = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...SHORT_PAUSES) },
  { weight: 1, arbitrary: fc.constantFrom(...PAUSES) },
  { weight: 1, arbitrary: fc.constantFrom(...LONG_PAUSES) },
)

/** What can be seen of the object, as far as these grants are concerned. */
export function observe(object: UserObject, grantIds: readonly string[]): Observation {
  const { sessions, consents } = object.readOverview('')
  return {
    sids: sessions.map(({ sid }) => sid).sort(),
    grants: grantIds.filter((id) => object.readGrant(id) !== undefined).sort(),
    consents: consents
      .map(({ clientId, scope }): [string, string[]] => [clientId, [...scope].sort()])
      .sort(([a], [b]) => a.localeCompare(b)),
  }
}

function newGrantId(): string {
  return `gnt_${crypto.randomUUID()}`
}

function requestCode(secretDigest: string, request: AuthorizationRequest): Step {
  return {
    call: async (object) => (await object.authorize(secretDigest, toGrantRequest(request))).kind,
    expect: (model) => model.authorize(secretDigest, request),
  }
}

interface PresentedCode {
  grantId: string
  clientId: string
  mistake: Mistake
  key: string | undefined
}

function redeemCode({ grantId, clientId, mistake, key }: PresentedCode): Step {
  return {
    call: async (object) => {
      const result = await object.redeemCode({
        ...presented(grantId, clientId, mistake),
        redirectUri: mistake === 'redirect_uri' ? 'https://other.example/' : REDIRECT_URI,
        challenge: mistake === 'verifier' ? 'another challenge' : CHALLENGE,
        resources: [],
        key: prove(key),
      })
      return 'rejected' in result ? 'rejected' : 'issued'
    },
    expect: (model) => model.redeem(grantId, mistake, key),
  }
}

/** The directory finds the user's account for an attempt. */
function claim(
  { directoryTime }: UserModel,
  attempt: Pick<ModelAttempt, 'browser' | 'account' | 'isPrompted'>,
): ModelAttempt {
  return {
    ...attempt,
    id: crypto.randomUUID(),
    claimedAt: directoryTime + 1,
    expiresAt: now() + ATTEMPT_LIFETIME,
  }
}

function unlink({ directoryTime }: UserModel, account: string): ModelDisconnection {
  return { account, disconnectedAt: directoryTime + 1 }
}

function openSession(model: UserModel, attempt: ModelAttempt): Step {
  const opening = {
    secretDigest: crypto.randomUUID(),
    sid: `ses_${crypto.randomUUID()}`,
    replaces: model.cookies.get(attempt.browser) ?? '',
  }
  const { account, isPrompted, claimedAt } = attempt
  return {
    call: async (object) => {
      const session = await object.openSession({
        ...opening,
        attempt: attempt.id,
        user: USER,
        account,
        level: isPrompted ? 'prompted' : 'silent',
        claimedAt,
      })
      return session ? 'opened' : 'rejected'
    },
    expect: (state) => {
      state.directoryTime = Math.max(state.directoryTime, claimedAt)
      return state.openSession(attempt, opening)
    },
  }
}

function deliver(disconnection: ModelDisconnection, isWebhook: boolean): Step | undefined {
  const account = ACCOUNTS.find((one) => accountKey(one) === disconnection.account)
  if (!account) return undefined
  return voidStep(
    (object) =>
      object.disconnect(account, disconnection.disconnectedAt, isWebhook ? [] : [account]),
    (state) => {
      state.directoryTime = Math.max(state.directoryTime, disconnection.disconnectedAt)
      state.disconnect(disconnection)
    },
  )
}

/** A step that the object does not notice. */
function outsideOfObject(change: (model: UserModel) => void): Step {
  return {
    call: async () => undefined,
    expect: (model) => {
      model.directoryTime += 1
      change(model)
    },
  }
}

/** A call that returns nothing, whatever it finds. */
function voidStep(call: (object: Callable) => unknown, change: (model: UserModel) => void): Step {
  return {
    call: async (object) => {
      await call(object)
    },
    expect: change,
  }
}

/** A new proof of this key by a public client. */
function prove(key: string | undefined) {
  if (key === undefined) return undefined
  const proof = { id: crypto.randomUUID(), expiresAt: now() + 60 }
  return { thumbprint: key, proof, bindsRefreshTokens: true, rotatesRefreshTokens: true }
}

/** What a client presents with a code or refresh token of this grant. */
function presented(grantId: string, owner: string, mistake: Mistake) {
  const other = CLIENTS.find((clientId) => clientId !== owner) ?? owner
  return {
    grantId,
    secretDigest: mistake === 'secret' ? 'wrong' : handleDigest(grantId),
    clientId: mistake === 'client' ? other : owner,
    limits: { scope: ['openid', 'profile', 'email', 'offline_access'], resources: [] },
  }
}

function toGrantRequest(request: AuthorizationRequest) {
  const { clientId, scope, grantId, promptedSince, forceConsent, isSilent } = request
  // Requests that need no prompt have no time.
  const since = promptedSince > 0 ? promptedSince : undefined
  return {
    authenticatedSince: since,
    promptedSince: since,
    subject: undefined,
    acr: undefined,
    acrRequestedAt: undefined,
    isSilent,
    forceConsent,
    consent:
      clientId === FIRST_PARTY
        ? undefined
        : {
            scope,
            resources: [],
            optional: scope
              .filter((name) => OPTIONAL.includes(name))
              .map((name) => ({ entry: name, name, claims: [] })),
          },
    upstreamScope: [],
    grantId,
    secretDigest: handleDigest(grantId),
    terms: {
      clientId,
      redirectUri: REDIRECT_URI,
      scope,
      resources: [],
      accessTokenLifetime: ACCESS_TOKEN_LIFETIME,
      claims: { userinfo: [], id_token: [] },
      nonce: undefined,
      codeChallenge: CHALLENGE,
    },
  }
}

function handleDigest(grantId: string): string {
  return `digest of the secret of ${grantId}`
}

function describe({ isActive, choice }: { isActive: boolean; choice: number }): string {
  return `${isActive ? 'active session' : 'cookie'} ${choice}`
}

function accountKey(account: (typeof ACCOUNTS)[number]): string {
  return `${account.provider} ${account.issuer} ${account.accountId}`
}

/** The newest is number 0. */
function choose<T>(things: readonly T[], choice: number): T | undefined {
  return things.length > 0 ? things.at(-1 - (choice % things.length)) : undefined
}
