import { auth } from 'hono/utils/basic-auth'
import { isSameDigest } from '../../foundation/crypto/compare.ts'
import { sha256 } from '../../foundation/crypto/digest.ts'
import { OAuthError } from '../../foundation/errors/oauth-error.ts'
import type { AppContext } from '../http/app-env.ts'
import { countedNetwork } from '../http/client-ip.ts'
import { addToLog } from '../http/request-log.ts'
import { countWrongSecret, rejectGuessing } from '../limits/guess-limit.ts'
import { limitAuthenticatedRequests, limitUnauthenticatedRequests } from '../limits/rate-limit.ts'
import { count, noteSecretUse } from '../metrics/count.ts'
import type {
  AuthenticatedClient,
  AuthenticationMethod,
  Client,
} from '../registration-schemas/clients.ts'
import { credentialIds } from '../registrations/credential-ids.ts'
import { findRequestingClient } from '../registrations/find-client.ts'
import { ASSERTION_TYPE, claimedClient, findSigningKey } from './client-assertion.ts'

interface Credentials {
  method: AuthenticationMethod
  clientId: string
  /** The secret or the assertion. */
  secret: string
}

/**
 * Not the digest of any secret. Secrets of unknown clients are compared with it, so that they take
 * as long as those of registered ones.
 */
const UNMATCHED_DIGEST = ['0'.repeat(64)]

/**
 * Authenticates the client by one of the methods it is registered for (RFC 6749 §2.3). If it is the
 * client, its request is counted by `limitRequests`, or if that returns false, for the client and its
 * network.
 */
export async function authenticateClient(
  c: AppContext,
  form: URLSearchParams,
  limitRequests: () => Promise<boolean> = async () => false,
): Promise<AuthenticatedClient> {
  const { method, clientId, secret } = readCredentials(c, form)
  const network = countedNetwork(c)
  // Nobody guesses a signature, so that invalid ones do not prevent valid ones.
  if (method.startsWith('client_secret')) rejectGuessing(clientId, network)
  const client = await findRequestingClient(c.env, c.get('config'), { clientId })
  if (client) addToLog(c, { clientId })
  else count('vestibule_unknown_clients_total', { endpoint: 'token' })
  if (client?.authenticationMethods.includes(method)) {
    if (method === 'none') {
      await limitOr(limitRequests, () => limitUnauthenticatedRequests(c.env, clientId, network))
      return client
    }
    const credential = await findCredential(c, client, { method, secret })
    if (credential !== undefined) {
      // Of an authenticated client, strangers cannot use up the limit.
      await limitOr(limitRequests, () => limitAuthenticatedRequests(c.env, clientId, network))
      return { ...client, credentialId: await identifyCredential(c, client, credential) }
    }
  } else {
    await findDigest(UNMATCHED_DIGEST, secret)
  }
  await limitUnauthenticatedRequests(c.env, clientId, network)
  if (client && method !== 'none') await countWrongSecret(c.env, clientId, network)
  const usesKeys = [method, ...(client?.authenticationMethods ?? [])].includes('private_key_jwt')
  throw authenticationFailed(usesKeys ? undefined : 'Basic', hasEmptySecret({ method, secret }))
}

/**
 * What developers compare. The same for every mistake, and for an unknown client, because whoever
 * guesses would learn from it.
 */
const NOT_AUTHENTICATED =
  'The client could not be authenticated. Compare with its registration: its client_id, the SHA-256 of the secret that it sends (clientSecret) with client_secrets_sha256, or its key with jwks, and token_endpoint_auth_method.'

/** Counts a request, in the other way if it is not counted in the first one. */
async function limitOr(limit: () => Promise<boolean>, otherwise: () => Promise<void>) {
  if (!(await limit())) await otherwise()
}

/** The id of the credential that was used. The use of a secret is noted. */
async function identifyCredential(
  c: AppContext,
  { client_id: clientId, client_secrets_sha256: digests }: Client,
  credential: string,
): Promise<string | undefined> {
  const [id] = await credentialIds(c.get('config'), clientId, credential)
  if (id && digests.includes(credential)) noteSecretUse(clientId, id)
  return id
}

/** The credential that was used, as {@link credentialIds} takes it, if it is one of the client's. */
async function findCredential(
  c: AppContext,
  client: Client,
  { method, secret }: Pick<Credentials, 'method' | 'secret'>,
): Promise<string | undefined> {
  return method === 'private_key_jwt'
    ? findSigningKey(c, client, secret)
    : findDigest(client.client_secrets_sha256, secret)
}

/**
 * Compares the SHA-256 of a presented secret with the registered ones, all of them, in constant
 * time. A blank one is never a secret, whatever is registered.
 */
async function findDigest(digests: readonly string[], secret: string): Promise<string | undefined> {
  const presented = (await sha256(secret)).toHex()
  const [found] = digests.filter((digest) => isSameDigest(digest, presented))
  return isBlank(secret) ? undefined : found
}

function isBlank(secret: string): boolean {
  return secret.trim() === ''
}

function hasEmptySecret({ method, secret }: Pick<Credentials, 'method' | 'secret'>): boolean {
  return method.startsWith('client_secret') && isBlank(secret)
}

function readCredentials(c: AppContext, form: URLSearchParams): Credentials {
  const header = c.req.header('Authorization')
  const secret = form.get('client_secret')
  const assertion = form.get('client_assertion')
  const presented = [header ?? null, secret, assertion].filter((value) => value !== null)
  if (presented.length > 1) {
    throw new OAuthError('invalid_request', 'The client authenticates in more than one way.')
  }
  if (assertion !== null) return readAssertion(assertion, form)
  if (header !== undefined) return readBasic(c, form.get('client_id'))
  const clientId = form.get('client_id') ?? ''
  if (secret !== null) return { method: 'client_secret_post', clientId, secret }
  return { method: 'none', clientId, secret: '' }
}

function readAssertion(assertion: string, form: URLSearchParams): Credentials {
  if (form.get('client_assertion_type') !== ASSERTION_TYPE) {
    throw new OAuthError('invalid_request', 'This client_assertion_type is not supported.')
  }
  const clientId = claimedClient(assertion)
  if ((form.get('client_id') ?? clientId) !== clientId) throw authenticationFailed()
  return { method: 'private_key_jwt', clientId, secret: assertion }
}

/** The id and the secret are form-encoded before they are joined (RFC 6749 §2.3.1). */
function readBasic(c: AppContext, formClientId: string | null): Credentials {
  const credentials = auth(c.req.raw)
  const clientId = credentials && decodeFormValue(credentials.username)
  const secret = credentials && decodeFormValue(credentials.password)
  if (clientId === undefined || secret === undefined) throw authenticationFailed('Basic')
  if ((formClientId ?? clientId) !== clientId) throw authenticationFailed('Basic')
  return { method: 'client_secret_basic', clientId, secret }
}

function decodeFormValue(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', '%20'))
  } catch {
    return undefined
  }
}

function authenticationFailed(challenge?: 'Basic', isEmpty = false): OAuthError {
  const description = isEmpty ? 'The client secret is empty.' : NOT_AUTHENTICATED
  return new OAuthError('invalid_client', description, { ...(challenge && { challenge }) })
}
