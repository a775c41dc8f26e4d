import { chromiumPath } from '../e2e/chromium.ts'
import { readFiles, writeFiles } from './documented-files.ts'

/**
 * Writes the recipes of docs/testing.md into the current folder, with the app of docs/server.md that
 * they test, and the browser of this machine.
 */

const BROWSER = `launchOptions: { executablePath: '${chromiumPath}' }`

for (const [page, heading] of [
  ['server.md'],
  ['server.md', 'Hono'],
  ['testing.md', 'Playwright'],
  ['testing.md', 'Vitest'],
  ['testing.md', 'GitHub Actions'],
] as const) {
  writeFiles(readFiles(page, heading), '.', (code) =>
    code.replace('use: { baseURL', `use: { ${BROWSER}, baseURL`),
  )
}
