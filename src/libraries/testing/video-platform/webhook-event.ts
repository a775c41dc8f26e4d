import type { App } from './apps.ts'
import { hmacHex } from './identifiers.ts'
import type { Switches } from './switches.ts'

/** The platform's numbers for the reasons why an app lost its authorization. */
export const REASONS = {
  unknown: 0,
  disconnected: 1,
  'account-deleted': 2,
  'age-changed': 3,
  'account-banned': 4,
  revoked: 5,
} as const

export type Reason = keyof typeof REASONS

/**
 * One POST request to an app. For an app without a webhook address, the request that was not sent.
 */
export interface DeliveryAttempt {
  at: number
  /** The value of `TikTok-Signature`. */
  signature: string | undefined
  /** The body that was sent: the signed one, unless a switch says otherwise. */
  body: string
  status?: number
  problem?: string
}

/** One event for one app, with all attempts to deliver it. */
export interface Delivery {
  clientKey: string
  event: string
  /** The JSON text, because its bytes are signed. */
  body: string
  attempts: DeliveryAttempt[]
  /** Absent when there are no attempts left to make. */
  nextAttemptAt?: number
}

interface PlatformEvent {
  event: string
  openId: string
  content: object
  createdAt: number
}

/** Serializes the five documented fields. `content` is a string that contains JSON. */
export function serializeEvent(app: App, event: PlatformEvent, switches: Switches): string {
  const hasOwnKey = switches.webhookClientKey === 'own'
  return JSON.stringify({
    client_key: hasOwnKey ? app.clientKey : 'awnobodysapp0001',
    event: event.event,
    create_time: event.createdAt,
    user_openid: event.openId,
    content: JSON.stringify(event.content),
  })
}

/** Seconds: older than any app should accept. */
const OUTDATED_BY = 3600

/**
 * Returns `t=<seconds>,s=<hex>` with the HMAC of time and body, or the faulty variant a switch
 * selects.
 */
export async function signWebhook(
  app: Pick<App, 'clientSecret' | 'previousSecret'>,
  { now, body }: { now: number; body: string },
  switches: Pick<Switches, 'webhookSignature' | 'webhookTimestamp'>,
): Promise<string | undefined> {
  const time = switches.webhookTimestamp === 'now' ? now : now - OUTDATED_BY
  const sign = (secret: string) => hmacHex(secret, `${time}.${body}`)
  switch (switches.webhookSignature) {
    case 'right':
      return `t=${time},s=${await sign(app.clientSecret)}`
    case 'wrong':
      return `t=${time},s=${await sign('not the client secret')}`
    case 'several':
      return `t=${time},s=${await sign('not the client secret')},s=${await sign(app.clientSecret)}`
    case 'previous-secret':
      return `t=${time},s=${await sign(app.previousSecret ?? app.clientSecret)}`
    case 'missing':
      return undefined
  }
}
