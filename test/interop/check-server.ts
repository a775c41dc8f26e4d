import { setTimeout as sleep } from 'node:timers/promises'
import type { APIResponse, Page } from 'playwright-core'
import { Cookies } from '../../src/libraries/server/cookies.ts'
import { readOptions } from '../../src/libraries/server/options.ts'
import type { StoredSession } from '../../src/libraries/server/stored-session.ts'
import { createVerifier } from '../../src/verify.ts'
import { startLoopbackServer } from '../e2e/loopback-server.ts'
import { NAME } from '../user-name.ts'
import { apiUrl, SERVER_ID } from './examples.ts'

/** Milliseconds in which a session ends at the app after it has ended at the login service. */
const REVOCATION_TIMEOUT = 15_000

/** Milliseconds after which a token with a lifetime of ten minutes is renewed. */
const RENEWAL_AGE = 8 * 60_000

/** What the responses contain. `/fetched` and `/redirected` are added to the examples. */
const CONTENTS: Record<string, string> = {
  '/': NAME,
  '/orders': '"customer":"usr_',
  '/fetched': 'public',
  '/redirected': '',
}

interface RunningServer {
  /** Where an example runs. */
  url: string
  login: string
  /** The secret of its cookies. */
  secret: string
  /** The user at the stand-in, whose name is {@link NAME}. */
  handle: string
}

/** Signs a user in and out with Chromium at a server, and out of the login service. */
export async function checkServer(page: Page, server: RunningServer): Promise<string[]> {
  const { url, login, handle } = server
  const api = await startApi(server)
  try {
    await startSignIn(page, url)
    await page.getByTestId(`persona-${handle}`).click()
    await page.getByTestId('allow').click()
    await page.getByText(`Hello, ${NAME}`).waitFor()
    if (page.url() !== `${url}/`) throw new Error(`returned to ${page.url()}`)
    await checkRenewals(page, server)
    await checkManySignIns(page, url)
  } finally {
    await api.close()
  }

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  const response = await page.request.get(`${login}/api/auth/session`)
  if ((await response.json()) !== null) throw new Error('still signed in at the login service')

  await startSignIn(page, url)
  await page.getByText(`Hello, ${NAME}`).waitFor()
  await page.goto(`${login}/api/auth/signout`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForLoadState()
  const seconds = await waitForSignOut(page, url)
  const done = ['sign-in and sign-out', 'renewals', 'an API']
  return [...done, `signed out ${seconds} s after the login service`]
}

/** Nothing listens there. */
export const UNREACHABLE_LOGIN = 'http://localhost:1'

/**
 * Requests a page of a server whose login service is {@link UNREACHABLE_LOGIN}, with a session that
 * it must confirm. Visitors without a session are not affected, also by the former request.
 */
export async function checkOutage(url: string, secret: string): Promise<string> {
  const lifetime = 600_000
  const Cookie = await cookieFor(
    { url, login: UNREACHABLE_LOGIN, secret },
    {
      claims: { sub: 'usr_1', sid: 'ses_1', iat: Math.floor(Date.now() / 1000) },
      grantId: 'gnt_1',
      refreshToken: 'unused',
      accessToken: 'unused',
      lifetime,
      confirmedAt: Date.now() - 2 * lifetime,
    },
  )
  const page = await fetch(url, { headers: { Cookie } })
  const text = await page.text()
  if (page.status !== 503 || !/^[^\n]{0,100}$/.test(text)) {
    throw new Error(`${page.status} ${text.slice(0, 500)} while the login service is unavailable`)
  }
  const { status } = await fetch(url)
  if (status !== 200) throw new Error(`${status} without a session`)
  return '503 while the login service is unavailable'
}

/** The API that examples call, and a page of it that needs no token. */
function startApi({ url, login }: RunningServer) {
  const auth = createVerifier({ issuer: login, audience: apiUrl(url) })
  return startLoopbackServer(
    async (request, response) => {
      const isPublic = request.url === '/public'
      const token = isPublic ? null : await auth.verify(request).catch(() => null)
      response.writeHead(isPublic || token ? 200 : 401)
      response.end(isPublic ? 'public' : JSON.stringify({ customer: token?.userId }))
    },
    { port: Number(new URL(apiUrl(url)).port) },
  )
}

/** Requests pages while a renewal is due, and while none is. Caches must not store either. */
async function checkRenewals(page: Page, server: RunningServer): Promise<void> {
  const name = `vestibule-${SERVER_ID}`
  for (const [path, content] of Object.entries(CONTENTS)) {
    await makeRenewalDue(page, server)
    for (const isDue of [true, false]) {
      const response = await page.request.get(server.url + path, { maxRedirects: 0 })
      const text = await response.text()
      if (response.status() >= 400 || !text.includes(content)) {
        throw new Error(`${path} responded with ${response.status()} ${text.slice(0, 500)}`)
      }
      requireNoStore(path, response)
      const cookies = valuesOf(response, 'set-cookie').filter((each) => each.startsWith(name))
      if (cookies.length !== (isDue ? 1 : 0)) {
        throw new Error(`${path} has set ${cookies.length} cookies, isDue = ${isDue}`)
      }
    }
  }
}

/** The cookies of sign-ins that nobody finishes stay below the 16 KB of headers that Node accepts. */
async function checkManySignIns(page: Page, url: string): Promise<void> {
  const returnTo = `/${'x'.repeat(450)}`
  for (let count = 0; count < 20; count++) {
    await page.request.get(`${url}/auth/signin?returnTo=${returnTo}`, { maxRedirects: 0 })
  }
  const response = await page.request.get(url)
  if (!response.ok()) throw new Error(`${response.status()} after many sign-ins`)
}

function requireNoStore(path: string, response: APIResponse): void {
  const values = valuesOf(response, 'cache-control')
  const directives = values.flatMap((value) => value.split(/, */))
  const isRepeated = values.length > 1 || new Set(directives).size < directives.length
  if (isRepeated || !['private', 'no-store'].every((each) => directives.includes(each))) {
    throw new Error(`${path} has Cache-Control: ${values.join(' and ')}`)
  }
}

function valuesOf(response: APIResponse, name: string): string[] {
  const headers = response.headersArray().filter((header) => header.name.toLowerCase() === name)
  return headers.map(({ value }) => value)
}

/** Changes the cookie as if the token in it had been issued earlier. */
async function makeRenewalDue(page: Page, server: RunningServer): Promise<void> {
  const { url } = server
  const cookies = cookiesOf(server)
  const [stored] = (await page.context().cookies(url)).filter(
    ({ name }) => name === cookies.session,
  )
  const headers = { cookie: `${cookies.session}=${stored?.value}` }
  const session = await cookies.open<StoredSession>({ headers }, cookies.session)
  if (!session) throw new Error('there is no session')
  const confirmedAt = session.confirmedAt - RENEWAL_AGE
  const [, value = ''] = (await cookieFor(server, { ...session, confirmedAt })).split('=')
  await page.context().addCookies([{ name: cookies.session, value, url, httpOnly: true }])
}

type CookieSettings = Pick<RunningServer, 'url' | 'login' | 'secret'>

/** The cookies of an example. */
function cookiesOf({ url, login, secret }: CookieSettings): Cookies {
  const credentials = { clientId: SERVER_ID, clientSecret: 'unused', secret }
  return new Cookies(readOptions({ ...credentials, url: login, origin: url }))
}

/** A session as the value of the `Cookie` header. */
async function cookieFor(server: CookieSettings, session: StoredSession): Promise<string> {
  const cookies = cookiesOf(server)
  const cookie = await cookies.seal(cookies.session, session, 3600)
  return cookie?.split(';')[0] ?? ''
}

/** The platform remembers users who have signed in and allowed the access before. */
async function startSignIn(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Sign in with TikTok' }).click()
}

async function waitForSignOut(page: Page, url: string): Promise<number> {
  const start = performance.now()
  for (;;) {
    await page.goto(url)
    if (await page.getByRole('link', { name: 'Sign in' }).isVisible()) break
    if (performance.now() - start > REVOCATION_TIMEOUT) throw new Error('still signed in')
    await sleep(500)
  }
  return Math.ceil((performance.now() - start) / 1000)
}
