import { decodeJwt } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Browser } from '../../browser.ts'
import { advanceClock } from '../../clock.ts'
import { discoveryDocument } from '../oidc/published-metadata.ts'
import { getUserinfo, OFFLINE_ACCESS, signedIn } from '../oidc/relying-app.ts'
import { approveConsent } from '../oidc/user-steps.ts'
import { ConformanceClient, RESPONSE_MODES } from './conformance-client.ts'

interface TokenResponse {
  access_token: string
  id_token: string
  refresh_token: string
}

afterEach(() => {
  vi.useRealTimers()
})

describe.each(RESPONSE_MODES)('the Basic plan with response_mode=%s: codes and tokens', (mode) => {
  it('oidcc-idtoken-signature: is RS256 with a published key', async () => {
    const client = new ConformanceClient(mode)

    const { id_token } = await client.tokens(await signedIn())

    const { protectedHeader } = await client.verifyIdToken(id_token)
    expect(protectedHeader).toMatchObject({ alg: 'RS256', kid: expect.stringMatching(/./) })
  })

  it('oidcc-idtoken-unsigned: is skipped, because discovery does not list unsigned ID tokens', async () => {
    const { id_token_signing_alg_values_supported } = await discoveryDocument()

    expect(id_token_signing_alg_values_supported).toContain('RS256')
    expect(id_token_signing_alg_values_supported).not.toContain('none')
  })

  it('oidcc-codereuse: rejects a code that was already used', async () => {
    const client = new ConformanceClient(mode)
    const parameters = await client.readResponse(await client.authorize(await signedIn()))
    await client.redeem(parameters)

    const response = await client.sendCode(parameters)

    expect(response.status).toBe(400)
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json/)
    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('[C2][H5] oidcc-codereuse-30seconds: also after thirty seconds, and ends the tokens issued for it', async () => {
    const client = new ConformanceClient(mode)
    const parameters = await client.readResponse(await client.authorize(await signedIn()))
    const { access_token } = await client.redeem(parameters)
    advanceClock(30)
    expect((await getUserinfo(access_token)).status).toBe(200)

    const response = await client.sendCode(parameters)

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
    expect((await getUserinfo(access_token)).status).toBe(401)
  })

  it('[C17][D10][D12] oidcc-refresh-token: works with and without a scope, for the same sign-in', async () => {
    const first = await requestOfflineAccess(new ConformanceClient(mode), await signedIn())
    const client = new ConformanceClient(mode)
    const claimsBefore = decodeJwt(first.id_token)
    let { refresh_token } = first
    // More than 128 bits, which are 22 characters.
    expect(refresh_token.length).toBeGreaterThan(24)

    for (const parameters of [{}, { scope: 'openid' }]) {
      advanceClock(2)
      const form = { grant_type: 'refresh_token', refresh_token, ...parameters }
      const response = await client.requestTokens(form)

      expect(response.status).toBe(200)
      expect(response.headers.get('Content-Type')).toMatch(/^application\/json/)
      expect(response.headers.get('Cache-Control')).toBe('no-store')
      const refreshed = await response.json<TokenResponse>()
      const { payload } = await client.verifyIdToken(refreshed.id_token)
      for (const name of ['iss', 'sub', 'aud', 'auth_time', 'sid'])
        expect(payload[name]).toEqual(claimsBefore[name])
      expect(payload.iat).toBeGreaterThan(claimsBefore.iat ?? Number.POSITIVE_INFINITY)
      expect(payload).not.toHaveProperty('azp')
      expect((await getUserinfo(refreshed.access_token)).status).toBe(200)
      refresh_token = refreshed.refresh_token
    }
  })

  it('[C14] oidcc-refresh-token: rejects the token of another client, which stays valid', async () => {
    const second = new ConformanceClient(mode, 'certifier-2')
    const { refresh_token } = await requestOfflineAccess(second, await signedIn())
    const form = { grant_type: 'refresh_token', refresh_token }

    const byOtherClient = await new ConformanceClient(mode).requestTokens(form)
    const byOwnClient = await second.requestTokens(form)

    expect(byOtherClient.status).toBe(400)
    expect(await byOtherClient.json()).toMatchObject({ error: 'invalid_grant' })
    expect(byOwnClient.status).toBe(200)
  })
})

/** Requests a refresh token with the user's consent, as OpenID Connect Core §11 demands. */
async function requestOfflineAccess(
  client: ConformanceClient,
  browser: Browser,
): Promise<TokenResponse> {
  const consentPage = await client.authorize(browser, { ...OFFLINE_ACCESS, prompt: 'consent' })
  const parameters = await client.readResponse(await approveConsent(browser, consentPage))
  const response = await client.sendCode(parameters)
  expect(response.status).toBe(200)
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  return response.json()
}
