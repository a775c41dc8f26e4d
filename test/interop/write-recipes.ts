import { chromiumPath } from '../e2e/chromium.ts'
import { readFiles, writeFiles } from './documented-files.ts'

/**
 * Writes the recipes below these headings of a page in docs/ into the current folder. Tests get the
 * browser of this machine.
 */

const BROWSER = `launchOptions: { executablePath: '${chromiumPath}' }`

const [, , page = '', ...headings] = process.argv
for (const heading of headings) {
  // An empty heading is the introduction.
  const files = readFiles(page, heading || undefined)
  if (files.length === 0) throw new Error(`${page} has no files below ${heading}.`)
  writeFiles(files, '.', (code) => code.replace('use: { baseURL', `use: { ${BROWSER}, baseURL`))
}
