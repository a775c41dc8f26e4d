/** All records of an object by key. Listing them at once is faster than listing several kinds. */
export type ListedRecords = readonly (readonly [key: string, value: unknown])[]

/** Records of one kind in the key-value storage of a Durable Object. Their keys have a prefix. */
export class KvRecords<Value> {
  readonly #kv: SyncKvStorage
  readonly #prefix: string

  constructor(kv: SyncKvStorage, prefix: string) {
    this.#kv = kv
    this.#prefix = prefix
  }

  get(key: string): Value | undefined {
    return this.#kv.get<Value>(this.#prefix + key)
  }

  put(key: string, value: Value): void {
    this.#kv.put<Value>(this.#prefix + key, value)
  }

  /** Returns false if there was no such record. */
  delete(key: string): boolean {
    return this.#kv.delete(this.#prefix + key)
  }

  deleteAll(): void {
    for (const [key] of this.entries()) this.delete(key)
  }

  /** In the order of the keys. */
  entries(): [key: string, value: Value][] {
    const entries = this.#kv.list<Value>({ prefix: this.#prefix })
    return Array.from(entries, ([key, value]) => [key.slice(this.#prefix.length), value])
  }

  /** In the order of the keys: those of the listed records, or what the object stores now. */
  values(listed: ListedRecords = [...this.#kv.list({ prefix: this.#prefix })]): Value[] {
    const ofKind = listed.filter(([key]) => key.startsWith(this.#prefix))
    return ofKind.map(([, value]) => value as Value)
  }
}
