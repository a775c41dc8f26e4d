import { configure } from './configure.ts'
import { logo } from './logo.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

export interface SimpleLoginProfile extends OIDCProfile {
  avatar_url?: string | null
}

/** {@link https://simplelogin.io/docs/siwsl/intro/} */
export function SimpleLogin(
  options: OIDCUserConfig<SimpleLoginProfile> = {},
): OIDCConfig<SimpleLoginProfile> {
  return configure<SimpleLoginProfile>(
    {
      id: 'simplelogin',
      name: 'SimpleLogin',
      type: 'oidc',
      jwks_endpoint: undefined,
      issuer: 'https://app.simplelogin.io',
      checks: ['pkce'],
      sendsAuthTime: false,
      promptParams: {},
      profile({ sub, name, email, email_verified, avatar_url }) {
        return { id: sub, name, email, emailVerified: email_verified === true, image: avatar_url }
      },
      registration: {
        url: 'https://app.simplelogin.io/developer',
        idName: 'OAuth2 Client ID',
        secretName: 'OAuth2 Client Secret',
      },
      style: { brandColor: '#ea319f', logo: logo('black', LOGO, 240) },
    },
    options,
  )
}

const LOGO =
  'M234 37l3 2q4 10 3 12v93q0 8-3 13l-4 3q-1 5-32 5H117a94 105 0 01-52 43H62a104 92 0 01-44-34A99 100 0 010 114l2-18V93H6a116 91 0 0056-33l3-2V51a30 26 0 015-14 23 10 0 0114-6H221a21 9 0 0113 5M84 40H81l68 60a5 7 0 007 0l68-60M74 46V66a129 118 0 0050 27h4v2l1 7 4-4M23 167a96 91 0 0042 34 101 92 0 0055-101A135 140 0 0165 68 121 131 0 019 100l-1 13a90 89 0 0016 55m106-48a97 104 0 01-8 36H224l-58-52-12 9h-4l-10-9-10 8m101 38V46l-59 52M66 82a108 91 0 0044 25l1 10a67 70 0 01-17 49 60 69 0 01-30 21 71 70 0 01-44-73v-7a97 77 0 0045-26M34 132l28 28 38-38-8-9-30 30-19-19'
