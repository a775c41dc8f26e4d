import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { isBuiltIn } from '../../provider-interface/configure.ts'
import type { BoundedFetch } from '../../provider-interface/oauth-types.ts'
import { boundedFetch, type FetchOptions } from '../fetch/bounded-fetch.ts'
import { withDeadline } from '../fetch/deadline.ts'
import type { ResolvedProvider } from './resolved-provider.ts'
import { callbackError, isUpstreamError, translateUpstreamError } from './upstream-error.ts'

/**
 * For a provider's own functions. Each of their requests has a limit of its own; this one ends
 * those that wait for anything else, and is enough for three slow requests.
 */
const DEADLINE = 15_000 // milliseconds

/**
 * Calls a function of a provider's configuration, such as `userinfo.request`. If the provider does
 * not respond, or with an error, that is reported. Any other error in a function of the deployment
 * is a bug in it; in a built-in function, the provider's response had another form than documented.
 */
export async function callProviderFunction<Callback extends object, Result>(
  name: string,
  callback: Callback,
  call: (callback: Callback) => Result,
): Promise<Awaited<Result>> {
  try {
    return await withDeadline(call(callback), DEADLINE, () => tooSlow(name))
  } catch (cause) {
    if (isUpstreamError(cause)) throw translateUpstreamError(cause)
    // The content of a response is not JSON.
    const isSyntaxError = cause instanceof SyntaxError && name !== 'profile' && name !== 'account'
    if (!isBuiltIn(callback) && !isSyntaxError) throw callbackError(name, cause)
    const detail = { hint: `${name} failed${isSyntaxError ? ': no JSON' : ''}.` }
    throw new SignInError('provider_invalid', { cause, detail })
  }
}

function tooSlow(name: string): SignInError {
  const hint = `${name} took longer than ${DEADLINE / 1000} seconds.`
  return new SignInError('provider_unavailable', { detail: { hint } })
}

/** Corrects a response with the `normalizeResponse` of an endpoint, if it has one. */
export async function normalize(
  response: Response,
  name: 'token' | 'userinfo',
  normalizeResponse: ((response: Response) => unknown) | undefined,
): Promise<Response> {
  if (!normalizeResponse) return response
  const corrected = await callProviderFunction(
    `${name}.normalizeResponse`,
    normalizeResponse,
    (callback) => callback(response.clone()),
  )
  return corrected instanceof Response ? corrected : response
}

/**
 * The fetch that sends all requests to a provider: ours, with what the provider replaces or adds. A
 * failed connection is reported as such, and not as a bug of the function that uses it.
 */
export function providerFetch(
  provider: Pick<ResolvedProvider, 'fetch' | 'customFetch'>,
  send: typeof boundedFetch = boundedFetch,
  maxSize?: number,
): BoundedFetch {
  const { fetch: ownFetch, customFetch } = provider
  const options: FetchOptions = {
    ...(maxSize && { maxSize }),
    ...(ownFetch && {
      send: (url, init) =>
        callProviderFunction('fetch', ownFetch, async () => toResponse(await ownFetch(url, init))),
    }),
  }
  const reportingFetch: BoundedFetch = async (url, init) => {
    try {
      return await send(url, init, options)
    } catch (cause) {
      throw translateUpstreamError(cause)
    }
  }
  if (!customFetch) return reportingFetch
  return (url, init) =>
    callProviderFunction('customFetch', customFetch, async (wrap) =>
      toResponse(await wrap(reportingFetch)(url, init)),
    )
}

function toResponse(value: unknown): Response {
  if (value instanceof Response) return value
  throw new TypeError('It returned no Response.')
}
