import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A file begins with a comment that has its path. */
const FILE =
  /^```(?:tsx?|svelte|vue|astro|yaml)\n(?:(?:\/\/|#) (\S+)|<!-- (\S+) -->)\n(.*?)^```$/gms

type File = readonly [path: string, code: string]

/** The files of one section of a page in docs, or of its introduction. */
export function readFiles(page: string, heading?: string): File[] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8')
  return Array.from(readSection(text, heading).matchAll(FILE), ([, path, htmlPath, code = '']) => [
    path ?? htmlPath ?? '',
    code,
  ])
}

function readSection(text: string, heading?: string): string {
  const [introduction = '', ...sections] = text.split(/^##+ /m)
  const section = sections.find((each) => each.startsWith(`${heading}\n`))
  if (heading && !section) throw new Error(`There is no section ${heading}.`)
  return section ?? introduction
}

/** Writes them into a folder, as a reader would copy them. */
export function writeFiles(
  files: readonly File[],
  folder: string,
  change = (code: string) => code,
): void {
  for (const [path, code] of files) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), change(code))
  }
}
