import { describe, expect, it } from 'vitest'
import { Browser, LOGIN } from '../browser.ts'
import { EXPECTED_DOCUMENT } from '../core/oidc/expected-document.ts'
import { DISCOVERY_PATH } from '../core/oidc/published-metadata.ts'

describe('the discovery document', () => {
  it('[I1][I3][I7] contains exactly the metadata of the core and of the features', async () => {
    for (const path of [DISCOVERY_PATH, '/.well-known/oauth-authorization-server']) {
      expect(await new Browser().json(path)).toEqual({
        ...EXPECTED_DOCUMENT,
        device_authorization_endpoint: `${LOGIN}/oidc/device`,
        pushed_authorization_request_endpoint: `${LOGIN}/oidc/par`,
        require_pushed_authorization_requests: false,
        challenge_endpoint: `${LOGIN}/oidc/challenge`,
        dpop_signing_alg_values_supported: ['ES256', 'PS256', 'EdDSA', 'Ed25519', 'RS256'],
        grant_types_supported: [
          ...EXPECTED_DOCUMENT.grant_types_supported,
          'urn:ietf:params:oauth:grant-type:device_code',
          'urn:ietf:params:oauth:grant-type:token-exchange',
          'urn:vestibule:params:oauth:grant-type:provider-code',
        ],
      })
    }
  })
})
