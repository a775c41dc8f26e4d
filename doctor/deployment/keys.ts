import { type Finding, goodUnless, type Trouble } from '../finding.ts'
import { visit } from '../visit.ts'

/** ID tokens are signed with the first unless a client asks otherwise; access tokens and session JWTs with the other. */
const ALGORITHMS = ['RS256', 'ES256']

/** Members of a JWK that nobody else may see (RFC 7518 §6). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

type Key = Record<string, unknown>

/** {@link https://www.rfc-editor.org/rfc/rfc7517#section-5} */
export async function checkKeys(origin: string): Promise<Finding[]> {
  const { status, json } = await visit(`${origin}/.well-known/jwks.json`)
  const keys: Key[] = Array.isArray(json?.['keys']) ? json['keys'] : []
  const troubles = [
    ...(status === 200 ? [] : [unpublished(status)]),
    ...ALGORITHMS.filter((alg) => !keys.some((key) => key['alg'] === alg)).map(noKeyFor),
    ...(keys.some(isPrivate) ? [leaked] : []),
    ...(hasNames(keys) ? [] : [unnamed]),
  ]
  return goodUnless('JWKS', troubles, ALGORITHMS.join(', '))
}

function isPrivate(key: Key): boolean {
  return key['kty'] === 'oct' || PRIVATE_MEMBERS.some((name) => name in key)
}

function hasNames(keys: readonly Key[]): boolean {
  const names = keys.map((key) => key['kid'])
  return new Set(names).size === names.length && names.every((name) => typeof name === 'string')
}

function unpublished(status: number): Trouble {
  return {
    what: `/.well-known/jwks.json answers ${status}.`,
    why: 'Nobody can verify a token.',
    fix: 'The log line of that request names the cause; a Durable Object that cannot be reached passes by itself.',
  }
}

function noKeyFor(algorithm: string): Trouble {
  return {
    what: `There is no key for ${algorithm}.`,
    why: 'Tokens that are signed with it cannot be verified.',
    fix: 'See that no cache in front of the service holds an old document: it may be kept for five minutes.',
  }
}

const leaked: Trouble = {
  what: 'A key shows its private part.',
  why: 'Whoever reads it can sign in as anybody.',
  fix: 'Take the service down, and replace AUTH_SECRET without AUTH_SECRET_1: the signing keys are then replaced at once.',
}

const unnamed: Trouble = {
  what: 'A key has no kid, or one that another key has.',
  why: 'Verifiers choose the key by it, and refuse tokens after the next rotation.',
  fix: 'See what rewrites the document on its way.',
}
