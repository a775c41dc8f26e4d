import { beforeEach, describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../../src/libraries/testing/video-platform/app.ts'
import {
  authorizeUrl,
  BASIC,
  control,
  exchangeCode,
  fetchUserInfo,
  logIn,
  obtainTokens,
  PROFILE,
  readJson,
  type StandIn,
  type Tokens,
  type UserInfo,
} from './client.ts'

const TOKEN = '/v2/oauth/token/'
const USER_INFO = '/v2/user/info/'

/** Makes a missing field comparable: `toMatchObject` requires the key to exist. */
const MISSING: object = { token_type: undefined }

describe('a fault', () => {
  let standIn: StandIn
  beforeEach(() => {
    standIn = createVideoPlatform()
  })

  it('[V20] applies to its path only, as often as specified', async () => {
    const { access_token } = await obtainTokens(standIn)
    await control(standIn, 'faults', { path: USER_INFO, status: 500, times: 2 })
    await obtainTokens(standIn)
    const statuses = []
    for (const _call of [1, 2, 3]) {
      statuses.push((await fetchUserInfo(standIn, access_token, 'open_id')).status)
    }

    expect(statuses).toEqual([500, 500, 200])
  })

  it('is queued after earlier ones', async () => {
    await control(standIn, 'faults', { path: TOKEN, status: 429 })
    await control(standIn, 'faults', { path: '/v2/oauth/*', status: 503 })
    const first = await exchangeCode(standIn, await logIn(standIn))
    const second = await exchangeCode(standIn, await logIn(standIn))

    expect([first.status, second.status]).toEqual([429, 503])
  })

  it('[V20] sets any status, body, content type and headers', async () => {
    await control(standIn, 'faults', {
      path: TOKEN,
      status: 429,
      body: { error: 'slow_down' },
      contentType: 'application/problem+json',
      headers: { 'Retry-After': '7' },
    })
    const response = await exchangeCode(standIn, await logIn(standIn))

    expect(response.status).toBe(429)
    expect(response.headers.get('Content-Type')).toBe('application/problem+json')
    expect(response.headers.get('Retry-After')).toBe('7')
    expect(await response.json()).toEqual({ error: 'slow_down' })
  })

  it('that replaces the response leaves the code unused', async () => {
    const callback = await logIn(standIn)
    await control(standIn, 'faults', { path: TOKEN, kind: 'html-502' })

    expect((await exchangeCode(standIn, callback)).status).toBe(502)
    expect(await (await exchangeCode(standIn, callback)).json()).toHaveProperty('access_token')
  })

  it('[V20] delays a response', async () => {
    await control(standIn, 'faults', { path: TOKEN, delayMs: 50 })
    const started = performance.now()
    const response = await exchangeCode(standIn, await logIn(standIn))

    expect(performance.now() - started).toBeGreaterThan(40)
    expect(await response.json()).toHaveProperty('access_token')
  })

  it('[V20] applies to pages too', async () => {
    await control(standIn, 'faults', { path: '/v2/auth/authorize/', kind: 'html-502' })

    expect((await standIn.request(authorizeUrl())).status).toBe(502)
  })

  it.each<[string, RegExp]>([
    ['truncated-json', /^\{"access_token":"[^}]+$/],
    ['empty', /^$/],
    ['bom', /^\uFEFF\{/],
    ['json-array', /^\[\{.*\}\]$/],
    ['deep-json', /^\{"deep":\[{1000}/],
    ['duplicate-keys', /"open_id":"-000SomeoneElse0+","open_id":"-000/],
    ['proto-key', /^\{"__proto__":/],
  ])('[V20] corrupts the text of a response: %s', async (kind, expected) => {
    await control(standIn, 'faults', { path: TOKEN, kind })
    const response = await exchangeCode(standIn, await logIn(standIn))

    expect(response.status).toBe(200)
    const bytes = await response.arrayBuffer()
    expect(new TextDecoder('utf-8', { ignoreBOM: true, fatal: true }).decode(bytes)).toMatch(
      expected,
    )
  })

  it.each<[string, Record<string, unknown>]>([
    ['token-type-missing', { token_type: undefined }],
    ['expires-in-string', { expires_in: '7200' }],
    ['scope-reordered', { scope: `${PROFILE},${BASIC}` }],
    ['scope-reduced', { scope: BASIC }],
    ['open-id-mismatch', { open_id: expect.stringContaining('SomeoneElse') }],
  ])('[V14] changes the token response: %s', async (kind, changes) => {
    await control(standIn, 'faults', { path: TOKEN, kind })
    const response = await exchangeCode(
      standIn,
      await logIn(standIn, { scope: `${BASIC},${PROFILE}` }),
    )
    const body = await readJson<Tokens>(response)

    expect({ ...MISSING, ...body }).toMatchObject(changes)
    expect(body).toHaveProperty('access_token')
  })

  it.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{ kind: 'open-id-mismatch' }, { open_id: expect.stringContaining('SomeoneElse') }],
    [{ without: 'open_id' }, { display_name: 'Mia Lindqvist' }],
    [{ set: { display_name: null } }, { display_name: null, open_id: expect.any(String) }],
  ])('[V14] changes the user info response: %o', async (fault, user) => {
    const { access_token } = await obtainTokens(standIn)
    await control(standIn, 'faults', { path: USER_INFO, ...fault })
    const body = await readJson<UserInfo>(
      fetchUserInfo(standIn, access_token, 'open_id,display_name'),
    )

    expect(body.data.user).toEqual({
      ...('display_name' in user ? {} : { display_name: 'Mia Lindqvist' }),
      ...user,
    })
    expect(body.error.code).toBe('ok')
  })

  it('[V13] returns an error code other than ok with HTTP 200', async () => {
    const { access_token } = await obtainTokens(standIn)
    const error = { code: 'scope_not_authorized', message: 'No.', log_id: 'x' }
    await control(standIn, 'faults', { path: USER_INFO, body: { data: {}, error } })
    const response = await fetchUserInfo(standIn, access_token, 'open_id')

    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ data: {}, error })
  })

  it('[V13] removes the data from a user info response', async () => {
    const { access_token } = await obtainTokens(standIn)
    await control(standIn, 'faults', { path: USER_INFO, kind: 'missing-data' })
    const body = await readJson(fetchUserInfo(standIn, access_token, 'open_id'))

    expect(Object.keys(body)).toEqual(['error'])
  })

  it('redirects to another site', async () => {
    await control(standIn, 'faults', { path: TOKEN, kind: 'redirect' })
    const response = await exchangeCode(standIn, await logIn(standIn))

    expect(response.status).toBe(302)
    expect(response.headers.get('Location')).toBe('https://elsewhere.example/')
  })

  it('adds a WWW-Authenticate challenge to the real response', async () => {
    await control(standIn, 'faults', { path: USER_INFO, kind: 'www-authenticate' })
    const response = await fetchUserInfo(standIn, 'act.unknown', 'open_id')

    expect(response.headers.get('WWW-Authenticate')).toMatch(/^Bearer/)
    expect((await readJson<UserInfo>(response)).error.code).toBe('access_token_invalid')
  })

  it('sends a response that never ends', async () => {
    await control(standIn, 'faults', { path: TOKEN, kind: 'endless' })
    const response = await exchangeCode(standIn, await logIn(standIn))
    const size = await readUpTo(response, 4_000_000)

    expect(size).toBeGreaterThan(4_000_000)
  })

  it('[V20] stalls in the middle of a response', async () => {
    await control(standIn, 'faults', { path: TOKEN, kind: 'drip' })
    const response = await exchangeCode(standIn, await logIn(standIn))
    const reader = response.body?.getReader()
    const first = await reader?.read()
    const timeout = new Promise((resolve) => setTimeout(() => resolve('timeout'), 50))

    expect(first?.value?.length).toBeGreaterThan(0)
    expect(await Promise.race([reader?.read(), timeout])).toBe('timeout')
    await reader?.cancel()
  })

  it.each(['drip', 'endless'])('is ended by a reset: %s', async (kind) => {
    await control(standIn, 'faults', { path: TOKEN, kind })
    const response = await exchangeCode(standIn, await logIn(standIn))
    await control(standIn, 'reset')

    await expect(response.text()).rejects.toThrow('aborted')
  })

  it('[V20] closes the connection in the middle of a response', async () => {
    await control(standIn, 'faults', { path: TOKEN, kind: 'reset' })
    const response = await exchangeCode(standIn, await logIn(standIn))

    await expect(response.text()).rejects.toThrow()
  })
})

async function readUpTo(response: Response, limit: number): Promise<number> {
  const reader = response.body?.getReader()
  let size = 0
  while (reader !== undefined && size <= limit) {
    const { done, value } = await reader.read()
    if (done) return size
    size += value.length
  }
  await reader?.cancel()
  return size
}
