import { devices, type Page } from 'playwright-core'
import { expect } from 'vitest'
import { NAME } from '../user-name.ts'
import { findViolations, setColorScheme } from './accessibility.ts'
import {
  createPersona,
  describeInBrowser,
  gallery,
  it,
  login,
  platform,
  storefront,
} from './browser-fixtures.ts'
import {
  allow,
  choosePersona,
  chooseTikTok,
  deny,
  goToPlatform,
  readSession,
  signIn,
  signInPage,
  waitForErrorPage,
  waitForHeading,
  waitForSignedOutStorefront,
} from './page-steps.ts'
import { MAX_SENT_SIZE, sentSize } from './sent-size.ts'

/** A small phone. */
const VIEWPORT = { width: 360, height: 740 }

interface Step {
  name: string
  open: (page: Page, persona: string) => Promise<unknown>
  isShown: (page: Page) => Promise<void>
}

/** Every page, in an order in which each can be opened after the one before. */
const STEPS: readonly Step[] = [
  {
    name: 'storefront, signed out',
    isShown: heading('Pots, cups and company'),
    open: (page) => page.goto(storefront),
  },
  {
    name: 'gallery, signed out',
    isShown: heading('Three new landscapes'),
    open: (page) => page.goto(gallery),
  },
  {
    name: 'sign-in',
    isShown: heading('Sign in to The storefront'),
    open: (page) => page.goto(signInPage(login, storefront)),
  },
  {
    name: 'login of the stand-in',
    isShown: heading('Who are you?'),
    open: chooseTikTok,
  },
  {
    name: 'consent of the stand-in',
    isShown: heading('Let Vestibule (sandbox) use your account?'),
    open: choosePersona,
  },
  {
    name: 'cancelled',
    isShown: (page) => page.getByText('Sign-in cancelled.').waitFor(),
    open: deny,
  },
  {
    name: 'storefront, signed in',
    isShown: heading(`Hello, ${NAME}`),
    open: async (page) => {
      await chooseTikTok(page)
      await allow(page)
    },
  },
  {
    name: 'gallery, signed in',
    isShown: heading(`Welcome, ${NAME}`),
    open: async (page) => {
      await page.getByRole('link', { name: 'the gallery' }).click()
      await page.getByRole('link', { name: 'Sign in' }).click()
    },
  },
  {
    name: 'signed-in',
    isShown: heading('You are signed in'),
    open: (page) => page.goto(signInPage(login, storefront)),
  },
  {
    name: 'account',
    isShown: heading('Your account'),
    open: (page) => page.goto(`${login}/account`),
  },
  {
    name: 'account deletion',
    isShown: heading('Delete your account'),
    open: (page) => page.goto(`${login}/account/delete`),
  },
  {
    name: 'sign-out',
    isShown: heading('Sign out?'),
    open: (page) => page.goto(`${login}/api/auth/signout`),
  },
  {
    name: 'signed-out',
    isShown: heading('You are signed out'),
    open: (page) => page.getByRole('button', { name: 'Sign out' }).click(),
  },
  {
    name: 'QR code for a phone',
    isShown: heading('Sign in with TikTok'),
    open: (page) => page.goto(`${login}/api/auth/signin/tiktok/qr`),
  },
  {
    name: 'not found',
    isShown: errorPage('not_found'),
    open: (page) => page.goto(`${login}/nowhere`),
  },
  {
    name: 'error of the stand-in',
    isShown: heading('Something went wrong'),
    open: (page) => page.goto(`${platform}/v2/auth/authorize/`),
  },
  {
    name: 'home of the stand-in',
    isShown: heading('The video platform, for local work'),
    open: (page) => page.goto(platform),
  },
  {
    name: 'simulated phone of the stand-in',
    isShown: heading('Your phone'),
    open: (page) => page.getByTestId('phone').click(),
  },
  {
    name: 'QR login of the stand-in',
    isShown: heading('Log in to Vestibule (sandbox) on another screen?'),
    open: async (page) => {
      await page.getByTestId('link').fill(await createQrCode())
      await page.getByTestId('scan').click()
    },
  },
  {
    name: 'QR login of the stand-in, finished',
    isShown: heading('Done'),
    open: allow,
  },
  {
    name: 'connected apps of the stand-in',
    isShown: heading('Connected apps'),
    open: (page) => page.goto(`${platform}/settings/apps`),
  },
  {
    name: 'connected apps of the stand-in, after removing the last one',
    isShown: heading('Connected apps'),
    open: async (page) => {
      await page.getByRole('button', { name: 'Remove access' }).click()
      await page.getByTestId('removed').waitFor()
    },
  },
  {
    name: 'not found, at the storefront',
    isShown: heading('Nothing here'),
    open: (page) => page.goto(`${storefront}/nowhere`),
  },
  {
    name: 'failed sign-in, at the gallery',
    isShown: heading('You are not signed in'),
    open: (page) => page.goto(`${gallery}/callback?error=access_denied`),
  },
  {
    name: 'not found, at the gallery',
    isShown: heading('Nothing here'),
    open: (page) => page.goto(`${gallery}/nowhere`),
  },
]

describeInBrowser('the link to a QR code', () => {
  const phone = { width: 390, height: 844 }
  it.for([
    ['a phone', false, { ...devices['iPhone 15'] }],
    ['a phone, lying', false, { ...devices['Pixel 7 landscape'] }],
    ['an emulated phone without touch', false, { viewport: phone, screen: phone }],
    [
      'a phone that asks for the page of desktops',
      false,
      { viewport: { width: 980, height: 2120 }, screen: phone, hasTouch: true },
    ],
    ['a tablet', true, { ...devices['iPad Mini'] }],
    ['a narrow window', true, { viewport: phone, screen: { width: 1440, height: 900 } }],
  ] as const)('is hidden on phones only: %s', async ([, isShown, options], { openContext }) => {
    const context = await openContext({ ...options })
    const page = await context.newPage()
    await page.goto(signInPage(login, storefront))
    await page.getByRole('link', { name: 'Sign in with TikTok' }).waitFor()

    expect(await page.locator('.scan').isVisible()).toBe(isShown)
  })
})

describeInBrowser('every page', () => {
  it('[M1] is accessible, small, self-contained and free of errors at 360 px', {
    timeout: 300_000,
  }, async ({ openContext, persona }) => {
    const context = await openContext({ viewport: VIEWPORT })
    const page = await context.newPage()
    const subresources: string[] = []
    page.on('request', (request) => {
      const isOurs = request.frame().url().startsWith(login)
      if (isOurs && !request.isNavigationRequest()) subresources.push(request.url())
    })

    for (const { name, open, isShown } of STEPS) {
      await open(page, persona)
      await isShown(page)
      if (!page.url().startsWith(platform)) {
        expect(sentSize(await page.content()), name).toBeLessThanOrEqual(MAX_SENT_SIZE)
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(360)
      // The pages of the service are checked in page-states.test.ts.
      if (!page.url().startsWith(login)) await expectAccessible(page, name)
    }
    // The storefront's logo, and users' pictures.
    const ownImages = [`${storefront}/logo.svg`, `${platform}/tos-avt/`]
    const others = subresources.filter((url) => !ownImages.some((own) => url.startsWith(own)))
    expect(others).toEqual([])
  })

  it('[M7] shows a name that contains markup as text', async ({ page, context }) => {
    const name = '<script>alert("zoe")</script><img src=x onerror=alert(1)> \u202Eזואי & "زوي"'
    const persona = await createPersona(name)
    const expectText = async () => {
      expect(
        await page.locator('script:not([nonce], [src]), img[onerror], [src="x"]').count(),
      ).toBe(0)
      expect(await page.locator('body').textContent()).toContain('<script>alert("zoe")</script>')
    }

    await goToPlatform(page)
    await waitForHeading(page, 'Who are you?')
    await expectText()
    await choosePersona(page, persona)
    await expectText()
    await allow(page)
    await page.locator('#name').getByText('alert').waitFor()
    await expectText()
    await page.goto(`${gallery}/signin`)
    await expectText()
    await page.goto(`${login}/api/auth/signin`)
    await expectText()
    const withoutDirection = name.replace('\u202E', '')
    expect(await readSession(context)).toMatchObject({ user: { name: withoutDirection } })
  })

  it('switches its language without scripts, and keeps the request of the app', async ({
    openContext,
  }) => {
    const context = await openContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${gallery}/signin`)
    const { searchParams } = new URL(page.url())

    for (const [name, language, direction] of [
      ['日本語', 'ja', null],
      ['العربية', 'ar', 'rtl'],
    ] as const) {
      await page.locator('summary').click()
      await page.getByRole('button', { name }).click()
      await page.waitForURL((url) => url.searchParams.get('language') === language)

      const html = page.locator('html')
      expect(await html.getAttribute('lang')).toBe(language)
      expect(await html.getAttribute('dir')).toBe(direction)
      const expected = { ...Object.fromEntries(searchParams), language }
      expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual(expected)
    }
  })

  it('closes its list of languages with Escape and with a click outside of it', async ({
    page,
  }) => {
    await page.goto(`${login}/api/auth/signin`)
    const language = page.getByRole('button', { name: '日本語' })
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => page.getByRole('heading', { level: 1 }).click(),
    ]) {
      await page.locator('footer summary').click()
      await language.waitFor()
      await close()
      await language.waitFor({ state: 'hidden' })
    }
  })

  it('shows that a pressed button is busy, until the user returns to it', async ({ page }) => {
    await page.goto(`${login}/api/auth/signin`)
    const button = page.getByRole('link', { name: 'Sign in with TikTok' })

    const states = await button.evaluate((element: HTMLElement) => {
      element.click()
      const busy = element.ariaBusy
      dispatchEvent(new Event('pagehide'))
      return [busy, element.ariaBusy]
    })

    expect(states).toEqual(['true', null])
  })

  it('[M2] of sign-out leads back to the storefront, signed in or out', async ({
    page,
    persona,
  }) => {
    await signIn(page, persona)

    await page.goto(`${login}/api/auth/signout?callbackUrl=${storefront}/`)
    await waitForHeading(page, 'Sign out?')
    await page.getByRole('link', { name: 'Stay signed in' }).click()
    await waitForHeading(page, `Hello, ${NAME}`)

    await page.goBack()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${storefront}/`)
    await waitForSignedOutStorefront(page)
  })

  it('[M2] of a signed-in user has a button to sign out', async ({ page, persona }) => {
    await signIn(page, persona)

    await page.goto(`${login}/api/auth/signin`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await waitForHeading(page, 'You are signed out')
  })
})

async function expectAccessible(page: Page, name: string): Promise<void> {
  // Only the top frame is checked.
  expect(page.frames(), name).toHaveLength(1)
  for (const colorScheme of ['light', 'dark'] as const) {
    await setColorScheme(page, colorScheme)
    expect(await findViolations(page), `${name}, ${colorScheme}`).toEqual([])
  }
}

function heading(name: string): Step['isShown'] {
  return (page) => waitForHeading(page, name)
}

/** An error page of the login service, recognised by its code. */
function errorPage(code: string): Step['isShown'] {
  return (page) => waitForErrorPage(page, code)
}

/** The link that an app would show as a QR code. */
async function createQrCode(): Promise<string> {
  const response = await fetch(`${platform}/v2/oauth/get_qrcode/`, {
    method: 'POST',
    body: 'client_key=sbawstandin0000001&scope=user.info.basic,user.info.profile',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })
  const { scan_qrcode_url } = (await response.json()) as { scan_qrcode_url: string }
  return scan_qrcode_url
}
