import { beforeEach, describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../../src/libraries/testing/video-platform/app.ts'
import {
  authorizeUrl,
  control,
  exchangeCode,
  fetchLocation,
  fetchUserInfo,
  logIn,
  obtainTokens,
  PRODUCTION,
  refreshTokens,
  revokeToken,
  type StandIn,
  type Tokens,
} from './client.ts'

describe('POST /v2/oauth/revoke/', () => {
  let standIn: StandIn
  let tokens: Tokens
  beforeEach(async () => {
    standIn = createVideoPlatform()
    tokens = await obtainTokens(standIn)
  })

  it('returns an empty object', async () => {
    const response = await revokeToken(standIn, tokens.access_token)

    expect(response.status).toBe(200)
    expect(await response.text()).toBe('{}')
  })

  it('returns an empty body if revokeBody is empty', async () => {
    await control(standIn, 'switches', { revokeBody: 'empty' })
    const response = await revokeToken(standIn, tokens.access_token)

    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
  })

  it('[V18] ends the whole grant: access token, refresh token and consent', async () => {
    const pending = await fetchLocation(standIn, authorizeUrl({ __as: 'mia' }))
    await revokeToken(standIn, tokens.access_token)

    expect((await fetchUserInfo(standIn, tokens.access_token, 'open_id')).status).toBe(401)
    const refreshed = await refreshTokens(standIn, tokens.refresh_token)
    expect(await refreshed.json()).toMatchObject({ error: 'invalid_grant' })
    const exchanged = await exchangeCode(standIn, pending)
    expect(await exchanged.json()).toMatchObject({ error: 'invalid_grant' })
    const page = await standIn.request(authorizeUrl({ __as: 'mia' }))
    expect(await page.text()).toContain('data-testid="allow"')
  })

  it('does not affect other users', async () => {
    const { access_token } = await obtainTokens(standIn, { __as: 'noah' })
    await revokeToken(standIn, tokens.access_token)

    expect((await fetchUserInfo(standIn, access_token, 'open_id')).status).toBe(200)
  })

  it.each<[string, (tokens: Tokens) => string]>([
    ['an unknown token', () => 'act.unknown'],
    ['a refresh token', ({ refresh_token }) => refresh_token],
  ])('[V8] rejects %s with HTTP 200 (RFC 7009 §2.2 requires success)', async (_name, choose) => {
    const response = await revokeToken(standIn, choose(tokens))

    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      error: 'invalid_grant',
      log_id: response.headers.get('x-tt-logid'),
    })
  })

  it('rejects an expired access token', async () => {
    await control(standIn, 'clock', { advance: 7200 })

    expect(await (await revokeToken(standIn, tokens.access_token)).json()).toMatchObject({
      error: 'invalid_grant',
    })
  })

  it('rejects the token of another app', async () => {
    const response = await revokeToken(standIn, tokens.access_token, PRODUCTION)

    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
    expect((await fetchUserInfo(standIn, tokens.access_token, 'open_id')).status).toBe(200)
  })

  it('rejects a wrong client secret', async () => {
    const response = await revokeToken(standIn, tokens.access_token, { client_secret: 'wrong' })

    expect(await response.json()).toMatchObject({ error: 'invalid_client' })
  })

  it('requires a token', async () => {
    expect(await (await revokeToken(standIn, '')).json()).toMatchObject({
      error: 'invalid_request',
    })
  })

  it('[V18] lets the user log in again', async () => {
    await revokeToken(standIn, tokens.access_token)

    expect((await logIn(standIn)).searchParams.has('code')).toBe(true)
  })
})
