import { earliest } from '../../foundation/values/clock.ts'
import { KvRecords, type ListedRecords } from './kv-records.ts'

/**
 * Messages of a Durable Object. Each is written together with what it reports and stays until it is
 * delivered or given up, so a crash loses nothing. `dueAt` is the time of the next attempt, to which
 * the object sets its alarm.
 */
export abstract class Outbox<Message extends { dueAt: number }> {
  readonly #records: KvRecords<Message>

  constructor(kv: SyncKvStorage, prefix: string) {
    this.#records = new KvRecords(kv, prefix)
  }

  protected abstract keyOf(message: Message): string

  /** The message for the attempt after one that has failed; undefined if it is given up. */
  protected abstract postpone(message: Message): Message | undefined

  protected put(message: Message): void {
    this.#records.put(this.keyOf(message), message)
  }

  list(listed?: ListedRecords): Message[] {
    return this.#records.values(listed)
  }

  nextDue(listed?: ListedRecords): number | undefined {
    return earliest(this.list(listed).map(({ dueAt }) => dueAt))
  }

  /** Removes a delivered message, unless another one has replaced it meanwhile. */
  remove(message: Message): void {
    if (this.#isCurrent(message)) this.#records.delete(this.keyOf(message))
  }

  /** Schedules the next attempt. Returns false if the message is given up. */
  retryLater(message: Message): boolean {
    if (!this.#isCurrent(message)) return true
    const next = this.postpone(message)
    if (next) this.put(next)
    else this.remove(message)
    return next !== undefined
  }

  /** The time identifies a message among those with the same key. */
  #isCurrent(message: Message): boolean {
    return this.#records.get(this.keyOf(message))?.dueAt === message.dueAt
  }
}
