import { interceptCalls } from '../intercept-calls.ts'

/*
 * Faults at the bindings. Each isolate of the matrix, and each Durable Object, has bindings that pass
 * every call on to the real ones, unless a fault is injected into the part that they belong to.
 */

/** What can fail, in the order of the columns of the table. */
export const PARTS = [
  'D1',
  'KV',
  'USERS',
  'KEYRING',
  'GUARDS',
  'REVOCATIONS',
  'CLIENT_METADATA',
  'METRICS',
  'USER_RATE_LIMIT',
  'CLIENT_RATE_LIMIT',
  'provider',
] as const

export type Part = (typeof PARTS)[number]

/** How a part fails. */
export type Fault =
  | 'error'
  /** There is no answer. */
  | 'hang'
  | 'slow'
  /** The call is made, and its answer lost. */
  | 'error after the call'
  /** Writes fail, because there is no space. */
  | 'full'
  /** Writes fail. */
  | 'read-only'
  | 'missing table'

interface Injection {
  part: Part
  fault: Fault
  /** Only this call fails, counted from 1; otherwise all. */
  call?: number | undefined
}

const SLOWNESS = 20 // milliseconds

/** What each fault looks like to the caller. */
const MESSAGES: Record<Exclude<Fault, 'hang' | 'slow'>, string> = {
  error: 'Network connection lost.',
  'error after the call': 'Network connection lost.',
  full: 'D1_ERROR: Exceeded maximum DB size: SQLITE_FULL',
  'read-only': 'D1_ERROR: attempt to write a readonly database: SQLITE_READONLY',
  'missing table': 'D1_ERROR: no such table: missing: SQLITE_ERROR',
}

let injection: Injection | undefined
let hits = 0
const calls = new Map<Part, number>()
const writes = new Set<Part>()

/** Lets a part fail from now on, and counts calls anew. */
export function inject(next: Injection | undefined): void {
  injection = next
  hits = 0
  calls.clear()
  writes.clear()
}

/** Whether calls never return, also those of work that continues after a response. */
export function isHanging(): boolean {
  return injection?.fault === 'hang'
}

/** How often the fault has had an effect. */
export function countHits(): number {
  return hits
}

/** How often this part was called since the last injection. */
export function countCalls(part: Part): number {
  return calls.get(part) ?? 0
}

/** Whether objects of this class have written since the last injection. */
export function hasWritten(part: Part): boolean {
  return writes.has(part)
}

/** A call of a binding. */
interface Call {
  part: Part
  isWrite: boolean
  /** Calls in the background, about three times a minute, are not those of a request. */
  isBackground?: boolean
}

async function call<Result>(
  { part, isWrite, isBackground = false }: Call,
  run: () => Result | Promise<Result>,
  signal?: AbortSignal | null,
): Promise<Result> {
  const number = (calls.get(part) ?? 0) + Number(!isBackground)
  calls.set(part, number)
  if (injection?.part !== part || (injection.call ?? number) !== number) return await run()
  const { fault } = injection
  const failsOnlyWrites = fault === 'full' || fault === 'read-only'
  if (failsOnlyWrites && !isWrite) return await run()
  if (!isBackground) hits += 1
  if (fault === 'hang') return hang(signal)
  if (fault === 'slow') await scheduler.wait(SLOWNESS)
  if (fault === 'slow') return await run()
  if (fault === 'error after the call') await run()
  throw new Error(MESSAGES[fault])
}

/** Only requests can be aborted. */
function hang(signal?: AbortSignal | null): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason))
  })
}

const wrapped = new WeakMap<Env, Env>()

/** The same environment, into whose bindings faults can be injected. */
export function withFaults(env: Env): Env {
  const known = wrapped.get(env)
  if (known) return known
  const result: Env = {
    ...env,
    DIRECTORY: faulty('D1', env.DIRECTORY, ({ sql }) => ({ isWrite: WRITE.test(sql) })),
    SESSIONS: faulty('KV', env.SESSIONS, ({ method }) => ({
      isWrite: method !== 'get' && method !== 'list',
    })),
    USERS: faultyObjects('USERS', env.USERS),
    KEYRING: faultyObjects('KEYRING', env.KEYRING),
    GUARDS: faultyObjects('GUARDS', env.GUARDS),
    REVOCATIONS: faultyObjects('REVOCATIONS', env.REVOCATIONS),
    CLIENT_METADATA: faultyObjects('CLIENT_METADATA', env.CLIENT_METADATA),
    METRICS: faultyObjects('METRICS', env.METRICS),
    USER_RATE_LIMIT: faultyLimiter('USER_RATE_LIMIT', env.USER_RATE_LIMIT),
    CLIENT_RATE_LIMIT: faultyLimiter('CLIENT_RATE_LIMIT', env.CLIENT_RATE_LIMIT),
  }
  wrapped.set(env, result)
  return result
}

function faulty<T extends object>(
  part: Part,
  binding: T,
  describe: (called: { method: string; sql: string }) => Pick<Call, 'isWrite' | 'isBackground'>,
): T {
  return interceptCalls(binding, (perform, called) => call({ part, ...describe(called) }, perform))
}

/** Whether an object can write is up to its own storage. */
function faultyObjects<T extends object>(part: Part, namespace: T): T {
  return faulty(part, namespace, ({ method }) => ({
    isWrite: false,
    isBackground: part === 'METRICS' && method === 'add',
  }))
}

const WRITE = /\b(INSERT|UPDATE|DELETE|REPLACE)\b/

const WRITE_METHODS = ['put', 'delete', 'setAlarm', 'deleteAlarm', 'deleteAll']

/** What is stored can be deleted, also if there is no space. */
const DELETION = /^\s*DELETE\b|^delete/

/** Lets the storage of an object fail when it is written, if the part cannot write. */
export function failWrites(part: Part, storage: DurableObjectStorage): DurableObjectStorage {
  const check = (method: string, text: unknown) => {
    const isWrite = method === 'exec' ? WRITE.test(String(text)) : WRITE_METHODS.includes(method)
    if (isWrite) writes.add(part)
    if (!isWrite || injection?.part !== part) return
    const { fault } = injection
    if (fault !== 'read-only' && (fault !== 'full' || DELETION.test(String(text)))) return
    hits += 1
    throw new Error(MESSAGES[fault].replace('D1_ERROR: ', ''))
  }
  return interceptMethods(storage, check)
}

function interceptMethods<T extends object>(
  object: T,
  check: (method: string, text: unknown) => void,
): T {
  return new Proxy(object, {
    get(target, name) {
      const member = Reflect.get(target, name)
      if (name === 'sql' || name === 'kv') return interceptMethods(member as object, check)
      if (typeof member !== 'function') return member
      return (...input: unknown[]) => {
        const method = String(name)
        check(method, method === 'exec' ? input[0] : method)
        return Reflect.apply(member, target, input)
      }
    },
  })
}

/** Sends requests to providers, if the part does not fail. */
export function faultyFetch(
  send: typeof fetch,
  isProvider: (host: string) => boolean,
): typeof fetch {
  return (input, init) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input)
    if (!isProvider(hostname)) return send(input, init)
    const signal = init?.signal
    return call({ part: 'provider', isWrite: true }, () => send(input, init), signal)
  }
}

/** Each request is counted alone, because the matrix sends more than a user may. */
function faultyLimiter(part: Part, limiter: RateLimit): RateLimit {
  return {
    limit: ({ key }) =>
      call({ part, isWrite: true }, () => limiter.limit({ key: key + crypto.randomUUID() })),
  }
}
