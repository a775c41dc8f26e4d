import { beforeEach, describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../../src/libraries/testing/video-platform/app.ts'
import {
  control,
  fetchUserInfo,
  obtainTokens,
  PRODUCTION,
  readJson,
  refreshTokens,
  type StandIn,
  type Tokens,
} from './client.ts'

const REFRESH_TOKEN_LIFETIME = 31_536_000 // seconds: 365 days

describe('a refresh token', () => {
  let standIn: StandIn
  let tokens: Tokens
  beforeEach(async () => {
    let time = 1_800_000_000_000
    standIn = createVideoPlatform({ clock: () => time++ })
    tokens = await obtainTokens(standIn)
  })

  it('[V17] returns new tokens for the same user and scopes', async () => {
    const response = await refreshTokens(standIn, tokens.refresh_token)
    const next: Tokens = await response.json()

    expect(next).toMatchObject({ open_id: tokens.open_id, scope: tokens.scope, expires_in: 7200 })
    expect(next.access_token).not.toBe(tokens.access_token)
    expect(next.refresh_token).not.toBe(tokens.refresh_token)
    expect((await fetchUserInfo(standIn, next.access_token, 'open_id')).status).toBe(200)
  })

  it('[V8][V17] is rejected after a new one was issued', async () => {
    await refreshTokens(standIn, tokens.refresh_token)
    const again = await refreshTokens(standIn, tokens.refresh_token)

    expect(again.status).toBe(200)
    expect(await again.json()).toMatchObject({
      error: 'invalid_grant',
      error_description: 'Refresh token is invalid or expired.',
      log_id: again.headers.get('x-tt-logid'),
    })
  })

  it('[V17] is accepted once even in two concurrent requests', async () => {
    const refreshOnce = () => readJson(refreshTokens(standIn, tokens.refresh_token))
    const bodies = await Promise.all([refreshOnce(), refreshOnce()])

    expect(bodies.filter((body) => 'refresh_token' in body)).toHaveLength(1)
  })

  it('[V17] is not extended by a refresh', async () => {
    await control(standIn, 'clock', { advance: 20 })
    const next: Tokens = await (await refreshTokens(standIn, tokens.refresh_token)).json()

    expect(next.refresh_expires_in).toBe(REFRESH_TOKEN_LIFETIME - 20)
  })

  it('[V17] expires a year after the first issue', async () => {
    await control(standIn, 'clock', { advance: REFRESH_TOKEN_LIFETIME - 10 })
    const next: Tokens = await (await refreshTokens(standIn, tokens.refresh_token)).json()
    await control(standIn, 'clock', { advance: 10 })

    const late = await refreshTokens(standIn, next.refresh_token)
    expect(await late.json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('is rejected for another app', async () => {
    const response = await refreshTokens(standIn, tokens.refresh_token, PRODUCTION)

    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('is required', async () => {
    const response = await refreshTokens(standIn, '')

    expect(await response.json()).toMatchObject({ error: 'invalid_request' })
  })

  it('stays the same if rotation is same', async () => {
    await control(standIn, 'switches', { rotation: 'same' })
    const next: Tokens = await (await refreshTokens(standIn, tokens.refresh_token)).json()

    expect(next.refresh_token).toBe(tokens.refresh_token)
  })
})

describe('an access token', () => {
  it.each([7200, 86_400])(
    '[V17] expires after %i seconds, as accessTtl says',
    async (accessTtl) => {
      const standIn = createVideoPlatform({ switches: { accessTtl } })
      const tokens = await obtainTokens(standIn)
      expect(tokens.expires_in).toBe(accessTtl)

      await control(standIn, 'clock', { advance: accessTtl - 60 })
      expect((await fetchUserInfo(standIn, tokens.access_token, 'open_id')).status).toBe(200)
      await control(standIn, 'clock', { advance: 60 })
      expect((await fetchUserInfo(standIn, tokens.access_token, 'open_id')).status).toBe(401)
    },
  )
})
