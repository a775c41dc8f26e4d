import * as fc from 'fast-check'
import { jsx } from 'hono/jsx'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { LANGUAGES } from '../../demo/page-states/languages.ts'
import type { PageState } from '../../demo/page-states/page-state.ts'
import { StatePage } from '../../demo/page-states/state-page.tsx'
import type { Theme } from '../../src/core/config/theme.ts'
import { chooseLanguage } from '../../src/core/messages/choose.ts'
import { resolveTheme } from '../../src/core/pages/theme.ts'
import { findColorViolations, findViolations, setAppearance } from './accessibility.ts'
import { describeInBrowser, it } from './browser-fixtures.ts'
import { MAX_SENT_SIZE, sentSize } from './sent-size.ts'

/** Without its types, because the pages refer to those of the Worker. */
const { STATES }: { STATES: readonly PageState[] } = await import(
  new URL('../../demo/page-states/states.tsx', import.meta.url).pathname
)

/** Each test opens every page at least once, while other tests use the same machine. */
const TIMEOUT = 300_000 // milliseconds

/**
 * The colours of each combination are checked once, and everything else once for each width.
 * `PAGES_TEST=all` checks every rule in every combination, in each of the languages.
 */
const APPEARANCES = {
  en: [
    { colorScheme: 'light', width: 360, check: findViolations },
    { colorScheme: 'dark', width: 1280, check: findColorViolations },
  ],
  ar: [
    { colorScheme: 'dark', width: 360, check: findColorViolations },
    { colorScheme: 'light', width: 1280, check: findViolations },
  ],
} as const

const LOGO =
  'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20viewBox=%220%200%20800%2040%22/%3E'

/** They show every logo. A deployment that offers eighteen providers stays within the limit. */
const WHOLE_CATALOGUE = ['sign-in-all-providers', 'account-link-all-providers']

/** Together they have every kind of element. */
const THEMED_STATES = ['consent', 'account', 'error-access_denied']

/** A short page, a long one, and one with several links at the bottom. */
const MENU_STATES = ['signed-out', 'account', 'consent']

/** The last is what remains of a window of 1280 × 1024 pixels that is enlarged four times. */
const MENU_WINDOWS = [
  { width: 1280, height: 740, text: '100%' },
  { width: 320, height: 740, text: '100%' },
  { width: 320, height: 740, text: '200%' },
  { width: 320, height: 256, text: '100%' },
]

/** Colours that are hard to combine with text. */
const THEMES: readonly Theme[] = [
  { brandColor: '#fff', background: '#fff', radius: '0' },
  { brandColor: '#000', background: '#000', radius: '999px' },
  { brandColor: '#ff0', background: '#ff0', logo: { light: LOGO, dark: LOGO, alt: 'Acme' } },
  { brandColor: '#767676', background: '#777', logo: LOGO },
]

describeInBrowser('every page in every state', { timeout: TIMEOUT }, () => {
  it.for([
    ['en', 'light colours at 360 px and in dark colours at 1280 px'],
    ['ar', 'dark colours at 360 px and in light colours at 1280 px'],
  ] as const)('is accessible and fits, in the language %s in %s', async ([language], { page }) => {
    for (const state of STATES) {
      await show(page, state, { language })
      for (const appearance of appearancesIn(language)) {
        const { width, colorScheme, check } = appearance
        const name = `${state.name} in ${colorScheme} colours at ${width} px`
        await setAppearance(page, appearance)
        expect(await check(page), name).toEqual([])
        expect(await scrollWidth(page), name).toBe(width)
      }
    }
  })

  it.for(['en', 'ar'])(
    'opens the list of languages above its link, inside the window, by keyboard, in the language %s',
    async (language, { page }) => {
      for (const window of MENU_WINDOWS) {
        const theme = { css: `:root { font-size: ${window.text} }` }
        await page.setViewportSize(window)
        for (const state of STATES.filter(({ name }) => MENU_STATES.includes(name))) {
          const name = `${state.name} at ${JSON.stringify(window)}`
          await show(page, state, { language, theme })
          const closed = await pageSize(page)
          await page.locator('footer summary').press('Enter')

          expect(await pageSize(page), name).toEqual(closed)
          const link = await page.locator('footer summary').boundingBox()
          const list = await page.locator('footer form').boundingBox()
          if (!link || !list) throw new Error(`${name}: the list is not displayed`)
          expect(list.x, name).toBeGreaterThanOrEqual(0)
          expect(list.x + list.width, name).toBeLessThanOrEqual(window.width)
          expect(list.y, name).toBeGreaterThanOrEqual(0)
          expect(list.y + list.height, name).toBeLessThanOrEqual(link.y)
          await page.locator('footer button').last().focus()
          await expectInWindow(page.locator('footer button').last(), window.height)
          expect(await findViolations(page), name).toEqual([])
        }
      }
    },
  )

  it('submits each form once, until the user has returned to it', async ({ page }) => {
    for (const state of STATES) {
      await show(page, state, {})
      for (const counts of await submitTwice(page)) expect(counts, state.name).toEqual([1, 1, 2])
    }
  })

  it('is sent in at most 14 KB, in every language', async () => {
    for (const { tag } of LANGUAGES.values()) {
      for (const state of STATES.filter(({ name }) => !WHOLE_CATALOGUE.includes(name))) {
        const size = sentSize(await render(state, { language: tag }))
        expect(size, `${state.name} in ${tag}`).toBeLessThanOrEqual(MAX_SENT_SIZE)
      }
    }
  })

  it.for(['en', 'ar', 'de', 'hi'])(
    'neither clips nor overlaps text of twice the size, at 320 px, in the language %s',
    async (language, { openContext }) => {
      const context = await openContext({ viewport: { width: 320, height: 740 } })
      const page = await context.newPage()

      for (const state of statesIn(language)) {
        const theme = { css: ':root { font-size: 200% }' }
        await show(page, state, { language, theme, isMenuOpen: true })
        expect(await scrollWidth(page), state.name).toBe(320)
        expect(await clippedTexts(page), state.name).toEqual([])
      }
    },
  )

  it.for([
    { device: 'a phone', viewport: { width: 390, height: 844 }, isShown: false },
    { device: 'a phone on its side', viewport: { width: 844, height: 390 }, isShown: false },
    { device: 'a tablet', viewport: { width: 768, height: 1024 }, isShown: true },
  ])(
    'offers a QR code only on screens that a phone can scan: $device',
    async ({ viewport, isShown }, { openContext }) => {
      const context = await openContext({ viewport, hasTouch: true, isMobile: true })
      const page = await context.newPage()
      for (const state of STATES.filter(({ name }) => name === 'sign-in'))
        await show(page, state, {})

      const link = page.locator('.scan')
      expect(await link.count()).toBe(1)
      expect(await link.isVisible()).toBe(isShown)
    },
  )

  it('gives the whole width to a way to sign in without actions, at 360 px', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    for (const state of STATES.filter(({ name }) => name === 'account')) await show(page, state, {})

    const entry = page.locator('.list > li').first()
    const [outer, inner] = [await entry.boundingBox(), await entry.locator('.grow').boundingBox()]
    expect(await entry.getByRole('link').count()).toBe(0)
    expect((inner?.x ?? 0) + (inner?.width ?? 0)).toBe((outer?.x ?? 0) + (outer?.width ?? 0))
  })

  it.for(['light', 'dark'] as const)(
    'is accessible and fits with unusual and with random themes in %s colours at 360 px',
    async (colorScheme, { openContext }) => {
      const context = await openContext({ colorScheme, viewport: { width: 360, height: 740 } })
      const page = await context.newPage()

      for (const theme of [...THEMES, ...randomThemes()]) {
        for (const state of STATES.filter(({ name }) => THEMED_STATES.includes(name))) {
          await show(page, state, { theme })
          // Only a logo changes more than the colours.
          const check = theme.logo ? findViolations : findColorViolations
          expect(await check(page), `${state.name}, ${theme.brandColor}`).toEqual([])
          expect(await scrollWidth(page)).toBe(360)
        }
      }
    },
  )
})

describeInBrowser('a button', { timeout: TIMEOUT }, () => {
  it.for(['light', 'dark'] as const)(
    'changes its colour under the pointer and when it is pressed, and keeps its size and border, in %s colours',
    async (colorScheme, { openContext }) => {
      const context = await openContext({ colorScheme })
      const page = await context.newPage()
      await show(page, findState('consent'), {})
      for (const button of [page.locator('#approve'), page.locator('#deny')]) {
        await page.mouse.move(0, 0)
        const rest = await appearanceOf(button)

        await button.hover()
        const hovered = await appearanceOf(button)
        await page.evaluate(() => addEventListener('submit', (event) => event.preventDefault()))
        await page.mouse.down()
        const pressed = await appearanceOf(button)
        await page.mouse.up()

        expect(hovered.background).not.toBe(rest.background)
        expect(pressed.filter).not.toBe(hovered.filter)
        expect({ ...hovered, background: '' }).toEqual({ ...rest, background: '' })
        expect(pressed.box).toEqual(rest.box)
        expect(await findColorViolations(page)).toEqual([])
      }
    },
  )

  it('has a readable text under the pointer with every theme', async ({ page }) => {
    for (const theme of [...THEMES, ...randomThemes()]) {
      await show(page, findState('consent'), { theme })
      await page.locator('#approve').hover()

      expect(await findColorViolations(page), JSON.stringify(theme)).toEqual([])
    }
  })

  it.for(['sign-in', 'consent', 'account', 'sign-in-passkey'])(
    'keeps its label where it is while it is busy: %s',
    async (name, { page }) => {
      await page.setViewportSize({ width: 360, height: 740 })
      await show(page, findState(name), {})

      for (const button of await page.locator('main :is(a, button):visible').all()) {
        const before = await labelBox(button)
        await button.evaluate((element) => element.setAttribute('aria-busy', 'true'))
        expect(await labelBox(button), (await button.textContent()) ?? '').toEqual(before)
        await button.evaluate((element) => element.removeAttribute('aria-busy'))
      }
    },
  )

  it('shows that it is busy without motion, and in forced colours', async ({ openContext }) => {
    const context = await openContext({ reducedMotion: 'reduce', forcedColors: 'active' })
    const page = await context.newPage()
    await show(page, findState('consent'), {})
    await page.locator('#approve').evaluate((element) => element.setAttribute('aria-busy', 'true'))

    const circle = await page.locator('#approve').evaluate((element) => {
      const style = getComputedStyle(element, '::after')
      const { animationName, borderBlockStartColor, borderBlockEndColor } = style
      return { animationName, isOpen: borderBlockStartColor !== borderBlockEndColor }
    })

    expect(circle).toEqual({ animationName: 'none', isOpen: true })
  })

  it('can be pressed on at least 24 by 24 pixels, also if it is a link below others', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    for (const state of STATES.filter((other) => !other.isEnglishOnly)) {
      await show(page, state, {})
      const links = page.locator('.links :is(a, button), summary, main > a, main > form > button')
      const sizes = await links.filter({ visible: true }).evaluateAll((elements) =>
        elements.map((element) => {
          const { width, height } = element.getBoundingClientRect()
          return Math.min(width, height)
        }),
      )
      expect(Math.min(...sizes, 24), state.name).toBe(24)
    }
  })

  it('has its badge beside the text, which stays on one line', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 740 })
    await show(page, findState('sign-in-last-used'), { language: 'fr' })
    const button = page.locator('a[href$=google]')
    const height = async () => (await button.boundingBox())?.height
    const withBadge = await height()
    const text = await labelBox(button)
    const badge = await button.locator('.badge').boundingBox()
    await button.locator('.badge').evaluate((element) => element.remove())

    expect(withBadge).toBe(await height())
    expect((badge?.y ?? 0) + (badge?.height ?? 0)).toBeLessThanOrEqual((text[1] ?? 0) + 4)
  })
})

describeInBrowser('more than eight providers', { timeout: TIMEOUT }, () => {
  const MANY_PROVIDERS = 'sign-in-many-providers-last-used'

  it('are folded, except for six and the last used, and can be searched', async ({ page }) => {
    await show(page, findState(MANY_PROVIDERS), {})
    const links = page.getByRole('link', { name: 'Sign in with' })
    const search = page.getByRole('searchbox', { name: 'Search' })
    const names = () => links.allInnerTexts()

    expect(await links.filter({ visible: true }).count()).toBe(7)
    expect((await names()).join()).toContain('Last used')
    await page.getByText('Show 11 more').click()
    expect(await links.filter({ visible: true }).count()).toBe(18)
    await search.fill('dr')
    expect(await page.locator('.more a:visible').allInnerTexts()).toEqual([
      'Sign in with Dribbble',
      'Sign in with Dropbox',
    ])
    await search.fill(' DISC')
    expect(await page.locator('.more a:visible').allInnerTexts()).toEqual(['Sign in with Discord'])
    await search.fill('disco dance')
    expect(await page.locator('.more a:visible').count()).toBe(0)
    expect(await page.getByRole('status').filter({ visible: true }).textContent()).toBe(
      'Nothing found.',
    )
    expect(await findViolations(page)).toEqual([])
  })

  it('are folded without scripts, too, and then have no search', async ({ openContext }) => {
    const page = await (await openContext({ javaScriptEnabled: false })).newPage()
    await show(page, findState(MANY_PROVIDERS), {})

    await page.getByText('Show 11 more').click()

    expect(await page.locator('.more a').filter({ visible: true }).count()).toBe(11)
    expect(await page.getByRole('searchbox').count()).toBe(0)
  })
})

describeInBrowser('the field for the code of a device', { timeout: TIMEOUT }, () => {
  it('shows capital letters, and is sent once it is complete', async ({ page }) => {
    await show(page, findState('device-code-new'), {})
    await page.evaluate(() => {
      addEventListener('submit', (event) => {
        document.title += ` ${new FormData(event.target as HTMLFormElement).get('user_code')}`
        event.preventDefault()
      })
    })
    const field = page.getByLabel('Code on your device')
    const sent = async () => (await page.title()).replace('Sign in on a device', '').trim()

    await field.pressSequentially('wdjb-mjh')
    expect([await field.inputValue(), await sent()]).toEqual(['WDJB-MJH', ''])
    await field.press('ArrowLeft')
    await field.press('q')
    expect([await field.inputValue(), await sent()]).toEqual(['WDJB-MJQH', 'WDJB-MJQH'])
    expect(await field.evaluate((input) => (input as HTMLInputElement).selectionStart)).toBe(8)
    await field.fill('aeio-uyaa')
    expect([await field.inputValue(), await sent()]).toEqual(['AEIO-UYAA', 'WDJB-MJQH'])
  })
})

function findState(name: string): PageState {
  const state = STATES.find((other) => other.name === name)
  if (!state) throw new Error(`There is no state ${name}.`)
  return state
}

/** What the pointer changes. */
function appearanceOf(button: Locator) {
  return button.evaluate((element) => {
    for (const animation of document.getAnimations()) animation.finish()
    const { backgroundColor, borderColor, borderWidth, filter } = getComputedStyle(element)
    const { x, y, width, height } = element.getBoundingClientRect()
    return {
      background: backgroundColor,
      border: [borderColor, borderWidth],
      filter,
      box: [x, y, width, height],
    }
  })
}

/** Where the text of a button is. */
function labelBox(button: Locator): Promise<number[]> {
  return button.evaluate((element) => {
    const text = [...element.childNodes].find(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
    )
    const range = document.createRange()
    range.selectNodeContents(text ?? element)
    const { x, y, width, height } = range.getBoundingClientRect()
    return [x, y, width, height]
  })
}

/** Twenty themes of random colours, the same in every run. */
function randomThemes(): Theme[] {
  const color = fc
    .integer({ min: 0, max: 0xffffff })
    .map((value) => `#${value.toString(16).padStart(6, '0')}`)
  return fc.sample(fc.record({ brandColor: color, background: color }), { numRuns: 20, seed: 15 })
}

interface RenderOptions {
  language?: string
  theme?: Theme
}

interface ShowOptions extends RenderOptions {
  /** Whether the list of languages is open, which then covers a part of the page. */
  isMenuOpen?: boolean
}

async function show(page: Page, state: PageState, options: ShowOptions): Promise<void> {
  const { isMenuOpen = false, ...renderOptions } = options
  const html = await render(state, renderOptions)
  await page.setContent(isMenuOpen ? html.replace(/(<footer>.*<details)>/s, '$1 open>') : html)
}

async function render(state: PageState, { language, theme = {} }: RenderOptions): Promise<string> {
  const messages = await chooseLanguage(LANGUAGES, language).loadMessages()
  const languages = [...LANGUAGES.values()]
  return String(jsx(StatePage, { state, messages, theme: resolveTheme(theme), languages }))
}

/** The console exists in English only. */
function statesIn(language: string): readonly PageState[] {
  return STATES.filter((state) => language === 'en' || !state.isEnglishOnly)
}

function appearancesIn(language: keyof typeof APPEARANCES) {
  if (process.env['PAGES_TEST'] !== 'all') return APPEARANCES[language]
  return Object.values(APPEARANCES)
    .flat()
    .map((appearance) => ({ ...appearance, check: findViolations }))
}

async function expectInWindow(element: Locator, windowHeight: number): Promise<void> {
  const box = await element.boundingBox()
  expect(box?.y).toBeGreaterThanOrEqual(0)
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(windowHeight)
}

/**
 * Submits each form twice, and again after the browser has come back to the page. Returns how often
 * each was sent after the first two times, how many buttons were busy then, and how often it was
 * sent in the end.
 */
function submitTwice(page: Page): Promise<number[][]> {
  return page.evaluate(() => {
    let sent = 0
    addEventListener('submit', (event) => {
      if (!event.defaultPrevented) sent += 1
      event.preventDefault()
    })
    // The list of sessions has no button if there is only this one.
    const forms = Array.from(document.forms).filter((form) => form.querySelector('button'))
    return forms.map((form) => {
      sent = 0
      form.noValidate = true
      form.requestSubmit()
      form.requestSubmit()
      const counts = [sent, form.querySelectorAll('button[aria-busy=true]').length]
      dispatchEvent(new Event('pagehide'))
      form.requestSubmit()
      return [...counts, sent]
    })
  })
}

function pageSize(page: Page): Promise<number[]> {
  return page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement
    return [scrollWidth, scrollHeight]
  })
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
