import type { AppContext } from '../../core/http/app-env.ts'
import { countedNetwork } from '../../core/http/client-ip.ts'
import { addToLog } from '../../core/http/request-log.ts'
import { findBoundTokens } from '../../core/oidc/bound-tokens.ts'
import { DYNAMIC_ID_PREFIX, SIGNING_ALGORITHMS } from '../../core/registration-schemas/clients.ts'
import { requireStorage } from '../../core/storage/unavailable-error.ts'
import { limitStrangers } from '../../define-feature/count-in-guards.ts'
import { sha256 } from '../../foundation/crypto/digest.ts'
import { randomId, randomSecret } from '../../foundation/crypto/random.ts'
import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { parseJson } from '../../foundation/values/json.ts'
import { unregisteredClientObject } from './client-object.ts'
import { USE_LIMITS } from './limits.ts'
import { type ClientMetadata, isSecretMethod, parseRegistrationRequest } from './parse-metadata.ts'
import { policyOf } from './policy.ts'

const JSON_CONTENT_TYPE = /^application\/json *(?:; *charset="?utf-8"?)?$/i

/**
 * Registers a client that nobody has checked (RFC 7591 §3), if the operator allows that. It gets
 * what it could also publish in a metadata document, or a secret instead of keys.
 */
export async function register(c: AppContext): Promise<Response> {
  const config = c.get('config')
  if (!policyOf(config).registration) return c.notFound()
  // Otherwise any page could register clients through its visitors, without asking first (CORS).
  if (!JSON_CONTENT_TYPE.test(c.req.header('Content-Type')?.trim() ?? '')) {
    throw new OAuthError('invalid_request', 'The body must be application/json.')
  }
  const metadata = parseRegistrationRequest(parseJson(await c.req.text()), config)
  // Only valid requests are counted, so that a client can correct its mistakes.
  await limitStrangers(c.env, { limits: USE_LIMITS, name: 'registrations' }, countedNetwork(c))
  const clientId = randomId(DYNAMIC_ID_PREFIX)
  const secret = isSecretMethod(metadata.authenticationMethod) ? randomSecret() : undefined
  const secretDigest = secret && (await sha256(secret)).toHex()
  await requireStorage(async () =>
    unregisteredClientObject(c.env, clientId).register(metadata, secretDigest),
  )
  addToLog<'client_registered'>(c, { event: 'client_registered', clientId })
  const body = {
    client_id: clientId,
    client_id_issued_at: nowInSeconds(),
    ...(secret && { client_secret: secret, client_secret_expires_at: 0 }),
    ...registeredMetadata(metadata),
    dpop_bound_access_tokens:
      metadata.dpop_bound_access_tokens && findBoundTokens(config) !== undefined,
  }
  return c.json(body, 201)
}

/** What was registered, which may differ from what was requested (RFC 7591 §3.2.1). */
function registeredMetadata(metadata: ClientMetadata) {
  const { client_name, redirect_uris, application_type, jwks, jwks_uri } = metadata
  return {
    client_name,
    redirect_uris,
    application_type,
    grant_types: ['authorization_code', ...(metadata.usesRefreshTokens ? ['refresh_token'] : [])],
    response_types: ['code'],
    token_endpoint_auth_method: metadata.authenticationMethod,
    jwks,
    jwks_uri,
    id_token_signed_response_alg: metadata.id_token_signed_response_alg ?? SIGNING_ALGORITHMS[0],
    userinfo_signed_response_alg: metadata.userinfo_signed_response_alg,
  }
}
