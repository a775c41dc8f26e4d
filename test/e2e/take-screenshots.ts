import { mkdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { startServices } from '../../demo/services.ts'
import { launchChromium } from './chromium.ts'

/** Takes the screenshots of README and docs from the running demo: `npm run screenshots`. */

const FOLDER = fileURLToPath(new URL('../../docs/images/', import.meta.url))

/** Not the ports of `npm start`, which may be running. */
const PORT = 18_887

const MAX_SIZE = 100_000 // bytes

/** An app of another company, whose users are asked for their consent. */
const POSTCARDS = {
  client_id: 'postcards',
  client_name: 'Postcards',
  brand_color: '#00695c',
  redirect_uris: ['https://postcards.example/callback'],
  policy_uri: 'https://postcards.example/privacy',
}

const services = await startServices({
  port: PORT,
  clients: [POSTCARDS],
  administrators: ['mia'],
})
const browser = await launchChromium()
try {
  const context = await browser.newContext({ viewport: { width: 1100, height: 760 } })
  const page = await context.newPage()
  await takeScreenshots(page)
} finally {
  await browser.close()
  await services.stop()
}

async function takeScreenshots(page: Page): Promise<void> {
  const { login, storefront } = services
  await page.goto(`${storefront}/signin`)
  await screenshot(page, 'sign-in')
  await signIn(page, 'mia')
  await page.goto(authorizationRequest())
  await screenshot(page, 'consent')
  await page.goto(`${login}/account`)
  // Only the first page of a new user says that the account was created.
  await page.reload()
  await screenshot(page, 'account')
  await page.goto(`${login}/admin`)
  await screenshot(page, 'console')
}

async function signIn(page: Page, persona: string): Promise<void> {
  await page.getByRole('link', { name: 'Sign in with TikTok' }).click()
  await page.getByTestId(`persona-${persona}`).click()
  await page.getByTestId('allow').click()
  await page.waitForURL(`${services.storefront}/`)
}

function authorizationRequest(): string {
  const query = new URLSearchParams({
    client_id: POSTCARDS.client_id,
    redirect_uri: String(POSTCARDS.redirect_uris),
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  return `${services.login}/oidc/authorize?${query}`
}

async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  const path = `${FOLDER}${name}.png`
  await page.screenshot({ path })
  const { size } = statSync(path)
  if (size > MAX_SIZE) throw new Error(`${name}.png has ${size} bytes.`)
  process.stdout.write(`  ${name}.png  ${Math.ceil(size / 1024)} KB\n`)
}
