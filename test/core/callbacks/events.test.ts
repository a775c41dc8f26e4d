import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { KeyringObject } from '../../../src/core/tokens/keyring-object.ts'
import { options } from '../../../src/deployment.ts'
import { createVestibule, type Events } from '../../../src/vestibule.ts'
import { accountDigests } from '../../account-digests.ts'
import { Browser, issuedSecrets, LOGIN, lastLogEntry, logLines, serviceOf } from '../../browser.ts'
import { DAY, setClock } from '../../clock.ts'
import { configReaderWith } from '../../deployment.ts'
import { hangingCall } from '../../hanging-call.ts'
import { inputValues } from '../../html.ts'
import { startLinking } from '../../link-account.ts'
import { createPlatformUser, signInNewUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { createWebhook, deliver } from '../../webhook-delivery.ts'
import { RelyingApp } from '../oidc/relying-app.ts'

const NAMES = [
  'signIn',
  'signInFailed',
  'signOut',
  'createUser',
  'linkAccount',
  'unlinkAccount',
  'deleteUser',
  'grant',
  'keysRotated',
] as const

/** A deployment that records its events. */
function recordEvents(more: Events = {}) {
  const recorded: { name: string; payload: object }[] = []
  const handlers = NAMES.map((name) => [
    name,
    ({ fetch: _, ...payload }: object & { fetch: unknown }) => {
      recorded.push({ name, payload })
    },
  ])
  const events: Events = { ...Object.fromEntries(handlers), ...more }
  const service = serviceOf(createVestibule({ ...options, events }))
  return { events, recorded, service, browser: new Browser(service) }
}

const ACCOUNT = { provider: 'tiktok', issuer: 'https://www.tiktok.com', id: expect.any(String) }

describe('events', () => {
  it('report a first sign-in, a later one and a sign-out', async () => {
    const { browser, recorded } = recordEvents()

    const { handle, userId } = await signInNewUser(browser)
    await browser.signIn(handle)
    await browser.post('/api/auth/signout', {})

    const user = expect.objectContaining({ id: userId })
    expect(recorded).toEqual([
      { name: 'createUser', payload: { user, account: ACCOUNT } },
      { name: 'signIn', payload: { user, account: ACCOUNT, isNewUser: true } },
      { name: 'signIn', payload: { user, account: ACCOUNT, isNewUser: false } },
      { name: 'signOut', payload: { user: { id: userId }, sessions: 'current' } },
    ])
  })

  it('report a failed sign-in with the reference that the user sees', async () => {
    const { browser, recorded } = recordEvents()

    const response = await browser.signIn('mia', { grant: 'deny' })
    const lost = await browser.get(`/api/auth/callback/tiktok?state=${'x'.repeat(43)}`)

    const reference = (failed: Response) => failed.headers.get('X-Request-Id')
    expect(recorded.map(({ payload }) => payload)).toEqual([
      { provider: 'tiktok', code: 'access_denied', reference: reference(response) },
      { provider: 'tiktok', code: 'attempt_missing', reference: reference(lost) },
    ])
  })

  it('report a linked and a disconnected account', async () => {
    const { browser, recorded } = recordEvents()
    const { userId } = await signInNewUser(browser)
    const authorization = redirectUrl(await startLinking(browser, 'tiktok'))
    recorded.length = 0

    await browser.get(await browser.approve(authorization, await createPlatformUser()))
    const [, account = ''] = await accountDigests(browser)
    await browser.post('/account/disconnect', { account })

    const payload = { user: { id: userId }, account: ACCOUNT }
    expect(recorded).toEqual([
      { name: 'linkAccount', payload },
      { name: 'unlinkAccount', payload },
    ])
  })

  it('do not report a last account as disconnected, because it is kept', async () => {
    const { browser, recorded } = recordEvents()
    await signInNewUser(browser)
    recorded.length = 0
    const [account = ''] = await accountDigests(browser)

    expect((await browser.post('/account/disconnect', { account })).status).toBe(200)

    expect(recorded).toEqual([])
  })

  it('report sessions that are ended from the account page', async () => {
    const { browser, recorded } = recordEvents()
    const { handle, userId } = await signInNewUser(browser)
    const sids = async () => inputValues(await (await browser.get('/account')).text(), 'sid')
    await new Browser().signIn(handle)
    const [sid = ''] = await sids()
    recorded.length = 0

    await browser.post('/account/sessions', { sid })
    await browser.post('/account/sessions', { sid })
    await new Browser().signIn(handle)
    await browser.post('/account/sessions', { sid: 'others' })
    await browser.post('/account/sessions', { sid: 'others' })

    expect(recorded.map(({ payload }) => payload)).toEqual([
      { user: { id: userId }, sessions: 'one' },
      { user: { id: userId }, sessions: 'others' },
    ])
  })

  it('report a deleted user, and no sign-out', async () => {
    const { browser, recorded } = recordEvents()
    const { userId } = await signInNewUser(browser)
    recorded.length = 0

    await browser.post('/account/delete', {})

    expect(recorded).toEqual([
      { name: 'deleteUser', payload: { user: { id: userId }, reason: 'user' } },
    ])
  })

  it('report a user who is deleted by a webhook of the platform', async () => {
    const { recorded, service } = recordEvents()
    const { handle, userId } = await signInNewUser()

    await deliver(await createWebhook(handle, { reason: 'account-deleted' }), service)

    expect(recorded).toEqual([
      { name: 'deleteUser', payload: { user: { id: userId }, reason: 'provider' } },
    ])
  })

  it('report a grant', async () => {
    const { browser, recorded } = recordEvents()
    const { userId } = await signInNewUser(browser)
    recorded.length = 0

    await new RelyingApp().callbackFor(browser, { resource: 'https://orders.example' })

    expect(recorded).toEqual([
      {
        name: 'grant',
        payload: {
          user: { id: userId },
          client: { client_id: 'web', client_name: 'The web app', first_party: true },
          scope: ['openid', 'profile'],
          resources: ['https://orders.example'],
        },
      },
    ])
  })

  it('[O5] contain no secret', async () => {
    const { browser, recorded } = recordEvents()

    await signInNewUser(browser)
    await new RelyingApp().callbackFor(browser)
    await browser.post('/api/auth/signout', {})

    const text = JSON.stringify(recorded)
    expect(recorded).toHaveLength(4)
    expect([...issuedSecrets].filter((secret) => text.includes(secret))).toEqual([])
  })

  it('run after the response', async () => {
    const steps: string[] = []
    const events: Events = { signOut: () => steps.push('event') }
    const { worker } = createVestibule({ ...options, events })
    const { browser } = await signInNewUser()
    const ctx = createExecutionContext()

    await worker.fetch(
      new Request(`${LOGIN}/api/auth/signout`, {
        method: 'POST',
        headers: { ...browser.cookieHeader(), 'Sec-Fetch-Site': 'same-origin' },
        body: new URLSearchParams(),
      }),
      env,
      ctx,
    )
    steps.push('response')
    await waitOnExecutionContext(ctx)

    expect(steps).toEqual(['response', 'event'])
  })

  it('affect nobody when they fail, and log the stack', async () => {
    const failure = () => {
      throw new Error('the handler is broken')
    }
    const { browser } = recordEvents({
      createUser: failure,
      signIn: () => Promise.reject(new Error('the service is down')),
    })

    const response = await browser.signIn(await createPlatformUser())

    expect(redirectUrl(response, 302).href).toBe(`${LOGIN}/`)
    expect((await browser.session())?.user.id).toMatch(/^usr_/)
    const reference = response.headers.get('X-Request-Id')
    expect(lastLogEntry('the handler is broken')).toMatchObject({
      requestId: reference,
      event: 'event_failed',
      cause: expect.stringMatching(/^events\.createUser failed\. .*the handler is broken\s+at /),
    })
    expect(lastLogEntry('the service is down')).toMatchObject({ requestId: reference })
  })

  it('[P4] end after five seconds', async () => {
    const { call, endsAfter } = hangingCall()
    const { browser } = recordEvents({ signOut: call })
    await signInNewUser(browser)

    const response = await endsAfter(5000, () => browser.post('/api/auth/signout', {}))

    expect(response.status).toBe(200)
    expect(lastLogEntry('event_failed').cause).toContain(
      'events.signOut took longer than 5 seconds',
    )
  })

  it.each([
    [{ signin: () => undefined }, 'events.signin does not exist: did you mean signIn?'],
    [{ grant: 'https://hook.example' }, 'events.grant must be a function.'],
  ])('[T1] are rejected at startup: %o', (events, problem) => {
    expect(() => createVestibule({ ...options, events: events as Events })).toThrow(problem)
  })
})

describe('events.keysRotated', () => {
  const namespace = env.KEYRING as unknown as DurableObjectNamespace<KeyringObject>

  it('reports a scheduled rotation with the keys that sign from now on', async () => {
    const keysRotated = vi.fn()
    const readConfig = configReaderWith({ events: { keysRotated } })
    const stub = namespace.get(namespace.newUniqueId())

    const keys = await runInDurableObject(stub, async (_, ctx) => {
      const object = new KeyringObject(ctx, env, readConfig)
      const { rotatesAt } = object.list()
      expect(keysRotated).not.toHaveBeenCalled()
      setClock(rotatesAt + 1)
      await object.alarm()
      return object.read()
    })

    const active = keys.filter(({ state }) => state === 'active')
    await vi.waitFor(() => expect(keysRotated).toHaveBeenCalledOnce())
    expect(keysRotated.mock.lastCall?.[0]).toMatchObject({
      reason: 'scheduled',
      activeKeys: active.map(({ kid }) => kid),
    })
    expect(JSON.stringify(keysRotated.mock.calls)).not.toContain('sealed')
  })

  it('reports keys that were replaced because the secret has changed', async () => {
    const keysRotated = vi.fn()
    const readConfig = configReaderWith({ events: { keysRotated } })
    const stub = namespace.get(namespace.newUniqueId())
    const changed = { ...env, AUTH_SECRET: 'Zx9cVb3nM5aSd7fGh1jKl2qWe4rTy6uIo8pAsDfGhJk' }

    await runInDurableObject(stub, async (_, ctx) => {
      await new KeyringObject(ctx, env, readConfig).read()
      await new KeyringObject(ctx, changed, readConfig).read()
    })

    await vi.waitFor(() => expect(keysRotated).toHaveBeenCalledOnce())
    expect(keysRotated.mock.lastCall?.[0]).toMatchObject({ reason: 'secret_changed' })
  })

  it('does not affect the rotation when it fails', async () => {
    const keysRotated = () => Promise.reject(new Error('nobody listens'))
    const readConfig = configReaderWith({ events: { keysRotated } })
    const stub = namespace.get(namespace.newUniqueId())

    await runInDurableObject(stub, async (_, ctx) => {
      const object = new KeyringObject(ctx, env, readConfig)
      const { rotatesAt } = object.list()
      setClock(rotatesAt + 1)
      await object.alarm()
      expect(object.list().rotatesAt).toBe(rotatesAt + 1 + 30 * DAY)
    })

    await vi.waitFor(() => expect(logLines.join()).toContain('nobody listens'))
  })
})
