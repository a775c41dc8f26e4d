import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'

/**
 * `AUTH_UNITED_EFFECTS_ISSUER` is the issuer of the auth group, which also is the requested
 * resource.
 *
 * {@link https://docs.unitedeffects.com/integrations/nextauthjs}
 */
export const UnitedEffects = oidcProvider<OIDCProfile>((options) => ({
  id: 'united-effects',
  name: 'United Effects',
  isSelfHosted: true,
  authorization: {
    params: { scope: 'openid profile email', ...(options.issuer && { resource: options.issuer }) },
  },
  style: { brandColor: '#2b3a55' },
}))
