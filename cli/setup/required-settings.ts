import {
  type AnyProvider,
  type DeclaredProvider,
  type DeclaredProviders,
  enabledDeclarations,
  settingName,
} from '../../src/config/providers.ts'

/** The providers whose keys are needed: those in the code. If the code lists a catalogue, those with a setting, or TikTok. */
export function providersToSetUp(
  declared: DeclaredProviders,
  settings: Record<string, unknown>,
): AnyProvider[] {
  const enabled = enabledDeclarations(declared, settings)
  const chosen = enabled.length > 0 ? enabled : declared.providers.filter(isTikTok)
  return chosen.map(({ config }) => config)
}

function isTikTok({ config }: DeclaredProvider): boolean {
  return config.id === 'tiktok'
}

/** The names of the settings without which the provider does not work. */
export function requiredSettings(provider: AnyProvider): string[] {
  const { id, clientId, clientSecret, client, issuer, isSelfHosted } = provider
  const isPublic = client?.['token_endpoint_auth_method'] === 'none'
  return [
    ...(clientId ? [] : [settingName(id, 'ID')]),
    ...(clientSecret || isPublic ? [] : [settingName(id, 'SECRET')]),
    ...(isSelfHosted && !issuer ? [settingName(id, 'ISSUER')] : []),
  ]
}
