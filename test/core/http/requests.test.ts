import { env, exports } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createUserApp } from '../../../src/core/app.ts'
import { anyCharacter } from '../../any-character.ts'
import { Browser, LOGIN, serviceWith, standIn, TOKEN_PATH } from '../../browser.ts'
import { declared, readConfig } from '../../deployment.ts'
import { forbidden } from '../../storage.ts'

const send = (path: string, init: RequestInit) =>
  exports.default.fetch(new Request(new URL(path, LOGIN), init))

describe('a request that is too large', () => {
  it('[R5][T4][CVE-2026-44456] is rejected while its body is read, whatever Content-Length says', async () => {
    let sent = 0
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1024
        if (sent > 1024 * 1024) controller.close()
        else controller.enqueue(new Uint8Array(1024).fill(97))
      },
    })

    const response = await send('/api/auth/signout', {
      method: 'POST',
      headers: { Origin: LOGIN, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: endless,
    })

    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ error: 'request_too_large' })
    expect(sent).toBeLessThan(200 * 1024)
  })

  it.each([
    '/api/auth/signin/tiktok',
    '/api/auth/callback/tiktok',
    '/api/auth/signout',
    '/no-such-page',
  ])('[R5] is rejected before it reaches %s', async (path) => {
    const response = await send(path, {
      method: 'POST',
      body: 'a'.repeat(20_000),
      headers: { Origin: LOGIN },
    })

    expect(response.status).toBe(413)
  })

  it('[R6] is rejected with 414 for its address and 431 for its cookies', async () => {
    expect((await send(`/api/auth/signin?x=${'a'.repeat(17_000)}`, {})).status).toBe(414)
    expect(
      (await send('/api/auth/session', { headers: { Cookie: `a=${'b'.repeat(33_000)}` } })).status,
    ).toBe(431)
  })
})

describe('a GET or HEAD request with a body', () => {
  it.each(['GET', 'HEAD'])('[R5] is served without reading the body: %s', async (method) => {
    const request = new Request(`${LOGIN}/healthz`, { method: 'POST', body: 'body' })
    Object.defineProperty(request, 'method', { value: method })

    expect((await serviceWith({})(request)).status).toBe(200)
  })
})

describe('a request with malformed or many attempt cookies', () => {
  it('[L9] is served, and does not clear all of them at once', async () => {
    const browser = new Browser()
    const malformed = Array.from({ length: 7 }, (_, i) => `__Host-vestibule.attempt.a b${i}=x`)
    const many = Array.from(
      { length: 200 },
      (_, i) => `__Host-vestibule.attempt.${String(i).padStart(11, '0')}=x`,
    )

    for (const cookies of [malformed, many]) {
      const response = await browser.get('/api/auth/signin/tiktok', { Cookie: cookies.join('; ') })
      expect(response.status).toBe(302)
      // 20 that are cleared, the new attempt and its interaction.
      expect(response.headers.getSetCookie().length).toBeLessThanOrEqual(22)
    }
  })
})

describe('a posted form', () => {
  const post = (body: BodyInit, type = 'application/x-www-form-urlencoded') =>
    send('/api/auth/signout', {
      method: 'POST',
      headers: { Origin: LOGIN, 'Content-Type': type },
      body,
    })

  it.each([
    [
      'a thousand parameters',
      new URLSearchParams(Array.from({ length: 1000 }, (_, i) => [`p${i}`, '1'])).toString(),
      200,
    ],
    ['a repeated parameter', 'callbackUrl=/a&callbackUrl=/b', 400],
    ['an array', 'callbackUrl[]=/a', 200],
    ['__proto__', '__proto__=x&__proto__[a]=b&constructor=1', 200],
    ['a lone surrogate', 'callbackUrl=%ED%A0%80', 200],
    ['invalid UTF-8', 'callbackUrl=%FF%FE', 200],
    ['NUL', 'callbackUrl=%00', 400],
    ['an incomplete percent escape', 'callbackUrl=%&%=%', 200],
    ['no parameters', '', 200],
  ])('[R7] with %s does not cause a server error', async (_, body, status) => {
    expect((await post(body)).status).toBe(status)
  })

  it.each([
    ['multipart/form-data; boundary=x', 'malformed'],
    ['multipart/form-data', 'no boundary'],
    ['application/json', '{"callbackUrl":"/"}'],
    ['application/x-www-form-urlencoded, application/json', 'a=b'],
    ['', 'x'],
  ])('[R7][C15] of content type "%s" does not cause a server error', async (type, body) => {
    expect((await post(body, type)).status).toBeLessThan(500)
  })

  it('[R7] of random bytes does not cause a server error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        expect(
          (await post(new Blob([new Uint8Array(bytes)]), 'application/x-www-form-urlencoded'))
            .status,
        ).toBeLessThan(500)
      }),
      { numRuns: 200 },
    )
  })
})

describe('a token response with five thousand scopes', () => {
  it('[R8] signs the user in', async () => {
    const browser = new Browser()
    const scope = ['user.info.basic', ...Array.from({ length: 5000 }, (_, i) => `s${i}`)].join(',')
    await standIn.fault({ path: TOKEN_PATH, set: { scope } })

    expect((await browser.signIn('mia')).status).toBe(302)
  })
})

describe('a request to the wrong method or path', () => {
  const routes = createUserApp(readConfig, declared).routes.filter(({ method }) => method !== 'ALL')
  const paths = [...new Set(routes.map(({ path }) => path))].map((path) =>
    path.replace(':provider', 'tiktok'),
  )

  it.each(paths)('[R10] is rejected with 405 and the allowed methods: %s', async (path) => {
    const allowed = routes
      .filter((route) => route.path.replace(':provider', 'tiktok') === path)
      .map(({ method }) => method)

    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const response = await send(path, { method })
      expect(response.status).toBe(405)
      expect(response.headers.get('Allow')?.split(', ')).toEqual([...new Set(allowed)])
    }
  })

  it.each([
    '//api/auth/session',
    '/api/auth/session/',
    '/api/auth/session;x',
    '/api//auth/session',
    '/API/auth/session',
    '/.well-known/jwks.json/..%2f',
  ])('[R3] is rejected with 404 if the path is only similar to one of ours: %s', async (path) => {
    const response = await exports.default.fetch(new Request(`${LOGIN}${path}`))

    expect(response.status).toBe(404)
  })
})

describe('a request that is expensive to parse', () => {
  /** Repetitions that almost match a pattern, for which backtracking takes the longest. */
  const EXPENSIVE_TEXTS = [
    { name: 'letters', start: '', repeated: 'a', end: '!' },
    { name: 'spaces', start: '', repeated: ' ', end: 'x' },
    { name: 'words', start: '', repeated: 'a ', end: '\u00e4' },
    { name: 'a list', start: '', repeated: 'a,', end: ';' },
    { name: 'dots', start: '', repeated: 'a.', end: '/' },
    { name: 'base64url', start: '', repeated: 'a-_', end: '~' },
    { name: 'percent signs', start: '', repeated: '%', end: '2' },
    { name: 'a host', start: 'https://', repeated: 'a.', end: ':/' },
    { name: 'ports', start: 'http://127.0.0.1', repeated: ':1', end: '/' },
    { name: 'nested JSON', start: '', repeated: '{"a":', end: '1' },
  ]

  /**
   * Exponential backtracking takes seconds at the first length already, and would never end at the
   * second.
   */
  const LENGTHS = [30, 900]

  const NAMES = [
    ...['callbackUrl', 'request', 'prompt', 'state', 'code', 'redirect_uri', 'scope', 'claims'],
    ...['id_token_hint', 'max_age', 'client_id', 'code_challenge', 'code_verifier', 'token'],
  ]

  /** Far more than any request takes, far less than one with exponential backtracking. */
  const TOO_LONG = 2000 // milliseconds

  const routes = createUserApp(readConfig, declared).routes.filter(({ method }) =>
    ['GET', 'POST'].includes(method),
  )

  it.each(EXPENSIVE_TEXTS)(
    '[R9] gets a quick response from every route: $name',
    async (pattern) => {
      const { start, repeated, end } = pattern
      for (const length of LENGTHS) {
        const text = start + repeated.repeat(length / repeated.length) + end
        for (const { method, path } of routes) {
          expect(await shortestDuration(method, path, text), `${method} ${path}`).toBeLessThan(
            TOO_LONG,
          )
        }
      }
    },
  )

  /** The milliseconds until the response. A slow request is repeated: the machine may be busy. */
  async function shortestDuration(method: string, path: string, text: string): Promise<number> {
    let shortest = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < 3 && shortest >= TOO_LONG; attempt++) {
      const startedAt = performance.now()
      const response = await sendEverywhere(method, path, text)
      shortest = Math.min(shortest, performance.now() - startedAt)
      expect(response.status, `${method} ${path}`).toBeLessThan(500)
    }
    return shortest
  }

  /** Sends the text in every parameter and every header that the service reads. */
  function sendEverywhere(method: string, path: string, text: string): Promise<Response> {
    const parameters = NAMES.map((name): [string, string] => [name, text])
    const encoded = new URLSearchParams(parameters).toString().slice(0, 15_000)
    const ascii = text.replaceAll(/[^ -~]/g, '?')
    const headers = {
      Origin: LOGIN,
      Cookie: `__Host-vestibule.session=${ascii}; ${ascii}`,
      'Accept-Language': ascii,
      'User-Agent': ascii,
      'CF-Connecting-IP': ascii,
      Authorization: `Basic ${ascii}`,
      'TikTok-Signature': `t=${ascii},s=${ascii}`,
    }
    const url = path.replace(':provider', 'tiktok').replace(':handle', 'x')
    return method === 'GET'
      ? send(`${url}?${encoded}`, { headers, redirect: 'manual' })
      : send(url, { method, headers, body: encoded })
  }
})

describe('a thousand random requests', () => {
  it('[R11][R12] use no storage, and neither do abandoned sign-ins', async () => {
    const browser = new Browser(
      serviceWith({
        SESSIONS: forbidden('SESSIONS'),
        USERS: forbidden('USERS'),
        DIRECTORY: forbidden('DIRECTORY'),
        KEYRING: forbidden('KEYRING'),
      }),
    )
    const paths = fc.constantFrom(
      '/',
      '/no-such-page',
      '/api/auth/session',
      '/api/auth/signin',
      '/api/auth/signin/tiktok',
      '/api/auth/callback/tiktok',
      '/api/auth/csrf',
      '/api/auth/providers',
      '/healthz',
    )
    const query = fc.dictionary(
      fc.constantFrom('code', 'state', 'callbackUrl', 'error', 'x'),
      fc.string({ unit: anyCharacter, maxLength: 30 }),
    )
    const cookie = fc
      .base64String({ maxLength: 60 })
      .map(
        (value) =>
          `__Host-vestibule.session=${value}; __Host-vestibule.attempt.AAAAAAAAAAA=${value}`,
      )

    await fc.assert(
      fc.asyncProperty(paths, query, cookie, async (path, parameters, Cookie) => {
        const response = await browser.get(`${path}?${new URLSearchParams(parameters)}`, { Cookie })
        expect(response.status).toBeLessThan(500)
      }),
      { numRuns: 1000 },
    )
    const { keys } = await env.SESSIONS.list()
    expect(keys.every(({ name }) => name.startsWith('s:'))).toBe(true)
  })
})

describe('a body that breaks off', () => {
  it.each([
    '/oidc/token',
    '/oidc/logout',
    '/oidc/authorize',
    '/oidc/consent',
    '/api/auth/webhook/tiktok',
    '/api/auth/signout',
  ])('[R5] is an invalid request: POST %s', async (path) => {
    const body = new ReadableStream({
      pull: (controller) => controller.error(new Error('Network connection lost.')),
    })
    const headers = {
      'Content-Length': '100',
      'Content-Type': 'application/x-www-form-urlencoded',
      'Sec-Fetch-Site': 'same-origin',
    }

    const response = await serviceWith({})(
      new Request(`${LOGIN}${path}`, { method: 'POST', headers, body }),
    )

    expect(response.status).toBe(400)
  })
})
