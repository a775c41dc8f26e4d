import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { Browser, serviceOf } from '../../browser.ts'
import { advanceClock, MINUTE } from '../../clock.ts'
import { RelyingApp } from '../../core/oidc/relying-app.ts'
import { newId, storeRow } from '../../core/registrations/stored-clients.ts'
import { errorCode, findLink, unescapeHtml } from '../../html.ts'
import { interceptCalls } from '../../intercept-calls.ts'
import {
  bindAndUse,
  boundService,
  copyOf,
  type Instructions,
  PROOF_COOKIE,
  refresh,
  renew,
  signIn,
} from './bound-browser.ts'
import { boundWith } from './bound-deployment.ts'

const kiosk = new RelyingApp('kiosk', boundService())
const shop = new RelyingApp('shop', boundService())

const NAVIGATION = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }
const FROM_OTHER_SITE = { ...NAVIGATION, 'Sec-Fetch-Site': 'cross-site' }
const FROM_OWN_PAGE = { ...NAVIGATION, 'Sec-Fetch-Site': 'same-origin' }
/** What a browser sends that could not renew the cookie. */
const SKIPPED = { 'Secure-Session-Skipped': 'unreachable' }

/** A browser whose bound cookie has expired. */
async function withExpiredCookie() {
  const bound = await bindAndUse()
  advanceClock(11 * MINUTE)
  bound.browser.cookies.delete(PROOF_COOKIE)
  return bound
}

function refreshUrl(response: Response): string | undefined {
  return /url=(.+)/i.exec(response.headers.get('Refresh') ?? '')?.[1]
}

describe('a navigation from another site without the bound cookie', () => {
  it('is repeated once by a page of ours, and then answered', async () => {
    const { browser, id, key } = await withExpiredCookie()
    const url = await shop.authorizationUrl()

    const page = await browser.get(url, FROM_OTHER_SITE)

    expect(page.status).toBe(200)
    expect(refreshUrl(page)).toBe(url)
    expect(unescapeHtml(await page.text())).toContain(`href="${url}"`)
    await renew(browser, { id, key })
    const response = await browser.get(url, FROM_OWN_PAGE)
    expect(response.headers.get('Location')).toContain('https://shop.example/callback?code=')
  })

  it.each(['cross-site', 'same-site', 'none'])('is repeated if it is %s', async (site) => {
    const { browser } = await withExpiredCookie()

    for (const path of ['/account', '/admin', '/api/auth/signin', '/oidc/logout', '/device']) {
      const page = await browser.get(path, { ...FROM_OTHER_SITE, 'Sec-Fetch-Site': site })
      expect(refreshUrl(page), path).toBe(`https://login.example${path}`)
    }
  })

  it('stays at this service, whatever its path is', async () => {
    const { browser } = await withExpiredCookie()

    const page = await browser.get('https://login.example//evil.example/x', FROM_OTHER_SITE)

    expect(refreshUrl(page)).toBe('https://login.example//evil.example/x')
  })

  it('does not use up the callback of a provider', async () => {
    const { browser, id, key } = await withExpiredCookie()
    const callback = await browser.approve(await browser.start({ prompt: 'login' }), 'noa')

    const page = await browser.get(callback, FROM_OTHER_SITE)
    expect(refreshUrl(page)).toBe(new URL(callback, 'https://login.example').href)
    await renew(browser, { id, key })

    expect((await browser.get(callback, FROM_OWN_PAGE)).status).not.toBe(400)
  })

  it('is not repeated for a session that is not bound, or has the cookie', async () => {
    const { browser } = await bindAndUse()
    const unbound = (await signIn()).browser

    for (const other of [browser, unbound]) {
      expect(refreshUrl(await other.get('/account', FROM_OTHER_SITE))).toBeUndefined()
    }
  })

  it.each([
    ['a frame', { 'Sec-Fetch-Dest': 'iframe' }],
    ['a script', { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' }],
    ['a prefetch', { 'Sec-Purpose': 'prefetch' }],
  ])('is not repeated for %s', async (_, headers) => {
    const { browser } = await withExpiredCookie()

    const response = await browser.get('/account', { ...FROM_OTHER_SITE, ...headers })

    expect(refreshUrl(response)).toBeUndefined()
  })
})

describe('a request of a browser that could not renew the cookie', () => {
  it('gets 503 from the session endpoint, also a frontend of the site', async () => {
    const { browser } = await withExpiredCookie()

    for (const path of ['/api/auth/session', '/api/auth/session?token=false']) {
      const response = await browser.get(path, {
        ...SKIPPED,
        Accept: 'application/json',
        Origin: 'https://shop.example',
      })
      expect(response.status).toBe(503)
      expect(response.headers.get('Retry-After')).toBe('10')
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe('https://shop.example')
    }
  })

  it.each(['/account', '/admin'])('gets a page that says to try again: %s', async (path) => {
    const { browser } = await withExpiredCookie()

    const response = await browser.get(path, { ...FROM_OWN_PAGE, ...SKIPPED })

    expect(response.status).toBe(503)
    expect(await errorCode(response)).toBe('unavailable')
  })

  it('gets such a page for an authorization request, and the app an error if it must be silent', async () => {
    const { browser } = await withExpiredCookie()
    const headers = { ...FROM_OWN_PAGE, ...SKIPPED }

    expect((await browser.get(await shop.authorizationUrl(), headers)).status).toBe(503)
    const silent = await browser.get(await shop.authorizationUrl({ prompt: 'none' }), headers)
    const url = new URL(silent.headers.get('Location') ?? '')
    expect(url.searchParams.get('error')).toBe('temporarily_unavailable')
  })

  it('keeps the session', async () => {
    const { browser, id, key } = await withExpiredCookie()
    await browser.get('/account', { ...FROM_OWN_PAGE, ...SKIPPED })

    await renew(browser, { id, key })

    expect((await browser.get('/account', FROM_OWN_PAGE)).status).toBe(200)
  })

  it('can sign in again', async () => {
    const { browser, handle } = await withExpiredCookie()

    const page = await browser.get('/api/auth/signin', { ...FROM_OWN_PAGE, ...SKIPPED })
    expect(page.status).toBe(200)
    const callback = await browser.approve(await browser.start({ prompt: 'login' }), handle)
    const response = await browser.get(callback, { ...FROM_OWN_PAGE, ...SKIPPED })

    expect(response.status).toBeLessThan(400)
    expect(await browser.session()).not.toBeNull()
  })

  it('has no session any more after ten minutes of failures', async () => {
    const { browser } = await withExpiredCookie()
    const request = () => browser.get('/api/auth/session', { ...SKIPPED, Accept: '*/*' })

    expect((await request()).status).toBe(503)
    advanceClock(9 * MINUTE)
    expect((await request()).status).toBe(503)
    advanceClock(2 * MINUTE)
    expect(await (await request()).json()).toBeNull()
  })

  it('has ten minutes again after a renewal', async () => {
    const { browser, id, key } = await withExpiredCookie()
    await browser.get('/api/auth/session', { ...SKIPPED, Accept: '*/*' })
    await renew(browser, { id, key })
    advanceClock(11 * MINUTE)
    browser.cookies.delete(PROOF_COOKIE)

    const response = await browser.get('/api/auth/session', { ...SKIPPED, Accept: '*/*' })

    expect(response.status).toBe(503)
  })

  it('has none without the header', async () => {
    const { browser } = await withExpiredCookie()

    expect(await browser.session()).toBeNull()
    const silent = await shop.callbackFor(browser, { prompt: 'none' })
    expect(silent.searchParams.get('error')).toBe('login_required')
    const response = await browser.get('/account', FROM_OWN_PAGE)
    expect(response.headers.get('Location')).toContain('/api/auth/signin')
  })
})

describe('the origins that may start a renewal', () => {
  async function listed(bound: Awaited<ReturnType<typeof bindAndUse>>): Promise<string[]> {
    advanceClock(2 * MINUTE) // registrations are cached for a minute
    const response = await renew(bound.browser, bound)
    return (await response.json<Instructions>()).allowed_refresh_initiators
  }

  it('are those of first-party apps, also of one that is added or removed later', async () => {
    const bound = await bindAndUse()
    const hosts = await listed(bound)
    expect(hosts).toContain('shop.example')
    expect(hosts).not.toContain('kiosk.example')

    const client = newId()
    const redirect_uris = [
      'https://later.example/cb',
      'https://*.preview.later.example/cb',
      'http://localhost:5173/cb',
    ]
    await storeRow(client, JSON.stringify({ redirect_uris, first_party: true }))
    const added = await listed(bound)
    expect(added).toEqual(
      expect.arrayContaining(['later.example', '*.preview.later.example', 'shop.example']),
    )
    expect(added).not.toContain('localhost')

    await env.DIRECTORY.prepare('DELETE FROM clients WHERE client_id = ?').bind(client).run()
    expect(await listed(bound)).not.toContain('later.example')
  })
})

describe('checking a bound session', () => {
  it('calls storage no more often than without the feature', async () => {
    const { browser } = await bindAndUse()
    await browser.json('/api/auth/session?token=false')
    const calls: string[] = []
    const record =
      (name: string) =>
      (perform: () => PromiseLike<unknown>, { method }: { method: string }) => {
        calls.push(`${name}.${method}`)
        return Promise.resolve(perform())
      }
    const service = boundService({
      USERS: interceptCalls(env.TEST_BOUND_USERS, record('USERS')),
      SESSIONS: interceptCalls(env.SESSIONS, record('SESSIONS')),
    })
    const same = copyOf(browser, undefined, service)

    await same.json('/api/auth/session?token=false')
    expect(calls.splice(0)).toEqual(['SESSIONS.get'])
    await same.session()
    expect(calls.splice(0)).toEqual(['USERS.readSession'])
  })
})

describe('requiredForConsole', () => {
  const deployment = boundWith({ requiredForConsole: true })
  const service = (userId: string) =>
    serviceOf(deployment, { USERS: env.TEST_BOUND_USERS, AUTH_ADMINS: userId })

  it('opens the console with a bound session only, and says which browsers have one', async () => {
    const { browser, userId } = await bindAndUse()
    const { browser: other } = await signIn()
    const unbound = await other.session()

    const opened = await new Browser(service(userId)).withCookiesOf(browser).get('/admin')
    expect(opened.status).toBe(200)
    for (const path of ['/admin', '/admin/users', '/admin/live']) {
      const page = new Browser(service(unbound?.user.id ?? '')).withCookiesOf(other)
      const response = await page.get(path)
      expect(response.status, path).toBe(403)
      expect(await response.text()).toContain('Google Chrome on Windows')
    }
  })

  it.each([
    ['GET', '/admin/users?list=blocked', '/admin/users?list=blocked'],
    ['POST', '/admin/users', '/admin'],
  ])(
    'offers to try again at first, and then to sign in again: %s %s',
    async (method, path, target) => {
      const { browser } = await signIn()
      const userId = (await browser.session())?.user.id ?? ''
      const page = async () => {
        const console_ = new Browser(service(userId)).withCookiesOf(browser)
        const headers = { 'Sec-Fetch-Site': 'same-origin' }
        return (await console_.fetch(path, { method, headers })).text()
      }

      expect(findLink(await page(), '/admin')).toBe(target)
      advanceClock(3 * MINUTE)
      const params = new URLSearchParams({ callbackUrl: target, prompt: 'login' })
      expect(findLink(await page(), '/admin')).toBe('')
      expect(findLink(await page(), '/api/auth/signin')).toBe(`/api/auth/signin?${params}`)
    },
  )

  it('does not accept the bound cookie of another session', async () => {
    const own = await bindAndUse()
    const { browser } = await signIn()
    const session = await browser.session()
    advanceClock(3 * MINUTE)
    const thief = new Browser(service(session?.user.id ?? '')).withCookiesOf(browser)
    thief.cookies.set(PROOF_COOKIE, own.browser.cookies.get(PROOF_COOKIE) ?? '')

    expect((await thief.get('/admin')).status).toBe(403)
  })
})

describe('the account page', () => {
  it('says which sessions are bound', async () => {
    const { browser, handle } = await bindAndUse()
    const other = await signIn(undefined, handle)

    const page = await (await other.browser.get('/account')).text()

    expect(page.match(/This device only/g)).toHaveLength(1)
    expect(await (await browser.get('/account')).text()).toContain('This device only')
  })
})

it('asks for a consent as in any other session', async () => {
  const { browser } = await bindAndUse()

  expect((await browser.get(await kiosk.authorizationUrl())).status).toBe(200)
  expect((await refresh(browser, 'x')).status).toBe(400)
})
