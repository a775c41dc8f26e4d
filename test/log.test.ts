import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { Browser, issuedSecrets, logLines, serviceWith, standIn } from './browser.ts'

const lastLine = () => JSON.parse(logLines.at(-1) ?? '{}')

describe('the log', () => {
  it('[O5] has one line for a request, with fields of a fixed list', async () => {
    const before = logLines.length
    const response = await new Browser().get('/api/auth/signin?callbackUrl=/secret-place', {
      Cookie: 'a=secret-cookie',
    })

    expect(logLines.length - before).toBe(1)
    expect(lastLine()).toEqual({
      requestId: response.headers.get('X-Request-Id'),
      method: 'GET',
      route: '/api/auth/signin',
      status: 200,
      milliseconds: expect.any(Number),
    })
    expect(logLines.at(-1)).not.toContain('secret')
  })

  it('[O5] holds no secret of a whole sign-in, session and sign-out', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
    await browser.session()
    await browser.post('/api/auth/signout', {})

    const text = logLines.join('\n')
    expect(issuedSecrets.size).toBeGreaterThanOrEqual(5)
    for (const secret of [...issuedSecrets, env.AUTH_SECRET, env.AUTH_TIKTOK_SECRET])
      expect(text).not.toContain(secret)
    expect(text).not.toMatch(/act\.|rft\./)
    expect(text).not.toContain('Lindqvist')
  })

  it('[O6] tells of sign-ins, failures and sign-outs, by user id and code', async () => {
    const browser = new Browser()
    await browser.signIn('mia')
    expect(lastLine()).toMatchObject({
      event: 'signin',
      userId: expect.stringMatching(/^usr_/),
      status: 302,
    })
    await browser.post('/api/auth/signout', {})
    expect(lastLine()).toMatchObject({ event: 'signout', userId: expect.stringMatching(/^usr_/) })
    await browser.signIn('mia', { grant: 'deny' })
    expect(lastLine()).toMatchObject({
      event: 'signin_failed',
      code: 'access_denied',
      provider: 'tiktok',
      upstreamError: 'access_denied',
    })
  })

  it('[O6] names a sign-in alike in all its steps, by a name that is good for nothing else', async () => {
    const browser = new Browser()
    const authorization = await browser.start()
    const { attempt } = lastLine()
    const callback = await browser.approve(authorization, 'mia')
    await browser.get(callback)

    expect(attempt).toMatch(/^[\w-]{11}$/)
    expect(lastLine()).toMatchObject({ event: 'signin', attempt })
    expect(authorization.searchParams.get('state')).not.toContain(attempt)
    // Again, and by now the browser has nothing of the attempt.
    await browser.get(callback)
    expect(lastLine()).toMatchObject({ route: '/api/auth/callback/:provider', attempt })
  })

  it('[O6] names a sign-in that comes back to a browser without its cookie', async () => {
    const browser = new Browser()
    const { searchParams } = await browser.start()
    const { attempt } = lastLine()
    const query = new URLSearchParams({
      error: 'access_denied',
      state: searchParams.get('state') ?? '',
    })
    await new Browser().get(`/api/auth/callback/tiktok?${query}`)

    expect(lastLine()).toMatchObject({ code: 'attempt_missing', attempt })
  })

  it('[O7][CVE-2026-16100] takes no label from a request', async () => {
    const browser = new Browser()
    await browser.fetch('/made-up/path-8812', { method: 'GET' })
    expect(lastLine()).toMatchObject({ route: '/*', code: 'not_found' })
    await browser.fetch('/', { method: 'PROPFIND' })
    expect(lastLine()).toMatchObject({ method: 'other' })
    await browser.get('/api/auth/callback/tiktok?error=made%20up%208812&error_type=%0Aline')

    await browser.get('/api/auth/callback/tiktok?error=attacker.chosen.8812&error_type=chosen_8812')
    await standIn.fault({
      path: '/v2/user/info/',
      status: 401,
      body: { error: { code: 'chosen 8812 act.secret', message: '', log_id: '8812 '.repeat(99) } },
    })
    await browser.signIn('mia')

    expect(logLines.slice(-8).join()).not.toContain('8812')
    expect(logLines.at(-1)).toContain('"upstreamError":"other"')
  })

  it('[O10][O11] keeps what went wrong to itself, and gives the person a reference to it', async () => {
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
    expect(page).toContain(lastLine().requestId)
    expect(logLines.at(-1)).toContain('internal-host-9917')
    expect(await browser.session()).toBeNull()
  })

  it('[O11] turns an exception in any layer into a clean 500', async () => {
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
    const broken = new Browser(serviceWith({ USERS }))

    const response = await broken.get('/api/auth/session', {
      ...browser.cookieHeader(),
      Accept: 'application/json',
    })

    expect(response.status).toBe(500)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    const body = await response.json<Record<string, string>>()
    expect(body).toEqual({
      error: 'internal',
      error_description: expect.any(String),
      reference: lastLine().requestId,
    })
    expect(lastLine().trouble).toContain('internal-host-9918')
  })
})
