import type { ClaimsCallbackInput } from '../config/callbacks.ts'
import type { Config } from '../config/config.ts'
import { boundedFetch } from '../fetch/bounded-fetch.ts'
import type { Api } from '../registration-schemas/apis.ts'
import { CallbackError } from './callback-error.ts'
import { runWithDeadline } from './run-callbacks.ts'

/** Tokens are sent with every request of an API, and many servers limit headers to 8 KiB. */
const MAX_CLAIMS_SIZE = 4096 // bytes

/**
 * Claims that decide who a token is about, who issued it, for whom, and for how long. Those that we
 * do not use are here because other software gives them a meaning.
 */
const PROTOCOL_CLAIMS = new Set([
  // RFC 7519 §4.1
  ...['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti'],
  // OpenID Connect Core §2, §3.3.2.11 and §5.6.2, and the logout specifications
  ...['auth_time', 'nonce', 'acr', 'amr', 'azp', 'at_hash', 'c_hash', 's_hash', 'sub_jwk'],
  ...['_claim_names', '_claim_sources', 'sid', 'events'],
  // RFC 7662, 7800, 8693, 9068, 9396 and 9493
  ...['client_id', 'scope', 'active', 'token_type', 'cnf', 'act', 'may_act'],
  ...['authorization_details', 'sub_id'],
  // Ours
  'token_use',
])

/**
 * The claims that the deployment and its features add. If they cannot be added, nothing may be
 * issued. Those of features replace others with the same name.
 */
export async function customClaims(
  config: Config,
  request: ClaimsRequest,
): Promise<Record<string, unknown>> {
  const { claims } = config.callbacks
  const ofFeatures = featureClaims(config, request)
  if (!claims) return ofFeatures
  const { apis: _, ...input } = request
  const result = await runWithDeadline('callbacks.claims', () =>
    claims({ ...input, fetch: boundedFetch }),
  )
  return { ...(result !== undefined && checkClaims(result)), ...ofFeatures }
}

/** The claims that features add. */
function featureClaims(
  { features }: Config,
  { apis = [], ...token }: ClaimsRequest,
): Record<string, unknown> {
  return Object.assign({}, ...features.map((feature) => feature.claims?.({ ...token, apis })))
}

interface ClaimsRequest extends Omit<ClaimsCallbackInput, 'fetch'> {
  /** The APIs that an access token is for. */
  apis?: readonly Api[] | undefined
}

/**
 * Adds the deployment's claims to ours. An email address that it replaces is not the one that the
 * provider has verified.
 */
export function mergeClaims(
  ours: Readonly<Record<string, unknown>>,
  added: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { email_verified, ...others } = ours
  const keepsVerification = email_verified !== undefined && !Object.hasOwn(added, 'email')
  return { ...others, ...(keepsVerification && { email_verified }), ...added }
}

function checkClaims(result: unknown): Record<string, unknown> {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) {
    throw new CallbackError('callbacks.claims must return an object.')
  }
  const json = toJson(result)
  if (new TextEncoder().encode(json).length > MAX_CLAIMS_SIZE) {
    throw new CallbackError(`callbacks.claims returned more than ${MAX_CLAIMS_SIZE} bytes of JSON.`)
  }
  // What is checked is what is signed: getters and `toJSON` have been evaluated.
  const claims: Record<string, unknown> = JSON.parse(json)
  const [reserved] = Object.keys(claims).filter((name) => PROTOCOL_CLAIMS.has(name))
  if (reserved !== undefined) {
    throw new CallbackError(
      `callbacks.claims returned ${reserved}, a claim of the protocol, which it cannot set.`,
    )
  }
  return claims
}

function toJson(value: object): string {
  try {
    return JSON.stringify(value)
  } catch (cause) {
    throw new CallbackError('callbacks.claims returned a value that JSON cannot represent.', {
      cause,
    })
  }
}
