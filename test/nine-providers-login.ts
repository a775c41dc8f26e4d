import { env } from 'cloudflare:workers'
import { TikTok } from '../src/providers.ts'
import { createVestibule } from '../src/vestibule.ts'

/*
 * The login service with nine providers, so that some of them have no button. All lead to the stand-in for the platform.
 */

const platform = String(Reflect.get(env, 'AUTH_TIKTOK_WEB_URL'))

const others = Array.from({ length: 8 }, (_, index) => ({
  id: `acme${index}`,
  name: `Acme ${index}`,
  type: 'oauth' as const,
  jwks_endpoint: undefined,
  clientId: 'acme-client',
  clientSecret: 'acme-secret-8Jq2Lw9x',
  authorization: `${platform}/v2/auth/authorize/`,
  token: `${platform}/v2/oauth/token/`,
  userinfo: `${platform}/v2/user/info/`,
  profile: () => ({ id: '1' }),
}))

const vestibule = createVestibule({ providers: [TikTok, ...others] })

export default vestibule.worker

export const { UserObject, KeyringObject, GuardObject } = vestibule.objects
