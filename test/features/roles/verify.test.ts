import { Hono } from 'hono'
import { describe, expect, it, vi } from 'vitest'
import { createVerifier } from '../../../src/verify.ts'
import { LOGIN } from '../../browser.ts'
import { bearer } from '../../core/oidc/relying-app.ts'
import { API, newUserWithRoles, requestTokens, service } from './role-user.ts'

const auth = createVerifier({
  issuer: LOGIN,
  audience: [API, 'https://stock.example'],
  fetch: (url, init) => service(new Request(url, init)),
})

async function tokenWith(roles: readonly string[], resource = API): Promise<string> {
  const { browser } = await newUserWithRoles(...roles)
  return (await requestTokens(browser, { resource })).access_token
}

describe('a route that requires one of several roles', () => {
  const app = new Hono()
    .use(auth.hono({ roles: ['editor', 'publisher'] }))
    .get('/', (c) => c.json(auth.tokenOf(c).roles))
  const request = (token: string) => app.request('/', { headers: bearer(token) })

  it('accepts a user who has one', async () => {
    const response = await request(await tokenWith(['editor', 'author']))

    expect(response.status).toBe(200)
    expect(await response.json()).toEqual(['editor'])
  })

  it('[F2] rejects others with 403, without a challenge, because another token would not help', async () => {
    const response = await request(await tokenWith(['author']))

    expect(response.status).toBe(403)
    expect(response.headers.get('WWW-Authenticate')).toBeNull()
    expect(await response.json()).toEqual({
      error: 'insufficient_role',
      error_description: 'The user does not have the role editor or publisher.',
    })
  })

  it('says what is wrong if the API does not list any roles', async () => {
    const response = await request(await tokenWith(['editor'], 'https://stock.example'))

    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({
      error_description: expect.stringContaining('list them in its registration'),
    })
  })

  it('accepts nobody if the list is empty', async () => {
    const token = await tokenWith(['editor'])

    await expect(auth.verify(token, { roles: [] })).rejects.toMatchObject({ status: 403 })
  })
})

describe('the other middlewares', () => {
  it('reject a user without the role with 403', async () => {
    const headers = bearer(await tokenWith([]))
    const required = { roles: ['editor'] }
    const handled = await auth.handler(
      () => new Response(),
      required,
    )(new Request(API, { headers }))
    const body = vi.fn()
    const status = vi.fn(() => ({ set: () => ({ json: body }) }))
    const code = vi.fn(() => ({ headers: () => ({ send: body }) }))
    const request = { headers: { authorization: headers.Authorization } }

    auth.express(required)(request, { status }, vi.fn())
    await auth.fastify(required)({ ...request }, { code })

    expect(handled.status).toBe(403)
    await vi.waitFor(() => expect(status).toHaveBeenCalledWith(403))
    expect(code).toHaveBeenCalledWith(403)
    expect(body).toHaveBeenCalledWith(expect.objectContaining({ error: 'insufficient_role' }))
  })
})
