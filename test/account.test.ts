import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Browser, logLines, serviceWith, standIn } from './browser.ts'
import { RelyingApp } from './oidc/relying-app.ts'

const HOSTILE = 'https://hostile.example/plain'

const oidc = {
  AUTH_OIDC_ID: 'our-client',
  AUTH_OIDC_SECRET: 'our-secret-Kq7vR2',
  AUTH_OIDC_ISSUER: HOSTILE,
  AUTH_OIDC_NAME: 'Our company',
}
const gitlab = {
  AUTH_GITLAB_ID: 'git-client',
  AUTH_GITLAB_SECRET: 'git-secret-7Hk2',
  AUTH_GITLAB_ISSUER: 'https://git.example',
}

const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'navigate' }

/** Goes to this address, through the plain OAuth 2 server and back. */
async function throughGitLab(browser: Browser, path: string, headers: Record<string, string> = {}) {
  const start = await browser.get(path, headers)
  if (start.status !== 302) return start
  const answer = await fetch(start.headers.get('Location') ?? '', { redirect: 'manual' })
  return browser.get(answer.headers.get('Location') ?? '')
}

/** The link to link a GitLab account, as the account page has it. */
async function linkOf(browser: Browser): Promise<string> {
  const page = await (await browser.get('/account')).text()
  return page.match(/href="([^"]*signin\/gitlab[^"]*)"/)?.[1]?.replaceAll('&amp;', '&') ?? ''
}

async function newcomer(
  service = serviceWith({ ...oidc, ...gitlab }),
  handle = `p${crypto.randomUUID().slice(0, 8)}`,
): Promise<Browser> {
  await standIn.post('users', { handle, displayName: `Person ${handle}` })
  const browser = new Browser(service)
  await browser.signIn(handle, { prompt: 'login' })
  return browser
}

/** What the page's forms call the person's accounts. */
async function handlesOf(browser: Browser): Promise<string[]> {
  const page = await (await browser.get('/account')).text()
  return Array.from(page.matchAll(/name="account" value="([^"]+)"/g), ([, handle = '']) => handle)
}

const accountsOf = (userId = '') =>
  env.DIRECTORY.prepare('SELECT provider FROM accounts WHERE user_id = ? ORDER BY rowid')
    .bind(userId)
    .all<{ provider: string }>()

async function forgetGitLab() {
  await env.DIRECTORY.prepare("DELETE FROM accounts WHERE provider = 'gitlab'").run()
}

afterEach(async () => {
  vi.useRealTimers()
  await forgetGitLab()
})

describe('GET /account', () => {
  it('asks who is not signed in to sign in', async () => {
    expect((await new Browser().get('/account')).headers.get('Location')).toBe(
      '/api/auth/signin?callbackUrl=%2Faccount',
    )
  })

  it('shows the accounts a person can sign in with, and what they can link', async () => {
    const browser = await newcomer()

    const page = await (await browser.get('/account')).text()

    expect(page).toContain('<strong>TikTok</strong> \u2068Person p')
    expect(page).toContain('Link GitLab')
    expect(page).toContain('Link Our company')
    expect(page).toContain('Disconnect TikTok')
  })
})

describe('an account', () => {
  it('[S6] is linked to who is signed in, and signs the same person in from then on', async () => {
    const browser = await newcomer()
    const { user } = (await browser.session()) ?? {}

    const response = await throughGitLab(browser, await linkOf(browser), OWN_PAGE)

    expect(response.headers.get('Location')).toBe('https://login.example/account')
    expect((await accountsOf(user?.id)).results.map(({ provider }) => provider)).toEqual([
      'tiktok',
      'gitlab',
    ])
    expect((await browser.session())?.user).toEqual(user)
    expect(logLines.join()).toContain('account_linked')
    const elsewhere = new Browser(serviceWith({ ...oidc, ...gitlab }))
    await throughGitLab(elsewhere, '/api/auth/signin/gitlab')
    expect((await elsewhere.session())?.user.id).toBe(user?.id)
  })

  it('[S6] that belongs to somebody else stays theirs', async () => {
    const owner = new Browser(serviceWith({ ...oidc, ...gitlab }))
    await throughGitLab(owner, '/api/auth/signin/gitlab')
    const browser = await newcomer()

    const response = await throughGitLab(browser, await linkOf(browser), OWN_PAGE)

    expect(response.status).toBe(409)
    expect(await response.text()).toContain('account_taken')
    expect((await accountsOf((await browser.session())?.user.id)).results).toHaveLength(1)
    expect((await accountsOf((await owner.session())?.user.id)).results).toHaveLength(1)
  })

  it('[S6] is not linked without a fresh sign-in', async () => {
    const browser = await newcomer()
    vi.useFakeTimers({ now: Date.now() + 601_000, toFake: ['Date'] })

    const response = await throughGitLab(browser, await linkOf(browser), OWN_PAGE)

    expect(response.status).toBe(401)
    expect(await response.text()).toContain('sign_in_again')
  })

  it('[S6] is not linked when the sign-in went stale on the way, or somebody else came back', async () => {
    const browser = await newcomer()
    const start = await browser.get(await linkOf(browser), OWN_PAGE)
    const answer = await fetch(start.headers.get('Location') ?? '', { redirect: 'manual' })
    const other = await newcomer()
    for (const [name, value] of browser.cookies)
      if (name.includes('attempt')) other.cookies.set(name, value)

    const response = await other.get(answer.headers.get('Location') ?? '')

    expect(response.status).toBe(409)
    expect((await accountsOf((await other.session())?.user.id)).results).toHaveLength(1)
    expect((await accountsOf((await browser.session())?.user.id)).results).toHaveLength(1)
  })

  it.each([
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'none' },
    {},
  ])('[S6] is not linked by a link that is not ours: %o', async (headers) => {
    const browser = await newcomer()

    const response = await browser.get(await linkOf(browser), { ...headers } as Record<
      string,
      string
    >)

    expect([200, 403]).toContain(response.status)
    expect(browser.cookieNames('attempt.')).toEqual([])
  })

  it('is disconnected: everything ends, and it signs nobody in as them any more', async () => {
    const browser = await newcomer()
    const { user } = (await browser.session()) ?? {}
    await throughGitLab(browser, await linkOf(browser), OWN_PAGE)
    const elsewhere = new Browser(serviceWith({ ...oidc, ...gitlab }))
    await throughGitLab(elsewhere, '/api/auth/signin/gitlab')
    expect((await elsewhere.session())?.user.id).toBe(user?.id)
    const [, gitLab = ''] = await handlesOf(browser)

    const response = await browser.post('/account/disconnect', { account: gitLab })

    expect(response.headers.get('Location')).toBe('/api/auth/signout')
    expect([await browser.session(), await elsewhere.session()]).toEqual([null, null])
    expect((await accountsOf(user?.id)).results).toEqual([{ provider: 'tiktok' }])
    await throughGitLab(elsewhere, '/api/auth/signin/gitlab')
    expect((await elsewhere.session())?.user.id).not.toBe(user?.id)
  })

  it('that is the last one is disconnected too, and who signs in with it again is the same person', async () => {
    const handle = `p${crypto.randomUUID().slice(0, 8)}`
    const browser = await newcomer(undefined, handle)
    const { user } = (await browser.session()) ?? {}
    const [only = ''] = await handlesOf(browser)

    await browser.post('/account/disconnect', { account: only })

    expect(await browser.session()).toBeNull()
    await browser.signIn(handle)
    expect((await browser.session())?.user.id).toBe(user?.id)
  })

  it.each(['disconnect', 'delete'])(
    'whose tokens are kept is given back to the platform: %s',
    async (way) => {
      const browser = await newcomer(serviceWith({ AUTH_TIKTOK_TOKENS: 'keep' }))
      const before = await standIn.countRequests('/v2/oauth/revoke/')
      const [only = ''] = await handlesOf(browser)

      await browser.post(`/account/${way}`, { account: only })

      await vi.waitFor(async () => {
        const told = (await standIn.log()).filter(({ path }) => path === '/v2/oauth/revoke/')
        expect(told).toHaveLength(before + 1)
        expect(told.at(-1)?.status).toBe(200)
      })
    },
  )

  it('takes nothing else along: what another account granted is not given back', async () => {
    const keeping = serviceWith({ ...oidc, ...gitlab, AUTH_TIKTOK_TOKENS: 'keep' })
    const browser = await newcomer(keeping)
    await throughGitLab(browser, await linkOf(browser), OWN_PAGE)
    const [tikTok = '', gitLab = ''] = await handlesOf(browser)
    const revoked = await standIn.countRequests('/v2/oauth/revoke/')

    expect(tikTok).not.toBe('')
    await browser.post('/account/disconnect', { account: gitLab })

    // As long as giving back takes, where it is done.
    await scheduler.wait(300)
    expect(await standIn.countRequests('/v2/oauth/revoke/')).toBe(revoked)
  })

  it('leaves another of the same platform what it granted', async () => {
    const keeping = serviceWith({ AUTH_TIKTOK_TOKENS: 'keep' })
    const [first, second] = [0, 1].map(() => `p${crypto.randomUUID().slice(0, 8)}`)
    await standIn.post('users', { handle: second })
    const browser = await newcomer(keeping, first)
    const page = await (await browser.get('/account')).text()
    const [, link = ''] = page.match(/href="([^"]*signin\/tiktok\?link[^"]*)"/) ?? []
    const start = await browser.get(link.replaceAll('&amp;', '&'), OWN_PAGE)
    const authorization = new URL(start.headers.get('Location') ?? '')
    await browser.get(await browser.approve(authorization, second ?? ''))
    await new Browser(keeping).signIn(second)
    const revoked = await standIn.countRequests('/v2/oauth/revoke/')
    const [handle = ''] = await handlesOf(browser)

    await browser.post('/account/disconnect', { account: handle })

    await vi.waitFor(async () =>
      expect(await standIn.countRequests('/v2/oauth/revoke/')).toBe(revoked + 1),
    )
    // Whoever was given back is asked again, and the other is not.
    const authorizationOf = async (person = '') =>
      fetch(`${await new Browser(keeping).start()}&__as=${person}`, { redirect: 'manual' })
    expect((await authorizationOf(second)).status).toBe(302)
    expect((await authorizationOf(first)).status).toBe(200)
    expect(await browser.session()).toBeNull()
  })

  it('of two disconnected at once leaves one', async () => {
    const browser = await newcomer()
    const { user } = (await browser.session()) ?? {}
    await throughGitLab(browser, await linkOf(browser), OWN_PAGE)
    const handles = await handlesOf(browser)

    await Promise.all(handles.map((account) => browser.post('/account/disconnect', { account })))

    expect((await accountsOf(user?.id)).results).toHaveLength(1)
  })

  it('[S7] is disconnected in all apps of the same developer: none of its names leads back', async () => {
    const handle = `p${crypto.randomUUID().slice(0, 8)}`
    const browser = await newcomer(undefined, handle)
    const { user } = (await browser.session()) ?? {}
    await throughGitLab(browser, await linkOf(browser), OWN_PAGE)
    const key = { clientKey: 'aw5t6r7e8w9q0p1o2', clientSecret: 'Lm4nBv7cXz2aSd9fGh1jKl5qWe8rTy3u' }
    await standIn.post('apps', {
      ...key,
      kind: 'production',
      scopes: ['user.info.basic', 'user.info.profile'],
      redirectUris: [{ platform: 'web', uri: 'https://login.example/api/auth/callback/tiktok' }],
    })
    const production = () =>
      new Browser(
        serviceWith({ AUTH_TIKTOK_ID: key.clientKey, AUTH_TIKTOK_SECRET: key.clientSecret }),
      )
    const other = production()
    await other.signIn(handle)
    expect((await other.session())?.user.id).toBe(user?.id)
    const [first = ''] = await handlesOf(browser)

    await browser.post('/account/disconnect', { account: first })

    expect((await accountsOf(user?.id)).results).toEqual([{ provider: 'gitlab' }])
    const again = production()
    await again.signIn(handle)
    expect((await again.session())?.user.id).not.toBe(user?.id)
  })

  it('[S7] of a person whom the platform knows by union_id is theirs in another app of the same developer (better-auth#10406)', async () => {
    const sandbox = new Browser()
    await sandbox.signIn('mia')
    await standIn.post('apps', {
      clientKey: 'aw3x5y7z9b1d2f4h6',
      clientSecret: 'Rk2nVq8sLw4tZp7mXc9bHd3fGj6yTa1e',
      kind: 'production',
      scopes: ['user.info.basic', 'user.info.profile'],
      redirectUris: [{ platform: 'web', uri: 'https://login.example/api/auth/callback/tiktok' }],
    })
    const production = new Browser(
      serviceWith({
        AUTH_TIKTOK_ID: 'aw3x5y7z9b1d2f4h6',
        AUTH_TIKTOK_SECRET: 'Rk2nVq8sLw4tZp7mXc9bHd3fGj6yTa1e',
      }),
    )

    await production.signIn('mia')

    expect((await production.session())?.user.id).toBe((await sandbox.session())?.user.id)
  })
})

/** What the page's forms call the person's sessions. */
async function sidsOf(browser: Browser): Promise<string[]> {
  const page = await (await browser.get('/account')).text()
  return Array.from(page.matchAll(/name="sid" value="([^"]+)"/g), ([, sid = '']) => sid)
}

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

describe('the sessions of a person', () => {
  it('are shown with browser, place, apps and time; this one without a button', async () => {
    const handle = `p${crypto.randomUUID().slice(0, 8)}`
    const browser = await newcomer(undefined, handle)
    const laptop = new Browser(serviceWith({}))
    const authorization = await laptop.start()
    const callback = await laptop.approve(authorization, handle)
    await laptop.get(callback, { 'User-Agent': FIREFOX })
    await new RelyingApp('kiosk').authorizationUrl()
    await laptop.get(await new RelyingApp('web').authorizationUrl())

    const page = await (await browser.get('/account')).text()

    expect(page).toContain('this browser')
    expect(page).toContain('<strong>Firefox, Linux</strong>')
    expect(page).toContain('The web app')
    expect(page).toMatch(/last seen on \w+ \d+, \d{4}/)
    expect(await sidsOf(browser)).toEqual([expect.stringMatching(/^ses_/), 'others'])
  })

  it('end one by one, at once and with all that was granted in them', async () => {
    const handle = `p${crypto.randomUUID().slice(0, 8)}`
    const browser = await newcomer(undefined, handle)
    const laptop = new Browser()
    await laptop.signIn(handle)
    const app = new RelyingApp()
    const tokens = await app.tokens(laptop, { scope: 'openid offline_access' })
    const [sid = ''] = await sidsOf(browser)

    const response = await browser.post('/account/sessions', { sid })

    expect(response.headers.get('Location')).toBe('/account')
    expect(await laptop.session()).toBeNull()
    expect(await laptop.json('/api/auth/session?token=false')).toBeNull()
    await expect(app.refresh(tokens.refresh_token ?? '')).rejects.toThrow()
    expect(await browser.session()).not.toBeNull()
  })

  it('[J12] end all but this one', async () => {
    const handle = `p${crypto.randomUUID().slice(0, 8)}`
    const browser = await newcomer(undefined, handle)
    const others = [new Browser(), new Browser(), new Browser()]
    for (const other of others) await other.signIn(handle)

    await browser.post('/account/sessions', { sid: 'others' })

    for (const other of others) {
      expect(await other.session()).toBeNull()
      expect(await other.json('/api/auth/session?token=false')).toBeNull()
    }
    expect(await browser.session()).not.toBeNull()
    expect(await sidsOf(browser)).toEqual([])
  })

  it('of somebody else do not end', async () => {
    const handle = `p${crypto.randomUUID().slice(0, 8)}`
    const [browser, victim] = [await newcomer(), await newcomer(undefined, handle)]
    const other = new Browser()
    await other.signIn(handle)
    const [sid = ''] = await sidsOf(victim)

    await browser.post('/account/sessions', { sid })

    expect([await victim.session(), await other.session()]).not.toContain(null)
  })
})

describe('what a person has allowed', () => {
  it('is shown, and taken back: the app is out at once, and asks again', async () => {
    const browser = await newcomer(serviceWith({}))
    const app = new RelyingApp('kiosk')
    const url = await app.authorizationUrl({ scope: 'openid profile offline_access' })
    const consent = await (await browser.get(url)).text()
    const request = consent.match(/name="request" value="([^"]+)"/)?.[1] ?? ''
    const agreed = await browser.post('/oidc/consent', { request, answer: 'approve' })
    const answered = await browser.get(agreed.headers.get('Location') ?? '')
    const tokens = await app.exchange(new URL(answered.headers.get('Location') ?? ''))
    const page = await (await browser.get('/account')).text()
    expect(page).toContain('<strong>The kiosk</strong>')
    expect(page).toContain('see your name and picture')

    await browser.post('/account/consents', { client_id: 'kiosk' })

    expect(await (await browser.get('/account')).text()).not.toContain('The kiosk')
    await expect(app.refresh(tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    expect((await browser.get(url)).status).toBe(200)
  })
})

describe('deleting an account', () => {
  it('[C24][S10] ends everything and forgets the person; who comes again is somebody new', async () => {
    const handle = `p${crypto.randomUUID().slice(0, 8)}`
    const browser = await newcomer(serviceWith({}), handle)
    const { user } = (await browser.session()) ?? {}
    const app = new RelyingApp()
    const tokens = await app.tokens(browser, { scope: 'openid offline_access' })
    const asked = await (await browser.get('/account/delete')).text()
    expect(asked).toContain('id="confirm-delete"')

    const response = await browser.post('/account/delete', {})

    expect(await response.text()).toContain('Your account is deleted')
    expect(browser.cookieNames('session')).toEqual([])
    await expect(app.refresh(tokens.refresh_token ?? '')).rejects.toThrow()
    await expect(app.userinfo(tokens.access_token, user?.id ?? '')).rejects.toThrow()
    const people = await env.DIRECTORY.prepare('SELECT 1 FROM users WHERE id = ?')
      .bind(user?.id)
      .all()
    expect([people.results, (await accountsOf(user?.id)).results]).toEqual([[], []])
    await browser.signIn(handle)
    expect((await browser.session())?.user.id).not.toBe(user?.id)
  })

  it('[C24] leaves nothing behind, once apps have been told', async () => {
    const browser = await newcomer(serviceWith({}))
    const object = env.USERS.get(env.USERS.idFromName((await browser.session())?.user.id ?? ''))
    await browser.post('/account/delete', {})

    vi.useFakeTimers({ now: Date.now() + 601_000, toFake: ['Date'] })
    await runDurableObjectAlarm(object)

    const left = await runInDurableObject(object, (_, { storage }) =>
      Array.from(storage.kv.list(), ([key]) => key),
    )
    expect(left).toEqual([])
  })

  it('[C24] is final for a sign-in that was under way', async () => {
    const handle = `p${crypto.randomUUID().slice(0, 8)}`
    const browser = await newcomer(serviceWith({}), handle)
    const { user } = (await browser.session()) ?? {}
    await browser.post('/account/delete', {})
    const object = env.USERS.get(env.USERS.idFromName(user?.id ?? ''))

    const opened = await object.openSession({
      key: 'k',
      sid: 'ses_x',
      attempt: 'a',
      user: { id: user?.id as 'usr_x' },
      isForced: false,
    })

    expect(opened).toBeUndefined()
  })

  it('needs a fresh sign-in', async () => {
    const browser = await newcomer(serviceWith({}))
    vi.useFakeTimers({ now: Date.now() + 601_000, toFake: ['Date'] })

    expect((await browser.get('/account/delete')).status).toBe(401)
    expect((await browser.post('/account/delete', {})).status).toBe(401)
    expect(await browser.session()).not.toBeNull()
  })
})

describe('every change on /account', () => {
  it.each(['disconnect', 'sessions', 'consents', 'delete'])(
    '[M6] %s is not for other sites, nor for who is not signed in',
    async (change) => {
      const browser = await newcomer(serviceWith({}))
      const form = { account: 'x', sid: 'others', client_id: 'kiosk' }

      const foreign = await browser.fetch(`/account/${change}`, {
        form,
        headers: { Origin: 'https://evil.example' },
      })
      const app = await browser.fetch(`/account/${change}`, {
        form,
        headers: { Origin: 'https://shop.example', 'Sec-Fetch-Site': 'cross-site' },
      })
      const nobody = await new Browser().post(`/account/${change}`, form)

      expect([foreign.status, app.status, nobody.status]).toEqual([403, 403, 401])
      expect(await browser.session()).not.toBeNull()
    },
  )
})
