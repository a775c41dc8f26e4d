import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { NAME } from '../user-name.ts'
import { describeInBrowser, gallery, it, login, platform, storefront } from './browser-fixtures.ts'
import { PARTNER } from './clients/registrations.ts'
import { startCodeFlow } from './code-flow.ts'
import { startForeignSite } from './foreign-site.ts'
import {
  allow,
  choosePersona,
  chooseTikTok,
  goToPlatform,
  signIn,
  signInWithoutPages,
  signInWithTikTok,
  waitForHeading,
} from './page-steps.ts'

/**
 * Approves on the consent page. Nothing listens at the address of the app, so its request is read.
 */
async function approve(page: Page): Promise<URL> {
  const callback = page.waitForRequest((request) => request.url().startsWith(PARTNER.redirectUri))
  await page.locator('#approve').click()
  return new URL((await callback).url())
}

function randomText(length: number): string {
  return Array.from({ length }, () => Math.floor(Math.random() * 36).toString(36)).join('')
}

describeInBrowser('an authorization request', () => {
  it('of more than 6 KB waits for a sign-in and consent', async ({ page, persona }) => {
    const long = ['ui_locales', 'acr_values', 'provider', 'nonce'].map((name) => [
      name,
      randomText(name === 'nonce' ? 500 : 1000),
    ])
    const { request } = await startCodeFlow({
      ...PARTNER,
      parameters: {
        ...Object.fromEntries(long),
        state: randomText(2000),
        prompt: `${randomText(900)} consent`,
      },
    })
    expect(request.search.length).toBeGreaterThan(6 * 1024)

    await page.goto(request.href)
    await signInWithTikTok(page, persona)
    const callback = await approve(page)

    expect(callback.searchParams.get('state')).toBe(request.searchParams.get('state'))
    expect(callback.searchParams.get('code')).toMatch(/^ac_/)
  })

  it('asks a signed-in user to sign in again, then for consent, and returns a code', async ({
    page,
    context,
    persona,
  }) => {
    await signInWithoutPages(context, persona)
    const { request, finish } = await startCodeFlow({
      ...PARTNER,
      parameters: { prompt: 'login consent' },
    })

    await page.goto(request.href)
    await waitForHeading(page, 'Confirm it’s you')
    await signInWithTikTok(page, persona)
    const callback = await approve(page)

    expect((await finish(callback)).sub).toMatch(/^usr_/)
  })

  it('continues in each of two tabs with different apps', async ({ context, persona }) => {
    const [first, second] = [await context.newPage(), await context.newPage()]
    await goToPlatform(first)
    await second.goto(gallery)
    await second.getByRole('link', { name: 'Sign in' }).click()
    await waitForHeading(second, 'Sign in to The gallery')
    await choosePersona(first, persona)
    await allow(first)
    await first.waitForURL(`${storefront}/`)

    await chooseTikTok(second)
    await second.waitForURL((url) => url.origin === gallery || url.origin === platform)
    if (second.url().startsWith(platform)) {
      await choosePersona(second, persona)
      await allow(second)
    }

    await waitForHeading(first, `Hello, ${NAME}`)
    await waitForHeading(second, `Welcome, ${NAME}`)
  })

  it('leads back to the app when the user goes back after signing in', async ({
    page,
    persona,
  }) => {
    await page.goto(gallery)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await waitForHeading(page, 'Sign in to The gallery')
    await signInWithTikTok(page, persona)
    await page.waitForURL(`${gallery}/`)

    // The pages of the platform send the user on to a page of ours that knows no app.
    for (let steps = 0; steps < 6 && !page.url().includes('interaction='); steps++)
      await page.goBack()
    await waitForHeading(page, 'You are signed in')
    await page.getByRole('link', { name: /^Continue/ }).click()

    await page.waitForURL(`${gallery}/`)
    await waitForHeading(page, `Welcome, ${NAME}`)
    expect((await page.context().cookies(login)).length).toBeLessThan(10)
  })
})

describeInBrowser('forty long authorization requests of a page of the same site', () => {
  it('[K13][R6] leave no cookies, so that the user can still sign in', async ({
    page,
    persona,
  }) => {
    const site = await startForeignSite('localhost')
    const requests = await Promise.all(
      Array.from({ length: 40 }, () =>
        startCodeFlow({
          ...PARTNER,
          parameters: { state: randomText(2000), nonce: randomText(500) },
        }),
      ),
    )
    await page.goto(site.origin.replace('localhost.localhost', 'localhost'))

    const urls = requests.map(({ request }) => request.href)
    await page.evaluate(sendAtOnce, urls)

    expect((await page.context().cookies(login)).map(({ name }) => name)).toEqual([])
    await signIn(page, persona)
    await site.close()
  })
})

/** Runs in the page. */
async function sendAtOnce(urls: string[]): Promise<void> {
  const fetches = urls.map((url) => fetch(url, { mode: 'no-cors', credentials: 'include' }))
  const frames = urls.map((url) => {
    const frame = document.createElement('iframe')
    frame.src = url
    const isLoaded = new Promise((resolve) => frame.addEventListener('load', resolve))
    document.body.append(frame)
    return isLoaded
  })
  await Promise.allSettled([...fetches, ...frames])
}
