import { digest } from '../../foundation/crypto/digest.ts'
import { parseJsonObject } from '../../foundation/values/json.ts'
import { subjectOfError } from '../../provider-interface/provider-errors.ts'
import type { ResolvedProvider } from './resolved-provider.ts'

/** The error with which a token endpoint rejected our credentials, if it did. */
export async function rejectionIn(response: Response): Promise<string | undefined> {
  if (response.ok) return undefined
  const error = parseJsonObject(await response.clone().text())?.['error']
  if (typeof error !== 'string') return response.status === 401 ? 'status 401' : undefined
  return subjectOfError(error) === 'credentials' ? error : undefined
}

/** Identifies the credentials, so that a rejection is not reported once they have been replaced. */
export function digestCredentials({ id, clientId, clientSecrets }: ResolvedProvider) {
  return digest(JSON.stringify([id, clientId, ...clientSecrets]))
}
