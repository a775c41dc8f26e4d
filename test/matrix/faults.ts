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

/** Lets a part fail from now on, and counts calls anew. */
export function inject(next: Injection | undefined): void {
  injection = next
  hits = 0
  calls.clear()
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
    DIRECTORY: faultyDatabase(env.DIRECTORY),
    SESSIONS: intercept(env.SESSIONS, (name, run) =>
      call({ part: 'KV', isWrite: name !== 'get' && name !== 'list' }, run),
    ),
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

function faultyObjects<T extends object>(part: Part, namespace: T): T {
  return intercept(namespace, (name, run) => {
    if (name === 'jurisdiction') return faultyObjects(part, run() as object)
    if (name !== 'get') return run()
    return intercept(run() as object, (method, callObject) =>
      call(
        { part, isWrite: true, isBackground: part === 'METRICS' && method === 'add' },
        callObject,
      ),
    )
  })
}

const realStatements = new WeakMap<object, { statement: D1PreparedStatement; sql: string }>()

function faultyDatabase(database: D1Database): D1Database {
  const wrap = (statement: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const faulty = intercept(statement, (name, run) =>
      name === 'bind'
        ? wrap(run() as D1PreparedStatement, sql)
        : call({ part: 'D1', isWrite: isWrite(sql) }, run),
    )
    realStatements.set(faulty, { statement, sql })
    return faulty
  }
  return new Proxy(database, {
    get(target, name) {
      if (name === 'prepare') return (sql: string) => wrap(target.prepare(sql), sql)
      if (name === 'batch') {
        return (statements: object[]) => {
          const real = statements.map((faulty) => {
            const found = realStatements.get(faulty)
            if (!found) throw new Error('The statement was not prepared here.')
            return found
          })
          return call({ part: 'D1', isWrite: real.some(({ sql }) => isWrite(sql)) }, () =>
            target.batch(real.map(({ statement }) => statement)),
          )
        }
      }
      const member = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

function isWrite(sql: string): boolean {
  return /\b(INSERT|UPDATE|DELETE|REPLACE)\b/.test(sql)
}

function intercept<T extends object>(
  object: T,
  around: (name: string, run: () => unknown) => unknown,
): T {
  return new Proxy(object, {
    get(target, name) {
      const member = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...input: unknown[]) =>
        around(String(name), () => Reflect.apply(member, target, input))
    },
  })
}
