import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { version } from '../../../package.json'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import { AUDIT_EVENTS } from '../../../src/core/audit/audit-entry.ts'
import {
  apiSchemaOf,
  clientSchemaOf,
} from '../../../src/core/registration-schemas/deployment-schemas.ts'
import { options } from '../../../src/deployment.ts'
import { admin } from '../../../src/features/admin/feature.ts'
import { metricsObject } from '../../../src/features/admin/metrics/metrics-object.ts'
import { createAdmin } from '../../../src/features/admin/routes.ts'
import { CLOCK_HINT } from '../../../src/foundation/errors/failure-detail.ts'
import { Oidc } from '../../../src/providers/index.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import {
  Browser,
  LOGIN,
  lastLogEntry,
  serviceOf,
  serviceWith,
  standIn,
  TOKEN_PATH,
} from '../../browser.ts'
import { advanceClock, HOUR, MINUTE, setClock, stopClock } from '../../clock.ts'
import { RelyingApp } from '../../core/oidc/relying-app.ts'
import keys from '../../core/oidc/signing-keys.json'
import { declared, readConfig } from '../../deployment.ts'
import { hangingCall } from '../../hanging-call.ts'
import {
  confirmation,
  errorCode,
  findLink,
  hiddenFields,
  inputValues,
  problemAt,
  shownFields,
} from '../../html.ts'
import { interceptCalls } from '../../intercept-calls.ts'
import { createPlatformUser, signInNewUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { failingToBlock, linkedProviders, sessionCacheWith, userObject } from '../../storage.ts'
import { createPasskeyUser, passkeyBrowser } from '../passkeys/passkey-user.ts'
import { signInAdministrator, signInWithRole, submitForm } from './administrator.ts'

/** Every route of the console, with values for the parameters of its path. */
const ROUTES = createAdmin(declared.features, { signIn: false })
  .routes.filter(({ method, path }) => method !== 'ALL' && !path.startsWith('/admin/api'))
  .map(({ method, path }) => [method, path.replaceAll(/:\w+/g, 'shop')] as const)
  .filter(
    ([method, path], index, all) =>
      all.findIndex((other) => other[0] === method && other[1] === path) === index,
  )

const PAGES = ROUTES.filter(([method]) => method === 'GET').map(([, path]) => path)

/** The forms that change nothing: one shows a preview, and the others are about what does not exist. */
const WITHOUT_CHANGE = [
  '/admin/new/clients/preview',
  ...['apis', 'webhooks', 'administrators'].map((section) => `/admin/${section}/shop/edit`),
]

async function auditEntries(actor: string) {
  const { results } = await env.DIRECTORY.prepare(
    'SELECT event, outcome, subject, detail FROM audit WHERE actor = ? ORDER BY id',
  )
    .bind(actor)
    .all()
  return results
}

/** A page without what differs between requests for two paths. */
async function comparablePage(response: Response, path: string): Promise<string> {
  const page = await response.text()
  return page
    .replaceAll(/nonce="[^"]*"/g, '')
    .replace(`?callbackUrl=${encodeURIComponent(path)}"`, '?callbackUrl="')
    .replace(response.headers.get('X-Request-Id') ?? '', '')
}

describe('the console', () => {
  it('has all its routes tested', () => {
    expect(ROUTES.length).toBeGreaterThan(35)
    expect(PAGES).toContain('/admin')
  })

  it.each(ROUTES)(
    'does not exist for a visitor who is not signed in: %s %s',
    async (method, path) => {
      const visitor = new Browser()
      const unknown = await visitor.fetch('/nowhere', { method })

      const response = await visitor.fetch(path, { method })

      expect(response.status).toBe(404)
      expect(await comparablePage(response, path)).toBe(await comparablePage(unknown, '/nowhere'))
      expect([...response.headers.keys()]).toEqual([...unknown.headers.keys()])
    },
  )

  it('does not exist for a signed-in user, on every route, and records the first attempt in an hour', async () => {
    const { browser, userId } = await signInNewUser()
    const denials = async () =>
      (await auditEntries(userId)).filter(({ event }) => event === 'admin_denied')

    for (const [method, path] of ROUTES) {
      const response = await browser.fetch(path, { method })

      expect(response.status, `${method} ${path}`).toBe(404)
      expect(await errorCode(response)).toBe('not_found')
      expect(await denials()).toMatchObject([{ outcome: 'denied', detail: `${method} ${path}` }])
      await env.DIRECTORY.prepare('DELETE FROM audit WHERE actor = ?').bind(userId).run()
    }
    stopClock()
    for (let visit = 0; visit < 3; visit++) await browser.get('/admin')
    expect(await denials()).toHaveLength(1)
    advanceClock(HOUR)
    for (let visit = 0; visit < 3; visit++) await browser.get('/admin')
    expect(await denials()).toHaveLength(2)
  })

  it('has a sign-in link on its 404 page, which returns to the requested page', async () => {
    const handle = await createPlatformUser()
    const visitor = new Browser()
    const page = await (await visitor.get('/admin/users?query=mia')).text()
    const { searchParams } = new URL(findLink(page, '/api/auth/signin'), visitor.origin)
    const callbackUrl = searchParams.get('callbackUrl') ?? ''

    const response = await visitor.signIn(handle, { callbackUrl })

    expect(response.headers.get('Location')).toBe(`${visitor.origin}/admin/users?query=mia`)
  })

  it('is linked on the account page of administrators of every role, and of nobody else', async () => {
    const { administrator } = await signInAdministrator()
    const { browser: support } = await signInWithRole('support')
    const { browser: user } = await signInNewUser()
    const linkOf = async (browser: Browser) =>
      findLink(await (await browser.get('/account')).text(), '/admin')

    expect(await Promise.all([administrator, support, user].map(linkOf))).toEqual([
      '/admin',
      '/admin',
      '',
    ])
  })

  it('has a link to sign out on its pages, after which it does not exist', async () => {
    const { administrator: browser } = await signInAdministrator()
    for (const path of ['/admin', '/admin/users', '/admin/clients/new', '/admin/audit']) {
      const page = await (await browser.get(path)).text()
      expect(findLink(page, 'signout'), path).toBe('/api/auth/signout')
    }

    const confirmation = await (await browser.get('/api/auth/signout')).text()
    await browser.post('/api/auth/signout', Object.fromEntries(hiddenFields(confirmation)))

    expect(confirmation).toContain('Sign out?')
    expect((await browser.get('/admin')).status).toBe(404)
  })

  it('does not exist for a user whose account has the same id at another issuer', async () => {
    const { browser, userId } = await signInNewUser()
    const account = await env.DIRECTORY.prepare('SELECT * FROM accounts WHERE user_id = ?')
      .bind(userId)
      .first<{ provider_account_id: string }>()
    const name = `tiktok:${account?.provider_account_id}`
    const administrator = new Browser(serviceWith({ AUTH_ADMINS: name })).withCookiesOf(browser)
    expect((await administrator.get('/admin')).status).toBe(200)

    await env.DIRECTORY.prepare(
      "UPDATE accounts SET issuer = 'https://other.example' WHERE user_id = ?",
    )
      .bind(userId)
      .run()

    expect((await administrator.get('/admin')).status).toBe(404)
  })

  it.each(['id', 'account'])(
    'opens for administrators in the database, by their %s',
    async (kind) => {
      const { browser, userId } = await signInNewUser()
      expect((await browser.get('/admin')).status).toBe(404)

      await env.DIRECTORY.prepare(
        `INSERT INTO administrators SELECT ${kind === 'id' ? 'user_id' : "'tiktok:' || provider_account_id"}, 'support', 0, 'operator'
       FROM accounts WHERE user_id = ?`,
      )
        .bind(userId)
        .run()

      expect((await browser.get('/admin')).status).toBe(200)
      expect(lastLogEntry()).toMatchObject({ route: '/admin', userId })
    },
  )

  it('[L14][J12] closes as soon as the session has ended, even if a copy of it remains', async () => {
    const SESSIONS = sessionCacheWith({ delete: async () => {} })
    const { administrator, userId } = await signInAdministrator({ SESSIONS })
    await runInDurableObject(userObject(userId), (_, { storage }) => {
      for (const [key] of storage.kv.list({ prefix: 'session:' })) storage.kv.delete(key)
    })

    for (const [method, path] of ROUTES) {
      const headers = { 'Sec-Fetch-Site': 'same-origin' }
      const { status } = await administrator.fetch(path, { method, headers })
      expect(status, `${method} ${path}`).toBe(404)
    }
    expect(await administrator.json('/api/auth/session?token=false')).not.toBeNull()
  })

  it('[L14] closes as soon as the session has ended', async () => {
    const { administrator } = await signInAdministrator()
    const copy = new Browser(serviceWith({})).withCookiesOf(administrator)
    await copy.post('/api/auth/signout', {})

    expect((await administrator.get('/admin')).status).toBe(404)
  })

  it('[M1] has the Content-Security-Policy of all pages, without inline scripts and styles of others', async () => {
    const { administrator } = await signInAdministrator()

    const response = await administrator.get('/admin')

    const policy = response.headers.get('Content-Security-Policy')
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'nonce-[^']+'; script-src 'nonce-[^']+'; img-src data:; form-action 'self'; /,
    )
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    const page = await response.text()
    expect(page).not.toMatch(/<script>|style=|onclick/)
    expect(page).toContain('<html lang="en">')
  })

  it('shows the host of the service, who is signed in, and the pages above', async () => {
    const { administrator, handle } = await signInAdministrator()
    const { userId } = await signInNewUser()

    const overview = await (await administrator.get('/admin')).text()
    const user = await (await administrator.get(`/admin/users/${userId}`)).text()

    expect(overview).toContain('<strong>login.example</strong>')
    expect(overview).toMatch(
      new RegExp(`Signed in as <a href="/account">\u2068[^<]*${handle}`, 'i'),
    )
    expect(overview).not.toContain('Pages above this one')
    expect(user).toMatch(/aria-label="Pages above this one"><p>← <a href="\/admin\/users">Users</)
  })

  it('counts clients, APIs, webhooks and administrators next to the links, and not users', async () => {
    const { administrator } = await signInAdministrator()
    const count = async (section: string) => {
      const page = await (await administrator.get('/admin/keys')).text()
      const [, link = ''] =
        page.match(new RegExp(`<a href="/admin/${section}">(.*?)</a>`, 's')) ?? []
      return link.match(/<small>(\d+)<\/small>/)?.[1]
    }
    const before = Number(await count('clients'))

    await submitForm(administrator, '/admin/new/clients', {
      client_id: `counted-${crypto.randomUUID()}`,
      redirect_uris: 'https://app.example/callback',
    })

    const list = await (await administrator.get('/admin/clients')).text()
    expect(list).toContain(`Clients: ${before + 1}<`)
    expect(await count('clients')).toBe(String(before + 1))
    for (const section of ['apis', 'webhooks', 'administrators']) {
      expect(await count(section), section).toMatch(/^\d+$/)
    }
    expect(await count('users')).toBeUndefined()
  })

  it('is in English for every browser', async () => {
    const { administrator } = await signInAdministrator()

    const page = await (await administrator.get('/admin', { 'Accept-Language': 'es' })).text()

    expect(page).toContain('<html lang="en">')
    expect(page).toContain('Overview')
  })
})

describe('a deployment with admin({ signIn: true })', () => {
  const service = serviceOf(createVestibule({ ...options, features: [admin({ signIn: true })] }))

  it('leads from a page of the console to the sign-in page, and back', async () => {
    const visitor = new Browser(service)

    const target = redirectUrl(await visitor.get('/admin/users?query=mia'), 303)

    expect(target.pathname).toBe('/api/auth/signin')
    expect(Object.fromEntries(target.searchParams)).toEqual({
      callbackUrl: '/admin/users?query=mia',
    })
    expect((await visitor.fetch('/admin/keys/rotate', { method: 'POST' })).status).toBe(404)
    expect((await visitor.get('/admin/api/users')).status).toBe(404)
  })

  it('still hides the console from signed-in users who are not administrators', async () => {
    const { browser } = await signInNewUser()

    expect((await new Browser(service).withCookiesOf(browser).get('/admin')).status).toBe(404)
  })
})

describe('a deployment with a documentation site', () => {
  it('has links where the console names documents', async () => {
    const { administrator, userId } = await signInAdministrator()
    const features = [admin({ documentation: 'https://docs.example/vestibule' })]
    const service = serviceOf(createVestibule({ ...options, features }), { AUTH_ADMINS: userId })
    const other = new Browser(service).withCookiesOf(administrator)
    const names = async (browser: Browser, path: string) => {
      const page = await (await browser.get(path)).text()
      return page.match(/(?:<a href="[^"]*">)?<code>docs\/[^<]*<\/code>/)?.[0]
    }

    const link = '<a href="https://docs.example/vestibule/docs'
    expect(await names(other, '/admin/configuration')).toBe(
      `${link}/configuration"><code>docs/configuration.md</code>`,
    )
    expect(await names(other, '/admin/new/clients')).toBe(
      `${link}/reference#fields-of-clients"><code>docs/reference.md</code>`,
    )
    expect(await names(other, '/admin/clients/shop')).toMatch(`${link}/relying-apps#a-`)
    expect(await names(administrator, '/admin/configuration')).toBe(
      '<code>docs/configuration.md</code>',
    )
  })

  it('must have a URL that browsers open as a page', () => {
    expect(() => admin({ documentation: 'javascript:alert(1)' })).toThrow('http or https')
  })
})

describe('a change in the console', () => {
  it('[M6] is rejected by every form without the CSRF token, and from another origin with it', async () => {
    const { administrator } = await signInAdministrator()
    const { csrfToken = '' } = await administrator.json<{ csrfToken: string }>('/api/auth/csrf')
    const foreign = { Origin: 'https://shop.example', 'Sec-Fetch-Site': 'cross-site' }

    for (const [method, path] of ROUTES) {
      if (method !== 'POST') continue
      expect((await administrator.post(path, {})).status, path).toBe(403)
      expect((await administrator.post(path, { csrfToken: 'x' })).status, path).toBe(403)
      const response = await administrator.post(path, { csrfToken }, foreign)
      expect(await errorCode(response), path).toBe('cross_site')
    }
  })

  it('[L14] requires a sign-in of the last ten minutes in every form that changes something, and on no page', async () => {
    const now = stopClock()
    const { administrator } = await signInAdministrator()
    const { csrfToken = '' } = await administrator.json<{ csrfToken: string }>('/api/auth/csrf')
    const isStepUp = async (method: string, path: string) => {
      const response = await (method === 'POST'
        ? administrator.post(path, { csrfToken, name: 'tiktok:none', role: 'support' })
        : administrator.get(path))
      const location = response.headers.get('Location') ?? ''
      return location.startsWith('/api/auth/signin?interaction=')
    }

    setClock(now + 599)
    for (const path of PAGES) expect(await isStepUp('GET', path), path).toBe(false)
    setClock(now + 600)
    for (const [method, path] of ROUTES) {
      const isChange = method === 'POST' && !WITHOUT_CHANGE.includes(path)
      expect(await isStepUp(method, path), `${method} ${path}`).toBe(isChange)
    }
  })

  it('[M6] is rejected without the CSRF token, although it comes from our own origin', async () => {
    const { administrator, userId } = await signInAdministrator()

    const response = await administrator.post(`/admin/users/${userId}/block`, {})

    expect(response.status).toBe(403)
    expect(await errorCode(response)).toBe('cross_site')
  })

  it.each<Record<string, string>>([
    { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
    { 'Sec-Fetch-Site': 'same-site', Origin: 'https://shop.example' },
  ])('[M6] is rejected from another origin: %o', async (headers) => {
    const { administrator, userId } = await signInAdministrator()
    const { csrfToken = '' } = await administrator.json<{ csrfToken: string }>('/api/auth/csrf')

    const response = await administrator.post(
      `/admin/users/${userId}/block`,
      { csrfToken },
      headers,
    )

    expect(response.status).toBe(403)
  })

  it('asks to sign in again when it is confirmed, says what for, and shows what was entered once more', async () => {
    const { administrator, handle, userId: administratorId } = await signInAdministrator()
    const { browser, userId } = await signInNewUser()
    advanceClock(10 * MINUTE + 1)
    const path = `/admin/users/${userId}/block?from=list`

    const stepUp = redirectUrl(await submitForm(administrator, path, { reason: 'Spam.' }), 303)
    const page = await (await administrator.get(stepUp.href)).text()

    expect([...stepUp.searchParams.keys()].sort()).toEqual(['interaction', 'prompt'])
    expect(stepUp.href).not.toContain('Spam')
    expect(page.replaceAll(/[\u2066-\u2069]/g, '')).toMatch(
      /To continue with “Block [^”]+”, sign in once more. Nothing will change until you confirm on the next page. You will then not be asked again for ten minutes./,
    )
    expect(findLink(page, '/admin')).toBe(`/admin/users/${userId}`)
    expect(await browser.session()).not.toBeNull()
    const interaction = stepUp.searchParams.get('interaction') ?? ''
    const returned = await administrator.signIn(handle, { interaction, prompt: 'login' })
    expect(redirectUrl(returned).href).toBe(LOGIN + path)
    const form = await (await administrator.get(path)).text()
    expect(inputValues(form, 'reason')).toEqual(['Spam.'])
    expect(confirmation(form)).toBe(
      'Thank you. Nothing has changed yet: check this page, and press “Block”.',
    )
    expect(await browser.session()).not.toBeNull()
    expect(await auditEntries(administratorId)).not.toContainEqual(
      expect.objectContaining({ event: 'user_blocked' }),
    )
    expect(inputValues(await (await administrator.get(path)).text(), 'reason')).toEqual([])
  })

  it.each([
    ['/admin/new/apis', 'Add an API', '/admin/apis'],
    ['/admin/new/administrators', 'Add an administrator', '/admin/administrators'],
    ['/admin/keys/rotate', 'Rotate the signing keys', '/admin/keys'],
  ])(
    'says at the step-up what it is for, and leads back to the console: %s',
    async (path, label, cancelPath) => {
      const { administrator, userId } = await signInAdministrator()
      advanceClock(10 * MINUTE + 1)

      const fields = { identifier: 'x', name: userId, role: 'support' }
      const stepUp = redirectUrl(await submitForm(administrator, path, fields), 303)
      const page = await (await administrator.get(stepUp.href)).text()

      expect(page.replaceAll(/[\u2066-\u2069]/g, '')).toContain(`To continue with “${label}”`)
      expect(page).toContain(`<a id="cancel" href="${cancelPath}">`)
    },
  )

  it('[M7] keeps what was entered before a step-up for ten minutes, for the same page and administrator only', async () => {
    const { administrator, handle } = await signInAdministrator()
    const path = '/admin/new/apis'
    const enter = async () => {
      advanceClock(10 * MINUTE + 1)
      const fields = { identifier: 'https://kept.example', scopes: 'kept:read Read what is kept.' }
      return redirectUrl(await submitForm(administrator, path, fields), 303)
    }
    const shown = async (browser: Browser, at = path) =>
      shownFields(await (await browser.get(at)).text())

    const stepUp = await enter()
    const kept = new Browser().withCookiesOf(administrator)
    const interaction = stepUp.searchParams.get('interaction') ?? ''
    await administrator.signIn(handle, { interaction, prompt: 'login' })
    expect(await shown(administrator, `${path}?other`)).toMatchObject({ identifier: '' })
    expect(await shown(administrator)).toMatchObject({
      identifier: 'https://kept.example',
      scopes: 'kept:read Read what is kept.',
    })
    expect(await shown(administrator)).toMatchObject({ identifier: '' })

    const other = await signInWithRole('owner')
    const name = 'vestibule.entered'
    other.browser.cookies.set(`__Host-${name}`, kept.cookies.get(`__Host-${name}`) ?? '')
    expect(await shown(other.browser)).toMatchObject({ identifier: '' })

    await enter()
    advanceClock(10 * MINUTE + 1)
    await administrator.signIn(handle)
    expect(await shown(administrator)).toMatchObject({ identifier: '' })
  })

  it('is sent to the page of its form, also if the id contains a backslash', async () => {
    const { administrator } = await signInAdministrator()
    const name = `tiktok:domain\\${crypto.randomUUID()}`
    const path = `/admin/administrators/${encodeURIComponent(name)}`
    await submitForm(administrator, '/admin/new/administrators', { name, role: 'owner' })
    const actionOf = async (url: string) => {
      const page = await (await administrator.get(url)).text()
      return page.match(/<form method="post" action="([^"]*)"/)?.[1]
    }

    for (const form of [`${path}/edit`, `${path}/delete`]) expect(await actionOf(form)).toBe(form)
    await submitForm(administrator, `${path}/edit`, { role: 'support' })
    // The button that undoes it.
    expect(await actionOf('/admin/administrators')).toBe(`${path}/edit`)
    await submitForm(administrator, `${path}/delete`)
  })

  it('is shown again with what was entered if that is too long to be kept', async () => {
    const { administrator } = await signInAdministrator()
    advanceClock(10 * MINUTE + 1)
    const scopes = 'x'.repeat(8000)

    const response = await submitForm(administrator, '/admin/new/apis', { identifier: 'x', scopes })

    expect(response.status).toBe(400)
    const page = await response.text()
    expect(page).toContain('too long to be kept')
    expect(shownFields(page)['scopes']).toContain(scopes)
  })

  it('leads from a page that needs a stronger sign-in back to the overview', async () => {
    const { browser, userId } = await createPasskeyUser()
    const settings = { AUTH_ADMINS: userId }
    const administrator = passkeyBrowser({}, settings).withCookiesOf(browser)

    const stepUp = redirectUrl(await administrator.get('/admin/users'), 303)
    const page = await (await administrator.get(stepUp.href)).text()

    expect(page).toContain('To continue with “\u2068Users\u2069”, sign in once more.')
    expect(page).not.toContain('Nothing will change')
    expect(page).toContain('<a id="cancel" href="/admin">')
  })
})

describe('users in the console', () => {
  it('are found by name, shown with their sessions, blocked and unblocked', async () => {
    const { administrator } = await signInAdministrator()
    const { browser, userId, handle } = await signInNewUser()
    const list = await (await administrator.get(`/admin/search?query=${handle}`)).text()
    expect(list).toContain(`/admin/users/${userId}`)
    expect(list).toMatch(
      /<th scope="col">Name<\/th>.*State<.*>ID<.*<td data-of="State" class="beside"><span class="pill good">active<\/span>/s,
    )
    const details = await (await administrator.get(`/admin/users/${userId}`)).text()
    expect(details).toContain('aria-label="End: ')
    const question = await (await administrator.get(`/admin/users/${userId}/block`)).text()
    expect(question).toContain('cannot sign in until unblocked')
    expect(question).toContain(`<code>${userId}</code>`)
    expect(question).toMatch(new RegExp(`<dt>Name</dt><dd>\u2068[^<]*${handle}`, 'i'))
    expect(await browser.session()).not.toBeNull()

    const blocked = await submitForm(administrator, `/admin/users/${userId}/block`)

    expect(redirectUrl(blocked, 303).pathname).toBe(`/admin/users/${userId}`)
    expect(await (await administrator.get(`/admin/users/${userId}`)).text()).toContain('blocked')
    expect((await browser.get('/account')).status).toBe(302)
    const unblock = await (await administrator.get(`/admin/users/${userId}/unblock`)).text()
    expect(unblock).toContain('<p>The user can sign in again.')
    await submitForm(administrator, `/admin/users/${userId}/unblock`)
    await browser.signIn(handle)
    expect((await browser.get('/account')).status).toBe(200)
  })

  it('are sorted by their headings, filtered by chips, and have pictures', async () => {
    const { administrator } = await signInAdministrator()
    const { userId } = await signInNewUser()
    const image = 'https://pictures.example/u.png'
    await env.DIRECTORY.prepare('UPDATE users SET image = ? WHERE id = ?').bind(image, userId).run()
    const open = async (path: string) => (await administrator.get(path)).text()

    const response = await administrator.get('/admin/users')
    const newest = await response.text()
    const oldest = await open('/admin/users?list=oldest')
    const blocked = await open('/admin/users?list=blocked')

    expect(newest).toContain('<th scope="col"><a href="/admin/users?list=name">Name</a></th>')
    expect(newest).toContain(
      '<th scope="col" aria-sort="descending"><a href="/admin/users?list=oldest">Created</a></th>',
    )
    expect(newest).toContain('<a href="/admin/users" aria-current="true">All</a>')
    expect(newest).toContain(
      `<img src="${image}" alt="" loading="lazy" referrerpolicy="no-referrer"/>`,
    )
    expect(response.headers.get('Content-Security-Policy')).toMatch(
      /img-src data: [^;]*https:\/\/pictures\.example;? ?/,
    )
    expect(oldest).toContain('aria-sort="ascending"><a href="/admin/users">Created</a>')
    expect(blocked).toContain('aria-current="true">Blocked</a>')
    expect(blocked).not.toContain(userId)
    expect(await open('/admin/users?list=constructor')).toContain('All users, newest first')
  })

  it('are blocked with a reason that only administrators see, and the page reports what happened once', async () => {
    const { administrator, userId: administratorId } = await signInAdministrator()
    const { browser, userId, handle } = await signInNewUser()
    await new Browser().signIn(handle)
    const path = `/admin/users/${userId}`
    const reason = `Spam <${crypto.randomUUID()}>`
    const open = async () => (await administrator.get(path)).text()

    const form = await (await administrator.get(`${path}/block`)).text()
    const blocked = await submitForm(administrator, `${path}/block`, { reason: ` ${reason} ` })

    expect(form).toMatch(/<input name="reason" maxlength="200" aria-describedby="reason-hint"/)
    expect(blocked.headers.get('Location')).toBe(path)
    expect(JSON.stringify([...blocked.headers])).not.toContain(reason)
    const page = await open()
    expect(confirmation(page)).toMatch(
      new RegExp(`^\u2068[^<]*${handle}[^<]*\u2069 is blocked. 2 sessions ended.$`, 'i'),
    )
    expect(page).toContain(
      `Reason: <q>\u2068${reason.replace('<', '&lt;').replace('>', '&gt;')}\u2069</q>`,
    )
    expect(confirmation(await open())).toBe('')
    expect(JSON.stringify(await auditEntries(administratorId))).not.toContain(reason)
    expect(JSON.stringify(lastLogEntry())).not.toContain(reason)
    expect(await (await browser.signIn(handle)).text()).not.toContain(reason)

    await submitForm(administrator, `${path}/block`)
    expect(await open()).toContain('Reason: <q>')
    await submitForm(administrator, `${path}/unblock`)
    const unblocked = await open()
    expect(confirmation(unblocked)).toContain('is unblocked, and can sign in again.')
    expect(unblocked).not.toContain('Reason: <q>')
    const row = await env.DIRECTORY.prepare('SELECT block_reason FROM users WHERE id = ?')
      .bind(userId)
      .first()
    expect(row).toEqual({ block_reason: null })
  })

  it('are unblocked again by the button of the page that reports the block, which needs the same sign-in and token', async () => {
    const { administrator, userId: administratorId } = await signInAdministrator()
    const { browser, userId, handle } = await signInNewUser()
    const path = `/admin/users/${userId}`
    await submitForm(administrator, `${path}/block`)

    const page = await (await administrator.get(path)).text()
    const [form = ''] = page.match(/<form method="post"[^>]*>.*?Undo<.*?<\/form>/s) ?? []
    const [csrfToken = ''] = inputValues(form, 'csrfToken')

    expect(form).toContain(`action="${path}/unblock"`)
    expect((await administrator.post(`${path}/unblock`, { csrfToken: 'x' })).status).toBe(403)
    const undone = await administrator.post(`${path}/unblock`, { csrfToken })
    expect(redirectUrl(undone, 303).pathname).toBe(path)
    const after = await (await administrator.get(path)).text()
    expect(confirmation(after)).toContain('Sessions that have ended stay ended.')
    expect(after).not.toContain('>Undo<')
    expect(await browser.session()).toBeNull()
    await browser.signIn(handle)
    expect(await browser.session()).not.toBeNull()
    expect(await auditEntries(administratorId)).toContainEqual(
      expect.objectContaining({ event: 'user_unblocked', subject: userId }),
    )
  })

  it('are not blocked with a reason of more than 200 characters', async () => {
    const { administrator } = await signInAdministrator()
    const { browser, userId } = await signInNewUser()
    const reason = 'x'.repeat(201)

    const response = await submitForm(administrator, `/admin/users/${userId}/block`, { reason })

    expect(response.status).toBe(409)
    expect(await response.text()).toContain('Reason: at most 200 characters.')
    expect(await browser.session()).not.toBeNull()
    const accepted = reason.slice(1)
    await submitForm(administrator, `/admin/users/${userId}/block`, { reason: accepted })
    expect(await browser.session()).toBeNull()
  })

  it('[M7] are not reported as changed by a cookie that the service has not sealed, or on another page', async () => {
    const { administrator } = await signInAdministrator()
    const { userId } = await signInNewUser()
    const name = '__Host-vestibule.notice'
    administrator.cookies.set(name, JSON.stringify({ path: '/admin/keys', text: 'Forged' }))
    expect(confirmation(await (await administrator.get('/admin/keys')).text())).toBe('')
    administrator.cookies.set(name, administrator.cookies.get('__Host-vestibule.session') ?? '')
    expect(confirmation(await (await administrator.get('/admin/keys')).text())).toBe('')

    await submitForm(administrator, `/admin/users/${userId}/end-sessions`)

    expect(confirmation(await (await administrator.get('/admin/keys')).text())).toBe('')
    expect(
      confirmation(await (await administrator.get(`/admin/users/${userId}`)).text()),
    ).toContain('is signed out. 1 session ended.')
  })

  it('[O11] that were blocked only in part are shown as such, and can be blocked again', async () => {
    const { administrator, userId: administratorId } = await signInAdministrator()
    const { browser, userId } = await signInNewUser()
    const failing = serviceWith({ AUTH_ADMINS: administratorId, USERS: failingToBlock(userId) })
    const path = `/admin/users/${userId}`

    const failed = await submitForm(
      new Browser(failing).withCookiesOf(administrator),
      `${path}/block`,
    )

    expect(failed.status).toBe(503)
    expect(await failed.text()).toContain('the change may be incomplete')
    expect(await browser.session()).not.toBeNull()
    const incomplete = await (await administrator.get(path)).text()
    expect(incomplete).toContain('partly blocked')
    expect(incomplete).toContain(`href="${path}/block"`)
    expect(incomplete).toContain(`href="${path}/unblock"`)

    await submitForm(administrator, `${path}/block`)
    expect(await browser.session()).toBeNull()
    const complete = await (await administrator.get(path)).text()
    expect(complete).not.toContain('partly blocked')
    expect(complete).not.toContain(`href="${path}/block"`)
  })

  it('have single sessions that can be ended', async () => {
    const { administrator } = await signInAdministrator()
    const { browser, userId, handle } = await signInNewUser()
    const other = new Browser()
    await other.signIn(handle)
    const details = await (await administrator.get(`/admin/users/${userId}`)).text()
    const paths = Array.from(
      details.matchAll(/href="([^"]*\/sessions\/[^"]*\/end)"/g),
      ([, path = '']) => path,
    )
    expect(paths).toHaveLength(2)
    const question = await (await administrator.get(paths[0] ?? '')).text()
    expect(question).toContain(`<code>${userId}</code>`)
    expect(question).toMatch(/<dt>Browser<.*<dt>Signed in<.*<dt>Last used</s)

    await submitForm(administrator, paths[0] ?? '')

    const responses = await Promise.all([browser.get('/account'), other.get('/account')])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 302])
    const ended = await Promise.all(
      paths.map(async (path) => (await administrator.get(path)).text()),
    )
    expect(ended.filter((page) => page.includes('has already ended'))).toHaveLength(1)
    await submitForm(administrator, `/admin/users/${userId}/end-sessions`)
    expect((await browser.get('/account')).status).toBe(302)
    expect((await other.get('/account')).status).toBe(302)
  })

  it('have a page that says how often they signed in, what happened, in which browser, and why it failed', async () => {
    const { administrator, userId: administratorId, handle: name } = await signInAdministrator()
    const { browser, userId, handle } = await signInNewUser()
    const insert = env.DIRECTORY.prepare(
      "INSERT INTO audit (id, at, event, outcome, actor, subject, provider, network, request_id) VALUES (?1, ?2, 'sign_in', ?3, ?4, ?4, 'tiktok', '203.0.113.0/24', '2222-2222')",
    )
    const now = Math.floor(Date.now() / 1000)
    const idAt = (at: number) => `${(at * 1000).toString(36).padStart(9, '0')}x${userId}`
    await env.DIRECTORY.batch(
      [
        [now - 60, 'attempt_missing'],
        [now - 180, 'attempt_missing'],
        [now - 20 * 86_400, 'ok'],
        [now - 40 * 86_400, 'ok'],
      ].map(([at = 0, outcome = '']) => insert.bind(idAt(Number(at)), at, outcome, userId)),
    )
    await submitForm(administrator, `/admin/users/${userId}/export`)

    const page = await (await administrator.get(`/admin/users/${userId}`)).text()
    const text = page.replaceAll(/<(?!\/?time)[^>]+>/g, '')

    expect(page).toMatch(
      new RegExp(`<h1>\u2068[^<]*${handle}[^<]*</h1><span class="pill good">active`, 'i'),
    )
    expect(page).toContain(`<code id="user-id">${userId}</code>`)
    expect(text).toContain('Sign-ins, 30 days2 · 2 failed')
    expect(page).toContain(
      'aria-label="Sign-ins of each of the last 30 days: 2 succeeded, 2 failed"',
    )
    expect(text).toMatch(/Today.*exported the data of/s)
    expect(text).toContain('Signed in with TikTok')
    expect(text).toContain(
      'Could not sign in with TikTok: returned in another browser, or too late203.0.113.0/24 · 2 times in 2 minutes · What to tell the user',
    )
    expect(page).toContain('href="/admin/references/2222-2222"')
    expect(page).toMatch(new RegExp(`<a href="/admin/users/${administratorId}">.*${name}`, 'is'))
    expect(text).toMatch(/TikTok.*used <time[^>]*>just now/s)
    expect(await browser.session()).not.toBeNull()
  })

  it('have the browser next to a sign-in while its session exists, and then the network', async () => {
    const { administrator } = await signInAdministrator()
    const handle = await createPlatformUser()
    const browser = new Browser((request) => {
      request.headers.set('User-Agent', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0')
      return serviceWith({})(request)
    })
    await browser.signIn(handle)
    const userId = (await browser.session())?.user.id ?? ''
    const activity = async () => {
      const page = await (await administrator.get(`/admin/users/${userId}`)).text()
      return page.match(/<ol class="timeline">.*<\/ol>/s)?.[0].replaceAll(/<[^>]+>/g, ' ') ?? ''
    }

    expect(await activity()).toMatch(/Signed in with TikTok +Firefox, Linux/)
    await userObject(userId).endAllSessions()
    expect(await activity()).not.toContain('Firefox')
  })

  it('[M7] show times in the time zone that the cookie of the script names, and in UTC if that is unknown', async () => {
    const { administrator } = await signInAdministrator()
    const { userId } = await signInNewUser()
    const times = async (zone: string) => {
      administrator.cookies.set('__Host-vestibule.zone', zone)
      const page = await (await administrator.get(`/admin/users/${userId}`)).text()
      return page.match(/<time[^>]* title="[\d-]+ [\d:]+ ([^"]*)">/)?.[1]
    }

    expect(await times('Asia/Kathmandu')).toBe('Asia/Kathmandu')
    expect(await times('Nowhere/<script>')).toBe('UTC')
    expect(await times('')).toBe('UTC')
  })

  it('can lose one of several ways to sign in', async () => {
    const { administrator } = await signInAdministrator()
    const { browser, userId, authenticator } = await createPasskeyUser()
    const userPage = async () => (await administrator.get(`/admin/users/${userId}`)).text()
    const page = await userPage()
    const path = findLink(page, '/accounts/passkey')
    const lastPath = findLink(page, '/accounts/tiktok')

    const question = await (await administrator.get(path)).text()
    await submitForm(administrator, path)

    expect(question).toContain(`<dt>Account ID</dt><dd><code>${authenticator.credentialId}</code>`)
    expect(await linkedProviders(userId)).toEqual(['tiktok'])
    expect((await browser.get('/account')).status).toBe(302)
    expect(await userPage()).not.toContain('/remove"')
    expect((await submitForm(administrator, path)).status).toBe(404)
    expect((await submitForm(administrator, lastPath)).status).toBe(409)
    expect(await linkedProviders(userId)).toEqual(['tiktok'])
  })

  it('can be exported as a download', async () => {
    const { administrator, userId: administratorId } = await signInAdministrator()
    const { userId } = await signInNewUser()

    const response = await submitForm(administrator, `/admin/users/${userId}/export`)

    expect(response.headers.get('Content-Type')).toBe('application/json')
    expect(response.headers.get('Content-Disposition')).toBe(
      `attachment; filename="${userId}.json"`,
    )
    expect(await response.text()).toContain(userId)
    expect(await auditEntries(administratorId)).toContainEqual(
      expect.objectContaining({ event: 'user_exported', subject: userId }),
    )
  })

  it('can be deleted', async () => {
    const { administrator } = await signInAdministrator()
    const { browser, userId } = await signInNewUser()

    const response = await submitForm(administrator, `/admin/users/${userId}/delete`)

    expect(redirectUrl(response, 303).pathname).toBe('/admin/users')
    const page = await administrator.get(`/admin/users/${userId}`)
    expect(page.status).toBe(404)
    const text = await page.text()
    expect(text).toContain('There is no user with this ID')
    expect(text).toMatch(/<main.*href="\/admin\/users">All users</s)
    expect((await browser.get('/account')).status).toBe(302)
  })

  it.each(['users', 'clients', 'apis'])(
    'have no confirmation if they do not exist: %s',
    async (section) => {
      const { administrator } = await signInAdministrator()

      const response = await administrator.get(`/admin/${section}/missing/delete`)

      expect(response.status).toBe(404)
      expect(await response.text()).toMatch(/There is no (user|client|API) with this ID/)
    },
  )

  it.each([
    'block',
    'unblock',
    'end-sessions',
    'sessions/ses_none/end',
    'clients/none/revoke',
    'export',
  ])('are not found if they were deleted before a confirmation: %s', async (action) => {
    const { administrator } = await signInAdministrator()
    const { csrfToken = '' } = await administrator.json<{ csrfToken: string }>('/api/auth/csrf')

    const response = await administrator.post(`/admin/users/usr_none/${action}`, { csrfToken })

    expect(response.status).toBe(404)
    expect(await response.text()).toContain('There is no user with this ID')
  })

  it('are shown with the clients that have access', async () => {
    const { administrator } = await signInAdministrator()
    const { browser, userId } = await signInNewUser()
    await new RelyingApp('web').tokens(browser)

    const page = await (await administrator.get(`/admin/users/${userId}`)).text()

    expect(page).toMatch(
      /Apps with access.*\u2068[^<]+\u2069 <span class="pill mute">our own<.*stays signed in until \d+ \w+ \d{4}</s,
    )
  })

  it('have single clients whose access can be revoked', async () => {
    const { administrator, userId: administratorId } = await signInAdministrator()
    const { browser, userId } = await signInNewUser()
    await new RelyingApp('web').tokens(browser)
    const userPage = async () => (await administrator.get(`/admin/users/${userId}`)).text()
    const path = findLink(await userPage(), '/clients/web/revoke')

    const question = await (await administrator.get(path)).text()
    await submitForm(administrator, path)

    expect(question).toContain('<dt>Client</dt><dd><code>web</code>')
    expect(await userPage()).not.toContain('/revoke"')
    expect(await auditEntries(administratorId)).toContainEqual(
      expect.objectContaining({ event: 'consent_withdrawn', subject: userId }),
    )
    const repeated = await submitForm(administrator, path)
    expect(repeated.status).toBe(409)
    expect(await repeated.text()).toContain('The client web has no access to this user.')
  })

  it('[M7] have their names escaped and isolated', async () => {
    const { administrator } = await signInAdministrator()
    const browser = new Browser()
    await browser.signIn('zoe')
    const userId = (await browser.session())?.user.id

    const page = await (await administrator.get(`/admin/users/${userId}`)).text()

    expect(page).toContain('\u2068&lt;script&gt;alert(&quot;zoe&quot;)&lt;/script&gt;')
    expect(page).not.toContain('<script>')
  })
})

describe('clients in the console', () => {
  const id = `console-${crypto.randomUUID()}`
  const fields = {
    client_id: id,
    client_name: 'The console client',
    redirect_uris: 'https://app.example/callback',
  }

  it('are registered with a secret that is shown once, changed, disabled, and deleted', async () => {
    const { administrator } = await signInAdministrator()

    const created = await submitForm(administrator, '/admin/new/clients', fields)

    expect(created.status).toBe(200)
    const secretPage = await created.text()
    expect(secretPage).toContain('<h1>Secret of \u2068The console client\u2069</h1>')
    expect(secretPage).toContain(`<code>${id}</code>`)
    const [, secret = ''] = secretPage.match(/id="secret">\s*([^<\s]+)/) ?? []
    expect(secret.length).toBeGreaterThan(20)
    const details = await (await administrator.get(`/admin/clients/${id}`)).text()
    expect(details).toContain('The console client')
    expect(details).toContain('<dt>State</dt><dd><span class="pill good">enabled</span></dd>')
    expect(details).not.toContain(secret)

    const edited = await submitForm(administrator, `/admin/clients/${id}/edit`, {
      redirect_uris: 'https://app.example/callback\r\nhttps://app.example/other\r\n',
      scope: 'openid profile',
    })
    expect(redirectUrl(edited, 303).pathname).toBe(`/admin/clients/${id}`)
    const changed = await (await administrator.get(`/admin/clients/${id}`)).text()
    expect(confirmation(changed)).toBe('\u2068The console client\u2069 is changed.')
    expect(changed).toContain('https://app.example/other')
    expect(await (await administrator.get(`/admin/clients/${id}`)).text()).not.toContain(
      'The console client',
    )
    expect(changed).toContain('<dt>Where users return</dt>')
    expect(changed).toContain('<dt>Our own app</dt><dd>no</dd>')
    expect(changed).not.toContain('<dt>redirect_uris</dt>')

    const rotated = await submitForm(administrator, `/admin/clients/${id}/rotate-secret`)
    const newSecretPage = await rotated.text()
    expect(newSecretPage).toContain(`<h1>New secret of \u2068${id}\u2069</h1>`)
    expect(newSecretPage).toContain('id="secret"')
    expect(newSecretPage).toContain('The former secret stays valid')
    expect(secretPage).not.toContain('The former secret stays valid')
    await submitForm(administrator, `/admin/clients/${id}/disable`)
    expect(await (await administrator.get(`/admin/clients/${id}`)).text()).toContain(
      'Disabled since',
    )
    await submitForm(administrator, `/admin/clients/${id}/enable`)

    const deleted = await submitForm(administrator, `/admin/clients/${id}/delete`)
    expect(redirectUrl(deleted, 303).pathname).toBe('/admin/clients')
    expect(confirmation(await (await administrator.get('/admin/clients')).text())).toContain(
      'is deleted.',
    )
    expect((await administrator.get(`/admin/clients/${id}`)).status).toBe(404)
  })

  it.each([
    ['clients', clientSchemaOf(declared.features).shape],
    ['apis', apiSchemaOf(declared.features).shape],
  ])('have a form with every field and a hint for each: %s', async (section, shape) => {
    const { administrator } = await signInAdministrator()
    // The service creates secrets.
    const names = Object.keys(shape).filter((name) => !name.endsWith('secrets_sha256'))

    const page = await (await administrator.get(`/admin/new/${section}`)).text()

    const fields = Array.from(
      page.matchAll(/<(?:input|select|textarea)[^>]* name="(\w+)" aria-describedby="([\w-]+)"/g),
      ([, name, hintId]) => ({ name, hintId }),
    )
    expect(fields.map(({ name }) => name).sort()).toEqual(names.sort())
    for (const { name, hintId } of fields) {
      expect(page, name).toMatch(new RegExp(`<small id="${hintId}">[A-Za-z]`))
    }
    // Two fields with the same schema would have the same hint.
    expect(new Set(Object.values(shape)).size).toBe(Object.keys(shape).length)
  })

  it('show the form again with the entered values, and each problem at its field', async () => {
    const { administrator } = await signInAdministrator()

    const response = await submitForm(administrator, '/admin/new/clients', {
      client_id: 'not valid!',
      client_name: 'Entered',
      redirect_uris: 'javascript:alert(1)',
      introspects: 'https://orders.example\r\n\r\nnowhere',
    })

    expect(response.status).toBe(400)
    const page = await response.text()
    expect(page).toMatch(/role="alert".*The client was not saved.*<a href="#client_id">/s)
    expect(page).toContain('<a href="#redirect_uris">')
    expect(page).toContain('<a href="#introspects">APIs that it introspects for')
    expect(page).toContain('value="Entered"')
    expect(problemAt(page, 'client_id')).toMatch(/^Client ID: may only contain/)
    expect(problemAt(page, 'redirect_uris')).toMatch(
      /^Where users return, line 1: must be the URL of an app/,
    )
    expect(problemAt(page, 'introspects')).toMatch(/^APIs that it introspects for, line 2: must be/)
    expect(problemAt(page, 'client_name')).toBeUndefined()
    expect(page).toMatch(/<details open=""><summary>Advanced/)
  })

  it.each([
    ['web', { secretCount: 1 }],
    ['browser', { token_endpoint_auth_method: 'none', secretCount: 0 }],
    ['native', { application_type: 'native', token_endpoint_auth_method: 'none', secretCount: 0 }],
    ['machine', { grant_types: ['client_credentials'], secretCount: 1 }],
  ])('have what follows from their kind: %s', async (kind, { secretCount, ...expected }) => {
    const { administrator } = await signInAdministrator()
    const client_id = `kind-${crypto.randomUUID()}`
    const redirect_uris = kind === 'machine' ? '' : 'https://app.example/callback'

    const created = await submitForm(administrator, '/admin/new/clients', {
      kind,
      client_id,
      redirect_uris,
      scope: 'openid nobody:has',
    })

    expect(created.status).toBe(secretCount ? 200 : 303)
    const config = readConfig(env)
    const record = await clientStore.read(env, config, client_id)
    expect(record).toMatchObject({ secretCount, registration: expected })
    const page = await (await administrator.get(`/admin/clients/${client_id}`)).text()
    const lines = `ISSUER=https://login.example\nCLIENT_ID=${client_id}`
    expect(page).toContain(`id="env">${lines}</pre>`)
    expect(page).toContain('href="https://login.example/.well-known/openid-configuration"')
    const warning = 'No API has the scope nobody:has.'
    expect(page).toContain(warning)
    expect(await (await administrator.get(`/admin/clients/${client_id}/edit`)).text()).toContain(
      warning,
    )
    if (!secretCount) return
    const secretPage = await created.text()
    const [, secret = ''] = secretPage.match(/id="secret">\s*([^<\s]+)/) ?? []
    expect(secretPage).toContain(`${lines}\nCLIENT_SECRET=${secret}</pre>`)
    expect(secretPage).toContain(warning)
  })

  it('[M1] show their sign-in page in the form, as it is entered, and to no other page', async () => {
    const { administrator } = await signInAdministrator()
    const form = await administrator.get('/admin/new/clients')
    const [csrfToken = ''] = inputValues(await form.text(), 'csrfToken')

    const response = await administrator.post('/admin/new/clients/preview', {
      csrfToken,
      client_name: 'Clay & Co.',
      logo_uri: 'https://cdn.example/logo.png',
      brand_color: 'not yet a colour',
      redirect_uris: 'not a URL',
    })

    expect(response.status).toBe(200)
    const page = await response.text()
    expect(page).toMatch(
      /<main><img class="app"[^>]* src="https:\/\/cdn.example\/logo.png".*Clay &amp; Co\./s,
    )
    expect(page).toContain('<body inert="">')
    const policy = response.headers.get('Content-Security-Policy')
    expect(policy).toContain("frame-ancestors 'self'; ")
    expect(policy).toContain('img-src data: https://cdn.example; ')
    expect(response.headers.get('X-Frame-Options')).toBe('SAMEORIGIN')
    expect(form.headers.get('Content-Security-Policy')).toContain(
      "frame-src 'self'; frame-ancestors 'none'; ",
    )
  })

  it('[M1] show their sign-ins, and their sign-in page, to no other page', async () => {
    const { administrator } = await signInAdministrator()
    const hour = Math.floor(Date.now() / 1000 / HOUR) * HOUR
    const insert = env.DIRECTORY.prepare("INSERT INTO counters VALUES (?, 'counted', ?, ?, ?, 0)")
    await env.DIRECTORY.batch([
      insert.bind(hour, 'shop', 'ok', 41),
      insert.bind(hour, 'shop', 'access_denied', 3),
      insert.bind(hour, 'web', 'ok', 1000),
      insert.bind(hour - 8 * 24 * HOUR, 'shop', 'ok', 500),
    ])

    const page = await (await administrator.get('/admin/clients/shop')).text()
    const month = await (await administrator.get('/admin/clients/shop?period=30d')).text()
    const preview = await administrator.get('/admin/clients/shop/preview')

    expect(page).toContain('41 sign-ins succeeded, 3 failed.')
    expect(month).toContain('541 sign-ins succeeded, 3 failed.')
    expect(page).toMatch(/<a href="\/admin\/audit\?event=sign_in&amp;client=shop&amp;since=/)
    expect(page).toContain('<iframe src="/admin/clients/shop/preview"')
    expect(preview.headers.get('Content-Security-Policy')).toContain("frame-ancestors 'self'; ")
    expect(await preview.text()).toMatch(/<body inert="">.*<h1>[^<]*shop/is)
    expect((await administrator.get('/admin/clients/missing/preview')).status).toBe(404)
  })

  it('show a problem of several fields at the first of them', async () => {
    const { administrator } = await signInAdministrator()

    const response = await submitForm(administrator, '/admin/new/clients', {
      client_id: 'machine',
      grant_types: 'client_credentials',
      token_endpoint_auth_method: 'none',
    })

    const page = await response.text()
    expect(problemAt(page, 'grant_types')).toMatch(
      /^How it gets tokens: has client_credentials, but/,
    )
  })

  it('show a problem that no field has above the form', async () => {
    const { administrator } = await signInAdministrator()

    const response = await submitForm(administrator, '/admin/clients/shop/edit', fields)

    const page = await response.text()
    expect(page).toMatch(
      /role="alert".*The client shop is in the settings, or part of this service: it cannot be changed here.*<form/s,
    )
    expect(page).not.toContain('aria-invalid=')
  })

  it('are named on the form that changes them, and keep their id', async () => {
    const { administrator } = await signInAdministrator()
    const clientId = `console-${crypto.randomUUID()}`
    await submitForm(administrator, '/admin/new/clients', { ...fields, client_id: clientId })
    const path = `/admin/clients/${clientId}/edit`

    const page = await (await administrator.get(path)).text()
    const edited = await submitForm(administrator, path, {
      ...fields,
      client_id: 'another',
      client_name: 'Renamed',
    })

    expect(page).toContain('<h1>Edit \u2068The console client\u2069</h1>')
    expect(page).toMatch(new RegExp(`<input name="client_id"[^>]*value="${clientId}"[^>]*readonly`))
    expect(page).toContain('<details><summary>Advanced')
    expect(redirectUrl(edited, 303).pathname).toBe(`/admin/clients/${clientId}`)
    expect(await (await administrator.get(`/admin/clients/${clientId}`)).text()).toContain(
      'Renamed',
    )
    expect((await administrator.get('/admin/clients/another')).status).toBe(404)
  })

  it('are changed in the edited fields only, which are recorded', async () => {
    const { administrator, userId } = await signInAdministrator()
    const client_id = `console-${crypto.randomUUID()}`
    const { d: _, ...key } = keys.signer
    const registration = {
      client_id,
      redirect_uris: ['https://app.example/callback'],
      jwks: { keys: [{ key_ops: ['verify'], ...key }] },
    }
    await clientStore.create(env, readConfig(env), { registration, origin: { actor: userId } })
    const path = `/admin/clients/${client_id}/edit`
    const shown = shownFields(await (await administrator.get(path)).text())

    await submitForm(administrator, path, shown)
    const edited = await submitForm(administrator, path, { ...shown, client_name: 'Renamed' })

    expect(shown).toMatchObject({ application_type: 'web', jwks: expect.stringContaining('P-256') })
    expect(redirectUrl(edited, 303).pathname).toBe(`/admin/clients/${client_id}`)
    expect(await auditEntries(userId)).toMatchObject([
      { event: 'sign_in' },
      { event: 'client_created' },
      { event: 'client_updated', detail: 'client_name' },
    ])
    const row = await env.DIRECTORY.prepare('SELECT registration FROM clients WHERE client_id = ?')
      .bind(client_id)
      .first<{ registration: string }>()
    expect(JSON.parse(row?.registration ?? '')).toMatchObject({ jwks: registration.jwks })
  })

  it('are sorted by name or id, and filtered by their state', async () => {
    const { administrator } = await signInAdministrator()
    const [first, second] = ['a', 'z'].map((letter) => `sort-${letter}-${crypto.randomUUID()}`)
    const names = { [String(first)]: 'Zebra app', [String(second)]: 'Aardvark app' }
    for (const [client_id, client_name] of Object.entries(names)) {
      await submitForm(administrator, '/admin/new/clients', { ...fields, client_id, client_name })
    }
    await submitForm(administrator, `/admin/clients/${first}/disable`)
    const orderOf = async (query: string) => {
      const page = await (await administrator.get(`/admin/clients${query}`)).text()
      return Array.from(page.matchAll(/href="\/admin\/clients\/(sort-[^"]+)"/g), ([, id]) => id)
    }

    expect(await orderOf('')).toEqual([first, second])
    expect(await orderOf('?sort=name')).toEqual([second, first])
    expect(await orderOf('?sort=id_desc')).toEqual([second, first])
    expect(await orderOf('?state=disabled')).toEqual([first])
    expect(await orderOf('?state=nonsense&sort=nonsense')).toEqual([first, second])
    const page = await (await administrator.get('/admin/clients?sort=name')).text()
    expect(page).toContain(
      '<th scope="col" aria-sort="ascending"><a href="/admin/clients?sort=name_desc">Name</a></th>',
    )
    for (const id of [first, second]) await submitForm(administrator, `/admin/clients/${id}/delete`)
  })

  it('of the settings can only be read', async () => {
    const { administrator } = await signInAdministrator()

    const page = await (await administrator.get('/admin/clients/shop')).text()
    const response = await submitForm(administrator, '/admin/clients/shop/disable')

    expect(page).toContain(
      'defined in <code>CLIENTS</code> in the settings and cannot be changed here',
    )
    expect(page).not.toContain('Disable')
    expect(response.status).toBe(409)
    const refusal = await response.text()
    expect(refusal).toMatch(
      /role="alert".*Nothing was changed.*href="\/admin\/clients\/shop">Back</s,
    )
    expect(refusal.slice(refusal.indexOf('<main'))).not.toContain('<button')
  })
})

describe('APIs in the console', () => {
  it('are registered, changed and deleted', async () => {
    const { administrator } = await signInAdministrator()
    const identifier = `https://api-${crypto.randomUUID()}.example/v1`
    const path = `/admin/apis/${encodeURIComponent(identifier)}`

    await submitForm(administrator, '/admin/new/apis', {
      identifier,
      name: 'The API',
      scopes: 'things:read Read your things.\r\nthings:write Change your things.\r\n',
      access_token_lifetime: '600',
    })

    const page = await (await administrator.get(path)).text()
    expect(page).toContain('The API')
    expect(page).toContain('things:write')
    expect(page).toContain('<dt>State</dt><dd><span class="pill good">enabled</span></dd>')
    expect(await (await administrator.get(`${path}/edit`)).text()).toContain(
      'things:read Read your things.\nthings:write Change your things.</textarea>',
    )
    await submitForm(administrator, `${path}/edit`, { name: 'Another name' })
    expect(await (await administrator.get(path)).text()).toContain('Another name')
    await submitForm(administrator, `${path}/delete`)
    expect((await administrator.get(path)).status).toBe(404)
  })

  it('name the line of a scope that has a problem', async () => {
    const { administrator } = await signInAdministrator()

    const response = await submitForm(administrator, '/admin/new/apis', {
      identifier: 'https://lines.example',
      scopes: 'things:read Read your things.\r\nno"quotes Invalid.',
    })

    expect(response.status).toBe(400)
    expect(problemAt(await response.text(), 'scopes')).toMatch(/^Scopes, line 2: name /)
  })
})

describe('the API of the service in the console', () => {
  it('can only be read', async () => {
    const { administrator } = await signInAdministrator()
    const id = encodeURIComponent('https://login.example/admin/api')

    const page = await (await administrator.get(`/admin/apis/${id}`)).text()

    expect(page).toContain('part of the service itself, and cannot be changed here')
    expect(page).not.toContain('/edit')
    const list = await (await administrator.get('/admin/apis')).text()
    expect(list).toMatch(new RegExp(`href="/admin/apis/${id}".*?<td[^>]*>the service</td>`))
    expect(list).toContain('<td data-of="Defined in" class="wide">settings</td>')
  })
})

describe('the configuration in the console', () => {
  const secret = 'a-secret-that-no-page-may-show'

  it('[O1] shows providers, languages, theme and settings, and of secrets only that they are set', async () => {
    const { administrator } = await signInAdministrator({ AUTH_TIKTOK_SECRET: secret })

    const page = await (await administrator.get('/admin/configuration')).text()

    expect(page).toMatch(/<th>\u2068TikTok\u2069<\/th><td[^>]*>tiktok<\/td>.*ID and secret set/)
    expect(page).toContain('https://login.example/api/auth/callback/tiktok')
    expect(page).toContain('\u2068Deutsch\u2069 (de)')
    expect(page).toContain('<dt>AUTH_SECRET</dt><dd>set</dd>')
    for (const value of [secret, env.AUTH_SECRET]) expect(page).not.toContain(value)
  })

  it('tests a provider: whether its endpoints respond', async () => {
    const { administrator, userId } = await signInAdministrator()
    const down = { id: 'down', issuer: 'https://down.example', clientId: 'c', clientSecret: 's' }
    const vestibule = createVestibule({ ...options, providers: [...options.providers, Oidc(down)] })
    const service = serviceOf(vestibule, { AUTH_ADMINS: userId })
    const other = new Browser(service).withCookiesOf(administrator)

    const tested = await submitForm(administrator, '/admin/configuration/tiktok/test')
    const failed = await submitForm(other, '/admin/configuration/down/test')
    const missing = await administrator.get('/admin/configuration/nobody/test')

    expect(tested.status).toBe(200)
    expect(await tested.text()).toContain('\u2068TikTok\u2069 responds.')
    expect(failed.status).toBe(409)
    expect(await failed.text()).toMatch(
      /role="alert".*https:\/\/down\.example\/\.well-known\/openid-configuration /s,
    )
    expect(missing.status).toBe(404)
  })

  it('says what is wrong with a provider that responds with errors, or is disabled', async () => {
    const { administrator, userId } = await signInAdministrator()
    await standIn.fault({ path: TOKEN_PATH, status: 500, times: 3 })
    const failed = await submitForm(administrator, '/admin/configuration/tiktok/test')
    const service = serviceWith({ AUTH_ADMINS: userId, AUTH_GITHUB_ID: 'id' })
    const other = new Browser(service).withCookiesOf(administrator)
    const disabled = await submitForm(other, '/admin/configuration/github/test')

    expect([failed.status, disabled.status]).toEqual([409, 409])
    expect(await failed.text()).toContain('/v2/oauth/token/ responds with status 500.')
    expect(await disabled.text()).toContain('AUTH_GITHUB_SECRET is missing.')
  })
})

describe('the search of the console', () => {
  it('finds users by any part of their name, and clients by their name or id', async () => {
    const { administrator } = await signInAdministrator()
    const { userId, handle } = await signInNewUser()
    const search = async (query: string) =>
      (await administrator.get(`/admin/search?query=${encodeURIComponent(query)}`)).text()

    const users = await search(handle.slice(1).toUpperCase())
    const clients = await search('SHO')

    expect(users).toContain(`/admin/users/${userId}`)
    expect(users).toMatch(new RegExp(`<input type="search"[^>]*value="${handle.slice(1)}"`, 'i'))
    expect(clients).toContain('<a href="/admin/clients/shop">\u2068')
    expect(await search('no such thing')).toContain('<strong>Users:</strong> none')
  })

  it('leads from a reference, as a user read it out, to its entries, what the user saw and what to do', async () => {
    const { administrator } = await signInAdministrator()
    const { browser, userId } = await signInNewUser()
    await env.DIRECTORY.prepare('UPDATE users SET blocked_at = 1 WHERE id = ?').bind(userId).run()
    const failed = await browser.get('/account')
    const [entry] = await env.DIRECTORY.prepare('SELECT request_id FROM audit WHERE subject = ?')
      .bind(userId)
      .all<{ request_id: string }>()
      .then(({ results }) => results)
    await env.DIRECTORY.prepare("UPDATE audit SET outcome = 'user_blocked' WHERE subject = ?")
      .bind(userId)
      .run()
    expect(failed.status).toBeLessThan(500)
    const reference = entry?.request_id ?? ''
    const typed = reference.toLowerCase().replace('-', '+')

    const found = redirectUrl(await administrator.get(`/admin/search?query=${typed}`))
    const page = await (await administrator.get(found.pathname)).text()

    expect(found.pathname).toBe(`/admin/references/${reference}`)
    expect(page).toContain(`/admin/users/${userId}`)
    expect(page).toMatch(/<dt>The user saw<\/dt><dd>“[^<]+”<\/dd>/)
    expect(page).toMatch(
      /<dt>To do<\/dt><dd>No action needed, unless the user was blocked by mistake/,
    )
    for (const [outcome, provider, detail, remedy] of [
      ['provider_refused', 'google', 'invalid_client', 'Compare AUTH_GOOGLE_ID'],
      ['provider_refused', 'tiktok', 'invalid_client', 'Compare AUTH_TIKTOK_ID'],
      ['provider_refused', 'github', 'redirect_uri_mismatch', '/api/auth/callback/github at'],
      ['provider_invalid', 'oidc', `It is past: is ${CLOCK_HINT} wrong?`, 'Compare the clock of'],
    ]) {
      await env.DIRECTORY.prepare(
        'UPDATE audit SET outcome = ?, provider = ?, detail = ? WHERE request_id = ?',
      )
        .bind(outcome, provider, detail, reference)
        .run()
      const explained = await (await administrator.get(found.pathname)).text()
      expect(explained.split('<dt>To do</dt>')[1], detail).toContain(remedy)
    }
    const unknown = await (await administrator.get('/admin/references/22222-22222')).text()
    expect(unknown).toContain('The audit log has nothing about this request')
    expect(unknown).toContain('npx vestibule-auth explain 22222-22222')
  })
})

describe('the overview, keys and audit of the console', () => {
  it('show sign-ins per hour, readiness, keys and entries', async () => {
    const { administrator, userId } = await signInAdministrator()

    const overview = await (await administrator.get('/admin')).text()
    const keys = await (await administrator.get('/admin/keys')).text()
    const audit = await (
      await administrator.get(`/admin/audit?subject=${userId}&event=sign_in`)
    ).text()

    expect(overview).toMatch(
      /<a href="\/admin\/audit\?event=sign_in&amp;since=[^"]+&amp;until=[^"]+" tabindex="-1">.*?<path class="ok" d="M/,
    )
    expect(overview).toContain('Sign-ins per hour as a table')
    expect(overview).toContain(`<dt>Version</dt><dd>${version}</dd>`)
    expect(overview).toMatch(/<dt>Successful sign-ins<\/dt><dd><strong>[\d,]+<\/strong><small>/)
    expect(overview).toMatch(/<span>\u2068TikTok\u2069<\/span><svg/)
    expect(overview).toContain('<summary>✓ The service is ready.</summary>')
    expect(overview).toContain('<caption>Readiness</caption>')
    expect(overview).not.toContain('not ready')
    expect(keys).toContain('ES256')
    expect(keys).toMatch(/>active<\/span><\/td><td[^>]*>in use from <time/)
    expect(keys).toMatch(/>next<\/td><td[^>]*>published <time/)
    expect(audit).toContain('sign_in')
    expect(audit).toContain(userId)
  })

  it.each([
    { period: '24h', label: '24 hours', hours: 24, bars: 24, count: 2, rate: '33.3%' },
    { period: '7d', label: '7 days', hours: 168, bars: 28, count: 3, rate: '25%' },
    { period: '30d', label: '30 days', hours: 720, bars: 30, count: 4, rate: '20%' },
  ])(
    'count sign-ins, new users, failures and emails of $label, and compare them with the time before',
    async ({ period, label, hours, bars, count, rate }) => {
      const { administrator } = await signInAdministrator()
      await env.DIRECTORY.exec('DELETE FROM counters')
      const now = Math.floor(Date.now() / HOUR / 1000) * HOUR
      const insert = env.DIRECTORY.prepare(
        "INSERT INTO counters VALUES (?, 'counted', 'storefront', ?, ?, 0)",
      )
      const hoursAgo = [0, 23, 24, 24 * 7, 24 * 30]
      await env.DIRECTORY.batch([
        ...hoursAgo.map((ago) => insert.bind(now - ago * HOUR, 'access_denied', 1)),
        insert.bind(now - (hours + 5) * HOUR, 'ok', 2),
      ])
      await signInNewUser()
      const emails = { 'vestibule_emails_total{outcome="failed"}': 1 }
      await metricsObject(env).add({
        counts: emails,
        answers: {},
        secretUses: {},
        signIns: {},
      })

      const page = await (await administrator.get(`/admin?period=${period}`)).text()

      expect(page.match(/<path class="all" d="M\d+ 120/g)).toHaveLength(bars)
      expect(page).toContain(
        `<dt>Successful sign-ins</dt><dd><strong>1</strong><small>▼ 50% on the ${label} before</small>`,
      )
      expect(page).toContain(
        `<dt>Succeeded</dt><dd><strong>${rate}</strong><small>before: 66.7%</small>`,
      )
      expect(page).toContain(
        `<dt>New users</dt><dd><strong>1</strong><small>none in the ${label} before</small>`,
      )
      expect(page).toMatch(
        new RegExp(
          `<span>\u2068counted\u2069</span><svg.*?<span title="0 succeeded, ${count} failed">${count}</span>`,
        ),
      )
      expect(page).toMatch(
        new RegExp(
          `<strong>${count}</strong><div><p>Cancelled, or refused by the provider</p><small>No action needed. <code>access_denied</code>.*?<a class="act" href="/admin/audit\\?event=sign_in&amp;outcome=access_denied&amp;since=[^"]+"[^>]*>Show</a>`,
        ),
      )
      expect(page).toMatch(
        /<dt>Emails, [^<]+<\/dt><dd>\d+ sent, \d+ rejected for their recipient, [1-9]\d* failed/,
      )
    },
  )

  it('list the latest changes by administrators, who must have signed in with a passkey if they have one', async () => {
    const { administrator } = await signInAdministrator()
    const { userId } = await signInNewUser()
    const owner = await createPasskeyUser()
    await env.DIRECTORY.prepare("INSERT INTO administrators VALUES (?, 'owner', 1, 'operator')")
      .bind(owner.userId)
      .run()
    await submitForm(administrator, `/admin/users/${userId}/block`)

    const page = await (await administrator.get('/admin')).text()
    const pageWithoutProof = await (await owner.browser.get('/admin')).text()

    expect(page.replaceAll(/<[^>]+>/g, '')).toMatch(
      /Latest changes by administrators\u2068[^\u2069]*\u2069 blocked \u2068/,
    )
    expect(pageWithoutProof).toContain('Why sign-ins failed')
    expect(pageWithoutProof).not.toContain('Latest changes')
    expect(pageWithoutProof).not.toContain(userId)
  })

  it('[Q6] are shown while METRICS does not respond', async () => {
    const { call, endsAfter } = hangingCall()
    const METRICS = interceptCalls(env.METRICS, call)
    const { administrator } = await signInAdministrator({ METRICS })

    const response = await endsAfter(2_000, () => administrator.get('/admin'))

    expect(response.status).toBe(200)
    expect(await response.text()).toContain('Signing keys active since')
  })

  it('find failures, and say why a filter is invalid', async () => {
    const { administrator, userId } = await signInAdministrator()
    const open = async (query: string) => {
      const response = await administrator.get(`/admin/audit?subject=${userId}&${query}`)
      return [response.status, await response.text()] as const
    }

    const [, succeeded] = await open('outcome=ok')
    const [, failed] = await open('outcome=failed')
    const [status, invalid] = await open('event=signin&network=x')

    expect(succeeded).toContain('<code>sign_in</code>')
    expect(failed).not.toContain('<code>sign_in</code>')
    expect(status).toBe(400)
    expect(invalid).toContain('event must be sign_in or')
    expect(invalid).toContain('network must be an IP address')
    expect(invalid).toContain('<option value="signin" selected="">')
  })

  it('find entries by the reference that a user read out', async () => {
    const { administrator } = await signInAdministrator()
    const response = await new Browser(serviceWith({})).signIn(await createPlatformUser())
    const reference = response.headers.get('X-Request-Id') ?? ''
    const rows = async (query: string) =>
      (await (await administrator.get(`/admin/audit?${query}`)).text()).match(/<tr>/g)?.length

    const typed = reference.toLowerCase().replace('-', '+')
    expect(await rows(`request_id=${typed}&event=sign_in`)).toBe(2)
    expect(await rows(`request_id=${typed}&outcome=access_denied`)).toBeUndefined()
  })

  it('have the names of users and clients, and exact times on hover', async () => {
    const { administrator, userId, handle } = await signInAdministrator()
    await env.DIRECTORY.prepare("UPDATE audit SET client = 'web' WHERE subject = ?")
      .bind(userId)
      .run()

    const page = await (await administrator.get(`/admin/audit?subject=${userId}`)).text()

    expect(page).toMatch(
      new RegExp(
        `<a href="/admin/users/${userId}"><span title="${userId}">\u2068[^<]*${handle}[^<]*</span></a> signed in to <a href="/admin/clients/web"><span title="web">[^<]*</span></a> with TikTok<small`,
        'i',
      ),
    )
    expect(page).toMatch(/<time datetime="[\dT:.-]+Z" title="[\d-]+ [\d:]+ UTC">just now</)
    expect(page).toMatch(/<select name="event"><option value="" selected="">/)
    expect(page).toMatch(/<select name="client">.*<option value="web">/s)
  })

  it.each(['https://agent.example/client', 'vestibule-login', 'a-deleted-client', 'agent.example'])(
    'have no link to a client that is not registered: %s',
    async (id) => {
      const { administrator, userId } = await signInAdministrator()
      await env.DIRECTORY.prepare(
        "UPDATE audit SET event = 'client_deleted', actor = ?1, subject = ?2, client = ?2 WHERE subject = ?3",
      )
        .bind(`client:${id}`, id, userId)
        .run()

      const page = await (
        await administrator.get(`/admin/audit?subject=${encodeURIComponent(id)}`)
      ).text()

      expect(page).toContain(
        `<span title="client:${id}">${id}</span> deleted the client <span title="${id}">${id}</span>`,
      )
      expect(page).not.toContain(`/admin/clients/${encodeURIComponent(id)}`)
    },
  )

  it('say what administrators have changed, and not what users or the service have', async () => {
    const { administrator, userId: administratorId } = await signInAdministrator()
    const { userId } = await signInNewUser()
    const own = await signInNewUser()
    await submitForm(administrator, `/admin/users/${userId}/block`)
    await submitForm(administrator, `/admin/users/${userId}/delete`)
    await env.DIRECTORY.prepare(
      "INSERT INTO audit (id, at, event, outcome, actor, subject) VALUES ('zzz1', 1, 'user_deleted', 'ok', ?1, ?1), ('zzz2', 1, 'keys_rotated', 'ok', 'service', 'k')",
    )
      .bind(own.userId)
      .run()
    const read = async (query: string) =>
      (await (await administrator.get(`/admin/audit?${query}`)).text()).replaceAll(/<[^>]+>/g, ' ')

    const changes = await read('event=changes')
    const all = await read('')
    const of = await read(`event=changes&actor=${administratorId}&since=2020-01-01T00:00`)

    for (const page of [changes, of]) {
      expect(page).toMatch(/ deleted +a deleted user .* blocked +a deleted user /s)
      expect(page).not.toContain('deleted their account')
      expect(page).not.toContain('The service')
    }
    expect(all).toMatch(/deleted their account/)
    expect(all).toMatch(/The service +rotated the signing keys/)
    expect(await read('event=changes&actor=nobody')).toContain('No entries.')
    await env.DIRECTORY.prepare("DELETE FROM audit WHERE id LIKE 'zzz%'").run()
  })

  it('can be selected by the events of the core and of the listed features', async () => {
    const { administrator } = await signInAdministrator()
    const added = declared.features.flatMap(({ audit = {} }) => Object.keys(audit))

    const page = await (await administrator.get('/admin/audit')).text()
    const [, list = ''] = /<select name="event">(.*?)<\/select>/s.exec(page) ?? []
    const events = Array.from(list.matchAll(/<option value="(\w+)"/g), ([, event]) => event)

    expect(added).toContain('webhook_created')
    expect(events.sort()).toEqual(['changes', ...AUDIT_EVENTS, ...added].sort())
    expect((await administrator.get('/admin/audit?event=passkey_cloned')).status).toBe(400)
  })

  it('say what administrators have changed of what a feature has', async () => {
    const { administrator } = await signInAdministrator()
    const { userId } = await signInNewUser()
    await env.DIRECTORY.prepare(
      "INSERT INTO audit (id, at, event, outcome, actor, subject, detail) VALUES ('zzz3', 1, 'roles_given', 'ok', 'operator', ?1, 'editor'), ('zzz4', 1, 'admin_denied', 'denied', 'operator', ?1, 'x')",
    )
      .bind(userId)
      .run()

    const page = await (
      await administrator.get(`/admin/audit?event=changes&subject=${userId}`)
    ).text()

    expect(page).toContain('the role ⁨editor⁩')
    expect(page).not.toContain('was denied administration')
    await env.DIRECTORY.prepare("DELETE FROM audit WHERE id LIKE 'zzz%'").run()
  })

  it('have chips for what is looked for most often, and for each filter, which removes it', async () => {
    const { administrator } = await signInAdministrator()

    const page = await (
      await administrator.get('/admin/audit?event=sign_in&client=web&outcome=access_denied')
    ).text()

    expect(page).toContain('<a href="/admin/audit?client=web">All</a>')
    expect(page).toContain('<a href="/admin/audit?outcome=failed&amp;client=web">Failures</a>')
    expect(page).toContain(
      '<a href="/admin/audit?event=sign_in&amp;outcome=access_denied" aria-current="true">client: \u2068web\u2069 ✕</a>',
    )
    expect(page).toContain('<details class="filter"><summary>More filters')
    expect(page).toContain('Repeated failures of people who are not signed in are merged')
  })

  it('[M7] are downloaded as CSV, in which no text is a formula', async () => {
    const { administrator, userId } = await signInAdministrator()
    const subject = `=cmd"${crypto.randomUUID()}`
    const insert = env.DIRECTORY.prepare(
      "INSERT INTO audit (id, at, event, outcome, actor, subject) VALUES (?, 1, 'keys_rotated', 'ok', ?, ?)",
    )
    const rows = Array.from({ length: 1001 }, (_, index) =>
      insert.bind(`000000002-${index}-${userId}`, userId, subject),
    )
    await env.DIRECTORY.batch(rows)

    const response = await administrator.get(
      `/admin/audit.csv?event=keys_rotated&subject=${encodeURIComponent(subject)}`,
    )

    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
    expect(response.headers.get('Content-Disposition')).toMatch(/^attachment; /)
    const [header, first, ...others] = (await response.text()).trim().split('\r\n')
    expect(header).toMatch(/^time,event,outcome,actor,/)
    expect(first).toBe(
      `1970-01-01T00:00:01.000Z,"keys_rotated","ok","${userId}","'${subject.replace('"', '""')}","","","","",""`,
    )
    expect(others).toHaveLength(1000)
    const invalid = await administrator.get('/admin/audit.csv?event=signin')
    expect(redirectUrl(invalid).pathname).toBe('/admin/audit')
  })

  it('show what does not work while the database does not respond', async () => {
    const failing = new Proxy(env.DIRECTORY, {
      get: () => () => {
        throw new Error('D1_ERROR: no response')
      },
    })
    const { administrator } = await signInAdministrator({ DIRECTORY: failing })

    const response = await administrator.get('/admin')

    expect(response.status).toBe(200)
    const page = await response.text()
    expect(page).toMatch(
      /<h1>Overview<\/h1><div role="alert">.*The service is not ready.*D1:.*<dl/s,
    )
    expect(page).toContain('<dt>Successful sign-ins</dt><dd>not available at the moment</dd>')
    expect(page).not.toContain('Sign-ins per hour')
    expect((await administrator.get('/admin/audit')).status).toBe(503)
  })

  it('have pages of entries', async () => {
    const { administrator } = await signInAdministrator()
    const statement = env.DIRECTORY.prepare(
      "INSERT INTO audit (id, at, event, outcome, actor) VALUES (?, 1, 'keys_rotated', 'ok', 'service')",
    )
    await env.DIRECTORY.batch(
      Array.from({ length: 60 }, (_, index) =>
        statement.bind(`000000001-${index}-${crypto.randomUUID()}`),
      ),
    )

    const first = await (await administrator.get('/admin/audit?event=keys_rotated')).text()
    const [, next = ''] = first.match(/href="([^"]*cursor=[^"]*)"/) ?? []
    const second = await administrator.get(next.replaceAll('&amp;', '&'))

    expect(first).toContain('<a href="/admin/audit">Clear</a>')
    expect(first).not.toContain('First page')
    expect(second.status).toBe(200)
    const secondPage = await second.text()
    expect(secondPage).toContain('keys_rotated')
    expect(secondPage).toContain('<a href="/admin/audit?event=keys_rotated">First page</a>')
    expect(await (await administrator.get('/admin/audit')).text()).not.toContain('>Clear<')
  })
})
