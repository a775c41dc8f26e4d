import type { Page } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import { describeInBrowser, it, login } from './browser-fixtures.ts'
import { APP_CALLBACK, APP_SIGNED_OUT } from './clients/registrations.ts'
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts'
import { readSession, signInWithoutPages, signInWithTikTok, waitForHeading } from './page-steps.ts'

const servers: LoopbackServer[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

function authorizationRequest(parameters: Record<string, string> = {}): string {
  return `${login}/oidc/authorize?${new URLSearchParams({
    client_id: 'shop-app',
    redirect_uri: APP_CALLBACK,
    response_type: 'code',
    scope: 'openid',
    state: 'a state',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
    ...parameters,
  })}`
}

/** The URLs of apps that pages have opened since then. The browser has no app for them. */
async function watchOpenedApps(page: Page): Promise<string[]> {
  const opened: string[] = []
  const session = await page.context().newCDPSession(page)
  await session.send('Page.enable')
  session.on('Page.frameRequestedNavigation', ({ url }) => {
    if (!url.startsWith('http')) opened.push(url)
  })
  return opened
}

/** Waits until a page has opened the app. */
async function openedUrl(opened: string[]): Promise<URL> {
  await expect.poll(() => opened.length, { timeout: 20_000 }).toBeGreaterThan(0)
  return new URL(opened.at(-1) ?? '')
}

describeInBrowser('a native app with a scheme of its own', () => {
  it('[M2] is opened after one button, and the page stays if it is not installed', async ({
    page,
    context,
    persona,
    pageErrors,
  }) => {
    await signInWithoutPages(context, persona)
    const opened = await watchOpenedApps(page)

    await page.goto(authorizationRequest())
    await waitForHeading(page, 'You are signed in')
    await page.getByRole('button', { name: 'Continue to The shop' }).click()
    await waitForHeading(page, 'Continue to The shop')

    const answer = await openedUrl(opened)
    expect(answer.href).toMatch(/^com\.example\.shop:\/callback\?code=ac_/)
    expect(answer.searchParams.get('state')).toBe('a state')
    await page.getByText('it may not be installed on this device').waitFor()
    const { length } = opened
    // Chromium ignores a link to where the page is still going, also for a moment after it stopped.
    const link = page.getByRole('link', { name: 'Continue to The shop' })
    const openAgain = async () => {
      await page.evaluate(() => window.stop())
      await link.click()
      return opened.length
    }
    await expect.poll(openAgain, { timeout: 20_000, interval: 500 }).toBeGreaterThan(length)
    expect(opened.at(-1)).toBe(answer.href)
    ignoreMissingApp(pageErrors)
  })

  it('is opened after a sign-in on our pages without another button', async ({
    page,
    persona,
    pageErrors,
  }) => {
    const opened = await watchOpenedApps(page)

    await page.goto(authorizationRequest({ provider: '' }))
    await signInWithTikTok(page, persona)

    await waitForHeading(page, 'Continue to The shop')
    expect((await openedUrl(opened)).searchParams.get('code')).toMatch(/^ac_/)
    ignoreMissingApp(pageErrors)
  })

  it('is opened after a sign-out', async ({ page, context, persona, pageErrors }) => {
    await signInWithoutPages(context, persona)
    const opened = await watchOpenedApps(page)

    const parameters = { client_id: 'shop-app', post_logout_redirect_uri: APP_SIGNED_OUT }
    await page.goto(`${login}/oidc/logout?${new URLSearchParams(parameters)}`)
    await page.getByRole('button', { name: 'Sign out' }).click()

    await waitForHeading(page, 'You are signed out')
    expect((await openedUrl(opened)).href).toBe(APP_SIGNED_OUT)
    expect(await readSession(context)).toBeNull()
    ignoreMissingApp(pageErrors)
  })
})

describeInBrowser('a native app on loopback', () => {
  it('[M2][A2] receives the response after one button', async ({ page, context, persona }) => {
    const received: string[] = []
    const server = await startLoopbackServer(
      (request, response) => {
        if (request.url?.startsWith('/callback')) received.push(request.url)
        response.setHeader('Content-Type', 'text/html; charset=utf-8')
        response.end('<!doctype html><link rel="icon" href="data:,"><h1>Return to the app</h1>')
      },
      { host: '127.0.0.1', port: 0 },
    )
    servers.push(server)
    await signInWithoutPages(context, persona)

    const redirect_uri = `http://127.0.0.1:${server.port}/callback`
    await page.goto(authorizationRequest({ redirect_uri }))
    await page.getByRole('button', { name: 'Continue to The shop' }).click()

    await waitForHeading(page, 'Return to the app')
    expect(received).toEqual([expect.stringMatching(/^\/callback\?code=ac_/)])
  })
})

/** Chromium reports that no program opens the scheme. Everything else fails the test. */
function ignoreMissingApp(pageErrors: string[]): void {
  const others = pageErrors.filter((error) => !error.includes('registered handler'))
  pageErrors.splice(0, pageErrors.length, ...others)
}
