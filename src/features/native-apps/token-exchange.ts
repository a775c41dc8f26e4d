import type { AppContext } from '../../core/http/app-env.ts'
import type { AuthenticatedClient } from '../../core/registration-schemas/clients.ts'
import { findProvider } from '../../core/upstream/enabled-providers.ts'
import type { ResolvedProvider } from '../../core/upstream/resolved-provider.ts'
import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import { shortName } from '../../foundation/values/schemas.ts'
import { verifyIdToken } from './id-token.ts'
import { readAppIds } from './settings.ts'
import { signInToApp } from './sign-in.ts'

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'

export const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token'

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

/**
 * {@link https://www.rfc-editor.org/rfc/rfc8693}: exchanges an ID token that the SDK of a provider
 * has returned to an app for tokens of ours.
 */
export async function exchangeIdToken(
  c: AppContext,
  client: AuthenticatedClient,
  form: URLSearchParams,
) {
  const provider = requireTokenProvider(c, form)
  const idToken = form.get('subject_token')
  if (!idToken) throw new OAuthError('invalid_request', 'subject_token is missing.')
  if (form.get('subject_token_type') !== ID_TOKEN) {
    throw new OAuthError('invalid_request', `subject_token_type must be ${ID_TOKEN}.`)
  }
  if ((form.get('requested_token_type') ?? ACCESS_TOKEN) !== ACCESS_TOKEN) {
    throw new OAuthError('invalid_request', `requested_token_type must be ${ACCESS_TOKEN}.`)
  }
  if (form.has('actor_token')) {
    throw new OAuthError('invalid_request', 'actor_token is not supported.')
  }
  const name = readName(form)
  const nonce = form.get('nonce') ?? undefined
  const { identified, usedOnce } = await verifyIdToken(c, client, provider, { idToken, nonce })
  const { user } = identified
  const tokens = await signInToApp(c, client, {
    provider,
    form,
    usedOnce,
    // Apple tells the name to the app only. It is shown, and proves nothing.
    identify: async () => ({ ...identified, user: user && { ...user, name: user.name || name } }),
  })
  return { ...tokens, issued_token_type: ACCESS_TOKEN }
}

/** The provider whose ID token is presented, if its settings list apps. */
function requireTokenProvider(c: AppContext, form: URLSearchParams): ResolvedProvider {
  const config = c.get('config')
  const provider = findProvider(config, form.get('provider') ?? '')
  if (provider?.readsIdToken && readAppIds(config, provider.id).length > 0) return provider
  const text = 'provider must be the id of an OpenID provider whose settings have AUTH_…_APP_IDS.'
  throw new OAuthError('invalid_request', text)
}

function readName(form: URLSearchParams): string | undefined {
  const name = form.get('name')
  if (name === null) return undefined
  if (shortName.safeParse(name).success) return name
  throw new OAuthError('invalid_request', 'name is too long, or has control characters.')
}
