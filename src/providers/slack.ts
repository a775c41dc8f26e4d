import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'
import { svg } from './logo.ts'

/** {@link https://docs.slack.dev/authentication/sign-in-with-slack/} */
export const Slack = oidcProvider<OIDCProfile>(() => ({
  id: 'slack',
  name: 'Slack',
  issuer: 'https://slack.com',
  checks: ['state', 'nonce'],
  sendsAuthTime: false,
  promptParams: {},
  registration: { url: 'https://api.slack.com/apps' },
  style: { brandColor: '#4a154b', logo: svg(LOGO) },
}))

/** Four bars in four colours, our own drawing. */
const LOGO =
  "<g fill='none' stroke-width='4' stroke-linecap='round'><path stroke='#36c5f0' d='M9.5 4v6'/><path stroke='#2eb67d' d='M20 9.5h-6'/><path stroke='#e01e5a' d='M4 14.5h6'/><path stroke='#ecb22e' d='M14.5 20v-6'/></g>"
