import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accountDigests } from '../account-digests.ts'
import { Browser, standIn } from '../browser.ts'
import { advanceClock, setClock } from '../clock.ts'
import { RelyingApp } from '../core/oidc/relying-app.ts'
import { approveConsent } from '../core/oidc/user-steps.ts'
import { createPlatformUser } from '../new-user.ts'
import { redirectUrl } from '../redirect.ts'
import { level } from '../soak/level.ts'
import { closeFilesOfObjects } from '../storage.ts'
import { createWebhookNow, deliver } from '../webhook-delivery.ts'
import { runModel } from './run-model.ts'
import { ATTEMPT_LIFETIME, FIRST_PARTY, now, THIRD_PARTY, UserModel } from './user-model.ts'

/*
 * The same model through the service's own interface: a user with two browsers, and two apps with
 * refresh tokens. There are fewer runs than for the object alone, because every step takes several
 * requests.
 */

const { serviceRuns, maxSeconds } = level.model

const ACCOUNT = 'the platform account'
const SCOPE = ['offline_access']
const PAUSES = [1, 19, 21, 90, 3600, 86_400, 8 * 86_400, 31 * 86_400]

interface IssuedToken {
  app: RelyingApp
  grantId: string
  generation: number
  refreshToken: string
}

class World {
  model = new UserModel()
  readonly browsers = [new Browser(), new Browser()] as const
  readonly handle: string
  readonly tokens: IssuedToken[] = []

  constructor(handle: string) {
    this.handle = handle
  }

  /**
   * Signs in at the platform's prompt, which is recent enough for every change on the account page.
   */
  async signIn(browser: number): Promise<void> {
    await this.browsers[browser]?.signIn(this.handle, { prompt: 'login' })
    this.model.directoryTime += 1
    const attempt = {
      id: crypto.randomUUID(),
      browser,
      account: ACCOUNT,
      isPrompted: true,
      claimedAt: this.model.directoryTime,
      expiresAt: now() + ATTEMPT_LIFETIME,
    }
    const secretDigest = crypto.randomUUID()
    const replaces = this.model.cookies.get(browser) ?? ''
    this.model.openSession(attempt, { secretDigest, sid: crypto.randomUUID(), replaces })
  }

  disconnect(): void {
    this.model.directoryTime += 1
    this.model.disconnect({ account: ACCOUNT, disconnectedAt: this.model.directoryTime })
  }
}

type Command = fc.AsyncCommand<World, undefined>

/**
 * Something that happens in one of the browsers, after which both must still show the right user.
 */
function command(name: string, run: (world: World) => Promise<void>): Command {
  return {
    check: () => true,
    async run(world) {
      await run(world)
      for (const [number, browser] of world.browsers.entries()) {
        const expected = world.model.session(world.model.cookies.get(number)) !== undefined
        expect((await browser.session()) !== null).toBe(expected)
      }
    },
    toString: () => name,
  }
}

const numbers = fc.nat({ max: 1 })

const signIn = numbers.map((number) =>
  command(`sign in in browser ${number}`, (world) => world.signIn(number)),
)

const signOut = numbers.map((number) =>
  command(`sign out in browser ${number}`, async ({ model, browsers }) => {
    await browsers[number]?.post('/api/auth/signout', {})
    const secretDigest = model.cookies.get(number)
    model.endSessions((session) => session.secretDigest === secretDigest)
  }),
)

const getTokens = fc
  .record({ number: numbers, clientId: fc.constantFrom(FIRST_PARTY, THIRD_PARTY) })
  .map(({ number, clientId }) =>
    command(`sign in to ${clientId} in browser ${number}`, async ({ model, browsers, tokens }) => {
      const browser = browsers[number] ?? new Browser()
      const app = new RelyingApp(clientId)
      const secretDigest = model.cookies.get(number) ?? ''
      const grantId = crypto.randomUUID()
      const request = {
        clientId,
        scope: SCOPE,
        grantId,
        promptedSince: 0,
        forceConsent: false,
        isSilent: false,
      }
      let response = await browser.get(await app.authorizationUrl({ scope: SCOPE.join(' ') }))
      let expected = model.authorize(secretDigest, request)

      expect(response.status === 200).toBe(expected === 'consent_required')
      if (expected === 'consent_required') {
        response = await approveConsent(browser, response)
        model.grantConsent(secretDigest, clientId, { scope: SCOPE, declined: [] })
        expected = model.authorize(secretDigest, request)
      }
      const callback = redirectUrl(response, 303)
      expect(callback.searchParams.has('code')).toBe(expected === 'granted')
      if (expected !== 'granted') return
      const result = await app.requestTokens(app.codeExchangeForm(callback))
      const { refresh_token = '' } = await result.json<{ refresh_token?: string }>()
      expect(result.status).toBe(model.redeem(grantId, 'none') === 'issued' ? 200 : 400)
      tokens.push({ app, grantId, generation: 1, refreshToken: refresh_token })
    }),
  )

const refresh = fc.nat({ max: 5 }).map((choice) =>
  command(`use refresh token ${choice}`, async ({ model, tokens }) => {
    const token = tokens.at(-1 - (choice % Math.max(1, tokens.length)))
    if (!token) return
    const { app, grantId, generation, refreshToken } = token
    const response = await app.requestTokens({
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
    })
    const expected = model.refresh({ grantId, generation }, 'none')

    expect(response.status).toBe(expected === 'rejected' ? 400 : 200)
    if (expected === 'rejected') return
    const { refresh_token = '' } = await response.json<{ refresh_token?: string }>()
    const [, successor] = expected.split(' ')
    tokens.push({ app, grantId, generation: Number(successor), refreshToken: refresh_token })
  }),
)

const removeApp = numbers.map((number) =>
  command(`remove the app in browser ${number}`, async ({ model, browsers }) => {
    await browsers[number]?.post('/account/consents', { client_id: THIRD_PARTY })
    if (model.session(model.cookies.get(number))) model.revokeClient(THIRD_PARTY)
  }),
)

const disconnect = numbers.map((number) =>
  command(`disconnect the account in browser ${number}`, async (world) => {
    await world.signIn(number)
    const browser = world.browsers[number] ?? new Browser()
    const [account = ''] = await accountDigests(browser)
    await browser.post('/account/disconnect', { account })
    world.disconnect()
  }),
)

const webhook = fc.constant(
  command('the platform removes the authorization', async (world) => {
    // The platform has nothing to remove before the first sign-in.
    await world.signIn(0)
    await deliver(await createWebhookNow(world.handle, { reason: 'disconnected' }))
    world.disconnect()
  }),
)

/** The account signs in as a new user afterwards. Tokens of the deleted user stay invalid. */
const deleteUser = numbers.map((number) =>
  command(`delete the user in browser ${number}`, async (world) => {
    await world.signIn(number)
    await world.browsers[number]?.post('/account/delete', {})
    world.model = new UserModel()
  }),
)

const wait = fc.constantFrom(...PAUSES).map((seconds) =>
  command(`wait ${seconds} s`, async ({ model }) => {
    advanceClock(seconds)
    model.expire()
    model.renewSessions()
  }),
)

const commands = fc.commands(
  [signIn, signIn, getTokens, getTokens, getTokens, refresh, refresh, refresh, wait].concat([
    signOut,
    removeApp,
    disconnect,
    webhook,
    deleteUser,
  ]),
  { maxCommands: 15, size: 'max' },
)

describe('the service', { timeout: (maxSeconds + 60) * 1000 }, () => {
  it(`[C24][D4][S10] behaves like the model in ${serviceRuns} random sequences of requests`, async () => {
    const start = Math.floor(Date.now() / 1000)
    let sequences = 0

    await runModel(
      fc.asyncProperty(commands, async (sequence) => {
        setClock(start)
        // The stand-in limits profile requests to six hundred a minute.
        await standIn.post('reset', {})
        const world = new World(await createPlatformUser())
        await fc.asyncModelRun(() => ({ model: world, real: undefined }), sequence)
        sequences += 1
        await closeFilesOfObjects(sequences)
      }),
      { runs: serviceRuns, maxSeconds },
    )
  })
})
