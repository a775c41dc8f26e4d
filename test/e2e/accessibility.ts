import axe, { type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

type Axe = typeof axe

interface Appearance {
  colorScheme: 'light' | 'dark'
  /** Of the window, in pixels. */
  width: number
}

/** Changes the width and the colours of an open page. */
export async function setAppearance(page: Page, { colorScheme, width }: Appearance): Promise<void> {
  await page.setViewportSize({ width, height: 740 })
  await setColorScheme(page, colorScheme)
}

/** Changes the colours of an open page, without the transitions between them. */
export async function setColorScheme(
  page: Page,
  colorScheme: Appearance['colorScheme'],
): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) {
      if (animation instanceof CSSTransition) animation.finish()
    }
  })
}

type Violations = [rule: string, elements: string[]][]

/** The only rules whose result depends on the colours. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** Returns the accessibility rules that the page violates, each with its elements. */
export function findViolations(page: Page): Promise<Violations> {
  return runAxe(page, {})
}

/** As `findViolations`, but only those of the colours, which take most of the time. */
export function findColorViolations(page: Page): Promise<Violations> {
  return runAxe(page, { runOnly: COLOR_RULES })
}

async function runAxe(page: Page, options: RunOptions): Promise<Violations> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
  return page.evaluate(async (runOptions) => {
    const { axe } = globalThis as unknown as { axe: Axe }
    const { violations } = await axe.run(document, runOptions)
    return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
  }, options)
}
