import type { Client } from '../clients.ts'
import { OAuthError } from '../errors.ts'
import type { AppContext } from '../http/app-env.ts'
import { isSameSecret } from '../random.ts'

interface Credentials {
  method: 'none' | 'client_secret_basic' | 'client_secret_post'
  clientId: string
  secret: string
}

/** No secret has it: who is unknown is compared with it, and takes as long as who is known. */
const NOBODY: Pick<Client, 'client_secrets_sha256' | 'token_endpoint_auth_method'> = {
  client_secrets_sha256: ['0'.repeat(64)],
  token_endpoint_auth_method: 'client_secret_basic',
}

/** The client that sent this request, by the one method it is registered with (RFC 6749 §2.3). */
export async function authenticateClient(c: AppContext, form: URLSearchParams): Promise<Client> {
  const { method, clientId, secret } = readCredentials(c, form)
  const client = c.get('config').clients.find(({ client_id }) => client_id === clientId)
  const { client_secrets_sha256, token_endpoint_auth_method } = client ?? NOBODY
  const shown = await sha256(secret)
  const matches = await Promise.all(
    client_secrets_sha256.map((known) => isSameSecret(known, shown)),
  )
  const isProven = method === 'none' ? secret === '' : matches.includes(true)
  if (!client || method !== token_endpoint_auth_method || !isProven) {
    throw new OAuthError('invalid_client', 'The client could not be authenticated.', {
      challenge: 'Basic',
    })
  }
  return client
}

function readCredentials(c: AppContext, form: URLSearchParams): Credentials {
  const header = c.req.header('Authorization')
  const secret = form.get('client_secret')
  if (header !== undefined && secret !== null) {
    throw new OAuthError('invalid_request', 'The client authenticates in two ways at once.')
  }
  if (header !== undefined) return readBasic(header, form.get('client_id'))
  const clientId = form.get('client_id') ?? ''
  return secret === null
    ? { method: 'none', clientId, secret: '' }
    : { method: 'client_secret_post', clientId, secret }
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

async function sha256(secret: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret))
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
