/** The providers in this box. `AUTH_<ID>_ID` and `AUTH_<ID>_SECRET` enable one. */
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

/** What a deployment says about a provider, under these names: `AUTH_<ID>_…`. */
export const PROVIDER_SETTINGS = [
  'ID',
  'SECRET',
  'SECRET_1',
  'ISSUER',
  'NAME',
  'SCOPE',
  'TOKENS',
] as const

/** Those whose address is the deployment's own, and has to be told … */
export const NEED_ISSUER: readonly BuiltInProvider[] = ['microsoft-entra-id', 'oidc']

/** … and those for which it may be told. */
export const TAKE_ISSUER: readonly BuiltInProvider[] = [...NEED_ISSUER, 'gitlab']

/** The name of a provider's setting: `AUTH_MICROSOFT_ENTRA_ID_SECRET`. */
export function settingName(
  id: BuiltInProvider,
  setting: (typeof PROVIDER_SETTINGS)[number],
): string {
  return `AUTH_${id.toUpperCase().replaceAll('-', '_')}_${setting}`
}

/** The providers of which a deployment says anything at all. */
export function mentionedProviders(settings: Record<string, unknown>): BuiltInProvider[] {
  return BUILT_IN_PROVIDERS.filter((id) =>
    PROVIDER_SETTINGS.some((setting) => settings[settingName(id, setting)] !== undefined),
  )
}
