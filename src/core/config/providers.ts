import { fromAuthJs } from '../../provider-interface/auth-js.ts'
import { isBuiltIn, override } from '../../provider-interface/configure.ts'
import type { OAuthConfig, OAuthUserConfig, Provider } from '../../provider-interface/types.ts'

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
  'RESPONSE_MODE',
  'ENABLED',
] as const

/** A provider of any kind of profile. */
// biome-ignore lint/suspicious/noExplicitAny: each provider has its own profile type.
export type AnyProvider = OAuthConfig<any>

// biome-ignore lint/suspicious/noExplicitAny: each provider has its own profile type.
type ProviderOptions = OAuthUserConfig<any>

/** A provider as it is configured in code. The settings of the environment complete it. */
export interface DeclaredProvider {
  config: AnyProvider
  /** Creates the provider with these options. Options that only derive from others change too. */
  create: ((options: ProviderOptions) => AnyProvider) | undefined
}

/** The providers that a deployment lists in code. */
export interface DeclaredProviders {
  providers: readonly DeclaredProvider[]
  /** Whether a provider without any setting is left out, instead of reported as incomplete. */
  skipsUnconfigured: boolean
}

/** The name of a provider's setting, for example `AUTH_MICROSOFT_ENTRA_ID_SECRET`. */
export function settingName(id: string, setting: (typeof PROVIDER_SETTINGS)[number]): string {
  return settingPrefix(id) + setting
}

/** What the names of a provider's settings begin with. */
export function settingPrefix(id: string): `AUTH_${string}_` {
  return `AUTH_${id.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_`
}

/**
 * Whether a provider does not work without a secret in the settings. Functions of a deployment may
 * authenticate the client in their own way.
 */
export function needsSecret({ client, clientSecret, clientAuth, token }: AnyProvider): boolean {
  const request = typeof token === 'object' ? token.request : undefined
  const isPublic = client?.['token_endpoint_auth_method'] === 'none'
  const hasOwnMethod = [clientAuth, request].some((own) => own && !isBuiltIn(own))
  return !clientSecret && !isPublic && !hasOwnMethod
}

/** The configuration of a provider, which may be a function that returns it. */
export function callProvider(provider: Provider): DeclaredProvider {
  if (typeof provider !== 'function') {
    return { config: fromAuthJs(provider as AnyProvider), create: undefined }
  }
  const create = (options: ProviderOptions) => fromAuthJs(provider(options) as AnyProvider)
  return { config: create({}), create }
}

/** The providers that users of this deployment can sign in through. */
export function enabledDeclarations(
  { providers, skipsUnconfigured }: DeclaredProviders,
  settings: Record<string, unknown>,
): DeclaredProvider[] {
  if (!skipsUnconfigured) return [...providers]
  return providers.filter(({ config: { id, clientId } }) => {
    const prefix = settingPrefix(id)
    const hasSetting = PROVIDER_SETTINGS.some((setting) => settings[prefix + setting] !== undefined)
    return hasSetting || clientId !== undefined
  })
}

/**
 * The provider with the settings of the environment, which take precedence over options in code.
 */
export function applySettings(
  { config, create }: DeclaredProvider,
  settings: Record<string, unknown>,
): AnyProvider {
  const prefix = settingPrefix(config.id)
  const read = (setting: (typeof PROVIDER_SETTINGS)[number]) =>
    settings[prefix + setting] as string | undefined
  const [clientId, clientSecret, otherClientSecret] = [read('ID'), read('SECRET'), read('SECRET_1')]
  const [issuer, name, scope, tokens] = [
    read('ISSUER'),
    read('NAME'),
    read('SCOPE'),
    read('TOKENS'),
  ]
  const [userinfo, responseMode] = [read('USERINFO'), read('RESPONSE_MODE')]
  const params = {
    ...(scope && { scope }),
    ...(responseMode && { response_mode: responseMode }),
  }
  const options: ProviderOptions = {
    ...(clientId && { clientId }),
    ...(clientSecret && { clientSecret }),
    ...(otherClientSecret && { otherClientSecret }),
    ...(issuer && { issuer }),
    ...(name && { name }),
    ...((scope || responseMode) && { authorization: { params } }),
    ...(tokens && { keepsTokens: tokens === 'keep' }),
    ...(userinfo && { idToken: userinfo !== 'on' }),
  }
  const configured = override(create?.(options) ?? config, options)
  const own = configured.settings?.toOptions?.(settings as Record<string, string>)
  return own ? override(configured, own) : configured
}
