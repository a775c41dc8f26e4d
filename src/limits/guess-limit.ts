import type { AppContext } from '../http/app-env.ts'
import { addressOf } from '../http/client-address.ts'
import { guardObject } from './guard-object.ts'
import { tooManyCalls } from './rate-limit.ts'

/** Who guesses, and until when this isolate does not even look; by client and address. */
const guessers = new Map<string, number>()

/** Beyond these the oldest are forgotten; their next wrong guess brings them back. */
const MOST_GUESSERS = 1000

/** Turns away who has shown too many wrong secrets of this client's. The client itself, elsewhere, is not affected. */
export function refuseGuesser(c: AppContext, clientId: string): void {
  if ((guessers.get(nameOf(c, clientId)) ?? 0) > Date.now()) throw tooManyCalls()
}

/** A wrong secret was shown for a client that exists. */
export async function countGuess(c: AppContext, clientId: string): Promise<void> {
  if (addressOf(c) === undefined) return
  const name = nameOf(c, clientId)
  const pause = await guardObject(c.env, `secret ${name}`).countFailure()
  if (pause === 0) return
  const [oldest] = guessers.keys()
  if (oldest !== undefined && guessers.size >= MOST_GUESSERS) guessers.delete(oldest)
  guessers.set(name, Date.now() + pause * 1000)
  throw tooManyCalls()
}

function nameOf(c: AppContext, clientId: string): string {
  return `${clientId} ${addressOf(c)}`
}
