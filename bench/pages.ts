import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Auth } from '@auth/core'
import GitHub from '@auth/core/providers/github'
import Google from '@auth/core/providers/google'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import type { Browser } from 'playwright-core'
import { startServices } from '../demo/services.ts'
import { launchChromium, wholeChromiumPath } from '../test/e2e/chromium.ts'

/*
 * Compares the sign-in page of the demo with the default pages of Auth.js and OpenAuth, each with
 * two providers: `npm run bench:pages`. OpenAuth is installed in a temporary folder. All of them
 * are served by the same server, which compresses as Cloudflare does.
 */

/** Lighthouse's slow 4G. */
const NETWORK = { latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000 }

const ROUNDS = 9

/** Not the ports of `npm start`, which may be running. */
const PORT = 18_987

const SECRET = 'a secret of at least thirty-two bytes'

type Handler = (request: Request) => Response | Promise<Response>

interface Measurement {
  /** As sent, with headers. */
  bytes: number
  requests: number
  /** To other sites. Each is answered with an empty file after one round trip. */
  thirdParty: number
  /** First contentful paint, in milliseconds. */
  paint: number
}

const folder = await mkdtemp(join(tmpdir(), 'bench-pages-'))
const services = await startServices({ port: PORT })
const browser = await launchChromium({}, wholeChromiumPath)
try {
  const callback = encodeURIComponent(`${services.storefront}/`)
  const pages: [name: string, handler: Handler, path: string][] = [
    ['Vestibule', vestibule, `/api/auth/signin?callbackUrl=${callback}`],
    ['Auth.js', authJs, '/auth/signin'],
    ['OpenAuth', await openAuth(), openAuthRequest()],
  ]
  const rows: string[] = ['page       bytes  requests  to other sites  first paint']
  for (const [name, handler, path] of pages) {
    const { bytes, requests, thirdParty, paint } = await measurePage(handler, path)
    rows.push(
      name.padEnd(9) +
        String(bytes).padStart(7) +
        String(requests).padStart(10) +
        String(thirdParty).padStart(16) +
        `${(paint / 1000).toFixed(2)} s`.padStart(13),
    )
  }
  process.stdout.write(`${rows.join('\n')}\n`)
} finally {
  await browser.close()
  await services.stop()
  await rm(folder, { recursive: true })
}

function vestibule(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const { headers } = request
  return fetch(services.login + pathname + search, { headers, redirect: 'manual' })
}

function authJs(request: Request): Promise<Response> {
  const options = { clientId: 'client', clientSecret: SECRET }
  return Auth(request, {
    basePath: '/auth',
    secret: SECRET,
    trustHost: true,
    providers: [Google(options), GitHub(options)],
  })
}

/** Installs OpenAuth, and creates an issuer with its own page and theme. */
async function openAuth(): Promise<Handler> {
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await promisify(execFile)('npm', ['install', '--silent', '@openauthjs/openauth@0.4.3'], {
    cwd: folder,
  })
  const load = (file: string) =>
    import(pathToFileURL(join(folder, 'node_modules/@openauthjs/openauth/dist/esm', file)).href)
  const [{ issuer }, { MemoryStorage }, { GithubProvider }, { GoogleProvider }] = await Promise.all(
    ['issuer.js', 'storage/memory.js', 'provider/github.js', 'provider/google.js'].map(load),
  )
  const options = { clientID: 'client', clientSecret: SECRET, scopes: [] }
  const app = issuer({
    subjects: {},
    storage: MemoryStorage(),
    providers: { github: GithubProvider(options), google: GoogleProvider(options) },
    allow: async () => true,
    success: async () => new Response(),
  })
  return (request) => app.fetch(request)
}

function openAuthRequest(): string {
  const query = new URLSearchParams({
    client_id: 'shop',
    redirect_uri: 'http://localhost/callback',
    response_type: 'code',
  })
  return `/authorize?${query}`
}

/** The medians of several rounds. */
async function measurePage(handler: Handler, path: string): Promise<Measurement> {
  const app = new Hono().use(compress()).all((c) => handler(c.req.raw))
  const server = serve({ fetch: app.fetch, port: 0 })
  await new Promise((resolve) => server.once('listening', resolve))
  try {
    const url = `http://localhost:${(server.address() as AddressInfo).port}${path}`
    const rounds: Measurement[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measureOnce(browser, url))
    const median = (field: keyof Measurement) =>
      rounds.map((round) => round[field]).sort((a, b) => a - b)[ROUNDS >> 1] ?? 0
    return {
      bytes: median('bytes'),
      requests: median('requests'),
      thirdParty: median('thirdParty'),
      paint: median('paint'),
    }
  } finally {
    server.close()
  }
}

async function measureOnce(browser: Browser, url: string): Promise<Measurement> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', { offline: false, ...NETWORK })
  let bytes = 0
  let requests = 0
  let thirdParty = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  page.on('request', (request) => {
    if (/^https?:/.test(request.url())) requests++
  })
  await page.route(
    ({ hostname }) => hostname !== 'localhost',
    async (route) => {
      thirdParty++
      await setTimeout(NETWORK.latency)
      await route.fulfill({ body: '' })
    },
  )
  await page.goto(url, { waitUntil: 'networkidle' })
  const paint = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  )
  await context.close()
  return { bytes, requests, thirdParty, paint }
}
