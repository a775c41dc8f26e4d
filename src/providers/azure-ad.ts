import { MicrosoftEntraID } from './microsoft-entra-id.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/**
 * Microsoft Entra ID under its former id, for deployments whose callback is registered with it.
 *
 * {@link https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc}
 */
export function AzureAD(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return MicrosoftEntraID({ id: 'azure-ad', name: 'Azure Active Directory', ...options })
}
