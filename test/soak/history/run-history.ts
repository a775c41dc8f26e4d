import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { secretDigest } from '../../e2e/secret-digest.ts'
import { AdminApi, Administrator, disconnect } from './administrators.ts'
import { checkHistory } from './check-history.ts'
import type { Fault, Line } from './history.ts'
import { Person } from './person.ts'
import { Random } from './random.ts'
import { startVerifier } from './verifier.ts'
import { startWebhookReceiver } from './webhook-receiver.ts'
import {
  ADMINISTRATOR,
  API,
  CLIENTS,
  INTROSPECTOR,
  LOGIN,
  PLATFORM,
  REDIRECT_URI,
  World,
} from './world.ts'

/** Few enough that everything happens to everyone, and enough for requests at the same time. */
const PEOPLE = 10

/** How far the clocks of the APIs are ahead, in seconds. */
const API_CLOCKS = [-4, 0, 4]

/** By how much the clock of a restarted service differs at most, in seconds. */
const SERVICE_CLOCK = 1.5

/** What fails, and how often. */
const BINDINGS = {
  USERS: 4,
  DIRECTORY: 4,
  SESSIONS: 2,
  REVOCATIONS: 2,
  KEYRING: 2,
  GUARDS: 1,
  METRICS: 1,
}

const MODES = { error: 2, 'error-after': 2, slow: 1 } as const

/** The first keys are so old that they can be rotated at once. */
const AGE_OF_KEYS = 900 // seconds

/** After this time, everything that waits for another attempt is due. */
const DRAIN = 3600 // seconds

/** Longer than what is left takes. */
const MAX_DRAIN_RUNS = 60

const WEBHOOK = 'history'

interface Report {
  isPassed: boolean
  text: string
}

/**
 * Lets users, apps, administrators and the platform do everything at once, while the service is
 * killed, storage fails and clocks differ. Every request is recorded, and checked afterwards.
 */
export async function runHistory({
  minutes,
  seed,
  print,
}: {
  minutes: number
  seed: number
  print: (text: string) => void
}): Promise<Report> {
  const random = new Random(seed)
  const path = join(tmpdir(), `vestibule-history-${seed}.ndjson`)
  const storage = mkdtempSync(join(tmpdir(), 'vestibule-history-'))
  const world = new World({ path, storage, random, clients: settingsClients() })
  const receiver = await startWebhookReceiver(random.fork())
  const verifiers = API_CLOCKS.map((clock) =>
    startVerifier({ issuer: LOGIN, audience: [API, CLIENTS.web], clock }),
  )
  const people = Array.from({ length: PEOPLE }, (_, index) => new Person(world, index, verifiers))
  const chaos = new Chaos(world, people)
  try {
    await world.start()
    await prepare(world, people, receiver.url)
    const progress = setInterval(
      () => print(`${world.requests} requests, ${chaos.faults} faults, ${chaos.kills} kills`),
      30_000,
    )
    setTimeout(() => {
      world.isOver = true
    }, minutes * 60_000)
    await runEverything(world, people, chaos)
    clearInterval(progress)
    receiver.becomeReliable()
    await finish(world, people)
    for (const delivery of receiver.deliveries) world.record(delivery)
  } finally {
    await world.close()
    await world.kill()
    await receiver.close()
    await Promise.all(verifiers.map(({ stop }) => stop()))
    rmSync(storage, { recursive: true, force: true })
  }
  print(`The history is in ${path}; seed ${seed}`)
  return checkFile(path, print)
}

/** Checks a history that was recorded before. */
export function checkFile(path: string, print: (text: string) => void): Report {
  const lines = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  const violations = checkHistory(lines)
  for (const { rule, message } of violations.slice(0, 50)) print(`  ${rule}: ${message}`)
  const ofKind = (kind: Line['kind']) => lines.filter((line) => line.kind === kind)
  const requests = lines.filter((line) => 'start' in line && !['kill', 'fault'].includes(line.kind))
  const faults = ofKind('fault') as Fault[]
  const failedCalls = faults.reduce((sum, { hits }) => sum + hits, 0)
  return {
    isPassed: violations.length === 0,
    text: `${requests.length} requests, ${faults.length} faults (${failedCalls} failed calls), ${ofKind('kill').length} kills, ${violations.length} violations`,
  }
}

function settingsClients() {
  const { id, secret } = ADMINISTRATOR
  return [
    {
      client_id: CLIENTS.web,
      redirect_uris: [REDIRECT_URI],
      resources: [API],
      first_party: true,
    },
    {
      client_id: INTROSPECTOR.id,
      client_secrets_sha256: [secretDigest(INTROSPECTOR.secret)],
      grant_types: ['client_credentials'],
      introspects: [API],
    },
    {
      client_id: id,
      client_secrets_sha256: [secretDigest(secret)],
      grant_types: ['client_credentials'],
      resources: [`${LOGIN}/admin/api`],
      scope: 'admin:read admin:write admin:support',
    },
  ]
}

/** Registers the client that is changed, the webhook, and the users of the stand-in. */
async function prepare(world: World, people: readonly Person[], url: string): Promise<void> {
  await world.control({ clock: -AGE_OF_KEYS })
  await world.send('/.well-known/jwks.json')
  await world.control({ clock: 0 })
  const api = new AdminApi(world)
  const client = {
    client_id: CLIENTS.changed,
    redirect_uris: [REDIRECT_URI],
    resources: [API],
    first_party: true,
    token_endpoint_auth_method: 'none',
  }
  const created = await api.call('POST', '/clients', client)
  const webhook = await api.call('POST', '/webhooks', { webhook_id: WEBHOOK, url })
  for (const { exchange, text } of [created, webhook]) {
    if (exchange.status !== 201) throw new Error(`${exchange.status} ${text}`)
  }
  await registerPeople(people)
}

async function registerPeople(people: readonly Person[]): Promise<void> {
  await fetch(`${PLATFORM}/__stand-in/switches`, {
    method: 'POST',
    body: JSON.stringify({ callsPerMinute: 1_000_000 }),
  })
  await Promise.all(people.map((person) => person.register()))
}

async function runEverything(world: World, people: readonly Person[], chaos: Chaos): Promise<void> {
  const { random } = world
  const administrators = [new Administrator(world, people), new Administrator(world, people)]
  const keys = new Administrator(world, people)
  let isRotated = false
  await Promise.all([
    ...people.map((person) => world.repeat([200, 1200], () => person.act())),
    ...administrators.map((each) => world.repeat([1500, 6000], () => each.act())),
    world.repeat([8000, 20_000], async () => {
      const person = random.pick(people)
      if (person) await disconnect(world, person)
    }),
    // The keys can be rotated once, because they are too new afterwards.
    world.repeat([60_000, 180_000], async () => {
      await keys.changeKeys(isRotated ? 'revoke-keys' : 'rotate-keys')
      isRotated = true
    }),
    world.repeat([1000, 4000], () => listKeys(world)),
    world.repeat([8000, 12_000], async () => {
      await world.send('/__schedule')
    }),
    world.repeat([5000, 12_000], () => chaos.act()),
  ])
}

async function listKeys(world: World): Promise<void> {
  const { exchange, text } = await world.send('/.well-known/jwks.json')
  const { keys }: { keys: { kid: string }[] } =
    exchange.status === 200 ? JSON.parse(text) : { keys: [] }
  world.record({ kind: 'jwks', kids: keys.map(({ kid }) => kid), ...exchange })
}

/** What fails, one after the other. */
class Chaos {
  readonly #world: World
  readonly #people: readonly Person[]
  readonly #random: Random
  faults = 0
  kills = 0

  constructor(world: World, people: readonly Person[]) {
    this.#world = world
    this.#people = people
    this.#random = world.random.fork()
  }

  async act(): Promise<void> {
    if (this.#random.chance(0.2)) return this.#kill()
    const binding = this.#random.weighted(BINDINGS)
    const mode: Fault['mode'] = this.#random.weighted(MODES)
    const share = this.#random.pick([0.3, 0.6, 1]) ?? 1
    const start = this.#world.now()
    await this.#world.control({ fault: { binding, mode, share } })
    await sleep(this.#random.between(2000, 5000))
    const hits = await this.#world.control({ fault: null })
    this.#world.record({ kind: 'fault', binding, mode, hits, start, end: this.#world.now() })
    this.faults += 1
  }

  async #kill(): Promise<void> {
    const start = this.#world.now()
    const clock = this.#random.between(-SERVICE_CLOCK, SERVICE_CLOCK)
    await this.#world.whileDown(async () => {
      await this.#world.kill()
      await this.#world.start()
      await this.#world.control({ clock })
      await registerPeople(this.#people)
    })
    this.#world.record({ kind: 'kill', start, end: this.#world.now(), clock })
    this.kills += 1
  }
}

/** Delivers what is left, and reads what the service has stored. */
async function finish(world: World, people: readonly Person[]): Promise<void> {
  await world.control({ fault: null, clock: DRAIN })
  const api = new AdminApi(world)
  for (let run = 0; run < MAX_DRAIN_RUNS; run++) {
    await world.send('/__schedule')
    const { unsent_since, waiting } = await api.read<{ unsent_since?: number; waiting: number }>(
      `/webhooks/${WEBHOOK}`,
    )
    if (unsent_since === undefined && waiting === 0) break
  }
  await recordAuditLog(world, api)
  for (const { name, sub } of people) {
    if (sub === undefined) continue
    const user = await api.read<{ blocked_at?: number; roles?: string[] }>(`/users/${sub}`)
    const { blocked_at, roles = [] } = user
    const isBlocked = blocked_at !== undefined
    world.record({ kind: 'final-user', person: name, sub, isBlocked, roles })
  }
  const client = await api.read<{ client_name: string; disabled_at?: number }>(
    `/clients/${CLIENTS.changed}`,
  )
  world.record({
    ...{ kind: 'final-client', client: CLIENTS.changed, name: client.client_name },
    isDisabled: client.disabled_at !== undefined,
  })
}

async function recordAuditLog(world: World, api: AdminApi): Promise<void> {
  let cursor = ''
  do {
    const page = await api.read<{ items: object[]; next_cursor?: string }>(
      `/audit?limit=100${cursor && `&cursor=${cursor}`}`,
    )
    for (const entry of page.items) world.record({ kind: 'audit', ...entry } as Line)
    cursor = page.next_cursor ?? ''
  } while (cursor)
}
