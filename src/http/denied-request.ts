import type { Config } from '../config/config.ts'
import { digest } from '../crypto/digest.ts'

/** The parameter that marks an authorization request as denied by the user. */
const DENIED_PARAMETER = 'denied'

/**
 * The address at which this authorization request, and no other, is answered with `access_denied`.
 */
export async function deniedRequestPath(
  { seal }: Config,
  params: URLSearchParams,
): Promise<`/${string}`> {
  const marked = new URLSearchParams(params)
  marked.set(DENIED_PARAMETER, await seal.seal('denied', await requestDigest(params), ''))
  return `/oidc/authorize?${marked}`
}

/** Whether the user has denied this authorization request. */
export async function isDenied({ seal }: Config, params: URLSearchParams): Promise<boolean> {
  const mark = params.get(DENIED_PARAMETER)
  if (!mark) return false
  return (await seal.open('denied', await requestDigest(params), mark)) !== undefined
}

function requestDigest(params: URLSearchParams): Promise<string> {
  const request = [...params].filter(([name]) => name !== DENIED_PARAMETER)
  return digest(JSON.stringify(request))
}
