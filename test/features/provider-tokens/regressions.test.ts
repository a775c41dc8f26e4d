import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import { Browser, standIn } from '../../browser.ts'
import { RelyingApp } from '../../core/oidc/relying-app.ts'
import { createPlatformUser } from '../../new-user.ts'
import { exchangeToken, keepingTokens } from './platform-tokens.ts'

/** A token lifetime so short that the service refreshes the token for each request. */
const EXPIRED_AT_ONCE = 30 // seconds

afterEach(async () => {
  await standIn.post('switches', { accessTtl: 7200 })
})

/**
 * Signs a new user in where the platform's tokens are kept, and obtains an access token of ours.
 */
async function signInKeepingTokens() {
  const browser = new Browser(keepingTokens)
  await browser.signIn(await createPlatformUser())
  const { access_token } = await new RelyingApp('web').tokens(browser)
  return { browser, access_token }
}

describe("a bug of another library with the platform's tokens", () => {
  it('better-auth#4437, better-auth#10696: they are refreshed with client_key', async () => {
    await standIn.post('switches', { accessTtl: EXPIRED_AT_ONCE })
    const { browser, access_token } = await signInKeepingTokens()

    const first = await exchangeToken(browser, access_token)
    const second = await exchangeToken(browser, access_token)

    expect(first.access_token).toMatch(/^act\./)
    expect(second.access_token).toMatch(/^act\./)
    expect(second.access_token).not.toBe(first.access_token)
    const refreshes = (await standIn.log()).filter(
      ({ parameters }) => parameters['grant_type'] === 'refresh_token',
    )
    expect(refreshes).toMatchObject([
      { parameters: { client_key: env.AUTH_TIKTOK_ID }, status: 200 },
      { parameters: { client_key: env.AUTH_TIKTOK_ID }, status: 200 },
    ])
    for (const { parameters } of refreshes) expect(parameters).not.toHaveProperty('client_id')
  })

  it('better-auth (unreported): they expire after a year, and the app is told that the user must sign in again', async () => {
    await standIn.post('switches', { accessTtl: EXPIRED_AT_ONCE })
    const { browser, access_token } = await signInKeepingTokens()
    expect(await exchangeToken(browser, access_token)).toHaveProperty('access_token')
    await standIn.post('clock', { advance: 366 * 24 * 3600 })

    expect(await exchangeToken(browser, access_token)).toMatchObject({
      error: 'invalid_grant',
      error_description: expect.stringContaining('sign in again'),
    })
  })
})
