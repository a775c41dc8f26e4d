import { jsx } from 'hono/jsx'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { StatePage } from '../../demo/page-states/state-page.tsx'
import { type PageState, STATES } from '../../demo/page-states/states.tsx'
import { createLanguages } from '../../src/pages/messages/languages.ts'
import { resolveTheme, type Theme } from '../../src/pages/theme.ts'
import { findViolations, setAppearance } from './accessibility.ts'
import { describeInBrowser, it } from './browser-fixtures.ts'

const MAX_PAGE_SIZE = 14_336 // bytes

/** They have as many entries as a deployment has providers, or a user has sessions or passkeys. */
const LONG_LISTS = ['sign-in-all-providers', 'account-many', 'account-passkeys-most']

const APPEARANCES = [
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 1280 },
] as const

const LOGO =
  'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20viewBox=%220%200%20800%2040%22/%3E'

/** Colours that are hard to combine with text. */
const THEMES: readonly Theme[] = [
  { brandColor: 'white', background: 'white', radius: '0' },
  { brandColor: 'black', background: 'black', radius: '999px' },
  { brandColor: 'yellow', background: 'yellow', logo: { light: LOGO, dark: LOGO, alt: 'Acme' } },
  { brandColor: '#767676', background: '#777', logo: LOGO },
]

describeInBrowser('every page in every state', () => {
  it('is accessible, fits and is small, in light colours at 360 px and in dark colours at 1280 px', {
    timeout: 120_000,
  }, async ({ page }) => {
    for (const state of STATES) {
      const html = await show(page, state, {})
      if (!LONG_LISTS.includes(state.name)) {
        expect(html.length, state.name).toBeLessThanOrEqual(MAX_PAGE_SIZE)
      }
      for (const appearance of APPEARANCES) {
        const { width } = appearance
        await setAppearance(page, appearance)
        await expectAccessible(page, `${state.name} at ${width} px`)
        expect(await scrollWidth(page), state.name).toBe(width)
      }
    }
  })

  it('neither clips nor overlaps text of twice the size, at 320 px', async ({ openContext }) => {
    const context = await openContext({ viewport: { width: 320, height: 740 } })
    const page = await context.newPage()

    for (const state of STATES) {
      await show(page, state, { css: ':root { font-size: 200% }' })
      expect(await scrollWidth(page), state.name).toBe(320)
      expect(await clippedTexts(page), state.name).toEqual([])
    }
  })

  it.for(['light', 'dark'] as const)(
    'is accessible with a theme in %s colours at 360 px',
    async (colorScheme, { openContext }) => {
      const context = await openContext({ colorScheme, viewport: { width: 360, height: 740 } })
      const page = await context.newPage()

      for (const theme of THEMES) {
        for (const state of STATES.filter(
          ({ name }) => name === 'sign-out' || name === 'account',
        )) {
          await show(page, state, theme)
          await expectAccessible(page, `${state.name}, ${theme.brandColor}`)
          expect(await scrollWidth(page)).toBe(360)
        }
      }
    },
  )
})

async function show(page: Page, state: PageState, theme: Theme): Promise<string> {
  const languages = [...createLanguages({}).values()]
  const [messages] = languages
  if (!messages) throw new Error('There are no languages.')
  const html = String(jsx(StatePage, { state, messages, theme: resolveTheme(theme), languages }))
  await page.setContent(html)
  return html
}

async function expectAccessible(page: Page, name: string): Promise<void> {
  expect(await findViolations(page), name).toEqual([])
}

function scrollWidth(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth)
}

/** Elements whose text is wider or higher than they are. */
function clippedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Array.from(document.querySelectorAll('a, button, p, h1, h2, li, dd, dt, summary, span'))
      .filter((element) => getComputedStyle(element).display !== 'inline')
      .filter(
        ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
          scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1,
      )
      .map(({ textContent }) => textContent ?? ''),
  )
}
