import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import {
  allow,
  choosePersona,
  describeInBrowser,
  gallery,
  goToPlatform,
  invent,
  it,
  login,
  platform,
  seeHeading,
  seeSignedOutShop,
  sessionOf,
  signIn,
  storefront,
} from './visit.ts'

/** Bytes of HTML with its stylesheet, the most any page of ours may take. */
const TEN_KILOBYTES = 10_240

/** A small phone. */
const VIEWPORT = { width: 360, height: 740 }

interface Step {
  page: string
  heading: string
  goThere: (page: Page, persona: string) => Promise<unknown>
}

/** Every page there is, in an order that leads from each to the next. */
const WAY: readonly Step[] = [
  {
    page: 'storefront, signed out',
    heading: 'Pots, cups and company',
    goThere: (page) => page.goto(storefront),
  },
  {
    page: 'gallery, signed out',
    heading: 'The gallery',
    goThere: (page) => page.goto(gallery),
  },
  {
    page: 'sign-in',
    heading: 'Sign in to The storefront',
    goThere: (page) => page.goto(`${storefront}/signin`),
  },
  {
    page: 'login of the stand-in',
    heading: 'Who are you?',
    goThere: (page) => page.getByRole('link', { name: 'TikTok' }).click(),
  },
  {
    page: 'consent of the stand-in',
    heading: 'Let Vestibule (sandbox) use your account?',
    goThere: choosePersona,
  },
  {
    page: 'error',
    heading: 'Sign-in cancelled',
    goThere: (page) => page.getByTestId('deny').click(),
  },
  {
    page: 'storefront, signed in',
    heading: 'Hello, Mia Lindqvist',
    goThere: async (page) => {
      await page.getByRole('link', { name: 'Try again' }).click()
      await allow(page)
    },
  },
  {
    page: 'gallery, signed in',
    heading: 'Welcome, Mia Lindqvist',
    goThere: async (page) => {
      await page.getByRole('link', { name: 'the gallery' }).click()
      await page.getByRole('link', { name: 'Sign in' }).click()
    },
  },
  {
    page: 'signed-in',
    heading: 'You are signed in',
    goThere: (page) => page.goto(`${login}/api/auth/signin?callbackUrl=${storefront}/`),
  },
  {
    page: 'account',
    heading: 'Your account',
    goThere: (page) => page.goto(`${login}/account`),
  },
  {
    page: 'deleting an account',
    heading: 'Delete your account',
    goThere: (page) => page.goto(`${login}/account/delete`),
  },
  {
    page: 'sign-out',
    heading: 'Sign out?',
    goThere: (page) => page.goto(`${login}/api/auth/signout`),
  },
  {
    page: 'signed-out',
    heading: 'You are signed out',
    goThere: (page) => page.getByRole('button', { name: 'Sign out' }).click(),
  },
  {
    page: 'code for a phone',
    heading: 'Sign in',
    goThere: (page) => page.goto(`${login}/api/auth/signin/tiktok/qr`),
  },
  {
    page: 'page not found',
    heading: 'Page not found',
    goThere: (page) => page.goto(`${login}/nowhere`),
  },
  {
    page: 'error of the stand-in',
    heading: 'Something went wrong',
    goThere: (page) => page.goto(`${platform}/v2/auth/authorize/`),
  },
  {
    page: 'home of the stand-in',
    heading: 'The video platform, for local work',
    goThere: (page) => page.goto(platform),
  },
  {
    page: 'phone of the stand-in',
    heading: 'Your phone',
    goThere: (page) => page.getByTestId('phone').click(),
  },
  {
    page: 'QR login of the stand-in',
    heading: 'Log in to Vestibule (sandbox) on another screen?',
    goThere: async (page) => {
      await page.getByTestId('link').fill(await newQrCode())
      await page.getByTestId('scan').click()
    },
  },
  {
    page: 'QR login done',
    heading: 'Done',
    goThere: allow,
  },
  {
    page: 'connected apps',
    heading: 'Connected apps',
    goThere: (page) => page.goto(`${platform}/settings/apps`),
  },
  {
    page: 'connected apps, the last one removed',
    heading: 'Connected apps',
    goThere: async (page) => {
      await page.getByRole('button', { name: 'Remove access' }).click()
      await page.getByTestId('removed').waitFor()
    },
  },
  {
    page: 'nothing, at the storefront',
    heading: 'Nothing here',
    goThere: (page) => page.goto(`${storefront}/nowhere`),
  },
  {
    page: 'a sign-in that failed, at the storefront',
    heading: 'You are not signed in',
    goThere: (page) => page.goto(`${storefront}/callback?error=access_denied`),
  },
  {
    page: 'nothing, at the gallery',
    heading: 'Nothing here',
    goThere: (page) => page.goto(`${gallery}/nowhere`),
  },
]

describeInBrowser('every page', () => {
  it.for(['light', 'dark'] as const)(
    '[M1] is accessible, small, free of strangers and of complaints in %s colours at 360 px',
    { timeout: 120_000 },
    async (colorScheme, { openContext, persona }) => {
      const context = await openContext({ colorScheme, viewport: VIEWPORT })
      const page = await context.newPage()
      const foreign: string[] = []
      page.on('request', (request) => {
        const from = request.frame().url()
        if (from.startsWith(login) && !request.isNavigationRequest()) foreign.push(request.url())
      })

      for (const { page: name, heading, goThere } of WAY) {
        await goThere(page, persona)
        await seeHeading(page, heading)
        if (!page.url().startsWith(platform)) {
          expect(Buffer.byteLength(await page.content()), name).toBeLessThanOrEqual(TEN_KILOBYTES)
        }
        const { violations } = await new AxeBuilder({ page }).analyze()
        const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
        expect(found, name).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(360)
      }
      expect(foreign).toEqual([])
    },
  )

  it('[M7] shows a name made of markup as text', async ({ page, context }) => {
    const name = '<script>alert("zoe")</script><img src=x onerror=alert(1)> \u202Eזואי & "زوي"'
    const persona = await invent(name)
    const harmless = async () => {
      expect(await page.locator('script, img[onerror], [src="x"]').count()).toBe(0)
      expect(await page.locator('body').textContent()).toContain('<script>alert("zoe")</script>')
    }

    await goToPlatform(page)
    await seeHeading(page, 'Who are you?')
    await harmless()
    await choosePersona(page, persona)
    await harmless()
    await allow(page)
    await page.waitForURL(`${storefront}/`)
    await harmless()
    await page.goto(`${gallery}/signin`)
    await harmless()
    await page.goto(`${login}/api/auth/signin`)
    await harmless()
    expect(await sessionOf(context)).toMatchObject({ user: { name } })
  })

  it('[M2] lets the sign-out page lead back to the storefront', async ({ page, persona }) => {
    await signIn(page, persona)

    await page.goto(`${login}/api/auth/signout?callbackUrl=${storefront}/`)
    await seeHeading(page, 'Sign out?')
    await page.getByRole('link', { name: 'Stay signed in' }).click()
    await seeHeading(page, 'Hello, Mia Lindqvist')

    await page.goBack()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${storefront}/`)
    await seeSignedOutShop(page)
  })

  it('[M2] lets the signed-in page sign out', async ({ page, persona }) => {
    await signIn(page, persona)

    await page.goto(`${login}/api/auth/signin`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await seeHeading(page, 'You are signed out')
  })
})

/** What an app would draw as a QR code. */
async function newQrCode(): Promise<string> {
  const response = await fetch(`${platform}/v2/oauth/get_qrcode/`, {
    method: 'POST',
    body: 'client_key=sbawstandin0000001&scope=user.info.basic,user.info.profile',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })
  const { scan_qrcode_url } = (await response.json()) as { scan_qrcode_url: string }
  return scan_qrcode_url
}
