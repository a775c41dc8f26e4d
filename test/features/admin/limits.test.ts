import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { Browser, serviceWith } from '../../browser.ts'
import { signInNewUser } from '../../new-user.ts'
import { randomAddress } from '../../random-address.ts'
import { signInAdministrator } from './administrator.ts'
import { callApi, connectMachine, readProblem } from './machine-client.ts'

/** The service with limits so low that thirty requests exceed each of them. */
const LOW_LIMITS = {
  USER_RATE_LIMIT: env.TEST_USER_RATE_LIMIT,
  CLIENT_RATE_LIMIT: env.TEST_CLIENT_RATE_LIMIT,
}

/** The different statuses of thirty requests, sent one after the other. */
async function statusesOf(send: () => Promise<Response>): Promise<number[]> {
  const statuses = new Set<number>()
  for (let index = 0; index < 30; index++) statuses.add((await send()).status)
  return [...statuses]
}

describe('rate limits of /admin', () => {
  it('[R1] limit the requests of one administrator', async () => {
    const { administrator } = await signInAdministrator(LOW_LIMITS)

    expect(await statusesOf(() => administrator.get('/admin/keys'))).toEqual([200, 429])
  })

  it('[R1] limit the requests of one user who is not an administrator', async () => {
    const { browser } = await signInNewUser()
    const user = new Browser(serviceWith(LOW_LIMITS)).withCookiesOf(browser)

    expect(await statusesOf(() => user.get('/admin'))).toEqual([404, 429])
  })

  it('[R1] limit the requests of machine clients from one address', async () => {
    const service = serviceWith(LOW_LIMITS)
    const { call } = await connectMachine({}, service)
    const headers = { 'CF-Connecting-IP': randomAddress() }

    expect(await statusesOf(() => call('/keys', { headers }))).toEqual([200, 429])
    const response = await call('/keys', { headers })
    expect(response.headers.get('Retry-After')).toBe('60')
    await readProblem(response)
  })

  it('[R4] limit the invalid tokens from one address', async () => {
    const service = serviceWith(LOW_LIMITS)
    const headers = { 'CF-Connecting-IP': randomAddress() }

    expect(await statusesOf(() => callApi('/keys', { token: 'x.y.z', headers, service }))).toEqual([
      404, 429,
    ])
  })
})

describe('an administrator at an address whose limit strangers have used up', () => {
  it('[R1] is not affected', async () => {
    const headers = { 'CF-Connecting-IP': randomAddress() }
    const service = serviceWith(LOW_LIMITS)
    const { call } = await connectMachine({}, service)

    const strangers = await statusesOf(() => callApi('/keys', { token: 'x.y.z', headers, service }))
    const response = await call('/keys', { headers })

    expect(strangers).toContain(429)
    expect(response.status).toBe(200)
  })
})
