import { listDurableObjectIds, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { setClock } from '../../clock.ts'

/** The objects of all classes, by the class that docs/storage.md names. */
const NAMESPACES = {
  UserObject: env.TEST_TOTP_USERS,
  KeyringObject: env.KEYRING,
  GuardObject: env.GUARDS,
  RevocationsObject: env.REVOCATIONS,
  MetricsObject: env.METRICS,
  ClientMetadataObject: env.CLIENT_METADATA,
} as unknown as Record<string, DurableObjectNamespace>

export const CLASSES = Object.keys(NAMESPACES)

/** A record of an object, or a row of one of its tables. */
export interface StoredRecord {
  /** The beginning of the key, or the name of the table. */
  kind: string
  text: string
  value: unknown
}

export interface StoredObject {
  stub: DurableObjectStub
  records: StoredRecord[]
  /** In seconds since 1970. */
  alarm: number | undefined
}

/** Everything that objects store, except for those that store nothing. */
export async function readObjects(...classes: string[]): Promise<StoredObject[]> {
  await learnNamesOfUsers()
  const found = classes.map(async (className) => {
    const namespace = NAMESPACES[className]
    if (!namespace) throw new Error(`There is no class ${className}.`)
    const ids = (await listDurableObjectIds(namespace)).filter((id) => !ignored.has(id.toString()))
    return Promise.all(ids.map((id) => readObject(stubOf(namespace, id))))
  })
  const objects = (await Promise.all(found)).flat()
  return objects.filter(({ records, alarm }) => records.length > 0 || alarm !== undefined)
}

/** The objects of users of other tests in the same runtime. */
let ignored: ReadonlySet<string> = new Set()

/** Ignores the objects of users that exist now. */
export async function ignoreOtherUsers(): Promise<void> {
  const ids = await listDurableObjectIds(env.TEST_TOTP_USERS)
  ignored = new Set(ids.map((id) => id.toString()))
}

/** The names of objects of users and of those that were read before, by their ids. */
const names = new Map<string, string>()

async function learnNamesOfUsers(): Promise<void> {
  const query = 'SELECT id FROM users UNION SELECT subject FROM audit WHERE subject IS NOT NULL'
  const { results } = await env.DIRECTORY.prepare(query).all<{ id: string }>()
  for (const { id } of results) names.set(env.TEST_TOTP_USERS.idFromName(id).toString(), id)
}

/** By its name if that is known: an object that has become inactive learns its name from the caller. */
function stubOf(namespace: DurableObjectNamespace, id: DurableObjectId): DurableObjectStub {
  const name = names.get(id.toString())
  return namespace.get(name === undefined ? id : namespace.idFromName(name))
}

async function readObject(stub: DurableObjectStub): Promise<StoredObject> {
  return runInDurableObject(stub, async (_, { id, storage }) => {
    if (id.name !== undefined) names.set(id.toString(), id.name)
    const keys = Array.from(storage.kv.list(), ([key, value]) => ({
      kind: key.replace(/:.*/s, ''),
      text: key + JSON.stringify(value),
      value,
    }))
    const query = "SELECT name FROM sqlite_master WHERE type = 'table' AND NOT name GLOB '_*'"
    const tables = storage.sql.exec<{ name: string }>(query).toArray()
    const rows = tables.flatMap(({ name }) =>
      storage.sql
        .exec(`SELECT * FROM ${name}`)
        .toArray()
        .map((row) => ({ kind: name, text: JSON.stringify(row), value: row })),
    )
    const alarm = await storage.getAlarm()
    return {
      stub,
      records: [...keys, ...rows],
      alarm: alarm === null ? undefined : alarm / 1000,
    }
  })
}

/** The same when its alarm is not running, which has no time then. */
export async function readSettled(stub: DurableObjectStub): Promise<StoredObject> {
  for (let round = 0; round < 10; round++) {
    const object = await readObject(stub)
    if (object.alarm !== undefined || object.records.length === 0) return object
    await scheduler.wait(50)
  }
  return readObject(stub)
}

type Check = (object: StoredObject) => void

/** Of an alarm that is due at once when it has run. */
const MAX_REPETITIONS = 10

/** Lets time pass, with the alarms of these classes that are due meanwhile, each followed by a check. */
export async function passTime(
  seconds: number,
  classes: readonly string[],
  check: Check = () => {},
): Promise<void> {
  const start = Date.now() / 1000
  for (const className of classes) {
    for (const { stub } of await readObjects(className)) {
      setClock(start)
      await passTimeOf(stub, seconds, check)
    }
  }
  setClock(start + seconds)
}

/** The same for one object. */
export async function passTimeOf(
  stub: DurableObjectStub,
  seconds: number,
  check: Check = () => {},
): Promise<void> {
  const start = Date.now() / 1000
  let { alarm } = await readSettled(stub)
  let repetitions = 0
  while (alarm !== undefined && alarm <= start + seconds) {
    setClock(Math.max(alarm, start))
    await runDurableObjectAlarm(stub)
    const object = await readSettled(stub)
    check(object)
    repetitions = (object.alarm ?? alarm) > alarm ? 0 : repetitions + 1
    if (repetitions > MAX_REPETITIONS) throw new Error('The alarm runs again and again.')
    alarm = object.alarm
  }
  setClock(start + seconds)
}

/** The names of the tables in the directory. */
export async function listTables(): Promise<string[]> {
  const { results } = await env.DIRECTORY.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND NOT name GLOB '_*' AND name NOT IN ('d1_migrations', 'sqlite_sequence')",
  ).all<{ name: string }>()
  return results.map(({ name }) => name)
}

/** The tables in which one of these texts occurs. */
export async function tablesWith(texts: readonly string[]): Promise<string[]> {
  const found = []
  for (const name of await listTables()) {
    const { results } = await env.DIRECTORY.prepare(`SELECT * FROM ${name}`).all()
    const content = JSON.stringify(results)
    if (texts.some((text) => content.includes(text))) found.push(name)
  }
  return found
}

/** The values of all copies of sessions. */
export async function readCopies(): Promise<string> {
  const { keys } = await env.SESSIONS.list()
  const values = await Promise.all(keys.map(({ name }) => env.SESSIONS.get(name)))
  return values.join('\n')
}
