import { evictAllDurableObjects, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { ReadConfig } from '../src/core/config/config.ts'
import { extendClasses } from '../src/define-feature/extend-classes.ts'
import type { PasskeyObject } from '../src/features/passkeys/passkey-object.ts'
import { serviceWith } from './browser.ts'
import { declared, readConfig } from './deployment.ts'

/** Records the name of every method that is called on a binding. */
export function recordCalls<T extends object>(binding: T): { calls: string[]; recorded: T } {
  const calls: string[] = []
  const recorded = new Proxy(binding, {
    get(target, name) {
      const member = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...input: unknown[]) => {
        calls.push(String(name))
        return Reflect.apply(member, target, input)
      }
    },
  })
  return { calls, recorded }
}

/** The KV namespace of session copies with some of its methods replaced. */
export function sessionCacheWith(methods: Partial<KVNamespace>): KVNamespace {
  return new Proxy(env.SESSIONS, {
    get: (target, name) => {
      const member = Reflect.get(methods, name) ?? Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

/** The KV namespace of session copies, and the keys that are written through it. */
export function recordCopies(): { SESSIONS: KVNamespace; keys: string[] } {
  const keys: string[] = []
  const put = ((...input: Parameters<KVNamespace['put']>) => {
    keys.push(input[0])
    return env.SESSIONS.put(...input)
  }) as KVNamespace['put']
  return { SESSIONS: sessionCacheWith({ put }), keys }
}

/** A binding that throws as soon as it is used. */
export function forbidden<T extends object>(name: string): T {
  return new Proxy({} as T, {
    get() {
      throw new Error(`${name} was used.`)
    },
  })
}

/** A namespace whose Durable Objects cannot be reached. */
export function unreachable<Namespace extends object>(namespace: Namespace): Namespace {
  const object = new Proxy(
    {},
    { get: () => () => Promise.reject(new Error('Durable Object is overloaded')) },
  )
  return new Proxy(namespace, {
    get(target, name) {
      if (name === 'get') return () => object
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

/** The namespace of user objects, which fail when this method is called. */
export function failingAt(failing: string): typeof env.USERS {
  const fail = () => Promise.reject(new Error('Durable Object is overloaded'))
  return withMethods((stub, method) => (method === failing ? fail : Reflect.get(stub, method)))
}

/** The namespace of user objects with other methods. */
export function withMethods(
  findMethod: (stub: UserObjectStub, name: string | symbol) => unknown,
): typeof env.USERS {
  return new Proxy(env.USERS, {
    get(namespace, name) {
      const member = Reflect.get(namespace, name)
      if (name !== 'get') return member.bind(namespace)
      return (id: DurableObjectId) => new Proxy(namespace.get(id), { get: findMethod })
    },
  })
}

/** The namespace of user objects, of which that of one user fails when the user is blocked. */
export function failingToBlock(userId: string): typeof env.USERS {
  const failingId = env.USERS.idFromName(userId)
  const block = () => Promise.reject(new Error('Durable Object is overloaded'))
  return {
    idFromName: (name: string) => env.USERS.idFromName(name),
    get: (id: DurableObjectId) => (id.equals(failingId) ? { block } : env.USERS.get(id)),
  } as unknown as typeof env.USERS
}

export type UserObjectStub = ReturnType<typeof userObject>

/** The Durable Object of a user. */
export function userObject(userId = ''): DurableObjectStub<UserObject & PasskeyObject> {
  const object = env.USERS.get(env.USERS.idFromName(userId))
  return object as DurableObjectStub<UserObject & PasskeyObject>
}

/** While `action` runs, the object of this user can delete, but store nothing. */
export async function fillStorage(userId: string, action: () => Promise<void>): Promise<void> {
  const put = () => {
    throw new Error('database or disk is full: SQLITE_FULL')
  }
  const object = userObject(userId)
  await runInDurableObject(object, (_, { storage }) => {
    Object.defineProperty(storage.kv, 'put', { value: put, configurable: true })
  })
  await action()
  await runInDurableObject(object, (_, { storage }) => Reflect.deleteProperty(storage.kv, 'put'))
}

/** The providers of a user's accounts, oldest account first. */
export async function linkedProviders(userId = ''): Promise<string[]> {
  const { results } = await env.DIRECTORY.prepare(
    'SELECT provider FROM accounts WHERE user_id = ? ORDER BY inserted_at',
  )
    .bind(userId)
    .all<{ provider: string }>()
  return results.map(({ provider }) => provider)
}

/** Confirms what a user has added without proof, as they could do themselves a day later. */
export async function confirmMethods(userId = ''): Promise<void> {
  await env.DIRECTORY.prepare('UPDATE accounts SET unconfirmed_sid = NULL WHERE user_id = ?')
    .bind(userId)
    .run()
}

/**
 * The `USERS` binding of a deployment with other settings or options: its objects read them too.
 */
export function usersWith(
  settings: Record<string, unknown>,
  read: ReadConfig = readConfig,
): typeof env.USERS {
  const deployment = { ...env, ...settings } as Env
  const { UserObject: Extended } = extendClasses(declared.features)
  return withMethods(
    (stub, name) =>
      (...input: unknown[]) =>
        runInDurableObject(stub, (_, state) => {
          const object = new Extended(state, deployment, read)
          return Reflect.apply(Reflect.get(object, name), object, input)
        }),
  )
}

/** The object of a user who does not exist. */
export function newUserObject(): DurableObjectStub<UserObject> {
  return env.USERS.get(env.USERS.idFromName(`usr_${crypto.randomUUID()}`))
}

type UserObject = typeof env.USERS extends DurableObjectNamespace<infer T> ? T : never

/** In each of them, a few users' objects are created, and an eviction can take five seconds. */
const ROUNDS_BETWEEN_EVICTIONS = 50

/**
 * Evicts all Durable Objects after every fiftieth round of a test. A user's object has three open
 * files until then, and on some machines a process can have only 1,024.
 */
export async function closeFilesOfObjects(round: number): Promise<void> {
  if (round % ROUNDS_BETWEEN_EVICTIONS === 0) await evictAllDurableObjects()
}

/**
 * Runs the alarm of a Durable Object, and calls `action` again and again until the alarm has
 * finished.
 */
export async function repeatDuringAlarm(
  object: { alarm(): Promise<void> },
  action: () => void,
): Promise<void> {
  let isFinished = false
  const alarm = object.alarm().then(() => {
    isFinished = true
  })
  while (!isFinished) {
    action()
    await Promise.resolve()
  }
  await alarm
}

/**
 * A deployment that waits before it opens a session, when the directory has already recorded the
 * sign-in.
 */
export function pauseBeforeOpeningSession(settings: Record<string, unknown> = {}) {
  const reached = Promise.withResolvers<void>()
  const resumed = Promise.withResolvers<void>()
  let isPaused = true
  const users = new Proxy(env.USERS, {
    get(namespace, name) {
      const member = Reflect.get(namespace, name)
      if (name !== 'get') return member.bind(namespace)
      return (id: DurableObjectId) =>
        new Proxy(namespace.get(id), {
          get(stub, method) {
            if (method !== 'openSession') return Reflect.get(stub, method)
            return async (opening: Parameters<UserObject['openSession']>[0]) => {
              reached.resolve()
              if (isPaused) await resumed.promise
              return stub.openSession(opening)
            }
          },
        })
    },
  })
  return {
    /** The binding, for a deployment with other options. */
    users,
    service: serviceWith({ ...settings, USERS: users }),
    isReached: reached.promise,
    resume() {
      isPaused = false
      resumed.resolve()
    },
  }
}
