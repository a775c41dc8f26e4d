import type { Lifetimes } from '../config/lifetimes.ts'
import type { Api } from '../registration-schemas/apis.ts'

/**
 * The type and algorithm of an access token for these APIs: other than the default only if all of
 * them require it. APIs that are not registered accept the default.
 */
export function accessTokenHeader(apis: readonly Api[], resources: readonly string[]) {
  const allRequire = (isRequired: (api: Api) => boolean) =>
    resources.length > 0 &&
    resources.every((resource) =>
      apis.some((api) => api.identifier === resource && isRequired(api)),
    )
  return {
    typ: allRequire((api) => api.access_token_type === 'JWT') ? 'JWT' : 'at+jwt',
    alg: allRequire((api) => api.access_token_signing_alg === 'RS256') ? 'RS256' : 'ES256',
  } as const
}

/**
 * The audience of an access token for these APIs. This service is part of it if the token has
 * `openid`, so that userinfo accepts it, unless it is for one API that requires a single audience.
 */
export function accessTokenAudience(
  { issuer }: { issuer: string },
  apis: readonly Api[],
  { resources, scope }: { resources: readonly string[]; scope: readonly string[] },
): string | string[] {
  const [resource, ...others] = resources
  if (resource === undefined) return issuer
  const isSingle =
    others.length === 0 && apis.some((api) => api.identifier === resource && api.single_audience)
  if (isSingle) return resource
  const audiences = [...resources, ...(scope.includes('openid') ? [issuer] : [])]
  return audiences.length === 1 ? resource : audiences
}

/** The lifetime of an access token for these APIs, in seconds: the shortest of theirs. */
export function accessTokenLifetime(
  { lifetimes }: { lifetimes: Lifetimes },
  apis: readonly Api[],
  resources: readonly string[],
): number {
  return Math.min(...resourceLifetimes(lifetimes, apis, resources))
}

/** How long an access token for some of these APIs can be valid, in seconds. */
export function longestTokenLifetime(
  { lifetimes }: { lifetimes: Lifetimes },
  apis: readonly Api[],
  resources: readonly string[],
): number {
  return Math.max(...resourceLifetimes(lifetimes, apis, resources))
}

function resourceLifetimes(
  { accessToken }: Lifetimes,
  apis: readonly Api[],
  resources: readonly string[],
): number[] {
  if (resources.length === 0) return [accessToken]
  return resources.map((resource) => {
    const api = apis.find(({ identifier }) => identifier === resource)
    return api?.access_token_lifetime ?? accessToken
  })
}
