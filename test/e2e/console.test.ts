import type { Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { findViolations, setAppearance } from './accessibility.ts'
import { createPersona, describeInBrowser, it, login, platform } from './browser-fixtures.ts'
import { signIn, signInWithoutPages, signInWithTikTok, waitForHeading } from './page-steps.ts'
import { runInProcess } from './run-in-process.ts'
import { MAX_SENT_SIZE, sentSize } from './sent-size.ts'

const administrator = inject('administrator')

/** The wide one is the last: in it, the next page can be opened by the menu. */
const APPEARANCES = [
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 1280 },
] as const

interface Step {
  name: string
  heading: string
  open: (page: Page) => Promise<unknown>
}

/** Every page of the console, in an order in which each can be opened after the one before. */
const STEPS: readonly Step[] = [
  {
    name: 'overview',
    heading: 'Overview',
    open: (page) => page.goto(`${login}/admin`),
  },
  { name: 'live', heading: 'Live', open: follow('Live') },
  { name: 'users', heading: 'Users', open: follow('Users') },
  {
    name: 'users found',
    heading: 'Search',
    async open(page) {
      await page.getByRole('searchbox', { name: 'Search' }).fill('dmina')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
      await page.getByRole('main').getByRole('link', { name: 'Admina' }).waitFor()
    },
  },
  {
    name: 'user',
    heading: '\u2068Admina Strator\u2069',
    open: (page) => page.getByRole('main').getByRole('link', { name: 'Admina' }).first().click(),
  },
  { name: 'block', heading: 'Block this user', open: follow('Block') },
  { name: 'clients', heading: 'Clients', open: follow('Clients') },
  { name: 'new client', heading: 'Add a client', open: follow('Add a client') },
  {
    name: 'client with problems',
    heading: 'Add a client',
    async open(page) {
      await page.getByLabel('client_id').fill('not valid!')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'secret',
    heading: 'Secret of \u2068A client of the console\u2069',
    async open(page) {
      await page.getByLabel('client_id').fill(`e2e-${crypto.randomUUID()}`)
      await page.getByLabel('client_name').fill('A client of the console')
      await page.getByLabel('Choose the colour').fill('#7a1f4b')
      await page
        .frameLocator('iframe')
        .getByRole('heading', { name: 'A client of the console' })
        .waitFor()
      expect(await page.getByLabel('brand_color').inputValue()).toBe('#7a1f4b')
      await page
        .getByLabel('redirect_uris', { exact: false })
        .first()
        .fill('https://app.example/callback')
      await page.getByRole('button', { name: 'Save' }).click()
    },
  },
  {
    name: 'client',
    heading: '\u2068A client of the console\u2069',
    open: follow('I have copied it'),
  },
  {
    name: 'remove a secret',
    heading: 'Remove a secret of this client',
    async open(page) {
      await follow('New secret')(page)
      await page.getByRole('button', { name: 'Create a new secret' }).click()
      await follow('I have copied it')(page)
      await page.getByRole('link', { name: 'Remove: Former secret' }).click()
    },
  },
  {
    name: 'client without the secret',
    heading: '\u2068A client of the console\u2069',
    open: (page) => page.getByRole('button', { name: 'Remove' }).click(),
  },
  {
    name: 'client edit',
    heading: 'Edit \u2068A client of the console\u2069',
    open: follow('Edit'),
  },
  {
    name: 'client of the settings',
    heading: '\u2068The storefront\u2069',
    open: (page) => page.goto(`${login}/admin/clients/storefront`),
  },
  { name: 'APIs', heading: 'APIs', open: follow('APIs') },
  { name: 'new API', heading: 'Add an API', open: follow('Add an API') },
  { name: 'keys', heading: 'Keys', open: follow('Keys') },
  {
    name: 'revoke',
    heading: 'Rotate and revoke the signing keys',
    open: follow('Rotate and revoke'),
  },
  { name: 'configuration', heading: 'Configuration', open: follow('Configuration') },
  { name: 'test', heading: 'Test this provider', open: follow('Test') },
  { name: 'audit', heading: 'Audit', open: follow('Audit') },
  {
    name: 'reference',
    heading: 'Reference 22222-22222',
    async open(page) {
      await page.getByRole('searchbox', { name: 'Search' }).fill('22222 22222')
      await page.getByRole('button', { name: 'Search', exact: true }).click()
    },
  },
]

describeInBrowser('every page of the console', () => {
  it('[M1] is accessible, small, self-contained except for pictures, and free of errors, in light colours at 360 px and in dark colours at 1280 px', {
    timeout: 300_000,
  }, async ({ page }) => {
    const subresources: string[] = []
    page.on('request', (request) => {
      const isPicture = request.resourceType() === 'image'
      if (!request.isNavigationRequest() && !isPicture) subresources.push(request.url())
    })
    await signInAsAdministrator(page)
    subresources.length = 0

    for (const { name, heading, open } of STEPS) {
      await open(page)
      await waitForHeading(page, heading)
      expect(sentSize(await page.content()), name).toBeLessThanOrEqual(MAX_SENT_SIZE)
      for (const appearance of APPEARANCES) {
        const { width } = appearance
        await setAppearance(page, appearance)
        expect(await findViolations(page), `${name} at ${width} px`).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(width)
      }
    }
    expect(subresources).toEqual([])
  })

  it('opens the menu with a button at 390 px, and shows users in two lines without sideways scrolling', async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 740 })
    await signInAsAdministrator(page)
    await page.goto(`${login}/admin/users`)
    const links = page.getByRole('navigation', { name: 'Administration' }).getByRole('link')

    expect(await links.count()).toBe(0)
    const table = page.getByRole('region', { name: 'All users' })
    const { scroll, width } = await table.evaluate((element) => ({
      scroll: element.scrollWidth,
      width: element.clientWidth,
    }))
    expect(scroll).toBe(width)
    const row = table.locator('tbody tr').first()
    const height = await row.evaluate((element) => element.clientHeight)
    const lineHeight = await row.evaluate((element) =>
      Number.parseFloat(getComputedStyle(element).lineHeight),
    )
    // The padding is less than a line. The picture is a little higher than a line.
    expect(height).toBeLessThan(4 * lineHeight)
    expect(await row.getByText(/^usr_/).isVisible()).toBe(false)
    await page.setViewportSize({ width: 1280, height: 740 })
    expect(await row.getByText(/^usr_/).isVisible()).toBe(true)
    await page.setViewportSize({ width: 390, height: 740 })
    await page.getByRole('button', { name: 'Menu' }).press('Enter')
    expect(await links.count()).toBe(11)
    await links.getByText('Audit').click()
    await waitForHeading(page, 'Audit')
  })

  it('shows times in the time zone of the browser, from the second page on', async ({
    openContext,
  }) => {
    const context = await openContext({ timezoneId: 'Europe/Berlin' })
    const page = await context.newPage()
    await signInAsAdministrator(page)
    await page.goto(`${login}/admin`)
    await page.getByText('Times are in UTC.').first().waitFor({ state: 'attached' })
    await page.goto(`${login}/admin`)

    await page.getByText('Times are in Europe/Berlin.').first().waitFor({ state: 'attached' })
  })

  it('has its sections in the order of the commands', async ({ page }) => {
    const { output } = await runInProcess(['--help'], { cwd: process.cwd() })
    const commands = Array.from(output.matchAll(/^ {2}([a-z]+)/gm), ([, name = '']) =>
      name.replace(/^admins$/, 'administrators'),
    )
    await signInAsAdministrator(page)
    await page.goto(`${login}/admin`)

    const links = page.getByRole('navigation', { name: 'Administration' }).getByRole('link')
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    const sections = paths.map((path) => path?.replace('/admin/', '') ?? '')
    const shared = sections.filter((section) => commands.includes(section))
    expect(shared).toEqual(commands.filter((command) => sections.includes(command)))
    expect(shared).toHaveLength(8)
  })

  it('focuses the search when / is pressed, until this is switched off', async ({ page }) => {
    await signInAsAdministrator(page)
    await page.goto(`${login}/admin/clients`)
    const search = page.getByRole('searchbox', { name: 'Search' })
    const isFocused = () => search.evaluate((input) => input === document.activeElement)

    await page.keyboard.press('Control+/')
    expect(await isFocused()).toBe(false)
    await page.keyboard.press('/')
    expect(await isFocused()).toBe(true)
    await page.keyboard.type('a/b')
    expect(await search.inputValue()).toBe('a/b')

    await page.getByRole('button', { name: 'Signed in' }).click()
    await page.getByRole('button', { name: 'Key / for search', pressed: true }).click()
    await page.reload()
    await page.keyboard.press('/')
    expect(await isFocused()).toBe(false)
    await page.getByRole('button', { name: 'Signed in' }).click()
    await page.getByRole('button', { name: 'Key / for search', pressed: false }).click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    expect(await isFocused()).toBe(true)
  })

  it('proposes the ID of a new client, until another one is entered', async ({ page }) => {
    await signInAsAdministrator(page)
    await page.goto(`${login}/admin/new/clients`)
    const name = page.getByLabel('client_name')
    const id = page.getByLabel('client_id')

    await name.fill(' Café & Crème: Berlin!')
    expect(await id.inputValue()).toBe('cafe-creme-berlin')
    await id.fill('berlin')
    await name.fill('Another name')

    expect(await id.inputValue()).toBe('berlin')
  })

  it('updates the live view every ten seconds, while it is visible and the switch is on, and keeps its table open', async ({
    page,
  }) => {
    await page.clock.install()
    await signInAsAdministrator(page)
    let updates = 0
    page.on('response', (response) => {
      if (response.url().endsWith('/admin/live/counts')) updates += Number(response.ok())
    })
    const hide = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { configurable: true, value })
        document.dispatchEvent(new Event('visibilitychange'))
      }, hidden)
    await page.goto(`${login}/admin/live`)
    await page.getByText('Sign-ins per minute as a table').click()
    expect(updates).toBe(0)

    await page.clock.runFor(10_000)
    await page.getByText(/^Updated at /).waitFor()
    expect(updates).toBe(1)
    await page.getByRole('table').waitFor()

    await hide(true)
    await page.clock.runFor(60_000)
    expect(updates).toBe(1)
    await hide(false)
    await expect.poll(() => updates).toBe(2)

    await page.getByLabel('Update every ten seconds').uncheck()
    await page.clock.runFor(60_000)
    expect(updates).toBe(2)
  })

  it('skips to the content by keyboard', async ({ page }) => {
    await signInAsAdministrator(page)
    await page.goto(`${login}/admin/clients`)

    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')

    const focused = page.locator(':focus')
    expect(await focused.textContent()).toBe('Add a client')
  })

  it('lets an administrator block a user, who is signed out and cannot sign in', async ({
    openContext,
    page,
  }) => {
    const handle = await createPersona('Bo Blocked')
    const userContext = await openContext()
    const userPage = await userContext.newPage()
    await signIn(userPage, handle)
    await signInAsAdministrator(page)

    await page.goto(`${login}/admin/search?query=Bo+Blocked`)
    await page.getByRole('link', { name: 'Bo Blocked' }).first().click()
    await page.getByRole('link', { name: 'Block', exact: true }).click()
    await page.getByLabel('Reason').fill('Sends spam')
    await page.getByRole('button', { name: 'Block' }).click()
    await page.getByRole('status').getByText('is blocked. 1 session ended.').waitFor()
    await page.getByRole('main').getByText('Sends spam').waitFor()

    await userPage.goto(`${login}/account`)
    expect(new URL(userPage.url()).pathname).toBe('/api/auth/signin')
  })

  it('is used by keyboard alone: finds a user, ends the sessions, blocks the user, and undoes it', async ({
    openContext,
    page,
  }) => {
    const handle = await createPersona('Kay Board')
    await signIn(await (await openContext()).newPage(), handle)
    await signInAsAdministrator(page)
    await page.goto(`${login}/admin`)

    await page.keyboard.press('/')
    await page.keyboard.type('kay bo')
    await page.keyboard.press('Enter')
    await waitForHeading(page, 'Search')
    await pressFocused(page, /^\u2068Kay Board\u2069$/)
    await waitForHeading(page, '\u2068Kay Board\u2069')
    await pressFocused(page, /^End all sessions$/)
    await waitForHeading(page, 'End all sessions of this user')
    await pressFocused(page, /^End all sessions$/)
    await page.getByText('1 session ended.').waitFor()
    await pressFocused(page, /^Block$/)
    await waitForHeading(page, 'Block this user')
    await pressFocused(page, /^Block$/)
    await page.getByText('The user is blocked.').waitFor()
    await pressFocused(page, /^Undo$/)

    await page.getByText('is unblocked, and can sign in again.').waitFor()
  })

  it('is not found by an ordinary user', async ({ context, page, persona }) => {
    await signInWithoutPages(context, persona)

    const response = await page.goto(`${login}/admin`)

    expect(response?.status()).toBe(404)
    await waitForHeading(page, 'Page not found')
  })
})

/** Follows the link with this name, after which a section has a count. */
function follow(name: string): Step['open'] {
  return (page) => page.getByRole('link', { name: new RegExp(`^${name}\\s*\\d*$`) }).click()
}

/** Moves the focus with the tabulator to a link or a button, and presses it. */
async function pressFocused(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = []
  for (let moves = 0; moves < 60; moves++) {
    await page.keyboard.press('Tab')
    const text = (await page.evaluate(() => document.activeElement?.textContent))?.trim() ?? ''
    if (name.test(text)) return page.keyboard.press('Enter')
    passed.push(text.slice(0, 30))
  }
  throw new Error(`The focus does not reach ${name}, but ${passed.join(' | ')}.`)
}

/** Signs in as a user would before opening the console, at the provider's prompt. */
async function signInAsAdministrator(page: Page): Promise<void> {
  await fetch(`${platform}/__stand-in/users`, {
    method: 'POST',
    body: JSON.stringify({ handle: administrator, displayName: 'Admina Strator' }),
  })
  await page.goto(`${login}/api/auth/signin?callbackUrl=/account&prompt=login`)
  await signInWithTikTok(page, administrator)
  await waitForHeading(page, 'Your account')
}
