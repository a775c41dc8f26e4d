import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { deleteUserCompletely } from '../../../src/core/users/remove-user.ts'
import {
  blockUser,
  readUserDetails,
  unblockUser,
} from '../../../src/features/admin/users/manage-users.ts'
import { Browser, serviceWith, standIn } from '../../browser.ts'
import { getUserinfo, OFFLINE_ACCESS, RelyingApp } from '../../core/oidc/relying-app.ts'
import { readConfig } from '../../deployment.ts'
import { signInNewUser } from '../../new-user.ts'
import { level } from '../../soak/level.ts'
import { closeFilesOfObjects } from '../../storage.ts'

/** Each round is a new user. */
const ROUNDS = level.block

/** Enough for a busy machine. */
const TIMEOUT = { timeout: 600_000 } // milliseconds

/** Of each kind; four kinds are sent at the same time. */
const REQUESTS = 5

const config = readConfig(env)
const origin = { actor: 'usr_admin' }
const app = new RelyingApp('shop')

/** The longest delay of a call to a user's object: about as long as a block takes. */
const MAX_DELAY = 40 // milliseconds

let callCount = 0

/**
 * The service with calls to users' objects that take different times, as in a network. Otherwise
 * what a request has read in D1 is never outdated when it reaches the object.
 */
const service = serviceWith({
  USERS: new Proxy(env.USERS, {
    get(namespace, name) {
      const member = Reflect.get(namespace, name)
      if (name !== 'get') return member.bind(namespace)
      return (id: DurableObjectId) =>
        new Proxy(namespace.get(id), {
          get:
            (stub, method) =>
            async (...input: unknown[]) => {
              await sleep((callCount++ * 7) % MAX_DELAY)
              return Reflect.apply(Reflect.get(stub, method), stub, input)
            },
        })
    },
  }),
})

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** What a user's browsers and apps hold before the race: enough for twenty requests. */
async function prepareRequests() {
  // The stand-in limits the calls of one app per minute, as the platform does.
  await standIn.post('reset', {})
  const { browser, handle, userId } = await signInNewUser(new Browser(service))
  const refreshTokens: string[] = []
  const codes: URL[] = []
  const callbacks: [browser: Browser, url: string][] = []
  for (let count = 0; count < REQUESTS; count++) {
    refreshTokens.push((await app.tokens(browser, OFFLINE_ACCESS)).refresh_token ?? '')
    codes.push(await app.callbackFor(browser, OFFLINE_ACCESS))
    const other = new Browser(service)
    callbacks.push([other, await other.approve(await other.start(), handle)])
  }
  const authorizationUrl = await app.authorizationUrl(OFFLINE_ACCESS)
  /** Twenty requests of which each would be issued something. */
  const sendAll = () => [
    ...refreshTokens.map((refresh_token) =>
      app.requestTokens({ grant_type: 'refresh_token', refresh_token }),
    ),
    ...codes.map((code) => app.requestTokens(app.codeExchangeForm(code))),
    ...Array.from({ length: REQUESTS }, () => browser.get(authorizationUrl)),
    ...callbacks.map(([other, url]) => other.get(url)),
  ]
  return { userId, handle, browsers: [browser, ...callbacks.map(([other]) => other)], sendAll }
}

type Prepared = Awaited<ReturnType<typeof prepareRequests>>

/** What was issued by requests that were in flight: tokens, and authorization codes. */
async function issued(responses: readonly Response[]) {
  const tokens: { access_token: string; refresh_token: string }[] = []
  const codes: URL[] = []
  for (const response of responses) {
    const location = URL.parse(response.headers.get('Location') ?? '')
    if (location?.searchParams.has('code')) codes.push(location)
    if (response.headers.get('Content-Type')?.startsWith('application/json')) {
      const body = await response.json<{ access_token?: string; refresh_token?: string }>()
      const { access_token, refresh_token } = body
      if (access_token && refresh_token) tokens.push({ access_token, refresh_token })
    }
  }
  return { tokens, codes }
}

/**
 * Nothing that the user, their browsers or their apps hold is accepted, and nothing new is issued.
 */
async function expectNothingIssued(
  { userId, handle, browsers, sendAll }: Prepared,
  inFlight: readonly Response[],
) {
  const { tokens, codes } = await issued(inFlight)
  for (const { access_token, refresh_token } of tokens) {
    expect((await getUserinfo(access_token)).status).toBe(401)
    const form = { grant_type: 'refresh_token', refresh_token }
    expect((await app.requestTokens(form)).status).toBe(400)
  }
  for (const code of codes) {
    expect((await app.requestTokens(app.codeExchangeForm(code))).status).toBe(400)
  }
  for (const browser of browsers) expect(await browser.session()).toBeNull()
  expect(await issued(await Promise.all(sendAll()))).toEqual({ tokens: [], codes: [] })
  const again = new Browser()
  expect((await again.signIn(handle)).status).toBe(403)
  expect(await again.session()).toBeNull()
  const details = await readUserDetails(env, readConfig(env), userId)
  expect(details).toMatchObject({ sessions: [], grants: [], blocked_at: expect.any(Number) })
}

describe('blocking a user while twenty requests are in flight', TIMEOUT, () => {
  it.each([0, 10, 20, 40])('leaves nothing that works, %i ms later', async (delay) => {
    const prepared = await prepareRequests()

    const inFlight = prepared.sendAll()
    await sleep(delay)
    await blockUser(env, config, { userId: prepared.userId, origin })
    const responses = await Promise.all(inFlight)

    await expectNothingIssued(prepared, responses)
  })

  it(`leaves nothing that works in each of ${ROUNDS} rounds in which it is also unblocked`, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const prepared = await prepareRequests()
      const { userId } = prepared

      const inFlight = prepared.sendAll()
      await blockUser(env, config, { userId, origin })
      await unblockUser(env, config, { userId, origin })
      const more = prepared.sendAll()
      await sleep((round * 7) % MAX_DELAY)
      await blockUser(env, config, { userId, origin })

      await expectNothingIssued(prepared, await Promise.all([...inFlight, ...more]))
      await unblockUser(env, config, { userId, origin })
      const browser = new Browser()
      await browser.signIn(prepared.handle)
      expect((await browser.session())?.user.id).toBe(userId)
      await closeFilesOfObjects(round + 1)
    }
  })
})

describe(
  'deleting a user while they are blocked and twenty requests are in flight',
  TIMEOUT,
  () => {
    it(`leaves nothing that works in each of ${ROUNDS} rounds`, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const prepared = await prepareRequests()
        const { userId, handle } = prepared

        const inFlight = prepared.sendAll()
        const changes = [
          blockUser(env, config, { userId, origin }),
          deleteUserCompletely(env, config, { userId, origin }),
        ]
        const [responses] = await Promise.all([Promise.all(inFlight), ...changes])

        const { tokens, codes } = await issued(responses)
        for (const { access_token } of tokens) {
          expect((await getUserinfo(access_token)).status).toBe(401)
        }
        for (const code of codes) {
          expect((await app.requestTokens(app.codeExchangeForm(code))).status).toBe(400)
        }
        // A callback that arrived after the deletion has created a new user, who is not blocked.
        const browser = new Browser()
        await browser.signIn(handle)
        const session = await browser.session()
        expect(session?.user.id).toMatch(/^usr_/)
        expect(session?.user.id).not.toBe(userId)
        expect(await readUserDetails(env, readConfig(env), userId)).toBeUndefined()
        await closeFilesOfObjects(round + 1)
      }
    })
  },
)
