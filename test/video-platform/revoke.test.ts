import { beforeEach, describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../demo/video-platform/app.ts'
import {
  authorizeUrl,
  control,
  exchange,
  locationOf,
  logIn,
  PRODUCTION,
  refresh,
  revoke,
  type Stage,
  type Tokens,
  tokensOf,
  userInfo,
} from './visitor.ts'

describe('POST /v2/oauth/revoke/', () => {
  let stage: Stage
  let tokens: Tokens
  beforeEach(async () => {
    stage = createVideoPlatform()
    tokens = await tokensOf(stage)
  })

  it('answers an empty object', async () => {
    const response = await revoke(stage, tokens.access_token)

    expect(response.status).toBe(200)
    expect(await response.text()).toBe('{}')
  })

  it('answers nothing at all when the switch says so', async () => {
    await control(stage, 'switches', { revokeBody: 'empty' })
    const response = await revoke(stage, tokens.access_token)

    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
  })

  it('[V18] ends the whole grant: access token, refresh token and consent', async () => {
    const pending = await locationOf(stage, authorizeUrl({ __as: 'mia' }))
    await revoke(stage, tokens.access_token)

    expect((await userInfo(stage, tokens.access_token, 'open_id')).status).toBe(401)
    const refreshed = await refresh(stage, tokens.refresh_token)
    expect(await refreshed.json()).toMatchObject({ error: 'invalid_grant' })
    const exchanged = await exchange(stage, pending)
    expect(await exchanged.json()).toMatchObject({ error: 'invalid_grant' })
    const page = await stage.request(authorizeUrl({ __as: 'mia' }))
    expect(await page.text()).toContain('data-testid="allow"')
  })

  it('leaves other people alone', async () => {
    const { access_token } = await tokensOf(stage, { __as: 'noah' })
    await revoke(stage, tokens.access_token)

    expect((await userInfo(stage, access_token, 'open_id')).status).toBe(200)
  })

  it.each<[string, (tokens: Tokens) => string]>([
    ['an unknown token', () => 'act.unknown'],
    ['a refresh token', ({ refresh_token }) => refresh_token],
  ])('[V8] refuses %s, with HTTP 200 (RFC 7009 §2.2 calls that success)', async (_name, choose) => {
    const response = await revoke(stage, choose(tokens))

    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      error: 'invalid_grant',
      log_id: response.headers.get('x-tt-logid'),
    })
  })

  it('refuses an expired access token', async () => {
    await control(stage, 'clock', { advance: 7200 })

    expect(await (await revoke(stage, tokens.access_token)).json()).toMatchObject({
      error: 'invalid_grant',
    })
  })

  it('refuses the token of another app', async () => {
    const response = await revoke(stage, tokens.access_token, PRODUCTION)

    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
    expect((await userInfo(stage, tokens.access_token, 'open_id')).status).toBe(200)
  })

  it('checks the client first', async () => {
    const response = await revoke(stage, tokens.access_token, { client_secret: 'wrong' })

    expect(await response.json()).toMatchObject({ error: 'invalid_client' })
  })

  it('wants a token', async () => {
    expect(await (await revoke(stage, '')).json()).toMatchObject({ error: 'invalid_request' })
  })

  it('[V18] lets the person start again afterwards', async () => {
    await revoke(stage, tokens.access_token)

    expect((await logIn(stage)).searchParams.has('code')).toBe(true)
  })
})
