import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readFiles, readSection, writeFiles } from './documented-files.ts'

const PAGE = 'server.md'

const text = readFileSync(new URL(`../../docs/${PAGE}`, import.meta.url), 'utf8')

/** The API of an app listens at its port plus this number. */
export const API_PORT_OFFSET = 50

/** What the tokens of the recipes are for. */
export const API = 'https://api.example.com'

/** In an empty folder, as the page says. */
export const [, NEW_PACKAGE = ''] = /^\$ (npm init .*)$/m.exec(text) ?? []

/**
 * Routes that only the tests have. Their responses are not created with the headers of the recipe,
 * and those of `fetch` and `Response.redirect` cannot be changed. Apps with a folder of routes have
 * them there.
 */
const FETCHED = "fetch(process.env.API_URL + '/public')"
const REDIRECTED = "Response.redirect(process.env.APP_URL + '/')"
const ADDED_ROUTES: Partial<Record<string, { before: string; code: string }>> = {
  Hono: {
    before: 'serve({',
    code: `app.get('/fetched', () => ${FETCHED}).get('/redirected', () => ${REDIRECTED})\n`,
  },
  Express: {
    before: 'app.listen(',
    code: `app.get('/fetched', async (_request, response) => response.send(await (await ${FETCHED}).text()))
app.get('/redirected', (_request, response) => response.redirect('/'))\n`,
  },
  Fastify: {
    before: 'await app.listen(',
    code: `app.get('/fetched', () => ${FETCHED}).get('/redirected', () => ${REDIRECTED})\n`,
  },
  'React Router': {
    before: "route('orders'",
    code: "route('fetched', 'fetched.js'), route('redirected', 'redirected.js'), ",
  },
  'Cloudflare Workers': {
    before: 'const name',
    code: `if (pathname === '/fetched') return withHeaders(await ${FETCHED})
    if (pathname === '/redirected') return withHeaders(${REDIRECTED})\n    `,
  },
}

export function apiUrl(appUrl: string): string {
  return `http://127.0.0.1:${Number(new URL(appUrl).port) + API_PORT_OFFSET}`
}

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
  const [, loginFolder = '.'] = /`login\.ts` into\s`(.+?)`/.exec(readSection(text, heading)) ?? []
  const change = (code: string) => withAddresses(code, recipe)
  writeFiles(readFiles(PAGE), join(folder, loginFolder), change)
  const added = ADDED_ROUTES[heading]
  writeFiles(readFiles(PAGE, heading), folder, (code) =>
    change(added ? code.replace(added.before, `${added.code}${added.before}`) : code),
  )
}

function withAddresses(code: string, { appUrl, issuer, clientId, library }: Recipe): string {
  return code
    .replace('https://login.example.com', issuer)
    .replace('https://web.example.com', appUrl)
    .replace(`${API}/orders`, `${apiUrl(appUrl)}/orders`)
    .replace("'web'", `'${clientId}'`)
    .replace('3000', new URL(appUrl).port)
    .replace("'vestibule-auth/server'", JSON.stringify(library ?? 'vestibule-auth/server'))
}
