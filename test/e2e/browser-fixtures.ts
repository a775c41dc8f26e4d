import { setTimeout } from 'node:timers/promises'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { it as base, describe, expect, inject, onTestFinished } from 'vitest'
import { NAME } from '../user-name.ts'
import { chromiumPath, launchChromium } from './chromium.ts'

export const { login, platform, storefront, orders, gallery } = inject('services')

/** Browser tests are skipped on a machine without Chromium. */
export const describeInBrowser = describe.skipIf(!chromiumPath)

/**
 * All services are on this machine; an element that does not appear in this time will not appear.
 */
const ACTION_TIMEOUT = 25_000 // milliseconds

const CLOSE_TIMEOUT = 10_000 // milliseconds

interface Fixtures {
  chromium: Browser
  /**
   * Errors that pages have caused: script errors, failed subresources, CSP violations, dialogs, and
   * requests to other machines. A test fails if any are left at its end, so a test that provokes
   * one removes it.
   */
  pageErrors: string[]
  /** A new browser profile. */
  context: BrowserContext
  page: Page
  /** The handle of a stand-in user who has never signed in, named {@link NAME}. */
  persona: string
  /** Opens a browser profile with other settings. */
  openContext: (options?: BrowserContextOptions) => Promise<BrowserContext>
}

export const it = base.extend<Fixtures>({
  chromium: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures are needed.
    async ({}, use) => {
      const browser = await launchChromium()
      await use(browser)
      await inTime(browser.close())
    },
    { scope: 'worker' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: see above.
  pageErrors: async ({}, use) => {
    const pageErrors: string[] = []
    await use(pageErrors)
    expect(pageErrors).toEqual([])
  },
  openContext: async ({ chromium, pageErrors }, use) => {
    const contexts: BrowserContext[] = []
    await use(async (options) => {
      // Without the animated transitions between pages, for which Chromium draws every frame.
      const context = await chromium.newContext({ reducedMotion: 'reduce', ...options })
      context.setDefaultTimeout(ACTION_TIMEOUT)
      collectPageErrors(context, pageErrors)
      contexts.push(context)
      return context
    })
    for (const context of contexts) await inTime(context.close())
  },
  context: async ({ openContext }, use) => use(await openContext()),
  page: async ({ context }, use) => use(await context.newPage()),
  // biome-ignore lint/correctness/noEmptyPattern: see above.
  persona: async ({}, use) => use(await createPersona(NAME)),
})

/** Playwright was seen to wait forever for a page that a failed test left while it was loading. */
function inTime(closing: Promise<void>): Promise<void> {
  return Promise.race([closing, setTimeout(CLOSE_TIMEOUT)])
}

/** Creates a stand-in user for one test, and returns the handle. */
export async function createPersona(displayName: string): Promise<string> {
  const handle = `e2e-${crypto.randomUUID().slice(0, 13)}`
  await setPersona({ handle, displayName })
  // The stand-in's login page lists all users that are not deleted, and a long list would slow all
  // later tests down.
  onTestFinished(() => setPersona({ handle, standing: 'deleted' }))
  return handle
}

async function setPersona(fields: { handle: string } & Record<string, string>): Promise<void> {
  await fetch(`${platform}/__stand-in/users`, { method: 'POST', body: JSON.stringify(fields) })
}

/**
 * What Chromium reports if a test navigates, or changes the size of the window, during a view
 * transition.
 */
const ENDED_TRANSITIONS = [
  'AbortError: Transition was skipped. Navigation aborted',
  'InvalidStateError: Transition was aborted because of invalid state. Viewport size changed',
]

function collectPageErrors(context: BrowserContext, pageErrors: string[]): void {
  context.on('console', (message) => {
    // Tests of pages with a 4xx status check their content; failed subresources are collected
    // below.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      pageErrors.push(message.text())
    }
  })
  context.on('weberror', (error) => {
    const message = String(error.error())
    if (!ENDED_TRANSITIONS.includes(message)) pageErrors.push(message)
  })
  context.on('dialog', (dialog) => pageErrors.push(`dialog: ${dialog.message()}`))
  context.on('response', (response) => {
    const isSubresource = !response.request().isNavigationRequest()
    if (isSubresource && response.status() >= 400)
      pageErrors.push(`${response.status()} ${response.url()}`)
  })
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    const isDevelopment = /^(?:.+\.)?localhost$|^\[::1\]$|^127\.0\.0\.1$/.test(hostname)
    if (protocol.startsWith('http') && !isDevelopment)
      pageErrors.push(`request to another machine: ${request.url()}`)
  })
}
