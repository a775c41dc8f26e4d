import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { BrowserContext, Page } from 'playwright-core'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it as itWithoutBrowser } from 'vitest'
import {
  type ClientOptions,
  createClient,
  dpop,
  type SignInOptions,
  type TokenOptions,
} from '../../src/client.ts'
import { SignedOut, UserButton, type UserButtonProps, VestibuleProvider } from '../../src/react.ts'
import type { ServerOptions } from '../../src/server.ts'
import type { LoginOptions } from '../../src/testing.ts'
import type { VerifierOptions } from '../../src/verify.ts'
import { NAME } from '../user-name.ts'
import { findViolations } from './accessibility.ts'
import { describeInBrowser, it, login } from './browser-fixtures.ts'
import { OPERATOR_ID, SAME_SITE_FRONTEND, SECRET } from './clients/registrations.ts'
import {
  bundle,
  collectRequests,
  focus,
  getToken,
  misconfigured,
  ROOT,
  rejected,
  SLEEP,
  startFrontend,
  waitForState,
} from './frontend.ts'
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts'
import { readSession, signInWithoutPages, signInWithTikTok } from './page-steps.ts'
import { PORTS } from './ports.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The optional options, with an explicit `undefined`, for `exactOptionalPropertyTypes`. */
type Unset<Options> = {
  [Name in keyof Options as object extends Pick<Options, Name> ? Name : never]?:
    | Options[Name]
    | undefined
}

let server: LoopbackServer

beforeAll(async () => {
  server = await startFrontend(PORTS.frontend)
})
afterAll(() => server.close())

describe('vestibule-auth/client', () => {
  itWithoutBrowser('has at most 6 KiB, compressed with gzip, and no dependencies', async () => {
    const script = await bundle({
      stdin: { contents: `export { createClient } from './src/client.ts'`, resolveDir: ROOT },
      minify: true,
    })

    expect(gzipSync(script).length).toBeLessThanOrEqual(6 * 1024)
    expect(script).not.toMatch(/react|jose|user-button|dpop\+jwt|\bimport\b/i)
  })

  itWithoutBrowser('accepts an option that is undefined, such as a missing setting', () => {
    expectTypeOf<Unset<ClientOptions>>().toExtend<Partial<ClientOptions>>()
    expectTypeOf<Unset<SignInOptions>>().toExtend<SignInOptions>()
    expectTypeOf<Unset<TokenOptions>>().toExtend<TokenOptions>()
    expectTypeOf<Unset<UserButtonProps>>().toExtend<UserButtonProps>()
    expectTypeOf<Unset<ServerOptions>>().toExtend<Partial<ServerOptions>>()
    expectTypeOf<Unset<LoginOptions>>().toExtend<LoginOptions>()
    // Without its requirements, an API would accept more.
    type Requirement = 'scopes' | 'revocations' | 'dpop'
    type Others = Omit<VerifierOptions, Requirement>
    expectTypeOf<Unset<Others>>().toExtend<Partial<Others>>()
    const client = createClient({ url: login, clientId: 'frontend', redirectUri: undefined })
    expect(client.url).toBe(login)
  })

  itWithoutBrowser('names a second copy of the library, whose provider is not found', async () => {
    const file = '../../src/libraries/react/provider.ts?copy'
    const copy: { VestibuleProvider: typeof VestibuleProvider } = await import(file)
    const client = createClient({ url: login, clientId: 'frontend' })
    const render = () =>
      renderToString(createElement(copy.VestibuleProvider, { client }, createElement(UserButton)))

    expect(render).toThrow(
      'There is no <VestibuleProvider> around this component. There are 2 copies of vestibule-auth/react',
    )
  })

  itWithoutBrowser('is rendered by a server that has no browser', () => {
    const client = createClient({ url: login, clientId: 'frontend' })
    const children = [
      createElement(UserButton, { key: 1 }),
      createElement(SignedOut, { key: 2 }, 'Signed out'),
    ]
    const html = renderToString(createElement(VestibuleProvider, { client }, children))

    expect(html).toBe('<vestibule-user-button></vestibule-user-button>')
  })

  itWithoutBrowser(
    'is loading on a server, requests nothing, and keeps neither listeners nor the process',
    async () => {
      const requests: string[] = []
      const unused = await startLoopbackServer((request, response) => {
        requests.push(request.url ?? '')
        response.end('null')
      })
      const code = `
        import { createClient, defineUserButton } from ${JSON.stringify(join(ROOT, 'src/client.ts'))}
        defineUserButton()
        const url = 'http://localhost:${unused.port}'
        const login = createClient({ url, clientId: 'frontend' })
        const subscribe = () => {
          const listener = () => console.log('called')
          login.onChange(listener)
          return new WeakRef(listener)
        }
        const listener = subscribe()
        for (const act of ['getSession', 'getToken', 'signIn', 'signOut']) {
          await login[act]().catch((error) => console.log(act, error.name))
        }
        await new Promise((resolve) => setTimeout(resolve, 500))
        gc()
        console.log(login.getState().status, listener.deref())`
      // A process that something keeps alive is ended, which is an error.
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--expose-gc', '--input-type=module', '--eval', code],
        { timeout: 30_000 },
      )
      await unused.close()

      expect(stdout.trim().split('\n')).toEqual([
        'getSession UnavailableError',
        'getToken UnavailableError',
        'signIn UnavailableError',
        'signOut UnavailableError',
        'loading undefined',
      ])
      expect(requests).toEqual([])
    },
  )

  const URL_MISTAKE = 'url must be the URL of the login service without a path, such as https://'

  itWithoutBrowser.each([
    [{ url: 'login.example.com' }, URL_MISTAKE],
    [{ url: 'localhost:8787' }, URL_MISTAKE],
    [{ url: undefined as never }, URL_MISTAKE],
    [{ url: `${login}/api/auth` }, `${URL_MISTAKE}login.example.com. It is ${login}/api/auth.`],
    [{ redirectUrl: 'https://shop.example/' }, 'There is no option redirectUrl. The options are'],
    [{ clientId: '' }, 'clientId is missing'],
    [{ redirectUri: '/' }, 'redirectUri must be a complete URL'],
    [{ dpop }, 'dpop would have no effect without redirectUri'],
    [{ scope: 'openid' }, 'scope would have no effect without redirectUri'],
    [{ audiences: ['https://api.example'] }, 'audiences would have no effect without redirectUri'],
  ])('names the mistake in the options %o', (options, message) => {
    expect(() => createClient({ url: login, clientId: 'frontend', ...options })).toThrow(message)
  })
})

describe('GET /client.js', () => {
  itWithoutBrowser(
    'returns the compiled library; `npm run scripts:client` compiles it',
    async () => {
      const response = await fetch(`${login}/client.js`)
      const compiled = join(temporaryFolder(), 'client.js')
      execFileSync('npm', ['run', '--silent', 'scripts:client', '--', `--outfile=${compiled}`])

      expect(response.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8')
      expect(response.headers.get('Cache-Control')).toBe('public, max-age=300')
      expect(await response.text()).toBe(readFileSync(compiled, 'utf8'))
    },
  )

  itWithoutBrowser('can be cached for a year under a URL with a version', async () => {
    const response = await fetch(`${login}/client.js?v=1`)

    expect(response.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
  })
})

/** Blocks a user with the admin API. */
async function blockUser(userId: string): Promise<void> {
  const form = { grant_type: 'client_credentials', client_id: OPERATOR_ID, client_secret: SECRET }
  const body = new URLSearchParams(form)
  const response = await fetch(`${login}/oidc/token`, { method: 'POST', body })
  const { access_token } = (await response.json()) as { access_token: string }
  const blocked = await fetch(`${login}/admin/api/users/${userId}/block`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${access_token}` },
  })
  expect(blocked.status).toBe(200)
}

describeInBrowser('a frontend on the site of the login service', () => {
  it('signs a user in and returns to the page', async ({ page, persona }) => {
    await page.goto(`${SAME_SITE_FRONTEND}/cart?item=1`)
    await waitForState(page, 'signed-out')
    expect(await page.evaluate(() => window.client.getSession())).toBeNull()
    await page.evaluate(() => void window.client.signIn())
    await signInWithTikTok(page, persona)

    await waitForState(page, `signed-in ${NAME}`)
    expect(page.url()).toBe(`${SAME_SITE_FRONTEND}/cart?item=1`)
    expect(await page.evaluate(() => window.client.getSession())).toMatchObject({
      user: { id: expect.stringMatching(/^usr_/), name: NAME },
      expires: expect.any(String),
      claims: { aud: 'frontend', acr: 'federated' },
    })
  })

  it('goes straight to a provider', async ({ page, persona }) => {
    await page.goto(SAME_SITE_FRONTEND)
    await waitForState(page, 'signed-out')
    await page.evaluate(() => void window.client.signIn({ provider: 'tiktok', prompt: 'login' }))

    await page.getByTestId(`persona-${persona}`).waitFor()
  })

  it('signs the user out in all tabs without another page', async ({ page, context, persona }) => {
    const [, other] = await openTwoTabs(page, context, persona)
    const navigations: string[] = []
    page.on('framenavigated', (frame) => navigations.push(frame.url()))
    await page.evaluate(() => window.client.signOut())

    await waitForState(page, 'signed-out')
    await waitForState(other, 'signed-out')
    expect(await other.evaluate(() => window.client.getSession())).toBeNull()
    expect(navigations).toEqual([])
    expect(await readSession(context)).toBeNull()
  })

  it('is not signed in again by a session that was requested before the sign-out', async ({
    page,
    context,
    persona,
    pageErrors,
  }) => {
    await openSignedIn(page, context, persona)
    rejected.add((await getToken(page)) ?? '')
    const { promise: signedOut, resolve: release } = Promise.withResolvers<void>()
    const isHeld = page.waitForResponse(`${login}/api/auth/session?**`)
    await page.route(
      `${login}/api/auth/session?**`,
      async (route) => {
        const response = await route.fetch()
        await signedOut
        await route.fulfill({ response })
      },
      { times: 1 },
    )
    const requested = page.waitForRequest(`${login}/api/auth/session?**`)
    await page.evaluate(() => void window.client.fetchWithToken('/api/orders'))
    await requested
    await page.evaluate(() => window.client.signOut())
    await waitForState(page, 'signed-out')
    release()
    await isHeld

    expect(await page.evaluate(() => window.client.getSession())).toBeNull()
    expect(await page.evaluate(() => window.states.at(-1))).toBe('signed-out')
    pageErrors.splice(0)
  })

  it('sends one request for a hundred simultaneous callers, and none while the token is new', async ({
    page,
    context,
    persona,
  }) => {
    await signInWithoutPages(context, persona)
    const requests = collectRequests(page, '/api/auth/session')
    await page.goto(SAME_SITE_FRONTEND)
    const tokens = await page.evaluate(() =>
      Promise.all(Array.from({ length: 100 }, () => window.client.getToken())),
    )

    expect(new Set(tokens).size).toBe(1)
    await getToken(page)
    expect(requests).toHaveLength(1)
  })

  it('gets a new token now with refresh(), also in other tabs', async ({
    page,
    context,
    persona,
  }) => {
    const requests = await openSignedIn(page, context, persona)
    const former = await getToken(page)
    const other = await context.newPage()
    await other.goto(SAME_SITE_FRONTEND)
    await waitForState(other, `signed-in ${NAME}`)
    const session = await page.evaluate(() => window.client.refresh())

    expect(session?.token).not.toBe(former)
    expect(session?.claims.roles).toEqual([])
    expect(await getToken(page)).toBe(session?.token)
    await expect.poll(() => getToken(other)).toBe(session?.token)
    expect(requests).toHaveLength(2)
  })

  it('repeats a hundred requests that the API rejected with one new token', async ({
    page,
    context,
    persona,
    pageErrors,
  }) => {
    const requests = await openSignedIn(page, context, persona)
    rejected.add((await getToken(page)) ?? '')
    const responses = await page.evaluate(() =>
      Promise.all(
        Array.from({ length: 100 }, async () => {
          const init = { method: 'POST', body: 'x' }
          return (await window.client.fetchWithToken('/api/orders', init)).status
        }),
      ),
    )

    expect(new Set(responses)).toEqual(new Set([200]))
    expect(requests).toHaveLength(2)
    expect(pageErrors.splice(0)).toHaveLength(100)
  })

  it('asks for a new sign-in once if the API requires it (RFC 9470)', async ({
    page,
    context,
    persona,
    pageErrors,
  }) => {
    await openSignedIn(page, context, persona)
    const call = () => page.evaluate(() => void window.client.fetchWithToken('/api/recent'))
    await call()
    await page.waitForURL(`${login}/api/auth/signin?**`)
    expect(new URL(page.url()).searchParams.get('prompt')).toBe('login')

    await page.goto(SAME_SITE_FRONTEND)
    await waitForState(page, `signed-in ${NAME}`)
    const status = await page.evaluate(async () => {
      const response = await window.client.fetchWithToken('/api/recent')
      // A page that is left meanwhile does not return.
      await new Promise((resolve) => setTimeout(resolve, 500))
      return response.status
    })
    expect(status).toBe(401)
    expect(page.url()).toBe(`${SAME_SITE_FRONTEND}/`)
    expect(pageErrors.splice(0)).toHaveLength(2)
  })

  it('stays on the page if the API requires a scope, which no session token has', async ({
    page,
    context,
    persona,
    pageErrors,
  }) => {
    await openSignedIn(page, context, persona)
    const statuses = await page.evaluate(async () => {
      const call = async () => (await window.client.fetchWithToken('/api/scope')).status
      const both = [await call(), await call()]
      // A page that is left meanwhile does not return.
      await new Promise((resolve) => setTimeout(resolve, 500))
      return both
    })

    expect(statuses).toEqual([403, 403])
    expect(page.url()).toBe(`${SAME_SITE_FRONTEND}/`)
    const messages = pageErrors.splice(0).filter((error) => error.startsWith('vestibule-auth'))
    expect(messages).toEqual([
      `vestibule-auth: ${SAME_SITE_FRONTEND}/api/scope requires the scope email, which session tokens do not have. Pass redirectUri and audiences to createClient, or let the API require roles instead.`,
    ])
  })

  it('renews the token after the device slept', async ({ page, context, persona }) => {
    await page.clock.install()
    const requests = await openSignedIn(page, context, persona)
    const former = await getToken(page)
    await page.clock.fastForward(SLEEP)

    await expect.poll(() => requests.length).toBe(2)
    await expect.poll(() => getToken(page)).not.toBe(former)
    expect(requests).toHaveLength(2)
    await waitForState(page, `signed-in ${NAME}`)
  })

  it('keeps the session while offline until the token expires, and recovers', async ({
    page,
    context,
    persona,
    pageErrors,
  }) => {
    await page.clock.install()
    await openSignedIn(page, context, persona)
    await context.setOffline(true)
    await focusLater(page)
    expect(await getToken(page)).toEqual(expect.any(String))
    await waitForState(page, `signed-in ${NAME}`)

    await page.clock.fastForward(SLEEP)
    await waitForState(page, 'unavailable')
    const error = page.evaluate(() => window.client.getSession().catch(({ name }) => name))
    expect(await error).toBe('UnavailableError')

    await context.setOffline(false)
    await waitForState(page, `signed-in ${NAME}`)
    expect(await page.evaluate(() => window.states)).not.toContain('signed-out')
    pageErrors.splice(0) // Chromium reports requests without a network.
  })

  it.for(['cookie deleted', 'blocked'])(
    'shows a user whose session has ended as signed out: %s',
    async (reason, { page, context, persona }) => {
      await page.clock.install()
      await openSignedIn(page, context, persona)
      const session = await page.evaluate(() => window.client.getSession())
      if (reason === 'blocked') await blockUser(session?.user.id ?? '')
      else await context.clearCookies()
      await focusLater(page)

      await waitForState(page, 'signed-out')
      expect(await getToken(page)).toBeNull()
    },
  )
})

describeInBrowser('a mistake of the developer', () => {
  const unregistered = `http://unregistered.localhost:${PORTS.frontend}`

  it.for([
    [
      'an unknown clientId',
      misconfigured(SAME_SITE_FRONTEND, { clientId: 'frontent' }),
      'unavailable',
      `No client has this client_id. The client_id for ${SAME_SITE_FRONTEND} is frontend.`,
    ],
    [
      'the clientId of another app',
      misconfigured(SAME_SITE_FRONTEND, { clientId: 'storefront' }),
      'unavailable',
      `The client storefront has no redirect URI at ${SAME_SITE_FRONTEND}. The client_id for ${SAME_SITE_FRONTEND} is frontend.`,
    ],
    [
      'an origin that is not registered',
      misconfigured(unregistered, { redirectUri: '', audiences: null }),
      'unavailable',
      `${login} does not let pages of ${unregistered} read the session. Add ${unregistered}/ to redirect_uris of the client frontend, which also needs first_party = true.`,
    ],
    [
      'a URL of another server',
      misconfigured(SAME_SITE_FRONTEND, { url: SAME_SITE_FRONTEND }),
      'unavailable',
      `${SAME_SITE_FRONTEND} did not respond with JSON. Is it the URL of the login service?`,
    ],
  ] as const)(
    'is named once in the console, with its remedy: %s',
    async ([, url, state, message], { page, pageErrors }) => {
      await page.goto(url)
      await waitForState(page, state)
      await page.evaluate(() => window.client.getSession().catch(() => null))

      const messages = pageErrors.splice(0).filter((error) => error.startsWith('vestibule-auth'))
      expect(messages).toEqual([`vestibule-auth: ${message}`])
    },
  )

  it('is not named if the browser blocks the request, which is', async ({ page, pageErrors }) => {
    await page.route(`${login}/api/auth/session?**`, (route) => route.abort('blockedbyclient'))
    await page.goto(SAME_SITE_FRONTEND)
    await waitForState(page, 'unavailable')

    const [named = '', ...others] = pageErrors
      .splice(0)
      .filter((error) => error.startsWith('vestibule-auth'))
    expect(named).toContain(`The request to ${login}/api/auth/session is blocked in this browser`)
    expect(others).toEqual([])
  })

  it('is not named while the login service is unavailable', async ({ page, pageErrors }) => {
    await page.route(`${login}/**`, (route) => route.abort())
    await page.goto(SAME_SITE_FRONTEND)
    await waitForState(page, 'unavailable')
    await page.unroute(`${login}/**`)
    await page.route(`${login}/api/auth/session?**`, (route) => route.fulfill({ status: 503 }))
    await page.reload()
    await waitForState(page, 'unavailable')

    expect(pageErrors.splice(0).filter((error) => error.startsWith('vestibule-auth'))).toEqual([])
  })
})

describeInBrowser('<vestibule-user-button>', () => {
  it('shows what its attributes say after they change, and shares the client of the page', async ({
    page,
    context,
    persona,
    pageErrors,
  }) => {
    await signInWithoutPages(context, persona)
    const requests = collectRequests(page, '/api/auth/session')
    await page.goto(`${SAME_SITE_FRONTEND}/user-button`)
    const message = '<vestibule-user-button> shows nothing because it has no attribute client-id.'
    await expect.poll(() => pageErrors.splice(0), { timeout: 5_000 }).toEqual([message])
    await page.evaluate(() => window.client.getSession())
    await page.getByRole('button', { name: 'Configure' }).click()
    await page.getByRole('button', { name: NAME }).waitFor()
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('button', { name: NAME }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()

    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect((await page.evaluate(() => window.client.getState())).status).toBe('signed-out')
    expect(requests).toHaveLength(1)
  })

  it('uses the client that a script sets, also after it was inserted', async ({
    page,
    context,
    persona,
  }) => {
    await signInWithoutPages(context, persona)
    await page.goto(SAME_SITE_FRONTEND)
    await page.addScriptTag({ type: 'module', url: `${login}/client.js` })
    await page.evaluate(() => {
      const button = document.createElement('vestibule-user-button')
      document.body.append(button)
      setTimeout(() => {
        button.client = window.client
      }, 100)
    })

    await page.getByRole('button', { name: NAME }).waitFor()
  })
})

/** The user returns to the page after a while. */
async function focusLater(page: Page): Promise<void> {
  await page.clock.fastForward(10_000)
  await focus(page)
}

/** Opens the frontend, and returns the requests for the session. */
async function openSignedIn(
  page: Page,
  context: BrowserContext,
  persona: string,
): Promise<string[]> {
  await signInWithoutPages(context, persona)
  const requests = collectRequests(page, '/api/auth/session')
  await page.goto(SAME_SITE_FRONTEND)
  await waitForState(page, `signed-in ${NAME}`)
  return requests
}

async function openTwoTabs(page: Page, context: BrowserContext, persona: string) {
  await openSignedIn(page, context, persona)
  const other = await context.newPage()
  await other.goto(SAME_SITE_FRONTEND)
  await waitForState(other, `signed-in ${NAME}`)
  return [page, other] as const
}

describeInBrowser('the frontends of docs/relying-apps.md', () => {
  it('page.ts: a button signs in and out', async ({ page, context, persona }) => {
    await signInWithoutPages(context, persona)
    await page.goto(`${SAME_SITE_FRONTEND}/programs/page.ts`)
    await page.getByRole('button', { name: `Sign out ${NAME}` }).click()
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()

    await page.waitForURL(`${login}/api/auth/signin?**`)
  })

  it('a page without a build: the element shows the user, leads to the account page and back, and signs out', async ({
    page,
    context,
    persona,
  }) => {
    await signInWithoutPages(context, persona)
    await page.goto(`${SAME_SITE_FRONTEND}/button`)
    await page.getByRole('button', { name: NAME }).click()
    await page.getByRole('menuitem', { name: 'Your account' }).click()
    await page.getByRole('link', { name: /^Go back to / }).click()
    await page.waitForURL(`${SAME_SITE_FRONTEND}/button`)
    await page.getByRole('button', { name: NAME }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()

    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await readSession(context)).toBeNull()
  })

  it('app.tsx: React in strict mode sends one request, and its menu is accessible', async ({
    page,
    context,
    persona,
  }) => {
    await signInWithoutPages(context, persona)
    const requests = collectRequests(page, '/api/auth/session')
    await page.goto(`${SAME_SITE_FRONTEND}/programs/app.tsx`)
    await page.getByText(`Hello, ${NAME}`).waitFor()
    const button = page.getByRole('button', { name: NAME })
    await button.press('ArrowDown')
    expect(await focusedItem(page)).toBe('Your account')
    await page.keyboard.press('ArrowDown')
    expect(await focusedItem(page)).toBe('Sign out')
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'hidden' })
    expect(await focusedItem(page)).toContain(NAME)
    expect(requests).toHaveLength(1)

    await button.click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByText('Sign in to see your orders.').waitFor()
    expect(await readSession(context)).toBeNull()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${login}/api/auth/signin?**`)
  })
})

/** The text of the focused element, which may be in a shadow root. */
function focusedItem(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => {
    const { activeElement } = document
    return (activeElement?.shadowRoot?.activeElement ?? activeElement)?.textContent
  })
}
