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
import { type ResolvedProvider, resolveProvider } from './resolved-provider.ts'

/** The built-in providers by id. */
// biome-ignore lint/suspicious/noExplicitAny: each provider has its own profile type.
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

const cache = new WeakMap<Config, readonly ResolvedProvider[]>()

/** The enabled providers, in the order of the sign-in page. */
export function enabledProviders(config: Config): readonly ResolvedProvider[] {
  const cached = cache.get(config)
  if (cached) return cached
  const providers = Array.from(config.providers, ([id, settings]) => {
    const options = {
      ...toOptions(settings),
      ...(id === 'tiktok' && {
        ...standInEndpoints(config, settings),
        hasQrLogin: config.hasQrLogin,
      }),
    }
    return resolveProvider(CATALOGUE[id](options), config.issuer, config.redirectProxy.url)
  })
  cache.set(config, providers)
  return providers
}

/** The enabled provider with this id. */
export function findProvider(config: Config, id: string | undefined): ResolvedProvider | undefined {
  return enabledProviders(config).find((provider) => provider.id === id)
}

function toOptions(settings: ProviderSettings) {
  const { clientId, clientSecret, otherClientSecret, issuer, name, scope, tokens, userinfo } =
    settings
  return {
    clientId,
    clientSecret,
    ...(otherClientSecret && { otherClientSecret }),
    ...(issuer && { issuer }),
    ...(name && { name }),
    keepsTokens: tokens === 'keep',
    ...(userinfo === 'on' && { idToken: false }),
    ...(scope && { authorization: { params: { scope } } }),
  }
}

/** The endpoints of the local stand-in for the platform. */
function standInEndpoints({ standIn: { webUrl, apiUrl } }: Config, { scope }: ProviderSettings) {
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
