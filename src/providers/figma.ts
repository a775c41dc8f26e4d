import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

export interface FigmaProfile {
  id: string
  handle?: string
  email?: string
  img_url?: string
}

/** {@link https://developers.figma.com/docs/rest-api/authentication/} */
export function Figma(options: OAuthUserConfig<FigmaProfile> = {}): OAuth2Config<FigmaProfile> {
  return configure<FigmaProfile>(
    {
      id: 'figma',
      name: 'Figma',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      client: { token_endpoint_auth_method: 'client_secret_basic' },
      authorization: { url: 'https://www.figma.com/oauth', params: { scope: 'current_user:read' } },
      token: 'https://api.figma.com/v1/oauth/token',
      userinfo: 'https://api.figma.com/v1/me',
      profile({ id, handle, email, img_url }) {
        return { id, name: handle, email, image: img_url }
      },
      registration: { url: 'https://www.figma.com/developers/apps' },
      style: { brandColor: '#f24e1e', logo: logo('black', LOGO, 240) },
    },
    options,
  )
}

const LOGO =
  'M159 90H113V0h45a45 45 0 011 90M120 75h36a30 30 0 005-60H125m2 75H82A45 45 0 0181 0h47M81 15a30 30 0 000 60h39V15m5 150H82a45 45 0 01-1-90h45M81 90a30 30 0 000 60h32V89M82 240c-26-1-45-19-45-45s21-45 44-45h46v48c-1 22-20 42-46 42m-2-75a30 32 0 00-28 30 30 31 0 0034 30 32 31 0 0028-30V159m46 6h-3a45 45 0 013-90 45 45 0 01-1 90m-3-75a30 30 0 005 60 30 30 0 00-2-60'
