import { runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { decodeJwt } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { digest, randomSecret } from '../../src/crypto/random.ts'
import { openHandle } from '../../src/grants/handle.ts'
import { Browser, LOGIN, logLines } from '../browser.ts'
import { basic, post, RelyingApp, SECRETS, signedIn } from './relying-app.ts'

const offline = { scope: 'openid profile offline_access' }
const web = basic('web', SECRETS['web'] ?? '')
const FORM = 'application/x-www-form-urlencoded'
const DAY = 24 * 3600

afterEach(() => {
  vi.useRealTimers()
})

function later(seconds: number): void {
  vi.useFakeTimers({ now: Date.now() + seconds * 1000, toFake: ['Date'] })
}

function userOf(accessToken: string) {
  return env.USERS.get(env.USERS.idFromName(decodeJwt(accessToken).sub ?? ''))
}

/** Whatever a person's object keeps, as text. */
function dump(accessToken: string): Promise<string> {
  return runInDurableObject(userOf(accessToken), (_, { storage }) => {
    const tables = [
      ...storage.sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'"),
    ]
    const own = tables.filter(({ name }) => !name.startsWith('_cf_'))
    const rows = own.map(({ name }) => [...storage.sql.exec(`SELECT * FROM ${name}`)])
    return JSON.stringify([rows, [...storage.kv.list()]])
  })
}

/** A request to the token endpoint with this body, letter for letter. */
function send(body: string, headers: Record<string, string> = { 'Content-Type': FORM, ...web }) {
  const bytes = new TextEncoder().encode(body)
  return exports.default.fetch(
    new Request(`${LOGIN}/oidc/token`, { method: 'POST', body: bytes, headers }),
  )
}

describe('codes and refresh tokens', () => {
  it('[C8] are stored as digests, and logged not at all', async () => {
    const app = new RelyingApp()
    const browser = await signedIn()
    const waiting = (await app.callback(browser, offline)).searchParams.get('code') ?? ''
    const tokens = await app.tokens(browser, offline)
    const {
      access_token,
      refresh_token = '',
      id_token = '',
    } = await app.refresh(tokens.refresh_token ?? '')
    const handles = await Promise.all([
      openHandle(readConfig(env), 'code', waiting),
      openHandle(readConfig(env), 'refresh', refresh_token),
    ])

    const stored = await dump(access_token)

    for (const handle of handles) {
      const secret = handle?.secret ?? ''
      expect(stored).toContain(await digest(secret))
      expect(stored).not.toContain(secret)
      expect(logLines.join()).not.toContain(secret)
    }
    for (const token of [waiting, refresh_token, access_token, id_token, app.verifier]) {
      expect(stored).not.toContain(token.slice(-43))
      expect(logLines.join()).not.toContain(token.slice(-43))
    }
  })

  it('[C9] hold 256 bits, evenly drawn', async () => {
    const app = new RelyingApp()
    const browser = await signedIn()
    const codes = await Promise.all(Array.from({ length: 20 }, () => app.callback(browser)))
    expect(new Set(codes.map(({ searchParams }) => searchParams.get('code'))).size).toBe(20)

    // The last letter of 43 stands for four bits only.
    const letters = Array.from({ length: 2000 }, () => randomSecret().slice(0, 42)).join('')
    const counts = Map.groupBy(letters, (letter) => letter)
    const expected = letters.length / 64
    const chiSquare = [...counts.values()].reduce(
      (sum, { length }) => sum + (length - expected) ** 2 / expected,
      0,
    )

    expect(randomSecret()).toHaveLength(43)
    expect(counts.size).toBe(64)
    // 63 degrees of freedom: beyond 140 once in some ten million runs.
    expect(chiSquare).toBeLessThan(140)
  })

  it('[D12] say nothing about the person', async () => {
    const { refresh_token = '', access_token } = await new RelyingApp().tokens(
      await signedIn(),
      offline,
    )
    const { sub = '', jti = '', sid } = decodeJwt(access_token)
    const bytes = atob(refresh_token.slice(3).replaceAll('-', '+').replaceAll('_', '/'))

    for (const text of [sub, jti.split('.')[0] ?? '', String(sid), 'web', 'mia']) {
      expect(bytes).not.toContain(text)
      expect(refresh_token).not.toContain(text)
    }
  })

  it('[C24] are worth nothing once the person is gone', async () => {
    const app = new RelyingApp()
    const browser = await signedIn('uma')
    const callback = await app.callback(browser)
    const tokens = await app.tokens(browser, offline)
    await runInDurableObject(userOf(tokens.access_token), (_, { storage }) => {
      storage.kv.delete('user')
    })

    await expect(app.exchange(callback)).rejects.toMatchObject({ error: 'invalid_grant' })
    await expect(app.refresh(tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    await expect(app.userinfo(tokens.access_token, tokens.claims()?.sub ?? '')).rejects.toThrow()
    expect(await browser.session()).toBeNull()
  })

  it('[D8] end revoked when revocation and refreshing race', async () => {
    const app = new RelyingApp()
    const browser = await signedIn()
    for (let round = 0; round < 10; round++) {
      const { refresh_token = '' } = await app.tokens(browser, offline)
      const form = { grant_type: 'refresh_token', refresh_token }
      const refreshing = Array.from({ length: 5 }, () => post('/oidc/token', form, web))
      const revoking = post('/oidc/revoke', { token: refresh_token }, web)
      const answers = await Promise.all([...refreshing, post('/oidc/token', form, web)])
      expect((await revoking).status).toBe(200)

      for (const answer of answers) {
        const { refresh_token: next = refresh_token } = await answer.json<{
          refresh_token?: string
        }>()
        await expect(app.refresh(next)).rejects.toMatchObject({ error: 'invalid_grant' })
      }
    }
  })

  it('[D7][D9] are good until half a minute before their year is over, and then no more', async () => {
    const app = new RelyingApp()
    let { refresh_token = '' } = await app.tokens(await signedIn(), offline)
    for (let month = 0; month < 12; month++) {
      later(29 * DAY)
      refresh_token = (await app.refresh(refresh_token)).refresh_token ?? ''
    }
    later((365 - 12 * 29) * DAY - 30)
    const last = await app.refresh(refresh_token)
    expect(last.access_token).toBeTruthy()

    later(31)
    await expect(app.refresh(last.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  it('[D7] end after a month without use, however often they were used before', async () => {
    const app = new RelyingApp()
    const { refresh_token = '' } = await app.tokens(await signedIn(), offline)
    later(29 * DAY)
    const next = await app.refresh(refresh_token)

    later(30 * DAY)
    await expect(app.refresh(next.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })
})

describe('POST /oidc/token', () => {
  const refused = 'grant_type=refresh_token&refresh_token=rt_unknown'

  it('[C17][F4] answers in JSON that nobody keeps', async () => {
    const app = new RelyingApp()
    const response = await post(
      '/oidc/token',
      {
        grant_type: 'authorization_code',
        code: (await app.callback(await signedIn())).searchParams.get('code') ?? '',
        redirect_uri: app.redirectUri,
        code_verifier: app.verifier,
      },
      web,
    )

    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('Content-Type')).toMatch(/^application\/json/)
    const body = await response.json<Record<string, unknown>>()
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 600, scope: 'openid profile' })
    expect(Object.keys(body).sort()).toEqual([
      'access_token',
      'expires_in',
      'id_token',
      'scope',
      'token_type',
    ])
  })

  it.each([
    [FORM, 'invalid_grant'],
    [`${FORM};charset=UTF-8`, 'invalid_grant'],
    [`${FORM}; charset=utf-8`, 'invalid_grant'],
    ['Application/X-WWW-Form-URLEncoded', 'invalid_grant'],
    ['application/json', 'invalid_request'],
    [`application/json, ${FORM}`, 'invalid_request'],
    [`${FORM}, application/json`, 'invalid_request'],
    ['multipart/form-data; boundary=x', 'invalid_request'],
    ['multipart/form-data', 'invalid_request'],
    [`text/plain; ${FORM}`, 'invalid_request'],
    [`${FORM}x`, 'invalid_request'],
    ['', 'invalid_request'],
    [undefined, 'invalid_request'],
  ])('[C15] of the type %s: %s', async (type, error) => {
    const response = await send(refused, {
      ...web,
      ...(type !== undefined && { 'Content-Type': type }),
    })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error })
  })

  it('[C15] answers any type and any body with an error of RFC 6749', async () => {
    const types = fc.oneof(
      fc.constantFrom(FORM, `${FORM};`, 'multipart/form-data; boundary=x'),
      fc.stringMatching(/^[\x21-\x7e]{0,30}$/),
    )
    const bodies = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.webQueryParameters(),
      fc.constantFrom('grant_type=%', '%00', '&&&=', 'grant_type', '--x\r\n'),
    )
    await fc.assert(
      fc.asyncProperty(types, bodies, async (type, body) => {
        const response = await send(body, { ...web, 'Content-Type': type })

        expect(response.status).toBe(400)
        expect((await response.json<{ error: string }>()).error).toMatch(
          /^(invalid_request|unsupported_grant_type)$/,
        )
      }),
      { numRuns: 300 },
    )
  })

  it('[C16] takes nothing from the address, and each name once', async () => {
    const path = `/oidc/token?${refused}&client_id=post&client_secret=${SECRETS['post']}`

    expect((await post(path, {})).status).toBe(401)
    expect(await (await post(path, {}, web)).json()).toMatchObject({ error: 'invalid_request' })
    for (const name of ['grant_type', 'refresh_token', 'client_id', 'scope', 'unknown']) {
      const response = await send(`${refused}&${name}=refresh_token&${name}=refresh_token`)
      expect(await response.json()).toMatchObject({ error: 'invalid_request' })
    }
  })

  it.each([
    ['', 'invalid_request'],
    ['grant_type=authorization_code', 'invalid_request'],
    ['grant_type=refresh_token', 'invalid_request'],
    // A question mark is a letter like any other there.
    ['?grant_type=client_credentials', 'invalid_request'],
    ['grant_type=refresh_token&refresh_token=', 'invalid_request'],
    ['grant_type=authorization_code&code=ac_x', 'invalid_grant'],
    ['grant_type=client_credentials', 'unsupported_grant_type'],
    ['grant_type=password&username=mia&password=x', 'unsupported_grant_type'],
    ['grant_type=implicit', 'unsupported_grant_type'],
    ['grant_type=Authorization_Code', 'unsupported_grant_type'],
    ['grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code', 'unsupported_grant_type'],
  ])('[C18] %j: %s', async (body, error) => {
    const response = await send(body)

    expect(response.status).toBe(400)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(await response.json()).toMatchObject({ error })
  })

  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('[C19] is no %s', async (method) => {
    const response = await new Browser().fetch(`/oidc/token?${refused}`, { method, headers: web })

    expect(response.status).toBe(405)
    expect(response.headers.get('Allow')).toContain('POST')
  })

  it.each([
    ['https://stock.example', 'https://stock.example'],
    ['https://stock.example/', 'invalid_target'],
    ['https://STOCK.example', 'invalid_target'],
    ['https://evil.example', 'invalid_target'],
    [LOGIN, 'invalid_target'],
  ])('[F3] with the resource %s gives %s', async (resource, expected) => {
    const app = new RelyingApp()
    const granted = new URL(await app.authorizationUrl(offline))
    for (const one of ['https://orders.example', 'https://stock.example'])
      granted.searchParams.append('resource', one)
    const callback = (await (await signedIn()).get(granted.href)).headers.get('Location') ?? ''
    const { refresh_token = '', access_token } = await app.exchange(new URL(callback))
    expect(decodeJwt(access_token).aud).toEqual([
      'https://orders.example',
      'https://stock.example',
      LOGIN,
    ])

    const result = await app.refresh(refresh_token, { resource, scope: 'profile' }).then(
      (tokens) => decodeJwt(tokens.access_token).aud,
      ({ error }) => error,
    )

    expect(result).toBe(expected)
  })
})
