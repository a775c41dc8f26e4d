import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { Browser, LOGIN, serviceWith } from '../browser.ts'
import { RelyingApp } from './relying-app.ts'

/** What storage has been asked, in order. */
const calls: string[] = []

/** A binding that notes what is called on it, and asks the real one. */
function noting<T extends object>(name: string, binding: T): T {
  return new Proxy(binding, {
    get(target, key) {
      const member = Reflect.get(target, key)
      if (typeof member !== 'function') return member
      return (...input: unknown[]) => {
        calls.push(`${name}.${String(key)}`)
        return Reflect.apply(member, target, input)
      }
    },
  })
}

/** Naming an object and holding on to it costs nothing; what is called on it does. */
function notingObjects<T extends DurableObjectNamespace>(name: string, namespace: T): T {
  return new Proxy(namespace, {
    get(target, key) {
      const member = Reflect.get(target, key)
      if (typeof member !== 'function') return member
      return (...input: unknown[]) => {
        const result: unknown = Reflect.apply(member, target, input)
        return key === 'get' ? noting(name, result as object) : result
      }
    },
  })
}

const service = serviceWith({
  SESSIONS: noting('SESSIONS', env.SESSIONS),
  DIRECTORY: noting('DIRECTORY', env.DIRECTORY),
  USERS: notingObjects('USERS', env.USERS as DurableObjectNamespace),
  KEYRING: notingObjects('KEYRING', env.KEYRING as DurableObjectNamespace),
  GUARDS: notingObjects('GUARDS', env.GUARDS as DurableObjectNamespace),
})

async function token(form: Record<string, string>): Promise<{ refresh_token: string }> {
  const body = new URLSearchParams({ client_id: 'shop', ...form })
  const response = await service(new Request(`${LOGIN}/oidc/token`, { method: 'POST', body }))
  expect(response.status).toBe(200)
  return response.json()
}

async function exchange(app: RelyingApp, callback: URL) {
  return token({
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: app.redirectUri,
    code_verifier: app.verifier,
  })
}

describe('one call to storage', () => {
  const browser = new Browser(service)
  const app = new RelyingApp('shop')
  let callback: URL
  let refreshToken: string

  /** Everything that comes once in the life of an isolate has come. */
  beforeEach(async () => {
    if (browser.cookies.size === 0) await browser.signIn('mia')
    const scope = 'openid profile offline_access'
    const { refresh_token } = await exchange(app, await app.callback(browser, { scope }))
    refreshToken = refresh_token
    callback = await app.callback(browser, { scope })
    calls.length = 0
  })

  it('is what a code exchange costs: to a Durable Object, and none to KV or D1', async () => {
    await exchange(app, callback)

    expect(calls).toEqual(['USERS.redeemCode'])
  })

  it('is what a refresh costs: to a Durable Object, and none to KV or D1', async () => {
    await token({ grant_type: 'refresh_token', refresh_token: refreshToken })

    expect(calls).toEqual(['USERS.rotateRefreshToken'])
  })

  it('is what an authorization request costs who is signed in', async () => {
    await app.callback(browser)

    expect(calls).toEqual(['USERS.grant'])
  })

  it('is what a session costs: to KV without a token, to a Durable Object with one', async () => {
    await browser.get('/api/auth/session?token=false')
    await browser.get('/api/auth/session')

    expect(calls).toEqual(['SESSIONS.get', 'USERS.readSession'])
  })

  it('is more than keys, discovery and the start of a sign-in cost', async () => {
    await browser.get('/.well-known/jwks.json')
    await browser.get('/.well-known/openid-configuration')
    await browser.start()

    expect(calls).toEqual([])
  })

  it('is what a sign-in costs each storage, one after another: D1, object, KV', async () => {
    await new Browser(service).signIn('noah')

    expect(calls).toEqual([
      'DIRECTORY.prepare',
      'DIRECTORY.prepare',
      'DIRECTORY.batch',
      'USERS.openSession',
      'SESSIONS.put',
    ])
  })
})
