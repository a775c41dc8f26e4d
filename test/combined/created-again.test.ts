import { beforeEach, describe, expect, it } from 'vitest'
import { Browser, LOGIN } from '../browser.ts'
import { advanceClock, stopClock } from '../clock.ts'
import { basic, bearer, RelyingApp } from '../core/oidc/relying-app.ts'
import { connectMachine } from '../features/admin/machine-client.ts'
import { Authenticator } from '../features/passkeys/authenticator.ts'
import { addPasskey, openSignInPage, sendAssertion } from '../features/passkeys/passkey-user.ts'
import {
  addApp,
  currentCode,
  nextCode,
  signInByName,
  signInPending,
  submit,
} from '../features/totp/totp-browser.ts'
import { isVerified } from './api.ts'
import { Deployment } from './single-use/deployment.ts'
import { codeForm, grantOf, requestTokens } from './single-use/grants.ts'

/*
 * What is deleted and created again has nothing of its predecessor, also not what was issued before
 * and could still be used.
 */

/** Whether something from before still works. */
type Remainder = () => Promise<unknown>

/** A user with everything that a user can have, who signs in by a name. */
async function newUser() {
  const deployment = new Deployment()
  const service = deployment.newIsolate()
  const name = `user-${crypto.randomUUID()}`
  const browser = new Browser(service)
  await signInByName(browser, name)
  const userId = (await browser.session())?.user.id ?? ''
  const { call } = await connectMachine({}, service)
  /** Calls an operation on the user. */
  const change = async (path: string, method = 'POST') => {
    const response = await call(`/users/${userId}${path}`, { method })
    expect(response.ok).toBe(true)
  }
  return { deployment, service, name, browser, userId, change }
}

beforeEach(() => {
  stopClock()
})

describe('a user who was deleted and signs in again', () => {
  it('has nothing from before', async () => {
    const { deployment, service, name, browser, userId, change } = await newUser()
    await change('/roles/author/give')
    const authenticator = new Authenticator()
    await addPasskey(browser, authenticator)
    await addApp(browser)
    const unredeemed = await codeForm(browser)
    const tokens = await requestTokens(service, await codeForm(browser))

    await change('', 'DELETE')
    const again = new Browser(deployment.newIsolate())
    await signInByName(again, name)

    const session = await again.session()
    expect(session?.user.id).toMatch(/^usr_/)
    expect(session?.user.id).not.toBe(userId)
    expect(session?.user).not.toHaveProperty('roles')
    const isolate = deployment.newIsolate()
    const { refresh_token = '', access_token = '' } = tokens
    const refresh = { client_id: 'shop', grant_type: 'refresh_token', refresh_token }
    const userinfo = new Request(`${LOGIN}/oidc/userinfo`, { headers: bearer(access_token) })
    const thief = new Browser(isolate)
    const remainders: Record<string, Remainder> = {
      session: () => new Browser(isolate).withCookiesOf(browser).session(),
      code: async () => grantOf(await requestTokens(isolate, unredeemed)) ?? null,
      'refresh token': async () => grantOf(await requestTokens(isolate, refresh)) ?? null,
      'access token': async () => ((await isolate(userinfo)).ok ? 'accepted' : null),
      async passkey() {
        await sendAssertion(thief, await authenticator.get(await openSignInPage(thief)))
        return thief.session()
      },
    }
    for (const [what, use] of Object.entries(remainders)) expect(await use(), what).toBeNull()
  })
})

describe('an authenticator app that was removed and added again', () => {
  it('accepts neither the codes nor the recovery codes of the former one', async () => {
    const { service, name, browser } = await newUser()
    const former = await addApp(browser)
    await submit(browser, '/totp/remove', { present: await nextCode(former.secret) })
    const added = await addApp(browser)
    advanceClock(60)

    const tries: [path: string, code: string][] = [
      ['/totp', await currentCode(former.secret)],
      ...former.recoveryCodes.map((code): [string, string] => ['/totp/recovery', code]),
    ]
    for (const [path, code] of tries) {
      const { browser: pending } = await signInPending(name, service)
      await submit(pending, path, { code })
      expect(await pending.session(), path).toBeNull()
    }
    const { browser: pending } = await signInPending(name, service)
    await submit(pending, '/totp', { code: await currentCode(added.secret) })
    expect(await pending.session()).not.toBeNull()
  })
})

describe('a role that was taken away and is given again', () => {
  it('does not make tokens valid that have ended', async () => {
    const { deployment, service, browser, change } = await newUser()
    await change('/roles/author/give')
    const app = new RelyingApp('web')
    const callback = await app.callbackFor(browser, { resource: 'https://orders.example' })
    const form = app.codeExchangeForm(callback)
    const { access_token = '' } = await requestTokens(service, form, basic('web'))
    const isAccepted = () => isVerified(bearer(access_token), deployment.newIsolate())
    expect(await isAccepted()).toBe(true)

    await change('/roles/author/take')
    advanceClock(2)
    await change('/roles/author/give')

    expect(await isAccepted()).toBe(false)
  })
})
