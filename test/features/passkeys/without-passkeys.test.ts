import { expect, it } from 'vitest'
import { Browser } from '../../browser.ts'
import { errorCode } from '../../html.ts'

it('a deployment without Passkey() has neither their pages nor their routes', async () => {
  const browser = new Browser()
  const signInPage = await (await browser.get('/api/auth/signin')).text()
  await browser.signIn('mia')
  const accountPage = await (await browser.get('/account')).text()

  expect(signInPage).not.toContain('id="passkey"')
  expect(accountPage).not.toContain('/account/passkeys')
  for (const path of ['/account/passkeys/new', '/account/passkeys/name', '/.well-known/webauthn']) {
    expect((await browser.get(path)).status).toBe(404)
  }
  expect(await errorCode(await browser.get('/api/auth/signin/passkey'))).toBe('provider_unknown')
})
