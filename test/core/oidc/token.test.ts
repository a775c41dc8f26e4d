import { runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { base64url, decodeJwt } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openHandle } from '../../../src/core/grants/handle.ts'
import { digest } from '../../../src/foundation/crypto/digest.ts'
import { randomSecret } from '../../../src/foundation/crypto/random.ts'
import { anyCharacter } from '../../any-character.ts'
import { Browser, LOGIN, logLines } from '../../browser.ts'
import { advanceClock, DAY } from '../../clock.ts'
import { readConfig } from '../../deployment.ts'
import { redirectUrl } from '../../redirect.ts'
import { userObject } from '../../storage.ts'
import { basic, OFFLINE_ACCESS, postForm, RelyingApp, SECRETS, signedIn } from './relying-app.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'

afterEach(() => {
  vi.useRealTimers()
})

function objectOfSubject(accessToken: string) {
  return userObject(decodeJwt(accessToken).sub ?? '')
}

/** Everything that the Durable Object of the token's user stores, as text. */
function storedText(accessToken: string): Promise<string> {
  return runInDurableObject(objectOfSubject(accessToken), (_, { storage }) => {
    const tables = [
      ...storage.sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'"),
    ]
    const ownTables = tables.filter(({ name }) => !name.startsWith('_cf_'))
    const rows = ownTables.map(({ name }) => [...storage.sql.exec(`SELECT * FROM ${name}`)])
    return JSON.stringify([rows, [...storage.kv.list()]])
  })
}

/** Sends exactly this body to the token endpoint. */
function sendBody(
  body: string,
  headers: Record<string, string> = { 'Content-Type': FORM_TYPE, ...basic('web') },
): Promise<Response> {
  const bytes = new TextEncoder().encode(body)
  return exports.default.fetch(
    new Request(`${LOGIN}/oidc/token`, { method: 'POST', body: bytes, headers }),
  )
}

describe('codes and refresh tokens', () => {
  it('[C8] are stored as digests, and never logged', async () => {
    const app = new RelyingApp()
    const browser = await signedIn()
    const pendingCallback = await app.callbackFor(browser, OFFLINE_ACCESS)
    const code = pendingCallback.searchParams.get('code') ?? ''
    const tokens = await app.tokens(browser, OFFLINE_ACCESS)
    const refreshed = await app.refresh(tokens.refresh_token ?? '')
    const { access_token, refresh_token = '', id_token = '' } = refreshed
    const handles = await Promise.all([
      openHandle(readConfig(env), 'code', code),
      openHandle(readConfig(env), 'refresh', refresh_token),
    ])

    const stored = await storedText(access_token)

    for (const handle of handles) {
      const secret = handle?.secret ?? ''
      expect(stored).toContain(await digest(secret))
      expect(stored).not.toContain(secret)
      expect(logLines.join()).not.toContain(secret)
    }
    for (const token of [code, refresh_token, access_token, id_token, app.verifier]) {
      expect(stored).not.toContain(token.slice(-43))
      expect(logLines.join()).not.toContain(token.slice(-43))
    }
  })

  it('[C9] contain 256 uniformly distributed random bits', async () => {
    const app = new RelyingApp()
    const browser = await signedIn()
    const callbacks = await Promise.all(Array.from({ length: 20 }, () => app.callbackFor(browser)))
    // The last of 43 characters encodes four bits only.
    const characters = Array.from({ length: 2000 }, () => randomSecret().slice(0, 42)).join('')
    const occurrences = Map.groupBy(characters, (character) => character)
    const expected = characters.length / 64
    const chiSquare = [...occurrences.values()].reduce(
      (sum, { length }) => sum + (length - expected) ** 2 / expected,
      0,
    )

    expect(new Set(callbacks.map(({ searchParams }) => searchParams.get('code'))).size).toBe(20)
    expect(randomSecret()).toHaveLength(43)
    expect(occurrences.size).toBe(64)
    // With 63 degrees of freedom, 140 is exceeded once in about ten million runs.
    expect(chiSquare).toBeLessThan(140)
  })

  it('[D12] reveal nothing about the user', async () => {
    const { refresh_token = '', access_token } = await new RelyingApp().tokens(
      await signedIn(),
      OFFLINE_ACCESS,
    )
    const { sub = '', jti = '', sid } = decodeJwt(access_token)
    const bytes = String.fromCharCode(...base64url.decode(refresh_token.slice('rt_'.length)))

    for (const text of [sub, jti.split('.')[0] ?? '', String(sid), 'web', 'mia']) {
      expect(bytes).not.toContain(text)
      expect(refresh_token).not.toContain(text)
    }
  })

  it('[C24] are rejected once the user has been deleted', async () => {
    const app = new RelyingApp()
    const browser = await signedIn('uma')
    const callback = await app.callbackFor(browser)
    const tokens = await app.tokens(browser, OFFLINE_ACCESS)
    await runInDurableObject(objectOfSubject(tokens.access_token), (_, { storage }) => {
      storage.kv.delete('user')
    })

    await expect(app.exchange(callback)).rejects.toMatchObject({ error: 'invalid_grant' })
    await expect(app.refresh(tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    await expect(app.userinfo(tokens.access_token, tokens.claims()?.sub ?? '')).rejects.toThrow()
    expect(await browser.session()).toBeNull()
  })

  it('[D8] are revoked when a revocation races refresh requests', async () => {
    const app = new RelyingApp()
    const browser = await signedIn()
    for (let round = 0; round < 10; round++) {
      const { refresh_token = '' } = await app.tokens(browser, OFFLINE_ACCESS)
      const form = { grant_type: 'refresh_token', refresh_token }
      const refreshing = Array.from({ length: 5 }, () => app.requestTokens(form))
      const revoking = postForm('/oidc/revoke', { token: refresh_token }, basic('web'))
      const responses = await Promise.all([...refreshing, app.requestTokens(form)])
      expect((await revoking).status).toBe(200)

      for (const response of responses) {
        const { refresh_token: successor = refresh_token } = await response.json<{
          refresh_token?: string
        }>()
        await expect(app.refresh(successor)).rejects.toMatchObject({ error: 'invalid_grant' })
      }
    }
  })

  it('[D7][D9] are valid until the end of their year, however often they are used', async () => {
    const app = new RelyingApp()
    let { refresh_token = '' } = await app.tokens(await signedIn(), OFFLINE_ACCESS)
    for (let month = 0; month < 12; month++) {
      advanceClock(29 * DAY)
      refresh_token = (await app.refresh(refresh_token)).refresh_token ?? ''
    }
    // Thirty seconds before the end.
    advanceClock((365 - 12 * 29) * DAY - 30)
    const last = await app.refresh(refresh_token)
    expect(last.access_token).toBeTruthy()

    advanceClock(31)

    await expect(app.refresh(last.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  it('[D7] expire after a month without use, however often they were used before', async () => {
    const app = new RelyingApp()
    const { refresh_token = '' } = await app.tokens(await signedIn(), OFFLINE_ACCESS)
    advanceClock(29 * DAY)
    const refreshed = await app.refresh(refresh_token)

    advanceClock(30 * DAY)

    await expect(app.refresh(refreshed.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })
})

describe('POST /oidc/token', () => {
  /** Well formed, but rejected with `invalid_grant`. */
  const UNKNOWN_REFRESH_TOKEN = 'grant_type=refresh_token&refresh_token=rt_unknown'

  it('[C17][F4] returns JSON that must not be cached', async () => {
    const app = new RelyingApp()
    const callback = await app.callbackFor(await signedIn())

    const response = await app.requestTokens(app.codeExchangeForm(callback))

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

  it('has no member scope if none was granted (RFC 6749 §3.3)', async () => {
    const app = new RelyingApp('post')
    const callback = await app.callbackFor(await signedIn(), { scope: 'unknown' })

    const response = await app.requestTokens(app.codeExchangeForm(callback))

    expect(response.status).toBe(200)
    expect(await response.json()).not.toHaveProperty('scope')
  })

  it.each([
    ['https://kiosk.example', true],
    ['https://evil.example', false],
    ['null', false],
  ])('answers a page of %s that sends credentials: %s', async (Origin, isAllowed) => {
    const preflight = { Origin, 'Access-Control-Request-Method': 'POST' }
    const url = `${LOGIN}/oidc/token`
    const responses = [
      await exports.default.fetch(new Request(url, { method: 'OPTIONS', headers: preflight })),
      await sendBody(UNKNOWN_REFRESH_TOKEN, { Origin, 'Content-Type': FORM_TYPE }),
    ]

    for (const { headers } of responses) {
      expect(headers.get('Access-Control-Allow-Origin')).toBe(isAllowed ? Origin : null)
      expect(headers.get('Set-Cookie')).toBeNull()
      if (isAllowed) expect(headers.get('Access-Control-Allow-Credentials')).toBe('true')
    }
  })

  it.each([
    [FORM_TYPE, 'invalid_grant'],
    [`${FORM_TYPE};charset=UTF-8`, 'invalid_grant'],
    [`${FORM_TYPE}; charset=utf-8`, 'invalid_grant'],
    ['Application/X-WWW-Form-URLEncoded', 'invalid_grant'],
    ['application/json', 'invalid_request'],
    [`application/json, ${FORM_TYPE}`, 'invalid_request'],
    [`${FORM_TYPE}, application/json`, 'invalid_request'],
    ['multipart/form-data; boundary=x', 'invalid_request'],
    ['multipart/form-data', 'invalid_request'],
    [`text/plain; ${FORM_TYPE}`, 'invalid_request'],
    [`${FORM_TYPE}x`, 'invalid_request'],
    ['', 'invalid_request'],
    [undefined, 'invalid_request'],
  ])('[C15] with the content type %s returns %s', async (type, error) => {
    const response = await sendBody(UNKNOWN_REFRESH_TOKEN, {
      ...basic('web'),
      ...(type !== undefined && { 'Content-Type': type }),
    })

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error })
  })

  it('[C15] returns an error of RFC 6749 for any content type and any body', async () => {
    const types = fc.oneof(
      fc.constantFrom(FORM_TYPE, `${FORM_TYPE};`, 'multipart/form-data; boundary=x'),
      fc.stringMatching(/^[\x21-\x7e]{0,30}$/),
    )
    const bodies = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 200 }),
      fc.webQueryParameters(),
      fc.constantFrom('grant_type=%', '%00', '&&&=', 'grant_type', '--x\r\n'),
    )

    await fc.assert(
      fc.asyncProperty(types, bodies, async (type, body) => {
        const response = await sendBody(body, { ...basic('web'), 'Content-Type': type })

        expect(response.status).toBe(400)
        expect((await response.json<{ error: string }>()).error).toMatch(
          /^(invalid_request|unsupported_grant_type)$/,
        )
      }),
      { numRuns: 300 },
    )
  })

  it('[C16] ignores the query, and rejects repeated parameters', async () => {
    const credentials = `client_id=post&client_secret=${SECRETS['post']}`
    const path = `/oidc/token?${UNKNOWN_REFRESH_TOKEN}&${credentials}`

    const withoutCredentials = await postForm(path, {})
    const withCredentials = await postForm(path, {}, basic('web'))

    expect(withoutCredentials.status).toBe(401)
    expect(await withCredentials.json()).toMatchObject({ error: 'invalid_request' })
    for (const name of ['grant_type', 'refresh_token', 'client_id', 'scope', 'unknown']) {
      const repeated = `${name}=refresh_token&${name}=refresh_token`
      const response = await sendBody(`${UNKNOWN_REFRESH_TOKEN}&${repeated}`)
      expect(await response.json()).toMatchObject({ error: 'invalid_request' })
    }
  })

  it.each([
    ['', 'invalid_request'],
    ['grant_type=authorization_code', 'invalid_request'],
    ['grant_type=refresh_token', 'invalid_request'],
    // In a body, a leading question mark is part of the first name.
    ['?grant_type=client_credentials', 'invalid_request'],
    ['grant_type=refresh_token&refresh_token=', 'invalid_request'],
    ['grant_type=authorization_code&code=ac_x', 'invalid_grant'],
    ['grant_type=client_credentials', 'unauthorized_client'],
    ['grant_type=password&username=mia&password=x', 'unsupported_grant_type'],
    ['grant_type=implicit', 'unsupported_grant_type'],
    ['grant_type=Authorization_Code', 'unsupported_grant_type'],
    ['grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer', 'unsupported_grant_type'],
  ])('[C18] %j: returns %s', async (body, error) => {
    const response = await sendBody(body)

    expect(response.status).toBe(400)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(await response.json()).toMatchObject({ error })
  })

  it.each(['GET', 'PUT', 'DELETE'])('[C19] rejects the method %s', async (method) => {
    const response = await new Browser().fetch(`/oidc/token?${UNKNOWN_REFRESH_TOKEN}`, {
      method,
      headers: basic('web'),
    })

    expect(response.status).toBe(405)
    expect(response.headers.get('Allow')).toContain('POST')
  })

  it.each([
    ['https://stock.example', 'https://stock.example'],
    ['https://stock.example/', 'invalid_target'],
    ['https://STOCK.example', 'invalid_target'],
    ['https://evil.example', 'invalid_target'],
    [LOGIN, 'invalid_target'],
  ])(
    '[F3] with the resource %s returns a token for it or an error: %s',
    async (resource, expected) => {
      const app = new RelyingApp()
      const url = new URL(await app.authorizationUrl(OFFLINE_ACCESS))
      for (const granted of ['https://orders.example', 'https://stock.example'])
        url.searchParams.append('resource', granted)
      const callback = redirectUrl(await (await signedIn()).get(url.href))
      const { refresh_token = '', access_token } = await app.exchange(callback)
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
    },
  )
})
