import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OAuth2Config } from './oauth-types.ts'
import type { OAuthUserConfig } from './types.ts'

export interface FortyTwoSchoolProfile {
  id: number
  login?: string
  displayname?: string
  usual_full_name?: string
  email?: string
  image?: { link?: string | null }
}

/** {@link https://api.intra.42.fr/apidoc/guides/web_application_flow} */
export function FortyTwoSchool(
  options: OAuthUserConfig<FortyTwoSchoolProfile> = {},
): OAuth2Config<FortyTwoSchoolProfile> {
  return configure<FortyTwoSchoolProfile>(
    {
      id: '42-school',
      name: '42 School',
      type: 'oauth',
      jwks_endpoint: undefined,
      checks: ['state'],
      authorization: {
        url: 'https://api.intra.42.fr/oauth/authorize',
        params: { scope: 'public' },
      },
      token: 'https://api.intra.42.fr/oauth/token',
      userinfo: 'https://api.intra.42.fr/v2/me',
      profile({ id, login, displayname, usual_full_name, email, image }) {
        return {
          id: String(id ?? ''),
          name: usual_full_name ?? displayname,
          email,
          image: image?.link,
          username: login,
        }
      },
      registration: {
        url: 'https://profile.intra.42.fr/oauth/applications',
        idName: 'UID',
        secretName: 'Secret',
      },
      style: { brandColor: '#000000', logo: logo('white', LOGO) },
    },
    options,
  )
}

const LOGO =
  'M19.58 16.85H24v-4.44ZM24 3.57h-4.42V8l-4.42 4.42v4.44h4.42v-4.44L24 8Zm-4.42 0h-4.42V8zm-6.32 8.84H4.42l8.84-8.84H8.84L0 12.41v3.6h8.84v4.42h4.42z'
