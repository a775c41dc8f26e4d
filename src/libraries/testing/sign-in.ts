import { isLoopback } from '../../foundation/values/loopback.ts'

/** What is needed of Playwright's page. Its own type would fit only one version of it. */
export interface TestPage {
  url(): string
  goto(url: string): Promise<unknown>
  waitForURL(url: (url: URL) => boolean): Promise<void>
  on(event: 'requestfailed', listener: (request: TestRequest) => void): unknown
  off(event: 'requestfailed', listener: (request: TestRequest) => void): unknown
  locator(selector: string): { first(): { click(): Promise<void> } }
  context(): {
    storageState(options: { path: string; indexedDB: boolean }): Promise<unknown>
  }
}

interface TestRequest {
  url(): string
  isNavigationRequest(): boolean
}

const SIGN_IN_PATH = '/api/auth/signin'
const PLATFORM_PATH = '/v2/auth/authorize/'

/**
 * Signs a user of the stand-in in, after the app has sent the browser to the login service, and
 * returns when the browser is back at the app. The user allows everything that the app requests.
 */
export async function signIn(page: TestPage, handle: string): Promise<void> {
  await waitFor(page, [SIGN_IN_PATH, PLATFORM_PATH])
  if (new URL(page.url()).pathname === SIGN_IN_PATH) {
    await page.locator(`a[href*="${SIGN_IN_PATH}/tiktok"]`).first().click()
    await waitFor(page, [PLATFORM_PATH])
  }
  const request = new URL(page.url())
  requireLoopback(request)
  // Instead of pressing buttons, which depend on who has signed in before.
  request.searchParams.set('__as', handle)
  request.searchParams.set('__grant', request.searchParams.get('scope') ?? '')
  await open(page, request.href)
  if (isAt(new URL(page.url()), [PLATFORM_PATH])) {
    throw new Error(`The stand-in has no user ${handle}. Add it to \`users\` of \`startLogin\`.`)
  }
}

/** Playwright names only the first URL, and not that of the app to which it leads. */
async function open(page: TestPage, url: string): Promise<void> {
  let failed: string | undefined
  const remember = (request: TestRequest) => {
    if (request.isNavigationRequest()) failed = request.url()
  }
  page.on('requestfailed', remember)
  try {
    await page.goto(url)
  } catch (cause) {
    if (failed === undefined || failed === url) throw cause
    // Its query has a code.
    const { origin, pathname } = new URL(failed)
    const message = `The user has signed in, but ${origin}${pathname} cannot be opened. Is the app running?`
    throw new Error(message, { cause })
  } finally {
    page.off('requestfailed', remember)
  }
}

/** Saves cookies and storage of a signed-in browser, with which other tests can begin. */
export async function saveState(page: TestPage, path: string): Promise<void> {
  requireLoopback(new URL(page.url()))
  await page.context().storageState({ path, indexedDB: true })
}

async function waitFor(page: TestPage, paths: readonly string[]): Promise<void> {
  try {
    await page.waitForURL((url) => isAt(url, paths))
  } catch (cause) {
    throw new Error(
      `The page is at ${page.url()}, and not at a sign-in page. Press the sign-in button of the app before signIn.`,
      { cause },
    )
  }
  requireLoopback(new URL(page.url()))
}

function isAt(url: URL, paths: readonly string[]): boolean {
  return paths.includes(url.pathname)
}

/** Whoever could sign in like this at a public address could sign in as anybody. */
function requireLoopback(url: URL): void {
  if (isLoopback(url.href)) return
  throw new Error(`${url.origin} is not on this machine: tests sign in at localhost only.`)
}
