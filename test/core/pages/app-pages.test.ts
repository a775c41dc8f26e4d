import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import { options } from '../../../src/deployment.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { accountDigests } from '../../account-digests.ts'
import { Browser, LOGIN, SHOP, serviceOf, serviceWith } from '../../browser.ts'
import { advanceClock, MINUTE } from '../../clock.ts'
import { languageSwitchPath } from '../../html.ts'
import { startLinking } from '../../link-account.ts'
import { signInNewUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { confirmMethods } from '../../storage.ts'
import { config, newId, newIsolate, ORIGIN, redirectUri } from '../registrations/stored-clients.ts'

const SIGN_IN = '/api/auth/signin'

const GITLAB = {
  AUTH_GITLAB_ID: 'git-client',
  AUTH_GITLAB_SECRET: 'git-secret-7Hk2',
  AUTH_GITLAB_ISSUER: 'https://git.example',
}

async function registerApp(fields: Record<string, unknown> = {}) {
  const client_id = newId()
  await clientStore.create(env, config, {
    registration: {
      client_id,
      client_name: 'Clay & Co.',
      redirect_uris: [redirectUri(client_id)],
      logo_uri: 'https://cdn.clay.example/logo.svg',
      policy_uri: 'https://clay.example/privacy',
      tos_uri: 'https://clay.example/terms',
      brand_color: '#a5431f',
      ...fields,
    },
    origin: ORIGIN,
  })
  return { signInPath: `${SIGN_IN}?callbackUrl=${new URL(redirectUri(client_id)).origin}/` }
}

describe('the sign-in page of an app', () => {
  it("shows the app's logo, name, colour and policies", async () => {
    const { signInPath } = await registerApp()

    const response = await new Browser(newIsolate().service).get(signInPath)

    const page = await response.text()
    expect(page).toContain('<h1>Sign in to Clay &amp; Co.</h1>')
    expect(page).toContain('<img class="app" src="https://cdn.clay.example/logo.svg" alt=""')
    expect(page).toContain(
      '<a href="https://clay.example/privacy">Privacy policy of \u2068Clay &amp; Co.\u2069</a>',
    )
    expect(page).toContain(
      '<a href="https://clay.example/terms">Terms of service of \u2068Clay &amp; Co.\u2069</a>',
    )
    expect(page).toContain('--brand:#a5431f')
    expect(response.headers.get('Content-Security-Policy')).toContain(
      'img-src data: https://cdn.clay.example;',
    )
  })

  it.each(['en', 'ar'])(
    '[M7] isolates a name in another direction in the links to its policies: %s',
    async (language) => {
      const { signInPath } = await registerApp({ client_name: 'החנות 1' })

      const response = await new Browser(newIsolate().service).get(signInPath, {
        'Accept-Language': language,
      })

      const [, footer = ''] = (await response.text()).split('<footer>')
      const links = footer.match(/<a href="https:\/\/clay[^<]*<\/a>/g) ?? []
      expect(links).toHaveLength(2)
      for (const link of links) {
        expect(link.match(/[\u202a-\u202e\u2066-\u2069]/g)).toEqual(['\u2068', '\u2069'])
        expect(link).toMatch(/\u2068החנות[ \u00a0]1\u2069/)
      }
    },
  )

  it('shows the first letter of an app without a logo', async () => {
    const { signInPath } = await registerApp({ logo_uri: undefined, brand_color: undefined })

    const page = await (await new Browser(newIsolate().service).get(signInPath)).text()

    expect(page).toContain('<span class="initial app" aria-hidden="true">C</span>')
    expect(page).not.toContain(':root{--brand:#')
  })
})

describe('the sign-in page for a new user', () => {
  it('says that signing in creates an account', async () => {
    const page = await (await new Browser().get(SIGN_IN)).text()

    expect(page).toContain('<p class="note">New here? Signing in creates your account.</p>')
  })

  it('does not say that signing in creates an account if a callback decides who may sign in', async () => {
    const vestibule = createVestibule({ ...options, callbacks: { signIn: () => true } })

    const page = await (await new Browser(serviceOf(vestibule)).get(SIGN_IN)).text()

    expect(page).toContain('Sign in with TikTok')
    expect(page).not.toContain('New here?')
  })
})

describe('the last used provider', () => {
  it('is marked on the sign-in page after a sign-out', async () => {
    const service = serviceWith(GITLAB)
    const { browser } = await signInNewUser(new Browser(service))
    await browser.post('/api/auth/signout', {})

    const page = await (await browser.get(SIGN_IN)).text()

    expect(page).toMatch(/Sign in with TikTok<span class="badge">Last used<\/span>/)
    expect(await (await new Browser(service).get(SIGN_IN)).text()).not.toContain('Last used')
  })

  it('is not marked where a signed-in user can choose another account', async () => {
    const { browser } = await signInNewUser(new Browser(serviceWith(GITLAB)))

    for (const path of [SIGN_IN, `${SIGN_IN}?prompt=select_account`]) {
      const page = await (await browser.get(path)).text()
      expect(page).toContain('Sign in with TikTok')
      expect(page).not.toContain('Last used')
    }
  })

  it('is not marked if it is the only one', async () => {
    const { browser } = await signInNewUser()
    await browser.post('/api/auth/signout', {})

    expect(await (await browser.get(SIGN_IN)).text()).not.toContain('Last used')
  })

  it('is not the one of an account that was only linked, and is forgotten when it is disconnected', async () => {
    // GitLab has one user, whose account another test may have linked.
    await env.DIRECTORY.prepare("DELETE FROM accounts WHERE provider = 'gitlab'").run()
    const { browser, userId } = await signInNewUser(new Browser(serviceWith(GITLAB)))
    advanceClock(MINUTE)
    const start = await startLinking(browser, 'gitlab')
    const approval = await fetch(redirectUrl(start), { redirect: 'manual' })
    const callback = await browser.get(redirectUrl(approval).href)
    expect(callback.headers.get('Location')).toContain('/account')

    const page = await (await browser.get(`${SIGN_IN}?prompt=login`)).text()

    expect(page).toMatch(/Sign in with TikTok<span class="badge">/)
    expect(page).toMatch(/Sign in with GitLab<\/a>/)

    await confirmMethods(userId)
    const [tiktok = ''] = await accountDigests(browser)
    await browser.post('/account/disconnect', { account: tiktok })

    expect(await (await browser.get(SIGN_IN)).text()).not.toContain('Last used')
  })

  it('is remembered when another one is disconnected, until the user is deleted', async () => {
    await env.DIRECTORY.prepare("DELETE FROM accounts WHERE provider = 'gitlab'").run()
    const { browser, handle, userId } = await signInNewUser(new Browser(serviceWith(GITLAB)))
    const start = await startLinking(browser, 'gitlab')
    const approval = await fetch(redirectUrl(start), { redirect: 'manual' })
    await browser.get(redirectUrl(approval).href)
    await confirmMethods(userId)
    const [, gitlab = ''] = await accountDigests(browser)
    const isMarked = async () => (await (await browser.get(SIGN_IN)).text()).includes('Last used')

    await browser.post('/account/disconnect', { account: gitlab })
    expect(await isMarked()).toBe(true)
    await browser.signIn(handle, { prompt: 'login' })
    await browser.post('/account/delete', {})
    expect(await isMarked()).toBe(false)
  })

  it('is ignored if this deployment does not have it', async () => {
    const response = await new Browser().get(SIGN_IN, {
      Cookie: '__Host-vestibule.provider=%3Cscript%3E; __Host-vestibule.language=xx',
    })

    expect(response.status).toBe(200)
    expect(await response.text()).not.toMatch(/Last used|<script>/)
  })
})

describe('the lines of a page', () => {
  it.each([
    ['ja', true],
    ['en', false],
  ])('in %s end between phrases in headings and buttons: %s', async (language, isExpected) => {
    const page = await (await new Browser().get(SIGN_IN, { 'Accept-Language': language })).text()

    const rules = 'body{line-break:strict}h1,h2,a,button{word-break:auto-phrase}'
    expect(page.includes(rules)).toBe(isExpected)
  })

  it('in Japanese do not break within the phrase after the name of the user', async () => {
    const { browser } = await signInNewUser()

    const page = await (
      await browser.get(`${SIGN_IN}?prompt=login`, { 'Accept-Language': 'ja' })
    ).text()

    expect(page).toContain('\u2069<span class="after-name">としてログイン中です。</span>')
    expect(page).toContain('.after-name{display:inline-block}')
  })
})

describe('the language switch', () => {
  it('opens the same page in another language, which is then remembered', async () => {
    const browser = new Browser()
    const path = `${SIGN_IN}?callbackUrl=${encodeURIComponent(`${SHOP}/`)}&ui_locales=en`
    const page = await (await browser.get(path)).text()
    const switchPath = languageSwitchPath(page, 'es')

    expect(page).toContain('name="language" value="es" lang="es">Español</button>')
    const switched = await browser.get(switchPath)
    const later = await browser.get('/api/auth/signin', { 'Accept-Language': 'en' })

    expect(Object.fromEntries(new URL(switchPath, LOGIN).searchParams)).toEqual({
      callbackUrl: `${SHOP}/`,
      language: 'es',
    })
    expect(await switched.text()).toContain('<h1>Iniciar sesión en The shop</h1>')
    expect(await later.text()).toContain('<html lang="es">')
  })

  it('has a lower precedence than the language an app requests', async () => {
    const browser = new Browser()
    await browser.get(`${SIGN_IN}?language=es`)

    const page = await browser.get(`${SIGN_IN}?ui_locales=en`)

    expect(await page.text()).toContain('<html lang="en">')
  })

  it('remembers nothing for a language that does not exist', async () => {
    const response = await new Browser().get(`${SIGN_IN}?language=%0d%0aSet-Cookie:x=1`)

    expect(response.status).toBe(200)
    expect(response.headers.getSetCookie().join()).not.toContain('language')
  })

  it.each([
    ['/account/delete', 'Eliminar'],
    ['/account/disconnect?account=unknown', 'no está en tu cuenta'],
    [`/api/auth/signout?callbackUrl=${encodeURIComponent(`${SHOP}/`)}`, '¿Cerrar sesión?'],
    ['/oidc/logout?state=x', '¿Cerrar sesión?'],
  ])('is offered to a signed-in user at %s', async (path, text) => {
    const { browser } = await signInNewUser()

    const switchPath = languageSwitchPath(await (await browser.get(path)).text(), 'es')

    const query = new URL(path, LOGIN).searchParams
    const parameters = Object.fromEntries(new URL(switchPath, LOGIN).searchParams)
    expect(parameters).toEqual({ ...Object.fromEntries(query), language: 'es' })
    const page = await (await browser.get(switchPath)).text()
    expect(page).toContain('<html lang="es">')
    expect(page).toContain(text)
  })

  it.each(['/api/auth/signout', '/oidc/logout', '/api/auth/error?error=access_denied'])(
    'is offered to a browser without a session at %s',
    async (path) => {
      const browser = new Browser()

      const page = await (await browser.get(path)).text()
      const switched = await (await browser.get(languageSwitchPath(page, 'es'))).text()

      expect(switched).toContain('<html lang="es">')
    },
  )

  it('is not offered on the page that follows a sign-out', async () => {
    const { browser } = await signInNewUser()

    const page = await (await browser.post('/api/auth/signout', {})).text()

    expect(page).toContain('<h1>You are signed out</h1>')
    expect(page).not.toContain('name="language"')
  })

  it('is not offered on a page that cannot be opened again', async () => {
    const browser = new Browser()
    const page = await (await browser.get('/api/auth/callback/tiktok?code=x&state=y')).text()

    expect(page).not.toContain('name="language"')
  })
})
