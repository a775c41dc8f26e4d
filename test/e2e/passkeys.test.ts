import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Services, startServices } from '../../demo/services.ts'
import { approveAs } from '../approval.ts'
import { NAME as USER_NAME } from '../user-name.ts'
import { describeInBrowser, it } from './browser-fixtures.ts'
import { waitForHeading } from './page-steps.ts'
import { PORTS } from './ports.ts'
import { addVirtualAuthenticator } from './virtual-authenticator.ts'

/** The deployment of the other tests has no passkeys. */
let services: Services

beforeAll(async () => {
  services = await startServices({ port: PORTS.passkeys, main: 'test/clock-login.ts' })
})

afterAll(() => services.stop())

/** Signs in through the stand-in, without a prompt and without opening pages. */
async function signInSilently(context: BrowserContext, persona: string): Promise<void> {
  const start = `${services.login}/api/auth/signin/tiktok?callbackUrl=/account`
  const started = await context.request.get(start, { maxRedirects: 0 })
  const authorization = started.headers()['location'] ?? ''
  await context.request.get(approveAs(persona, authorization).href)
}

async function createPersona(): Promise<string> {
  const handle = `e2e-${crypto.randomUUID().slice(0, 13)}`
  await fetch(`${services.platform}/__stand-in/users`, {
    method: 'POST',
    body: JSON.stringify({ handle, displayName: USER_NAME }),
  })
  return handle
}

/** How the page requested the passkeys that it received. */
type Mediations = string[]

/**
 * An authenticator of the browser. Its user is verified, and confirms every request while
 * `isPresent` is set.
 */
interface VirtualAuthenticator {
  setPresent(isPresent: boolean): Promise<void>
  countPasskeys(): Promise<number>
  /**
   * Makes room for another passkey of the same user, of whom an authenticator stores one. The
   * returned function puts the first one back, in place of the other.
   */
  takePasskeysOut(): Promise<() => Promise<void>>
  /** Filled as requests succeed. */
  mediations: Mediations
}

async function addAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const { session, authenticatorId } = await addVirtualAuthenticator(page)
  const mediations: Mediations = []
  await page.exposeFunction('recordMediation', (mediation: string) => mediations.push(mediation))
  await page.addInitScript(() => {
    const get = navigator.credentials.get.bind(navigator.credentials)
    navigator.credentials.get = async (options) => {
      const credential = await get(options)
      await Reflect.get(window, 'recordMediation')(options?.mediation)
      return credential
    }
  })
  return {
    mediations,
    setPresent: async (enabled) => {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
    countPasskeys: async () => {
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
      return credentials.filter(({ isResidentCredential }) => isResidentCredential).length
    },
    takePasskeysOut: async () => {
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
      await session.send('WebAuthn.clearCredentials', { authenticatorId })
      return async () => {
        await session.send('WebAuthn.clearCredentials', { authenticatorId })
        for (const credential of credentials) {
          await session.send('WebAuthn.addCredential', { authenticatorId, credential })
        }
      }
    },
  }
}

/**
 * Replaces the device by one that asks until the request is aborted, or cancelled by the returned
 * function.
 */
async function letDeviceWait(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript(() => {
    const wait = (options?: { signal?: AbortSignal | undefined }) =>
      new Promise<never>((_, reject) => {
        const end = () => reject(new DOMException('', 'NotAllowedError'))
        options?.signal?.addEventListener('abort', end)
        Reflect.set(window, 'cancelRequest', end)
      })
    navigator.credentials.get = wait
    navigator.credentials.create = wait
  })
  return () => page.evaluate(() => Reflect.get(window, 'cancelRequest')())
}

/** The name of a passkey that this browser creates. */
const NAME = 'Chrome, Linux'

/** Opens the page that adds a passkey at once, after the sign-in that this requires. */
async function openCreatePage(page: Page, persona: string): Promise<void> {
  await signInSilently(page.context(), persona)
  await page.goto(`${services.login}/account`)
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await chooseTikTok(page, persona)
}

async function addPasskey(page: Page, persona: string): Promise<void> {
  await openCreatePage(page, persona)
  await waitForPasskey(page, NAME)
}

/** Waits for the account page with a passkey of this name. */
async function waitForPasskey(page: Page, name: string): Promise<void> {
  await waitForHeading(page, 'Your account')
  await page.locator('section li').getByText(`\u2068${name}\u2069`, { exact: true }).waitFor()
}

async function signOut(page: Page): Promise<void> {
  await page.goto(`${services.login}/api/auth/signout`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await waitForHeading(page, 'You are signed out')
}

async function chooseTikTok(page: Page, persona: string): Promise<void> {
  await page.getByRole('link', { name: 'Sign in with TikTok' }).click()
  await page.getByTestId(`persona-${persona}`).click()
  await page.getByTestId('allow').click()
}

/** Uses the passkey on the page that asks to confirm a change. */
async function confirm(page: Page): Promise<void> {
  await waitForHeading(page, 'Confirm it’s you')
  await page.getByRole('button', { name: 'Confirm with your passkey' }).click()
}

/** Deletes the user, who has signed in with TikTok within the last minutes. */
async function deleteUser(page: Page): Promise<void> {
  await page.goto(`${services.login}/account/delete`)
  await page.locator('#confirm-delete').click()
  await waitForHeading(page, 'Your account is deleted')
}

describeInBrowser('a passkey', () => {
  it('is added on the account page, and signs in to an app by its button', async ({ page }) => {
    const authenticator = await addAuthenticator(page)
    await addPasskey(page, await createPersona())
    expect(await authenticator.countPasskeys()).toBe(1)
    await signOut(page)

    // Otherwise the virtual authenticator chooses the passkey in the field as soon as the page is
    // open.
    await authenticator.setPresent(false)
    await page.goto(services.storefront)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const button = page.getByRole('button', { name: 'Sign in with a passkey' })
    await button.waitFor()
    // The field for the email address, which this deployment has as well.
    await page.locator('input[type=email][autocomplete$=" webauthn"]').waitFor()
    await authenticator.setPresent(true)
    await button.click()

    await page.waitForURL(`${services.storefront}/`)
    await page.getByText(USER_NAME).first().waitFor()
    expect(authenticator.mediations).toEqual(['optional'])
  })

  it('signs in by autofill, is confirmed a day later, and then confirms a deletion', async ({
    page,
    context,
  }) => {
    const persona = await createPersona()
    const authenticator = await addAuthenticator(page)
    await addPasskey(page, persona)
    await signOut(page)

    await page.goto(`${services.login}/api/auth/signin?callbackUrl=/account`)
    await waitForHeading(page, 'Your account')
    expect(authenticator.mediations).toEqual(['conditional'])

    await signOut(page)
    await fetch(`${services.login}/__clock?seconds=${24 * 3600}`)
    await signInSilently(context, persona)
    await page.goto(`${services.login}/account`)
    await page.getByRole('link', { name: `I added it (\u2068${NAME}\u2069)` }).click()
    await page.getByRole('link', { name: 'Sign in with TikTok' }).click()
    // The persona is signed in there since the passkey was added.
    await page.getByTestId('allow').click()
    await waitForHeading(page, 'Did you add this way to sign in?')
    await page.getByRole('button', { name: 'I added it' }).click()
    await page.getByText('Thank you. This way to sign in is confirmed.').waitFor()
    await page.locator('summary', { hasText: 'Delete your account' }).click()
    await page.getByRole('link', { name: 'Delete your account' }).click()
    await confirm(page)
    await page.waitForURL(`${services.login}/account/delete`)
    await page.locator('#confirm-delete').click()
    await waitForHeading(page, 'Your account is deleted')
    expect(authenticator.mediations).toEqual(['conditional', 'optional'])
  })

  it('is renamed on a page of its own, also without JavaScript', async ({ page, openContext }) => {
    await addAuthenticator(page)
    await addPasskey(page, await createPersona())
    await page.getByRole('link', { name: `Rename (\u2068${NAME}\u2069)` }).click()
    await waitForHeading(page, 'Rename passkey')
    // The name is selected, so that typing replaces it.
    await page.keyboard.type('New laptop')
    expect(await page.getByLabel('Passkey name').inputValue()).toBe('New laptop')
    const context = await openContext({
      javaScriptEnabled: false,
      storageState: await page.context().storageState(),
    })
    const plainPage = await context.newPage()

    await plainPage.goto(`${services.login}/account`)
    await plainPage.getByRole('link', { name: `Rename (\u2068${NAME}\u2069)` }).click()
    await waitForHeading(plainPage, 'Rename passkey')
    const name = plainPage.getByLabel('Passkey name')
    expect(await name.inputValue()).toBe(NAME)
    await name.fill('Old laptop')
    await plainPage.getByRole('button', { name: 'Save' }).click()

    await waitForPasskey(plainPage, 'Old laptop')
    await plainPage.close()
  })

  it('is deleted from the device when it is removed on the account page', async ({ page }) => {
    const authenticator = await addAuthenticator(page)
    await addPasskey(page, await createPersona())
    expect(await authenticator.countPasskeys()).toBe(1)

    await page.locator('section').getByRole('link', { name: 'Remove passkey' }).click()
    await page.getByRole('button', { name: 'Remove passkey' }).click()
    await waitForHeading(page, 'The passkey is removed')

    await expect.poll(authenticator.countPasskeys).toBe(0)
  })

  it('stays on the device and signs in when another one of its user is removed', async ({
    page,
  }) => {
    const authenticator = await addAuthenticator(page)
    await addPasskey(page, await createPersona())
    await page.getByRole('link', { name: 'Add a passkey' }).click()
    await page.getByText('This device already has a passkey for your account.').waitFor()
    const putBack = await authenticator.takePasskeysOut()
    await page.getByRole('button', { name: 'Create passkey' }).click()
    await waitForPasskey(page, `${NAME} 2`)
    await putBack()

    const removal = { name: `Remove passkey (\u2068${NAME} 2\u2069)` }
    await page.locator('section').getByRole('link', removal).click()
    await page.getByRole('button', { name: 'Remove passkey' }).click()
    await waitForHeading(page, 'The passkey is removed')
    await page.goto(`${services.login}/api/auth/signin?callbackUrl=/account`)
    await waitForPasskey(page, NAME)
    expect(await authenticator.countPasskeys()).toBe(1)
  })

  it('is deleted from the device with the account', async ({ page }) => {
    const authenticator = await addAuthenticator(page)
    await addPasskey(page, await createPersona())

    await deleteUser(page)

    await expect.poll(authenticator.countPasskeys).toBe(0)
  })

  it('is deleted from the device when it is used after its account was deleted without the device', async ({
    page,
  }) => {
    const authenticator = await addAuthenticator(page)
    await addPasskey(page, await createPersona())
    const putBack = await authenticator.takePasskeysOut()
    await deleteUser(page)
    await putBack()

    await page.goto(`${services.login}/api/auth/signin?callbackUrl=/account`)
    await waitForHeading(page, 'This passkey is not registered here')
    await expect.poll(authenticator.countPasskeys).toBe(0)
    await page.getByRole('link', { name: 'Choose another way to sign in' }).click()

    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor()
    expect(await page.locator('[autocomplete$=webauthn]').count()).toBe(0)
    expect(authenticator.mediations).toEqual(['conditional'])
  })

  it('stays on the device when the browser cannot delete it', async ({ page }) => {
    const authenticator = await addAuthenticator(page)
    await page.addInitScript(() => {
      Reflect.deleteProperty(PublicKeyCredential, 'signalAllAcceptedCredentials')
    })
    await addPasskey(page, await createPersona())

    await deleteUser(page)

    expect(await authenticator.countPasskeys()).toBe(1)
  })

  it('makes the page say what to do while the device asks, and no longer', async ({ page }) => {
    const cancel = await letDeviceWait(page)
    const status = page.getByRole('status').getByText('Follow the instructions on your device.')
    await openCreatePage(page, await createPersona())
    const create = page.getByRole('button', { name: 'Create passkey' })
    await status.waitFor()
    expect(await create.isDisabled()).toBe(true)
    await page.reload()
    await create.waitFor()
    expect(await status.isVisible()).toBe(false)
    await create.click()
    await status.waitFor()
    await cancel()
    await page.getByText('No passkey was created.').waitFor()
    expect([await status.isVisible(), await create.isDisabled()]).toEqual([false, false])

    await signOut(page)
    await page.goto(`${services.login}/api/auth/signin?callbackUrl=/account`)
    const button = page.getByRole('button', { name: 'Sign in with a passkey' })
    await button.waitFor()
    expect(await status.isVisible()).toBe(false)
    await button.click()
    await status.waitFor()
    expect(await button.isDisabled()).toBe(true)
    await cancel()
    await page.getByText('No passkey was used.').waitFor()
    expect([await status.isVisible(), await button.isDisabled()]).toEqual([false, false])
  })

  it('is not offered without JavaScript', async ({ openContext }) => {
    const context = await openContext({ javaScriptEnabled: false })
    const page = await context.newPage()

    await page.goto(`${services.login}/api/auth/signin`)

    await page.getByRole('link', { name: 'Sign in with TikTok' }).waitFor()
    expect(await page.locator('#passkey').isVisible()).toBe(false)
    await page.close()
  })
})
