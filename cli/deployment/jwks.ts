import { type Diagnosis, diagnoseUnmet, type Finding, goodOrProblems } from '../finding.ts'
import { sendRequest } from '../http-request.ts'

/**
 * RS256 signs ID tokens unless a client chooses otherwise; ES256 signs access tokens and session
 * JWTs.
 */
const ALGORITHMS = ['RS256', 'ES256']

/** Members of a JWK that must stay secret (RFC 7518 §6). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

type Key = Record<string, unknown>

/** {@link https://www.rfc-editor.org/rfc/rfc7517#section-5} */
export async function checkJwks(origin: string): Promise<Finding[]> {
  const { status, json } = await sendRequest(`${origin}/.well-known/jwks.json`)
  const keys: Key[] = Array.isArray(json?.['keys']) ? json['keys'] : []
  return goodOrProblems('JWKS', diagnoseJwks(status, keys), ALGORITHMS.join(', '))
}

function diagnoseJwks(status: number, keys: readonly Key[]): Diagnosis[] {
  return diagnoseUnmet([
    {
      isMet: status === 200,
      what: `/.well-known/jwks.json returned status ${status}.`,
      why: 'Nobody can verify tokens.',
      fix: 'The log line of that request names the cause. If a Durable Object could not be reached, the problem resolves itself.',
    },
    ...ALGORITHMS.map((algorithm) => ({
      isMet: keys.some((key) => key['alg'] === algorithm),
      what: `There is no key for ${algorithm}.`,
      why: `Tokens that are signed with ${algorithm} cannot be verified.`,
      fix: 'Check whether a cache in front of the service serves an old document: it may be cached for five minutes.',
    })),
    {
      isMet: !keys.some(isPrivate),
      what: 'A key is published with its private part.',
      why: 'Anyone who reads it can sign in as any user.',
      fix: 'Take the service offline, and replace AUTH_SECRET without AUTH_SECRET_1: this replaces the signing keys immediately.',
    },
    {
      isMet: haveUniqueIds(keys),
      what: 'A key has no kid, or the same kid as another key.',
      why: 'Verifiers select keys by their kid, and would reject tokens after the next rotation.',
      fix: 'Check what rewrites the document in transit.',
    },
  ])
}

function isPrivate(key: Key): boolean {
  return key['kty'] === 'oct' || PRIVATE_MEMBERS.some((name) => name in key)
}

function haveUniqueIds(keys: readonly Key[]): boolean {
  const ids = keys.map((key) => key['kid'])
  return new Set(ids).size === ids.length && ids.every((id) => typeof id === 'string')
}
