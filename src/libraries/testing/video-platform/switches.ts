import * as z from 'zod/mini'

/**
 * Behaviour that is undocumented, or has changed over time. Each switch selects one of the
 * possibilities.
 */
export const switches = z.object({
  /** The platform returns OAuth errors with HTTP 200; `rfc` returns 400 and 401 (RFC 6749 §5.2). */
  oauthErrorStatus: z.union([z.literal(200), z.literal('rfc')]),
  /** The lifetime of an access token in seconds: 7200 today, 86400 before. */
  accessTtl: z.number().check(z.positive()),
  /** Whether a refresh returns a new refresh token or the same one. */
  rotation: z.enum(['always', 'same']),
  /**
   * Whether codes contain a `%`, which reveals clients that decode twice. The platform's codes do
   * not.
   */
  codes: z.enum(['usual', 'with-percent']),
  /** How PKCE is treated with an https redirect URI, which is not documented. */
  webPkce: z.enum(['ignore', 'verify-hex', 'reject-unknown']),
  /** The user info error for a field outside the granted scopes: with status 401 or 400. */
  scopeErrorAs: z.enum(['scope_not_authorized', 'scope_permission_missed']),
  /** How user info treats an unknown field. */
  unknownField: z.enum(['ignore', 'refuse']),
  /** Where the error appears when someone who is not a target user logs in to a sandbox. */
  nonTargetAt: z.enum(['page', 'callback']),
  /** Whether the response to a successful revocation is `{}` or empty. */
  revokeBody: z.enum(['object', 'empty']),
  /**
   * Whether a webhook has a valid signature, an invalid one, both, one with the previous secret, or
   * none.
   */
  webhookSignature: z.enum(['right', 'wrong', 'several', 'previous-secret', 'missing']),
  /** Whether the signed time of a webhook is now or an hour ago. */
  webhookTimestamp: z.enum(['now', 'old']),
  /** Whether a webhook's body is the one that was signed. */
  webhookBody: z.enum(['as-signed', 'tampered']),
  /** Whether a webhook contains the receiving app's client key or an unknown one. */
  webhookClientKey: z.enum(['own', 'unknown']),
  /** Whether a retry has a new signature, which is not documented. */
  webhookRetrySignature: z.enum(['fresh', 'same']),
  /** How often each webhook is sent. The platform promises at-least-once delivery. */
  webhookCopies: z.enum(['one', 'two']),
  /** How often an app may call user info in a sliding minute: 600 today. Load tests need more. */
  callsPerMinute: z.int().check(z.positive()),
})

export type Switches = z.infer<typeof switches>

export const DEFAULT_SWITCHES: Switches = {
  oauthErrorStatus: 200,
  accessTtl: 7200,
  rotation: 'always',
  codes: 'usual',
  webPkce: 'ignore',
  scopeErrorAs: 'scope_not_authorized',
  unknownField: 'ignore',
  nonTargetAt: 'page',
  revokeBody: 'object',
  webhookSignature: 'right',
  webhookTimestamp: 'now',
  webhookBody: 'as-signed',
  webhookClientKey: 'own',
  webhookRetrySignature: 'fresh',
  webhookCopies: 'one',
  callsPerMinute: 600,
}
