import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readFiles, readSection, writeFiles } from './documented-files.ts'

const PAGE = 'server.md'

const text = readFileSync(new URL(`../../docs/${PAGE}`, import.meta.url), 'utf8')

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
  const [, loginFolder = '.'] = /`login\.ts` into `(.+?)`/.exec(readSection(text, heading)) ?? []
  const change = (code: string) => withAddresses(code, recipe)
  writeFiles(readFiles(PAGE), join(folder, loginFolder), change)
  writeFiles(readFiles(PAGE, heading), folder, change)
}

function withAddresses(code: string, { appUrl, issuer, clientId, library }: Recipe): string {
  return code
    .replace('https://login.example.com', issuer)
    .replace('https://web.example.com', appUrl)
    .replace("'web'", `'${clientId}'`)
    .replace('3000', new URL(appUrl).port)
    .replace("'vestibule-auth/server'", JSON.stringify(library ?? 'vestibule-auth/server'))
}
