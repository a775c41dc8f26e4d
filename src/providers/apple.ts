import { seconds } from '../clock.ts'
import { signJwt } from '../tokens/jwk.ts'
import { configure } from './configure.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

const ISSUER = 'https://appleid.apple.com'

/** A secret is made for each exchange, which takes a moment. */
const FIVE_MINUTES = 300 // seconds

const P256 = { name: 'ECDSA', namedCurve: 'P-256' }

/**
 * Sign in with Apple. `clientId` is the Services ID. A name is told once, with the first callback,
 * and never in the ID token: people from here have none.
 *
 * {@link https://developer.apple.com/documentation/signinwithapple}
 */
export function Apple(options: OAuthUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'apple',
      name: 'Apple',
      type: 'oidc',
      issuer: ISSUER,
      jwks_endpoint: undefined,
      // Whoever asks for a name or an address is answered with a form post only.
      authorization: { params: { scope: 'openid name email', response_mode: 'form_post' } },
      checks: ['state', 'nonce'],
      reconsider: {},
      secret: signSecret,
      style: { brandColor: '#000000' },
    },
    options,
  )
}

/** A finished JWT stays as it is; `<team id>.<key id>.<base64 of the PKCS#8 key>` signs a new one. */
async function signSecret(secret: string, clientId: string): Promise<string> {
  if (secret.startsWith('eyJ')) return secret
  const [teamId = '', keyId = '', key = ''] = secret.split('.')
  const der = Uint8Array.from(atob(key), (byte) => byte.charCodeAt(0))
  const now = seconds()
  return signJwt(
    { alg: 'ES256', kid: keyId },
    { iss: teamId, sub: clientId, aud: ISSUER, iat: now, exp: now + FIVE_MINUTES },
    await crypto.subtle.importKey('pkcs8', der, P256, false, ['sign']),
  )
}
