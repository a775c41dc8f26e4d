import { importPKCS8, SignJWT } from 'jose'
import type { ClientAuth } from 'oauth4webapi'
import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'
import { logo } from './logo.ts'

const ISSUER = 'https://appleid.apple.com'

/** A secret is signed for each request, which takes a moment. */
const SECRET_LIFETIME = '5m'

/**
 * The secret is `<team id>.<key id>.<base64 of the .p8 key, without its first and last line>`, or a
 * signed JWT. Apple sends a user's name only with the first callback and never in the ID token, so
 * these users have no name.
 *
 * {@link https://developer.apple.com/documentation/signinwithapple},
 * {@link https://developer.apple.com/design/human-interface-guidelines/sign-in-with-apple}
 */
export const Apple = oidcProvider<OIDCProfile>(() => ({
  id: 'apple',
  name: 'Apple',
  issuer: ISSUER,
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
}))

/**
 * Apple's client secret is a JWT. The configured secret is either such a JWT, or `<team id>.<key
 * id>.<base64 of the PKCS#8 key>`, from which one is signed for each request.
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
  'M12.152 6.896c-.948 0-2.415-1.078-3.96-1.04-2.04.027-3.91 1.183-4.961 3.014-2.117 3.675-.546 9.103 1.519 12.09 1.013 1.454 2.208 3.09 3.792 3.039 1.52-.065 2.09-.987 3.935-.987 1.831 0 2.35.987 3.96.948 1.637-.026 2.676-1.48 3.676-2.948 1.156-1.688 1.636-3.325 1.662-3.415-.039-.013-3.182-1.221-3.22-4.857-.026-3.04 2.48-4.494 2.597-4.559-1.429-2.09-3.623-2.324-4.39-2.376-2-.156-3.675 1.09-4.61 1.09zM15.53 3.83c.843-1.012 1.4-2.427 1.245-3.83-1.207.052-2.662.805-3.532 1.818-.78.896-1.454 2.338-1.273 3.714 1.338.104 2.715-.688 3.559-1.701'
