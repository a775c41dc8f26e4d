import type { AppContext } from '../../core/http/app-env.ts'
import type { AuthenticatedClient } from '../../core/registration-schemas/clients.ts'
import { findProvider } from '../../core/upstream/enabled-providers.ts'
import { identifyUser } from '../../core/upstream/identify-user.ts'
import { randomSecret } from '../../foundation/crypto/random.ts'
import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import { readAppRedirectUri } from './settings.ts'
import { signInToApp } from './sign-in.ts'

/** A code of a provider is not a token, so RFC 8693 does not apply. */
export const PROVIDER_CODE = 'urn:vestibule:params:oauth:grant-type:provider-code'

/** Longer than codes are. */
const MAX_CODE_LENGTH = 4096

/**
 * Exchanges a code that the SDK of TikTok has returned to an app, with the verifier that the SDK
 * has created, for tokens of ours.
 */
export async function exchangeProviderCode(
  c: AppContext,
  client: AuthenticatedClient,
  form: URLSearchParams,
) {
  const config = c.get('config')
  const provider = findProvider(config, form.get('provider') ?? '')
  const redirectUri = provider && readAppRedirectUri(config, provider.id)
  if (!provider || !redirectUri) {
    const text = 'provider must be tiktok, and its settings must have AUTH_TIKTOK_APP_REDIRECT_URI.'
    throw new OAuthError('invalid_request', text)
  }
  const code = form.get('code')
  const codeVerifier = form.get('code_verifier')
  if (!code || code.length > MAX_CODE_LENGTH) {
    throw new OAuthError('invalid_request', 'code is missing or too long.')
  }
  // Without it, whoever has intercepted a code could use it.
  if (!codeVerifier || !/^[\w.~-]{43,128}$/.test(codeVerifier)) {
    throw new OAuthError('invalid_request', 'code_verifier is missing or malformed.')
  }
  const state = randomSecret()
  const callback = new URLSearchParams({ code, state })
  return signInToApp(c, client, {
    provider,
    form,
    usedOnce: `${provider.id} ${code}`,
    identify: () =>
      identifyUser(
        { ...provider, callbackUrl: redirectUri },
        { state, codeVerifier, nonce: '' },
        callback,
      ),
  })
}
