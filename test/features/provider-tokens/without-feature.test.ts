import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import type { UpstreamAccount } from '../../../src/core/users/upstream-account.ts'
import { options } from '../../../src/deployment.ts'
import { TikTok } from '../../../src/providers/index.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, serviceOf } from '../../browser.ts'
import { signInNewUser } from '../../new-user.ts'
import { clientsWith } from '../../registered-clients.ts'
import { userObject } from '../../storage.ts'
import { exchangeToken } from './platform-tokens.ts'

const UNLISTED = 'needs providerTokens(), which features does not list'

describe('a deployment without providerTokens()', () => {
  // Native apps exchange other tokens with the same grant type.
  const features =
    options.features?.filter(({ id }) => !['provider-tokens', 'native-apps'].includes(id)) ?? []
  const vestibule = createVestibule({ ...options, features })
  const service = serviceOf(vestibule, {
    AUTH_TIKTOK_TOKENS: 'keep',
    CLIENTS: clientsWith({ web: { upstream_tokens: ['tiktok'] } }),
  })

  it('rejects the grant type, and does not list it in discovery', async () => {
    const { error } = await exchangeToken(new Browser(service), 'any')

    expect(error).toBe('unsupported_grant_type')
    const discovery = await new Browser(service).json('/.well-known/openid-configuration')
    expect(JSON.stringify(discovery)).not.toContain('token-exchange')
  })

  it('[K20] signs users in, and stores no tokens', async () => {
    const { userId } = await signInNewUser(new Browser(service))

    const accounts = await runInDurableObject(userObject(userId), (_, { storage }) => [
      ...storage.kv.list<UpstreamAccount>({ prefix: 'upstream:' }),
    ])
    expect(accounts.map(([, account]) => account.sealedTokens)).toEqual([undefined])
  })

  it('has users without the methods of the feature', () => {
    expect('providerToken' in vestibule.objects.UserObject.prototype).toBe(false)
    expect('openSession' in vestibule.objects.UserObject.prototype).toBe(true)
  })

  it('reports the setting and the clients that need it', async () => {
    const { checks } = await new Browser(service).json<{ checks: { problem?: string }[] }>(
      '/readyz',
    )

    const problems = checks.map(({ problem }) => problem).join(' ')
    expect(problems).toContain(`AUTH_TIKTOK_TOKENS ${UNLISTED}`)
    expect(problems).toMatch(/CLIENTS\.\d+\.upstream_tokens needs providerTokens/)
  })

  it.each([
    ['keepsTokens', { keepsTokens: true }],
    ['account', { account: () => ({}) }],
  ])('does not start if a provider in code has %s', (name, change) => {
    expect(() => createVestibule({ providers: [TikTok(change)] })).toThrow(
      `providers.tiktok.${name} ${UNLISTED}`,
    )
  })
})
