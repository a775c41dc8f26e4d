/*
 * The key of a session is the digest of its secret, with the proof of a session that is bound to its
 * browser. Requests read the session with what they have; only the user's object knows what it needs.
 */

const SEPARATOR = '.'

/** The key with which a request reads its session. */
export function keyWithProof(secretDigest: string, proof: string | undefined): string {
  return proof === undefined ? secretDigest : secretDigest + SEPARATOR + proof
}

/** The digest in a key, by which a session is stored and recognised. */
export function digestOfKey(key: string): string {
  return key.split(SEPARATOR, 1)[0] ?? key
}

/** The proof in a key. */
export function proofOfKey(key: string): string | undefined {
  return key.split(SEPARATOR)[1]
}
