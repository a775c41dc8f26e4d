import { generateRandomCodeVerifier } from 'oauth4webapi'
import * as z from 'zod/mini'
import { seconds } from '../clock.ts'
import type { AppContext } from '../http/app-env.ts'
import { attemptCookies, clearCookie, readSealedCookie, setSealedCookie } from '../http/cookies.ts'
import { randomSecret } from '../random.ts'

/** Time enough to find a phone and a password. */
const TEN_MINUTES = 600 // seconds

/** Tabs a person may be signing in from at once. Beyond them the oldest gives way. */
const MOST_ATTEMPTS = 5

/** What all attempts may weigh together: servers refuse Cookie headers of 8 KiB, and others set cookies too. */
const MOST_BYTES = 7 * 1024

/** More cookies than this in one answer are somebody's trick. */
const MOST_CLEARED = 20

/** Enough of the state to name the cookie by. The rest of it, 192 bits, is still a secret. */
const NAME_LENGTH = 11

const attemptSchema = z.object({
  v: z.literal(1),
  provider: z.string(),
  state: z.string(),
  codeVerifier: z.string(),
  nonce: z.string(),
  returnTo: z.string(),
  /** The person has asked to choose the account, so another one may take the session's place. */
  mayReplace: z.boolean(),
  /** The platform was told to ask the person again. */
  isForced: z.boolean(),
  /** The person who links an account, in place of signing in with it. */
  linkTo: z.optional(z.string()),
  expiresAt: z.number(),
})

/** One browser's trip to a provider and back. It lives in a cookie of its own, and nowhere else. */
export type Attempt = z.infer<typeof attemptSchema>

/** Remembers a new attempt in this browser. */
export async function beginAttempt(
  c: AppContext,
  about: Pick<Attempt, 'provider' | 'state' | 'returnTo' | 'mayReplace' | 'isForced' | 'linkTo'>,
): Promise<Attempt> {
  const attempt: Attempt = {
    v: 1,
    ...about,
    codeVerifier: generateRandomCodeVerifier(),
    nonce: randomSecret(),
    expiresAt: seconds() + TEN_MINUTES,
  }
  const cookie = { value: JSON.stringify(attempt), maxAge: TEN_MINUTES }
  makeRoom(c, await setSealedCookie(c, nameOf(attempt.state), cookie))
  return attempt
}

/** The attempt that this state belongs to, taken out of the browser: it is used once, whatever happens next. */
export async function takeAttempt(
  c: AppContext,
  provider: string,
  state: string | undefined,
): Promise<Attempt | undefined> {
  const name = nameOf(state ?? '')
  const opened = await readSealedCookie(c, name)
  if (opened === undefined) return undefined
  clearCookie(c, name)

  const { data: attempt } = attemptSchema.safeParse(JSON.parse(opened))
  if (attempt?.provider !== provider || attempt.state !== state) return undefined
  return attempt.expiresAt > Date.now() / 1000 ? attempt : undefined
}

/** Lets the oldest attempts go until there is room for one that weighs so much. */
function makeRoom(c: AppContext, size: number): void {
  const attempts = attemptCookies(c)
  let count = attempts.length + 1
  let weight = attempts.reduce((sum, attempt) => sum + attempt.size, size)
  for (const oldest of attempts.slice(0, MOST_CLEARED)) {
    if (count <= MOST_ATTEMPTS && weight <= MOST_BYTES) return
    clearCookie(c, oldest.name)
    count -= 1
    weight -= oldest.size
  }
}

function nameOf(state: string) {
  return `attempt.${state.slice(0, NAME_LENGTH)}` as const
}
