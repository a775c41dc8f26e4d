const STORE = 'vestibule'

/** The errors of browsers that do not let a page store anything, such as some private windows. */
const STORES_NOTHING = ['InvalidStateError', 'SecurityError']

/** The error of browsers that do not store keys, such as Safari in private windows. */
const CANNOT_CLONE = ['DataCloneError']

/**
 * One record of this origin, in IndexedDB: a write is visible to all tabs once it has finished.
 * Browsers copy `localStorage` between the processes of tabs later, so that the next tab could
 * still read a refresh token that has been used. Without IndexedDB, the record is in the memory of
 * this page, and users sign in again after they have left it.
 */
export class BrowserRecord<Value> {
  readonly #key: string
  #inMemory: Value | undefined

  constructor(key: string) {
    this.#key = key
  }

  /** Whether the record will be lost with this page. */
  get isInMemory(): boolean {
    return this.#inMemory !== undefined
  }

  async read(): Promise<Value | undefined> {
    if (this.#inMemory) return this.#inMemory
    const database = await open()
    return database && run(database, 'readonly', (store) => store.get(this.#key))
  }

  async write(value: Value): Promise<void> {
    const database = this.#inMemory ? undefined : await open()
    try {
      if (database) await run(database, 'readwrite', (store) => store.put(value, this.#key))
      else this.#inMemory = value
    } catch (error) {
      if (!isNamed(error, CANNOT_CLONE)) throw error
      await this.delete() // Other tabs must not use an older value.
      this.#inMemory = value
    }
  }

  async delete(): Promise<void> {
    this.#inMemory = undefined
    const database = await open()
    if (database) await run(database, 'readwrite', (store) => store.delete(this.#key))
  }
}

async function run<Result>(
  database: IDBDatabase,
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode)
      const request = act(transaction.objectStore(STORE))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error)
    })
  } finally {
    database.close()
  }
}

/** Undefined if this browser has no database for the page. Other errors may be temporary. */
async function open(): Promise<IDBDatabase | undefined> {
  try {
    if (!globalThis.indexedDB) return undefined
    return await new Promise((resolve, reject) => {
      const request = indexedDB.open(STORE)
      request.onupgradeneeded = () => request.result.createObjectStore(STORE)
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  } catch (error) {
    if (isNamed(error, STORES_NOTHING)) return undefined
    throw error
  }
}

function isNamed(error: unknown, names: readonly string[]): boolean {
  return error instanceof DOMException && names.includes(error.name)
}
