import { beforeEach, describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../demo/video-platform/app.ts'
import {
  control,
  jsonOf,
  PRODUCTION,
  refresh,
  type Stage,
  type Tokens,
  tokensOf,
  userInfo,
} from './visitor.ts'

const ONE_YEAR = 31_536_000

describe('a refresh token', () => {
  let stage: Stage
  let tokens: Tokens
  beforeEach(async () => {
    let time = 1_800_000_000_000
    stage = createVideoPlatform({ clock: () => time++ })
    tokens = await tokensOf(stage)
  })

  it('[V17] gives a new pair of the same scopes and person', async () => {
    const response = await refresh(stage, tokens.refresh_token)
    const next: Tokens = await response.json()

    expect(next).toMatchObject({ open_id: tokens.open_id, scope: tokens.scope, expires_in: 7200 })
    expect(next.access_token).not.toBe(tokens.access_token)
    expect(next.refresh_token).not.toBe(tokens.refresh_token)
    expect((await userInfo(stage, next.access_token, 'open_id')).status).toBe(200)
  })

  it('[V8][V17] is dead once a new one was issued', async () => {
    await refresh(stage, tokens.refresh_token)
    const again = await refresh(stage, tokens.refresh_token)

    expect(again.status).toBe(200)
    expect(await again.json()).toMatchObject({
      error: 'invalid_grant',
      error_description: 'Refresh token is invalid or expired.',
      log_id: again.headers.get('x-tt-logid'),
    })
  })

  it('[V17] is won by one of two who use it at the same time', async () => {
    const both = [1, 2].map(() => jsonOf(refresh(stage, tokens.refresh_token)))
    const bodies = await Promise.all(both)

    expect(bodies.filter((body) => 'refresh_token' in body)).toHaveLength(1)
  })

  it('[V17] does not restart its year', async () => {
    await control(stage, 'clock', { advance: 20 })
    const next: Tokens = await (await refresh(stage, tokens.refresh_token)).json()

    expect(next.refresh_expires_in).toBe(ONE_YEAR - 20)
  })

  it('[V17] ends a year after the first issue', async () => {
    await control(stage, 'clock', { advance: ONE_YEAR - 10 })
    const next: Tokens = await (await refresh(stage, tokens.refresh_token)).json()
    await control(stage, 'clock', { advance: 10 })

    const late = await refresh(stage, next.refresh_token)
    expect(await late.json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('works for its own app only', async () => {
    const response = await refresh(stage, tokens.refresh_token, PRODUCTION)

    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
  })

  it('must be there', async () => {
    const response = await refresh(stage, '')

    expect(await response.json()).toMatchObject({ error: 'invalid_request' })
  })

  it('stays the same when the switch says so', async () => {
    await control(stage, 'switches', { rotation: 'same' })
    const next: Tokens = await (await refresh(stage, tokens.refresh_token)).json()

    expect(next.refresh_token).toBe(tokens.refresh_token)
  })
})

describe('an access token', () => {
  it.each([7200, 86_400])('[V17] lives %i seconds, as the switch says', async (accessTtl) => {
    const stage = createVideoPlatform({ switches: { accessTtl } })
    const tokens = await tokensOf(stage)
    expect(tokens.expires_in).toBe(accessTtl)

    await control(stage, 'clock', { advance: accessTtl - 60 })
    expect((await userInfo(stage, tokens.access_token, 'open_id')).status).toBe(200)
    await control(stage, 'clock', { advance: 60 })
    expect((await userInfo(stage, tokens.access_token, 'open_id')).status).toBe(401)
  })
})
