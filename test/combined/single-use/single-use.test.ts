import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { PURPOSES } from '../../../src/foundation/crypto/seal.ts'
import { Browser } from '../../browser.ts'
import { advanceClock, setClock, stopClock } from '../../clock.ts'
import { wrongCode } from '../../features/email/email-browser.ts'
import * as clients from './clients.ts'
import { Deployment, MESSAGE_LIFETIME, sealedByFeatures } from './deployment.ts'
import * as grants from './grants.ts'
import { logoutToken } from './logout-token.ts'
import * as proofs from './proofs.ts'
import * as sdk from './sdk.ts'
import * as signIns from './sign-ins.ts'
import type { SingleUse } from './single-use.ts'

/*
 * Everything that may be used once, and the ways in which it could be used twice. What uses something
 * up in src, or seals it, needs a row here, or a reason why it has none.
 */

const THINGS = {
  'a code [C1][C4]': grants.authorizationCode,
  'a refresh token [D3]': grants.refreshToken,
  'a device code [C1]': grants.deviceCode,
  'a pushed request': grants.pushedRequest,
  'a pushed request that a browser has opened': grants.openedRequest,
  'a proof for a code': proofs.proofForCode,
  'a proof with a nonce for a code': proofs.proofWithNonceForCode,
  'a proof for a refresh token': proofs.proofForRefreshToken,
  'a proof of a machine': proofs.proofOfMachine,
  'a proof for a pushed request': proofs.proofForPushedRequest,
  'a proof for userinfo': proofs.proofForUserinfo,
  'an early proof for userinfo': proofs.earlyProofForUserinfo,
  'a proof with a nonce for userinfo': proofs.proofWithNonceForUserinfo,
  'a proof for an API': proofs.proofForApi,
  'an early proof for an API': proofs.earlyProofForApi,
  'a proof with a nonce for an API': proofs.proofWithNonceForApi,
  'an assertion of a client [C21]': clients.clientAssertion,
  'the longest assertion of a client [C21]': clients.longAssertion,
  'a nonce of an SDK [K4][K5]': sdk.nonceOfSdk,
  'an ID token of an SDK [K5]': sdk.idTokenOfSdk,
  'an early ID token of an SDK [K5]': sdk.earlyIdTokenOfSdk,
  'a code of TikTok [K5]': sdk.codeOfTikTok,
  'a code by email [U2]': signIns.emailCode,
  'a link by email [U5]': signIns.emailLink,
  'a code by email, and the link': signIns.emailCodeAndLink,
  'a recovery code': signIns.recoveryCode,
  'a code of an authenticator app': signIns.appCode,
  'an authenticator app that a page offers': signIns.offeredApp,
  'the challenge of a passkey [W5]': signIns.passkeyChallenge,
  'the challenge of a new passkey [W5]': signIns.passkeyCreation,
  'an attempt [K1][Q1]': signIns.attempt,
  'an attempt whose session has ended [Q1]': signIns.attemptOfEndedSession,
  'an attempt that links an account [S6]': signIns.linkingAttempt,
  'an attempt that a phone has lost': signIns.lostAttempt,
  'a logout token': logoutToken,
} as const satisfies Record<string, SingleUse>

type Thing = keyof typeof THINGS

/** The files of src that use something up, and have no row. */
const WITHOUT_ROW: Record<string, string> = {
  'core/limits/use-once.ts': 'It is called by the others.',
  'core/signin/sign-in-failure.ts': 'It counts an attempt that has failed, which gives nothing.',
  'features/email/code-guard.ts': 'It declares what routes.tsx there calls.',
  'features/qr-sign-in/sign-in.tsx': 'An attempt, whose code the platform returns once.',
}

/** What is sealed for browsers and clients: the row, or why it can be used more than once. */
const SEALED: Record<string, Thing | { reason: string }> = {
  session: { reason: 'The cookie of a session, for as long as that exists.' },
  pending: { reason: 'The cookie of a session that waits for a step.' },
  attempt: 'an attempt [K1][Q1]',
  interaction: { reason: 'It continues a request, which can be repeated unless it was pushed.' },
  csrf: { reason: 'It belongs to a browser.' },
  keyring: { reason: 'It stays in storage.' },
  proxy: { reason: 'The state of an attempt at another deployment.' },
  code: 'a code [C1][C4]',
  refresh: 'a refresh token [D3]',
  link: { reason: 'It proves that a page of ours was opened, to link an account with an attempt.' },
  state: 'an attempt that a phone has lost',
  known: { reason: 'The accounts that a browser has used.' },
  notice: { reason: 'A text that is shown, and deleted from the browser.' },
  entered: { reason: 'What was entered into a form, and is deleted from the browser.' },
  server: { reason: 'The cookies of apps, see vestibule-auth/server.' },
  live: { reason: 'It shows the live view of the console for some time.' },
  device: 'a device code [C1]',
  challenge: 'a nonce of an SDK [K4][K5]',
  account: { reason: 'The tokens of a provider, which stay in storage.' },
  pushed: 'a pushed request',
  dpop: { reason: 'A nonce is for any number of proofs, each of which is used once.' },
  webhook: { reason: 'It stays in storage.' },
  email: 'a link by email [U5]',
  totp: { reason: 'It stays in storage.' },
  'totp-offer': 'an authenticator app that a page offers',
}

/** One thing at a deployment. */
class Cell {
  readonly deployment = new Deployment()
  readonly isolate = this.deployment.isolate
  readonly thing: SingleUse
  #obtainedAt = 0

  constructor(thing: SingleUse) {
    this.thing = thing
  }

  async obtain() {
    const use = await this.thing.obtain(this.deployment)
    this.#obtainedAt = Date.now() / 1000
    return use
  }

  goToLastMoment(): void {
    const { lifetime, margin = 1 } = this.thing
    setClock(this.#obtainedAt + lifetime - margin)
  }

  goToEnd(): void {
    setClock(this.#obtainedAt + this.thing.lifetime)
  }

  /** What must be given the second time, so many seconds after the first. */
  repeated(first: string | undefined, seconds = 0): string | undefined {
    const [period = 0] = this.thing.repeatable ?? []
    return seconds < period ? first : undefined
  }
}

/** The column that something without an end does not have. */
const EXPIRED = 'used after it has expired, for the first time, or again after the clean-up'

/** How something is presented, and what must come of it. */
const COLUMNS: Record<string, (cell: Cell) => Promise<void>> = {
  async 'used again at once, and after another one'(cell) {
    const [use, useOther] = [await cell.obtain(), await cell.obtain()]

    const first = await use(cell.isolate)
    const again = await use(cell.isolate)
    const other = await useOther(cell.isolate)
    const afterOther = await use(cell.isolate)

    expect(first).toBeDefined()
    expect(again).toBe(cell.repeated(first))
    expect(other).toBeDefined()
    expect(afterOther).toBe(cell.repeated(first))
  },

  async 'used by twenty requests at the same time'(cell) {
    const use = await cell.obtain()

    const results = await Promise.all(Array.from({ length: 20 }, () => use(cell.isolate)))

    const accepted = results.filter((result) => result !== undefined)
    expect(accepted).toHaveLength(cell.thing.repeatable ? 20 : 1)
    expect(new Set(accepted).size).toBe(1)
  },

  async 'used again in another isolate, after a restart of all objects'(cell) {
    const use = await cell.obtain()
    const first = await use(cell.isolate)
    await cell.deployment.restartObjects()

    const again = await use(cell.deployment.newIsolate())

    expect(first).toBeDefined()
    expect(again).toBe(cell.thing.isLocal ? first : cell.repeated(first))
  },

  async 'used again at the last moment, after another one and the clean-up'(cell) {
    const use = await cell.obtain()
    const first = await use(cell.isolate)
    const usedAt = Date.now() / 1000
    cell.goToLastMoment()
    const now = Date.now() / 1000
    const useOther = await cell.thing.obtain(cell.deployment)
    await useOther(cell.isolate)
    setClock(now)
    await cell.deployment.cleanUp()

    const again = await use(cell.isolate)

    expect(first).toBeDefined()
    expect(again).toBe(cell.repeated(first, now - usedAt))
  },

  async 'used for the first time at the last moment'(cell) {
    const use = await cell.obtain()
    cell.goToLastMoment()

    const first = await use(cell.isolate)
    const again = await use(cell.isolate)

    expect(first).toBeDefined()
    expect(again).toBe(cell.repeated(first))
  },

  async [EXPIRED](cell) {
    const [useUsed, use] = [await cell.obtain(), await cell.obtain()]
    const first = await useUsed(cell.isolate)
    cell.goToEnd()

    const results = [await use(cell.isolate)]
    await cell.deployment.cleanUp()
    results.push(await useUsed(cell.isolate))

    expect(first).toBeDefined()
    expect(results).toEqual([undefined, undefined])
  },
}

beforeEach(() => {
  stopClock()
})

describe.each(Object.entries<SingleUse>(THINGS))('%s', (_, thing) => {
  const columns = Object.entries(COLUMNS).filter(
    ([column]) => !thing.hasNoEnd || column !== EXPIRED,
  )

  it.each(columns)('%s', async (_column, check) => {
    await check(new Cell(thing))
  })

  if (!thing.repeatable) return
  const [seconds] = thing.repeatable

  it.each([
    [seconds - 1, true],
    [seconds, false],
  ])('used again %i s later is accepted: %s', async (later, isAccepted) => {
    const cell = new Cell(thing)
    const use = await cell.obtain()
    const first = await use(cell.isolate)
    advanceClock(later)

    expect(await use(cell.isolate)).toBe(isAccepted ? first : undefined)
  })
})

const sealedThings = Object.entries(SEALED).flatMap(([purpose, row]) =>
  typeof row === 'string' ? [[row, purpose, THINGS[row] as SingleUse] as const] : [],
)

describe.each(sealedThings)('%s, sealed for %s', (_, _purpose, thing) => {
  const AUTH_SECRET = 'Zq7LmX2vT9cR4bN8kWj5HsYp1GdFa3EuQ6iOtKyCxVw'
  const former = env.AUTH_SECRET

  it.each([
    ['accepted', 'replaced', { AUTH_SECRET, AUTH_SECRET_1: former }],
    ['rejected', 'leaked', { AUTH_SECRET, AUTH_SECRET_LEAKED: former }],
    [
      'rejected',
      'leaked, also if it is still listed as replaced',
      {
        AUTH_SECRET,
        AUTH_SECRET_1: former,
        AUTH_SECRET_LEAKED: former,
      },
    ],
  ])('is %s once AUTH_SECRET was %s', async (result, _how, settings) => {
    const cell = new Cell(thing)
    const use = await cell.obtain()

    const used = await use(cell.deployment.newIsolate(settings))

    expect(used === undefined ? 'rejected' : 'accepted').toBe(result)
  })
})

describe('guesses of a code by email', () => {
  it('[U2] are counted until it expires, also after the clean-up', async () => {
    const deployment = new Deployment()
    const { browser, code, sendCode } = await signIns.requestCode(deployment)
    const earlier = new Browser(deployment.isolate).withCookiesOf(browser)
    for (let guess = 0; guess < 5; guess += 1) await sendCode(browser, wrongCode(code))
    advanceClock(MESSAGE_LIFETIME - 1)
    await deployment.cleanUp()

    await sendCode(earlier)

    expect(await earlier.session()).toBeNull()
  })
})

const sources = import.meta.glob<string>('../../../src/{core,features,libraries}/**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** A call of something that uses up what it gets, and not its definition. */
const USES_UP =
  /(?<!function )(?<!async )\b(?:useOnce|useDigestOnce|tryCode|tryRecoveryCode|takeAttempt|redeemHandle|spendOffer|new UsedProofs|new UsedAttempts)\(/

describe('the table', () => {
  it('has a row for everything that src uses up', () => {
    const usingUp = Object.entries(sources)
      .filter(([, source]) => USES_UP.test(source))
      .map(([path]) => path.replace('../../../src/', ''))

    const rows = Object.values<SingleUse>(THINGS).flatMap(({ usedUpBy }) => usedUpBy)
    const known = new Set([...rows, ...Object.keys(WITHOUT_ROW)])
    expect(usingUp.toSorted()).toEqual([...known].toSorted())
  })

  it('says of everything that is sealed whether it is used once', () => {
    const sealed = [...PURPOSES, ...sealedByFeatures]

    expect(Object.keys(SEALED).toSorted()).toEqual(sealed.toSorted())
  })
})
