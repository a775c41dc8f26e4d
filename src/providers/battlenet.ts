import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

export interface BattleNetProfile extends OIDCProfile {
  /** In the ID token. */
  battle_tag?: string
  /** In responses of the userinfo endpoint. */
  battletag?: string
}

/**
 * `AUTH_BATTLENET_ISSUER` is needed for China only: `https://oauth.battlenet.com.cn`.
 *
 * {@link https://develop.battle.net/documentation/guides/using-oauth}
 */
export function BattleNet(
  options: OIDCUserConfig<BattleNetProfile> = {},
): OIDCConfig<BattleNetProfile> {
  return configure<BattleNetProfile>(
    {
      id: 'battlenet',
      name: 'Battle.net',
      type: 'oidc',
      isSelfHosted: true,
      jwks_endpoint: undefined,
      issuer: 'https://oauth.battle.net',
      client: { token_endpoint_auth_method: 'client_secret_basic' },
      authorization: { params: { scope: 'openid' } },
      checks: ['state'],
      sendsAuthTime: false,
      promptParams: {},
      profile({ sub, battletag, battle_tag = battletag }) {
        return { id: sub, name: battle_tag, username: battle_tag }
      },
      registration: { url: 'https://develop.battle.net/access/clients' },
      style: { brandColor: '#4381c3', logo: logo('black', LOGO, 240) },
    },
    options,
  )
}

const LOGO =
  'M190 83A255 244 0 0074 63q4-22 16-25 17-3 36 19 10 1 23 4C127 20 98-3 76 6c-18 7-25 30-25 61Q17 74 1 92l-1 2H2q19-13 50-16c3 32 18 74 40 109q-17 7-28 0-12-11-3-41l-8-23c-23 40-30 73-11 92q24 15 65-10 23 25 43 30h8q-24-11-42-36a235 260 0 0075-90q16 13 14 25-5 17-34 23l-16 18c48 2 80-12 85-36 2-18-13-36-40-51q9-37 3-55l-3-5v8q1 17-10 46M104 182Q73 130 73 76a191 186 0 01107 26 220 193 0 01-76 80'
