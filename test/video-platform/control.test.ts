import { beforeEach, describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../demo/video-platform/app.ts'
import {
  authorizeUrl,
  control,
  exchange,
  jsonOf,
  logIn,
  post,
  SANDBOX,
  type Stage,
  tokensOf,
  type UserInfo,
  userInfo,
  WEB_CALLBACK,
} from './visitor.ts'

let stage: Stage
beforeEach(() => {
  stage = createVideoPlatform()
})

describe('POST /__stand-in/reset', () => {
  it('forgets grants, people, apps, faults, switches and the moved clock', async () => {
    const before = await stateOf()
    await tokensOf(stage)
    await control(stage, 'users', { handle: 'nina' })
    await control(stage, 'faults', { path: '/', status: 500 })
    await control(stage, 'switches', { accessTtl: 1 })
    await control(stage, 'clock', { advance: 1_000_000 })
    await control(stage, 'reset')

    expect(await stateOf()).toEqual({ ...before, now: expect.closeTo(before.now, -2) })
  })
})

describe('POST /__stand-in/apps', () => {
  const app = { clientKey: 'awnew', clientSecret: 'secret', kind: 'production', redirectUris: [] }

  it('adds an app that works at once', async () => {
    const redirectUris = [{ platform: 'web', uri: WEB_CALLBACK }]
    await control(stage, 'apps', { ...app, redirectUris })
    const callback = await logIn(stage, { client_key: 'awnew' })
    const response = await exchange(stage, callback, {
      client_key: 'awnew',
      client_secret: 'secret',
    })

    expect(await response.json()).toHaveProperty('access_token')
  })

  it.each([
    { platform: 'web', uri: 'http://login.example/callback' },
    { platform: 'web', uri: 'https://login.example/callback?a=1' },
    { platform: 'web', uri: 'https://login.example/callback#a' },
    { platform: 'web', uri: `https://login.example/${'a'.repeat(512)}` },
    { platform: 'desktop', uri: 'http://login.example:80/callback' },
    { platform: 'desktop', uri: 'http://localhost/callback' },
  ])('holds to the rules of the portal: $platform $uri', async (redirect) => {
    const response = await control(stage, 'apps', { ...app, redirectUris: [redirect] })

    expect(response.status).toBe(400)
  })

  it('refuses an eleventh target user', async () => {
    const targetUsers = Array.from({ length: 11 }, (_, index) => `someone-${index}`)

    expect((await control(stage, 'apps', { ...app, targetUsers })).status).toBe(400)
  })

  it('refuses a webhook over plain http, except at loopback', async () => {
    const statuses = []
    for (const host of ['https://shop.example', 'http://localhost:80', 'http://shop.example']) {
      const added = await control(stage, 'apps', { ...app, webhookUrl: `${host}/webhook` })
      statuses.push(added.status)
    }

    expect(statuses).toEqual([200, 200, 400])
  })

  it('knows a secret and the one before, while they are replaced', async () => {
    await control(stage, 'apps', { ...app, clientSecret: 'new', previousSecret: 'old' })
    const answers = []
    for (const client_secret of ['new', 'old', 'older']) {
      const fields = { client_key: app.clientKey, client_secret, grant_type: 'client_credentials' }
      answers.push('error' in (await jsonOf(post(stage, '/v2/oauth/token/', fields))))
    }

    expect(answers).toEqual([false, false, true])
  })

  it('refuses an eleventh redirect', async () => {
    const redirectUris = Array.from({ length: 11 }, () => ({ platform: 'web', uri: WEB_CALLBACK }))

    expect((await control(stage, 'apps', { ...app, redirectUris })).status).toBe(400)
  })
})

describe('POST /__stand-in/users', () => {
  it('adds a person, invited to the sandbox', async () => {
    await control(stage, 'users', { handle: 'nina', displayName: 'Nina' })

    expect((await logIn(stage, { __as: 'nina' })).searchParams.has('code')).toBe(true)
  })

  it('changes a person, who stays the same person', async () => {
    const { access_token, open_id } = await tokensOf(stage)
    await control(stage, 'users', { handle: 'mia', displayName: 'Mia L.' })
    const response = await userInfo(stage, access_token, 'display_name,open_id')

    expect((await jsonOf<UserInfo>(response)).data.user).toEqual({
      display_name: 'Mia L.',
      open_id,
    })
  })

  it('invites and uninvites', async () => {
    await control(stage, 'users', { handle: 'tova', targetUser: true })
    await control(stage, 'users', { handle: 'mia', targetUser: false })

    expect((await logIn(stage, { __as: 'tova' })).searchParams.has('code')).toBe(true)
    expect((await logIn(stage)).searchParams.get('error_type')).toBe('non_sandbox_target')
  })

  it('bans', async () => {
    await control(stage, 'users', { handle: 'mia', standing: 'banned' })

    expect((await logIn(stage)).searchParams.get('error')).toBe('access_denied')
  })
})

describe('GET /__stand-in/log', () => {
  it('tells which parameters came, and never a secret', async () => {
    const { access_token, refresh_token } = await tokensOf(stage)
    await userInfo(stage, access_token, 'open_id')
    const text = await (await stage.request('http://localhost/__stand-in/log')).text()

    expect(JSON.parse(text)).toMatchObject([
      { method: 'GET', path: '/v2/auth/authorize/', parameters: { state: '***' }, status: 302 },
      {
        method: 'POST',
        host: 'open.tiktokapis.com',
        path: '/v2/oauth/token/',
        contentType: 'application/x-www-form-urlencoded',
        parameters: {
          client_key: SANDBOX.client_key,
          client_secret: '***',
          code: '***',
          grant_type: 'authorization_code',
        },
        status: 200,
      },
      {
        path: '/v2/user/info/',
        parameters: { fields: 'open_id' },
        authorization: 'Bearer',
        status: 200,
      },
    ])
    for (const secret of [SANDBOX.client_secret, access_token, refresh_token, 'a-state']) {
      expect(text).not.toContain(secret)
    }
  })
})

describe('GET /__stand-in/state', () => {
  it('counts', async () => {
    await tokensOf(stage)
    await logIn(stage)
    await logIn(stage, { __as: 'noah' })

    expect(await stateOf()).toMatchObject({ grants: 2, codes: 2, accessTokens: 1, faults: 0 })
  })
})

describe('the control API', () => {
  it.each([
    ['clock', { advance: -1 }],
    ['faults', { path: 'no-slash' }],
    ['faults', { path: '/', kind: 'unheard-of' }],
    ['switches', { rotation: 'never' }],
    ['users', { handle: '<b>' }],
  ])('names what is wrong with %s %o', async (name, body) => {
    const response = await control(stage, name, body)

    expect(response.status).toBe(400)
    expect(await response.json()).toHaveProperty('problem')
  })

  it('lives under its own prefix only', async () => {
    expect((await control(stage, 'unheard-of')).status).toBe(404)
    expect((await stage.request(authorizeUrl())).status).toBe(200)
  })
})

async function stateOf() {
  const response = await stage.request('http://localhost/__stand-in/state')
  return jsonOf<{ now: number }>(response)
}
