import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { describeInBrowser, it } from './browser-fixtures.ts'
import {
  allow,
  chooseTikTok,
  readSession,
  signIn,
  signOutAtStorefront,
  waitForHeading,
  waitForOrders,
  waitForSignedOutGallery,
  waitForSignedOutStorefront,
} from './page-steps.ts'
import { addVirtualAuthenticator } from './virtual-authenticator.ts'

const { login, mailbox, storefront, gallery } = inject('services')

/** Chosen in the stand-in, and an administrator. */
const PERSONA = 'mia'

const ADDRESS = 'someone@mail.example'

/** The steps of the README, by a part of their text, in one browser. */
const STEPS: Record<string, (page: Page) => Promise<void>> = {
  'The storefront greets you': async (page) => {
    await signIn(page, PERSONA)
    await waitForHeading(page, 'Hello, Mia Lindqvist')
    await waitForOrders(page)
  },
  'You are signed in without another prompt': async (page) => {
    await page.goto(gallery)
    await waitForSignedOutGallery(page)
    await page.getByRole('link', { name: 'Sign in', exact: true }).click()
    await waitForHeading(page, 'Welcome, Mia Lindqvist')
  },
  'Mia is an administrator': async (page) => {
    await page.goto(`${login}/admin`)
    await waitForHeading(page, 'Overview')
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('main').getByRole('link', { name: 'Mia Lindqvist' }).first().waitFor()
  },
  'Add a passkey': async (page) => {
    const { session, authenticatorId } = await addVirtualAuthenticator(page)
    await page.goto(`${login}/account`)
    await page.getByRole('link', { name: 'Add a passkey' }).click()
    await chooseTikTok(page)
    await allow(page)
    await waitForHeading(page, 'Your account')
    await page.locator('section li').getByText('Chrome, Linux').first().waitFor()
    // Otherwise it signs Mia in as soon as the sign-in page is open.
    await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  },
  'Sign out, and sign in with any email address': async (page) => {
    await page.goto(storefront)
    await signOutAtStorefront(page, 'Mia Lindqvist')
    await waitForSignedOutStorefront(page)
    expect(await readSession(page.context())).toBeNull()

    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByLabel('Email address').fill(ADDRESS)
    await page.getByRole('button', { name: 'Email me a code' }).click()
    await waitForHeading(page, 'Check your email')
    await page.getByLabel('Six-digit code').fill(await readCode(await page.context().newPage()))
    await waitForHeading(page, `Hello, ${ADDRESS}`)
  },
}

describeInBrowser('the demo', () => {
  it('does what the README describes', async ({ page }) => {
    const readme = (await readFile('README.md', 'utf8')).replaceAll(/\s+/g, ' ')
    for (const [text, follow] of Object.entries(STEPS)) {
      expect(readme).toContain(text)
      await follow(page)
    }
  })
})

/** Reads the code that was sent last in the demo's mailbox. */
async function readCode(page: Page): Promise<string> {
  await page.goto(mailbox)
  const subject = await page
    .getByText(/^\d{6} · /)
    .first()
    .textContent()
  await page.close()
  return subject?.slice(0, 6) ?? ''
}
