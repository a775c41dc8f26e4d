import { decodeProtectedHeader, type JWTPayload } from 'jose'
import type { Config } from '../../core/config/config.ts'
import type { AppContext } from '../../core/http/app-env.ts'
import { useDigestOnce } from '../../core/limits/use-once.ts'
import type { Api } from '../../core/registration-schemas/apis.ts'
import type { ProvenKey } from '../../core/registration-schemas/bound-tokens.ts'
import {
  type AuthenticatedClient,
  type Client,
  isPublicClient,
} from '../../core/registration-schemas/clients.ts'
import { findClient } from '../../core/registrations/find-client.ts'
import type { PresentedToken } from '../../core/tokens/presented-token.ts'
import { digest } from '../../foundation/crypto/digest.ts'
import { openWithExpiry, sealUntil } from '../../foundation/crypto/expiring-seal.ts'
import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import {
  MAX_PROOF_AGE,
  PROOF_ALGORITHMS,
  type Proof,
  ProofError,
  timeProblem,
  verifyProof,
} from '../../foundation/resource-server/dpop-proof.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { FAPI2_ALGORITHMS, isFapi2 } from './fapi2.ts'
import { proofError } from './proof-errors.ts'
import { readApiFields, readClientFields } from './registration-fields.ts'

/** Clients that refresh tokens every few minutes rarely need another one. */
const NONCE_LIFETIME = 300 // seconds

/** What nonces are sealed for. */
export const SEAL = 'dpop'

const NONCE_USE = { purpose: SEAL, context: 'nonce' } as const

/** The user's object remembers the proofs of these, because it is called anyway. */
const REMEMBERED_BY_USER = ['authorization_code', 'refresh_token']

export interface ProofPolicy {
  /** Every proof must have a nonce of ours. */
  requireNonce: boolean
}

/**
 * The key to which the tokens of a token request are bound; undefined if the client uses none. Throws
 * if the proof is invalid, or missing although the client requires one.
 */
export async function proveKey(
  c: AppContext,
  client: AuthenticatedClient,
  policy: ProofPolicy,
): Promise<ProvenKey | undefined> {
  if (c.req.header('DPoP') === undefined) {
    if (!readClientFields(client).dpop_bound_access_tokens) return undefined
    const text =
      'The DPoP proof is missing, which a client with dpop_bound_access_tokens must send. vestibule-auth/client and vestibule-auth/server send it with the option dpop.'
    throw proofError('invalid_dpop_proof', text)
  }
  const key = await acceptProof(c, policy)
  await requireAlgorithm(c, client)
  return {
    ...key,
    bindsRefreshTokens: isPublicClient(client),
    // FAPI 2.0 §5.3.2.1: the key protects the refresh token, and a lost response costs no sign-in.
    rotatesRefreshTokens: !isFapi2(client),
  }
}

/**
 * Remembers the proof of a token request that was accepted, unless the user's object does. Throws if it
 * was used before.
 */
export async function useProof(
  c: AppContext,
  { key, grantType }: { key: ProvenKey; grantType: string },
): Promise<void> {
  if (!REMEMBERED_BY_USER.includes(grantType)) await requireFirstUse(c, key)
}

/** The key of a proof that a client sends when it pushes a request. */
export async function readPushedKey(
  c: AppContext,
  client: Client,
  policy: ProofPolicy,
): Promise<AcceptedProof | undefined> {
  if (c.req.header('DPoP') === undefined) return undefined
  const key = await acceptProof(c, policy)
  await requireAlgorithm(c, client)
  return key
}

/** {@link https://www.rfc-editor.org/rfc/rfc9449#section-7.1} */
export async function verifyPossession(
  c: AppContext,
  { scheme, token, claims }: PresentedToken & { claims: JWTPayload },
  policy: ProofPolicy,
): Promise<void> {
  const { jkt } = (claims['cnf'] ?? {}) as { jkt?: unknown }
  if (jkt === undefined) {
    throw rejectedToken('The access token is not bound to a key: send it with the scheme Bearer.')
  }
  if (scheme !== 'DPoP') {
    throw rejectedToken('The access token is bound to a key: send it with the scheme DPoP.')
  }
  const key = await acceptProof(c, policy, token)
  if (key.thumbprint !== jkt) {
    throw rejectedToken('The access token is bound to another key than that of the DPoP proof.')
  }
  const client = () => findClient(c.env, c.get('config'), String(claims['client_id']))
  await requireAlgorithm(c, client, atResource(true))
  await requireFirstUse(c, key, atResource(true))
}

/** Throws the error of a proof that was used before. */
export function rejectReplay(): never {
  throw proofError('invalid_dpop_proof', 'The DPoP proof was already used.')
}

/**
 * Some APIs accept only tokens that are bound to a key (RFC 9728 §2). Clients with the profile
 * `fapi2` get none that are signed with RS256.
 */
export function requireAllowed(client: AuthenticatedClient, apis: readonly Api[]): void {
  const requiring = apis.find((api) => readApiFields(api).dpop_bound_access_tokens_required)
  if (!client.key && requiring) {
    const text = `The DPoP proof is missing, which tokens for ${requiring.identifier} need.`
    throw proofError('invalid_dpop_proof', text)
  }
  const signed = apis.find((api) => api.access_token_signing_alg === 'RS256')
  if (signed && isFapi2(client)) {
    const text = `Tokens for ${signed.identifier} are signed with RS256, which the profile fapi2 of the client does not allow.`
    throw new OAuthError('invalid_target', text)
  }
}

/** Rejects a proof of an algorithm that the profile of the client does not allow. */
async function requireAlgorithm(
  c: AppContext,
  client: Client | (() => Promise<Client | undefined>),
  options: ReturnType<typeof atResource> = {},
): Promise<void> {
  const { alg = '' } = decodeProtectedHeader(c.req.header('DPoP') ?? '')
  if (FAPI2_ALGORITHMS.includes(alg)) return
  const found = typeof client === 'function' ? await client() : client
  if (!found || !isFapi2(found)) return
  const text = `The DPoP proof must be signed with ${FAPI2_ALGORITHMS.join(', ')}.`
  throw proofError('invalid_dpop_proof', text, options)
}

function rejectedToken(text: string): OAuthError {
  return new OAuthError('invalid_token', text, atResource(true))
}

/** Errors of proofs have the status 400 at the token endpoint, and 401 with an access token. */
function atResource(hasToken: boolean) {
  if (!hasToken) return {}
  const parameters = { algs: PROOF_ALGORITHMS.join(' ') }
  return { status: 401, challenge: 'DPoP', parameters } as const
}

/** A proof whose key, request and time are right. Whether it was used before is not checked yet. */
type AcceptedProof = Pick<ProvenKey, 'thumbprint' | 'proof'>

async function acceptProof(
  c: AppContext,
  { requireNonce }: ProofPolicy,
  accessToken?: string,
): Promise<AcceptedProof> {
  const config = c.get('config')
  const proof = await readProof(c, accessToken)
  const { thumbprint, nonce, issuedAt } = proof
  const id = await digest(proof.id)
  if (nonce === undefined) {
    const problem = requireNonce
      ? 'The DPoP proof needs a nonce.'
      : timeProblem(proof, nowInSeconds())
    if (problem !== undefined) throw await requestNonce(c, problem, accessToken)
    return { thumbprint, proof: { id, expiresAt: Math.ceil(issuedAt) + MAX_PROOF_AGE + 1 } }
  }
  // A nonce of ours says when the proof was created, whatever the clock of the client says.
  const expiresAt = await readNonce(config, nonce)
  if (expiresAt === undefined) {
    throw await requestNonce(c, 'The nonce of the DPoP proof has expired.', accessToken)
  }
  await offerNonce(c)
  return { thumbprint, proof: { id, expiresAt } }
}

async function readProof(c: AppContext, accessToken: string | undefined): Promise<Proof> {
  const { method, path } = c.req
  const url = c.get('config').issuer + path
  const request = { method, url, accessToken }
  return verifyProof(c.req.header('DPoP'), request).catch((cause: unknown) => {
    if (!(cause instanceof ProofError)) throw cause
    const options = { ...atResource(accessToken !== undefined), cause }
    throw proofError('invalid_dpop_proof', cause.message, options)
  })
}

/** {@link https://www.rfc-editor.org/rfc/rfc9449#section-8} */
async function requestNonce(
  c: AppContext,
  problem: string,
  accessToken: string | undefined,
): Promise<Error> {
  await offerNonce(c)
  const text = `${problem} Send a proof with the nonce in DPoP-Nonce.`
  return proofError('use_dpop_nonce', text, atResource(accessToken !== undefined))
}

/** A sealed time, so that nothing has to be stored. */
async function offerNonce(c: AppContext): Promise<void> {
  const expiresAt = nowInSeconds() + NONCE_LIFETIME
  const text = String(expiresAt)
  c.header(
    'DPoP-Nonce',
    await sealUntil<typeof SEAL>(c.get('config').seal, expiresAt, { ...NONCE_USE, text }),
  )
  c.header('Access-Control-Expose-Headers', 'DPoP-Nonce, WWW-Authenticate')
}

/** When a nonce of ours expires; undefined if it has, or is not ours. */
async function readNonce({ seal }: Config, nonce: string): Promise<number | undefined> {
  const opened = await openWithExpiry<typeof SEAL>(seal, nonce, NONCE_USE)
  return opened && !opened.isExpired ? Number(opened.text) : undefined
}

/**
 * For proofs that no user's object remembers. To be called when everything else was accepted, so that
 * others are not stored.
 */
export async function requireFirstUse(
  c: AppContext,
  { proof: { id, expiresAt } }: AcceptedProof,
  options: ReturnType<typeof atResource> = {},
): Promise<void> {
  if (await useDigestOnce(c.env, 'proofs', { digest: id, expiresAt })) return
  throw proofError('invalid_dpop_proof', 'The DPoP proof was already used.', options)
}
