import type { DurableObject } from 'cloudflare:workers'
import service, * as exported from '../src/index.ts'
import { GROWTH_PATH, type ObjectReport, type StorageReport } from './storage-report.ts'

/*
 * The service with a clock that can be put forward, which also runs the alarms that are due by then,
 * and a report of everything that is stored. Used by `bench/growth.ts`.
 */

let offset = 0 // milliseconds
const realNow = Date.now
Date.now = () => realNow() + offset

/** Later entries of the audit log are not counted, in seconds since 1970. */
let countedUntil = Number.MAX_SAFE_INTEGER

const CLASSES = {
  USERS: exported.UserObject,
  KEYRING: exported.KeyringObject,
  GUARDS: exported.GuardObject,
  REVOCATIONS: exported.RevocationsObject,
  METRICS: exported.MetricsObject,
  CLIENT_METADATA: exported.ClientMetadataObject,
}

type Binding = keyof typeof CLASSES

/** The ids of the objects that have ever existed. */
const objects = new Map<Binding, Set<string>>()

/** When the alarms of objects are due, in milliseconds since 1970, by id. */
const alarms = new Map<string, number>()
const ids = new WeakMap<object, string>()

/** What is in KV, because the emulation uses the real clock. Times are in milliseconds. */
const copies = new Map<string, { expiresAt: number }>()
const written = { keys: 0, bytes: 0 }

export default {
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === GROWTH_PATH) {
      if (searchParams.has('ends')) countedUntil = Date.now() / 1000
      if (!searchParams.has('advance')) return Response.json(await report(env))
      offset += Number(searchParams.get('advance')) * 1000
      await runDueAlarms(env)
      return new Response()
    }
    const secureRequest = new Request(request.url.replace(/^http:/, 'https:'), request)
    return service.fetch(secureRequest, withoutLimits(env), ctx)
  },
}

let changed: Env | undefined

/** One object for all requests, because the service caches what it derives from it. */
function withoutLimits(env: Env): Env {
  const unlimited = { limit: async () => ({ success: true }) } as unknown as RateLimit
  changed ??= {
    ...env,
    USER_RATE_LIMIT: unlimited,
    CLIENT_RATE_LIMIT: unlimited,
    SESSIONS: watchCopies(env.SESSIONS),
  }
  return changed
}

function watchCopies(namespace: KVNamespace): KVNamespace {
  const watched: Pick<KVNamespace, 'put' | 'delete'> = {
    async put(key: string, value: string, options: { expirationTtl: number }) {
      written.keys += 1
      written.bytes += new TextEncoder().encode(key + value).length
      copies.set(key, { expiresAt: Date.now() + options.expirationTtl * 1000 })
      await namespace.put(key, value, options)
    },
    async delete(key: string) {
      copies.delete(key)
      await namespace.delete(key)
    },
  }
  return Object.assign(Object.create(namespace), watched, {
    get: namespace.get.bind(namespace),
    list: namespace.list.bind(namespace),
  })
}

interface GrowingObject extends Rpc.DurableObjectBranded {
  runAlarm(): Promise<void>
  report(): ObjectReport
}

function stubsOf(
  env: Env,
  binding: Binding,
  isSelected: (id: string) => boolean = () => true,
): DurableObjectStub<GrowingObject>[] {
  const namespace = env[binding] as unknown as DurableObjectNamespace<GrowingObject>
  const selected = [...(objects.get(binding) ?? [])].filter(isSelected)
  return selected.map((id) => namespace.get(namespace.idFromString(id)))
}

/** An alarm may set another one that is due, too. */
async function runDueAlarms(env: Env): Promise<void> {
  const isDue = (id: string) => (alarms.get(id) ?? Number.POSITIVE_INFINITY) <= Date.now()
  for (const binding of Object.keys(CLASSES) as Binding[]) {
    let due = stubsOf(env, binding, isDue)
    while (due.length > 0) {
      await Promise.all(due.map((stub) => stub.runAlarm()))
      due = stubsOf(env, binding, isDue)
    }
  }
}

let areAlarmsWatched = false

/** The methods are on a prototype that all objects of the isolate share. */
function watchAlarms(storage: DurableObjectStorage): void {
  if (areAlarmsWatched) return
  areAlarmsWatched = true
  const prototype: DurableObjectStorage = Object.getPrototypeOf(storage)
  const { setAlarm } = prototype
  prototype.setAlarm = function (time, options) {
    alarms.set(ids.get(this) ?? '', Number(time))
    return setAlarm.call(this, time, options)
  }
}

async function report(env: Env): Promise<StorageReport> {
  const reports = Object.keys(CLASSES).map(async (binding) => {
    const all = await Promise.all(stubsOf(env, binding as Binding).map((stub) => stub.report()))
    const stored = all.filter(({ records }) => records > 0)
    const sum = (field: keyof ObjectReport) => stored.reduce((total, one) => total + one[field], 0)
    return [binding, { objects: stored.length, records: sum('records'), bytes: sum('bytes') }]
  })
  const present = [...copies.values()].filter(({ expiresAt }) => expiresAt > Date.now())
  return {
    objects: Object.fromEntries(await Promise.all(reports)),
    copies: { present: present.length, written: written.keys, bytesWritten: written.bytes },
    ...(await reportDirectory(env.DIRECTORY)),
  }
}

const TABLES = ['users', 'accounts', 'audit', 'audit_marks', 'counters']

async function reportDirectory(directory: D1Database) {
  const results = await directory.batch<{ count: number }>(
    TABLES.map((table) =>
      directory
        .prepare(
          `SELECT count(*) AS count FROM ${table} ${table === 'audit' ? 'WHERE at <= ?' : ''}`,
        )
        .bind(...(table === 'audit' ? [countedUntil] : [])),
    ),
  )
  const counts = results.map(({ results: [row] }, index) => [TABLES[index], row?.count ?? 0])
  return { tables: Object.fromEntries(counts), directoryBytes: results[0]?.meta.size_after ?? 0 }
}

type ObjectClass = new (ctx: DurableObjectState, env: Env) => DurableObject<Env>

function growing(binding: Binding): ObjectClass {
  const Base = CLASSES[binding] as unknown as ObjectClass
  return class extends Base {
    constructor(ctx: DurableObjectState, env: Env) {
      watchAlarms(ctx.storage)
      ids.set(ctx.storage, ctx.id.toString())
      super(ctx, withoutLimits(env))
      objects.set(binding, (objects.get(binding) ?? new Set()).add(ctx.id.toString()))
    }

    /** As the runtime does it when the alarm is due. */
    async runAlarm(): Promise<void> {
      alarms.delete(this.ctx.id.toString())
      await this.ctx.storage.deleteAlarm()
      await this.alarm?.()
    }

    report(): ObjectReport {
      const { sql, kv } = this.ctx.storage
      const tables = sql
        .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
        .toArray()
        .filter(({ name }) => !name.startsWith('_cf_') && !name.startsWith('sqlite_'))
      const rows = tables.map(({ name }) => sql.exec(`SELECT 1 FROM ${name}`).toArray().length)
      const records = [...kv.list()].length + rows.reduce((sum, count) => sum + count, 0)
      return { records, bytes: sql.databaseSize }
    }
  }
}

export const UserObject = growing('USERS')
export const KeyringObject = growing('KEYRING')
export const GuardObject = growing('GUARDS')
export const RevocationsObject = growing('REVOCATIONS')
export const MetricsObject = growing('METRICS')
export const ClientMetadataObject = growing('CLIENT_METADATA')
