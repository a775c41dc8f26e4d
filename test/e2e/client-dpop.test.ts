import { createHash } from 'node:crypto'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { createVerifier } from '../../src/verify.ts'
import { NAME } from '../user-name.ts'
import { describeInBrowser, it, login } from './browser-fixtures.ts'
import { BOUND_FRONTEND, ORDERS_API } from './clients/registrations.ts'
import { collectRequests, getToken, SLEEP, startFrontend, waitForState } from './frontend.ts'
import type { LoopbackServer } from './loopback-server.ts'
import { signInWithoutPages } from './page-steps.ts'
import { PORTS } from './ports.ts'

/** The API of the frontend, which has three ways to accept bound tokens. */
const options = { issuer: login, audience: ORDERS_API }
const url = BOUND_FRONTEND
const verifiers = new Map([
  ['/api/orders', createVerifier({ ...options, dpop: { url, required: true } })],
  ['/api/nonce', createVerifier({ ...options, dpop: { url, nonceSecret: 'a secret of the API' } })],
  ['/api/elsewhere', createVerifier(options)],
])
const ORDERS = `${BOUND_FRONTEND}/api/orders`
const USERINFO = `${login}/oidc/userinfo`

let server: LoopbackServer

beforeAll(async () => {
  server = await startFrontend(PORTS.boundFrontend, async (request, path) => {
    const verifier = verifiers.get(path)
    if (!verifier) return new Response('', { status: 404 })
    return verifier.handler((_, { userId }) => Response.json({ userId }))(request)
  })
})
afterAll(() => server.close())

async function startSignIn(page: Page): Promise<void> {
  await page.goto(`${BOUND_FRONTEND}/`)
  await waitForState(page, 'signed-out')
  await page.evaluate(() => void window.client.signIn())
}

/** Signs in a user who has a session at the login service. */
async function signIn(page: Page, persona: string): Promise<void> {
  await signInWithoutPages(page.context(), persona)
  await startSignIn(page)
  await waitForState(page, `signed-in ${NAME}`)
}

/** The status of a request that the app sends with its token. */
const call = (page: Page, url: string) =>
  page.evaluate((target) => window.client.fetchWithToken(target).then(({ status }) => status), url)

/** What a script in the page can read: everything that the library stores. */
const readRecord = (page: Page) =>
  page.evaluate(async () => {
    const request = indexedDB.open('vestibule')
    const database = await new Promise<IDBDatabase>((resolve) => {
      request.onsuccess = () => resolve(request.result)
    })
    const all = database.transaction('vestibule').objectStore('vestibule').getAll()
    await new Promise((resolve) => {
      all.onsuccess = resolve
    })
    database.close()
    const [record] = all.result
    const { privateKey } = record.bound.keyPair as CryptoKeyPair
    const exported = await crypto.subtle.exportKey('jwk', privateKey).catch(({ name }) => name)
    return { refreshToken: record.refreshToken as string, exported }
  })

/** Sends a token request as somebody who has what the page stores or sends, but not the key. */
async function requestTokens(form: Record<string, string>, headers: Record<string, string> = {}) {
  const body = new URLSearchParams({ client_id: 'bound-frontend', ...form })
  const response = await fetch(`${login}/oidc/token`, { method: 'POST', headers, body })
  return ((await response.json()) as { error?: string }).error
}

/** A proof with another key than that of the browser. */
async function foreignProof(htm: string, htu: string, token = ''): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const ath = createHash('sha256').update(token).digest('base64url')
  return new SignJWT({ jti: crypto.randomUUID(), htm, htu, ath })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(publicKey) })
    .setIssuedAt()
    .sign(privateKey)
}

describeInBrowser('a frontend whose tokens are bound to a key', () => {
  it('signs in, calls APIs, refreshes, and continues after a reload and in another tab', async ({
    page,
    context,
    persona,
  }) => {
    await signIn(page, persona)
    const token = await getToken(page)
    expect(decodeJwt(token ?? '')).toMatchObject({ cnf: { jkt: expect.any(String) } })
    expect(await call(page, ORDERS)).toBe(200)
    expect(await call(page, `${USERINFO}?a=b`)).toBe(200)

    await page.reload()
    await waitForState(page, `signed-in ${NAME}`)
    expect(await getToken(page)).toBe(token)
    expect(await call(page, ORDERS)).toBe(200)
    const other = await context.newPage()
    await other.goto(BOUND_FRONTEND)
    await waitForState(other, `signed-in ${NAME}`)
    await other.evaluate(() => window.client.refresh())
    expect(await getToken(other)).not.toBe(token)
    await expect.poll(() => getToken(page)).toBe(await getToken(other))
    expect([await call(page, ORDERS), await call(other, ORDERS)]).toEqual([200, 200])

    await page.evaluate(() => window.client.signOut())
    await page.waitForURL(`${BOUND_FRONTEND}/`)
    await waitForState(page, 'signed-out')
    await waitForState(other, 'signed-out')
  })

  it('has an access token that is of no use without the key', async ({ page, persona }) => {
    await signIn(page, persona)
    const token = (await getToken(page)) ?? ''
    const errorOf = async (url: string, headers: Record<string, string>) => {
      const response = await fetch(url, { headers })
      expect(response.status).toBe(401)
      return response.headers.get('WWW-Authenticate')?.match(/error="(\w+)"/)?.[1]
    }

    const local = `http://localhost:${PORTS.boundFrontend}/api/orders`
    for (const [url, htu] of [
      [local, ORDERS],
      [USERINFO, USERINFO],
    ] as const) {
      const [asBearer, asBound] = [`Bearer ${token}`, `DPoP ${token}`]
      const DPoP = await foreignProof('GET', htu, token)
      expect(await errorOf(url, { Authorization: asBearer })).toBe('invalid_token')
      expect(await errorOf(url, { Authorization: asBearer, DPoP })).toBe('invalid_token')
      expect(await errorOf(url, { Authorization: asBound })).toBe('invalid_dpop_proof')
      expect(await errorOf(url, { Authorization: asBound, DPoP })).toBe('invalid_token')
    }
  })

  it('has a refresh token that is of no use without the key, which no script can read', async ({
    page,
    persona,
  }) => {
    await signIn(page, persona)
    const { refreshToken, exported } = await readRecord(page)
    expect(exported).toBe('InvalidAccessError')

    const form = { grant_type: 'refresh_token', refresh_token: refreshToken }
    const DPoP = await foreignProof('POST', `${login}/oidc/token`)
    expect(await requestTokens(form)).toBe('invalid_dpop_proof')
    expect(await requestTokens(form, { DPoP })).toBe('invalid_grant')
    // The thief has not signed the user out.
    await page.evaluate(() => window.client.refresh())
    expect(await call(page, ORDERS)).toBe(200)
  })

  it('has a code that is of no use without the key, even with the verifier', async ({
    page,
    persona,
    pageErrors,
  }) => {
    const authorizations = collectRequests(page, '/oidc/authorize?')
    const stolen: (string | undefined)[] = []
    await page.route(`${login}/oidc/token`, async (route) => {
      const isFirst = route.request().method() === 'POST' && stolen.length === 0
      if (isFirst) {
        const form = Object.fromEntries(new URLSearchParams(route.request().postData() ?? ''))
        const DPoP = await foreignProof('POST', `${login}/oidc/token`)
        stolen.push(await requestTokens(form), await requestTokens(form, { DPoP }))
      }
      await route.continue()
    })
    await signIn(page, persona)

    expect(stolen).toEqual(['invalid_dpop_proof', 'invalid_grant'])
    // The code was used up, so that the app has requested another one.
    expect(authorizations).toHaveLength(2)
    expect(pageErrors.splice(0)).toEqual([`400 ${login}/oidc/token`])
  })

  it.for([
    ['an hour ahead', SLEEP],
    ['an hour behind', -SLEEP],
  ] as const)(
    'works on a device whose clock is %s',
    async ([, offset], { page, context, persona, pageErrors }) => {
      await context.clock.install({ time: Date.now() + offset })
      await signIn(page, persona)

      expect(await call(page, ORDERS)).toBe(200)
      await page.reload()
      await waitForState(page, `signed-in ${NAME}`)
      expect(await call(page, ORDERS)).toBe(200)
      // The login service has sent a nonce instead, once.
      expect(pageErrors.splice(0)).toEqual([`400 ${login}/oidc/token`])
    },
  )

  it('repeats a request once with the nonce that an API requires', async ({
    page,
    persona,
    pageErrors,
  }) => {
    await signIn(page, persona)
    const api = `${BOUND_FRONTEND}/api/nonce`
    const tokenRequests = collectRequests(page, '/oidc/token')

    expect([await call(page, api), await call(page, api)]).toEqual([200, 200])
    expect(tokenRequests).toEqual([])
    expect(pageErrors.splice(0)).toEqual([`401 ${api}`])
  })

  it('names the reason in the console if a proxy changes the URL of an API', async ({
    page,
    persona,
    pageErrors,
  }) => {
    await signIn(page, persona)
    const api = `${BOUND_FRONTEND}/api/elsewhere`

    expect(await call(page, api)).toBe(401)
    expect(pageErrors.splice(0).filter((error) => error.startsWith('vestibule-auth'))).toEqual([
      `vestibule-auth: ${api} rejects DPoP proofs: htu of the DPoP proof is not the URL of the request. If clients reach the API elsewhere than at its audience, it must set dpop.url.`,
    ])
  })

  it('shows a user whose key was lost as signed out, without further requests', async ({
    page,
    persona,
    pageErrors,
  }) => {
    await signIn(page, persona)
    const requests = collectRequests(page, '/oidc/')
    await page.evaluate(async () => {
      const request = indexedDB.open('vestibule')
      await new Promise((resolve) => {
        request.onsuccess = resolve
      })
      const transaction = request.result.transaction('vestibule', 'readwrite')
      const store = transaction.objectStore('vestibule')
      const all = store.openCursor()
      all.onsuccess = () => {
        const { bound, ...rest } = all.result?.value ?? {}
        if (bound) all.result?.update(rest)
      }
      await new Promise((resolve) => {
        transaction.oncomplete = resolve
      })
      request.result.close()
    })

    expect(await call(page, ORDERS)).toBe(401)
    await waitForState(page, 'signed-out')
    expect(requests).toHaveLength(1)
    await page.evaluate(() => void window.client.signIn())
    await waitForState(page, `signed-in ${NAME}`)
    expect(await call(page, ORDERS)).toBe(200)
    pageErrors.splice(0)
  })

  it('shows a user whose browser data were deleted as signed out', async ({ page, persona }) => {
    await signIn(page, persona)
    await page.evaluate(() => indexedDB.deleteDatabase('vestibule'))
    await page.reload()
    await waitForState(page, 'signed-out')

    await page.evaluate(() => void window.client.signIn())
    await waitForState(page, `signed-in ${NAME}`)
    expect(await call(page, ORDERS)).toBe(200)
  })

  it.for([
    ['has no IndexedDB', () => Object.defineProperty(window, 'indexedDB', { value: undefined })],
    [
      'does not store keys',
      () => {
        const { put } = IDBObjectStore.prototype
        IDBObjectStore.prototype.put = function (value, ...rest) {
          if (value.bound) throw new DOMException('', 'DataCloneError')
          return put.call(this, value, ...rest)
        }
      },
    ],
  ] as const)(
    'keeps the key in memory if the browser %s',
    async ([, disable], { page, persona }) => {
      await page.addInitScript(disable)
      await signIn(page, persona)

      await page.evaluate(() => window.client.refresh())
      expect(await call(page, ORDERS)).toBe(200)
      await page.reload()
      await waitForState(page, 'signed-out')
    },
  )

  it('is told in the console that dpop is missing', async ({ page, persona, pageErrors }) => {
    await page.addInitScript(() => {
      window.changedOptions = { dpop: undefined as never }
    })
    await signInWithoutPages(page.context(), persona)
    await startSignIn(page)

    await waitForState(page, 'unavailable')
    expect(pageErrors.splice(0)).toContain(
      'vestibule-auth: invalid_dpop_proof: The DPoP proof is missing, which a client with dpop_bound_access_tokens must send. vestibule-auth/client and vestibule-auth/server send it with the option dpop.',
    )
  })
})
