import { describe, expect, it, vi } from 'vitest'
import { accountDigests } from '../../account-digests.ts'
import { Browser, REVOKE_PATH, serviceWith, standIn } from '../../browser.ts'
import { startLinking } from '../../link-account.ts'
import { createPlatformUser, signInNewUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'

describe('disconnecting an account whose tokens are kept', () => {
  it.each(['disconnect', 'delete'])(
    'revokes the stored tokens at the platform, as does deleting the account: %s',
    async (action) => {
      const { browser } = await signInNewUser(
        new Browser(serviceWith({ AUTH_TIKTOK_TOKENS: 'keep' })),
      )
      const before = await standIn.countRequests(REVOKE_PATH)
      const [account = ''] = await accountDigests(browser)

      await browser.post(`/account/${action}`, { account })

      await vi.waitFor(async () => {
        const revocations = (await standIn.log()).filter(({ path }) => path === REVOKE_PATH)
        expect(revocations).toHaveLength(before + 1)
        expect(revocations.at(-1)?.status).toBe(200)
      })
    },
  )

  it('does not revoke the tokens of an account at another provider', async () => {
    const service = serviceWith({
      AUTH_TIKTOK_TOKENS: 'keep',
      AUTH_GITLAB_ID: 'git-client',
      AUTH_GITLAB_SECRET: 'git-secret-7Hk2',
      AUTH_GITLAB_ISSUER: 'https://git.example',
    })
    const { browser } = await signInNewUser(new Browser(service))
    const start = await startLinking(browser, 'gitlab')
    const approval = await fetch(redirectUrl(start), { redirect: 'manual' })
    await browser.get(redirectUrl(approval).href)
    const [tikTok = '', gitLab = ''] = await accountDigests(browser)
    const before = await standIn.countRequests(REVOKE_PATH)

    expect(tikTok).not.toBe('')
    await browser.post('/account/disconnect', { account: gitLab })

    // A revocation would arrive within this time.
    await scheduler.wait(300)
    expect(await standIn.countRequests(REVOKE_PATH)).toBe(before)
  })

  it('does not revoke the tokens of another account at the same provider', async () => {
    const keepingTokens = serviceWith({ AUTH_TIKTOK_TOKENS: 'keep' })
    const second = await createPlatformUser()
    const { browser, handle: first } = await signInNewUser(new Browser(keepingTokens))
    const authorization = redirectUrl(await startLinking(browser, 'tiktok'))
    await browser.get(await browser.approve(authorization, second))
    await new Browser(keepingTokens).signIn(second)
    const before = await standIn.countRequests(REVOKE_PATH)
    const [account = ''] = await accountDigests(browser)

    await browser.post('/account/disconnect', { account })

    await vi.waitFor(async () => expect(await standIn.countRequests(REVOKE_PATH)).toBe(before + 1))
    // The platform shows its consent page again only to a user whose grant was revoked.
    const authorizeAs = async (handle: string) =>
      fetch(`${await new Browser(keepingTokens).start()}&__as=${handle}`, { redirect: 'manual' })
    expect((await authorizeAs(second)).status).toBe(302)
    expect((await authorizeAs(first)).status).toBe(200)
    expect(await browser.session()).toBeNull()
  })
})

describe('POST /account/export', () => {
  it('says that tokens of a provider are stored, and contains none', async () => {
    const { browser } = await signInNewUser(
      new Browser(serviceWith({ AUTH_TIKTOK_TOKENS: 'keep' })),
    )

    const text = await (await browser.post('/account/export', {})).text()

    expect(JSON.parse(text)).toMatchObject({
      provider_profiles: [{ provider: 'tiktok', has_provider_tokens: true }],
    })
    expect(text).not.toContain('ealedTokens')
  })
})
