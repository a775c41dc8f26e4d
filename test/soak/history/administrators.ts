import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SANDBOX_APP } from '../../../src/libraries/testing/video-platform/apps.ts'
import { deriveOpenId } from '../../../src/libraries/testing/video-platform/identifiers.ts'
import type { ClientChange, Exchange, KeyChange, RoleChange, UserChange } from './history.ts'
import { basic, type Person } from './person.ts'
import type { Random } from './random.ts'
import { ADMINISTRATOR, type Answer, CLIENTS, ROLES, type World } from './world.ts'

/** Calls the admin API. */
export class AdminApi {
  readonly #world: World
  #token = ''

  constructor(world: World) {
    this.#world = world
  }

  /** With a new token if the present one is no longer accepted, which the API does not reveal. */
  async call(method: string, path: string, body?: object): Promise<Answer> {
    const first = await this.#send(method, path, body)
    if (first.exchange.status !== 404) return first
    await this.#requestToken()
    return this.#send(method, path, body)
  }

  /** Repeats it until it succeeds. */
  async read<T>(path: string): Promise<T> {
    for (let attempt = 0; attempt < 60; attempt++) {
      const { exchange, text } = await this.call('GET', path)
      if (exchange.status === 200) return JSON.parse(text) as T
      await sleep(1000)
    }
    throw new Error(`The admin API does not respond at ${path}.`)
  }

  #send(method: string, path: string, body: object | undefined): Promise<Answer> {
    return this.#world.send(`/admin/api${path}`, {
      method,
      headers: {
        Accept: 'application/json',
        Authorization: `Bearer ${this.#token}`,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  }

  async #requestToken(): Promise<void> {
    const { text, exchange } = await this.#world.send('/oidc/token', {
      headers: { Authorization: basic(ADMINISTRATOR) },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    if (exchange.status === 200) this.#token = JSON.parse(text).access_token
  }
}

/** An administrator who changes users, their roles and a client at random. */
export class Administrator {
  readonly #world: World
  readonly #api: AdminApi
  readonly #people: readonly Person[]
  readonly #random: Random

  constructor(world: World, people: readonly Person[]) {
    this.#world = world
    this.#api = new AdminApi(world)
    this.#people = people
    this.#random = world.random.fork()
  }

  async act(): Promise<void> {
    const person = this.#random.pick(this.#people)
    if (!person?.sub) return
    const kind = this.#random.weighted({ block: 16, 'end-sessions': 12, roles: 40, client: 20 })
    if (kind === 'roles') return this.#changeRoles(person)
    if (kind === 'client') return this.#changeClient()
    await this.#changeUser(person, kind)
    if (kind !== 'block') return
    await sleep(this.#random.between(500, 6000))
    await this.unblock(person)
  }

  /** Until it is known to be so, so that the person can continue. */
  async unblock(person: Person): Promise<void> {
    for (let attempt = 0; attempt < 20; attempt++) {
      await this.#world.untilUp()
      const { status = 500 } = await this.#changeUser(person, 'unblock')
      if (status < 400) return
      await sleep(1000)
    }
  }

  async #changeUser(
    person: Person,
    kind: Exclude<UserChange['kind'], 'disconnect'>,
  ): Promise<Exchange> {
    const path = `/users/${person.sub}/${kind}`
    const { exchange } = await this.#api.call('POST', path, kind === 'block' ? {} : undefined)
    this.#world.record({ kind, person: person.name, ...exchange })
    return exchange
  }

  /** Sometimes both roles at the same time. */
  async #changeRoles(person: Person): Promise<void> {
    const changes = ROLES.filter(() => this.#random.chance(0.6)).map((role) =>
      this.#changeRole(person, role, this.#random.chance(0.5) ? 'give-role' : 'take-role'),
    )
    await Promise.all(changes)
  }

  async #changeRole(person: Person, role: string, kind: RoleChange['kind']): Promise<void> {
    const path = `/users/${person.sub}/roles/${role}/${kind === 'give-role' ? 'give' : 'take'}`
    const { exchange } = await this.#api.call('POST', path)
    this.#world.record({ kind, person: person.name, role, ...exchange })
  }

  async #changeClient(): Promise<void> {
    const client = CLIENTS.changed
    const kind: ClientChange['kind'] = this.#random.weighted({
      'rename-client': 50,
      'disable-client': 20,
      'enable-client': 30,
    })
    if (kind === 'rename-client') {
      const name = this.#world.newId('Client ')
      const { exchange } = await this.#api.call('PATCH', `/clients/${client}`, {
        client_name: name,
      })
      this.#world.record({ kind, client, name, ...exchange })
      return
    }
    const action = kind === 'disable-client' ? 'disable' : 'enable'
    const { exchange } = await this.#api.call('POST', `/clients/${client}/${action}`)
    this.#world.record({ kind, client, ...exchange })
  }

  async changeKeys(kind: KeyChange['kind']): Promise<void> {
    const path = `/keys/${kind === 'rotate-keys' ? 'rotate' : 'revoke'}`
    const { exchange } = await this.#api.call('POST', path)
    this.#world.record({ kind, ...exchange })
  }
}

/** Lets the platform report that a user has removed the app. */
export async function disconnect(world: World, person: Person): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const body = JSON.stringify({
    client_key: SANDBOX_APP.clientKey,
    event: 'authorization.removed',
    create_time: now,
    user_openid: await deriveOpenId(SANDBOX_APP.clientKey, person.name),
    content: JSON.stringify({ reason: 1 }),
  })
  const signature = createHmac('sha256', SANDBOX_APP.clientSecret)
    .update(`${now}.${body}`)
    .digest('hex')
  const { exchange } = await world.send('/api/auth/webhook/tiktok', {
    headers: { 'Content-Type': 'application/json', 'TikTok-Signature': `t=${now},s=${signature}` },
    body,
  })
  world.record({ kind: 'disconnect', person: person.name, ...exchange })
}
