import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type BackChannel, openBackChannel } from './back-channel.ts'
import { type Halt, openHalt } from './halt.ts'
import { type KillableServices, startKillableServices } from './killable-services.ts'
import { APP, Person, type Stage } from './person.ts'

/** Away from the services of the other tests. */
const PORT = 21_787

/** Who signs in at once. */
const PEOPLE = 200

/** What a round may take on a busy machine. */
const PATIENCE = { timeout: 180_000, interval: 5 } // milliseconds

const REFUSED = { status: 400, error: 'invalid_grant' }

let storage: string
let backChannel: BackChannel
let halt: Halt
let services: KillableServices

/** Who has left, in any test. Nobody asks for them until their app has been told: alarms must do it alone. */
const gone: Person[] = []

beforeAll(async () => {
  storage = await mkdtemp(join(tmpdir(), 'vestibule-crash-'))
  backChannel = await openBackChannel()
  halt = await openHalt()
  services = await start()
}, PATIENCE.timeout)

afterAll(async () => {
  await services.kill()
  await backChannel.close()
  await halt.close()
  await rm(storage, { recursive: true, force: true })
})

describe('a service that is killed', PATIENCE, () => {
  it.for([1, 2, 3])(
    '[Q7][Q8] while two hundred people sign in has lost nothing it has answered: round %i',
    async () => {
      const people = await Promise.all(Array.from({ length: PEOPLE }, meet))

      await killDuring(people, PEOPLE * (0.2 + 0.4 * Math.random()))
      await restart(people)

      await Promise.all(people.map((person) => AFTERWARDS[person.stage](person)))
    },
  )

  it('[Q7][J7][J9] in the middle of something has done nothing of it, or all', async () => {
    const [arrivals, grants, redemptions, refreshes, departures] = await Promise.all([
      haltEverywhere(
        async () => {},
        (person) => person.askForCode(),
      ),
      haltEverywhere(signIn, (person) => person.askForCode()),
      haltEverywhere(
        (person) => person.askForCode(),
        (person) => person.redeem(),
      ),
      haltEverywhere(signIn, (person) => person.refresh()),
      haltEverywhere(signIn, (person) => person.signOut()),
    ])
    for (const halted of [arrivals, grants, redemptions, refreshes, departures])
      expect(halted.length).toBeGreaterThan(0)
    const departed = await leaveUnheard()

    await services.kill()
    await restart([...departures, departed])

    await Promise.all([
      ...arrivals.map(AFTERWARDS.arriving),
      ...grants.map(AFTERWARDS.tokens),
      ...redemptions.map(AFTERWARDS.redeeming),
      ...refreshes.map(AFTERWARDS.refreshing),
      ...departures.map(AFTERWARDS.gone),
      AFTERWARDS.gone(departed),
    ])
  })

  it('[J7][J9][Q9] delivers what it had yet to deliver, and who left is gone', async () => {
    expect(gone).not.toEqual([])
    await vi.waitUntil(() => gone.every(({ sid }) => backChannel.heard.has(sid)), PATIENCE)

    for (const person of gone) {
      expect(await person.whoAmI()).toBeUndefined()
      expect(await person.showRefreshToken()).toMatchObject(REFUSED)
    }
  })
})

describe('a service whose storage is restored', PATIENCE, () => {
  it('[Q14] is as it was when the copy was made: who has left since is back', async () => {
    const person = await meet()
    await signIn(person)
    const copy = `${storage}-copy`
    await services.kill()
    await cp(storage, copy, { recursive: true })
    services = await start()
    await person.signOut()
    expect(await person.showRefreshToken()).toMatchObject(REFUSED)

    await services.kill()
    await rm(storage, { recursive: true })
    await rename(copy, storage)
    services = await start()

    await person.refresh()
    expect(await person.userinfo()).toMatch(/^usr_/)
  })
})

function start(): Promise<KillableServices> {
  return startKillableServices({
    port: PORT,
    persist: storage,
    clients: [{ ...APP, backchannel_logout_uri: backChannel.url }],
    main: 'test/halting-service.ts',
  })
}

/** From now on the app takes note of who left. Before it refused to, so that there is something to deliver. */
async function restart(people: Person[]): Promise<void> {
  const left = people.filter(({ stage }) => stage === 'leaving' || stage === 'gone')
  for (const { sid } of left) backChannel.accept(sid)
  services = await start()
}

async function meet(): Promise<Person> {
  const person = new Person(services)
  await person.introduce()
  return person
}

/** Everybody lives until so many of them have signed in, and then nobody does. */
async function killDuring(people: Person[], most: number): Promise<void> {
  let isDead = false
  const troubles: unknown[] = []
  const lives = people.map((person, index) =>
    live(person, index).catch((trouble) => isDead || troubles.push(trouble)),
  )
  await vi.waitUntil(() => troubles.length > 0 || people.filter(hasTokens).length >= most, PATIENCE)

  isDead = true
  await services.kill()
  await Promise.all(lives)
  expect(troubles).toEqual([])
}

function hasTokens({ stage }: Person): boolean {
  return !['arriving', 'code', 'redeeming'].includes(stage)
}

/** One in ten keeps the code for later, one is content with the first tokens, three leave, five refresh. */
async function live(person: Person, index: number): Promise<void> {
  await person.askForCode(hesitate)
  if (index % 10 === 0) return
  await hesitate()
  await person.redeem()
  if (index % 10 === 1) return
  await hesitate()
  if (index % 10 < 5) return person.signOut()
  for (let refreshes = 0; refreshes < 10; refreshes++) {
    await person.refresh()
    await hesitate()
  }
}

/** People read, and type. Without it, all two hundred would be at the same place at the same time. */
async function hesitate(): Promise<void> {
  await pause(Math.random() * 500)
}

/**
 * Has something done by one person after the other, each stopped one answer of the storage later than the
 * one before, until nobody is stopped any more. Returns who was.
 */
async function haltEverywhere(
  prepare: (person: Person) => Promise<void>,
  act: (person: Person) => Promise<void>,
): Promise<Person[]> {
  const halted: Person[] = []
  while (true) {
    const person = await meet()
    await prepare(person)
    const { headers, reached } = halt.after(halted.length + 1)
    person.headers = headers
    const isHalted = await Promise.race([reached, act(person).then(() => false)])
    person.headers = {}
    if (!isHalted) return halted
    halted.push(person)
  }
}

async function signIn(person: Person): Promise<void> {
  await person.askForCode()
  await person.redeem()
}

/** Somebody whose app is being told just now that they left, and does not answer. */
async function leaveUnheard(): Promise<Person> {
  const person = await meet()
  await signIn(person)
  backChannel.ignore(person.sid)
  await person.signOut()
  await vi.waitUntil(() => backChannel.asked.has(person.sid), PATIENCE)
  return person
}

/** What must be true of somebody after the restart, by the stage they were at. */
const AFTERWARDS: Record<Stage, (person: Person) => Promise<void>> = {
  /** Where they were they may get no further, and are told so; but they can start again. */
  async arriving(person) {
    await person.introduce()
    expect((await person.reload()).status).toBeLessThan(500)
    await signIn(person)
    expect(await person.showCode()).toMatchObject(REFUSED)
  },
  async code(person) {
    await person.redeem()
    expect(await person.showCode()).toMatchObject(REFUSED)
  },
  /** Nobody knows whether the code was redeemed. It is not redeemed twice. */
  async redeeming(person) {
    const { status } = await person.showCode()
    expect([200, 400]).toContain(status)
    expect(await person.showCode()).toMatchObject(REFUSED)
    await signIn(person)
  },
  async tokens(person) {
    await person.refresh()
    const subject = await person.userinfo()
    expect(subject).toMatch(/^usr_/)
    expect(await person.whoAmI()).toBe(subject)
    expect(await person.showCode()).toMatchObject(REFUSED)
  },
  /** The answer never came: the same token again. */
  refreshing: (person) => AFTERWARDS.tokens(person),
  /** They still can, or have. */
  async leaving(person) {
    if (await person.whoAmI()) return AFTERWARDS.tokens(person)
    return AFTERWARDS.gone(person)
  },
  async gone(person) {
    gone.push(person)
  },
}
