import * as z from 'zod/mini'
import { oneOf, uri } from './schemas.ts'

/** An API that access tokens are issued for. Clients list its identifier in their `resources`. */
export const apiSchema = z.strictObject({
  identifier: uri,
  /** Some verifiers accept only `JWT`. */
  access_token_type: z._default(oneOf('at+jwt', 'JWT'), 'at+jwt'),
})

export type Api = z.infer<typeof apiSchema>

/**
 * The type of an access token for these APIs: `JWT` only if all of them require it. APIs that are
 * not registered accept the type that RFC 9068 defines.
 */
export function accessTokenType(
  { apis }: { apis: readonly Api[] },
  resources: readonly string[],
): Api['access_token_type'] {
  const requiresJwt = (resource: string) =>
    apis.some((api) => api.identifier === resource && api.access_token_type === 'JWT')
  return resources.length > 0 && resources.every(requiresJwt) ? 'JWT' : 'at+jwt'
}
