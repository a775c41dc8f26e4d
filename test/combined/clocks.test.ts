import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { Browser, LOGIN } from '../browser.ts'
import { advanceClock, DAY, HOUR, MINUTE, setClock, stopClock } from '../clock.ts'
import { basic, bearer, RelyingApp } from '../core/oidc/relying-app.ts'
import { ProofKey } from '../features/sender-constrained/proof-key.ts'
import { errorCode } from '../html.ts'
import {
  AppBrowser,
  fetchLogin,
  service as loginOfApp,
  newInstance,
  restartService,
} from '../libraries/server/app-browser.ts'
import { OWN_PAGE } from '../link-account.ts'
import { signInNewUser } from '../new-user.ts'
import { redirectUrl } from '../redirect.ts'
import { API, isVerified, ORDERS } from './api.ts'
import { assertion } from './single-use/clients.ts'
import { Deployment } from './single-use/deployment.ts'
import { codeForm, grantOf, requestTokens } from './single-use/grants.ts'
import { idToken } from './single-use/sdk.ts'

/*
 * The clocks of clients, providers, APIs and apps are never exactly that of the service. Offsets are
 * in seconds; a positive one means that the other clock is ahead.
 */

const deployment = new Deployment()
const key = await ProofKey.create()

let now: number
beforeEach(() => {
  now = stopClock()
})

interface Clock {
  /** The smallest and the largest offset that is accepted, or a large one if there is no limit. */
  accepted: readonly [smallest: number, largest: number]
  /** Whether something of the other party is accepted, whose clock differs by so many seconds. */
  isAccepted(offset: number): Promise<boolean>
}

const UNLIMITED = DAY

/** Uses something that another party has created at its own time. */
async function isUsed({ obtain }: ReturnType<typeof assertion>, offset: number) {
  setClock(now + offset)
  const use = await obtain(deployment)
  setClock(now)
  return (await use(deployment.newIsolate())) !== undefined
}

/** A token of the client `web` for the API, or for userinfo, perhaps bound to the key. */
async function newToken({ resource, isBound = false }: { resource?: string; isBound?: boolean }) {
  const app = new RelyingApp('web')
  const callback = await app.callbackFor(await deployment.signedIn(), { resource })
  const form = app.codeExchangeForm(callback)
  const headers = { ...basic('web'), ...(isBound && { DPoP: await key.proof() }) }
  return (await requestTokens(deployment.newIsolate(), form, headers)).access_token ?? ''
}

const CLOCKS: Record<string, Clock> = {
  'a client that authenticates with an assertion for a minute': {
    accepted: [-69, 10],
    isAccepted: (offset) => isUsed(assertion(MINUTE), offset),
  },
  'a client that authenticates with an assertion for five minutes': {
    accepted: [-309, 10],
    isAccepted: (offset) => isUsed(assertion(5 * MINUTE), offset),
  },
  'a client that proves its key at the token endpoint': {
    accepted: [-60, 10],
    async isAccepted(offset) {
      const form = await codeForm(await deployment.signedIn())
      const headers = { DPoP: await key.proof({ iat: now + offset }) }
      return grantOf(await requestTokens(deployment.newIsolate(), form, headers)) !== undefined
    },
  },
  'a client that proves its key at userinfo': {
    accepted: [-60, 10],
    async isAccepted(offset) {
      const token = await newToken({ isBound: true })
      const url = `${LOGIN}/oidc/userinfo`
      const headers = await key.headers(url, token, { iat: now + offset })
      return (await deployment.newIsolate()(new Request(url, { headers }))).ok
    },
  },
  'a client that proves its key at an API': {
    accepted: [-60, 10],
    async isAccepted(offset) {
      const token = await newToken({ resource: API, isBound: true })
      return isVerified(
        await key.headers(ORDERS, token, { iat: now + offset }),
        deployment.newIsolate(),
      )
    },
  },
  'a provider whose SDK has returned an ID token': {
    accepted: [-5 * MINUTE, MINUTE],
    isAccepted: (offset) => isUsed(idToken(0), offset),
  },
  'an API that gets an access token': {
    accepted: [-UNLIMITED, 10 * MINUTE + 4],
    async isAccepted(offset) {
      const token = await newToken({ resource: API })
      setClock(now + offset)
      return isVerified(bearer(token), deployment.newIsolate())
    },
  },
  'an API that gets a session token': {
    accepted: [-UNLIMITED, 5 * MINUTE + 4],
    async isAccepted(offset) {
      const browser = await deployment.signedIn()
      const { token } = await browser.json<{ token: string }>('/api/auth/session?client_id=shop')
      setClock(now + offset)
      const options = { audience: 'shop', token: 'session' } as const
      return isVerified(bearer(token), deployment.newIsolate(), { options })
    },
  },
  'an API that requires a sign-in in the last minute': {
    accepted: [-UNLIMITED, MINUTE + 5],
    async isAccepted(offset) {
      const token = await newToken({ resource: API })
      setClock(now + offset)
      const requirements = { maxAge: MINUTE }
      return isVerified(bearer(token), deployment.newIsolate(), { requirements })
    },
  },
  'an app with vestibule-auth/server': {
    accepted: [-UNLIMITED, HOUR + 29],
    async isAccepted(offset) {
      restartService()
      const { browser } = await signInNewUser(new Browser(loginOfApp))
      const { login } = newInstance({
        async fetch(url, init) {
          setClock(now)
          const response = await fetchLogin(url, init)
          setClock(now + offset)
          return response
        },
      })
      const app = new AppBrowser()
      setClock(now + offset)
      const started = redirectUrl(await app.visit(login, '/auth/signin'), 303)
      setClock(now)
      const callback = redirectUrl(await browser.get(started.href), 303)
      setClock(now + offset)
      const isFinished = await app.visit(login, callback.href).then(
        ({ status }) => status === 303,
        () => false,
      )
      return isFinished && (await login.getSession(app.request('/'))) !== null
    },
  },
}

describe.each(Object.entries(CLOCKS))('%s', (_, { accepted: [smallest, largest], isAccepted }) => {
  const offsets: [number, boolean][] = [
    [smallest - 1, false],
    [smallest, true],
    [0, true],
    [largest, true],
    [largest + 1, false],
  ]

  it.each(offsets.filter(([offset]) => Math.abs(offset) <= UNLIMITED))(
    'whose clock differs by %i s is accepted: %s',
    async (offset, expected) => {
      expect(await isAccepted(offset)).toBe(expected)
    },
  )
})

/** What an app requests of the user's sign-in. */
const REQUESTS = {
  nothing: {},
  'prompt=login': { prompt: 'login' },
  'max_age=0': { max_age: '0' },
  'max_age=60': { max_age: '60' },
  'max_age=3600': { max_age: '3600' },
} as const satisfies Record<string, Record<string, string>>

interface Trip {
  request: keyof typeof REQUESTS
  /** The clock of the provider. */
  offset: number
  /** How long the user takes to sign in there, in seconds. */
  signInTakes?: number
  /** How long the browser takes to continue the request afterwards. */
  returnTakes?: number
}

/** What comes of a request that a user signs in for at a provider that sends `auth_time`. */
async function signInFor({ request, offset, signInTakes = 0, returnTakes = 0 }: Trip) {
  const isolate = deployment.newIsolate()
  const browser = new Browser(isolate)
  const app = new RelyingApp('shop')
  const page = redirectUrl(await browser.get(await app.authorizationUrl(REQUESTS[request])))
  const start = await browser.get(`/api/auth/signin/lenient${page.search}`, OWN_PAGE)
  const { searchParams } = redirectUrl(start, 302)
  advanceClock(signInTakes)
  const iat = Math.floor(Date.now() / 1000) + offset
  // The rest of the ID token is about its own lifetime, and far from its end.
  const claims = { sub: crypto.randomUUID(), iat, exp: now + DAY, auth_time: iat }
  const code = JSON.stringify({ nonce: searchParams.get('nonce'), claims })
  const query = new URLSearchParams({ code, state: searchParams.get('state') ?? '' })
  const finished = await browser.get(`/api/auth/callback/lenient?${query}`)
  if (finished.status !== 302) return errorCode(finished)
  advanceClock(returnTakes)
  const answer = redirectUrl(await browser.get(redirectUrl(finished).href))
  if (answer.origin === LOGIN) return 'signs in again'
  const tokens = await requestTokens(isolate, {
    client_id: 'shop',
    ...app.codeExchangeForm(answer),
  })
  const authTime = decodeJwt(tokens.id_token ?? '')['auth_time']
  return Number(authTime) - now
}

describe('a provider at which a user signs in for an app', () => {
  it.each<[Trip['request'], number, unknown]>([
    ['nothing', -HOUR, -HOUR],
    ['nothing', HOUR, 0],
    // The provider must have authenticated the user since it was requested to.
    ...(['prompt=login', 'max_age=0', 'max_age=60', 'max_age=3600'] as const).flatMap(
      (request): [Trip['request'], number, unknown][] => [
        [request, -61, 'provider_invalid'],
        [request, -60, 0],
        [request, -1, 0],
        [request, 0, 0],
        [request, 1, 0],
        [request, HOUR, 0],
      ],
    ),
  ])(
    'that requests %s, with a clock that differs by %i s, signs the user in at second %s',
    async (request, offset, expected) => {
      expect(await signInFor({ request, offset })).toBe(expected)
    },
  )

  it.each<[number, number, unknown]>([
    [0, 120, 90],
    [0, 121, 'signs in again'],
    [60, 120, 90],
    [60, 121, 'signs in again'],
    [-30, 90, 60],
    [-30, 91, 'signs in again'],
  ])(
    'with a clock that differs by %i s, and a browser that returns after %i s, signs the user in at second %s',
    async (offset, returnTakes, expected) => {
      const trip = { request: 'prompt=login', offset, signInTakes: 90, returnTakes } as const
      expect(await signInFor(trip)).toBe(expected)
    },
  )
})
