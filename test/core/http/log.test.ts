import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  Browser,
  issuedSecrets,
  lastLogEntry,
  logLines,
  serviceWith,
  standIn,
  USER_INFO_PATH,
} from '../../browser.ts'
import { app } from '../../deployment.ts'
import { basic, postForm } from '../oidc/relying-app.ts'

describe('the log', () => {
  it('[O5] has one line per request, with a fixed list of fields', async () => {
    const before = logLines.length

    const response = await new Browser().get('/api/auth/signin?callbackUrl=/secret-place', {
      Cookie: 'a=secret-cookie',
    })

    expect(logLines.length - before).toBe(1)
    expect(lastLogEntry()).toEqual({
      requestId: response.headers.get('X-Request-Id'),
      method: 'GET',
      route: '/api/auth/signin',
      status: 200,
      milliseconds: expect.any(Number),
    })
    expect(logLines.at(-1)).not.toContain('secret')
  })

  it('[O5] contains no secret of a sign-in, a session and a sign-out', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
    await browser.session()
    await browser.post('/api/auth/signout', {})

    const log = logLines.join('\n')
    expect(issuedSecrets.size).toBeGreaterThanOrEqual(5)
    for (const secret of [...issuedSecrets, env.AUTH_SECRET, env.AUTH_TIKTOK_SECRET])
      expect(log).not.toContain(secret)
    expect(log).not.toMatch(/act\.|rft\./)
    expect(log).not.toContain('Lindqvist')
  })

  it('[O6] names the registered client of a failed token request, and no other', async () => {
    await postForm('/oidc/token', { grant_type: 'refresh_token', refresh_token: 'x' }, basic('web'))
    expect(lastLogEntry()).toMatchObject({ code: 'invalid_grant', clientId: 'web' })

    await postForm('/oidc/token', {}, basic('nobody', 'x'))
    expect(lastLogEntry()).toMatchObject({ code: 'invalid_client' })
    expect(lastLogEntry()).not.toHaveProperty('clientId')
  })

  it('[O6] records sign-ins, failures and sign-outs, with user id and code', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
    expect(lastLogEntry()).toMatchObject({
      event: 'signin',
      userId: expect.stringMatching(/^usr_/),
      status: 302,
    })
    await browser.post('/api/auth/signout', {})
    expect(lastLogEntry()).toMatchObject({
      event: 'signout',
      userId: expect.stringMatching(/^usr_/),
    })
    await browser.signIn('mia', { grant: 'deny' })
    expect(lastLogEntry()).toMatchObject({
      event: 'signin_failed',
      code: 'access_denied',
      provider: 'tiktok',
      upstreamError: 'access_denied',
    })
  })

  it('[O6] has the provider and the requesting client in all steps of a sign-in', async () => {
    const expected = { provider: 'tiktok', clientId: 'shop' }
    const browser = new Browser()

    const authorization = await browser.start({ callbackUrl: 'https://shop.example/' })
    expect(lastLogEntry()).toMatchObject(expected)
    await browser.get(await browser.approve(authorization, 'mia'))
    expect(lastLogEntry()).toMatchObject({ event: 'signin', ...expected })
    await browser.signIn('mia', { callbackUrl: 'https://shop.example/', grant: 'deny' })
    expect(lastLogEntry()).toMatchObject({ event: 'signin_failed', ...expected })
  })

  it('[O6] has the same correlation id in all steps of a sign-in, which is not part of the state', async () => {
    const browser = new Browser()
    const authorization = await browser.start()
    const { attempt } = lastLogEntry()
    const callback = await browser.approve(authorization, 'mia')
    await browser.get(callback)

    expect(attempt).toMatch(/^\w{4}-\w{4}-\w{4}$/)
    expect(lastLogEntry()).toMatchObject({ event: 'signin', attempt })
    expect(authorization.searchParams.get('state')).not.toContain(attempt)
    // The browser no longer has the cookie of the attempt.
    await browser.get(callback)
    expect(lastLogEntry()).toMatchObject({ route: '/api/auth/callback/:provider', attempt })
  })

  it('[O6] has the correlation id of a callback in a browser without its cookie', async () => {
    const browser = new Browser()
    const { searchParams } = await browser.start()
    const { attempt } = lastLogEntry()
    const query = new URLSearchParams({
      error: 'access_denied',
      state: searchParams.get('state') ?? '',
    })

    await new Browser().get(`/api/auth/callback/tiktok?${query}`)

    expect(lastLogEntry()).toMatchObject({ code: 'attempt_missing', attempt })
  })

  it('[O7][CVE-2026-16100] contains no text chosen by a client or the platform', async () => {
    const browser = new Browser()
    await browser.fetch('/made-up/path-8812', { method: 'GET' })
    expect(lastLogEntry()).toMatchObject({ route: '/*', code: 'not_found' })
    await browser.fetch('/', { method: 'PROPFIND' })
    expect(lastLogEntry()).toMatchObject({ method: 'other' })
    await browser.get('/api/auth/callback/tiktok?error=made%20up%208812&error_type=%0Aline')

    await browser.get('/api/auth/callback/tiktok?error=attacker.chosen.8812&error_type=chosen_8812')
    await standIn.fault({
      path: USER_INFO_PATH,
      status: 401,
      body: { error: { code: 'chosen 8812 act.secret', message: '', log_id: '8812 '.repeat(99) } },
    })
    await browser.signIn('mia')

    expect(logLines.slice(-8).join()).not.toContain('8812')
    expect(logLines.at(-1)).toContain('"upstreamError":"other"')
  })

  it('[O10][O11] contains the details of an internal error, of which the user sees only a reference', async () => {
    const DIRECTORY = new Proxy(env.DIRECTORY, {
      get() {
        throw new TypeError('internal-host-9917 exploded')
      },
    })
    const browser = new Browser(serviceWith({ DIRECTORY }))

    const response = await browser.signIn('mia')

    const page = await response.text()
    expect(response.status).toBe(503)
    expect(page).not.toMatch(/9917|TypeError| at /)
    expect(page).toContain(lastLogEntry().requestId)
    expect(logLines.at(-1)).toContain('internal-host-9917')
    expect(await browser.session()).toBeNull()
  })

  it('[O11] contains the details of an unexpected exception, which becomes a 500 response', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
    const USERS = {
      idFromName: () => 'any',
      get: () => ({
        readSession: async () => ({
          session: {
            get user() {
              throw new TypeError('internal-host-9918')
            },
          },
        }),
      }),
    }
    const request = new Request('https://login.example.com/api/auth/session', {
      headers: { ...browser.cookieHeader(), Accept: 'application/json' },
    })
    const received: unknown[] = []
    const ctx = {
      ...createExecutionContext(),
      waitUntil: (work: Promise<unknown>) => void work.catch((error) => received.push(error)),
    }

    const response = await app.fetch(request, { ...env, USERS }, ctx)

    // The runtime receives the exception, too, and applies source maps to its stack.
    expect(received.map(String)).toEqual(['TypeError: internal-host-9918'])
    expect(response.status).toBe(500)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    const body = await response.json<Record<string, string>>()
    expect(body).toEqual({
      error: 'internal',
      error_description: expect.any(String),
      reference: lastLogEntry().requestId,
    })
    expect(lastLogEntry().cause).toContain('internal-host-9918')
  })
})
