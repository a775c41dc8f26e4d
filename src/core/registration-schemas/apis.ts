import * as z from 'zod/mini'
import type { Problem } from '../../foundation/values/problem.ts'
import {
  NO_CONTROL_CHARACTERS,
  NOT_EMPTY,
  onFirstUse,
  SCOPE,
  seconds,
  shortName,
  text,
  uri,
} from '../../foundation/values/schemas.ts'
import type { ClientContext } from './client-problems.ts'
import type { RegisteringFeature } from './registration-part.ts'

/** The scopes of OpenID Connect, and `platform`, which is ours. APIs cannot define them. */
export const OPENID_SCOPES = ['openid', 'profile', 'email', 'platform', 'offline_access']

/** Longer sentences do not fit on the consent page. */
const MAX_DESCRIPTION_LENGTH = 200 // characters

/** The longest lifetime that an API can choose. */
export const MAX_TOKEN_LIFETIME = 86_400 // seconds

/**
 * The schema of an API that access tokens are issued for, without the fields of features. Clients
 * list its identifier in their `resources`.
 */
export const apiSchema = onFirstUse(() => {
  const apiScopes = z
    .array(
      z.strictObject({
        name: text(
          [(name) => SCOPE.test(name), 'is not a scope.'],
          [(name) => !OPENID_SCOPES.includes(name), 'is a scope of OpenID Connect.'],
        ),
        /** One sentence for the consent page. */
        description: text(
          NOT_EMPTY,
          [(sentence) => sentence.length <= MAX_DESCRIPTION_LENGTH, 'is too long.'],
          NO_CONTROL_CHARACTERS,
        ),
      }),
    )
    .check(
      z.refine(
        (scopes) => new Set(scopes.map(({ name }) => name)).size === scopes.length,
        'has two entries with the same name.',
      ),
    )
  return z.strictObject({
    identifier: uri.clone(),
    name: z.optional(shortName),

    scopes: z._default(apiScopes, []),
    clients: z._default(z.array(text()), []),
    client_credentials: z._default(z.boolean(), false),

    access_token_lifetime: z.optional(seconds(60, MAX_TOKEN_LIFETIME)),
    access_token_type: z._default(z.enum(['at+jwt', 'JWT']), 'at+jwt'),
    access_token_signing_alg: z._default(z.enum(['ES256', 'RS256']), 'ES256'),
    single_audience: z._default(z.boolean(), false),
  })
})

export type Api = z.infer<ReturnType<typeof apiSchema>>

/** Problems that no single field shows, or that depend on the deployment. */
export function apiProblems(api: Api, context: ClientContext): Problem[] {
  // Otherwise a token for the API would be one for our own endpoints.
  const isOwn = new URL(api.identifier).origin === context.issuer
  const message = 'is an address of this service.'
  return [
    ...(isOwn ? [{ path: ['identifier'], code: 'invalid', message } as const] : []),
    ...context.features.flatMap(
      ({ registrations }) => registrations?.apis?.problems?.(api, context) ?? [],
    ),
  ]
}

/** The APIs that exist without a registration, because features have them. */
export function serviceApis(config: {
  features: readonly RegisteringFeature[]
  issuer: string
}): Api[] {
  return config.features.flatMap(
    ({ registrations }) => registrations?.apis?.builtIn?.(config) ?? [],
  )
}

/** Whether an API is part of this service. None can be registered under its URL. */
export function isServiceApi({ issuer }: { issuer: string }, identifier: string): boolean {
  return identifier.startsWith(`${issuer}/`)
}
