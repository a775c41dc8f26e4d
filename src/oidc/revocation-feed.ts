import { base64url } from 'jose'
import type { AppContext } from '../config/app-env.ts'
import { digest } from '../crypto/digest.ts'
import { hasCurrentCopy } from '../http/has-current-copy.ts'
import { type RevocationList, readRevocationList } from '../revocations/revocation-list.ts'
import type { RevocationEntry } from '../revocations/revocations-object.ts'
import { signRevocations } from '../tokens/sign.ts'

/** `since` is rounded down to a multiple of this, so that verifiers share responses. */
const SINCE_STEP = 10 // seconds

/** The same entries have another ETag after this time, so that nobody keeps an expired response. */
const ETAG_PERIOD = 30 // seconds

const HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Cache-Control': 'public, max-age=5',
  'Content-Type': 'application/revocations+jwt',
}

/**
 * The revocations that were published since a time, or all of them, as a JWT. Verifiers reject the
 * tokens that it lists. docs/endpoints.md describes the format.
 */
export async function revocationFeed(c: AppContext): Promise<Response> {
  const list = await readRevocationList(c.env, c.get('config'))
  const requested = Number(c.req.query('since') ?? 0)
  const since = requested > 0 ? requested - (requested % SINCE_STEP) : 0
  const claims = since === 0 ? allEntries(list) : selectEntries(list, since)
  // Weak: the response also has the time of the list and a signature, which are new each time.
  const period = Math.floor(list.readAt / ETAG_PERIOD)
  const etag = `W/"${await digest(JSON.stringify([period, claims]))}"`
  const headers = { ...HEADERS, ETag: etag }
  if (hasCurrentCopy(c, etag)) return c.body(null, 304, headers)
  const document = { claims, issuedAt: list.readAt }
  return c.body(await signRevocations(c.env, c.get('config'), document), 200, headers)
}

/** All entries, computed once per list: there may be a hundred thousand. */
function allEntries(list: RevocationList) {
  const claims = complete.get(list) ?? selectEntries(list, 0)
  complete.set(list, claims)
  return claims
}

const complete = new WeakMap<RevocationList, ReturnType<typeof selectEntries>>()

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
