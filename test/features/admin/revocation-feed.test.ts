import { env } from 'cloudflare:workers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import { Browser, serviceWith } from '../../browser.ts'
import { advanceClock, DAY, MINUTE, stopClock } from '../../clock.ts'
import {
  digest,
  expectListed,
  lists,
  newUserWithTokens,
  readFeed,
  sessionToken,
} from '../../core/oidc/read-revocation-feed.ts'
import { RelyingApp } from '../../core/oidc/relying-app.ts'
import { config, ORIGIN } from '../../core/registrations/stored-clients.ts'
import { signInNewUser } from '../../new-user.ts'
import { connectMachine } from './machine-client.ts'

async function administer(path: string, method = 'POST'): Promise<void> {
  const { call } = await connectMachine()
  expect((await call(path, { method })).status).toBeLessThan(300)
}

describe('GET /.well-known/revocations', () => {
  it('does not list the tokens of a user who signs in again after all sessions have ended', async () => {
    stopClock()
    const { handle, userId, session } = await newUserWithTokens()
    await administer(`/users/${userId}/end-sessions`)
    await expectListed(session)
    advanceClock(1)
    const browser = new Browser()
    await browser.signIn(handle)

    expect(await lists(await readFeed(), await sessionToken(browser))).toBe(false)
  })

  it.each([
    ['the API with the longest lifetime', { access_token_lifetime: DAY }],
    ['an API whose registration is invalid now', { access_token_lifetime: 'long' }],
  ])('lists a disabled client until its tokens for %s have expired', async (_which, api) => {
    stopClock()
    const { clientId } = await connectMachine()
    const identifier = `https://${crypto.randomUUID()}.example`
    await env.DIRECTORY.prepare('INSERT INTO apis VALUES (?, ?, 1, 1)')
      .bind(identifier, JSON.stringify(api))
      .run()
    onTestFinished(async () => {
      await env.DIRECTORY.prepare('DELETE FROM apis WHERE identifier = ?').bind(identifier).run()
    })
    advanceClock(61)
    await administer(`/clients/${clientId}/disable`)
    const isListed = async () => (await digest(clientId)) in (await readFeed()).revoked_before

    // Isolates issue tokens until they know of the change, and clocks differ.
    advanceClock(DAY + 2 * MINUTE)
    const before = await isListed()
    advanceClock(10)

    expect([before, await isListed()]).toEqual([true, false])
  })

  it('lists a token that a disabled client got from an isolate that did not know of the change', async () => {
    stopClock()
    const { clientId, requestToken } = await connectMachine()
    await administer(`/clients/${clientId}/disable`)
    advanceClock(30)

    const token = await requestToken()

    expect(await lists(await readFeed(), token)).toBe(true)
  })

  it('lists a blocked user until the tokens of all grants have expired', async () => {
    stopClock()
    const orders = 'https://orders.example'
    const service = serviceWith({ APIS: [{ identifier: orders, access_token_lifetime: DAY }] })
    const { browser, userId } = await signInNewUser(new Browser(service))
    const app = new RelyingApp()
    await app.tokens(browser, { resource: 'https://stock.example' })
    const { access_token } = await app.tokens(browser, { resource: orders })
    await app.tokens(browser, { resource: 'https://stock.example' })
    await administer(`/users/${userId}/block`)

    advanceClock(DAY)
    const before = await lists(await readFeed(), access_token)
    advanceClock(61)

    expect([before, await lists(await readFeed(), access_token)]).toEqual([true, false])
  })

  it('lists nothing of a client that gets a second secret, or is enabled again', async () => {
    stopClock()
    const { clientId, token } = await connectMachine()
    advanceClock(2)
    await administer(`/clients/${clientId}/rotate-secret`)
    expect(await lists(await readFeed(), token)).toBe(false)

    await administer(`/clients/${clientId}/disable`)
    advanceClock(2)
    await administer(`/clients/${clientId}/enable`)

    const { revoked_before } = await readFeed()
    expect(revoked_before[await digest(clientId)]).toBeLessThan(Date.now() / 1000)
  })

  it('lists nothing of a client whose deletion or second registration is rejected', async () => {
    stopClock()
    const { clientId, token, call } = await connectMachine()
    advanceClock(2)

    const deletion = await call('/clients/kiosk', { method: 'DELETE' })
    const body = { client_id: clientId, grant_types: ['client_credentials'], scope: 'admin:read' }
    const registration = await call('/clients', { method: 'POST', body })

    expect([deletion.status, registration.status]).toEqual([409, 409])
    const feed = await readFeed()
    expect(await lists(feed, token)).toBe(false)
    expect(feed.revoked_before).not.toHaveProperty(await digest('kiosk'))
  })

  it('lists the tokens of a deleted client, and not those of another one with its id', async () => {
    stopClock()
    const { clientId, token } = await connectMachine()
    advanceClock(2)
    await administer(`/clients/${clientId}`, 'DELETE')
    advanceClock(2)
    await clientStore.create(env, config, {
      registration: { client_id: clientId, redirect_uris: ['https://new.example/'] },
      origin: ORIGIN,
    })

    const feed = await readFeed()

    expect(await lists(feed, token)).toBe(true)
    expect(feed.revoked_before[await digest(clientId)]).toBeLessThan(Date.now() / 1000)
  })
})
