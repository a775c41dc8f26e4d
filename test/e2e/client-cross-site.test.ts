import { decodeJwt } from 'jose'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { NAME } from '../user-name.ts'
import { describeInBrowser, it, login } from './browser-fixtures.ts'
import { CROSS_SITE_FRONTEND, ORDERS_API, STOCK_API } from './clients/registrations.ts'
import {
  collectRequests,
  focus,
  getToken,
  misconfigured,
  SLEEP,
  startFrontend,
  waitForState,
} from './frontend.ts'
import type { LoopbackServer } from './loopback-server.ts'
import { readSession, signInWithoutPages, signInWithTikTok } from './page-steps.ts'
import { PORTS } from './ports.ts'

/** After which the library repeats a failed request. */
const RETRY_DELAY = 5_000 // milliseconds

let server: LoopbackServer

beforeAll(async () => {
  server = await startFrontend(PORTS.crossSiteFrontend)
})
afterAll(() => server.close())

async function expectError(page: Page, error: string): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => window.client?.getState().error).catch(() => ''))
    .toBe(error)
}

describeInBrowser('a frontend on another site', () => {
  async function startSignIn(page: Page): Promise<void> {
    await page.goto(`${CROSS_SITE_FRONTEND}/cart?item=1`)
    await waitForState(page, 'signed-out')
    await page.evaluate(() => void window.client.signIn())
  }

  async function waitForReturn(page: Page): Promise<void> {
    await page.waitForURL(`${CROSS_SITE_FRONTEND}/cart?item=1`)
    await waitForState(page, `signed-in ${NAME}`)
  }

  /** Signs in a user who has a session at the login service. */
  async function signIn(page: Page, persona: string): Promise<void> {
    await signInWithoutPages(page.context(), persona)
    await startSignIn(page)
    await waitForReturn(page)
  }

  it('signs a user in with PKCE, keeps the session, and signs out of every app', async ({
    page,
    context,
    persona,
  }) => {
    const requests = collectRequests(page, '/oidc/token')
    await startSignIn(page)
    await signInWithTikTok(page, persona)
    await waitForReturn(page)
    await page.reload()
    await waitForState(page, `signed-in ${NAME}`)
    expect(requests).toHaveLength(1)
    expect(await page.evaluate(() => window.client.getSession())).toMatchObject({
      user: { id: expect.stringMatching(/^usr_/), name: NAME },
      claims: { aud: 'frontend', acr: 'federated' },
    })

    const other = await context.newPage()
    await other.goto(CROSS_SITE_FRONTEND)
    await waitForState(other, `signed-in ${NAME}`)
    await page.evaluate(() => window.client.signOut())
    await page.waitForURL(`${CROSS_SITE_FRONTEND}/`)
    await waitForState(page, 'signed-out')
    await waitForState(other, 'signed-out')
    expect(await readSession(context)).toBeNull()
    expect(await page.evaluate(() => window.client.getSession())).toBeNull()
  })

  describe('whose code cannot be redeemed at first', () => {
    /** Starts a sign-in whose first requests to the token endpoint are answered otherwise. */
    async function signInWith(
      page: Page,
      persona: string,
      { answers, path = '/cart?item=1' }: { answers: ((route: Route) => unknown)[]; path?: string },
    ) {
      const authorizations = collectRequests(page, '/oidc/authorize?')
      await page.route(`${login}/oidc/token`, (route) => {
        const answer = answers.shift()
        return answer ? answer(route) : route.continue()
      })
      await page.addInitScript(() => {
        const states = JSON.parse(sessionStorage.getItem('states') ?? '[]')
        Object.defineProperty(window, 'states', {
          get: () => ({
            push(state: string) {
              states.push(state)
              sessionStorage.setItem('states', JSON.stringify(states))
            },
          }),
          set: () => {},
        })
      })
      await page.goto(`${CROSS_SITE_FRONTEND}${path}`)
      await waitForState(page, 'signed-out')
      await page.evaluate(() => sessionStorage.removeItem('states'))
      await page.evaluate(() => void window.client.signIn())
      await signInWithTikTok(page, persona)
      return { authorizations }
    }

    const readStates = (page: Page) =>
      page.evaluate(() => JSON.parse(sessionStorage.getItem('states') ?? '[]') as string[])

    const unavailable = (route: Route) => route.fulfill({ status: 503, body: '' })
    const invalidGrant = (route: Route) =>
      route.fulfill({ status: 400, json: { error: 'invalid_grant' }, headers: CORS })
    const CORS = { 'Access-Control-Allow-Origin': CROSS_SITE_FRONTEND }

    it('signs the user in as soon as the login service is available', async ({
      page,
      persona,
      pageErrors,
    }) => {
      await page.clock.install()
      const { authorizations } = await signInWith(page, persona, { answers: [unavailable] })

      await waitForState(page, 'unavailable')
      await page.clock.fastForward(RETRY_DELAY)
      await waitForState(page, `signed-in ${NAME}`)
      expect(page.url()).toBe(`${CROSS_SITE_FRONTEND}/cart?item=1`)
      expect(await readStates(page)).not.toContain('signed-out')
      expect(authorizations).toHaveLength(1)
      pageErrors.splice(0)
    })

    it('signs the user in after a reload', async ({ page, persona, pageErrors }) => {
      await signInWith(page, persona, { answers: [unavailable] })
      await waitForState(page, 'unavailable')
      await page.reload()

      await waitForState(page, `signed-in ${NAME}`)
      expect(page.url()).toBe(`${CROSS_SITE_FRONTEND}/cart?item=1`)
      pageErrors.splice(0)
    })

    it('requests another code, unnoticed by the user, if the answer was lost', async ({
      page,
      persona,
      pageErrors,
    }) => {
      const lose = async (route: Route) => {
        await route.fetch()
        await unavailable(route)
      }
      await page.clock.install()
      const { authorizations } = await signInWith(page, persona, { answers: [lose] })

      await waitForState(page, 'unavailable')
      await page.clock.fastForward(RETRY_DELAY)
      await waitForState(page, `signed-in ${NAME}`)
      expect(page.url()).toBe(`${CROSS_SITE_FRONTEND}/cart?item=1`)
      expect(await readStates(page)).not.toContain('signed-out')
      expect(authorizations).toHaveLength(2)
      expect(await getToken(page)).toEqual(expect.any(String))
      pageErrors.splice(0)
    })

    it('repeats the same request after an invalid code', async ({ page, pageErrors }) => {
      const authorizations: URLSearchParams[] = []
      await page.route(`${login}/oidc/authorize?**`, (route) => {
        const { searchParams } = new URL(route.request().url())
        const isFirst = authorizations.push(searchParams) === 1
        const state = searchParams.get('state') ?? ''
        const response = new URLSearchParams({ code: 'ac_x', state, iss: login })
        const Location = `${CROSS_SITE_FRONTEND}/?${response}`
        return isFirst ? route.fulfill({ status: 303, headers: { Location } }) : route.fulfill()
      })
      await page.goto(CROSS_SITE_FRONTEND)
      await waitForState(page, 'signed-out')
      await page.evaluate(() => void window.client.signIn({ prompt: 'login', provider: 'tiktok' }))

      await expect.poll(() => authorizations.length, { timeout: 10_000 }).toBe(2)
      const [first, second] = authorizations
      for (const name of ['prompt', 'provider', 'scope', 'resource']) {
        expect(second?.getAll(name)).toEqual(first?.getAll(name))
      }
      expect(second?.get('prompt')).toBe('login')
      pageErrors.splice(0)
    })

    it('requests only one other code', async ({ page, persona, pageErrors }) => {
      const answers = [invalidGrant, invalidGrant]
      const { authorizations } = await signInWith(page, persona, { answers, path: '/' })

      await waitForState(page, 'signed-out')
      expect(await page.evaluate(() => window.client.getState().error)).toBe('invalid_grant')
      expect(authorizations).toHaveLength(2)
      pageErrors.splice(0)
    })
  })

  it('gets new tokens for all APIs with refresh()', async ({ page, persona }) => {
    await signIn(page, persona)
    const token = (audience?: string) =>
      page.evaluate((api) => window.client.getToken(api ? { audience: api } : {}), audience)
    const former = [await token(), await token(STOCK_API)]
    const session = await page.evaluate(() => window.client.refresh())

    expect(former).not.toContain(session?.token)
    expect(await token()).toBe(session?.token)
    expect(former).not.toContain(await token(STOCK_API))
  })

  it('keeps the session when it begins to use a key, which binds the next tokens', async ({
    page,
    persona,
  }) => {
    await signIn(page, persona)
    const token = await getToken(page)
    await page.goto(misconfigured(CROSS_SITE_FRONTEND, { dpop: true }))
    await waitForState(page, `signed-in ${NAME}`)
    const readUserinfo = () =>
      page.evaluate(
        (url) => window.client.fetchWithToken(url).then(({ status }) => status),
        `${login}/oidc/userinfo`,
      )

    expect(await getToken(page)).toBe(token)
    expect(await readUserinfo()).toBe(200)
    for (let round = 0; round < 2; round++) {
      const session = await page.evaluate(() => window.client.refresh())
      expect(decodeJwt(session?.token ?? '')).toHaveProperty('cnf')
      expect(await readUserinfo()).toBe(200)
    }
  })

  it('has a token for each API, also after they were renewed, and none after a sign-out in another tab', async ({
    page,
    context,
    persona,
  }) => {
    await signIn(page, persona)
    const tokens = () =>
      page.evaluate(
        (audience) => Promise.all([window.client.getToken(), window.client.getToken({ audience })]),
        STOCK_API,
      )
    const audiences = async () => (await tokens()).map((token) => decodeJwt(token ?? '').aud)
    const expected = [
      [ORDERS_API, login],
      [STOCK_API, login],
    ]

    expect(await audiences()).toEqual(expected)
    await page.evaluate(() => window.client.refresh())
    expect(await audiences()).toEqual(expected)

    const other = await context.newPage()
    await other.goto(CROSS_SITE_FRONTEND)
    await waitForState(other, `signed-in ${NAME}`)
    await other.evaluate(() => window.client.signOut())
    await waitForState(page, 'signed-out')
    expect(await tokens()).toEqual([null, null])
  })

  it('[D1] never sends a refresh token twice, though two tabs renew at the same time', async ({
    page,
    context,
    persona,
  }) => {
    await context.clock.install()
    await signIn(page, persona)
    const other = await context.newPage()
    await other.goto(CROSS_SITE_FRONTEND)
    await waitForState(other, `signed-in ${NAME}`)
    const requests = collectRequests(context, '/oidc/token')
    for (let round = 0; round < 3; round++) {
      await context.clock.fastForward(SLEEP)
      await Promise.all([getToken(page), getToken(other)])
    }

    expect(await getToken(page)).toBe(await getToken(other))
    const sent = requests.map((body) => new URLSearchParams(body).get('refresh_token'))
    expect(sent.length).toBeGreaterThanOrEqual(3)
    expect(new Set(sent).size).toBe(sent.length)
  })

  it.for<[string, (page: Page, other: Page) => Promise<void>]>([
    [
      'who returns to the page',
      async (page) => {
        await page.clock.fastForward(120_000)
        await focus(page)
      },
    ],
    [
      'who reloads the page every 16 seconds, within a minute',
      async (page) => {
        for (let round = 0; round < 4; round++) {
          await page.clock.fastForward(16_000)
          await page.reload()
        }
        await waitForState(page, 'signed-out')
        expect(await page.evaluate(() => window.states)).toEqual(['signed-out'])
      },
    ],
    [
      'who reloads the page after the clock of the device was set back',
      async (page, other) => {
        await page.clock.setSystemTime(Date.now() - SLEEP)
        await Promise.all([page.reload(), focus(other)])
      },
    ],
    [
      'who reloads another tab',
      async (page, other) => {
        await page.clock.fastForward(61_000)
        await other.reload()
      },
    ],
  ])(
    'shows a user who signed out elsewhere as signed out: %s',
    async ([, returnTo], { page, context, persona, pageErrors }) => {
      await context.clock.install()
      await signIn(page, persona)
      const other = await context.newPage()
      await other.goto(CROSS_SITE_FRONTEND)
      await waitForState(other, `signed-in ${NAME}`)
      await context.request.post(`${login}/api/auth/signout`, {
        headers: { Origin: login, Accept: 'application/json' },
        form: {},
      })
      await returnTo(page, other)

      await waitForState(page, 'signed-out')
      await waitForState(other, 'signed-out')
      expect(pageErrors.splice(0)).toEqual([`400 ${login}/oidc/token`])
    },
  )

  it('waits for the end of a token that it cannot renew, without a refresh token', async ({
    page,
    persona,
  }) => {
    await page.clock.install()
    await signInWithoutPages(page.context(), persona)
    await page.goto(misconfigured(CROSS_SITE_FRONTEND, { scope: 'openid profile' }))
    await waitForState(page, 'signed-out')
    await page.evaluate(() => void window.client.signIn())
    await waitForState(page, `signed-in ${NAME}`)
    const countReads = () =>
      page.evaluate(async () => {
        let reads = 0
        const { locks } = navigator
        const request = locks.request.bind(locks)
        Object.assign(locks, {
          request(...call: [string, () => Promise<unknown>]) {
            reads += 1
            return request(...call)
          },
        })
        // Meanwhile, the page could read its storage many times.
        for (let round = 0; round < 200; round++) await locks.query()
        return reads
      })
    await page.clock.fastForward(510_000)
    expect(await countReads()).toBeLessThan(5)
    await page.clock.fastForward(100_000)
    await waitForState(page, 'signed-out')
  })

  it('keeps the session through reloads while the login service is unavailable, and then checks it', async ({
    page,
    persona,
  }) => {
    await page.clock.install()
    await signIn(page, persona)
    const token = await getToken(page)
    const requests = collectRequests(page, '/oidc/token')
    await page.route(`${login}/oidc/token`, (route) => route.abort())
    for (const pause of [2, 7]) {
      await page.clock.fastForward(pause * 60_000)
      await page.reload()
      await waitForState(page, `signed-in ${NAME}`)
      expect(await getToken(page)).toBe(token)
    }
    const refreshed = () => page.evaluate(() => window.client.refresh().catch(({ name }) => name))
    expect(await refreshed()).toBe('UnavailableError')
    expect(await page.evaluate(() => window.states)).toEqual(['signed-in'])

    await page.unroute(`${login}/oidc/token`)
    await page.clock.fastForward(60_000)
    await expect.poll(() => getToken(page)).not.toBe(token)
    expect(requests.length).toBeGreaterThanOrEqual(4)
  })

  it.for([
    ['has no IndexedDB', () => Object.defineProperty(window, 'indexedDB', { value: undefined })],
    [
      'does not let the page open a database',
      () => {
        IDBFactory.prototype.open = () => {
          throw new DOMException('', 'SecurityError')
        }
      },
    ],
  ] as const)(
    'keeps tokens in memory if the browser %s',
    async ([, disable], { page, persona }) => {
      await page.addInitScript(disable)
      await signInWithoutPages(page.context(), persona)
      await page.goto(CROSS_SITE_FRONTEND)
      await waitForState(page, 'signed-out')
      await page.evaluate(() => void window.client.signIn())

      await waitForState(page, `signed-in ${NAME}`)
      expect(await getToken(page)).toEqual(expect.any(String))
      await page.reload()
      await waitForState(page, 'signed-out')
    },
  )

  it.for(['/', '/cart?item=1'])(
    'reports the error of a sign-in that failed, once, on the page where it began: %s',
    async (path, { page }) => {
      await page.goto(`${CROSS_SITE_FRONTEND}${path}`)
      await waitForState(page, 'signed-out')
      await page.evaluate(() => void window.client.signIn({ prompt: 'none' }))

      await expectError(page, 'login_required')
      expect(page.url()).toBe(`${CROSS_SITE_FRONTEND}${path}`)
      await page.reload()
      await waitForState(page, 'signed-out')
      expect(await page.evaluate(() => window.client.getState().error)).toBeUndefined()
    },
  )

  it.for([
    ['with another issuer', { iss: 'https://evil.example' }],
    ['without an issuer', {}],
  ] as const)('redeems no code of a response %s (RFC 9207)', async ([, issuer], { page }) => {
    const tokenRequests = collectRequests(page, '/oidc/token')
    await page.route(`${login}/oidc/authorize?**`, (route) => {
      const state = new URL(route.request().url()).searchParams.get('state') ?? ''
      const response = new URLSearchParams({ code: 'a-code', state, ...issuer })
      const Location = `${CROSS_SITE_FRONTEND}/?${response}`
      return route.fulfill({ status: 303, headers: { Location } })
    })
    await page.goto(CROSS_SITE_FRONTEND)
    await waitForState(page, 'signed-out')
    await page.evaluate(() => void window.client.signIn())

    await expectError(page, 'invalid_issuer')
    expect(tokenRequests).toEqual([])
  })

  it.for([
    ['passkey', 'acr_values', 'phr'],
    ['scope', 'scope', 'openid profile offline_access email'],
  ])(
    'requests what the API requires: %s',
    async ([path, name, value], { page, persona, pageErrors }) => {
      await signIn(page, persona)
      const [request] = await Promise.all([
        page.waitForRequest(`${login}/oidc/authorize?**`),
        // The user has signed in recently. A page that is closed while it loads may never close.
        page.waitForResponse(`${login}/oidc/token`),
        page.evaluate((target) => void window.client.fetchWithToken(target), `/api/${path}`),
      ])

      expect(new URL(request.url()).searchParams.get(name ?? '')).toBe(value)
      await page.waitForURL(`${CROSS_SITE_FRONTEND}/cart?item=1`)
      await waitForState(page, `signed-in ${NAME}`)
      pageErrors.splice(0)
    },
  )

  it('[N1] does not return to another site', async ({ page }) => {
    await page.goto(CROSS_SITE_FRONTEND)
    await waitForState(page, 'signed-out')
    const signIn = () =>
      page.evaluate(() =>
        window.client.signIn({ returnTo: 'https://evil.example/' }).catch(({ name }) => name),
      )

    expect(await signIn()).toBe('TypeError')
  })
})

describeInBrowser('a mistake of the developer of a frontend on another site', () => {
  it('is named once in the console, with its remedy: no redirectUri', async ({
    page,
    pageErrors,
  }) => {
    await page.goto(misconfigured(CROSS_SITE_FRONTEND, { redirectUri: '', audiences: null }))
    await waitForState(page, 'signed-out')
    await page.evaluate(() => window.client.getSession().catch(() => null))

    const messages = pageErrors.splice(0).filter((error) => error.startsWith('vestibule-auth'))
    expect(messages).toEqual([
      `vestibule-auth: ${CROSS_SITE_FRONTEND} is on another site than ${login}, so browsers do not send the session cookie, and nobody is signed in. Pass redirectUri to createClient, or use OpenID Connect.`,
    ])
  })

  it.for(['', '/cart'])(
    'is named on the page where the sign-in began, with its remedy: an API that is not in resources, at %o',
    async (path, { page, pageErrors }) => {
      const options = { audiences: ['https://other.example'] }
      await page.goto(misconfigured(CROSS_SITE_FRONTEND + path, options))
      await waitForState(page, 'signed-out')
      const began = page.url()
      await page.evaluate(() => void window.client.signIn())

      await expectError(page, 'invalid_target')
      expect(page.url()).toBe(began)
      expect(pageErrors.splice(0)).toEqual([
        'vestibule-auth: invalid_target: The client may not use https://other.example: add exactly this URL to its resources, or the client to the clients of the API.',
      ])
    },
  )

  it('is named if redirectUri is on another origin', async ({ page }) => {
    const options = { redirectUri: 'https://www.frontend.example/' }
    await page.goto(misconfigured(CROSS_SITE_FRONTEND, options))
    await waitForState(page, 'signed-out')
    const signIn = () =>
      page.evaluate(() => window.client.signIn().catch((error: Error) => error.message))

    expect(await signIn()).toBe(`redirectUri must be on this origin, ${CROSS_SITE_FRONTEND}.`)
  })
})
