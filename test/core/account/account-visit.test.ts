import { describe, expect, it } from 'vitest'
import { Browser, LOGIN, SHOP, serviceWith } from '../../browser.ts'
import { advanceClock, HOUR, MINUTE } from '../../clock.ts'
import { findLink } from '../../html.ts'
import { createPlatformUser, signInNewUser } from '../../new-user.ts'
import { interactionOf, redirectUrl } from '../../redirect.ts'
import { RelyingApp } from '../oidc/relying-app.ts'

const ORDERS = `${SHOP}/orders`
const FROM_SHOP = `/account?${new URLSearchParams({ callbackUrl: ORDERS })}`

/** The sign-in page that asks a signed-in user for a confirmation before this page. */
function confirmationOf(path: string): string {
  return `/api/auth/signin?${new URLSearchParams({ callbackUrl: path, prompt: 'login' })}`
}

/** Whether the page has the mark of an app. The shop has no logo, but a letter. */
async function showsShop(response: Response): Promise<boolean> {
  const html = await response.text()
  expect(response.headers.get('Content-Type')).toContain('text/html')
  return html.includes('<span class="initial app" aria-hidden="true">T</span>')
}

async function signInFromShop() {
  const user = await signInNewUser()
  expect(await showsShop(await user.browser.get(FROM_SHOP))).toBe(true)
  return user
}

describe('a visit from an app to the account page', () => {
  it.each(['/account', '/account/link', '/account/delete', confirmationOf('/account/delete')])(
    'shows the app on the pages that follow: %s',
    async (path) => {
      const { browser } = await signInFromShop()

      expect(await showsShop(await browser.get(path))).toBe(true)
    },
  )

  it('keeps the way back after a change', async () => {
    const { browser } = await signInFromShop()

    const page = await (await browser.get('/account?done=passkeyAdded')).text()

    expect(findLink(page, SHOP)).toBe(ORDERS)
  })

  it('keeps the app and the way back through a sign-in', async () => {
    const browser = new Browser()
    const toSignIn = redirectUrl(await browser.get(FROM_SHOP))
    const signInPage = await browser.get(toSignIn.href)
    const callbackUrl = toSignIn.searchParams.get('callbackUrl') ?? ''
    const signedIn = await browser.signIn(await createPlatformUser(), { callbackUrl })
    const account = await browser.get(redirectUrl(signedIn).href, {
      'Sec-Fetch-Site': 'cross-site',
    })

    expect(await showsShop(signInPage)).toBe(true)
    expect(findLink(await account.text(), SHOP)).toBe(ORDERS)
  })

  it('does not make the app a part of a sign-in that confirms a change', async () => {
    const { browser } = await signInFromShop()

    const page = await (await browser.get(confirmationOf('/account/delete'))).text()

    expect(page).toContain('To continue with “Delete your account”')
    expect(page).not.toContain(ORDERS)
    expect(findLink(page, '/account')).toBe('/account')
  })

  it('keeps the request of an app that the user has not continued yet', async () => {
    const app = new RelyingApp('web')
    const { browser } = await signInNewUser()
    const interaction = interactionOf(
      await browser.get(await app.authorizationUrl({ prompt: 'login' })),
    )
    // As after a sign-in, if the ways to sign in have changed. Here they have not.
    const continued = await browser.get(`/account?interaction=${interaction}`)

    const page = await (await browser.get('/account')).text()

    expect(redirectUrl(continued).pathname).toBe(`/oidc/authorize/${interaction}`)
    expect(findLink(page, '/oidc/authorize')).toBe(`${LOGIN}/oidc/authorize/${interaction}`)
    expect(page).toContain('Continue to The web app')
  })

  it.each([
    ['enters the address of the page', '/account', { 'Sec-Fetch-Site': 'none' }],
    ['comes from the same service', '/account?callbackUrl=/account', {}],
  ])('ends when the user %s', async (_, path, headers) => {
    const { browser } = await signInFromShop()

    expect(await showsShop(await browser.get(path, headers))).toBe(false)
    expect(await showsShop(await browser.get('/account'))).toBe(false)
  })

  it('ends after an hour', async () => {
    const { browser } = await signInFromShop()

    advanceClock(HOUR + MINUTE)

    expect(await showsShop(await browser.get('/account'))).toBe(false)
  })

  it('ends when the app is no longer registered', async () => {
    const { browser } = await signInFromShop()
    const other = new Browser(serviceWith({ CLIENTS: [] })).withCookiesOf(browser)

    const response = await other.get('/account')

    expect(response.status).toBe(200)
    expect(await response.clone().text()).not.toContain(SHOP)
    expect(await showsShop(response)).toBe(false)
  })

  it.each(['https://evil.example/', 'javascript:alert(1)', `${SHOP}.evil.example/`])(
    '[N1] cannot begin at a site that nobody has registered: %s',
    async (callbackUrl) => {
      const { browser } = await signInNewUser()

      const response = await browser.get(`/account?${new URLSearchParams({ callbackUrl })}`)
      const account = await browser.get('/account')

      expect(response.status).toBe(400)
      expect(await account.text()).not.toContain(new URL(callbackUrl).hostname || 'javascript:')
      expect(browser.cookieNames('account-visit')).toEqual([])
    },
  )

  it('[L1] is not opened by an id that the browser has no interaction for', async () => {
    const { browser } = await signInFromShop()
    const stranger = (await signInNewUser()).browser
    const [name = ''] = browser.cookieNames('account-visit')
    stranger.cookies.set(name, browser.cookies.get(name) ?? '')

    expect(await showsShop(await stranger.get('/account'))).toBe(false)
  })

  it.each(['/nowhere', '/api/auth/signin', confirmationOf('/admin/users')])(
    'is not shown on pages that do not belong to the account: %s',
    async (path) => {
      const { browser } = await signInFromShop()

      expect(await showsShop(await browser.get(path))).toBe(false)
    },
  )
})

describe('the page that asks for a confirmation', () => {
  const REASON = 'You have only just signed in, but perhaps without being asked for anything.'

  async function readQuestion(browser: Browser): Promise<string> {
    const toSignIn = await browser.get('/account/link')
    return (await browser.get(redirectUrl(toSignIn, 303).href)).text()
  }

  it('says why, directly after a sign-in at which the provider may have asked nothing', async () => {
    const browser = new Browser()
    await browser.signIn(await createPlatformUser())

    expect(await readQuestion(browser)).toContain(REASON)
  })

  it('does not say so later', async () => {
    const { browser } = await signInNewUser()
    advanceClock(11 * MINUTE)

    const page = await readQuestion(browser)

    expect(page).toContain('To continue with “Add a way to sign in”, sign in once more.')
    expect(page).not.toContain(REASON)
  })

  it('names the app that requires it', async () => {
    const { browser } = await signInNewUser()
    const authorization = await new RelyingApp('web').authorizationUrl({ prompt: 'login' })

    const page = await browser.get(redirectUrl(await browser.get(authorization)).href)

    const html = await page.text()
    expect(html).toContain('The web app asks you to sign in once more.')
    expect(html).not.toContain(REASON)
  })
})
