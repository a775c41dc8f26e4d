import { configure } from './configure.ts'
import { svg } from './logo.ts'
import type { OIDCConfig, OIDCProfile } from './oauth-types.ts'
import type { OIDCUserConfig } from './types.ts'

/** {@link https://huggingface.co/docs/hub/oauth} */
export function HuggingFace(options: OIDCUserConfig<OIDCProfile> = {}): OIDCConfig<OIDCProfile> {
  return configure<OIDCProfile>(
    {
      id: 'huggingface',
      name: 'Hugging Face',
      type: 'oidc',
      jwks_endpoint: undefined,
      issuer: 'https://huggingface.co',
      checks: ['pkce'],
      sendsAuthTime: false,
      promptParams: {},
      registration: {
        url: 'https://huggingface.co/settings/applications/new',
        secretName: 'App Secret',
      },
      style: { brandColor: '#ffd21e', logo: svg(LOGO, 240) },
    },
    options,
  )
}

/** The left half of the mark of Simple Icons, simplified, and its reflection. */
const LOGO =
  "<path id='a' fill='black' d='M121 11C63 11 16 57 16 114c-1 6 2 27 5 32 3-7 12-8 18-3 5 3 10 10 13 16 2-9 5-13 10-14 7-1 12 2 15 12 2 5 8 16 17 26 11 10 13 20 7 34q9 2 20 2V146c-4-3-6-8-7-8-6 0-14 7-17 13-11-10-15-21-15-33q0-5 5-3c4 0 17 11 34 11M86 66a15 15 0 0111 21c-1 4-8-1-12 0-3 2-5 9-9 7a15 15 0 016-28M52 81a9 10 0 11-1 0M94 217c7-11 7-18-4-31-12-11-18-27-18-27 0 1-3-10-8-9-6 2-10 15 2 24s-5 14-7 6c-4-7-17-29-24-33-6-4-10-1-9 6 2 9 28 29 26 33-3 5-12-5-12-5s-30-26-35-19c-6 8 5 12 21 22s17 12 14 15c-1 4-37-25-40-13-4 12 35 16 33 24-3 9-27-16-32-6-4 9 33 20 34 20 11 3 47 11 58-6'/><use href='#a' transform='matrix(-1 0 0 1 240 0)'/>"
