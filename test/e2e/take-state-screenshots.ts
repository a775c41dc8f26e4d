import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { loadApp } from '../../demo/page-states/load-app.ts'
import { launchChromium } from './chromium.ts'

/**
 * Takes a screenshot of every page in every state: `npm run screenshots:states [FOLDER]
 * [LANGUAGE]`.
 */

const [folder = 'screenshots', language = 'en'] = process.argv.slice(2)

const APPEARANCES = [
  { name: 'light', scheme: 'light', width: 1280 },
  { name: 'dark', scheme: 'dark', width: 1280 },
  { name: 'phone', scheme: 'light', width: 360 },
] as const

mkdirSync(folder, { recursive: true })
const app = await loadApp()
const states: string[] = await (await app.request('/states')).json()
const browser = await launchChromium()
try {
  for (const { name, scheme, width } of APPEARANCES) {
    const page = await browser.newPage({ viewport: { width, height: 740 }, colorScheme: scheme })
    for (const state of states) {
      const query = new URLSearchParams({ language })
      await page.setContent(await (await app.request(`/states/${state}?${query}`)).text())
      await page.screenshot({ path: join(folder, `${state}-${name}.png`), fullPage: true })
    }
    await page.close()
  }
} finally {
  await browser.close()
}
process.stdout.write(`  ${states.length * APPEARANCES.length} screenshots in ${folder}\n`)
