import { expect, it } from 'vitest'
import { Browser } from '../../browser.ts'
import { errorCode } from '../../html.ts'

it('a deployment without Credentials() has neither its form nor its routes', async () => {
  const browser = new Browser()

  expect(await (await browser.get('/api/auth/signin')).text()).not.toContain('type="password"')
  for (const path of ['/api/auth/signin/credentials', '/api/auth/callback/credentials']) {
    expect(await errorCode(await browser.get(path))).toBe('provider_unknown')
  }
})
