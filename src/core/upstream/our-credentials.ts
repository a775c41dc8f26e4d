import { digest } from '../../foundation/crypto/digest.ts'
import { parseJsonObject } from '../../foundation/values/json.ts'
import type { ResolvedProvider } from './resolved-provider.ts'

/**
 * The errors of token endpoints for a wrong client id or secret; the last three are not standard.
 * `unauthorized_client` is none of them: it is about a client that was authenticated, and depends on
 * what is exchanged (RFC 6749 §5.2).
 */
const REJECTIONS = [
  'invalid_client',
  'incorrect_client_credentials', // GitHub
  'bad_client_secret', // Slack
  'invalid_client_id', // Slack
]

/** The error with which a token endpoint rejected our credentials, if it did. */
export async function rejectionIn(response: Response): Promise<string | undefined> {
  if (response.ok) return undefined
  const error = parseJsonObject(await response.clone().text())?.['error']
  if (typeof error !== 'string') return response.status === 401 ? 'status 401' : undefined
  return REJECTIONS.find((code) => code === error)
}

/** Identifies the credentials, so that a rejection is not reported once they have been replaced. */
export function digestCredentials({ id, clientId, clientSecrets }: ResolvedProvider) {
  return digest(JSON.stringify([id, clientId, ...clientSecrets]))
}
