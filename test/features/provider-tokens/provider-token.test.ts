import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  freshProviderToken,
  sealTokens,
} from '../../../src/features/provider-tokens/provider-token.ts'
import { setClock } from '../../clock.ts'
import { readConfig } from '../../deployment.ts'

const NOW = Math.floor(Date.now() / 1000)

const account = {
  provider: 'tiktok',
  issuer: 'https://www.tiktok.com',
  accountId: 'a',
  scope: ['user.info.basic'],
  readAt: NOW,
  extras: {},
}

/**
 * The account with a stored access token that expires at this time, and without a refresh token.
 */
async function withToken(expires_at: number, owner = account) {
  const tokens = { access_token: 'the-token', expires_at }
  return { ...account, sealedTokens: await sealTokens(readConfig(env), owner, tokens) }
}

describe("a provider's stored token", () => {
  it.each([
    [61, true],
    [60, false],
    [0, false],
  ])('is used for another %i s: %s', async (seconds, isUsed) => {
    setClock(NOW)

    const fresh = await freshProviderToken(readConfig(env), await withToken(NOW + seconds))

    expect(fresh).toMatchObject(
      isUsed ? { token: { accessToken: 'the-token' } } : { rejected: 'gone' },
    )
  })

  it('[K20] is not used once the deployment keeps no tokens any more', async () => {
    const keepsNone = { ...env, AUTH_TIKTOK_TOKENS: undefined }

    const fresh = await freshProviderToken(readConfig(keepsNone), await withToken(NOW + 3600))

    expect(fresh).toEqual({ rejected: 'gone' })
  })

  it('[K20] is not used once the provider is disabled', async () => {
    const disabled = {
      ...env,
      AUTH_TIKTOK_ID: undefined,
      AUTH_TIKTOK_SECRET: undefined,
      AUTH_TIKTOK_SCOPE: undefined,
      AUTH_TIKTOK_TOKENS: undefined,
      AUTH_GITLAB_ID: 'git-client',
      AUTH_GITLAB_SECRET: 'git-secret-7Hk2',
    }

    const fresh = await freshProviderToken(readConfig(disabled), await withToken(NOW + 3600))

    expect(fresh).toEqual({ rejected: 'gone' })
  })

  it.each([
    ['another account', { ...account, accountId: 'b' }],
    ['the same id at another issuer', { ...account, issuer: 'https://other.example' }],
    ['another provider', { ...account, provider: 'gitlab' }],
  ])('[O2] of %s does not open', async (_, owner) => {
    const fresh = await freshProviderToken(readConfig(env), await withToken(NOW + 3600, owner))

    expect(fresh).toEqual({ rejected: 'gone' })
  })
})
