import { beforeEach, describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../../src/libraries/testing/video-platform/app.ts'
import {
  API,
  authorizeUrl,
  control,
  exchangeCode,
  fetchUserInfo,
  logIn,
  obtainTokens,
  post,
  readControl,
  readJson,
  SANDBOX,
  type StandIn,
  type UserInfo,
  WEB_CALLBACK,
} from './client.ts'

let standIn: StandIn
beforeEach(() => {
  standIn = createVideoPlatform()
})

describe('POST /__stand-in/reset', () => {
  it('deletes grants, added users and faults, and restores the switches and the clock', async () => {
    const before = await readState()
    await obtainTokens(standIn)
    await control(standIn, 'users', { handle: 'nina' })
    await control(standIn, 'faults', { path: '/', status: 500 })
    await control(standIn, 'switches', { accessTtl: 1 })
    await control(standIn, 'clock', { advance: 1_000_000 })
    await control(standIn, 'reset')

    expect(await readState()).toEqual({ ...before, now: expect.closeTo(before.now, -2) })
  })
})

describe('POST /__stand-in/apps', () => {
  const app = { clientKey: 'awnew', clientSecret: 'secret', kind: 'production', redirectUris: [] }

  it('adds an app that can be used immediately', async () => {
    const redirectUris = [{ platform: 'web', uri: WEB_CALLBACK }]
    await control(standIn, 'apps', { ...app, redirectUris })
    const callback = await logIn(standIn, { client_key: 'awnew' })
    const response = await exchangeCode(standIn, callback, {
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
  ])('applies the rules of the portal: $platform $uri', async (redirect) => {
    const response = await control(standIn, 'apps', { ...app, redirectUris: [redirect] })

    expect(response.status).toBe(400)
  })

  it('rejects an eleventh target user', async () => {
    const targetUsers = Array.from({ length: 11 }, (_, index) => `user-${index}`)

    expect((await control(standIn, 'apps', { ...app, targetUsers })).status).toBe(400)
  })

  it('rejects a webhook over plain http, except on loopback', async () => {
    const statuses = []
    for (const host of ['https://shop.example', 'http://localhost:80', 'http://shop.example']) {
      const added = await control(standIn, 'apps', { ...app, webhookUrl: `${host}/webhook` })
      statuses.push(added.status)
    }

    expect(statuses).toEqual([200, 200, 400])
  })

  it('accepts the current and the previous secret', async () => {
    await control(standIn, 'apps', { ...app, clientSecret: 'new', previousSecret: 'old' })
    const isRejected = []
    for (const client_secret of ['new', 'old', 'older']) {
      const fields = { client_key: app.clientKey, client_secret, grant_type: 'client_credentials' }
      isRejected.push('error' in (await readJson(post(standIn, '/v2/oauth/token/', fields))))
    }

    expect(isRejected).toEqual([false, false, true])
  })

  it('rejects an eleventh redirect URI', async () => {
    const redirectUris = Array.from({ length: 11 }, () => ({ platform: 'web', uri: WEB_CALLBACK }))

    expect((await control(standIn, 'apps', { ...app, redirectUris })).status).toBe(400)
  })
})

describe('POST /__stand-in/users', () => {
  it('adds a user as a target user of the sandbox', async () => {
    await control(standIn, 'users', { handle: 'nina', displayName: 'Nina' })

    expect((await logIn(standIn, { __as: 'nina' })).searchParams.has('code')).toBe(true)
  })

  it('changes a user and keeps their open_id', async () => {
    const { access_token, open_id } = await obtainTokens(standIn)
    await control(standIn, 'users', { handle: 'mia', displayName: 'Mia L.' })
    const response = await fetchUserInfo(standIn, access_token, 'display_name,open_id')

    expect((await readJson<UserInfo>(response)).data.user).toEqual({
      display_name: 'Mia L.',
      open_id,
    })
  })

  it('adds and removes a target user', async () => {
    await control(standIn, 'users', { handle: 'tova', targetUser: true })
    await control(standIn, 'users', { handle: 'mia', targetUser: false })

    expect((await logIn(standIn, { __as: 'tova' })).searchParams.has('code')).toBe(true)
    expect((await logIn(standIn)).searchParams.get('error_type')).toBe('non_sandbox_target')
  })

  it('bans a user', async () => {
    await control(standIn, 'users', { handle: 'mia', standing: 'banned' })

    expect((await logIn(standIn)).searchParams.get('error')).toBe('access_denied')
  })
})

describe('GET /__stand-in/log', () => {
  it('lists the parameters of each request without secrets', async () => {
    const { access_token, refresh_token } = await obtainTokens(standIn)
    await fetchUserInfo(standIn, access_token, 'open_id')
    const text = await (await standIn.request(`${API}/__stand-in/log`)).text()

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
  it('returns the number of grants, codes, access tokens and faults', async () => {
    await obtainTokens(standIn)
    await logIn(standIn)
    await logIn(standIn, { __as: 'noah' })

    expect(await readState()).toMatchObject({ grants: 2, codes: 2, accessTokens: 1, faults: 0 })
  })
})

describe('the control API', () => {
  it.each([
    ['clock', { advance: -1 }],
    ['faults', { path: 'no-slash' }],
    ['faults', { path: '/', kind: 'unknown-kind' }],
    ['switches', { rotation: 'never' }],
    ['users', { handle: '<b>' }],
  ])('explains what is wrong with %s %o', async (name, body) => {
    const response = await control(standIn, name, body)

    expect(response.status).toBe(400)
    expect(await response.json()).toHaveProperty('problem')
  })

  it('responds with 404 to unknown paths under its prefix only', async () => {
    expect((await control(standIn, 'unknown-path')).status).toBe(404)
    expect((await standIn.request(authorizeUrl())).status).toBe(200)
  })
})

async function readState() {
  return readControl<{ now: number }>(standIn, 'state')
}
