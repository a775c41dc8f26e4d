/** A map that drops its oldest entry when another one would exceed its size. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly maxSize: number

  constructor(maxSize: number) {
    super()
    this.maxSize = maxSize
  }

  /** The entry becomes the newest one, also if its key has had a value. */
  override set(key: Key, value: Value): this {
    this.delete(key)
    const [oldest] = this.keys()
    if (oldest !== undefined && this.size >= this.maxSize) this.delete(oldest)
    return super.set(key, value)
  }
}
