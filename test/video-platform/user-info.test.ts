import { beforeEach, describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../demo/video-platform/app.ts'
import {
  BASIC,
  control,
  jsonOf,
  PRODUCTION,
  PROFILE,
  post,
  SANDBOX,
  STATS,
  type Stage,
  type Tokens,
  tokensOf,
  type UserInfo,
  userInfo,
} from './visitor.ts'

const EVERYTHING = { scope: `${BASIC},${PROFILE},${STATS}` }
const BASIC_FIELDS = 'open_id,union_id,avatar_url,avatar_url_100,avatar_large_url,display_name'
const PROFILE_FIELDS = 'username,bio_description,profile_deep_link,is_verified'
const STATS_FIELDS = 'follower_count,following_count,likes_count,video_count'
const ALL_FIELDS = `${BASIC_FIELDS},${PROFILE_FIELDS},${STATS_FIELDS}`

let stage: Stage
beforeEach(() => {
  stage = createVideoPlatform()
})

describe('GET /v2/user/info/', () => {
  it('[V1][V13] returns the fields asked for, in alphabetical order, with an error that says ok', async () => {
    const tokens = await tokensOf(stage, EVERYTHING)
    const response = await userInfo(stage, tokens.access_token, 'open_id,display_name,username')
    const body = await jsonOf<UserInfo>(response)

    expect(response.status).toBe(200)
    expect(body).toEqual({
      data: { user: { display_name: 'Mia Lindqvist', open_id: tokens.open_id, username: 'mia' } },
      error: { code: 'ok', message: '', log_id: response.headers.get('x-tt-logid') },
    })
    expect(Object.keys(body.data.user)).toEqual(['display_name', 'open_id', 'username'])
  })

  it('knows fourteen fields', async () => {
    const user = await userOf('mia', ALL_FIELDS)

    expect(Object.keys(user)).toEqual(ALL_FIELDS.split(',').sort())
    expect(user).toMatchObject({ is_verified: true, follower_count: 12_840 })
  })

  it('[V21] keeps the union_id across the apps of one developer, while the open_id changes', async () => {
    const production = await tokensOf(stage, { client_key: PRODUCTION.client_key })
    const response = await userInfo(stage, production.access_token, 'open_id,union_id')
    const { user: there } = (await jsonOf<UserInfo>(response)).data
    const here = await userOf('mia', 'open_id,union_id')

    expect(there.union_id).toBe(here.union_id)
    expect(there.open_id).not.toBe(here.open_id)
  })

  it('knows a person by the same ids in every run', async () => {
    const here = await userOf('mia', 'open_id,union_id')
    stage = createVideoPlatform()

    expect(await userOf('mia', 'open_id,union_id')).toEqual(here)
  })

  it.each([
    ['username', BASIC],
    [`open_id,${STATS_FIELDS}`, `${BASIC},${PROFILE}`],
    ['open_id,bio_description', `${BASIC},${STATS}`],
  ])('[V12] fails as a whole when %s is asked for with %s only', async (fields, scope) => {
    const tokens = await tokensOf(stage, { scope })
    const response = await userInfo(stage, tokens.access_token, fields)
    const body = await jsonOf<UserInfo>(response)

    expect(response.status).toBe(401)
    expect(body.error).toMatchObject({
      code: 'scope_not_authorized',
      log_id: response.headers.get('x-tt-logid'),
    })
    expect(body).not.toHaveProperty('data')
  })

  it('[V11] follows the scopes that were granted, not those asked for', async () => {
    const tokens = await tokensOf(stage, { ...EVERYTHING, __grant: BASIC })
    const response = await userInfo(stage, tokens.access_token, 'username')

    expect(response.status).toBe(401)
  })

  it('calls a missing scope scope_permission_missed when the switch says so', async () => {
    await control(stage, 'switches', { scopeErrorAs: 'scope_permission_missed' })
    const tokens = await tokensOf(stage)
    const response = await userInfo(stage, tokens.access_token, 'username')

    expect(response.status).toBe(400)
    expect((await jsonOf<UserInfo>(response)).error.code).toBe('scope_permission_missed')
  })

  it('ignores a field it does not know, or refuses it by switch', async () => {
    const { access_token } = await tokensOf(stage)
    const ignored = await userInfo(stage, access_token, 'open_id,shoe_size')
    await control(stage, 'switches', { unknownField: 'refuse' })
    const refused = await userInfo(stage, access_token, 'open_id,shoe_size')

    expect(Object.keys((await jsonOf<UserInfo>(ignored)).data.user)).toEqual(['open_id'])
    expect(refused.status).toBe(400)
    expect((await jsonOf<UserInfo>(refused)).error.code).toBe('invalid_params')
  })

  it.each<[string, Record<string, string>, number, string]>([
    ['no token', {}, 401, 'access_token_invalid'],
    ['an unknown token', { Authorization: 'Bearer act.x' }, 401, 'access_token_invalid'],
    ['another scheme', { Authorization: 'Basic act.x' }, 400, 'invalid_params'],
    ['no scheme', { Authorization: 'act.x' }, 400, 'invalid_params'],
    ['two tokens', { Authorization: 'Bearer act.x act.y' }, 400, 'invalid_params'],
  ])('refuses %s', async (_name, headers, status, code) => {
    const url = 'https://open.tiktokapis.com/v2/user/info/?fields=open_id'
    const response = await stage.request(url, { headers })

    expect(response.status).toBe(status)
    expect((await jsonOf<UserInfo>(response)).error.code).toBe(code)
  })

  it('refuses a client token, which speaks for nobody', async () => {
    const fields = { ...SANDBOX, grant_type: 'client_credentials' }
    const { access_token } = await jsonOf<Tokens>(post(stage, '/v2/oauth/token/', fields))

    expect((await userInfo(stage, access_token, 'open_id')).status).toBe(401)
  })

  it('wants fields', async () => {
    const { access_token } = await tokensOf(stage)
    const response = await userInfo(stage, access_token, '')

    expect(response.status).toBe(400)
    expect((await jsonOf<UserInfo>(response)).error.code).toBe('invalid_params')
  })

  it('[V20] answers 600 calls of an app in a sliding minute', async () => {
    let time = 1_800_000_000_000
    stage = createVideoPlatform({ clock: () => time })
    const { access_token } = await tokensOf(stage)
    const call = () => userInfo(stage, access_token, 'open_id')
    await Promise.all(Array.from({ length: 300 }, call))
    time += 30_000
    await Promise.all(Array.from({ length: 300 }, call))

    const tooMany = await call()
    expect(tooMany.status).toBe(429)
    expect((await jsonOf<UserInfo>(tooMany)).error.code).toBe('rate_limit_exceeded')
    time += 30_000
    expect((await call()).status).toBe(200)
  })

  it('writes & and < as JSON escapes, which mean the same', async () => {
    const { access_token } = await tokensOf(stage, { __as: 'zoe' })
    const text = await (await userInfo(stage, access_token, 'display_name,avatar_url')).text()

    expect(text).not.toMatch(/[&<>]/)
    expect(JSON.parse(text).data.user.display_name).toContain('<script>')
  })
})

describe('the personas', () => {
  it('include one without union_id', async () => {
    expect(await userOf('uma', 'open_id,union_id')).not.toHaveProperty('union_id')
  })

  it('include one with empty texts and no picture', async () => {
    const user = await userOf('emil', 'display_name,bio_description,avatar_url')

    expect(user).toEqual({ display_name: '', bio_description: '' })
  })

  it('include one with a very long bio', async () => {
    expect((await userOf('lena', 'bio_description')).bio_description).toHaveLength(4096)
  })
})

describe('[V22] an avatar', () => {
  it.each(['https://open.tiktokapis.com', 'http://localhost:8788'])(
    'is a signed picture at the origin the question came to: %s',
    async (origin) => {
      const { access_token } = await tokensOf(stage)
      const response = await stage.request(`${origin}/v2/user/info/?fields=avatar_url`, {
        headers: { Authorization: `Bearer ${access_token}` },
      })
      const { avatar_url } = (await jsonOf<UserInfo>(response)).data.user
      const picture = await stage.request(avatar_url)

      expect(avatar_url).toMatch(new RegExp(`^${origin}/.+x-expires=\\d+00&x-signature=.+%3D$`))
      expect(picture.status).toBe(200)
      expect(picture.headers.get('Content-Type')).toBe('image/svg+xml')
    },
  )

  it('is gone two days later', async () => {
    const { avatar_url } = await userOf('mia', 'avatar_url')
    await control(stage, 'clock', { advance: 48 * 3600 })

    expect((await stage.request(avatar_url)).status).toBe(403)
  })

  it('is not shown when its signature lost a character or its expiry was moved', async () => {
    const { avatar_url } = await userOf('mia', 'avatar_url')
    const shortened = await stage.request(avatar_url.replace('%3D', ''))
    const moved = await stage.request(avatar_url.replace('x-expires=', 'x-expires=9'))

    expect([shortened.status, moved.status]).toEqual([403, 403])
  })
})

async function userOf(__as: string, fields: string) {
  const { access_token } = await tokensOf(stage, { ...EVERYTHING, __as })
  const response = await userInfo(stage, access_token, fields)
  return (await jsonOf<UserInfo>(response)).data.user
}
