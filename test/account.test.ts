import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Browser, logLines, serviceWith, standIn } from './browser.ts'

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

async function newcomer(service = serviceWith({ ...oidc, ...gitlab })): Promise<Browser> {
  const handle = `p${crypto.randomUUID().slice(0, 8)}`
  await standIn.post('users', { handle, displayName: `Person ${handle}` })
  const browser = new Browser(service)
  await browser.signIn(handle, { prompt: 'login' })
  return browser
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
    expect(page).not.toContain('Unlink')
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

  it('is unlinked, but never the last one', async () => {
    const browser = await newcomer()
    await throughGitLab(browser, await linkOf(browser), OWN_PAGE)
    const page = await (await browser.get('/account')).text()
    const handles = [...page.matchAll(/name="account" value="([^"]+)"/g)].map(
      ([, handle = '']) => handle,
    )
    expect(handles).toHaveLength(2)

    const [first = '', second = ''] = handles
    expect((await browser.post('/account/unlink', { account: second })).status).toBe(303)
    expect((await accountsOf((await browser.session())?.user.id)).results).toEqual([
      { provider: 'tiktok' },
    ])
    const refused = await browser.post('/account/unlink', { account: first })
    expect(refused.status).toBe(409)
    expect(await refused.text()).toContain('account_last')
  })

  it('[M6] is not unlinked by another site, nor by who is not signed in', async () => {
    const browser = await newcomer()

    const foreign = await browser.fetch('/account/unlink', {
      form: { account: 'x' },
      headers: { Origin: 'https://evil.example' },
    })
    const nobody = await new Browser().post('/account/unlink', { account: 'x' })

    expect([foreign.status, nobody.status]).toEqual([403, 401])
  })

  it('of two unlinked at once leaves one', async () => {
    const browser = await newcomer()
    await throughGitLab(browser, await linkOf(browser), OWN_PAGE)
    const page = await (await browser.get('/account')).text()
    const handles = [...page.matchAll(/name="account" value="([^"]+)"/g)].map(
      ([, handle = '']) => handle,
    )

    await Promise.all(handles.map((account) => browser.post('/account/unlink', { account })))

    expect((await accountsOf((await browser.session())?.user.id)).results).toHaveLength(1)
  })

  it('[S7] of a person whom the platform knows by union_id is theirs in another app of the same developer', async () => {
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
