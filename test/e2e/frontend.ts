import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import { decodeJwt } from 'jose'
import type { BrowserContext, Page } from 'playwright-core'
import { login } from './browser-fixtures.ts'
import { ORDERS_API, STOCK_API } from './clients/registrations.ts'
import { serveApp } from './clients/serve-app.ts'
import { buttonPage, programs } from './documented-programs.ts'
import type { LoopbackServer } from './loopback-server.ts'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Longer than the lifetime of a session token or an access token. */
export const SLEEP = 3600_000 // milliseconds

const HTML = `<!doctype html>
<html lang="en" data-login="${login}" data-audiences="${ORDERS_API} ${STOCK_API}">
<title>A frontend</title>
<link rel="icon" href="data:,">
<script type="module" src="/app.js"></script>
<output id="state"></output>
`

/** The tokens that the frontend's API no longer accepts. */
export const rejected = new Set<string>()

/** Serves a frontend with our library, and the programs of docs/relying-apps.md. */
export async function startFrontend(port: number, api = respondAsApi): Promise<LoopbackServer> {
  const script = await bundlePage('client-page.ts')
  const buttonScript = await bundlePage('user-button-page.tsx')
  return serveApp(port, async (request) => {
    const { pathname } = new URL(request.url)
    const program = pathname.match(/^\/programs\/(.+)\.js$/)?.[1]
    if (program) return respondWithScript(await bundleProgram(program))
    if (pathname === '/user-button.js') return respondWithScript(buttonScript)
    if (pathname === '/user-button')
      return respondWithPage(HTML.replace('/app.js', `${pathname}.js`))
    if (pathname === '/button') return respondWithPage(withTestAddresses(buttonPage))
    if (pathname.startsWith('/programs/')) return respondWithPage(programPage(pathname))
    if (/^\/api\/(?!auth\/)/.test(pathname)) return api(request, pathname)
    return pathname === '/app.js' ? respondWithScript(script) : respondWithPage(HTML)
  })
}

function respondWithScript(script: string): Response {
  return new Response(script, { headers: { 'Content-Type': 'text/javascript' } })
}

function respondWithPage(html: string): Response {
  return new Response(html, { headers: { 'Content-Type': 'text/html; charset=utf-8' } })
}

/** A page with a program of docs/relying-apps.md. */
function programPage(path: string): string {
  return `<!doctype html>
<html lang="en">
<title>A frontend</title>
<link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width">
<main><h1>A frontend</h1>${path.endsWith('.tsx') ? '<div id="root"></div>' : '<button></button>'}</main>
<script type="module" src="${path}.js"></script>`
}

function withTestAddresses(text: string): string {
  return text.replaceAll('https://login.example.com', login).replace(/(['"])shop\1/, '$1frontend$1')
}

/** Bundles a program as a reader would copy it, with the addresses of the tests. */
async function bundleProgram(name: string): Promise<string> {
  const contents = withTestAddresses(programs.get(name) ?? '')
  return bundle({
    stdin: { contents, loader: 'tsx', resolveDir: ROOT },
    alias: {
      'vestibule-auth/client': join(ROOT, 'src/client.ts'),
      'vestibule-auth/react': join(ROOT, 'src/react.ts'),
    },
    jsx: 'automatic',
    tsconfigRaw: {},
    // The development version of React renders twice in strict mode.
    define: { 'process.env.NODE_ENV': '"development"', 'import.meta.env': '{}' },
  })
}

function bundlePage(file: string): Promise<string> {
  return bundle({
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
}

/** Rejects some tokens; `/api/recent` also requires a sign-in within the last minute. */
function respondAsApi(request: Request, path: string): Response | Promise<Response> {
  const token = request.headers.get('Authorization')?.replace('Bearer ', '') ?? ''
  if (!token || rejected.has(token)) {
    return new Response('', { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } })
  }
  const challenge = new Map([
    ['/api/recent', 'Bearer error="insufficient_user_authentication", max_age="60"'],
    ['/api/passkey', 'Bearer error="insufficient_user_authentication", acr_values="phr"'],
    ['/api/scope', 'Bearer error="insufficient_scope", scope="email"'],
  ]).get(path)
  if (!challenge) return Response.json({ user: decodeJwt(token).sub })
  const status = path === '/api/scope' ? 403 : 401
  return new Response('', { status, headers: { 'WWW-Authenticate': challenge } })
}

export async function bundle(options: esbuild.BuildOptions): Promise<string> {
  const { outputFiles } = await esbuild.build({
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    ...options,
  })
  return outputFiles?.map(({ text }) => text).join('') ?? ''
}

/** Waits until the page shows this state. */
export async function waitForState(page: Page, state: string): Promise<void> {
  await page.locator('#state').getByText(state, { exact: true }).waitFor()
}

/** Collects the requests to an endpoint of the login service. */
export function collectRequests(target: Page | BrowserContext, path: string): string[] {
  const bodies: string[] = []
  const collect = (request: { url(): string; method(): string; postData(): string | null }) => {
    const isCounted = request.url().startsWith(`${login}${path}`) && request.method() !== 'OPTIONS'
    if (isCounted) bodies.push(request.postData() ?? '')
  }
  // Both have the event, but their types have no common signature.
  ;(target as Page).on('request', collect)
  return bodies
}

export const getToken = (page: Page) => page.evaluate(() => window.client.getToken())

/** The user returns to the page: what a browser reports when its window gets the focus. */
export const focus = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('focus')))

/** A page of the frontend whose developer has configured its client otherwise. */
export function misconfigured(origin: string, options: object): string {
  return `${origin}/?${new URLSearchParams({ options: JSON.stringify(options) })}`
}
