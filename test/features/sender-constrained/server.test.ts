import { decodeJwt } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dpop } from '../../../src/server.ts'
import { createVerifier } from '../../../src/verify.ts'
import { Browser, LOGIN, serviceWith } from '../../browser.ts'
import { advanceClock, stopClock } from '../../clock.ts'
import { APP, AppBrowser, newInstance } from '../../libraries/server/app-browser.ts'
import { signInNewUser } from '../../new-user.ts'
import { clientsWith } from '../../registered-clients.ts'

const API = 'https://orders.example'

const web = {
  redirect_uris: [`${APP}/auth/callback`],
  dpop_bound_access_tokens: true,
}
const service = serviceWith({ CLIENTS: clientsWith({ web }) })
const fetchLogin = (url: string, init?: RequestInit) => service(new Request(url, init))

/** An API that requires bound tokens and a nonce, and which requests reach with the global fetch. */
let proofs: (string | null)[]

beforeEach(() => {
  proofs = []
  const verifier = createVerifier({
    issuer: LOGIN,
    audience: API,
    dpop: { required: true, nonceSecret: 'a secret of the API' },
    fetch: fetchLogin,
  })
  const respond = verifier.handler(async (request, { userId }) =>
    Response.json({ userId, body: await request.text() }),
  )
  answerAt(API, (request) => {
    proofs.push(request.headers.get('DPoP'))
    return respond(request)
  })
})
afterEach(() => vi.restoreAllMocks())

/** Lets requests to an origin reach this function. Others leave through the global fetch. */
function answerAt(origin: string, respond: (request: Request) => Promise<Response>): void {
  const { fetch } = globalThis
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const request = new Request(input, init)
    return new URL(request.url).origin === origin ? respond(request) : fetch(request)
  })
}

/** A user of the app whose options are these. */
async function signIn(options: Parameters<typeof newInstance>[0]) {
  const { login, requests } = newInstance({ fetch: fetchLogin, ...options })
  const app = new AppBrowser()
  const { browser, userId } = await signInNewUser(new Browser(service))
  const response = await app.signIn(login, browser)
  return { login, requests, app, userId, response }
}

describe('vestibule-auth/server with dpop', () => {
  it('gets bound tokens, and sends them with a proof and the nonce of the API, also renewed ones', async () => {
    stopClock()
    const { login, app, userId } = await signIn({ dpop })
    const bound = new Set()
    for (let round = 0; round < 3; round++) {
      const { token, headers, fetchWithToken } = await login.getToken(app.request('/'))
      app.store(headers)
      const init = { method: 'POST', body: 'a body' }

      const response = await fetchWithToken(`${API}/orders?page=2`, init)

      expect(await response.json()).toEqual({ userId, body: 'a body' })
      bound.add(decodeJwt<{ cnf: { jkt: string } }>(token ?? '').cnf.jkt)
      advanceClock(480)
    }
    // Each token has a key of its own. One request was repeated with the nonce.
    expect(bound.size).toBe(3)
    expect(proofs).toHaveLength(new Set(proofs).size)
  })

  it('sends the token with its key from any instance', async () => {
    const { app } = await signIn({ dpop })
    const other = newInstance({ fetch: fetchLogin, dpop }).login

    const { fetchWithToken } = await other.getToken(app.request('/'), { canSetHeaders: false })

    expect((await fetchWithToken(new Request(`${API}/orders`))).status).toBe(200)
  })

  it('has a token that is of no use without the key', async () => {
    const { login, app } = await signIn({ dpop })
    const { token } = await login.getToken(app.request('/'))

    const headers = { Authorization: `Bearer ${token}` }
    expect((await fetch(`${API}/orders`, { headers })).status).toBe(401)
  })

  it('sends no token for a user who is signed out', async () => {
    const { login } = newInstance({ fetch: fetchLogin, dpop })

    const { fetchWithToken } = await login.getToken(new AppBrowser().request('/'))

    expect((await fetchWithToken(`${API}/orders`)).status).toBe(401)
  })
})

describe('vestibule-auth/server without dpop', () => {
  it('gets no tokens if the client must use a key, and the log names the option', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})

    const { response } = await signIn({})

    expect(response.status).toBe(500)
    expect(String(log.mock.calls[0]?.[1])).toContain('with the option dpop')
  })

  it('sends its tokens as Bearer', async () => {
    const { login, app, userId } = await signIn({ fetch: undefined as never })
    const verifier = createVerifier({ issuer: LOGIN, audience: API, fetch: fetchLogin })
    const respond = verifier.handler((_, token) => Response.json({ userId: token.userId }))
    answerAt(API, respond)

    const { fetchWithToken } = await login.getToken(app.request('/'))

    expect(await (await fetchWithToken(`${API}/orders`)).json()).toEqual({ userId })
  })
})
