import { expect, it } from 'vitest'
import { Browser, serviceWith } from '../../browser.ts'
import { errorCode } from '../../html.ts'

it('a deployment without Email() has neither its form nor its routes, and reports its settings', async () => {
  const browser = new Browser(serviceWith({ AUTH_EMAIL_FROM: 'login@acme.example' }))

  expect(await (await browser.get('/api/auth/signin')).text()).not.toContain('type="email"')
  for (const path of ['/api/auth/signin/email', '/api/auth/callback/email']) {
    expect(await errorCode(await browser.get(path))).toBe('provider_unknown')
  }
  const { checks } = await (await browser.get('/readyz')).json<{ checks: unknown[] }>()
  expect(checks).toContainEqual(
    expect.objectContaining({
      problem: expect.stringContaining('AUTH_EMAIL_FROM is not a setting of this service'),
    }),
  )
})
