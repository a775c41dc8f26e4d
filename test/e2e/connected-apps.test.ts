import { expect } from 'vitest'
import { describeInBrowser, it, platform, storefront } from './browser-fixtures.ts'
import { readSession, signIn, waitForSignedOutStorefront } from './page-steps.ts'

describeInBrowser('removing the app at the platform', () => {
  it('[V19] signs the user out; a new sign-in requires consent and returns the same user', async ({
    page,
    context,
    persona,
  }) => {
    await signIn(page, persona)
    const before = await readSession(context)
    await page.goto(`${platform}/settings/apps`)
    await page.getByRole('button', { name: 'Remove access' }).click()

    expect(await page.getByTestId('removed').textContent()).toContain('responded with 200')
    await page.getByTestId('no-apps').waitFor()
    expect(await readSession(context)).toBeNull()
    await page.goto(storefront)
    await waitForSignedOutStorefront(page)
    await page.goto(`${platform}/settings/apps`)

    await page.getByTestId('use-another-persona').click()
    await page.getByTestId(`persona-${persona}`).waitFor()
    await signIn(page, persona)
    expect((await readSession(context))?.user.id).toBe(before?.user.id)
  })
})
