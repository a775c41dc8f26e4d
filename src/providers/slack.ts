import { configure } from './configure.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/** {@link https://docs.slack.dev/authentication/sign-in-with-slack/} */
export function Slack(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'slack',
      name: 'Slack',
      type: 'oidc',
      issuer: 'https://slack.com',
      jwks_endpoint: undefined,
      checks: ['state', 'nonce'],
      sendsAuthTime: false,
      promptParams: {},
      style: { brandColor: '#4a154b' },
    },
    options,
  )
}
