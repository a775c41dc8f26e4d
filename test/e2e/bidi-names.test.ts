import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { createPersona, describeInBrowser, it, login } from './browser-fixtures.ts'
import { signInWithoutPages } from './page-steps.ts'

/** The horizontal centres of the first letter and of the full stop of "You are signed in as …." */
async function sentenceEnds(page: Page): Promise<{ first: number; last: number; name: number[] }> {
  return page.getByText('You are signed in as').evaluate((paragraph) => {
    const text = paragraph.firstChild as Text
    const centre = (index: number) => {
      const range = document.createRange()
      range.setStart(text, index)
      range.setEnd(text, index + 1)
      const { left, right, width } = range.getBoundingClientRect()
      return width > 0 ? [(left + right) / 2] : []
    }
    const start = text.data.indexOf('\u2068')
    const indexes = Array.from(text.data, (_, index) => index)
    return {
      first: centre(0)[0] ?? 0,
      last: centre(text.data.length - 1)[0] ?? 0,
      name: indexes.slice(start, -1).flatMap(centre),
    }
  })
}

describeInBrowser('a display name with direction control characters', () => {
  it.for([
    ['an override after the end of an isolate', 'Mia\u2069\u202eABC'],
    ['an isolate without an end', 'מיה\u2066ABC'],
    ['a paragraph separator', 'Mia\u2029\u202eABC'],
    ['a right-to-left name', 'מיה\u2069\u202eABC'],
  ])(
    '[M7] does not reorder the sentence around it: %s',
    async ([, name = ''], { page, context }) => {
      // Wide enough for one line.
      await page.setViewportSize({ width: 1000, height: 700 })
      await signInWithoutPages(context, await createPersona(name))

      await page.goto(`${login}/api/auth/signin?prompt=login`)

      const { first, last, name: characters } = await sentenceEnds(page)
      for (const position of characters) {
        expect(position).toBeGreaterThan(first)
        expect(position).toBeLessThan(last)
      }
    },
  )
})
