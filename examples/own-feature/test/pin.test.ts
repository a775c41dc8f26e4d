import { type Browser, chromium, type Page } from 'playwright-core'
import { type RunningLogin, signIn, startLogin } from 'vestibule-auth/testing'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

vi.setConfig({ hookTimeout: 120_000, testTimeout: 60_000 }) // milliseconds

let login: RunningLogin
let chrome: Browser

beforeAll(async () => {
  const users = ['ada', 'ben', 'cleo', 'dan', 'eve', 'finn'].map((handle) => ({ handle }))
  login = await startLogin({ config: 'wrangler.toml', users })
  chrome = await chromium.launch({ executablePath: process.env['CHROMIUM_PATH'] })
})

afterAll(async () => {
  await chrome?.close()
  await login?.stop()
})

/** Signs in with TikTok. Without a page, in a browser that does not know the user. */
async function signInWithTikTok(user: string, page?: Page): Promise<Page> {
  const opened = page ?? (await (await chrome.newContext()).newPage())
  await opened.goto(`${login.url}/account`)
  await signIn(opened, user)
  return opened
}

async function enter(page: Page, pins: Record<string, string>): Promise<void> {
  for (const [label, pin] of Object.entries(pins)) {
    await page.getByLabel(label, { exact: true }).fill(pin)
  }
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Signs a new user in, who accepts the terms and chooses a PIN. */
async function signUp(user: string, pin: string): Promise<Page> {
  const page = await signInWithTikTok(user)
  await page.getByRole('button', { name: 'Accept' }).click()
  await enter(page, { 'New PIN': pin })
  await page.waitForURL(/account/)
  return page
}

/** The claims of the session token; undefined if nobody is signed in. */
async function readClaims(page: Page): Promise<{ amr?: string[] } | undefined> {
  const response = await page.request.get(`${login.url}/api/auth/session`)
  const session = (await response.json()) as { token: string } | null
  const [, claims] = session?.token.split('.') ?? []
  return claims && JSON.parse(Buffer.from(claims, 'base64url').toString())
}

it('asks new users to accept the terms and to choose a PIN, before they have a session', async () => {
  const page = await signInWithTikTok('ada')
  expect(await readClaims(page)).toBeUndefined()
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByRole('heading', { name: 'Choose a PIN' }).waitFor()
  expect(await readClaims(page)).toBeUndefined()

  await enter(page, { 'New PIN': '12345' })
  await page.getByText('Enter six digits.').waitFor()
  expect(await readClaims(page)).toBeUndefined()

  await enter(page, { 'New PIN': '271828' })
  await page.waitForURL(/account/)
  expect(await readClaims(page)).toMatchObject({ amr: ['pin'] })
})

it('asks for the PIN in another browser, and not again in the same one', async () => {
  const first = await signUp('ben', '271828')
  const second = await signInWithTikTok('ben')
  expect(await readClaims(second)).toBeUndefined()

  await enter(second, { PIN: '314159' })
  await second.getByText('This PIN is wrong.').waitFor()
  expect(await readClaims(second)).toBeUndefined()

  await enter(second, { PIN: '271828' })
  await second.getByText('have changed').waitFor() // the notice about the PIN
  expect(await readClaims(second)).toMatchObject({ amr: ['pin'] })

  await first.getByRole('button', { name: 'Sign out' }).click()
  await first.getByText('signed out').waitFor()
  await signInWithTikTok('ben', first)
  expect(await readClaims(first)).not.toHaveProperty('amr')
})

it('accepts no PIN after five wrong ones, in any other browser', async () => {
  await signUp('cleo', '271828')
  const thief = await signInWithTikTok('cleo')
  for (let guess = 0; guess < 5; guess += 1) {
    await enter(thief, { PIN: `00000${guess}` })
    await thief.getByText('This PIN is wrong.').waitFor()
  }

  for (const page of [thief, await signInWithTikTok('cleo')]) {
    await enter(page, { PIN: '271828' })
    await page.getByText('Too many wrong PINs.').waitFor()
    expect(await readClaims(page)).toBeUndefined()
  }
})

it('lets nobody choose a PIN who has to enter one', async () => {
  await signUp('dan', '271828')
  const thief = await signInWithTikTok('dan')

  await thief.goto(`${login.url}/pin/choose`)
  await signIn(thief, 'dan') // TikTok may have asked nothing before
  await thief.goto(`${login.url}/pin/choose`)
  await enter(thief, { 'New PIN': '314159' })
  await thief.getByText('If they are not accepted').waitFor()
  expect(await readClaims(thief)).toBeUndefined()
})

it('lets users choose a PIN only in a sign-in', async () => {
  const page = await signUp('finn', '271828')

  await page.goto(`${login.url}/pin/choose`)

  await page.waitForURL(/\/signin\?/)
})

it('changes the PIN of users who sign in again and enter the present one', async () => {
  const page = await signUp('eve', '271828')
  await page.getByRole('link', { name: 'Change your PIN' }).click()
  await signIn(page, 'eve')

  await enter(page, { PIN: '314159', 'New PIN': '161803' })
  await page.getByText('This PIN is wrong.').waitFor()
  await enter(page, { PIN: '271828', 'New PIN': '161803' })
  await page.getByText('Your PIN was changed.').waitFor()

  const second = await signInWithTikTok('eve')
  await enter(second, { PIN: '161803' })
  await second.getByText('have changed').waitFor()
  expect(await readClaims(second)).toMatchObject({ amr: ['pin'] })
})
