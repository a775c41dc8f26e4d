import { afterAll, beforeAll, expect } from 'vitest'
import { type Services, startServices } from '../../demo/services.ts'
import { describeInBrowser, it } from './browser-fixtures.ts'

/** The deployment of the other tests has one provider. */
const PORT = 19_287

let services: Services

beforeAll(async () => {
  services = await startServices({ port: PORT, main: 'test/nine-providers-login.ts' })
})

afterAll(() => services.stop())

describeInBrowser('the list of providers that have no button', () => {
  it.for([true, false])(
    'leads to the chosen one, although its form may not (form-action), with JavaScript: %s',
    async (javaScriptEnabled, { openContext }) => {
      const context = await openContext({ javaScriptEnabled })
      const page = await context.newPage()
      await page.goto(`${services.login}/api/auth/signin`)

      await page.getByLabel('Choose another way to sign in').selectOption('Acme 7')
      const request = page.waitForRequest(`${services.platform}/v2/auth/authorize/**`)
      await page.getByRole('button', { name: 'Continue' }).click()

      const { searchParams } = new URL((await request).url())
      expect(searchParams.get('redirect_uri')).toBe(`${services.login}/api/auth/callback/acme7`)
    },
  )
})
