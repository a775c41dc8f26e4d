import { beforeEach, describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../demo/video-platform/app.ts'
import {
  authorizeUrl,
  BASIC,
  control,
  exchange,
  jsonOf,
  logIn,
  PROFILE,
  type Stage,
  type Tokens,
  tokensOf,
  type UserInfo,
  userInfo,
} from './visitor.ts'

const TOKEN = '/v2/oauth/token/'
const USER_INFO = '/v2/user/info/'

/** What an answer without these has in their place. */
const MISSING: object = { token_type: undefined }

describe('a fault', () => {
  let stage: Stage
  beforeEach(() => {
    stage = createVideoPlatform()
  })

  it('[V20] waits for its path, and is over after its times', async () => {
    const { access_token } = await tokensOf(stage)
    await control(stage, 'faults', { path: USER_INFO, status: 500, times: 2 })
    await tokensOf(stage)
    const statuses = []
    for (const _call of [1, 2, 3]) {
      statuses.push((await userInfo(stage, access_token, 'open_id')).status)
    }

    expect(statuses).toEqual([500, 500, 200])
  })

  it('can be queued after another', async () => {
    await control(stage, 'faults', { path: TOKEN, status: 429 })
    await control(stage, 'faults', { path: '/v2/oauth/*', status: 503 })
    const first = await exchange(stage, await logIn(stage))
    const second = await exchange(stage, await logIn(stage))

    expect([first.status, second.status]).toEqual([429, 503])
  })

  it('[V20] answers with any status, body, content type and headers', async () => {
    await control(stage, 'faults', {
      path: TOKEN,
      status: 429,
      body: { error: 'slow_down' },
      contentType: 'application/problem+json',
      headers: { 'Retry-After': '7' },
    })
    const response = await exchange(stage, await logIn(stage))

    expect(response.status).toBe(429)
    expect(response.headers.get('Content-Type')).toBe('application/problem+json')
    expect(response.headers.get('Retry-After')).toBe('7')
    expect(await response.json()).toEqual({ error: 'slow_down' })
  })

  it('leaves the code unspent when it answers instead', async () => {
    const callback = await logIn(stage)
    await control(stage, 'faults', { path: TOKEN, kind: 'html-502' })

    expect((await exchange(stage, callback)).status).toBe(502)
    expect(await (await exchange(stage, callback)).json()).toHaveProperty('access_token')
  })

  it('[V20] holds an answer back', async () => {
    await control(stage, 'faults', { path: TOKEN, delayMs: 50 })
    const started = performance.now()
    const response = await exchange(stage, await logIn(stage))

    expect(performance.now() - started).toBeGreaterThan(40)
    expect(await response.json()).toHaveProperty('access_token')
  })

  it('[V20] can meet the pages too', async () => {
    await control(stage, 'faults', { path: '/v2/auth/authorize/', kind: 'html-502' })

    expect((await stage.request(authorizeUrl())).status).toBe(502)
  })

  it.each<[string, RegExp]>([
    ['truncated-json', /^\{"access_token":"[^}]+$/],
    ['empty', /^$/],
    ['bom', /^\uFEFF\{/],
    ['json-array', /^\[\{.*\}\]$/],
    ['deep-json', /^\{"deep":\[{1000}/],
    ['duplicate-keys', /"open_id":"-000SomeoneElse0+","open_id":"-000/],
    ['proto-key', /^\{"__proto__":/],
  ])('[V20] spells an answer wrongly: %s', async (kind, expected) => {
    await control(stage, 'faults', { path: TOKEN, kind })
    const response = await exchange(stage, await logIn(stage))

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
  ])('[V14] changes the token answer: %s', async (kind, changes) => {
    await control(stage, 'faults', { path: TOKEN, kind })
    const response = await exchange(stage, await logIn(stage, { scope: `${BASIC},${PROFILE}` }))
    const body = await jsonOf<Tokens>(response)

    expect({ ...MISSING, ...body }).toMatchObject(changes)
    expect(body).toHaveProperty('access_token')
  })

  it.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{ kind: 'open-id-mismatch' }, { open_id: expect.stringContaining('SomeoneElse') }],
    [{ without: 'open_id' }, { display_name: 'Mia Lindqvist' }],
    [{ set: { display_name: null } }, { display_name: null, open_id: expect.any(String) }],
  ])('[V14] changes the user: %o', async (fault, user) => {
    const { access_token } = await tokensOf(stage)
    await control(stage, 'faults', { path: USER_INFO, ...fault })
    const body = await jsonOf<UserInfo>(userInfo(stage, access_token, 'open_id,display_name'))

    expect(body.data.user).toEqual({
      ...('display_name' in user ? {} : { display_name: 'Mia Lindqvist' }),
      ...user,
    })
    expect(body.error.code).toBe('ok')
  })

  it('[V13] answers with HTTP 200 and an error that does not say ok', async () => {
    const { access_token } = await tokensOf(stage)
    const error = { code: 'scope_not_authorized', message: 'No.', log_id: 'x' }
    await control(stage, 'faults', { path: USER_INFO, body: { data: {}, error } })
    const response = await userInfo(stage, access_token, 'open_id')

    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ data: {}, error })
  })

  it('[V13] leaves the data out of a user info answer', async () => {
    const { access_token } = await tokensOf(stage)
    await control(stage, 'faults', { path: USER_INFO, kind: 'missing-data' })
    const body = await jsonOf(userInfo(stage, access_token, 'open_id'))

    expect(Object.keys(body)).toEqual(['error'])
  })

  it('redirects elsewhere', async () => {
    await control(stage, 'faults', { path: TOKEN, kind: 'redirect' })
    const response = await exchange(stage, await logIn(stage))

    expect(response.status).toBe(302)
    expect(response.headers.get('Location')).toBe('https://elsewhere.example/')
  })

  it('adds a WWW-Authenticate challenge to the real answer', async () => {
    await control(stage, 'faults', { path: USER_INFO, kind: 'www-authenticate' })
    const response = await userInfo(stage, 'act.unknown', 'open_id')

    expect(response.headers.get('WWW-Authenticate')).toMatch(/^Bearer/)
    expect((await jsonOf<UserInfo>(response)).error.code).toBe('access_token_invalid')
  })

  it('never ends', async () => {
    await control(stage, 'faults', { path: TOKEN, kind: 'endless' })
    const response = await exchange(stage, await logIn(stage))
    const size = await readUpTo(response, 4_000_000)

    expect(size).toBeGreaterThan(4_000_000)
  })

  it('[V20] falls silent in the middle', async () => {
    await control(stage, 'faults', { path: TOKEN, kind: 'drip' })
    const response = await exchange(stage, await logIn(stage))
    const reader = response.body?.getReader()
    const first = await reader?.read()
    const silence = new Promise((resolve) => setTimeout(() => resolve('silence'), 50))

    expect(first?.value?.length).toBeGreaterThan(0)
    expect(await Promise.race([reader?.read(), silence])).toBe('silence')
    await reader?.cancel()
  })

  it.each(['drip', 'endless'])('is let go by a reset: %s', async (kind) => {
    await control(stage, 'faults', { path: TOKEN, kind })
    const response = await exchange(stage, await logIn(stage))
    await control(stage, 'reset')

    await expect(response.text()).rejects.toThrow('aborted')
  })

  it('[V20] breaks the connection in the middle', async () => {
    await control(stage, 'faults', { path: TOKEN, kind: 'reset' })
    const response = await exchange(stage, await logIn(stage))

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
