import type { BuiltInProvider } from '../built-in-providers.ts'
import type { Config, ProviderSettings } from '../config.ts'
import { Apple } from './apple.ts'
import { Discord } from './discord.ts'
import { Dropbox } from './dropbox.ts'
import { Facebook } from './facebook.ts'
import { GitHub } from './github.ts'
import { GitLab } from './gitlab.ts'
import { Google } from './google.ts'
import { Instagram } from './instagram.ts'
import { Kakao } from './kakao.ts'
import { Line } from './line.ts'
import { LinkedIn } from './linkedin.ts'
import { MicrosoftEntraId } from './microsoft-entra-id.ts'
import { Naver } from './naver.ts'
import { Oidc } from './oidc.ts'
import { Reddit } from './reddit.ts'
import { type ResolvedProvider, resolveProvider } from './resolve.ts'
import { Slack } from './slack.ts'
import { Spotify } from './spotify.ts'
import { TikTok } from './tiktok.ts'
import { Twitch } from './twitch.ts'
import { Twitter } from './twitter.ts'
import type { OAuthUserConfig, Provider } from './types.ts'
import { Yahoo } from './yahoo.ts'
import { Zoom } from './zoom.ts'

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
