import type { App } from './apps.ts'
import { hmacHex } from './identifiers.ts'
import type { Switches } from './switches.ts'

/** Why an app lost its authorization, by the platform's own numbers. */
export const REASONS = {
  unknown: 0,
  disconnected: 1,
  'account-deleted': 2,
  'age-changed': 3,
  'account-banned': 4,
  revoked: 5,
} as const

export type Reason = keyof typeof REASONS

/** One POST to an app, or what it would have been for an app without address. */
export interface Attempt {
  at: number
  /** The value of `TikTok-Signature`. */
  signature: string | undefined
  /** What was sent: the body as it was signed, unless a switch tampered with it. */
  body: string
  status?: number
  problem?: string
}

/** One event on its way to one app, and every attempt to bring it there. */
export interface Delivery {
  clientKey: string
  event: string
  /** The JSON text itself, since the signature is over its bytes. */
  body: string
  attempts: Attempt[]
  /** Missing when nothing is left to try. */
  nextAttemptAt?: number
}

export interface Happening {
  event: string
  openId: string
  content: object
  createdAt: number
}

/** The five documented keys; `content` is JSON inside JSON. */
export function describeHappening(app: App, happening: Happening, switches: Switches): string {
  const isOwn = switches.webhookClientKey === 'own'
  return JSON.stringify({
    client_key: isOwn ? app.clientKey : 'awnobodysapp0001',
    event: happening.event,
    create_time: happening.createdAt,
    user_openid: happening.openId,
    content: JSON.stringify(happening.content),
  })
}

/** One hour: older than anyone should accept. */
const OLD = 3600

/** `t=<seconds>,s=<hex>`, the HMAC of time and body under the client secret; or one of its mistakes. */
export async function signWebhook(
  app: Pick<App, 'clientSecret' | 'previousSecret'>,
  { now, body }: { now: number; body: string },
  switches: Pick<Switches, 'webhookSignature' | 'webhookTimestamp'>,
): Promise<string | undefined> {
  const time = switches.webhookTimestamp === 'now' ? now : now - OLD
  const under = (secret: string) => hmacHex(secret, `${time}.${body}`)
  switch (switches.webhookSignature) {
    case 'right':
      return `t=${time},s=${await under(app.clientSecret)}`
    case 'wrong':
      return `t=${time},s=${await under('not the client secret')}`
    case 'several':
      return `t=${time},s=${await under('not the client secret')},s=${await under(app.clientSecret)}`
    case 'previous-secret':
      return `t=${time},s=${await under(app.previousSecret ?? app.clientSecret)}`
    case 'missing':
      return undefined
  }
}
