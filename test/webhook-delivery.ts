import { env, exports } from 'cloudflare:workers'
import { LOGIN, standIn } from './browser.ts'

/** A notification as the platform sends it. */
export interface Webhook {
  body: string
  signature: string
}

/** The webhook that the platform sends when this event happens to a user. */
export async function createWebhook(
  user: string,
  event: Record<string, unknown>,
): Promise<Webhook> {
  const response = await standIn.post('events', { user, app: env.AUTH_TIKTOK_ID, ...event })
  const [delivery] = await response.json<{ attempts: Webhook[] }[]>()
  const [attempt] = delivery?.attempts ?? []
  return { body: attempt?.body ?? '', signature: attempt?.signature ?? '' }
}

/** The same, by the clock of the test: the platform itself uses the real time. */
export async function createWebhookNow(
  user: string,
  event: Record<string, unknown>,
): Promise<Webhook> {
  const now = Math.floor(Date.now() / 1000)
  const content = JSON.parse((await createWebhook(user, event)).body)
  const body = JSON.stringify({ ...content, create_time: now })
  return { body, signature: await signWebhook(body, now) }
}

export function deliver(
  { body, signature }: Webhook,
  service = exports.default.fetch.bind(exports.default),
): Promise<Response> {
  return service(
    new Request(`${LOGIN}/api/auth/webhook/tiktok`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'TikTok-Signature': signature },
      body,
    }),
  )
}

/** The header with which the platform would sign this body at this time, in seconds since 1970. */
export async function signWebhook(
  body: string,
  time: number | string,
  secret = env.AUTH_TIKTOK_SECRET,
): Promise<string> {
  const key = await crypto.subtle.importKey(
    'raw',
    new TextEncoder().encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  const mac = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`${time}.${body}`))
  return `t=${time},s=${new Uint8Array(mac).toHex()}`
}
