import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright-core'

interface Violation {
  id: string
  nodes: { html: string }[]
}

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

/** Returns the accessibility rules that the page violates, each with its elements. */
export async function findViolations(page: Page): Promise<[rule: string, elements: string[]][]> {
  const violations = (await runLoadedAxe(page)) ?? (await loadAndRunAxe(page))
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
}

/** Loading axe into a page takes several times as long as running it. */
function runLoadedAxe(page: Page): Promise<Violation[] | undefined> {
  return page.evaluate(async () => {
    const { axe } = globalThis as { axe?: { run: () => Promise<{ violations: Violation[] }> } }
    return (await axe?.run())?.violations
  })
}

/** Legacy mode checks only the top frame, and is faster because it does not open a second page. */
async function loadAndRunAxe(page: Page): Promise<Violation[]> {
  return (await new AxeBuilder({ page }).setLegacyMode().analyze()).violations
}
