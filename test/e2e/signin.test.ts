import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { NAME } from '../user-name.ts'
import {
  describeInBrowser,
  gallery,
  it,
  login,
  orders,
  platform,
  storefront,
} from './browser-fixtures.ts'
import { requestTokens } from './code-flow.ts'
import {
  allow,
  choosePersona,
  chooseTikTok,
  deny,
  goToConsent,
  goToPlatform,
  readSession,
  signIn,
  signInPage,
  signInWithoutPages,
  signInWithTikTok,
  signOutAtStorefront,
  waitForErrorPage,
  waitForHeading,
  waitForOrders,
  waitForSignedOutGallery,
  waitForSignedOutStorefront,
} from './page-steps.ts'

describeInBrowser('a user of the storefront', () => {
  it('signs in, sees their orders, and cannot use the old cookies after signing out', async ({
    openContext,
    persona,
  }) => {
    // With the transitions between pages, unlike the other tests.
    const context = await openContext({ reducedMotion: 'no-preference' })
    const page = await context.newPage()
    await signIn(page, persona)
    await waitForHeading(page, `Hello, ${NAME}`)
    await page.locator('.status', { hasText: 'on its way' }).waitFor()
    expect(await page.locator('#order-list strong').allTextContents()).toEqual([
      'Stoneware mug, moss',
      'Teapot for two',
    ])
    const { sub, ...claims } = await readJson(page, '#claims')
    expect(sub).toMatch(/^usr_/)
    expect(claims).toMatchObject({ iss: login, aud: 'storefront' })
    expect(await readJson(page, '#orders')).toMatchObject({
      customer: sub,
      orders: [expect.anything(), expect.anything()],
    })
    const picture = page.locator('vestibule-user-button img')
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0)

    const before = await context.cookies(login)
    await signOutAtStorefront(page)
    await waitForSignedOutStorefront(page)
    expect(await readSession(context)).toBeNull()

    await context.addCookies(before)
    expect(await readSession(context)).toBeNull()
    await page.reload()
    await waitForSignedOutStorefront(page)
  })

  it('cancels at the platform, and can try again or go back', async ({ page, persona }) => {
    await goToConsent(page, persona)
    await deny(page)

    await page.getByText('Sign-in cancelled. Try again or choose another way.').waitFor()
    await chooseTikTok(page)
    await page.waitForURL(`${platform}/v2/auth/authorize/**`)
    await deny(page)
    await page.getByRole('link', { name: /^Go back to / }).click()
    await waitForSignedOutStorefront(page)
  })

  it('goes back to the gallery, which learns that the sign-in was cancelled', async ({
    page,
    persona,
  }) => {
    await page.goto(`${gallery}/signin`)
    await chooseTikTok(page)
    await choosePersona(page, persona)
    await deny(page)
    await page.getByRole('link', { name: /^Go back to / }).click()

    await page.waitForURL(`${gallery}/callback?error=access_denied**`)
    await waitForHeading(page, 'You are not signed in')
    await page.getByText('You cancelled the sign-in.').waitFor()
  })

  it('[K12] signs in from five tabs at once', async ({ context, persona }) => {
    const pages = await Promise.all(Array.from({ length: 5 }, () => context.newPage()))
    for (const page of pages) await goToPlatform(page)
    for (const page of pages) await choosePersona(page, persona)
    await Promise.all(pages.map((page) => allow(page)))

    for (const page of pages) {
      await page.waitForURL(`${storefront}/`)
      await page.reload()
      await waitForHeading(page, `Hello, ${NAME}`)
    }
  })

  it('[M10] can sign in and out without JavaScript', async ({ openContext, persona }) => {
    const context = await openContext({ javaScriptEnabled: false })
    const page = await context.newPage()

    await page.goto(gallery)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signInWithTikTok(page, persona)
    await waitForHeading(page, `Welcome, ${NAME}`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await waitForSignedOutGallery(page)
  })

  it('[M10] can sign in and out with the keyboard alone', async ({ page, persona }) => {
    const tabToAndPress = async (target: string) => {
      for (let tabs = 0; tabs < 40; tabs++) {
        await page.keyboard.press('Tab')
        if (await page.locator(`${target}:focus`).count()) return page.keyboard.press('Enter')
      }
      throw new Error(`The Tab key does not reach ${target}.`)
    }

    await page.goto(storefront)
    await page.locator('vestibule-user-button .sign-in').waitFor()
    await tabToAndPress('.sign-in')
    await page.waitForURL(`${login}/**`)
    await tabToAndPress('.brand-tiktok')
    await page.waitForURL(`${platform}/**`)
    await tabToAndPress(`[data-testid=persona-${persona}]`)
    await page.getByTestId('allow').waitFor()
    await tabToAndPress('[data-testid=allow]')
    await page.waitForURL(`${storefront}/`)
    await waitForOrders(page)
    await tabToAndPress('.user')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await waitForSignedOutStorefront(page)
  })

  it('[K14] reloads the callback, and stays signed in', async ({ page, context, persona }) => {
    await goToConsent(page, persona)
    const callback = page.waitForRequest(`${login}/api/auth/callback/**`)
    await allow(page)
    await page.waitForURL(`${storefront}/`)

    await page.goto((await callback).url())
    await waitForHeading(page, 'You are signed in')
    expect(await readSession(context)).toMatchObject({ user: { name: NAME } })
  })

  it("[K14] reloads the gallery's callback, and stays signed in", async ({ page, persona }) => {
    await page.goto(`${gallery}/signin`)
    const callback = page.waitForRequest(`${gallery}/callback**`)
    await signInWithTikTok(page, persona)
    await page.waitForURL(`${gallery}/`)

    await page.goto((await callback).url())
    await page.waitForURL(`${gallery}/`)
    await waitForHeading(page, `Welcome, ${NAME}`)
  })

  it("cannot complete another user's sign-in, and can start their own", async ({
    page,
    openContext,
    persona,
  }) => {
    await page.goto(`${gallery}/signin`)
    await page.route(`${gallery}/callback**`, (route) => route.abort())
    const callback = page.waitForRequest(`${gallery}/callback**`)
    await signInWithTikTok(page, persona)
    const victim = await (await openContext()).newPage()

    await victim.goto((await callback).url())
    await waitForHeading(victim, 'You are not signed in')
    await victim.getByRole('link', { name: 'Back to the gallery' }).click()
    await victim.getByRole('link', { name: 'Sign in', exact: true }).click()
    await waitForHeading(victim, 'Sign in to The gallery')
  })

  it('[K14] repeats a callback that was cancelled, and can start again', async ({
    page,
    persona,
  }) => {
    await goToConsent(page, persona)
    const callback = page.waitForRequest(`${login}/api/auth/callback/**`)
    await deny(page)
    await page.getByText('Sign-in cancelled.').waitFor()

    await page.goto((await callback).url())
    await waitForErrorPage(page, 'attempt_missing')
    expect(await page.locator('#reference').textContent()).toMatch(/^[2-9B-Z]{4}(-[2-9B-Z]{4}){2}$/)
    await page.getByRole('link', { name: 'Go to sign-in' }).click()
    await waitForHeading(page, 'Sign in')
  })

  it('sees Spanish pages if the browser prefers Spanish', async ({ openContext, persona }) => {
    const context = await openContext({ locale: 'es-ES' })
    const page = await context.newPage()

    await page.goto(signInPage(login, storefront))
    expect(await page.locator('html').getAttribute('lang')).toBe('es')
    await waitForHeading(page, 'Iniciar sesión en The storefront')
    await page.getByRole('link', { name: 'Iniciar sesión con TikTok' }).click()
    await choosePersona(page, persona)
    await deny(page)
    await page.getByText('Inicio de sesión cancelado.').waitFor()
  })
})

describeInBrowser('a user who is signed in at the storefront', () => {
  it('signs in to the gallery with one click, without going to the platform again', async ({
    page,
    persona,
  }) => {
    await signIn(page, persona)
    const { sub, sid } = await readJson(page, '#claims')
    const visited: string[] = []
    page.on('framenavigated', (frame) => visited.push(frame.url()))
    await page.getByRole('link', { name: 'the gallery' }).click()
    await waitForSignedOutGallery(page)
    await page.getByRole('link', { name: 'Sign in' }).click()

    await waitForHeading(page, `Welcome, ${NAME}`)
    expect(visited).toEqual([`${gallery}/`, `${gallery}/`])
    expect(await page.locator('#sub').textContent()).toBe(sub)
    expect(await page.locator('#sid').textContent()).toBe(sid)
  })

  it.for([
    ['the storefront', storefront, signOutAtStorefront],
    ['the gallery', gallery, pressSignOut],
    ['the login service', `${login}/api/auth/signout`, pressSignOut],
  ] as const)(
    'signs out everywhere at %s',
    async ([, url, signOut], { page, context, persona }) => {
      await signInWithoutPages(context, persona)
      await page.goto(`${gallery}/signin`)
      await waitForHeading(page, `Welcome, ${NAME}`)

      await page.goto(url)
      await signOut(page)
      await page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'detached' })
      await expect.poll(() => readSession(context)).toBeNull()

      await page.goto(storefront)
      await waitForSignedOutStorefront(page)
      await page.goto(gallery)
      await waitForSignedOutGallery(page)
    },
  )

  it('is not signed out by a form of another app', async ({ page, context, persona }) => {
    await signInWithoutPages(context, persona)
    await page.goto(`${gallery}/signin`)

    const response = await page.request.post(`${gallery}/signout`, {
      headers: { Origin: storefront },
      maxRedirects: 0,
    })
    expect(response.status()).toBe(403)
    await page.reload()
    await waitForHeading(page, `Welcome, ${NAME}`)
  })
})

describeInBrowser('GET /orders of the orders API', () => {
  it('responds with 401 and a challenge to a request without a token', async ({ context }) => {
    const response = await context.request.get(`${orders}/orders`)
    expect(response.status()).toBe(401)
    expect(response.headers()['www-authenticate']).toBe('Bearer')
  })

  it('rejects tokens that were not issued for this API', async ({ context, persona }) => {
    await signInWithoutPages(context, persona)
    const session = await context.request.get(`${login}/api/auth/session?client_id=gallery`)
    const { token: otherSession } = await session.json()
    const { access_token, id_token } = await requestTokens(context, {
      clientId: 'gallery',
      redirectUri: `${gallery}/callback`,
      parameters: { scope: 'openid' },
    })

    for (const token of ['a.b.c', otherSession, access_token, id_token]) {
      const headers = { Authorization: `Bearer ${token}` }
      const response = await context.request.get(`${orders}/orders`, { headers })
      expect(response.status()).toBe(401)
      expect(response.headers()['www-authenticate']).toMatch(/^Bearer error="invalid_token", /)
    }
  })

  it('rejects a token within fifteen seconds after the user has signed out', async ({
    context,
    persona,
  }) => {
    await signInWithoutPages(context, persona)
    const session = await readSession(context)
    const headers = { Authorization: `Bearer ${session?.token}` }
    const status = async () => (await context.request.get(`${orders}/orders`, { headers })).status()
    expect(await status()).toBe(200)

    await context.request.post(`${login}/api/auth/signout`, { headers: { Origin: login } })

    await expect.poll(status, { timeout: 15_000, interval: 200 }).toBe(401)
  })
})

async function pressSignOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click()
}

/** What the storefront shows, as soon as it does. */
async function readJson(page: Page, selector: string): Promise<Record<string, unknown>> {
  await page.locator(`${selector} bdi`).first().waitFor({ state: 'attached' })
  return JSON.parse((await page.locator(selector).textContent()) ?? '')
}
