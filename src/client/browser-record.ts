const STORE = 'vestibule'

/**
 * One record of this origin, in IndexedDB: a write is visible to all tabs once it has finished.
 * Browsers copy `localStorage` between the processes of tabs later, so that the next tab could
 * still read a refresh token that has been used.
 */
export class BrowserRecord<Value> {
  readonly #key: string

  constructor(key: string) {
    this.#key = key
  }

  read(): Promise<Value | undefined> {
    return run('readonly', (store) => store.get(this.#key))
  }

  async write(value: Value): Promise<void> {
    await run('readwrite', (store) => store.put(value, this.#key))
  }

  async delete(): Promise<void> {
    await run('readwrite', (store) => store.delete(this.#key))
  }
}

async function run<Result>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await open()
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

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(STORE)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
