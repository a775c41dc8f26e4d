import { Hono } from 'hono'
import type { AppContext, AppEnv } from '../../core/http/app-env.ts'
import { clientCors } from '../../core/http/cross-origin.ts'
import { addToLog } from '../../core/http/request-log.ts'
import { AuthorizationError } from '../../core/oidc/authorization-error.ts'
import { authenticateClient } from '../../core/oidc/client-authentication.ts'
import { clientEndpointError } from '../../core/oidc/error-response.ts'
import { readClientForm } from '../../core/oidc/form.ts'
import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { proofError } from './proof-errors.ts'
import { type ProofPolicy, readPushedKey, requireFirstUse } from './proofs.ts'
import { pushRequest } from './pushed-requests.ts'

/** `/oidc/par`, which clients call. */
export function createRoutes(policy: ProofPolicy): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .onError(pushError)
    .use('/oidc/par', clientCors())
    .post('/oidc/par', async (c) => {
      const form = await readClientForm(c)
      const client = await authenticateClient(c, form)
      const key = await readPushedKey(c, client, policy)
      const pushed = await pushRequest(c, client, withKey(form, key?.thumbprint))
      if (key) await requireFirstUse(c, key)
      return c.json(pushed, 201)
    })
}

/** {@link https://www.rfc-editor.org/rfc/rfc9449#section-10.1}: the proof of a key, and `dpop_jkt`. */
function withKey(form: URLSearchParams, thumbprint: string | undefined): URLSearchParams {
  if (thumbprint === undefined) return form
  if ((form.get('dpop_jkt') ?? thumbprint) !== thumbprint) {
    const text = 'dpop_jkt is not the thumbprint of the key of the DPoP proof.'
    throw proofError('invalid_dpop_proof', text)
  }
  const params = new URLSearchParams(form)
  params.set('dpop_jkt', thumbprint)
  return params
}

/**
 * {@link https://www.rfc-editor.org/rfc/rfc9126#section-2.3}: what the user or the redirect URI would
 * be informed of, the client gets as JSON.
 */
function pushError(error: Error, c: AppContext): Response | Promise<Response> {
  if (error instanceof AuthorizationError) {
    addToLog(c, { code: error.code })
    return c.json({ error: error.code, error_description: error.message }, 400)
  }
  if (error instanceof SignInError && error.code in REDIRECT_URI_ERRORS) {
    const { hint } = error.detail
    if (hint !== undefined) addToLog(c, { hint })
    const text = REDIRECT_URI_ERRORS[error.code as keyof typeof REDIRECT_URI_ERRORS]
    return clientEndpointError(new OAuthError('invalid_request', text), c)
  }
  return clientEndpointError(error, c)
}

const REDIRECT_URI_ERRORS = {
  redirect_uri_missing: 'redirect_uri is missing.',
  redirect_uri_refused: 'redirect_uri is not one of those of the client.',
}
