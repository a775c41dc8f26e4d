import type { BuiltInProvider } from '../config/built-in-providers.ts'
import type { Config, ProviderSettings } from '../config/config.ts'
import { Apple } from '../providers/apple.ts'
import { Discord } from '../providers/discord.ts'
import { Dropbox } from '../providers/dropbox.ts'
import { Facebook } from '../providers/facebook.ts'
import { GitHub } from '../providers/github.ts'
import { GitLab } from '../providers/gitlab.ts'
import { Google } from '../providers/google.ts'
import { Instagram } from '../providers/instagram.ts'
import { Kakao } from '../providers/kakao.ts'
import { Line } from '../providers/line.ts'
import { LinkedIn } from '../providers/linkedin.ts'
import { MicrosoftEntraId } from '../providers/microsoft-entra-id.ts'
import { Naver } from '../providers/naver.ts'
import { Oidc } from '../providers/oidc.ts'
import { Reddit } from '../providers/reddit.ts'
import { Slack } from '../providers/slack.ts'
import { Spotify } from '../providers/spotify.ts'
import { TikTok } from '../providers/tiktok.ts'
import { Twitch } from '../providers/twitch.ts'
import { Twitter } from '../providers/twitter.ts'
import type { OAuthUserConfig, Provider } from '../providers/types.ts'
import { Yahoo } from '../providers/yahoo.ts'
import { Zoom } from '../providers/zoom.ts'
import { type ResolvedProvider, resolveProvider } from './resolve.ts'

/** The providers in this box. */
// biome-ignore lint/suspicious/noExplicitAny: each has a profile of its own.
const CATALOGUE: Record<BuiltInProvider, (options: OAuthUserConfig<any>) => Provider> = {
  tiktok: TikTok,
  apple: Apple,
  discord: Discord,
  dropbox: Dropbox,
  facebook: Facebook,
  github: GitHub,
  gitlab: GitLab,
  google: Google,
  instagram: Instagram,
  kakao: Kakao,
  line: Line,
  linkedin: LinkedIn,
  'microsoft-entra-id': MicrosoftEntraId,
  naver: Naver,
  oidc: Oidc,
  reddit: Reddit,
  slack: Slack,
  spotify: Spotify,
  twitch: Twitch,
  twitter: Twitter,
  yahoo: Yahoo,
  zoom: Zoom,
}

const enabled = new WeakMap<Config, readonly ResolvedProvider[]>()

/** What this deployment offers, in the order of the sign-in page. */
export function enabledProviders(config: Config): readonly ResolvedProvider[] {
  const known = enabled.get(config)
  if (known) return known
  const providers = Array.from(config.providers, ([id, settings]) => {
    const options = {
      ...optionsFrom(settings),
      ...(id === 'tiktok' && { ...standIn(config, settings), hasQrCode: config.hasQrCode }),
    }
    return resolveProvider(CATALOGUE[id](options), config.issuer, config.redirectProxy.url)
  })
  enabled.set(config, providers)
  return providers
}

function optionsFrom(settings: ProviderSettings) {
  const { clientId, clientSecret, otherClientSecret, issuer, name, scope, tokens } = settings
  return {
    clientId,
    clientSecret,
    ...(otherClientSecret && { otherClientSecret }),
    ...(issuer && { issuer }),
    ...(name && { name }),
    keepsTokens: tokens === 'keep',
    ...(scope && { authorization: { params: { scope } } }),
  }
}

/** The same platform on this machine. */
function standIn({ standIn: { webUrl, apiUrl } }: Config, { scope }: ProviderSettings) {
  return {
    authorization: {
      ...(webUrl && { url: new URL('/v2/auth/authorize/', webUrl).href }),
      ...(scope && { params: { scope } }),
    },
    ...(apiUrl && {
      token: { url: new URL('/v2/oauth/token/', apiUrl).href },
      userinfo: { url: new URL('/v2/user/info/', apiUrl).href },
      revocation: new URL('/v2/oauth/revoke/', apiUrl).href,
    }),
  }
}
