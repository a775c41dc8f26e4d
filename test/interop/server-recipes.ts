import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const text = readFileSync(new URL('../../docs/server.md', import.meta.url), 'utf8')

/** A file begins with a comment that has its path. */
const FILE = /^```(?:tsx?|svelte|vue)\n(?:\/\/ (\S+)|<!-- (\S+) -->)\n(.*?)^```$/gms

interface Recipe {
  /** Where the app and the login service are. */
  appUrl: string
  issuer: string
  clientId: string
  /** The library, if not the installed package. */
  library?: string
}

/** Writes a recipe of docs/server.md into a folder, as a reader would copy it. */
export function writeRecipe(heading: string, folder: string, recipe: Recipe): void {
  const [introduction = '', ...sections] = text.split(/^## /m)
  const section = sections.find((each) => each.startsWith(`${heading}\n`))
  if (!section) throw new Error(`docs/server.md has no recipe for ${heading}.`)
  const [, loginFolder = '.'] = /`login\.ts` into `(.+?)`/.exec(section) ?? []
  for (const [path, code] of [
    ...filesOf(introduction).map(([, login]) => [join(loginFolder, 'login.ts'), login] as const),
    ...filesOf(section),
  ]) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), withAddresses(code, recipe))
  }
}

function filesOf(section: string): (readonly [path: string, code: string])[] {
  const blocks = section.matchAll(FILE)
  return Array.from(blocks, ([, path, htmlPath, code = '']) => [path ?? htmlPath ?? '', code])
}

function withAddresses(code: string, { appUrl, issuer, clientId, library }: Recipe): string {
  return code
    .replace('https://login.example.com', issuer)
    .replace('https://web.example.com', appUrl)
    .replace("'web'", `'${clientId}'`)
    .replace('3000', new URL(appUrl).port)
    .replace("'vestibule-auth/server'", JSON.stringify(library ?? 'vestibule-auth/server'))
}
