import { SignJWT } from 'jose'
import { LOGIN } from '../../browser.ts'
import { MINUTE } from '../../clock.ts'
import { formRequest, signingKey } from '../../core/oidc/relying-app.ts'
import type { SingleUse } from './single-use.ts'

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** How far the clock of a client may differ. */
const CLOCK_SKEW = 10 // seconds

/** An assertion that expires after so many seconds. */
export function assertion(expiresIn: number): SingleUse {
  return {
    usedUpBy: ['core/oidc/client-assertion.ts'],
    lifetime: expiresIn + CLOCK_SKEW,
    async obtain() {
      const iat = Math.floor(Date.now() / 1000)
      const claims = { aud: LOGIN, exp: iat + expiresIn, iat, jti: crypto.randomUUID() }
      const client_assertion = await new SignJWT({ iss: 'signer', sub: 'signer', ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .sign(await signingKey())
      const form = { token: 'x', client_assertion_type: ASSERTION_TYPE, client_assertion }
      return async (service) => {
        const response = await service(formRequest('/oidc/introspect', form))
        return response.ok ? response.text() : undefined
      }
    },
  }
}

export const clientAssertion = assertion(MINUTE)

/** Valid for as long as the service accepts, and of a client whose clock is early. */
export const longAssertion = assertion(5 * MINUTE + CLOCK_SKEW)
