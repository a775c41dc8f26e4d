import {
  type AnyProvider,
  type DeclaredProvider,
  type DeclaredProviders,
  enabledDeclarations,
  needsSecret,
  settingName,
} from '../../src/core/config/providers.ts'

/**
 * The providers whose keys are needed: those in the code. If the code lists a catalogue, those with
 * a setting, or TikTok.
 */
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

/** A setting without which a provider does not work. */
export interface RequiredSetting {
  name: string
  /** Where its value is found, if the provider says so. */
  hint?: string | undefined
}

export function requiredSettings(provider: AnyProvider): RequiredSetting[] {
  const { id, clientId, issuer, isSelfHosted, registration } = provider
  const { url, idName = 'Client ID', secretName = 'Client secret' } = registration ?? {}
  const place = url ? ` at ${url}` : ''
  const hint = (name: string) => (registration ? name + place : undefined)
  return [
    ...(clientId ? [] : [{ name: settingName(id, 'ID'), hint: hint(idName) }]),
    ...(needsSecret(provider) ? [{ name: settingName(id, 'SECRET'), hint: hint(secretName) }] : []),
    ...(isSelfHosted && !issuer ? [{ name: settingName(id, 'ISSUER') }] : []),
  ]
}
