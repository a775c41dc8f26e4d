import type { OIDCConfig, OIDCProfile } from '../provider-interface/oauth-types.ts'
import type { OIDCUserConfig } from '../provider-interface/types.ts'
import { MicrosoftEntraID } from './microsoft-entra-id.ts'

/**
 * Microsoft Entra ID under its former id, for deployments whose callback is registered with it.
 *
 * {@link https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc}
 */
export function AzureAD(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return MicrosoftEntraID({ id: 'azure-ad', name: 'Azure AD', ...options })
}
