import type { Client } from '../config/clients.ts'
import { isSameSecret } from '../crypto/compare.ts'
import { sha256 } from '../crypto/random.ts'
import { OAuthError } from '../errors.ts'
import type { AppContext } from '../http/app-env.ts'
import { countGuess, refuseGuesser } from '../limits/guess-limit.ts'
import { countCall } from '../limits/rate-limit.ts'
import { ASSERTION_TYPE, claimedClient, isAssertionOf } from './client-assertion.ts'
import { decide } from './decide.ts'

interface Credentials {
  method: Client['token_endpoint_auth_method']
  clientId: string
  /** The secret, or what is signed with the key. */
  secret: string
}

/** No secret has it: who is unknown is compared with it, and takes as long as who is known. */
const NOBODY = ['0'.repeat(64)]

/** The client that sent this request, by the one method it is registered with (RFC 6749 §2.3). */
export async function authenticateClient(c: AppContext, form: URLSearchParams): Promise<Client> {
  const { method, clientId, secret } = readCredentials(c, form)
  refuseGuesser(c, clientId)
  await countCall(c, clientId)
  const client = c.get('config').clients.find(({ client_id }) => client_id === clientId)
  if (client && method === client.token_endpoint_auth_method) {
    if (await isProven(c, client, method, secret)) return client
  } else await isOneOf(NOBODY, secret)
  if (client && method !== 'none') await countGuess(c, clientId)
  throw new OAuthError('invalid_client', 'The client could not be authenticated.', {
    challenge: 'Basic',
  })
}

function isProven(
  c: AppContext,
  client: Client,
  method: Credentials['method'],
  secret: string,
): boolean | Promise<boolean> {
  if (method === 'none') return true
  if (method === 'private_key_jwt') return decide(() => isAssertionOf(c, client, secret))
  return isOneOf(client.client_secrets_sha256, secret)
}

async function isOneOf(digests: readonly string[], secret: string): Promise<boolean> {
  const shown = new Uint8Array(await sha256(secret)).toHex()
  const matches = await Promise.all(digests.map((known) => isSameSecret(known, shown)))
  return matches.includes(true)
}

function readCredentials(c: AppContext, form: URLSearchParams): Credentials {
  const header = c.req.header('Authorization')
  const secret = form.get('client_secret')
  const assertion = form.get('client_assertion')
  if ([header ?? null, secret, assertion].filter((one) => one !== null).length > 1) {
    throw new OAuthError('invalid_request', 'The client authenticates in two ways at once.')
  }
  if (assertion !== null) return readAssertion(assertion, form)
  if (header !== undefined) return readBasic(header, form.get('client_id'))
  const clientId = form.get('client_id') ?? ''
  return secret === null
    ? { method: 'none', clientId, secret: '' }
    : { method: 'client_secret_post', clientId, secret }
}

function readAssertion(secret: string, form: URLSearchParams): Credentials {
  if (form.get('client_assertion_type') !== ASSERTION_TYPE) {
    throw new OAuthError('invalid_request', 'This client_assertion_type is not supported.')
  }
  const clientId = claimedClient(secret)
  if ((form.get('client_id') ?? clientId) !== clientId) {
    throw new OAuthError('invalid_client', 'The client could not be authenticated.')
  }
  return { method: 'private_key_jwt', clientId, secret }
}

/** Id and secret are form-encoded before they are joined (RFC 6749 §2.3.1). */
function readBasic(header: string, bodyId: string | null): Credentials {
  try {
    const [scheme = '', value = ''] = header.split(/ +/, 2)
    const bytes = Uint8Array.from(atob(value), (letter) => letter.charCodeAt(0))
    const [id = '', ...rest] = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
      .decode(bytes)
      .split(':')
    const decode = (text: string) => decodeURIComponent(text.replaceAll('+', '%20'))
    const clientId = decode(id)
    if (scheme.toLowerCase() === 'basic' && (bodyId ?? clientId) === clientId) {
      return { method: 'client_secret_basic', clientId, secret: decode(rest.join(':')) }
    }
  } catch {
    // Malformed credentials are wrong credentials.
  }
  throw new OAuthError('invalid_client', 'The client could not be authenticated.', {
    challenge: 'Basic',
  })
}
