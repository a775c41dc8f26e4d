import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import {
  allow,
  choosePersona,
  describeInBrowser,
  goToConsent,
  it,
  login,
  orders,
  platform,
  seeHeading,
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
    expect(await readJson(page, '#claims')).toMatchObject({
      iss: login,
      aud: 'storefront',
      sub: expect.stringMatching(/^usr_/),
      token_use: 'session',
      name: 'Mia Lindqvist',
    })
    expect(await readJson(page, '#orders')).toMatchObject({
      customer: expect.stringMatching(/^usr_/),
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
    const back = page.getByRole('link', { name: 'Go back to where you came from' })
    expect(await back.getAttribute('href')).toBe(`${storefront}/`)

    await page.getByRole('link', { name: 'Try again' }).click()
    await page.waitForURL(`${platform}/v2/auth/authorize/**`)
    await page.getByTestId('deny').click()
    await back.click()
    await seeSignedOutShop(page)
  })

  it.for([2, 5])('[K12] signs in from %d tabs at once', async (tabs, { context, persona }) => {
    const pages = await Promise.all(Array.from({ length: tabs }, () => context.newPage()))
    for (const page of pages) {
      await page.goto(`${login}/api/auth/signin?callbackUrl=${storefront}/`)
      await page.getByRole('link', { name: 'Continue with TikTok' }).click()
    }
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

    await page.goto(`${login}/api/auth/signin?callbackUrl=${storefront}/`)
    expect(await page.locator('html').getAttribute('lang')).toBe('es')
    await seeHeading(page, 'Iniciar sesión en The storefront')
    await page.getByRole('link', { name: 'Continuar con TikTok' }).click()
    await choosePersona(page, persona)
    await page.getByTestId('deny').click()
    await seeHeading(page, 'Inicio de sesión cancelado')
  })
})

describeInBrowser('a browser at the orders API', () => {
  it('is refused without a token, and is told how to ask', async ({ context, page, persona }) => {
    const bare = await context.request.get(`${orders}/orders`)
    expect(bare.status()).toBe(401)
    expect(bare.headers()['www-authenticate']).toBe('Bearer')

    const wrong = { Authorization: 'Bearer a.b.c' }
    const refused = await context.request.get(`${orders}/orders`, { headers: wrong })
    expect(refused.status()).toBe(401)
    expect(refused.headers()['www-authenticate']).toBe('Bearer error="invalid_token"')

    await signIn(page, persona)
    const foreign = await context.request.get(`${login}/api/auth/session`)
    const { token } = await foreign.json()
    const headers = { Authorization: `Bearer ${token}` }
    expect((await context.request.get(`${orders}/orders`, { headers })).status()).toBe(401)
  })

  it("answers the storefront's own pages", async ({ context, page, persona }) => {
    await signIn(page, persona)
    const session = await sessionOf(context)

    const status = await page.evaluate(
      async ([url, token]) => {
        const response = await fetch(`${url}/orders`, {
          headers: { Authorization: `Bearer ${token}` },
        })
        return response.status
      },
      [orders, session?.token] as const,
    )
    expect(status).toBe(200)
  })
})

async function readJson(page: Page, place: string): Promise<unknown> {
  return JSON.parse((await page.locator(place).textContent()) ?? '')
}
