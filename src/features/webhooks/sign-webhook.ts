/** {@link https://www.standardwebhooks.com}: what identifies a secret of this kind. */
const PREFIX = 'whsec_'

const SECRET_LENGTH = 32 // bytes; the specification requires 24 to 64

const utf8 = new TextEncoder()

/** A new secret for signatures, as the receiver configures it. */
export function createWebhookSecret(): string {
  return PREFIX + crypto.getRandomValues(new Uint8Array(SECRET_LENGTH)).toBase64()
}

/** What is sent: the same id for each attempt to send the same event, and its content. */
export interface WebhookMessage {
  id: string
  body: string
}

/**
 * The headers that prove who sent a message, and when. There is a signature for each secret, so
 * that a receiver can change over to a new one.
 */
export async function signatureHeaders(
  { id, body }: WebhookMessage,
  secrets: readonly string[],
  timestamp: number,
): Promise<Record<string, string>> {
  const content = utf8.encode(`${id}.${timestamp}.${body}`)
  const signatures = await Promise.all(secrets.map((secret) => sign(content, secret)))
  return {
    'webhook-id': id,
    'webhook-timestamp': `${timestamp}`,
    'webhook-signature': signatures.join(' '),
  }
}

async function sign(content: Uint8Array, secret: string): Promise<string> {
  const bytes = Uint8Array.fromBase64(secret.slice(PREFIX.length))
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
  return `v1,${new Uint8Array(await crypto.subtle.sign('HMAC', key, content)).toBase64()}`
}
