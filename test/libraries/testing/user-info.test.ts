import { beforeEach, describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../../src/libraries/testing/video-platform/app.ts'
import {
  API,
  BASIC,
  control,
  fetchUserInfo,
  obtainTokens,
  PRODUCTION,
  PROFILE,
  post,
  readJson,
  SANDBOX,
  STATS,
  type StandIn,
  type Tokens,
  type UserInfo,
} from './client.ts'

const ALL_SCOPES = { scope: `${BASIC},${PROFILE},${STATS}` }
const BASIC_FIELDS = 'open_id,union_id,avatar_url,avatar_url_100,avatar_large_url,display_name'
const PROFILE_FIELDS = 'username,bio_description,profile_deep_link,is_verified'
const STATS_FIELDS = 'follower_count,following_count,likes_count,video_count'
const ALL_FIELDS = `${BASIC_FIELDS},${PROFILE_FIELDS},${STATS_FIELDS}`

let standIn: StandIn
beforeEach(() => {
  standIn = createVideoPlatform()
})

describe('GET /v2/user/info/', () => {
  it('[V1][V13] returns the requested fields in alphabetical order, with the error code ok', async () => {
    const tokens = await obtainTokens(standIn, ALL_SCOPES)
    const response = await fetchUserInfo(
      standIn,
      tokens.access_token,
      'open_id,display_name,username',
    )
    const body = await readJson<UserInfo>(response)

    expect(response.status).toBe(200)
    expect(body).toEqual({
      data: { user: { display_name: 'Mia Lindqvist', open_id: tokens.open_id, username: 'mia' } },
      error: { code: 'ok', message: '', log_id: response.headers.get('x-tt-logid') },
    })
    expect(Object.keys(body.data.user)).toEqual(['display_name', 'open_id', 'username'])
  })

  it('supports fourteen fields', async () => {
    const user = await fetchUser('mia', ALL_FIELDS)

    expect(Object.keys(user)).toEqual(ALL_FIELDS.split(',').sort())
    expect(user).toMatchObject({ is_verified: true, follower_count: 12_840 })
  })

  it('[V21] returns the same union_id in all apps of one developer, but a different open_id', async () => {
    const production = await obtainTokens(standIn, { client_key: PRODUCTION.client_key })
    const response = await fetchUserInfo(standIn, production.access_token, 'open_id,union_id')
    const { user: inProduction } = (await readJson<UserInfo>(response)).data
    const inSandbox = await fetchUser('mia', 'open_id,union_id')

    expect(inProduction.union_id).toBe(inSandbox.union_id)
    expect(inProduction.open_id).not.toBe(inSandbox.open_id)
  })

  it('returns the same ids for a user in every run', async () => {
    const firstRun = await fetchUser('mia', 'open_id,union_id')
    standIn = createVideoPlatform()

    expect(await fetchUser('mia', 'open_id,union_id')).toEqual(firstRun)
  })

  it.each([
    ['username', BASIC],
    [`open_id,${STATS_FIELDS}`, `${BASIC},${PROFILE}`],
    ['open_id,bio_description', `${BASIC},${STATS}`],
  ])('[V12] returns no data if %s is requested with only %s', async (fields, scope) => {
    const tokens = await obtainTokens(standIn, { scope })
    const response = await fetchUserInfo(standIn, tokens.access_token, fields)
    const body = await readJson<UserInfo>(response)

    expect(response.status).toBe(401)
    expect(body.error).toMatchObject({
      code: 'scope_not_authorized',
      log_id: response.headers.get('x-tt-logid'),
    })
    expect(body).not.toHaveProperty('data')
  })

  it('[V11] checks the granted scopes, not the requested ones', async () => {
    const tokens = await obtainTokens(standIn, { ...ALL_SCOPES, __grant: BASIC })
    const response = await fetchUserInfo(standIn, tokens.access_token, 'username')

    expect(response.status).toBe(401)
  })

  it('reports a missing scope as scopeErrorAs says', async () => {
    await control(standIn, 'switches', { scopeErrorAs: 'scope_permission_missed' })
    const tokens = await obtainTokens(standIn)
    const response = await fetchUserInfo(standIn, tokens.access_token, 'username')

    expect(response.status).toBe(400)
    expect((await readJson<UserInfo>(response)).error.code).toBe('scope_permission_missed')
  })

  it('ignores or rejects an unknown field, as unknownField says', async () => {
    const { access_token } = await obtainTokens(standIn)
    const ignored = await fetchUserInfo(standIn, access_token, 'open_id,shoe_size')
    await control(standIn, 'switches', { unknownField: 'refuse' })
    const rejected = await fetchUserInfo(standIn, access_token, 'open_id,shoe_size')

    expect(Object.keys((await readJson<UserInfo>(ignored)).data.user)).toEqual(['open_id'])
    expect(rejected.status).toBe(400)
    expect((await readJson<UserInfo>(rejected)).error.code).toBe('invalid_params')
  })

  it.each<[string, Record<string, string>, number, string]>([
    ['no token', {}, 401, 'access_token_invalid'],
    ['an unknown token', { Authorization: 'Bearer act.x' }, 401, 'access_token_invalid'],
    ['another scheme', { Authorization: 'Basic act.x' }, 400, 'invalid_params'],
    ['no scheme', { Authorization: 'act.x' }, 400, 'invalid_params'],
    ['two tokens', { Authorization: 'Bearer act.x act.y' }, 400, 'invalid_params'],
  ])('rejects %s', async (_name, headers, status, code) => {
    const url = `${API}/v2/user/info/?fields=open_id`
    const response = await standIn.request(url, { headers })

    expect(response.status).toBe(status)
    expect((await readJson<UserInfo>(response)).error.code).toBe(code)
  })

  it('rejects a client token, which belongs to no user', async () => {
    const fields = { ...SANDBOX, grant_type: 'client_credentials' }
    const { access_token } = await readJson<Tokens>(post(standIn, '/v2/oauth/token/', fields))

    expect((await fetchUserInfo(standIn, access_token, 'open_id')).status).toBe(401)
  })

  it('requires fields', async () => {
    const { access_token } = await obtainTokens(standIn)
    const response = await fetchUserInfo(standIn, access_token, '')

    expect(response.status).toBe(400)
    expect((await readJson<UserInfo>(response)).error.code).toBe('invalid_params')
  })

  it('[V20] accepts 600 calls of an app in a sliding minute', async () => {
    let time = 1_800_000_000_000
    standIn = createVideoPlatform({ clock: () => time })
    const { access_token } = await obtainTokens(standIn)
    const call = () => fetchUserInfo(standIn, access_token, 'open_id')
    await Promise.all(Array.from({ length: 300 }, call))
    time += 30_000
    await Promise.all(Array.from({ length: 300 }, call))

    const tooMany = await call()
    expect(tooMany.status).toBe(429)
    expect((await readJson<UserInfo>(tooMany)).error.code).toBe('rate_limit_exceeded')
    time += 30_000
    expect((await call()).status).toBe(200)
  })

  it('escapes &, < and > in the JSON', async () => {
    const { access_token } = await obtainTokens(standIn, { __as: 'zoe' })
    const text = await (
      await fetchUserInfo(standIn, access_token, 'display_name,avatar_url')
    ).text()

    expect(text).not.toMatch(/[&<>]/)
    expect(JSON.parse(text).data.user.display_name).toContain('<script>')
  })
})

describe('a persona', () => {
  it('has no union_id (uma)', async () => {
    expect(await fetchUser('uma', 'open_id,union_id')).not.toHaveProperty('union_id')
  })

  it('has empty texts and no picture (emil)', async () => {
    const user = await fetchUser('emil', 'display_name,bio_description,avatar_url')

    expect(user).toEqual({ display_name: '', bio_description: '' })
  })

  it('has a very long bio (lena)', async () => {
    expect((await fetchUser('lena', 'bio_description')).bio_description).toHaveLength(4096)
  })
})

describe('[V22] an avatar', () => {
  it.each([API, 'http://localhost:8788'])(
    'has a signed URL at the origin of the user info request: %s',
    async (origin) => {
      const { access_token } = await obtainTokens(standIn)
      const response = await standIn.request(`${origin}/v2/user/info/?fields=avatar_url`, {
        headers: { Authorization: `Bearer ${access_token}` },
      })
      const { avatar_url } = (await readJson<UserInfo>(response)).data.user
      const picture = await standIn.request(avatar_url)

      expect(avatar_url).toMatch(new RegExp(`^${origin}/.+x-expires=\\d+00&x-signature=.+%3D$`))
      expect(picture.status).toBe(200)
      expect(picture.headers.get('Content-Type')).toBe('image/svg+xml')
    },
  )

  it('expires after two days', async () => {
    const { avatar_url } = await fetchUser('mia', 'avatar_url')
    await control(standIn, 'clock', { advance: 48 * 3600 })

    expect((await standIn.request(avatar_url)).status).toBe(403)
  })

  it('is not returned for a truncated signature or a changed expiry time', async () => {
    const { avatar_url } = await fetchUser('mia', 'avatar_url')
    const shortened = await standIn.request(avatar_url.replace('%3D', ''))
    const postponed = await standIn.request(avatar_url.replace('x-expires=', 'x-expires=9'))

    expect([shortened.status, postponed.status]).toEqual([403, 403])
  })
})

async function fetchUser(__as: string, fields: string) {
  const { access_token } = await obtainTokens(standIn, { ...ALL_SCOPES, __as })
  const response = await fetchUserInfo(standIn, access_token, fields)
  return (await readJson<UserInfo>(response)).data.user
}
