import { importPKCS8, SignJWT } from 'jose'
import type { ClientAuth } from 'oauth4webapi'
import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

const ISSUER = 'https://appleid.apple.com'

/** A secret is signed for each request, which takes a moment. */
const SECRET_LIFETIME = '5m'

/**
 * The secret is `<team id>.<key id>.<base64 of the .p8 key, without its first and last line>`, or a
 * signed JWT. Apple sends a user's name only with the first callback and never in the ID token, so
 * these users have no name.
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
      registration: {
        url: 'https://developer.apple.com/account/resources/identifiers/list/serviceId',
        idName: 'Services ID',
        secretName: 'Team ID, Key ID and the key (.p8)',
      },
      style: { brandColor: '#000000', logo: logo('white', LOGO) },
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

const LOGO =
  'M12.15 6.9c-.95 0-2.41-1.08-3.96-1.04a5.9 5.9 0 0 0-4.96 3.01c-2.12 3.68-.55 9.1 1.52 12.09 1.01 1.45 2.2 3.09 3.8 3.04 1.51-.07 2.08-.99 3.93-.99 1.83 0 2.35.99 3.96.95 1.63-.03 2.67-1.48 3.67-2.95a13 13 0 0 0 1.67-3.41 5.3 5.3 0 0 1-.63-9.42 5.6 5.6 0 0 0-4.39-2.37c-2-.16-3.67 1.09-4.6 1.09m3.38-3.07A5.3 5.3 0 0 0 16.78 0a5.4 5.4 0 0 0-3.54 1.82 5 5 0 0 0-1.27 3.71c1.34.1 2.71-.69 3.56-1.7'
