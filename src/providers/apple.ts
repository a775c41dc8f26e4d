import { importPKCS8, SignJWT } from 'jose'
import type { ClientAuth } from 'oauth4webapi'
import { configure } from './configure.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

const ISSUER = 'https://appleid.apple.com'

/** A secret is signed for each request, which takes a moment. */
const SECRET_LIFETIME = '5m'

/**
 * Sign in with Apple. `clientId` is the Services ID. Apple sends a user's name only with the first
 * callback and never in the ID token, so these users have no name.
 *
 * {@link https://developer.apple.com/documentation/signinwithapple}
 */
export function Apple(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'apple',
      name: 'Apple',
      type: 'oidc',
      issuer: ISSUER,
      jwks_endpoint: undefined,
      // Apple requires form_post when a name or an email address is requested.
      authorization: { params: { scope: 'openid name email', response_mode: 'form_post' } },
      checks: ['state', 'nonce'],
      sendsAuthTime: false,
      promptParams: {},
      clientAuth: AppleClientSecret,
      style: { brandColor: '#000000' },
    },
    options,
  )
}

/**
 * Apple's client secret is a JWT. The configured secret is either such a JWT, or
 * `<team id>.<key id>.<base64 of the PKCS#8 key>`, from which one is signed for each request.
 *
 * {@link https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret}
 */
function AppleClientSecret(configured: string): ClientAuth {
  return async (_server, client, body) => {
    body.set('client_id', client.client_id)
    body.set('client_secret', await clientSecretJwt(configured, client.client_id))
  }
}

async function clientSecretJwt(configured: string, clientId: string): Promise<string> {
  if (configured.startsWith('eyJ')) return configured
  const [teamId = '', keyId = '', key = ''] = configured.split('.')
  const pem = `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----`
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setSubject(clientId)
    .setAudience(ISSUER)
    .setIssuedAt()
    .setExpirationTime(SECRET_LIFETIME)
    .sign(await importPKCS8(pem, 'ES256'))
}
