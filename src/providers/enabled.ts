import type { Config } from '../config.ts'
import { type ResolvedProvider, resolveProvider } from './resolve.ts'
import { TikTok } from './tiktok.ts'

const enabled = new WeakMap<Config, readonly ResolvedProvider[]>()

/** What this deployment offers, in the order of the sign-in page. */
export function enabledProviders(config: Config): readonly ResolvedProvider[] {
  const known = enabled.get(config)
  if (known) return known
  const providers = [resolveProvider(tiktok(config), config.issuer)]
  enabled.set(config, providers)
  return providers
}

function tiktok({ tiktok: { clientId, clientSecret, scope, webUrl, apiUrl } }: Config) {
  return TikTok({
    clientId,
    clientSecret,
    authorization: {
      ...(webUrl && { url: new URL('/v2/auth/authorize/', webUrl).href }),
      ...(scope && { params: { scope } }),
    },
    ...(apiUrl && {
      token: { url: new URL('/v2/oauth/token/', apiUrl).href },
      userinfo: { url: new URL('/v2/user/info/', apiUrl).href },
    }),
  })
}
