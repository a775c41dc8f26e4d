import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import type { UpstreamAccount } from '../../../src/core/users/upstream-account.ts'
import { sealTokens } from '../../../src/features/provider-tokens/provider-token.ts'
import { Browser, standIn, TOKEN_PATH } from '../../browser.ts'
import { RelyingApp } from '../../core/oidc/relying-app.ts'
import { readConfig } from '../../deployment.ts'
import { signInNewUser } from '../../new-user.ts'
import { redeemCode } from '../../redeem-code.ts'
import { redirectUrl } from '../../redirect.ts'
import { userObject } from '../../storage.ts'
import { exchangeToken, keepingTokens } from './platform-tokens.ts'

/** Changes the stored account of the user, of which there is one. */
function changeAccount(
  userId: string,
  change: (account: UpstreamAccount) => Promise<UpstreamAccount | undefined>,
): Promise<string | undefined> {
  return runInDurableObject(userObject(userId), async (_, { storage: { kv } }) => {
    const [[key, account] = []] = [...kv.list<UpstreamAccount>({ prefix: 'upstream:' })]
    if (!key || !account) throw new Error('The user has no account.')
    const changed = await change(account)
    if (changed) kv.put(key, changed)
    else kv.delete(key)
    return changed?.sealedTokens
  })
}

async function withTokens(account: UpstreamAccount, tokens: Record<string, unknown>) {
  return { ...account, sealedTokens: await sealTokens(readConfig(env), account, tokens) }
}

/**
 * A user whose platform token has expired, and an exchange that waits for the platform to refresh
 * it.
 */
async function startRefresh() {
  const { browser, userId } = await signInNewUser(new Browser(keepingTokens))
  const app = new RelyingApp('web')
  const callback = await browser.get(await app.authorizationUrl({ scope: 'openid' }))
  const response = await redeemCode(browser, app, redirectUrl(callback))
  const { access_token } = await response.json<{ access_token: string }>()
  const { seal } = readConfig(env)
  await changeAccount(userId, async (account) => {
    const key = `${account.provider} ${account.issuer} ${account.accountId}`
    const tokens = JSON.parse(
      (await seal.open<'account'>('account', key, account.sealedTokens ?? '')) ?? '{}',
    )
    return withTokens(account, { ...tokens, expires_at: 1 })
  })
  await standIn.fault({ path: TOKEN_PATH, delayMs: 1000 })
  const before = await standIn.countRequests(TOKEN_PATH)
  const exchange = exchangeToken(browser, access_token)
  // Now the object waits for the platform.
  await vi.waitFor(async () => {
    expect(await standIn.countRequests(TOKEN_PATH)).toBe(before + 1)
  })
  return { browser, userId, exchange }
}

describe('a platform token that is being refreshed', () => {
  it('[D13] does not replace the tokens of a sign-in that was completed meanwhile', async () => {
    const { userId, exchange } = await startRefresh()
    const stored = await changeAccount(userId, (account) =>
      withTokens(account, { access_token: 'newer', expires_at: 9_999_999_999 }),
    )

    expect(await exchange).toMatchObject({ status: 503, error: 'temporarily_unavailable' })

    expect(await changeAccount(userId, async (account) => account)).toBe(stored)
  })

  it.each<[string, (browser: Browser) => Promise<unknown>]>([
    [
      'the user removed the app',
      (browser) => browser.post('/account/consents', { client_id: 'web' }),
    ],
    ['the session ended', (browser) => browser.post('/api/auth/signout', {})],
  ])('[D13] is not returned if %s meanwhile', async (_, end) => {
    const { browser, exchange } = await startRefresh()

    await end(browser)

    expect(await exchange).toMatchObject({
      status: 400,
      error: 'invalid_grant',
      error_description: 'The grant has ended.',
    })
  })

  it('[D13] is not returned if the account was disconnected meanwhile', async () => {
    const { userId, exchange } = await startRefresh()
    await changeAccount(userId, async () => undefined)

    expect(await exchange).toMatchObject({ status: 400, error: 'invalid_grant' })

    const stored = await runInDurableObject(userObject(userId), (_, { storage: { kv } }) => [
      ...kv.list({ prefix: 'upstream:' }),
    ])
    expect(stored).toEqual([])
  })
})
