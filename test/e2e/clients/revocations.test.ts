import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import { calculatePKCECodeChallenge, randomPKCECodeVerifier } from 'openid-client'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { OPERATOR, SECRET, TOKEN_CALLBACK } from '../../interop/clients.ts'
import { SimulatedBrowser } from '../../interop/simulated-browser.ts'
import { type KillableServices, startKillableServices } from '../../soak/killable-services.ts'
import { describeInBrowser, it } from '../browser-fixtures.ts'
import { signInWithTikTok } from '../page-steps.ts'
import { PORTS } from '../ports.ts'
import { API, DocumentedApis } from './documented-api.ts'

/** Services of their own: these tests revoke keys, move the clock and kill the login service. */
const PORT = PORTS.revocations
const API_PORT = PORTS.revocationApis
const QUICK_API_PORT = PORTS.revocationApis + 1

/** The documentation promises that an API rejects a token within this time. */
const LIMIT = 15 // seconds

const storage = mkdtempSync(join(tmpdir(), 'vestibule-revocations-'))
const apis = new DocumentedApis()
let services: KillableServices

async function startServices(): Promise<void> {
  services = await startKillableServices({
    port: PORT,
    main: 'test/clock-login.ts',
    persist: storage,
    clients: [{ ...OPERATOR, resources: [`http://localhost:${PORT}/admin/api`] }],
  })
}

beforeAll(startServices)
afterAll(async () => {
  await apis.remove()
  await services.kill()
  rmSync(storage, { recursive: true, force: true })
})

async function postForm(path: string, form: Record<string, string>) {
  const body = new URLSearchParams(form)
  const response = await fetch(`${services.login}${path}`, { method: 'POST', body })
  expect(response.status).toBe(200)
  return response.json()
}

/** Calls the admin API. */
async function administer(path: string, body?: Record<string, unknown>) {
  const { access_token } = await postForm('/oidc/token', {
    grant_type: 'client_credentials',
    client_id: OPERATOR.client_id,
    client_secret: SECRET,
  })
  const response = await fetch(`${services.login}/admin/api${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${access_token}`,
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect(response.status).toBeLessThan(300)
  return response.status === 204 ? {} : response.json()
}

/** A user who has allowed a new client of another company to use the API. */
async function newUser() {
  const client_id = `partner-${crypto.randomUUID()}`
  const { client_secret } = await administer('/clients', {
    client_id,
    redirect_uris: [TOKEN_CALLBACK],
    resources: [API],
    scope: 'openid',
  })
  const code_verifier = randomPKCECodeVerifier()
  const query = new URLSearchParams({
    client_id,
    response_type: 'code',
    redirect_uri: TOKEN_CALLBACK,
    scope: 'openid',
    resource: API,
    code_challenge: await calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
  })
  const browser = new SimulatedBrowser(services)
  await browser.register()
  const url = `${services.login}/oidc/authorize?${query}`
  const callback = await browser.followTo(`${TOKEN_CALLBACK}?`, url)
  const { access_token: token } = await postForm('/oidc/token', {
    grant_type: 'authorization_code',
    client_id,
    client_secret,
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: TOKEN_CALLBACK,
    code_verifier,
  })
  return { browser, client_id, token, id: decodeJwt(token).sub ?? '' }
}

type User = Awaited<ReturnType<typeof newUser>>

const signOut = ({ browser }: User) => browser.submit('/api/auth/signout', {})

/** What ends the tokens of one user or client. */
const EVENTS: Record<string, (user: User) => Promise<unknown>> = {
  'a sign-out': signOut,
  'a block': ({ id }) => administer(`/users/${id}/block`),
  'the withdrawal of consent': ({ browser, client_id }) =>
    browser.submit('/account/consents', { client_id }),
  'the removal of a client secret': async ({ client_id }) => {
    await administer(`/clients/${client_id}/rotate-secret`)
    await administer(`/clients/${client_id}/remove-former-secret`)
  },
}

async function callApi(token: string, port = API_PORT): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` }
  return (await fetch(`http://localhost:${port}/orders`, { headers })).status
}

/** The seconds until the API rejects a token that it accepted before. */
async function secondsUntilRejection(token: string, port = API_PORT): Promise<number> {
  const start = performance.now()
  const seconds = () => (performance.now() - start) / 1000
  while ((await callApi(token, port)) === 200 && seconds() <= LIMIT) await sleep(100)
  expect(await callApi(token, port)).toBe(401)
  return seconds()
}

async function measure(name: string, user: User, end: (user: User) => Promise<unknown>) {
  expect(await callApi(user.token)).toBe(200)
  await end(user)
  const seconds = await secondsUntilRejection(user.token)
  process.stdout.write(`  rejected ${seconds.toFixed(1)} s after ${name}\n`)
  expect(seconds, name).toBeLessThanOrEqual(LIMIT)
}

describe('an API with vestibule-auth/verify', () => {
  it('[G5] rejects a token within fifteen seconds after it was revoked, in any way', async () => {
    await apis.start('app', { port: API_PORT, issuer: services.login })
    const events = Object.entries(EVENTS)
    const users = await Promise.all(events.map(newUser))
    await Promise.all(
      events.map(async ([name, end], index) => measure(name, users[index] as User, end)),
    )

    await measure('the revocation of keys', await newUser(), () => administer('/keys/revoke'))
    expect(await callApi((await newUser()).token)).toBe(200)
  })

  it('keeps its decisions while the login service is down, and learns of sign-outs afterwards', async () => {
    const port = QUICK_API_PORT
    await apis.start('app', { port, issuer: services.login, interval: 1 })
    const [user, ended] = [await newUser(), await newUser()]
    expect([await callApi(user.token, port), await callApi(ended.token, port)]).toEqual([200, 200])
    await signOut(ended)
    await secondsUntilRejection(ended.token, port)

    await services.kill()
    for (let second = 0; second < 4; second++) {
      expect(await callApi(user.token, port)).toBe(200)
      expect(await callApi(ended.token, port)).toBe(401)
      await sleep(1000)
    }

    await startServices()
    await signOut(user)
    await secondsUntilRejection(user.token, port)
  })
})

describeInBrowser('the demo shop', () => {
  it('shows a user as signed out whose session has expired at the login service', async ({
    page,
  }) => {
    const setClock = (days: number) =>
      fetch(`${services.login}/__clock?seconds=${days * 24 * 3600}`)
    const handle = `e2e-${crypto.randomUUID().slice(0, 13)}`
    const body = JSON.stringify({ handle, displayName: 'Mia Lindqvist' })
    await fetch(`${services.platform}/__stand-in/users`, { method: 'POST', body })
    await page.clock.install()
    await page.goto(services.storefront)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await signInWithTikTok(page, handle)
    await page.getByRole('button', { name: 'Mia Lindqvist' }).waitFor()

    try {
      await setClock(8)
      await page.clock.fastForward(10_000)
      await page.evaluate(() => dispatchEvent(new Event('focus')))

      await page.getByRole('button', { name: 'Sign in' }).waitFor()
    } finally {
      await setClock(0)
    }
  })
})
