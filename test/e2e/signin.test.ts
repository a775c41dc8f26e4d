import * as client from 'openid-client'
import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import {
  allow,
  choosePersona,
  describeInBrowser,
  gallery,
  goToConsent,
  goToPlatform,
  it,
  login,
  orders,
  platform,
  seeHeading,
  seeSignedOutGallery,
  seeSignedOutShop,
  sessionOf,
  signIn,
  storefront,
} from './visit.ts'

describeInBrowser('a person at the storefront', () => {
  it('signs in, sees their orders, signs out, and is refused afterwards', async ({
    page,
    context,
    persona,
  }) => {
    await signIn(page, persona)
    await seeHeading(page, 'Hello, Mia Lindqvist')
    const { sub, ...idToken } = await readJson(page, '#id-token')
    expect(sub).toMatch(/^usr_/)
    expect(idToken).toMatchObject({ iss: login, aud: 'storefront', nonce: expect.anything() })
    expect(await readJson(page, '#orders')).toMatchObject({
      customer: sub,
      orders: [expect.anything(), expect.anything()],
    })
    const picture = page.getByRole('main').locator('img')
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(
      0,
    )

    const before = await context.cookies(login)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await seeSignedOutShop(page)
    expect(await sessionOf(context)).toBeNull()

    await context.addCookies(before)
    expect(await sessionOf(context)).toBeNull()
    await page.reload()
    await seeSignedOutShop(page)
  })

  it('changes their mind at the platform, and is shown the ways on', async ({ page, persona }) => {
    await goToConsent(page, persona)
    await page.getByTestId('deny').click()

    await seeHeading(page, 'Sign-in cancelled')
    await page.getByText('access_denied').waitFor()
    expect(await page.locator('#reference').textContent()).toMatch(/^[2-9B-Z]{5}-[2-9B-Z]{5}$/)

    await page.getByRole('link', { name: 'Try again' }).click()
    await page.waitForURL(`${platform}/v2/auth/authorize/**`)
    await page.getByTestId('deny').click()
    await page.getByRole('link', { name: 'Go back to where you came from' }).click()
    await page.waitForURL(`${storefront}/callback?error=login_required**`)
    await seeHeading(page, 'You are not signed in')
    await page.getByRole('link', { name: 'Back to the shop' }).click()
    await seeSignedOutShop(page)
  })

  it.for([2, 5])('[K12] signs in from %d tabs at once', async (tabs, { context, persona }) => {
    const pages = await Promise.all(Array.from({ length: tabs }, () => context.newPage()))
    for (const page of pages) await goToPlatform(page)
    for (const page of pages) await choosePersona(page, persona)
    await Promise.all(pages.map((page) => allow(page)))

    for (const page of pages) {
      await page.waitForURL(`${storefront}/`)
      await page.reload()
      await seeHeading(page, 'Hello, Mia Lindqvist')
    }
  })

  it('[M10] gets all the way without JavaScript', async ({ openContext, persona }) => {
    const context = await openContext({ javaScriptEnabled: false })
    const page = await context.newPage()

    await signIn(page, persona)
    await seeHeading(page, 'Hello, Mia Lindqvist')
    await page.goto(gallery)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await seeHeading(page, 'Welcome, Mia Lindqvist')
    await page.goto(storefront)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await seeSignedOutShop(page)
  })

  it('[M10] gets all the way with the keyboard alone', async ({ page, persona }) => {
    const press = async (target: string) => {
      for (let tabs = 0; tabs < 40; tabs++) {
        await page.keyboard.press('Tab')
        if (await page.locator(`${target}:focus`).count()) return page.keyboard.press('Enter')
      }
      throw new Error(`The Tab key never reaches ${target}.`)
    }

    await page.goto(storefront)
    await press('#sign-in')
    await page.waitForURL(`${login}/**`)
    await press('.brand-tiktok')
    await page.waitForURL(`${platform}/**`)
    await press(`[data-testid=persona-${persona}]`)
    await page.getByTestId('allow').waitFor()
    await press('[data-testid=allow]')
    await page.waitForURL(`${storefront}/`)
    await seeHeading(page, 'Hello, Mia Lindqvist')
    await press('#sign-out')
    await seeSignedOutShop(page)
  })

  it('[K14] loads the callback again, and stays signed in', async ({ page, context, persona }) => {
    await goToConsent(page, persona)
    const callback = page.waitForRequest(`${login}/api/auth/callback/**`)
    await allow(page)
    await page.waitForURL(`${storefront}/`)

    await page.goto((await callback).url())
    await seeHeading(page, 'You are signed in')
    expect(await sessionOf(context)).toMatchObject({ user: { name: 'Mia Lindqvist' } })
  })

  it("[K14] loads the storefront's callback again, and stays signed in", async ({
    page,
    persona,
  }) => {
    await goToConsent(page, persona)
    const callback = page.waitForRequest(`${storefront}/callback**`)
    await allow(page)
    await page.waitForURL(`${storefront}/`)

    await page.goto((await callback).url())
    await page.waitForURL(`${storefront}/`)
    await seeHeading(page, 'Hello, Mia Lindqvist')
  })

  it("cannot finish somebody else's sign-in, and may try their own", async ({
    page,
    openContext,
    persona,
  }) => {
    await goToConsent(page, persona)
    await page.route(`${storefront}/callback**`, (route) => route.abort())
    const callback = page.waitForRequest(`${storefront}/callback**`)
    await allow(page)
    const victim = await (await openContext()).newPage()

    await victim.goto((await callback).url())
    await seeHeading(victim, 'You are not signed in')
    await victim.getByRole('link', { name: 'Sign in', exact: true }).click()
    await seeHeading(victim, 'Sign in to The storefront')
  })

  it('[K14] reloads the error page, and can still start again', async ({ page, persona }) => {
    await goToConsent(page, persona)
    await page.getByTestId('deny').click()
    await seeHeading(page, 'Sign-in cancelled')

    await page.reload()
    await seeHeading(page, 'This sign-in cannot be finished')
    await page.getByRole('link', { name: 'Go to sign-in' }).click()
    await seeHeading(page, 'Sign in')
  })

  it('reads Spanish when the browser asks for it', async ({ openContext, persona }) => {
    const context = await openContext({ locale: 'es-ES' })
    const page = await context.newPage()

    await page.goto(`${storefront}/signin`)
    expect(await page.locator('html').getAttribute('lang')).toBe('es')
    await seeHeading(page, 'Iniciar sesión en The storefront')
    await page.getByRole('link', { name: 'Continuar con TikTok' }).click()
    await choosePersona(page, persona)
    await page.getByTestId('deny').click()
    await seeHeading(page, 'Inicio de sesión cancelado')
  })
})

describeInBrowser('a person who is signed in at the storefront', () => {
  it('is signed in at the gallery by one click, without another trip to the platform', async ({
    page,
    persona,
  }) => {
    await signIn(page, persona)
    const { sub, sid } = await readJson(page, '#id-token')
    const visited: string[] = []
    page.on('framenavigated', (frame) => visited.push(frame.url()))
    await page.getByRole('link', { name: 'the gallery' }).click()
    await seeSignedOutGallery(page)
    await page.getByRole('link', { name: 'Sign in' }).click()

    await seeHeading(page, 'Welcome, Mia Lindqvist')
    expect(visited).toEqual([`${gallery}/`, `${gallery}/`])
    expect(await page.locator('#sub').textContent()).toBe(sub)
    expect(await page.locator('#sid').textContent()).toBe(sid)
  })

  it.for([
    ['the storefront', storefront],
    ['the gallery', gallery],
    ['the login service', `${login}/api/auth/signout`],
  ] as const)('is signed out everywhere at %s', async ([, place], { page, context, persona }) => {
    await signIn(page, persona)
    await page.goto(`${gallery}/signin`)
    await seeHeading(page, 'Welcome, Mia Lindqvist')

    await page.goto(place)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'detached' })

    expect(await sessionOf(context)).toBeNull()
    await page.goto(storefront)
    await seeSignedOutShop(page)
    await page.goto(gallery)
    await seeSignedOutGallery(page)
  })

  it("is not signed out by a service's form", async ({ page, persona }) => {
    await signIn(page, persona)

    const answer = await page.request.post(`${storefront}/signout`, {
      headers: { Origin: gallery },
      maxRedirects: 0,
    })
    expect(answer.status()).toBe(403)
    await page.reload()
    await seeHeading(page, 'Hello, Mia Lindqvist')
  })
})

describeInBrowser('a caller of the orders API', () => {
  it('is refused without a token, and is told how to ask', async ({ context }) => {
    const bare = await context.request.get(`${orders}/orders`)
    expect(bare.status()).toBe(401)
    expect(bare.headers()['www-authenticate']).toBe('Bearer')
  })

  it('is refused with a token that is not for this API', async ({ context, page, persona }) => {
    await signIn(page, persona)
    const session = await sessionOf(context)
    const { access_token, id_token } = await tokensOfGallery(context)

    for (const token of ['a.b.c', session?.token, access_token, id_token]) {
      const headers = { Authorization: `Bearer ${token}` }
      const refused = await context.request.get(`${orders}/orders`, { headers })
      expect(refused.status()).toBe(401)
      expect(refused.headers()['www-authenticate']).toBe('Bearer error="invalid_token"')
    }
  })
})

/** What the gallery gets for who is signed in: an access token for the login service alone. */
async function tokensOfGallery(context: BrowserContext) {
  const configuration = await client.discovery(new URL(login), 'gallery', {}, client.None(), {
    execute: [client.allowInsecureRequests],
  })
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const request = client.buildAuthorizationUrl(configuration, {
    redirect_uri: `${gallery}/callback`,
    scope: 'openid',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  const answer = await context.request.get(request.href, { maxRedirects: 0 })
  const callback = new URL(answer.headers()['location'] ?? '')
  return client.authorizationCodeGrant(configuration, callback, { pkceCodeVerifier })
}

async function readJson(page: Page, place: string): Promise<Record<string, unknown>> {
  return JSON.parse((await page.locator(place).textContent()) ?? '')
}
