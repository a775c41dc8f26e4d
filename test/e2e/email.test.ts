import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type Services, startServices } from '../../demo/services.ts'
import { findViolations } from './accessibility.ts'
import { describeInBrowser, it } from './browser-fixtures.ts'
import { signInPage } from './page-steps.ts'
import { PORTS } from './ports.ts'

/** Not used by the services of the other tests. */
interface Message {
  to: string
  subject: string
  text: string
  url: string
}

let services: Services

describeInBrowser('sign-in with email', () => {
  beforeAll(async () => {
    services = await startServices({ port: PORTS.email, main: 'test/clock-login.ts' })
  }, 60_000)

  afterEach(async () => {
    await setClock(0)
  })

  afterAll(async () => {
    await services.stop()
  })

  it('works with the code, from the storefront and back', async ({ page }) => {
    const address = newAddress()

    await page.goto(signInPage(services.login, services.storefront))
    await requestCode(page, address)
    expect(await findViolations(page)).toEqual([])
    const { subject, text } = await newestMessage(address)
    await enterCode(page, codeIn(text))

    await page.waitForURL(`${services.storefront}/`)
    await page.getByRole('heading', { name: `Hello, ${address}` }).waitFor()
    expect(subject).toBe(`${codeIn(text)} · Your code to sign in to The storefront`)
    expect(text).toMatch(/Requested from: Chrome, Linux/)
    expect(await readUser(page.context())).toMatchObject({ email: address })
  })

  it.for([
    ['typed', 'Enter'],
    ['typed', 'a click'],
    ['pasted', 'Enter'],
    ['pasted', 'a click'],
  ] as const)(
    'sends a code once that is %s and confirmed with %s',
    async ([entry, confirmation], { page, context }) => {
      const address = newAddress()
      await page.goto(`${services.login}/api/auth/signin`)
      await requestCode(page, address)
      const code = codeIn((await newestMessage(address)).text)
      const button = await page.getByRole('button', { name: 'Sign in' }).boundingBox()
      const { x, y, width, height } = button ?? { x: 0, y: 0, width: 0, height: 0 }
      await page.evaluate(() => {
        addEventListener('submit', () => {
          sessionStorage['busy'] = document.querySelector('[aria-busy=true]')?.textContent
        })
      })
      let posts = 0
      const confirmed = Promise.withResolvers<void>()
      await page.route(`**${new URL(page.url()).pathname}`, async (route) => {
        posts += 1
        await confirmed.promise
        await route.continue()
      })

      await page.getByLabel('Six-digit code').focus()
      if (entry === 'typed') await page.keyboard.type(code)
      else await page.keyboard.insertText(code)
      await expect.poll(() => posts).toBe(1)
      if (confirmation === 'Enter') await page.keyboard.press('Enter')
      else await page.mouse.click(x + width / 2, y + height / 2)
      confirmed.resolve()

      await page.getByRole('heading', { name: 'You are signed in' }).waitFor()
      expect(posts).toBe(1)
      expect(await page.evaluate(() => sessionStorage['busy'])).toBe('Sign in')
      expect(await readUser(context)).toMatchObject({ email: address })
    },
  )

  it('signs in although the browser has sent the code twice, and dropped the first response', async ({
    page,
    context,
  }) => {
    const address = newAddress()
    await page.goto(signInPage(services.login, services.storefront))
    await requestCode(page, address)
    const code = codeIn((await newestMessage(address)).text)

    // Without events, so that the script does not prevent it.
    await page.getByLabel('Six-digit code').evaluate(async (field: HTMLInputElement, value) => {
      field.value = value
      field.form?.submit()
      await new Promise((resolve) => setTimeout(resolve, 20))
      field.form?.submit()
    }, code)

    await page.waitForURL(`${services.storefront}/`)
    await page.getByRole('heading', { name: `Hello, ${address}` }).waitFor()
    expect(await readUser(context)).toMatchObject({ email: address })
  })

  it('can be requested again with the browser’s back button, and after the user has stopped it', async ({
    page,
  }) => {
    const [first, second] = [newAddress(), newAddress()]
    await page.clock.install()
    await page.goto(`${services.login}/api/auth/signin/email`)
    await requestCode(page, first)
    await page.goBack()
    const button = page.getByRole('button', { name: 'Email me a code' })
    await page.getByLabel('Email address').fill(second)
    await page.route('**/signin/email', (route) => route.abort('aborted'), { times: 1 })
    await button.click()
    expect(await button.getAttribute('aria-busy')).toBe('true')
    await page.clock.fastForward(20_000)

    await requestCode(page, second)

    expect((await newestMessage(second)).to).toBe(second)
  })

  it('is offered above the fold of a small laptop', async ({ openContext }) => {
    const context = await openContext({ viewport: { width: 1366, height: 768 } })
    const page = await context.newPage()
    await page.goto(signInPage(services.login, services.storefront))

    for (const name of ['Sign in with TikTok', 'Email me a code']) {
      const box = await page.getByText(name, { exact: true }).first().boundingBox()
      expect((box?.y ?? 768) + (box?.height ?? 0), name).toBeLessThan(768)
    }
  })

  it('works without scripts, and counts the seconds until it is sent again with them', async ({
    page,
    openContext,
  }) => {
    const context = await openContext({ javaScriptEnabled: false })
    const plain = await context.newPage()
    for (const tab of [page, plain]) {
      await tab.goto(`${services.login}/api/auth/signin`)
      await requestCode(tab, newAddress())
    }

    const waiting = page.getByRole('button', { name: /^Send it again in 0:[0-3]\d$/ })
    expect(await waiting.isDisabled()).toBe(true)
    expect(await plain.getByRole('button', { name: 'Send it again' }).isEnabled()).toBe(true)
    expect(await page.getByRole('link', { name: 'Change' }).count()).toBe(1)

    const address = newAddress()
    await plain.goto(`${services.login}/api/auth/signin`)
    await requestCode(plain, address)
    await enterCode(plain, codeIn((await newestMessage(address)).text))
    await plain.getByRole('button', { name: 'Sign in' }).click()
    await plain.getByRole('heading', { name: 'You are signed in' }).waitFor()
    expect(await readUser(context)).toMatchObject({ email: address })
  })

  it('works with the link in the same browser, from the mailbox', async ({ page, context }) => {
    const address = newAddress()
    await page.goto(signInPage(services.login, services.storefront))
    await requestCode(page, address)

    const mail = await context.newPage()
    await mail.goto(services.mailbox)
    await mail.frameLocator('iframe').first().getByRole('link', { name: 'Sign in' }).click()
    await mail.getByRole('heading', { name: 'Sign in to The storefront' }).waitFor()
    expect(await findViolations(mail)).toEqual([])
    expect(await readUser(context)).toBeNull()
    await mail.getByRole('button', { name: 'Sign in' }).click()

    await mail.waitForURL(`${services.storefront}/`)
    expect(await readUser(context)).toMatchObject({ email: address })
  })

  it('does not sign in another browser that opens the link; the code still works', async ({
    page,
    openContext,
  }) => {
    const address = newAddress()
    await page.goto(`${services.login}/api/auth/signin`)
    await requestCode(page, address)
    const { url, text } = await newestMessage(address)

    const phone = await openContext({ viewport: { width: 360, height: 740 } })
    const phonePage = await phone.newPage()
    await phonePage.goto(url)
    await phonePage.getByRole('heading', { name: 'Enter the code where you started' }).waitFor()

    expect(await findViolations(phonePage)).toEqual([])
    expect(await phonePage.locator('main form, main button, main input').count()).toBe(0)
    expect(await readUser(phone)).toBeNull()
    await enterCode(page, codeIn(text))
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor()
  })

  it('ends after five wrong codes', async ({ page, context }) => {
    const address = newAddress()
    await page.goto(`${services.login}/api/auth/signin`)
    await requestCode(page, address)
    const code = codeIn((await newestMessage(address)).text)
    const wrong = code === '000000' ? '111111' : '000000'

    for (const left of [4, 3, 2, 1]) {
      await enterCode(page, wrong)
      await page.getByRole('alert').getByText(`Attempts left: ${left}.`).waitFor()
    }
    expect(await findViolations(page)).toEqual([])
    await enterCode(page, wrong)

    await page.getByRole('heading', { name: 'Too many wrong attempts' }).waitFor()
    await page.getByRole('link', { name: 'Try again' }).click()
    await page.getByLabel('Email address').waitFor()
    expect(await readUser(context)).toBeNull()
  })

  it('expires after ten minutes', async ({ page, context }) => {
    const address = newAddress()
    await page.goto(`${services.login}/api/auth/signin`)
    await requestCode(page, address)
    const { text, url } = await newestMessage(address)
    await setClock(10 * 60)

    await enterCode(page, codeIn(text))

    await page.getByRole('heading', { name: 'This sign-in cannot be finished' }).waitFor()
    await page.goto(url)
    await page.getByRole('heading', { name: 'This sign-in cannot be finished' }).waitFor()
    expect(await readUser(context)).toBeNull()
  })

  it('is not used up by a program that opens every link of the message', async ({
    page,
    context,
  }) => {
    const address = newAddress()
    await page.goto(`${services.login}/api/auth/signin`)
    await requestCode(page, address)
    const { url, text } = await newestMessage(address)

    const [found] = text.match(/http\S+/) ?? []
    expect(found).toBe(url)
    for (const method of ['HEAD', 'GET', 'POST']) await fetch(url, { method, redirect: 'manual' })
    await context.request.get(url) // with the cookies of the browser
    await page.goto(url)
    await page.getByRole('button', { name: 'Sign in' }).click()

    await page.getByRole('heading', { name: 'You are signed in' }).waitFor()
    expect(await readUser(context)).toMatchObject({ email: address })
  })

  it('shows the same page for an unknown address and for that of a user', async ({
    page,
    openContext,
  }) => {
    const known = newAddress()
    await page.goto(`${services.login}/api/auth/signin`)
    await requestCode(page, known)
    await enterCode(page, codeIn((await newestMessage(known)).text))
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor()

    const texts = []
    for (const address of [known, newAddress()]) {
      const other = await (await openContext()).newPage()
      await other.goto(`${services.login}/api/auth/signin`)
      await requestCode(other, address)
      texts.push(
        ((await other.locator('main').textContent()) ?? '')
          .replace(address, '…')
          .replace(/0:\d\d/, '…'),
      )
    }

    expect(texts[0]).toBe(texts[1])
    expect(texts[0]).toContain('We sent a message to')
  })

  it('lets a user download their data, and again a moment later', async ({ page }) => {
    const address = newAddress()
    await page.goto(`${services.login}/api/auth/signin?callbackUrl=%2Faccount`)
    await requestCode(page, address)
    await enterCode(page, codeIn((await newestMessage(address)).text))
    const button = page.getByRole('button', { name: 'Download your data' })

    for (let count = 0; count < 2; count++) {
      const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
      expect(download.suggestedFilename()).toMatch(/^account-data-/)
      await page.waitForFunction(() => !document.querySelector('[aria-busy]'))
    }
  })

  it('adds an address to an account', async ({ page }) => {
    const [first, second] = [newAddress(), newAddress()]
    await page.goto(`${services.login}/api/auth/signin?callbackUrl=%2Faccount`)
    await requestCode(page, first)
    await enterCode(page, codeIn((await newestMessage(first)).text))
    await page.getByRole('heading', { name: 'Your account' }).waitFor()

    await page.getByRole('link', { name: 'Add a way to sign in' }).click()
    await page.getByRole('link', { name: 'Add another email address' }).click()
    await page.getByLabel('Email address').fill(second)
    await page.getByRole('button', { name: 'Email me a code' }).click()
    await enterCode(page, codeIn((await newestMessage(second)).text))

    await page.getByRole('heading', { name: 'Your account' }).waitFor()
    expect(await page.locator('main').textContent()).toContain(second)
  })
})

function newAddress(): string {
  return `${crypto.randomUUID().slice(0, 13)}@mail.example`
}

async function setClock(seconds: number): Promise<void> {
  await fetch(`${services.login}/__clock?seconds=${seconds}`)
}

async function requestCode(page: Page, address: string): Promise<void> {
  await page.getByLabel('Email address').fill(address)
  await page.getByRole('button', { name: 'Email me a code' }).click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
}

async function enterCode(page: Page, code: string): Promise<void> {
  // A complete code is submitted at once.
  await page.getByLabel('Six-digit code').fill(code)
}

async function newestMessage(address: string): Promise<Message> {
  const messages = (await (await fetch(`${services.mailbox}/messages`)).json()) as Message[]
  const message = messages.find(({ to }) => to === address)
  if (!message) throw new Error(`No message was sent to ${address}.`)
  return message
}

function codeIn(text: string): string {
  return text.match(/^\d{6}$/m)?.[0] ?? ''
}

async function readUser(context: BrowserContext): Promise<unknown> {
  const response = await context.request.get(`${services.login}/api/auth/session`)
  return (await response.json())?.user ?? null
}
