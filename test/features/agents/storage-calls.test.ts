import { describe, expect, it } from 'vitest'
import { Browser, serviceWith } from '../../browser.ts'
import { stopClock } from '../../clock.ts'
import { calls, recordedBindings } from '../../core/oidc/recorded-calls.ts'
import { redirectUrl } from '../../redirect.ts'
import { OPEN_SETTINGS, UnregisteredApp } from './unregistered-app.ts'

describe('the calls to storage of a client with a metadata document', () => {
  it('are one more in sequence, to its object, in a new isolate, and the same as for others within a minute', async () => {
    stopClock()
    const newIsolate = () => serviceWith({ ...recordedBindings, ...OPEN_SETTINGS })
    const app = await new UnregisteredApp().publish()
    const browser = new Browser(newIsolate())
    await browser.signIn('mia')
    await app.code(browser)
    calls.length = 0

    const callback = redirectUrl(await app.authorize(browser), 303)
    expect(calls).toEqual(['USERS.authorize'])
    calls.length = 0
    const isolate = newIsolate()
    const form = {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: app.redirectUri,
      code_verifier: app.verifier,
    }
    const tokens = await (await app.token(form, isolate)).json<{ refresh_token: string }>()
    // The first two at the same time.
    expect(calls.filter((call) => !call.startsWith('KEYRING'))).toEqual([
      'CLIENT_METADATA.readDocument',
      'DIRECTORY.batch',
      'USERS.redeemCode',
    ])
    calls.length = 0
    const refreshForm = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    expect((await app.token(refreshForm, isolate)).status).toBe(200)

    expect(calls).toEqual(['USERS.rotateRefreshToken'])
  })
})
