import { networkInterfaces } from 'node:os'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { describeInBrowser, it, login } from './browser-fixtures.ts'
import { MOVED_APP, MOVING_APP } from './clients/registrations.ts'
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts'
import {
  choosePersona,
  chooseTikTok,
  deny,
  readSession,
  signInWithoutPages,
  waitForHeading,
} from './page-steps.ts'
import { PORTS } from './ports.ts'

const PAGE =
  '<!doctype html><html lang="en"><title>Moved</title><link rel="icon" href="data:,"><h1>Moved</h1>'

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((address) => address?.address === '::1')

/** The parameters of the last authorization response that the app received, by GET or POST. */
let received: Record<string, string> = {}
const servers: LoopbackServer[] = []

/**
 * Starts the app, as if it had moved from the apex of its domain to www: all pages at its
 * registered origin redirect to the other one.
 */
async function startMovingApp(host: '127.0.0.1' | '::1', port: number): Promise<number> {
  const server = await startLoopbackServer(
    async (request, response) => {
      const { pathname, search, searchParams } = new URL(request.url ?? '', MOVING_APP)
      if (request.headers.host === new URL(MOVED_APP).host) {
        response.setHeader('Content-Type', 'text/html; charset=utf-8')
        response.end(PAGE)
        return
      }
      let body = ''
      for await (const chunk of request) body += chunk
      received = Object.fromEntries([...searchParams, ...new URLSearchParams(body)])
      response.writeHead(303, { Location: `${MOVED_APP}${pathname}${search}` }).end()
    },
    { host, port },
  )
  servers.push(server)
  return server.port
}

beforeAll(async () => {
  await startMovingApp('127.0.0.1', PORTS.movingApp)
})

afterAll(async () => {
  for (const server of servers) await server.close()
})

function authorizationRequest(parameters: Record<string, string> = {}): string {
  return `${login}/oidc/authorize?${new URLSearchParams({
    client_id: 'moving',
    redirect_uri: `${MOVING_APP}/callback`,
    response_type: 'code',
    scope: 'openid',
    state: 'a state',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...parameters,
  })}`
}

/**
 * Sends an authorization request, decides on the consent page, and waits for the app's other
 * origin.
 */
async function decide(
  page: Page,
  request: string,
  button: 'Allow' | 'Do not allow',
): Promise<void> {
  received = {}
  await page.goto(request)
  await page.getByRole('button', { name: button, exact: true }).click()
  await waitForMovedApp(page)
}

async function waitForMovedApp(page: Page): Promise<void> {
  await page.waitForURL(`${MOVED_APP}/**`)
  await waitForHeading(page, 'Moved')
}

async function expectSignedOut(context: BrowserContext): Promise<void> {
  expect(await readSession(context)).toBeNull()
}

const GRANTED = { code: expect.stringMatching(/^ac_/), state: 'a state', iss: login }
const DENIED = {
  error: 'access_denied',
  error_description: expect.any(String),
  state: 'a state',
  iss: login,
}

describeInBrowser('an app whose pages redirect to another origin', () => {
  describe.each(['query', 'form_post'])('with response_mode=%s', (response_mode) => {
    it('[M2] receives the code when the user allows access', async ({ page, context, persona }) => {
      await signInWithoutPages(context, persona)

      await decide(page, authorizationRequest({ response_mode }), 'Allow')

      expect(received).toEqual(GRANTED)
    })

    it('[M2] receives access_denied when the user cancels', async ({ page, context, persona }) => {
      await signInWithoutPages(context, persona)

      await decide(page, authorizationRequest({ response_mode }), 'Do not allow')

      expect(received).toEqual(DENIED)
    })

    it('[M2] receives the code without a consent page the next time', async ({
      page,
      context,
      persona,
    }) => {
      await signInWithoutPages(context, persona)
      await decide(page, authorizationRequest({ response_mode }), 'Allow')
      received = {}

      await page.goto(authorizationRequest({ response_mode }))

      await waitForMovedApp(page)
      expect(received).toEqual(GRANTED)
    })
  })

  it('[M2][M10] receives the code when scripts are disabled', async ({ openContext, persona }) => {
    const context = await openContext({ javaScriptEnabled: false })
    await signInWithoutPages(context, persona)
    const page = await context.newPage()

    await decide(page, authorizationRequest(), 'Allow')

    expect(received).toEqual(GRANTED)
  })

  it('[M10] lets users decline a scope with the keyboard, without scripts', async ({
    openContext,
    persona,
  }) => {
    const context = await openContext({ javaScriptEnabled: false })
    await signInWithoutPages(context, persona)
    const page = await context.newPage()
    received = {}
    await page.goto(authorizationRequest({ scope: 'openid profile email' }))
    const decision = page.waitForRequest(`${login}/oidc/consent`)

    await page
      .getByRole('checkbox', { name: 'See your name, username, picture and profile link' })
      .focus()
    await page.keyboard.press('Space')
    // To the next checkbox, and to the button.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')

    const form = new URLSearchParams((await decision).postData() ?? '')
    expect([form.getAll('scope'), form.get('answer')]).toEqual([['email'], 'approve'])
    await waitForMovedApp(page)
    expect(received).toEqual(GRANTED)
  })

  it('leads back to the consent page by the Back button, not to a page in between', async ({
    page,
    context,
    persona,
  }) => {
    await signInWithoutPages(context, persona)
    await decide(page, authorizationRequest(), 'Do not allow')

    await page.goBack()

    await waitForHeading(page, 'Allow moving to use your account?')
  })

  it('receives access_denied when the user cancels at the platform and returns to it', async ({
    page,
    persona,
  }) => {
    received = {}
    await page.goto(authorizationRequest())
    await chooseTikTok(page)
    await choosePersona(page, persona)
    await deny(page)
    await page.getByText('Sign-in cancelled.').waitFor()
    expect(received).toEqual({})

    await page.getByRole('link', { name: 'Go back' }).click()

    await waitForMovedApp(page)
    expect(received).toEqual(DENIED)
  })

  it('[M2] is shown after a sign-out with callbackUrl', async ({ page, context, persona }) => {
    await signInWithoutPages(context, persona)
    await page.goto(`${login}/api/auth/signout?callbackUrl=${MOVING_APP}/signed-out`)

    await page.getByRole('button', { name: 'Sign out' }).click()

    await waitForMovedApp(page)
    await expectSignedOut(context)
  })

  it('[M2][J2] is shown after a logout that the user confirmed', async ({
    page,
    context,
    persona,
  }) => {
    await signInWithoutPages(context, persona)
    const parameters = new URLSearchParams({
      client_id: 'moving',
      post_logout_redirect_uri: `${MOVING_APP}/signed-out`,
      state: 'a state',
    })
    await page.goto(`${login}/oidc/logout?${parameters}`)

    await page.getByRole('button', { name: 'Sign out' }).click()

    await waitForMovedApp(page)
    expect(received).toEqual({ state: 'a state' })
    await expectSignedOut(context)
  })
})

describeInBrowser('a native app on [::1]', () => {
  it.skipIf(!hasIpv6).for([
    ['Allow', 'query', GRANTED],
    ['Do not allow', 'query', DENIED],
    ['Allow', 'form_post', GRANTED],
    ['Do not allow', 'form_post', DENIED],
  ] as const)(
    '[M2][A2] receives the response: %s, %s',
    async ([button, response_mode, expected], { page, context, persona }) => {
      const port = await startMovingApp('::1', 0)
      await signInWithoutPages(context, persona)
      const redirect_uri = `http://[::1]:${port}/callback`
      const parameters = { client_id: 'native-ipv6', redirect_uri, response_mode }

      await decide(page, authorizationRequest(parameters), button)

      expect(received).toEqual(expected)
    },
  )
})
