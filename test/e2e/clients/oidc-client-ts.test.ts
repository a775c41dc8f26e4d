import { fileURLToPath } from 'node:url'
import * as esbuild from 'esbuild'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { choosePersona, continueAs, describeInBrowser, it, login, sessionOf } from '../visit.ts'
import { FOREIGN_SPA, NEARBY_SPA, SPA_PORT } from './registered.ts'
import { serve } from './serve.ts'

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
<output id="shown"></output>
`

describeInBrowser('a browser app built on oidc-client-ts', () => {
  let stop: () => Promise<void>

  beforeAll(async () => {
    const script = await bundle()
    stop = await serve(SPA_PORT, (request) =>
      request.url.endsWith('/app.js')
        ? new Response(script, { headers: { 'Content-Type': 'text/javascript' } })
        : new Response(HTML, { headers: { 'Content-Type': 'text/html; charset=utf-8' } }),
    )
  })
  afterAll(() => stop())

  it.for([
    ['a site of its own', FOREIGN_SPA],
    ['the site of the login service', NEARBY_SPA],
  ] as const)(
    '[M4] signs a person in, renews, and signs them out, on %s',
    async ([, origin], { page, context, persona }) => {
      const user = await signIn(page, origin, persona)
      const { sub } = user.profile
      expect(user.profile).toMatchObject({ sub: expect.any(String), name: 'Mia Lindqvist' })

      await press(page, 'Renew')
      const renewed = await seeUser(page)
      expect(renewed.profile).toMatchObject({ sub, name: 'Mia Lindqvist' })
      expect(renewed.access_token).not.toBe(user.access_token)
      expect(renewed.refresh_token).not.toBe(user.refresh_token)

      await press(page, 'Sign out')
      await see(page, /^null$/)
      expect(page.url()).toBe(`${origin}/`)
      expect(await sessionOf(context)).toBeNull()
      expect(await refresh(renewed)).toMatchObject({ error: 'invalid_grant' })
    },
  )

  it('renews in a frame on the site of the login service', async ({ page, persona }) => {
    const user = await signIn(page, NEARBY_SPA, persona)

    await press(page, 'Renew in a frame')
    const renewed = await seeUser(page)
    expect(renewed.profile).toMatchObject({ sub: user.profile.sub, name: 'Mia Lindqvist' })
    expect(renewed.access_token).not.toBe(user.access_token)
  })

  it('is told on any other site that a frame will not do', async ({ page, persona }) => {
    await signIn(page, FOREIGN_SPA, persona)

    await press(page, 'Renew in a frame')
    await see(page, /"error":"login_required"/)
    await press(page, 'Renew')
    await seeUser(page)
  })

  it('[M4] revokes its tokens', async ({ page, persona }) => {
    const user = await signIn(page, FOREIGN_SPA, persona)

    await press(page, 'Revoke')
    await see(page, /^"revoked"$/)
    expect(await refresh(user)).toMatchObject({ error: 'invalid_grant' })
  })

  it('is told when the person changes their mind', async ({ page, persona }) => {
    await page.goto(FOREIGN_SPA)
    await press(page, 'Sign in')
    await page.getByRole('link', { name: 'Continue with TikTok' }).click()
    await choosePersona(page, persona)
    await page.getByTestId('deny').click()
    await page.getByRole('link', { name: 'Go back to where you came from' }).click()

    await see(page, /"error":"login_required"/)
  })
})

/** What the library knows of who is signed in, as far as it matters here. */
interface User {
  profile: { sub: string; name?: string }
  access_token: string
  refresh_token: string
}

/** The page's script, as a bundler would make it. */
async function bundle(): Promise<string> {
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
  await continueAs(page, persona)
  return seeUser(page)
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click()
}

async function seeUser(page: Page): Promise<User> {
  return JSON.parse(await see(page, /"access_token"/))
}

/** Waits until the page shows such a text, and returns all of it. */
async function see(page: Page, text: RegExp): Promise<string> {
  return (await page.locator('#shown', { hasText: text }).textContent()) ?? ''
}

/** What the token endpoint says to whoever still has the refresh token. */
async function refresh({ refresh_token }: User): Promise<unknown> {
  const form = { grant_type: 'refresh_token', client_id: 'spa', refresh_token }
  const body = new URLSearchParams(form)
  const response = await fetch(`${login}/oidc/token`, { method: 'POST', body })
  return response.json()
}
