import type { Meter } from './meter.ts'

type Method = (this: unknown, ...input: unknown[]) => unknown

/**
 * Cursors of the calls in progress. A cursor's row counts are final when its rows have been
 * consumed.
 */
let cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = []

let isStorageMetered = false

/**
 * Counts the rows that objects read and write. Rows of SQL statements are counted by the storage
 * itself. Key-value methods and alarms use hidden tables, and are counted as they are billed: one
 * row per key, one per `setAlarm` ({@link https://developers.cloudflare.com/durable-objects/platform/pricing/}).
 */
export function meterStorage(meter: Meter, storage: DurableObjectStorage): void {
  // The methods are on prototypes that all objects of the isolate share.
  if (isStorageMetered) return
  isStorageMetered = true
  replaceMethod(storage.sql, 'exec', (exec) => execSeparately(exec))
  for (const store of [storage.kv, storage]) meterKeyValues(meter, store)
  beforeMethod(storage, 'setAlarm', () => meter.add({ objectRowsWritten: 1 }))
}

/**
 * A cursor counts only the last of several statements, so each statement gets a cursor of its own.
 */
function execSeparately(exec: Method): Method {
  return function (sql, ...bindings) {
    const statements = bindings.length > 0 ? [sql] : splitStatements(String(sql))
    for (const statement of statements) {
      cursors.push(exec.call(this, statement, ...bindings) as (typeof cursors)[number])
    }
    return cursors.at(-1)
  }
}

/** Sufficient for the service's statements, which have no semicolons inside strings. */
function splitStatements(sql: string): string[] {
  const withoutComments = sql.replace(/--.*$/gm, '')
  const statements = withoutComments.split(';').filter((statement) => statement.trim() !== '')
  return statements.length > 0 ? statements : [sql]
}

function meterKeyValues(meter: Meter, store: object): void {
  beforeMethod(store, 'get', (keys) => meter.add({ objectRowsRead: countKeys(keys) }))
  beforeMethod(store, 'put', (keys) => meter.add({ objectRowsWritten: countKeys(keys) }))
  beforeMethod(store, 'delete', (keys) => meter.add({ objectRowsWritten: countKeys(keys) }))
  replaceMethod(store, 'list', (list) => {
    return function (...input) {
      const entries = list.apply(this, input)
      if (entries instanceof Promise) throw new Error('The meter does not support async list().')
      const rows = [...(entries as Iterable<unknown>)]
      meter.add({ objectRowsRead: rows.length })
      return rows
    }
  })
}

/** One key, a list of keys, or an object of keys and values. */
function countKeys(keys: unknown): number {
  return typeof keys === 'object' && keys !== null ? Object.keys(keys).length : 1
}

function beforeMethod(instance: object, name: string, run: (firstInput: unknown) => void): void {
  replaceMethod(instance, name, (method) => {
    return function (...input) {
      run(input[0])
      return method.apply(this, input)
    }
  })
}

function replaceMethod(instance: object, name: string, replace: (method: Method) => Method): void {
  const prototype = Object.getPrototypeOf(instance) as Record<string, Method>
  const method = prototype[name]
  if (!method) throw new Error(`The storage has no method ${name}().`)
  prototype[name] = replace(method)
}

/**
 * How many method calls are in progress. Methods call each other, and only the outermost reports.
 */
let depth = 0

/**
 * Reports what the methods of an object have read and written, after each call, and the size of its
 * database.
 */
export function meterMethods(
  meter: Meter,
  prototype: object,
  { reportsSize = false }: { reportsSize?: boolean } = {},
): void {
  const methods = prototype as Record<string, Method>
  const finish = (object: { ctx: DurableObjectState }) => {
    if (--depth > 0) return
    for (const { rowsRead, rowsWritten } of cursors.splice(0)) {
      meter.add({ objectRowsRead: rowsRead, objectRowsWritten: rowsWritten })
    }
    if (reportsSize) meter.setStored(databaseSize(object.ctx.storage.sql))
  }
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const method = Object.getOwnPropertyDescriptor(prototype, name)?.value as Method | undefined
    if (name === 'constructor' || typeof method !== 'function') continue
    // Stays synchronous where the method is: methods of the object also call each other.
    methods[name] = function (...input) {
      const object = this as { ctx: DurableObjectState }
      depth++
      try {
        const result = method.apply(this, input)
        if (result instanceof Promise) return result.finally(() => finish(object))
        finish(object)
        return result
      } catch (error) {
        finish(object)
        throw error
      }
    }
  }
}

function databaseSize(sql: SqlStorage) {
  const userObject = sql.databaseSize
  const [row] = [...sql.exec<{ page_size: number }>('PRAGMA page_size')]
  cursors = []
  return { userObject, userObjectPages: userObject / (row?.page_size ?? 0) }
}
