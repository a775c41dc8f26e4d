import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { Browser, lastLogEntry, serviceWith } from '../../browser.ts'
import { advanceClock, DAY, MINUTE } from '../../clock.ts'
import { RelyingApp } from '../../core/oidc/relying-app.ts'
import { readConfig } from '../../deployment.ts'
import { walkThrough } from '../../providers/walk-through.ts'
import { redeemCode } from '../../redeem-code.ts'
import { redirectUrl } from '../../redirect.ts'
import { clientsWith } from '../../registered-clients.ts'
import { userObject, usersWith } from '../../storage.ts'
import { exchangeToken } from './platform-tokens.ts'

const HOSTILE = 'https://hostile.example'

/**
 * A deployment that keeps the tokens of this OpenID Provider and hands them to the client `web`.
 */
function deploymentWith(issuer: string) {
  const settings = {
    AUTH_OIDC_ID: 'our-client',
    AUTH_OIDC_SECRET: 'our-secret-Kq7vR2',
    AUTH_OIDC_ISSUER: issuer,
    AUTH_OIDC_TOKENS: 'keep',
    CLIENTS: clientsWith({ web: { upstream_tokens: ['oidc'] } }),
  }
  return serviceWith({ ...settings, USERS: usersWith(settings) })
}

interface HostileSignIn {
  /** What is wrong with the provider's first token response. */
  fault?: string
  /** What is wrong with its responses to the refresh tokens; none if it issues no refresh token. */
  refreshFaults?: string[]
}

/**
 * Signs in at the hostile provider, and returns a function with which `web` requests the provider's
 * token.
 */
async function signInAndKeepTokens({ fault, refreshFaults }: HostileSignIn) {
  const browser = new Browser(deploymentWith(`${HOSTILE}/plain`))
  const authorization = redirectUrl(await browser.get('/api/auth/signin/oidc'))
  const { state = '', nonce } = Object.fromEntries(authorization.searchParams)
  const code = JSON.stringify({ nonce, fault, refreshFaults })
  await browser.get(`/api/auth/callback/oidc?${new URLSearchParams({ code, state })}`)

  const app = new RelyingApp('web')
  const scope = 'openid offline_access'
  const callback = redirectUrl(await browser.get(await app.authorizationUrl({ scope })))
  let tokens = await readTokens(await redeemCode(browser, app, callback))
  /** Our own access token may have expired meanwhile. */
  const refreshOwnToken = async () => {
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    tokens = await readTokens(await app.requestTokens(form))
  }
  return async (at = browser) => {
    await refreshOwnToken()
    return exchangeToken(at, tokens.access_token, { audience: 'oidc' })
  }
}

async function readTokens(response: Response) {
  expect(response.status).toBe(200)
  return response.json<{ access_token: string; refresh_token: string }>()
}

describe('a kept token of an OpenID Provider', () => {
  it('[K20] is stored sealed, and not returned with the session', async () => {
    const alice = new Browser(deploymentWith('https://op.example'))
    const authorization = redirectUrl(await alice.get('/api/auth/signin/oidc'))
    await alice.get(await walkThrough(authorization, 'alice'))
    const session = await alice.session()

    const upstream = await runInDurableObject(userObject(session?.user.id), (_, { storage }) =>
      storage.kv.get<{ sealedTokens: string }>('upstream:oidc https://op.example alice'),
    )
    const opened = await readConfig(env).seal.open<'account'>(
      'account',
      'oidc https://op.example alice',
      upstream?.sealedTokens ?? '',
    )

    expect(Object.keys(JSON.parse(opened ?? '{}')).toSorted()).toEqual([
      'access_token',
      'expires_at',
      'id_token',
      'scope',
      'token_type',
    ])
    expect(JSON.stringify(session)).not.toContain(JSON.parse(opened ?? '{}').access_token)
  })

  it('is refreshed when it has expired', async () => {
    const requestToken = await signInAndKeepTokens({
      fault: 'expires-soon',
      refreshFaults: ['none'],
    })

    expect(await requestToken()).toMatchObject({ status: 200, access_token: 'at-none' })
  })

  it.each([
    ['wrong-sub', 'The refreshed ID token has another subject.'],
    ['wrong-iss', 'unexpected JWT "iss" (issuer) claim value'],
    ['wrong-aud', 'unexpected JWT "aud" (audience) claim value'],
    ['bad-signature', 'JWT signature verification failed'],
  ])(
    '[K7] is not replaced by a response with a refreshed ID token that is invalid: %s (Core §12.2)',
    async (fault, hint) => {
      const requestToken = await signInAndKeepTokens({
        fault: 'expires-soon',
        refreshFaults: [fault],
      })

      const response = await requestToken()

      expect(response).toMatchObject({
        status: 400,
        error: 'invalid_grant',
        error_description: "The provider's response is invalid: sign in again.",
      })
      expect(response).not.toHaveProperty('access_token')
      expect(lastLogEntry('provider_invalid')).toMatchObject({
        event: 'provider_invalid',
        code: 'invalid_grant',
        provider: 'oidc',
        hint,
      })
    },
  )

  it('is refreshed after an hour if the provider does not send expires_in', async () => {
    const requestToken = await signInAndKeepTokens({
      fault: 'no-expiry',
      refreshFaults: ['no-expiry-and-no-id-token', 'no-id-token'],
    })

    const responses = []
    for (const pause of [0, 58 * MINUTE, 2 * MINUTE, 58 * MINUTE, 2 * MINUTE]) {
      advanceClock(pause)
      responses.push(await requestToken())
    }

    expect(responses.map(({ access_token }) => access_token)).toEqual([
      'at-no-expiry',
      'at-no-expiry',
      'at-no-expiry-and-no-id-token',
      'at-no-expiry-and-no-id-token',
      'at-no-id-token',
    ])
    expect(responses.map(({ expires_in }) => expires_in !== undefined)).toEqual([
      false,
      false,
      false,
      false,
      true,
    ])
  })

  it('is not refreshed again immediately if only the first response had expires_in', async () => {
    const requestToken = await signInAndKeepTokens({
      fault: 'expires-soon',
      refreshFaults: ['no-expiry-and-no-id-token', 'no-id-token'],
    })

    const first = await requestToken()
    const second = await requestToken()

    expect(first.access_token).toBe('at-no-expiry-and-no-id-token')
    expect(second.access_token).toBe('at-no-expiry-and-no-id-token')
  })

  it('is returned for as long as the provider accepts it if it has neither expires_in nor a refresh token', async () => {
    const requestToken = await signInAndKeepTokens({ fault: 'no-expiry' })

    advanceClock(7 * DAY)

    expect(await requestToken()).toMatchObject({ status: 200, access_token: 'at-no-expiry' })
  })

  it('[S1] is not sent to another issuer that is configured later', async () => {
    const requestToken = await signInAndKeepTokens({
      fault: 'expires-soon',
      refreshFaults: ['none'],
    })
    const before = await countTokenRequests('one-key')

    const response = await requestToken(new Browser(deploymentWith(`${HOSTILE}/one-key`)))

    expect(response).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect(await countTokenRequests('one-key')).toBe(before)
  })
})

async function countTokenRequests(mode: string): Promise<number> {
  const counts: Record<string, number> = await (await fetch(`${HOSTILE}/request-counts`)).json()
  return counts[`/${mode}/token`] ?? 0
}
