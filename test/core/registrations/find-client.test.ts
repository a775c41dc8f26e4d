import { env } from 'cloudflare:workers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import type { Feature } from '../../../src/core/config/feature.ts'
import { findClient, findClientByOrigin } from '../../../src/core/registrations/find-client.ts'
import { sendLogoutToken } from '../../../src/core/users/back-channel-logout.ts'
import { LOGIN, lastLogEntry, logLines } from '../../browser.ts'
import { advanceClock, stopClock } from '../../clock.ts'
import { configReaderWith, readConfig } from '../../deployment.ts'
import { forbidden } from '../../storage.ts'
import { logoutDeliveries, RECEIVER } from '../oidc/logout-token-receiver.ts'
import { basic, bearer, formRequest, signedInAsNewUser } from '../oidc/relying-app.ts'
import { config, newId, newIsolate, ORIGIN, redirectUri, storeRow } from './stored-clients.ts'

async function register(clientId = newId(), fields: Record<string, unknown> = {}): Promise<string> {
  const registration = {
    client_id: clientId,
    redirect_uris: [redirectUri(clientId)],
    token_endpoint_auth_method: 'none',
    ...fields,
  }
  await clientStore.create(env, config, { registration, origin: ORIGIN })
  return clientId
}

describe('a client in the database', () => {
  it('is accepted immediately, although the isolate has just read all clients', async () => {
    const isolate = newIsolate()
    expect(await isolate.accepts(await register())).toBe(true)

    expect(await isolate.accepts(await register())).toBe(true)
  })

  it('is found without another query for half a minute', async () => {
    stopClock()
    const isolate = newIsolate()
    const clientId = await register()
    await isolate.accepts(clientId)
    const { queries } = isolate.state

    advanceClock(29)
    for (let times = 0; times < 20; times++) expect(await isolate.accepts(clientId)).toBe(true)

    expect(isolate.state.queries).toBe(queries)
  })

  it('is found without waiting for the query that replaces a copy of 30 to 60 seconds', async () => {
    stopClock()
    const isolate = newIsolate()
    const clientId = await register()
    await isolate.accepts(clientId)
    await clientStore.update(env, config, {
      id: clientId,
      changes: { redirect_uris: ['https://elsewhere.example/'] },
      origin: ORIGIN,
    })

    advanceClock(31)
    const isAcceptedAsBefore = await isolate.accepts(clientId)

    expect(isAcceptedAsBefore).toBe(true)
    await vi.waitFor(async () => expect(await isolate.accepts(clientId)).toBe(false))
  })

  it('is rejected by every isolate within a minute after it was disabled, and accepted again when enabled', async () => {
    stopClock()
    const isolate = newIsolate()
    const clientId = await register()
    expect(await isolate.accepts(clientId)).toBe(true)

    await clientStore.setDisabled(env, config, { id: clientId, isDisabled: true, origin: ORIGIN })
    advanceClock(60)
    // Also while the first of these requests is still waiting for the database.
    const accepted = await Promise.all(Array.from({ length: 10 }, () => isolate.accepts(clientId)))
    expect(new Set(accepted)).toEqual(new Set([false]))
    expect(await isolate.errorCode(clientId)).toBe('client_unknown')

    await clientStore.setDisabled(env, config, { id: clientId, isDisabled: false, origin: ORIGIN })
    advanceClock(60)
    expect(await isolate.accepts(clientId)).toBe(true)
  })

  it('is rejected within a minute after it was deleted', async () => {
    stopClock()
    const isolate = newIsolate()
    const clientId = await register()
    expect(await isolate.accepts(clientId)).toBe(true)

    await clientStore.delete(env, config, { id: clientId, origin: ORIGIN })
    advanceClock(60)

    expect(await isolate.errorCode(clientId)).toBe('client_unknown')
  })

  it('cannot replace a client of the settings', async () => {
    await storeRow('shop', JSON.stringify({ redirect_uris: ['https://evil.example/'] }))
    onTestFinished(async () => {
      await env.DIRECTORY.exec("DELETE FROM clients WHERE client_id = 'shop'")
    })
    const isolated = readConfig({ ...env })

    expect(await findClient(env, isolated, 'shop')).toMatchObject({ client_name: 'The shop' })
    expect(await findClientByOrigin(env, isolated, 'https://evil.example')).toBeUndefined()
  })

  it('does not stand in for a client of the settings that is invalid', async () => {
    const clientId = await register()
    const CLIENTS = [{ client_id: clientId, redirect_uris: ['nowhere'] }]
    const isolated = readConfig({ ...env, CLIENTS } as unknown as Env)

    expect(await newIsolate().accepts(clientId)).toBe(true)
    expect(await newIsolate({ CLIENTS }).accepts(clientId)).toBe(false)
    expect(await findClient(env, isolated, clientId)).toBeUndefined()
    expect(
      await findClientByOrigin(env, isolated, new URL(redirectUri(clientId)).origin),
    ).toBeUndefined()
  })

  it('may read the session from its own origin if it is first-party, and no longer once it is disabled', async () => {
    stopClock()
    const { service } = newIsolate()
    const clientId = await register(newId(), { first_party: true })
    const origin = `https://${clientId}.example`
    const request = () =>
      service(new Request('https://login.example/api/auth/session', { headers: { origin } }))

    const response = await request()
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe(origin)

    await clientStore.setDisabled(env, config, { id: clientId, isDisabled: true, origin: ORIGIN })
    advanceClock(60)
    expect((await request()).status).toBe(403)
  })

  it('may read the session from an origin that it shares with a disabled client', async () => {
    const { service } = newIsolate()
    const id = newId()
    const shared = { first_party: true, redirect_uris: [redirectUri(id)] }
    const disabled = await register(`${id}-1`, shared)
    await register(`${id}-2`, shared)
    await clientStore.setDisabled(env, config, { id: disabled, isDisabled: true, origin: ORIGIN })
    const headers = { origin: new URL(redirectUri(id)).origin }

    const response = await service(new Request(`${LOGIN}/api/auth/session`, { headers }))

    expect(response.headers.get('Access-Control-Allow-Origin')).toBe(headers.origin)
  })

  it('[M4] does not let loopback pages read the session, although it is a native app that redirects there', async () => {
    const { service } = newIsolate()
    const origin = 'http://127.0.0.1:51999'
    const redirect_uris = [`${origin}/callback`, 'com.example.app:/callback']
    await register(newId(), { first_party: true, application_type: 'native', redirect_uris })

    for (const headers of [{ origin }, { origin: 'null' }]) {
      const response = await service(new Request(`${LOGIN}/api/auth/session`, { headers }))
      expect(response.status).toBe(403)
      expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull()
    }
  })

  it('is parsed once, as long as its registration does not change', async () => {
    stopClock()
    const isolated = readConfig({ ...env })
    const clientId = await register()
    const client = await findClient(env, isolated, clientId)
    advanceClock(61)

    expect(await findClient(env, isolated, clientId)).toBe(client)
    expect(client).toBeDefined()
  })

  it('with an invalid registration is skipped and logged once, and others are not affected', async () => {
    const isolate = newIsolate()
    const [invalid, valid] = [newId(), await register()]
    await storeRow(invalid, '{"redirect_uris":["ftp://x"],"colour":"red"}')

    expect(await isolate.errorCode(invalid)).toBe('client_unknown')
    expect(await isolate.errorCode(invalid)).toBe('client_unknown')

    expect(await isolate.accepts(valid)).toBe(true)
    const logged = logLines.filter((line) => line.includes(invalid))
    expect(logged.filter((line) => line.includes('registration_invalid'))).toHaveLength(1)
  })
})

describe('the query for clients', () => {
  it('is not made for a client of the settings, nor for an id that no client can have', async () => {
    const { service, state } = newIsolate()

    for (const id of ['shop', 'usr_0123456789012345678901', 'a b', 'x'.repeat(257), '%00', '']) {
      const query = new URLSearchParams({ client_id: id })
      await service(new Request(`https://login.example/oidc/authorize?${query}`))
    }

    expect(state.queries).toBe(0)
  })

  it('[R] is not repeated for each id of a flood of unknown ids', async () => {
    stopClock()
    const { state, errorCode } = newIsolate()

    for (let id = 0; id < 300; id++) expect(await errorCode(newId())).toBe('client_unknown')

    expect(state.queries).toBeLessThanOrEqual(102)
  })

  it('that fails is answered with the last copy for ten minutes, then with 503', async () => {
    stopClock()
    const isolate = newIsolate()
    const clientId = await register()
    expect(await isolate.accepts(clientId)).toBe(true)

    isolate.state.isDown = true
    advanceClock(599)
    expect(await isolate.accepts(clientId)).toBe(true)
    expect(await isolate.errorCode(newId())).toBe('unavailable')
    advanceClock(1)
    expect(await isolate.errorCode(clientId)).toBe('unavailable')
    expect(await isolate.accepts('shop')).toBe(true)

    isolate.state.isDown = false
    expect(await isolate.accepts(clientId)).toBe(true)
  })
})

describe('an outdated copy of the clients', () => {
  it('[R] is replaced by one query, no matter how many requests need it at the same time', async () => {
    stopClock()
    const isolate = newIsolate()
    const clientId = await register()
    await isolate.accepts(clientId)
    const { queries } = isolate.state

    advanceClock(61)
    const accepted = await Promise.all(Array.from({ length: 20 }, () => isolate.accepts(clientId)))

    expect(new Set(accepted)).toEqual(new Set([true]))
    // The batch has a statement for each of the two tables.
    expect(isolate.state.queries - queries).toBe(2)
  })

  it('is used if the database does not respond within two seconds, then without waiting', async () => {
    stopClock()
    const isolate = newIsolate()
    const clientId = await register()
    await isolate.accepts(clientId)

    isolate.state.isHanging = true
    advanceClock(61)
    const accepted = await Promise.all([1, 2, 3].map(() => isolate.accepts(clientId)))
    expect(accepted).toEqual([true, true, true])
    expect(lastLogEntry('registrations_unavailable')).toMatchObject({
      cause: 'Error: There was no response within 2 seconds.',
    })
    const startedAt = performance.now()
    expect(await isolate.accepts(clientId)).toBe(true)
    expect(performance.now() - startedAt).toBeLessThan(1000)

    isolate.state.isHanging = false
    await clientStore.setDisabled(env, config, { id: clientId, isDisabled: true, origin: ORIGIN })
    advanceClock(6)
    expect(await isolate.accepts(clientId)).toBe(false)
  })
})

describe('a disabled client', () => {
  it('[C23] can neither redeem, refresh nor introspect, and its tokens are worthless', async () => {
    const clientId = newId()
    const registration = {
      client_id: clientId,
      redirect_uris: [redirectUri(clientId)],
      first_party: true,
      require_pkce: false,
    }
    const { secret: clientSecret = '' } = await clientStore.create(env, config, {
      registration,
      origin: ORIGIN,
    })
    const credentials = basic(clientId, clientSecret)
    const session = await signedInAsNewUser()
    const { service } = newIsolate()
    const post = (path: string, form: Record<string, string>, using = service, as = credentials) =>
      using(formRequest(path, form, as))
    const redeem = async (using = service) => {
      const query = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri(clientId),
        response_type: 'code',
        scope: 'openid offline_access',
        nonce: 'n',
      })
      const response = await session.get(`/oidc/authorize?${query}`)
      const code = new URL(response.headers.get('Location') ?? '').searchParams.get('code') ?? ''
      return post(
        '/oidc/token',
        { grant_type: 'authorization_code', redirect_uri: redirectUri(clientId), code },
        using,
      )
    }
    const tokens = await (await redeem()).json<{ access_token: string; refresh_token: string }>()
    const unredeemed = redeem(async (request) => {
      await clientStore.setDisabled(env, config, { id: clientId, isDisabled: true, origin: ORIGIN })
      return newIsolate().service(request)
    })
    expect((await unredeemed).status).toBe(401)

    const isolate = newIsolate().service
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    expect((await post('/oidc/token', refresh, isolate)).status).toBe(401)
    const { access_token } = tokens
    expect((await post('/oidc/introspect', { token: access_token }, isolate)).status).toBe(401)
    const userinfo = new Request('https://login.example/oidc/userinfo', {
      headers: bearer(access_token),
    })
    expect((await isolate(userinfo)).status).toBe(401)

    // Nothing was ended: the client continues when it is enabled again.
    await clientStore.setDisabled(env, config, { id: clientId, isDisabled: false, origin: ORIGIN })
    expect((await post('/oidc/token', refresh, newIsolate().service)).status).toBe(200)
  })
})

describe('the logout token for a client in the database', () => {
  it('[J8] is sent while it is enabled, and again later if the client cannot be read', async () => {
    const clientId = newId()
    await register(clientId, { backchannel_logout_uri: `${RECEIVER}/${clientId}` })
    const send = (sid: string, directory = env.DIRECTORY) => {
      const deployment = { ...env, DIRECTORY: directory }
      return sendLogoutToken(deployment, readConfig(deployment), {
        userId: 'usr_0123456789012345678901',
        clientId,
        sid,
      } as Parameters<typeof sendLogoutToken>[2])
    }

    expect(await send('enabled')).toBe(true)
    expect(await send('unreadable', forbidden('DIRECTORY'))).toBe(false)
    await env.DIRECTORY.prepare("UPDATE clients SET registration = '[]' WHERE client_id = ?")
      .bind(clientId)
      .run()
    expect(await send('invalid')).toBe(false)
    await clientStore.setDisabled(env, config, { id: clientId, isDisabled: true, origin: ORIGIN })
    expect(await send('disabled')).toBe(true)

    const deliveries = await logoutDeliveries({ path: `/${clientId}` })
    expect(deliveries.map(({ sid }) => sid)).toEqual(['enabled'])
  })

  it('[J9] is sent again later if the client is not looked up because of a flood of unknown ids', async () => {
    stopClock()
    const isolated = readConfig({ ...env })
    for (let id = 0; id < 100; id++) await findClient(env, isolated, newId())
    const clientId = newId()
    await register(clientId, { backchannel_logout_uri: `${RECEIVER}/${clientId}` })
    const notice = {
      userId: 'usr_0123456789012345678901',
      clientId,
      sid: 'flood',
      attempts: 0,
      dueAt: 0,
    }

    expect(await findClient(env, isolated, clientId)).toBeUndefined()
    expect(await sendLogoutToken(env, isolated, notice)).toBe(false)
    advanceClock(61)
    expect(await sendLogoutToken(env, isolated, notice)).toBe(true)

    expect(await logoutDeliveries({ path: `/${clientId}` })).toHaveLength(1)
  })
})

describe('a feature that finds clients', () => {
  const asked: string[] = []
  const feature: Feature = {
    id: 'finder',
    async findClient(_env, { clients }, { clientId }) {
      asked.push(clientId)
      const [shop] = clients
      return shop && { ...shop, client_id: clientId === OWN_ID ? clientId : shop.client_id }
    },
  }
  const OWN_ID = 'https://finder.example/client'
  const find = (clientId: string) =>
    findClient(env, configReaderWith({ features: [feature] })(env), clientId)

  it('adds a client whose id nobody can register', async () => {
    expect((await find(OWN_ID))?.client_id).toBe(OWN_ID)
  })

  it('is not asked for a client that is, or could be, registered', async () => {
    asked.length = 0
    const stored = await register()

    for (const id of ['shop', stored, newId()]) await find(id)

    expect(asked).toEqual([])
  })

  it('cannot return a client with another id', async () => {
    expect(await find('https://elsewhere.example/client')).toBeUndefined()
  })
})
