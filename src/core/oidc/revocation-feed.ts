import { base64url } from 'jose'
import { digest } from '../../foundation/crypto/digest.ts'
import type { AppContext } from '../http/app-env.ts'
import { hasCurrentCopy } from '../http/has-current-copy.ts'
import { type RevocationList, readRevocationList } from '../revocations/revocation-list.ts'
import type { RevocationEntry } from '../revocations/revocations-object.ts'
import { RECENT } from '../tokens/keyring.ts'
import { signRevocations } from '../tokens/sign.ts'

/** `since` is rounded down to a multiple of this, or of more for a time that is longer ago. */
const SINCE_STEP = 10 // seconds

/** The same entries have another ETag after this time, so that nobody keeps an expired response. */
const ETAG_PERIOD = 30 // seconds

const HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': 'public, max-age=5',
  'Content-Type': 'application/revocations+jwt',
}

/** The revocations that were published since a time, as they are sent. */
interface Feed {
  claims: ReturnType<typeof selectEntries>
  etag: string
  signed?: { jwt: string; at: number }
}

/** The feeds of each list by `since`. A list may have a hundred thousand entries. */
const feeds = new WeakMap<RevocationList, Map<number, Feed>>()

/**
 * The revocations that were published since a time, or all of them, as a JWT. Verifiers reject the
 * tokens that it lists. docs/endpoints.md describes the format.
 */
export async function revocationFeed(c: AppContext): Promise<Response> {
  const list = await readRevocationList(c.env, c.get('config'))
  const feed = await readFeed(list, roundSince(list, Number(c.req.query('since') ?? 0)))
  const headers = { ...HEADERS, ETag: feed.etag }
  if (hasCurrentCopy(c, feed.etag)) return c.body(null, 304, headers)
  return c.body(await signFeed(c, list, feed), 200, headers)
}

/**
 * Rounds a time down, by at most its age, so that verifiers share responses, and there are few
 * different ones however many times are requested. Returns 0 if the list is complete.
 */
function roundSince({ readAt, oldest }: RevocationList, requested: number): number {
  const since = Math.min(requested, readAt)
  const ageInSteps = Math.max(1, (readAt - since) / SINCE_STEP)
  const step = SINCE_STEP * 2 ** Math.floor(Math.log2(ageInSteps))
  const rounded = since - (since % step)
  return rounded > oldest ? rounded : 0
}

async function readFeed(list: RevocationList, since: number): Promise<Feed> {
  const known = feeds.get(list) ?? new Map<number, Feed>()
  feeds.set(list, known)
  const former = known.get(since)
  if (former) return former
  const claims = selectEntries(list, since)
  // Weak: the response also has the time of the list and a signature, which are new each time.
  const period = Math.floor(list.readAt / ETAG_PERIOD)
  const etag = `W/"${await digest(JSON.stringify([period, claims]))}"`
  const feed = { claims, etag }
  known.set(since, feed)
  return feed
}

/** The same list is signed again if the keys may have changed. */
async function signFeed(c: AppContext, { readAt }: RevocationList, feed: Feed): Promise<string> {
  const { claims, signed } = feed
  if (signed && Date.now() - signed.at < RECENT) return signed.jwt
  const at = Date.now()
  const jwt = await signRevocations(c.env, c.get('config'), { claims, issuedAt: readAt })
  feed.signed = { jwt, at }
  return jwt
}

function selectEntries({ entries }: RevocationList, since: number) {
  const selected = [...entries.values()].filter(({ addedAt }) => addedAt >= since)
  const ended = selected.filter(({ before }) => before === undefined)
  const limited = selected.filter(hasTime)
  return {
    since,
    revoked: concatenate(ended),
    revoked_before: Object.fromEntries(limited.map(({ digest, before }) => [digest, before])),
  }
}

function hasTime(entry: RevocationEntry): entry is RevocationEntry & { before: number } {
  return entry.before !== undefined
}

/** The digests one after the other, in base64url. */
function concatenate(entries: readonly RevocationEntry[]): string {
  const digests = entries.map((entry) => base64url.decode(entry.digest))
  const bytes = new Uint8Array(digests.reduce((length, each) => length + each.length, 0))
  let position = 0
  for (const each of digests) {
    bytes.set(each, position)
    position += each.length
  }
  return base64url.encode(bytes)
}
