import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { NAME } from '../../user-name.ts'
import { describeInBrowser, it, login } from '../browser-fixtures.ts'
import type { LoopbackServer } from '../loopback-server.ts'
import { choosePersona, chooseTikTok, deny, readSession, signInWithTikTok } from '../page-steps.ts'
import { PORTS } from '../ports.ts'
import { CROSS_SITE_SPA, SAME_SITE_SPA } from './registrations.ts'
import { serveApp } from './serve-app.ts'

const HTML = `<!doctype html>
<html lang="en" data-authority="${login}">
<title>A browser app</title>
<link rel="icon" href="data:,">
<script type="module" src="/app.js"></script>
<button id="sign-in">Sign in</button>
<button id="renew">Renew</button>
<button id="renew-in-frame">Renew in a frame</button>
<button id="revoke">Revoke</button>
<button id="sign-out">Sign out</button>
<output id="result"></output>
`

describeInBrowser('a browser app built on oidc-client-ts', () => {
  let server: LoopbackServer

  beforeAll(async () => {
    const script = await bundleScript()
    server = await serveApp(PORTS.spa, (request) =>
      request.url.endsWith('/app.js')
        ? new Response(script, { headers: { 'Content-Type': 'text/javascript' } })
        : new Response(HTML, { headers: { 'Content-Type': 'text/html; charset=utf-8' } }),
    )
  })
  afterAll(() => server.close())

  it.for([
    ['a site of its own', CROSS_SITE_SPA],
    ['the site of the login service', SAME_SITE_SPA],
  ] as const)(
    '[M4] signs a user in, renews the tokens and signs the user out, on %s',
    async ([, origin], { page, context, persona }) => {
      const user = await signIn(page, origin, persona)
      const { sub } = user.profile
      expect(user.profile).toMatchObject({ sub: expect.any(String), name: NAME })

      await press(page, 'Renew')
      const renewed = await readUser(page)
      expect(renewed.profile).toMatchObject({ sub, name: NAME })
      expect(renewed.access_token).not.toBe(user.access_token)
      expect(renewed.refresh_token).not.toBe(user.refresh_token)

      await press(page, 'Sign out')
      await waitForResult(page, /^null$/)
      expect(page.url()).toBe(`${origin}/`)
      expect(await readSession(context)).toBeNull()
      expect(await refresh(renewed)).toMatchObject({ error: 'invalid_grant' })
    },
  )

  it('renews its tokens in a frame on the site of the login service', async ({ page, persona }) => {
    const user = await signIn(page, SAME_SITE_SPA, persona)

    await press(page, 'Renew in a frame')
    const renewed = await readUser(page)
    expect(renewed.profile).toMatchObject({ sub: user.profile.sub, name: NAME })
    expect(renewed.access_token).not.toBe(user.access_token)
  })

  it('cannot renew its tokens in a frame on any other site', async ({ page, persona }) => {
    await signIn(page, CROSS_SITE_SPA, persona)

    await press(page, 'Renew in a frame')
    await waitForResult(page, /"error":"login_required"/)
    await press(page, 'Renew')
    await readUser(page)
  })

  it('[M4] revokes its tokens', async ({ page, persona }) => {
    const user = await signIn(page, CROSS_SITE_SPA, persona)

    await press(page, 'Revoke')
    await waitForResult(page, /^"revoked"$/)
    expect(await refresh(user)).toMatchObject({ error: 'invalid_grant' })
  })

  it('receives an error when the user cancels', async ({ page, persona }) => {
    await page.goto(CROSS_SITE_SPA)
    await press(page, 'Sign in')
    await chooseTikTok(page)
    await choosePersona(page, persona)
    await deny(page)
    await page.getByRole('link', { name: /^Go back to / }).click()

    await waitForResult(page, /"error":"access_denied"/)
  })
})

/** The library's user object, as far as the tests read it. */
interface User {
  profile: { sub: string; name?: string }
  access_token: string
  refresh_token: string
}

/** Bundles the page's script. */
async function bundleScript(): Promise<string> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [fileURLToPath(new URL('oidc-client-ts-page.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
  })
  return outputFiles.map(({ text }) => text).join('')
}

async function signIn(page: Page, origin: string, persona: string): Promise<User> {
  await page.goto(origin)
  await press(page, 'Sign in')
  await signInWithTikTok(page, persona)
  return readUser(page)
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
}

async function readUser(page: Page): Promise<User> {
  return JSON.parse(await waitForResult(page, /"access_token"/))
}

/** Waits until the page shows a result that matches, and returns it. */
async function waitForResult(page: Page, text: RegExp): Promise<string> {
  return (await page.locator('#result', { hasText: text }).textContent()) ?? ''
}

/** The response of the token endpoint to the refresh token. */
async function refresh({ refresh_token }: User): Promise<unknown> {
  const form = { grant_type: 'refresh_token', client_id: 'spa', refresh_token }
  const body = new URLSearchParams(form)
  const response = await fetch(`${login}/oidc/token`, { method: 'POST', body })
  return response.json()
}
