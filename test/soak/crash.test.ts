import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { PORTS } from '../e2e/ports.ts'
import { type BackChannel, startBackChannel } from './back-channel.ts'
import { type HaltingPoint, startHaltingPoint } from './halting-point.ts'
import { type KillableServices, startKillableServices } from './killable-services.ts'
import { level } from './level.ts'
import { SimulatedUser, type Stage, UnavailableError } from './simulated-user.ts'

const { rounds: ROUNDS, users: USERS } = level.crash

/** What a round may take on a busy machine. */
const PATIENCE = { timeout: 180_000, interval: 5 } // milliseconds

/** Nothing listens there: the tests read the code from the redirect. */
const REDIRECT_URI = 'http://localhost:1/callback'

const CLIENT = {
  client_id: 'crash-test',
  redirect_uri: REDIRECT_URI,
  scope: 'openid offline_access',
}

const INVALID_GRANT = { status: 400, error: 'invalid_grant' }

let storage: string
let backChannel: BackChannel
let haltingPoint: HaltingPoint
let services: KillableServices

/**
 * Everyone who has signed out, in any test. No request is sent for them until their app has
 * received its logout token, because the service's alarms have to deliver it without being woken by
 * requests.
 */
const signedOutUsers: SimulatedUser[] = []

beforeAll(async () => {
  storage = await mkdtemp(join(tmpdir(), 'vestibule-crash-'))
  backChannel = await startBackChannel()
  haltingPoint = await startHaltingPoint()
  services = await start()
}, PATIENCE.timeout)

afterAll(async () => {
  await services.kill()
  await backChannel.close()
  await haltingPoint.close()
  await rm(storage, { recursive: true, force: true })
})

describe('a killed service', PATIENCE, () => {
  it.for(Array.from({ length: ROUNDS }, (_, index) => index + 1))(
    `[Q7][Q8] has lost nothing it has confirmed, when killed while ${USERS} users sign in: round %i`,
    async () => {
      const users = await Promise.all(Array.from({ length: USERS }, newUser))

      const failures = await killDuringSignIns(users, USERS * (0.2 + 0.4 * Math.random()))
      await restart(users)

      expect(failures).toEqual([])
      await Promise.all(users.map((user) => CHECKS_AFTER_RESTART[user.stage](user)))
      await checkSignOuts()
    },
  )

  it('[Q7][J7][J9][Q9] has carried out a request completely or not at all, wherever it was killed', async () => {
    const [firstSignIns, laterSignIns, redemptions, refreshes, signOuts] = await Promise.all([
      haltAtEachStorageCall(
        async () => {},
        (user) => user.requestCode(),
      ),
      haltAtEachStorageCall(
        (user) => user.signIn(),
        (user) => user.requestCode(),
      ),
      haltAtEachStorageCall(
        (user) => user.requestCode(),
        (user) => user.redeem(),
      ),
      haltAtEachStorageCall(
        (user) => user.signIn(),
        (user) => user.refresh(),
      ),
      haltAtEachStorageCall(
        (user) => user.signIn(),
        (user) => user.signOut(),
      ),
    ])
    for (const halted of [firstSignIns, laterSignIns, redemptions, refreshes, signOuts])
      expect(halted.length).toBeGreaterThan(0)
    const undelivered = await signOutWithoutDelivery()

    await services.kill()
    await restart([...signOuts, undelivered])

    await Promise.all([
      ...firstSignIns.map(CHECKS_AFTER_RESTART['signing in']),
      ...laterSignIns.map(CHECKS_AFTER_RESTART['has tokens']),
      ...redemptions.map(CHECKS_AFTER_RESTART.redeeming),
      ...refreshes.map(CHECKS_AFTER_RESTART.refreshing),
      ...signOuts.map(CHECKS_AFTER_RESTART['signed out']),
      CHECKS_AFTER_RESTART['signed out'](undelivered),
    ])
    expect(signedOutUsers).not.toEqual([])
    await checkSignOuts()
  })
})

/** Pending logout tokens are delivered, and everyone who signed out stays signed out. */
async function checkSignOuts(): Promise<void> {
  await vi.waitUntil(
    () => signedOutUsers.every(({ sid }) => backChannel.accepted.has(sid)),
    PATIENCE,
  )
  for (const user of signedOutUsers) {
    expect(await user.sessionUser()).toBeUndefined()
    expect(await user.sendRefreshToken()).toMatchObject(INVALID_GRANT)
  }
}

describe('a service whose storage is restored from a copy', PATIENCE, () => {
  it('[Q14] is in the state of the copy: a user who signed out since then is signed in again', async () => {
    const user = await newUser()
    await user.signIn()
    const copy = `${storage}-copy`
    await services.kill()
    await cp(storage, copy, { recursive: true })
    services = await start()
    await user.signOut()
    expect(await user.sendRefreshToken()).toMatchObject(INVALID_GRANT)

    await services.kill()
    await rm(storage, { recursive: true })
    await rename(copy, storage)
    services = await start()

    await user.refresh()
    expect((await user.userinfo()).sub).toMatch(/^usr_/)
  })
})

function start(): Promise<KillableServices> {
  return startKillableServices({
    port: PORTS.crash,
    persist: storage,
    clients: [
      {
        client_id: CLIENT.client_id,
        redirect_uris: [REDIRECT_URI],
        first_party: true,
        backchannel_logout_uri: backChannel.url,
      },
    ],
    main: 'test/halting-service.ts',
  })
}

/**
 * The app accepts logout tokens only from now on, so that deliveries are still pending after the
 * restart.
 */
async function restart(users: SimulatedUser[]): Promise<void> {
  const leaving = users.filter(({ stage }) => stage === 'signing out' || stage === 'signed out')
  for (const { sid } of leaving) backChannel.accept(sid)
  services = await start()
}

async function newUser(): Promise<SimulatedUser> {
  const user = new SimulatedUser({ services, client: CLIENT })
  await user.register()
  return user
}

/**
 * Kills the service as soon as this many users have tokens, while all of them are active, or when a
 * request fails before. Returns such failures.
 */
async function killDuringSignIns(users: SimulatedUser[], enough: number): Promise<unknown[]> {
  let isKilled = false
  const failures: unknown[] = []
  const activities = users.map((user, index) =>
    useService(user, index).catch((failure) => isKilled || failures.push(failure)),
  )
  await vi.waitUntil(
    () => failures.length > 0 || users.filter(hasTokens).length >= enough,
    PATIENCE,
  )

  isKilled = true
  await services.kill()
  await Promise.all(activities)
  return failures
}

function hasTokens({ stage }: SimulatedUser): boolean {
  return !['signing in', 'has code', 'redeeming'].includes(stage)
}

/** Of ten users one keeps the code, one keeps the first tokens, three sign out and five refresh. */
async function useService(user: SimulatedUser, index: number): Promise<void> {
  await requestCode(user, pause)
  if (index % 10 === 0) return
  await pause()
  await user.redeem()
  if (index % 10 === 1) return
  await pause()
  if (index % 10 < 5) return user.signOut()
  for (let refreshes = 0; refreshes < 10; refreshes++) {
    await user.refresh()
    await pause()
  }
}

/**
 * On a busy machine the stand-in may take longer than the five seconds that the service waits for a
 * provider. The service then responds correctly with `provider_unavailable`, and the user tries
 * again. Any other error is a failure.
 */
async function requestCode(user: SimulatedUser, beforeEachStep?: () => Promise<void>) {
  while (true) {
    try {
      return await user.requestCode(beforeEachStep)
    } catch (error) {
      const isStandInSlow =
        error instanceof UnavailableError && error.code === 'provider_unavailable'
      if (!isStandInSlow) throw error
    }
  }
}

/** Random pauses spread the users over all stages; without them all would be at the same one. */
async function pause(): Promise<void> {
  await sleep(Math.random() * 500)
}

/**
 * Repeats an action with one new user after the other, halting it one storage call later each time,
 * until it completes without being halted. Returns the halted users.
 */
async function haltAtEachStorageCall(
  prepare: (user: SimulatedUser) => Promise<unknown>,
  act: (user: SimulatedUser) => Promise<unknown>,
): Promise<SimulatedUser[]> {
  const halted: SimulatedUser[] = []
  while (true) {
    const user = await newUser()
    await prepare(user)
    const { headers, reached } = haltingPoint.haltAfter(halted.length + 1)
    user.headers = headers
    const isHalted = await Promise.race([reached, act(user).then(() => false)])
    user.headers = {}
    if (!isHalted) return halted
    halted.push(user)
  }
}

/** A user who has signed out, while the app has not responded to the logout token. */
async function signOutWithoutDelivery(): Promise<SimulatedUser> {
  const user = await newUser()
  await user.signIn()
  backChannel.hang(user.sid)
  await user.signOut()
  await vi.waitUntil(() => backChannel.received.has(user.sid), PATIENCE)
  return user
}

/** What must be true of a user after the restart, by the stage at which the service was killed. */
const CHECKS_AFTER_RESTART: Record<Stage, (user: SimulatedUser) => Promise<void>> = {
  /** The interrupted sign-in may fail with an error page, and a new one works. */
  'signing in': async (user) => {
    await user.register()
    expect((await user.reload()).status).toBeLessThan(500)
    await requestCode(user)
    await user.redeem()
    expect(await user.sendCode()).toMatchObject(INVALID_GRANT)
  },
  'has code': async (user) => {
    await user.redeem()
    expect(await user.sendCode()).toMatchObject(INVALID_GRANT)
  },
  /** The code may have been redeemed or not, but it is not redeemed twice. */
  redeeming: async (user) => {
    const { status } = await user.sendCode()
    expect([200, 400]).toContain(status)
    expect(await user.sendCode()).toMatchObject(INVALID_GRANT)
    await user.signIn()
  },
  'has tokens': async (user) => {
    await user.refresh()
    const { sub } = await user.userinfo()
    expect(sub).toMatch(/^usr_/)
    expect(await user.sessionUser()).toBe(sub)
    expect(await user.sendCode()).toMatchObject(INVALID_GRANT)
  },
  /** The response was lost, so the app sends the same refresh token again. */
  refreshing: (user) => CHECKS_AFTER_RESTART['has tokens'](user),
  /** Signed out or not, but nothing in between. */
  'signing out': async (user) => {
    if (await user.sessionUser()) return CHECKS_AFTER_RESTART['has tokens'](user)
    return CHECKS_AFTER_RESTART['signed out'](user)
  },
  /** Checked by the test of pending logout tokens, which has to send the first request. */
  'signed out': async (user) => {
    signedOutUsers.push(user)
  },
}
