import * as z from 'zod/mini'

/** What nobody documents, or what changed over time: each switch chooses one of the readings. */
export const switches = z.object({
  /** The platform answers OAuth errors with HTTP 200; `rfc` answers 400 and 401 (RFC 6749 §5.2). */
  oauthErrorStatus: z.union([z.literal(200), z.literal('rfc')]),
  /** Seconds an access token lives: 7200 today, 86400 before. */
  accessTtl: z.number().check(z.positive()),
  /** Whether a refresh answers with a new refresh token or with the same one. */
  rotation: z.enum(['always', 'same']),
  /** Whether a code also holds a `%`, which shows who decodes it twice; the platform's hold none. */
  codes: z.enum(['usual', 'with-percent']),
  /** What happens to PKCE on an https redirect, where it is not documented. */
  webPkce: z.enum(['ignore', 'verify-hex', 'reject-unknown']),
  /** How user info refuses a field outside the granted scopes: 401 or 400. */
  scopeErrorAs: z.enum(['scope_not_authorized', 'scope_permission_missed']),
  /** What user info does with a field it does not know. */
  unknownField: z.enum(['ignore', 'refuse']),
  /** Where a person who is no target user of the sandbox learns of it. */
  nonTargetAt: z.enum(['page', 'callback']),
  /** A successful revocation answers `{}` or nothing at all. */
  revokeBody: z.enum(['object', 'empty']),
  /** How a webhook is signed: well, badly, more than once, with the secret of yesterday, not at all. */
  webhookSignature: z.enum(['right', 'wrong', 'several', 'previous-secret', 'missing']),
  /** Whether the signed time of a webhook is the present or an hour ago. */
  webhookTimestamp: z.enum(['now', 'old']),
  /** Whether a webhook's body is the one that was signed. */
  webhookBody: z.enum(['as-signed', 'tampered']),
  /** Whose client key a webhook names. */
  webhookClientKey: z.enum(['own', 'unknown']),
  /** Whether a retry is signed anew; nobody documents it. */
  webhookRetrySignature: z.enum(['fresh', 'same']),
  /** Delivery is promised at least once. */
  webhookCopies: z.enum(['one', 'two']),
  /** How often an app may call user info in a sliding minute: 600 today. A load test needs more. */
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
