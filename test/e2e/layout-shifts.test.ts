import { setTimeout } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { describeInBrowser, it, login, orders, storefront } from './browser-fixtures.ts'
import { signInWithoutPages, waitForOrders, waitForSignedOutStorefront } from './page-steps.ts'

/** Above it, a page jumps: https://web.dev/articles/cls. */
const MAX_LAYOUT_SHIFT = 0.1

/** On loopback, everything could arrive before the page is first drawn. */
const DELAY = 300 // milliseconds

describeInBrowser('the storefront, while it loads', () => {
  it.for([
    ['phone', { width: 390, height: 844 }],
    ['desktop', { width: 1280, height: 800 }],
  ] as const)(
    'does not jump on a %s, signed out or signed in',
    async ([, viewport], { openContext, persona }) => {
      const context = await openContext({ viewport })
      await slowDown(context)
      await measureLayoutShifts(context)
      const page = await context.newPage()

      await page.goto(storefront)
      await waitForSignedOutStorefront(page)
      const signedOut = await layoutShift(page)
      await signInWithoutPages(context, persona)
      await page.goto(storefront)
      await waitForOrders(page)
      const signedIn = await layoutShift(page)

      expect(signedOut).toBeLessThan(MAX_LAYOUT_SHIFT)
      expect(signedIn).toBeLessThan(MAX_LAYOUT_SHIFT)
    },
  )
})

async function slowDown(context: BrowserContext): Promise<void> {
  for (const url of [`${login}/api/auth/session*`, `${orders}/orders`]) {
    await context.route(url, async (route) => {
      await setTimeout(DELAY)
      await route.continue()
    })
  }
}

/** Records every shift that no input of the user has caused. */
async function measureLayoutShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(`
    globalThis.shifts = []
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) {
        if (!hadRecentInput) shifts.push(value)
      }
    }).observe({ type: 'layout-shift', buffered: true })`)
}

async function layoutShift(page: Page): Promise<number> {
  // The last shift is reported after the frame that shows it.
  await setTimeout(DELAY)
  const shifts = await page.evaluate<number[]>('shifts')
  return shifts.reduce((sum, shift) => sum + shift, 0)
}
