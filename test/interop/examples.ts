import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { secretDigest } from '../e2e/secret-digest.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The API of an app listens at its port plus this number. */
export const API_PORT_OFFSET = 50

/** The client id of every example that renders pages on a server. */
export const SERVER_ID = 'web'

/** The client id of every example in a browser. */
const FRONTEND_ID = 'shop'

export function apiUrl(appUrl: string): string {
  return `http://localhost:${Number(new URL(appUrl).port) + API_PORT_OFFSET}`
}

/** How an operator would register the servers at these addresses. */
export function serverRegistration(urls: readonly string[], secret: string) {
  return {
    client_id: SERVER_ID,
    redirect_uris: urls.map((url) => `${url}/auth/callback`),
    post_logout_redirect_uris: urls.map((url) => `${url}/`),
    client_secrets_sha256: [secretDigest(secret)],
    resources: urls.map(apiUrl),
    first_party: true,
  }
}

/** How an operator would register the frontends at these addresses. */
export function frontendRegistration(urls: readonly string[]) {
  return {
    client_id: FRONTEND_ID,
    redirect_uris: urls.map((url) => `${url}/`),
    first_party: true,
  }
}

/**
 * Routes that only the tests have. Their responses are not created with the headers of the example,
 * and those of `fetch` and `Response.redirect` cannot be changed.
 */
interface AddedRoutes {
  /** The file in which `code` is inserted before this text. */
  file: string
  before: string
  code: string
}

const FETCHED = "fetch(process.env.API_URL + '/public')"
const REDIRECTED = "Response.redirect(process.env.APP_URL + '/')"

const ADDED_ROUTES: Record<string, AddedRoutes> = {
  hono: {
    file: 'app.ts',
    before: 'serve({',
    code: `app.get('/fetched', () => ${FETCHED}).get('/redirected', () => ${REDIRECTED})\n`,
  },
  express: {
    file: 'app.ts',
    before: 'app.listen(',
    code: `app.get('/fetched', async (_request, response) => response.send(await (await ${FETCHED}).text()))
app.get('/redirected', (_request, response) => response.redirect('/'))\n`,
  },
  fastify: {
    file: 'app.ts',
    before: 'await app.listen(',
    code: `app.get('/fetched', () => ${FETCHED}).get('/redirected', () => ${REDIRECTED})\n`,
  },
  'react-router': {
    file: 'app/routes.ts',
    before: "route('orders'",
    code: "route('fetched', 'fetched.js'), route('redirected', 'redirected.js'), ",
  },
  worker: {
    file: 'src/index.ts',
    before: 'const name',
    code: `if (pathname === '/fetched') return withHeaders(await ${FETCHED})
    if (pathname === '/redirected') return withHeaders(${REDIRECTED})\n    `,
  },
}

/** In frameworks with a folder of routes, the same routes are files, by their paths. */
const ADDED_FILES: Record<string, Record<string, string>> = {
  next: {
    'app/fetched/route.js': `export const GET = () => ${FETCHED}\n`,
    'app/redirected/route.js': `export const GET = () => ${REDIRECTED}\n`,
  },
  sveltekit: {
    'src/routes/fetched/+server.js': `export const GET = () => ${FETCHED}\n`,
    'src/routes/redirected/+server.js': `export const GET = () => ${REDIRECTED}\n`,
  },
  nuxt: {
    'server/routes/fetched.js': `export default defineEventHandler(() => ${FETCHED})\n`,
    'server/routes/redirected.js': `export default defineEventHandler(() => ${REDIRECTED})\n`,
  },
  'react-router': {
    'app/fetched.js': `export const loader = () => ${FETCHED}\n`,
    'app/redirected.js': `export const loader = () => ${REDIRECTED}\n`,
  },
  astro: {
    'src/pages/fetched.js': `export const GET = () => ${FETCHED}\n`,
    'src/pages/redirected.js': `export const GET = () => ${REDIRECTED}\n`,
  },
}

/** Copies an example out of the repository, as a reader would, and adds the routes of the tests. */
export function copyExample(name: string, folder: string): void {
  cpSync(join(ROOT, 'examples', name), folder, {
    recursive: true,
    filter: (path) => !path.includes('node_modules'),
  })
  const added = ADDED_ROUTES[name]
  if (added) {
    change(join(folder, added.file), added.before, `${added.code}${added.before}`)
  }
  for (const [path, code] of Object.entries(ADDED_FILES[name] ?? {})) {
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), code)
  }
}

/** Replaces a text in a file, which must be there. */
export function change(file: string, text: string, replacement: string): void {
  const code = readFileSync(file, 'utf8')
  if (!code.includes(text)) throw new Error(`${file} does not have ${text}`)
  writeFileSync(file, code.replace(text, replacement))
}
