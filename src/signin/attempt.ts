import { seconds } from '../clock.ts'
import { randomSecret } from '../crypto/random.ts'
import type { AppContext } from '../http/app-env.ts'
import { attemptCookies, clearCookie, readSealedCookie, setSealedCookie } from '../http/cookies.ts'
import { note } from '../http/request-log.ts'
import type { QrLogin } from '../upstream/qr-login.ts'

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

/** The version of what the cookie holds. An attempt of another version is none. */
const VERSION = 1

/** One browser's trip to a provider and back. It lives in a cookie of its own, sealed, and nowhere else. */
export interface Attempt {
  v: typeof VERSION
  /** What the log calls it: the reference of the request that began it. */
  name: string
  provider: string
  state: string
  codeVerifier: string
  /** Empty where the provider is sent none. */
  nonce: string
  returnTo: string
  /** The person has asked to choose the account, so another one may take the session's place. */
  mayReplace: boolean
  /** The platform was told to ask the person again. */
  isForced: boolean
  /** The person who links an account, in place of signing in with it. */
  linkTo?: string | undefined
  /** The code that a phone is to scan, where one does. */
  qr?: QrLogin | undefined
  expiresAt: number
}

/** Remembers a new attempt in this browser. */
export async function beginAttempt(
  c: AppContext,
  about: Omit<Attempt, 'v' | 'name' | 'codeVerifier' | 'expiresAt'>,
): Promise<Attempt> {
  const attempt: Attempt = {
    v: VERSION,
    name: c.get('requestId'),
    ...about,
    codeVerifier: randomSecret(),
    expiresAt: seconds() + TEN_MINUTES,
  }
  const cookie = { value: JSON.stringify(attempt), maxAge: TEN_MINUTES }
  note(c, { attempt: attempt.name })
  makeRoom(c, await setSealedCookie(c, nameOf(handleOf(attempt)), cookie))
  return attempt
}

/** The attempt that this state belongs to, taken out of the browser: it is used once, whatever happens next. */
export async function takeAttempt(
  c: AppContext,
  provider: string,
  state: string | undefined,
): Promise<Attempt | undefined> {
  const handle = handleOf({ state: state ?? '' })
  const attempt = await readAttempt(c, provider, handle)
  // Whatever it was, it is over.
  if (attemptCookies(c).some(({ name }) => name === nameOf(handle))) clearCookie(c, nameOf(handle))
  return attempt?.state === state ? attempt : undefined
}

/** The attempt by its handle, left where it is. */
export async function readAttempt(
  c: AppContext,
  provider: string,
  handle: string,
): Promise<Attempt | undefined> {
  const opened = await readSealedCookie(c, nameOf(handle))
  if (opened === undefined) return undefined
  // Sealed by us, so it is what it says it is.
  const attempt: Attempt = JSON.parse(opened)
  if (attempt.v !== VERSION || attempt.provider !== provider) return undefined
  if (handleOf(attempt) !== handle) return undefined
  note(c, { attempt: attempt.name })
  return attempt.expiresAt > Date.now() / 1000 ? attempt : undefined
}

/** What an attempt's cookie is called by. */
export function handleOf({ state }: Pick<Attempt, 'state'>): string {
  return state.slice(0, NAME_LENGTH)
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

function nameOf(handle: string) {
  return `attempt.${handle}` as const
}
