import { describe, expect, it, vi } from 'vitest'
import { resolveProvider } from '../../../src/core/upstream/resolved-provider.ts'
import { revokeToken } from '../../../src/features/provider-tokens/provider-requests.ts'
import { selectTokens } from '../../../src/features/provider-tokens/select-tokens.ts'
import type { OIDCConfig, OIDCProfile } from '../../../src/provider-interface/oauth-types.ts'

const custom: OIDCConfig<OIDCProfile> = {
  id: 'custom',
  name: 'Custom',
  type: 'oidc',
  issuer: 'https://hostile.example/plain',
  jwks_endpoint: undefined,
  clientId: 'our-client',
  clientSecret: 'our-secret',
}

const resolve = (changes: Partial<OIDCConfig<OIDCProfile>> = {}) =>
  resolveProvider({ ...custom, ...changes }, 'https://login.example')

describe('a provider option', () => {
  it('account selects which tokens are stored: by default a fixed subset if tokens are kept, otherwise none', async () => {
    const tokens = {
      access_token: 'a',
      refresh_token: 'r',
      scope: 's',
      token_type: 'bearer',
      expires_in: 1,
      other: 'x',
    }
    const keeping = { keepsTokens: true }

    expect(await selectTokens(resolve(keeping), tokens)).toEqual({
      access_token: 'a',
      refresh_token: 'r',
      scope: 's',
      token_type: 'bearer',
    })
    for (const options of [keeping, {}]) {
      const provider = resolve({ ...options, account: ({ other }) => ({ other }) })
      expect(await selectTokens(provider, tokens)).toEqual({ other: 'x' })
    }
    const selectingNone = resolve({ ...keeping, account: () => undefined })
    expect(await selectTokens(selectingNone, tokens)).toBeUndefined()
    expect(await selectTokens(resolve(), tokens)).toBeUndefined()
  })

  it('token.normalizeResponse is not applied to revocation responses', async () => {
    const normalizeResponse = vi.fn(async () => undefined)

    await revokeToken(resolve({ token: { normalizeResponse } }), 'at-good')

    expect(normalizeResponse).not.toHaveBeenCalled()
  })
})
