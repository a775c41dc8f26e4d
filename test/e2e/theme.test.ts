import AxeBuilder from '@axe-core/playwright'
import { jsx } from 'hono/jsx'
import { expect } from 'vitest'
import { Layout } from '../../src/pages/layout.tsx'
import { createLanguages } from '../../src/pages/messages/languages.ts'
import { SignOutPage } from '../../src/pages/sign-out-page.tsx'
import { resolveTheme, type Theme } from '../../src/pages/theme.ts'
import { describeInBrowser, it } from './browser-fixtures.ts'

const LOGO =
  'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20viewBox=%220%200%20800%2040%22/%3E'

/** Colours that are hard to combine with text. */
const THEMES: readonly Theme[] = [
  { brandColor: 'white', background: 'white', radius: '0' },
  { brandColor: 'black', background: 'black', radius: '999px' },
  { brandColor: 'yellow', background: 'yellow', logo: { light: LOGO, dark: LOGO, alt: 'Acme' } },
  { brandColor: '#767676', background: '#777', logo: LOGO },
]

describeInBrowser('a page with a theme', () => {
  it.for(['light', 'dark'] as const)(
    'is accessible in %s colours at 360 px',
    async (colorScheme, { openContext }) => {
      const context = await openContext({ colorScheme, viewport: { width: 360, height: 740 } })
      const page = await context.newPage()

      for (const theme of THEMES) {
        await page.setContent(renderPage(theme))
        const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
        expect(violations, theme.brandColor as string).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
      }
    },
  )
})

/** The sign-out page has both kinds of buttons. */
function renderPage(theme: Theme): string {
  const [messages] = createLanguages({}).values()
  if (!messages) throw new Error('There are no languages.')
  const content = jsx(SignOutPage, { messages, action: '/', fields: {}, returnTo: '/' })
  const props = { title: 'Sign out?', serviceName: 'login.example', nonce: 'nonce' }
  return String(jsx(Layout, { ...props, messages, theme: resolveTheme(theme) }, content))
}
