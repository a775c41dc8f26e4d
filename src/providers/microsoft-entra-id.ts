import type { OIDCProfile } from '../provider-interface/oauth-types.ts'
import { oidcProvider } from './catalogue-entry.ts'
import { svg } from './logo.ts'

/**
 * `AUTH_MICROSOFT_ENTRA_ID_ISSUER` is `https://login.microsoftonline.com/<tenant>/v2.0` with the
 * tenant's GUID. With any other name for the tenant, the discovery document contains a different
 * issuer.
 *
 * {@link https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc}
 */
export const MicrosoftEntraID = oidcProvider<OIDCProfile>(() => ({
  id: 'microsoft-entra-id',
  name: 'Microsoft',
  isSelfHosted: true,
  sendsAuthTime: false,
  promptParams: { prompt: 'select_account' },
  profile({ sub, name, email, preferred_username: username }) {
    return {
      id: sub,
      name,
      // Never verified: an administrator can enter any address of any domain.
      email: email ?? (username?.includes('@') ? username : undefined),
      username,
    }
  },
  registration: {
    url: 'https://entra.microsoft.com',
    idName: 'Application (client) ID',
    secretName: 'Client secret (value)',
  },
  style: { bg: '#ffffff', text: '#1f1f1f', logo: svg(LOGO) },
}))

/** Four squares, our own drawing. */
const LOGO =
  "<path fill='#f25022' d='M2 2h9.5v9.5H2z'/><path fill='#7fba00' d='M12.5 2H22v9.5h-9.5z'/><path fill='#00a4ef' d='M2 12.5h9.5V22H2z'/><path fill='#ffb900' d='M12.5 12.5H22V22h-9.5z'/>"
