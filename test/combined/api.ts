import { createVerifier, TokenError, type VerifierOptions } from '../../src/verify.ts'
import { LOGIN } from '../browser.ts'
import type { Service } from './single-use/deployment.ts'

/** An API that verifies tokens with `vestibule-auth/verify`. */
export const API = 'https://orders.example'
export const ORDERS = `${API}/orders`

interface Verification {
  options?: Partial<VerifierOptions>
  requirements?: { maxAge?: number }
}

/** Whether a new instance of the API accepts a request with these headers. */
export async function isVerified(
  headers: Record<string, string>,
  isolate: Service,
  { options = {}, requirements = {} }: Verification = {},
): Promise<boolean> {
  const fetch: VerifierOptions['fetch'] = (url, init) => isolate(new Request(url, init))
  const verifier = createVerifier({ issuer: LOGIN, audience: API, fetch, ...options })
  return verifier.verify(new Request(ORDERS, { headers }), requirements).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof TokenError)) throw error
      return false
    },
  )
}
