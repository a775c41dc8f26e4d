import { withDeadline } from '../../core/fetch/deadline.ts'

/** Storage that takes longer does not work. */
const DEADLINE = 2_000 // milliseconds

/** A part of a page, which is left out if it cannot be read: pages also show what does not work. */
export async function ifReadable<Value>(value: Promise<Value>): Promise<Value | undefined> {
  try {
    return await withDeadline(value, DEADLINE, () => new Error('It took too long.'))
  } catch {
    return undefined
  }
}
