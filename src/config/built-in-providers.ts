/** The ids of the built-in providers. `AUTH_<ID>_ID` and `AUTH_<ID>_SECRET` enable one. */
export const BUILT_IN_PROVIDERS = [
  'tiktok',
  'apple',
  'discord',
  'dropbox',
  'facebook',
  'github',
  'gitlab',
  'google',
  'instagram',
  'kakao',
  'line',
  'linkedin',
  'microsoft-entra-id',
  'naver',
  'oidc',
  'reddit',
  'slack',
  'spotify',
  'twitch',
  'twitter',
  'yahoo',
  'zoom',
] as const

export type BuiltInProvider = (typeof BUILT_IN_PROVIDERS)[number]

/** The settings of a provider: `AUTH_<ID>_<setting>`. */
export const PROVIDER_SETTINGS = [
  'ID',
  'SECRET',
  'SECRET_1',
  'ISSUER',
  'NAME',
  'SCOPE',
  'TOKENS',
  'USERINFO',
] as const

/** Providers that every organisation runs at its own address: the issuer must be configured. */
export const ISSUER_REQUIRED: readonly BuiltInProvider[] = ['microsoft-entra-id', 'oidc']

/** Providers whose issuer may be configured. */
export const ISSUER_ALLOWED: readonly BuiltInProvider[] = [...ISSUER_REQUIRED, 'gitlab']

/** Providers whose profile may be read from the userinfo endpoint instead of the ID token. */
export const USERINFO_ALLOWED: readonly BuiltInProvider[] = ['oidc']

/** The name of a provider's setting, for example `AUTH_MICROSOFT_ENTRA_ID_SECRET`. */
export function settingName(
  id: BuiltInProvider,
  setting: (typeof PROVIDER_SETTINGS)[number],
): string {
  return settingPrefix(id) + setting
}

function settingPrefix(id: BuiltInProvider): string {
  return `AUTH_${id.toUpperCase().replaceAll('-', '_')}_`
}

/** The providers for which at least one setting is present. */
export function configuredProviders(settings: Record<string, unknown>): BuiltInProvider[] {
  return BUILT_IN_PROVIDERS.filter((id) => {
    const prefix = settingPrefix(id)
    return PROVIDER_SETTINGS.some((setting) => settings[prefix + setting] !== undefined)
  })
}
