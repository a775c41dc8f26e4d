import { env } from 'cloudflare:workers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import * as z from 'zod/mini'
import { version as packageVersion } from '../../../package.json'
import { entryIdsAt, recordAuditEntry } from '../../../src/core/audit/audit-log.ts'
import type { Events } from '../../../src/core/config/events.ts'
import { options } from '../../../src/deployment.ts'
import { formatProblem } from '../../../src/foundation/values/problem.ts'
import { createReference } from '../../../src/foundation/values/reference.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, issuedSecrets, lastLogEntry, serviceOf, serviceWith } from '../../browser.ts'
import { advanceClock, DAY, HOUR, MINUTE, setClock } from '../../clock.ts'
import { OFFLINE_ACCESS, RelyingApp } from '../../core/oidc/relying-app.ts'
import { approveConsent } from '../../core/oidc/user-steps.ts'
import { config, newId, redirectUri } from '../../core/registrations/stored-clients.ts'
import { errorCode } from '../../html.ts'
import { createPlatformUser, signInNewUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { registeredClients } from '../../registered-clients.ts'
import { failingToBlock, userObject } from '../../storage.ts'
import { createPasskeyUser } from '../passkeys/passkey-user.ts'
import { callApi, connectMachine, readProblem } from './machine-client.ts'
import { operations } from './operations.ts'

const APP = { client_name: 'An app', redirect_uris: ['https://app.example/callback'] }

/** The body of a response that must be the one the operation describes. */
async function readResponse<Body>(response: Response, operationId: string): Promise<Body> {
  const operation = operations.find(({ id }) => id === operationId)
  expect(response.status).toBe(operation?.status ?? 200)
  expect(response.headers.get('Content-Type')).toBe('application/json')
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  const body = await response.json<Body>()
  const schema = operation?.response
  if (typeof schema === 'object') {
    const { data, error } = z.safeParse(schema, body)
    // Rules that are code are not part of the description.
    expect(error?.issues.filter(({ code }) => code !== 'custom') ?? []).toEqual([])
    // Fields that are not described are not in the data.
    if (!error) expect(body).toEqual(data)
  }
  return body
}

async function lastAuditEntry(subject: string) {
  const row = await env.DIRECTORY.prepare(
    'SELECT * FROM audit WHERE subject = ? ORDER BY id DESC LIMIT 1',
  )
    .bind(subject)
    .first()
  return row
}

/** Entries of other requests at one time. They are deleted after the test. */
async function insertEntries(count: number, at: number): Promise<void> {
  const actor = newId('actor')
  await env.DIRECTORY.prepare(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
     INSERT INTO audit (id, at, event, outcome, actor, request_id)
     SELECT ?2 || n, ?3, 'sign_in', 'ok', ?4, 'other' FROM numbers`,
  )
    .bind(count, entryIdsAt(at), at, actor)
    .run()
  onTestFinished(async () => {
    await env.DIRECTORY.prepare('DELETE FROM audit WHERE actor = ?').bind(actor).run()
  })
}

/** The database, which reports how many rows a search of the audit log reads. */
function countRowsRead(count: (rows: number) => void): D1Database {
  const counting = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, name) {
        if (name === 'bind') return (...values: unknown[]) => counting(target.bind(...values))
        if (name !== 'all') return Reflect.get(target, name).bind(target)
        return async () => {
          const result = await target.all()
          count(result.meta.rows_read)
          return result
        }
      },
    })
  return new Proxy(env.DIRECTORY, {
    get(target, name) {
      if (name !== 'prepare') return Reflect.get(target, name).bind(target)
      return (sql: string) => {
        const statement = target.prepare(sql)
        return sql.startsWith('SELECT * FROM audit') ? counting(statement) : statement
      }
    },
  })
}

interface ClientResponse {
  client_id: string
  client_name?: string
  redirect_uris: string[]
  source: string
  secret_count: number
  disabled_at?: number
}

describe('/admin/api/clients', () => {
  it('creates, reads, changes, disables, enables and deletes a client, and records who did', async () => {
    const { call, clientId: machineId } = await connectMachine()
    const client_id = newId()
    const path = `/clients/${client_id}`

    const created = await readResponse<{ client: ClientResponse; client_secret: string }>(
      await call('/clients', { method: 'POST', body: { client_id, ...APP } }),
      'createClient',
    )
    issuedSecrets.add(created.client_secret)
    expect(created.client).toMatchObject({ client_id, ...APP, source: 'database', secret_count: 1 })
    expect(JSON.stringify(created.client)).not.toContain('sha256')
    expect(await lastAuditEntry(client_id)).toMatchObject({
      event: 'client_created',
      actor: `client:${machineId}`,
    })

    const read = await readResponse<ClientResponse>(await call(path), 'getClient')
    expect(read).toEqual(created.client)

    const changes = { client_name: null, redirect_uris: ['https://app.example/other'] }
    const patched = await readResponse<ClientResponse>(
      await call(path, { method: 'PATCH', body: changes }),
      'updateClient',
    )
    expect(patched.redirect_uris).toEqual(['https://app.example/other'])
    expect(patched.client_name).toBeUndefined()

    const disable = () => call(`${path}/disable`, { method: 'POST' })
    const disabled = await readResponse<ClientResponse>(await disable(), 'disableClient')
    expect(disabled.disabled_at).toBeTypeOf('number')
    expect((await disable()).status).toBe(200)
    const enabled = await call(`${path}/enable`, { method: 'POST' })
    expect(await readResponse(enabled, 'enableClient')).not.toHaveProperty('disabled_at')

    const remove = () => call(path, { method: 'DELETE' })
    expect((await remove()).status).toBe(204)
    expect((await remove()).status).toBe(204)
    expect((await call(path)).status).toBe(404)
  })

  it('[O3] rotates a secret with two valid at once', async () => {
    const { call } = await connectMachine()
    const client_id = newId()
    await call('/clients', { method: 'POST', body: { client_id, ...APP } })
    const path = `/clients/${client_id}`

    const { client_secret } = await readResponse<{ client_secret: string }>(
      await call(`${path}/rotate-secret`, { method: 'POST' }),
      'rotateClientSecret',
    )
    issuedSecrets.add(client_secret)

    const both = await readResponse<ClientResponse>(await call(path), 'getClient')
    expect(both.secret_count).toBe(2)
    const one = await readResponse<ClientResponse>(
      await call(`${path}/remove-former-secret`, { method: 'POST' }),
      'removeFormerClientSecret',
    )
    expect(one.secret_count).toBe(1)
  })

  it('accepts a merge patch under its own media type (RFC 7396)', async () => {
    const { call } = await connectMachine()
    const client_id = newId()
    await call('/clients', { method: 'POST', body: { client_id, ...APP } })

    const response = await call(`/clients/${client_id}`, {
      method: 'PATCH',
      body: '{"client_name":"Another name"}',
      headers: { 'Content-Type': 'application/merge-patch+json' },
    })

    expect((await response.json<ClientResponse>()).client_name).toBe('Another name')
  })

  it.each([
    ['with an empty list of secrets', { client_secrets_sha256: [] }, 1],
    ['that is native', { application_type: 'native', redirect_uris: ['com.app:/cb'] }, 0],
  ])('creates a client %s', async (_, fields, secretCount) => {
    const { call } = await connectMachine()
    const body = { client_id: newId(), ...APP, ...fields }

    const response = await call('/clients', { method: 'POST', body })

    const { client, client_secret } = await response.json<{
      client: { secret_count: number; token_endpoint_auth_method?: string }
      client_secret?: string
    }>()
    if (client_secret) issuedSecrets.add(client_secret)
    expect([client.secret_count, client_secret !== undefined]).toEqual([
      secretCount,
      secretCount > 0,
    ])
    expect(client.token_endpoint_auth_method === 'none').toBe(secretCount === 0)
  })

  it('copies a public client of the settings, which stays public, and is enabled again', async () => {
    const copied = { client_id: newId(), ...APP }
    const service = serviceWith({ CLIENTS: [...registeredClients, copied] })
    const { call } = await connectMachine({}, service)
    const copy = () => call('/clients', { method: 'POST', body: copied })
    expect((await copy()).status).toBe(201)
    await env.DIRECTORY.prepare('UPDATE clients SET disabled_at = 1 WHERE client_id = ?')
      .bind(copied.client_id)
      .run()
    expect((await copy()).status).toBe(201)

    const { call: later } = await connectMachine()

    const client = await (await later(`/clients/${copied.client_id}`)).json()
    expect(client).toMatchObject({ token_endpoint_auth_method: 'none', secret_count: 0 })
    expect(client).not.toHaveProperty('disabled_at')
  })

  it('lists clients by page', async () => {
    const { call } = await connectMachine()
    const ids: string[] = []
    let cursor: string | undefined
    do {
      const query = new URLSearchParams({ limit: '3', ...(cursor && { cursor }) })
      const page = await readResponse<{ items: ClientResponse[]; next_cursor?: string }>(
        await call(`/clients?${query}`),
        'listClients',
      )
      expect(page.items.length).toBeLessThanOrEqual(3)
      ids.push(...page.items.map(({ client_id }) => client_id))
      cursor = page.next_cursor
    } while (cursor)

    expect(ids.slice(0, 2)).toEqual(['shop', 'kiosk'])
    expect(new Set(ids).size).toBe(ids.length)
    // Other tests may have created more.
    const first = await call('/clients?limit=200')
    const { items } = await first.json<{ items: ClientResponse[] }>()
    expect(ids.slice(0, 200)).toEqual(items.map(({ client_id }) => client_id))
  })

  it.each<[string, unknown, string]>([
    ['no client_id', APP, 'client_id is missing.'],
    ['an unknown field', { client_id: 'x', ...APP, colour: 1 }, 'colour does not exist'],
    ['a bad address', { client_id: 'x', redirect_uris: ['x'] }, 'redirect_uris.0 must be'],
  ])('rejects a registration with %s', async (_, body, problem) => {
    const { call } = await connectMachine()

    const response = await call('/clients', { method: 'POST', body })

    expect(response.status).toBe(400)
    expect((await readProblem(response)).problems?.map(formatProblem).join()).toContain(problem)
  })

  it('rejects a client that exists, or that is in the settings', async () => {
    const { call } = await connectMachine()
    const client_id = newId()
    const body = { client_id, ...APP }
    await call('/clients', { method: 'POST', body })

    const again = await call('/clients', { method: 'POST', body })
    const configured = await call('/clients/shop', { method: 'PATCH', body: { client_name: 'x' } })

    expect(again.status).toBe(409)
    expect((await readProblem(again)).detail).toContain('already exists')
    expect(configured.status).toBe(409)
    expect((await readProblem(configured)).detail).toContain('settings')
  })

  it('does not find an unknown client', async () => {
    const { call } = await connectMachine()

    for (const [method, action] of [
      ['GET', ''],
      ['PATCH', ''],
      ['POST', '/disable'],
      ['POST', '/rotate-secret'],
    ] as const) {
      const body = method === 'PATCH' ? { body: {} } : {}
      const response = await call(`/clients/nobody${action}`, { method, ...body })

      expect(response.status, `${method} ${action}`).toBe(404)
      await readProblem(response)
    }
  })

  it('returns a client whose users can sign in at once', async () => {
    const { call } = await connectMachine()
    const client_id = newId()
    const body = { client_id, redirect_uris: [redirectUri(client_id)] }
    const response = await call('/clients', {
      method: 'POST',
      body: { ...body, token_endpoint_auth_method: 'none' },
    })
    expect(await response.json()).not.toHaveProperty('client_secret')

    const query = new URLSearchParams({
      client_id,
      redirect_uri: redirectUri(client_id),
      response_type: 'code',
      scope: 'openid',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    })
    const page = await new Browser(serviceWith({})).get(`/oidc/authorize?${query}`)

    expect(await errorCode(page)).toBeUndefined()
    expect(page.status).toBe(303)
  })
})

describe('/admin/api/apis', () => {
  it('creates, reads, changes and deletes an API by its URL-encoded identifier', async () => {
    const { call } = await connectMachine()
    const identifier = `https://${newId('api')}.example/v1?x=1`
    const path = `/apis/${encodeURIComponent(identifier)}`
    const scopes = [{ name: 'stock:read', description: 'Read the stock.' }]

    const created = await readResponse<{ api: object }>(
      await call('/apis', { method: 'POST', body: { identifier, name: 'Stock', scopes } }),
      'createApi',
    )
    expect(created.api).toMatchObject({ identifier, name: 'Stock', scopes, source: 'database' })
    expect(await readResponse(await call(path), 'getApi')).toEqual(created.api)
    const patched = await call(path, { method: 'PATCH', body: { name: 'Stock API' } })
    expect(await readResponse(patched, 'updateApi')).toMatchObject({ name: 'Stock API' })
    const list = await readResponse<{ items: { identifier: string }[] }>(
      await call('/apis'),
      'listApis',
    )
    expect(list.items.map((api) => api.identifier)).toContain(identifier)
    expect((await call(path, { method: 'DELETE' })).status).toBe(204)
    expect((await call(path)).status).toBe(404)
  })

  it('rejects an invalid registration with all problems', async () => {
    const { call } = await connectMachine()
    const body = { identifier: 'https://a.example', scopes: [{ name: 'openid' }] }

    const response = await call('/apis', { method: 'POST', body })

    expect(response.status).toBe(400)
    expect((await readProblem(response)).problems?.map(formatProblem).join()).toContain(
      'scopes.0.name',
    )
  })
})

interface UserResponse {
  id: string
  accounts: { provider: string; account_id: string }[]
  sessions: { sid: string }[]
  recent_sign_ins: { event: string }[]
}

describe('/admin/api/users', () => {
  it('finds and reads a user', async () => {
    const { call } = await connectMachine()
    const { userId, handle } = await signInNewUser()

    const found = await readResponse<{ items: UserResponse[] }>(
      await call(`/users?query=${handle}`),
      'searchUsers',
    )
    const user = await readResponse<UserResponse>(await call(`/users/${userId}`), 'getUser')

    expect(found.items.map(({ id }) => id)).toEqual([userId])
    expect(user.accounts).toEqual([expect.objectContaining({ provider: 'tiktok' })])
    expect(user.sessions).toHaveLength(1)
    expect(user.recent_sign_ins[0]).toMatchObject({ event: 'sign_in', outcome: 'ok' })
  })

  it('lists users by page', async () => {
    const { call } = await connectMachine()
    await signInNewUser()
    await signInNewUser()

    const read = async (query: string) =>
      readResponse<{ items: UserResponse[]; next_cursor?: string }>(
        await call(`/users?limit=1${query}`),
        'searchUsers',
      )
    const first = await read('')
    const second = await read(`&cursor=${first.next_cursor}`)

    expect(first.items).toHaveLength(1)
    expect(second.items[0]?.id).not.toBe(first.items[0]?.id)
  })

  it('lists blocked users, and finds a user by the beginning of a verified address', async () => {
    const { call } = await connectMachine()
    const { userId } = await signInNewUser()
    const address = `prefix-${crypto.randomUUID()}@mail.example`
    await env.DIRECTORY.batch([
      env.DIRECTORY.prepare('UPDATE users SET blocked_at = 9 WHERE id = ?').bind(userId),
      env.DIRECTORY.prepare('UPDATE accounts SET verified_email = ? WHERE user_id = ?').bind(
        address,
        userId,
      ),
    ])
    const find = async (query: string) => {
      const { items } = await readResponse<{ items: UserResponse[] }>(
        await call(`/users?${query}`),
        'searchUsers',
      )
      return items.map(({ id }) => id)
    }

    expect(await find('list=blocked&limit=100')).toContain(userId)
    expect(await find(`query=${address.slice(0, 30)}`)).toEqual([userId])
    expect((await call('/users?query=a&list=blocked')).status).toBe(400)
    expect((await call('/users?list=none')).status).toBe(400)
  })

  it.each(['x', 'e30', 'WzEsMiwzXQ', '__', 'é'])(
    'lists users from the beginning with a malformed cursor: %s',
    async (cursor) => {
      const { call } = await connectMachine()

      const response = await call(`/users?limit=1&cursor=${encodeURIComponent(cursor)}`)

      await readResponse(response, 'searchUsers')
      expect(lastLogEntry()).toMatchObject({ route: '/admin/api/users' })
    },
  )

  it('blocks and unblocks a user; repeating it succeeds', async () => {
    const { call, clientId } = await connectMachine()
    const { browser, userId, handle } = await signInNewUser()
    const block = () => call(`/users/${userId}/block`, { method: 'POST' })

    expect(await readResponse(await block(), 'blockUser')).toEqual({ sessions_ended: 1 })
    expect(await readResponse(await block(), 'blockUser')).toEqual({ sessions_ended: 0 })

    expect((await browser.get('/account')).status).toBe(302)
    expect(await errorCode(await browser.signIn(handle))).toBe('user_blocked')
    expect(await lastAuditEntry(userId)).toMatchObject({ subject: userId })
    expect((await call(`/users/${userId}/unblock`, { method: 'POST' })).status).toBe(204)
    expect(await lastAuditEntry(userId)).toMatchObject({
      event: 'user_unblocked',
      actor: `client:${clientId}`,
    })
    await browser.signIn(handle)
    expect((await browser.get('/account')).status).toBe(200)
  })

  it('blocks a user for a reason, which is erased with the user', async () => {
    const { call } = await connectMachine()
    const { userId } = await signInNewUser()
    const reason = `Reason ${crypto.randomUUID()}`
    const block = (body: unknown) =>
      call(`/users/${userId}/block`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })

    expect((await block({ reason: 'x'.repeat(201) })).status).toBe(400)
    expect((await block({ reasons: 'x' })).status).toBe(400)
    expect((await block({ reason })).status).toBe(200)

    const user = await readResponse<UserResponse>(await call(`/users/${userId}`), 'getUser')
    expect(user).toMatchObject({ block_reason: reason })
    await call(`/users/${userId}`, { method: 'DELETE' })
    const { results: tables } = await env.DIRECTORY.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'",
    ).all<{ name: string }>()
    for (const { name } of tables) {
      const { results } = await env.DIRECTORY.prepare(`SELECT * FROM ${name}`).all()
      expect(JSON.stringify(results), name).not.toContain(reason)
    }
  })

  it('[O11] reports that a block may be incomplete, and completes it when it is repeated', async () => {
    const { call, token } = await connectMachine()
    const { userId } = await signInNewUser()
    const path = `/users/${userId}`
    const readIncomplete = async () =>
      (await readResponse<{ is_block_incomplete: boolean }>(await call(path), 'getUser'))
        .is_block_incomplete
    expect(await readIncomplete()).toBe(false)

    const service = serviceWith({ USERS: failingToBlock(userId) })
    const failed = await callApi(`${path}/block`, { method: 'POST', token, service })

    expect(failed.status).toBe(503)
    expect((await readProblem(failed)).detail).toContain('may be incomplete')
    expect(await readIncomplete()).toBe(true)
    expect((await call(`${path}/block`, { method: 'POST' })).status).toBe(200)
    expect(await readIncomplete()).toBe(false)
  })

  it('[L14] ends one session, or all of them', async () => {
    const { call } = await connectMachine()
    const { browser, userId, handle } = await signInNewUser()
    const other = new Browser()
    await other.signIn(handle)
    const path = `/users/${userId}`
    const user = await (await call(`/users/${userId}`)).json<UserResponse>()
    const sid = user.sessions[0]?.sid

    const endOne = () => call(`${path}/sessions/${sid}/end`, { method: 'POST' })
    expect(await (await endOne()).json()).toEqual({ sessions_ended: 1 })
    expect(await (await endOne()).json()).toEqual({ sessions_ended: 0 })
    const statuses = await Promise.all([browser, other].map((one) => one.get('/account')))
    expect(statuses.map(({ status }) => status).toSorted()).toEqual([200, 302])
    expect((await call(`${path}/end-sessions`, { method: 'POST' })).status).toBe(200)
    expect((await browser.get('/account')).status).toBe(302)
    expect((await other.get('/account')).status).toBe(302)
  })

  it('[D7] revokes the access of one client to a user, and of no other', async () => {
    const { call, clientId } = await connectMachine()
    const { browser, userId } = await signInNewUser()
    const kiosk = new RelyingApp('kiosk')
    const web = new RelyingApp('web')
    const consentPage = await browser.get(await kiosk.authorizationUrl(OFFLINE_ACCESS))
    const callback = redirectUrl(await approveConsent(browser, consentPage))
    const { refresh_token: token = '' } = await kiosk.exchange(callback)
    const { refresh_token: otherToken = '' } = await web.tokens(browser, OFFLINE_ACCESS)
    const revoke = (client: string) =>
      call(`/users/${userId}/clients/${encodeURIComponent(client)}/revoke`, { method: 'POST' })

    expect((await revoke('kiosk')).status).toBe(204)

    expect(await lastAuditEntry(userId)).toMatchObject({
      event: 'consent_withdrawn',
      actor: `client:${clientId}`,
      client: 'kiosk',
    })
    await expect(kiosk.refresh(token)).rejects.toMatchObject({ error: 'invalid_grant' })
    const { refresh_token: nextToken = '' } = await web.refresh(otherToken)
    expect((await browser.get('/account')).status).toBe(200)
    expect(await userObject(userId).readUserData()).toMatchObject({ consents: [] })
    for (const client of ['kiosk', 'unknown', 'https://agent.example/client.json']) {
      const response = await revoke(client)
      expect(response.status).toBe(409)
      expect((await readProblem(response)).detail).toContain(client)
    }
    expect((await revoke('web')).status).toBe(204)
    await expect(web.refresh(nextToken)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it('[L14] removes a way to sign in that the user has lost, but not the last one', async () => {
    const { call } = await connectMachine()
    const { browser, userId, handle, authenticator } = await createPasskeyUser()
    await browser.signIn(handle, { prompt: 'login' })
    const { accounts } = await (await call(`/users/${userId}`)).json<UserResponse>()
    const remove = (provider = '', accountId = '') =>
      call(`/users/${userId}/accounts/${provider}:${accountId}/remove`, { method: 'POST' })

    expect((await remove('passkey', 'other')).status).toBe(404)
    expect((await remove('passkey', authenticator.credentialId)).status).toBe(204)
    expect(await lastAuditEntry(userId)).toMatchObject({ event: 'account_unlinked' })
    expect(await userObject(userId).listPasskeys()).toEqual([])
    expect((await browser.get('/account')).status).toBe(302)
    await browser.signIn(handle, { prompt: 'login' })
    expect((await browser.get('/account/link')).status).toBe(200)
    const { provider, account_id } = accounts[0] ?? {}
    expect((await remove(provider, account_id)).status).toBe(409)
    expect((await browser.get('/account')).status).toBe(200)
  })

  it('exports a user, which is recorded', async () => {
    const { call } = await connectMachine()
    const { userId } = await signInNewUser()

    const exported = await readResponse(await call(`/users/${userId}/export`), 'exportUser')

    expect(JSON.stringify(exported)).toContain(userId)
    expect(await lastAuditEntry(userId)).toMatchObject({ event: 'user_exported' })
  })

  it('[S10] deletes a user; repeating it succeeds', async () => {
    const { call } = await connectMachine()
    const { browser, userId } = await signInNewUser()
    const remove = () => call(`/users/${userId}`, { method: 'DELETE' })

    expect((await remove()).status).toBe(204)
    expect((await remove()).status).toBe(204)
    expect((await browser.get('/account')).status).toBe(302)
    expect((await call(`/users/${userId}`)).status).toBe(404)
  })

  it('[S10] reports the deletion of a user to the deployment, once', async () => {
    const deleted: unknown[] = []
    const events: Events = { deleteUser: ({ user, reason }) => deleted.push({ user, reason }) }
    const service = serviceOf(createVestibule({ ...options, events }))
    const { call } = await connectMachine({}, service)
    const { userId } = await signInNewUser()

    await call(`/users/${userId}`, { method: 'DELETE' })
    await call(`/users/${userId}`, { method: 'DELETE' })

    const expected = [{ user: { id: userId }, reason: 'administrator' }]
    await vi.waitFor(() => expect(deleted).toEqual(expected))
  })

  it('does not find an unknown user', async () => {
    const { call } = await connectMachine()

    for (const [method, action] of [
      ['GET', ''],
      ['GET', '/export'],
      ['POST', '/block'],
      ['POST', '/unblock'],
      ['POST', '/end-sessions'],
      ['POST', '/sessions/ses_none/end'],
    ] as const) {
      expect((await call(`/users/usr_nobody${action}`, { method })).status).toBe(404)
    }
  })

  it('imports lines of JSON, and reports those that it cannot import', async () => {
    const { call } = await connectMachine()
    const handle = await createPlatformUser()
    const body = [
      JSON.stringify({
        provider: 'tiktok',
        provider_account_id: `imported-${handle}`,
        name: 'Im Port',
      }),
      'not JSON',
      '{"provider":"tiktok"}',
      '',
    ].join('\n')
    const request = { method: 'POST', body, headers: { 'Content-Type': 'application/x-ndjson' } }

    const result = await readResponse(await call('/users/import', request), 'importUsers')

    expect(result).toMatchObject({ imported: 1, existing: 0 })
    expect(result).toHaveProperty('problems.0.line', 2)
    expect(result).toHaveProperty('problems.1.line', 3)
    const again = await readResponse(await call('/users/import', request), 'importUsers')
    expect(again).toMatchObject({ imported: 0, existing: 1 })
  })

  it('[R5] imports up to 1 MiB, and no more', async () => {
    const { call } = await connectMachine()
    const headers = { 'Content-Type': 'application/x-ndjson' }
    const line = `{"x":"${'y'.repeat(1000)}"}\n`
    const send = (body: string, path = '/users/import') =>
      call(path, { method: 'POST', body, headers })

    expect((await send(line.repeat(900))).status).toBe(200)
    const tooLarge = await send(line.repeat(1100))
    expect(tooLarge.status).toBe(413)
    await readProblem(tooLarge)
    expect((await send(line.repeat(20), '/clients')).status).toBe(413)
  })

  it('[R5] imports up to 1,000 lines, and nothing of a body with more', async () => {
    const { call } = await connectMachine()
    const id = `imported-${crypto.randomUUID()}`
    const line = `${JSON.stringify({ provider: 'tiktok', provider_account_id: id })}\n`
    const headers = { 'Content-Type': 'application/x-ndjson' }
    const send = (body: string) => call('/users/import', { method: 'POST', body, headers })

    const tooMany = await send(line.repeat(1001))

    expect(tooMany.status).toBe(413)
    expect((await readProblem(tooMany)).detail).toContain('1000 lines')
    const result = await readResponse(await send(line.repeat(1000)), 'importUsers')
    expect(result).toMatchObject({ imported: 1, existing: 999, problems: [] })
  })
})

describe('/admin/api/keys', () => {
  it('lists the keys without their private parts', async () => {
    const { call } = await connectMachine()

    const { keys } = await readResponse<{ keys: { kid: string; state: string }[] }>(
      await call('/keys'),
      'listKeys',
    )

    expect(keys.some(({ state }) => state === 'active')).toBe(true)
    // The ids are random, and could contain any of these.
    expect(JSON.stringify(keys.map(({ kid: _, ...key }) => key))).not.toMatch(/jwk|"d"|sealed/i)
  })

  it('revokes keys, after which tokens that they signed are rejected', async () => {
    const { call, token } = await connectMachine()

    const response = await call('/keys/revoke', { method: 'POST' })

    await readResponse(response, 'revokeKeys')
    expect((await callApi('/keys', { token })).status).toBe(404)
  })

  it('does not rotate to keys that were just published', async () => {
    const { call } = await connectMachine()
    await call('/keys/revoke', { method: 'POST' })
    const next = await connectMachine()

    const response = await next.call('/keys/rotate', { method: 'POST' })

    expect(response.status).toBe(409)
    expect((await readProblem(response)).detail).toContain('rotate after')
  })
})

describe('/admin/api/audit, /counts, /metrics and /readiness', () => {
  it('lists entries that match, by page', async () => {
    const { call } = await connectMachine()
    const { userId, handle, browser } = await signInNewUser()
    await browser.signIn(handle)
    const read = async (query: Record<string, string>) =>
      readResponse<{
        items: { id: string; event: string; subject: string }[]
        next_cursor?: string
      }>(await call(`/audit?${new URLSearchParams(query)}`), 'listAuditEntries')

    const filter = { subject: userId, event: 'sign_in', limit: '1' }
    const first = await read(filter)
    const second = await read({ ...filter, cursor: first.next_cursor ?? '' })

    expect(first.items).toEqual([expect.objectContaining({ subject: userId, event: 'sign_in' })])
    expect(second.items).toHaveLength(1)
    expect(second.items[0]?.id).not.toBe(first.items[0]?.id)
    expect((await read({ subject: userId, until: '1' })).items).toEqual([])
  })

  it('lists entries from a time on, until another one that is not included', async () => {
    const { call } = await connectMachine()
    const subject = newId()
    setClock(Math.floor(Date.now() / 1000))
    await recordAuditEntry(env, config, { event: 'keys_rotated', actor: 'service', subject })
    const now = Date.now() / 1000
    const count = async (query: object) => {
      const response = await call(`/audit?${new URLSearchParams({ subject, ...query })}`)
      return (await response.json<{ items: unknown[] }>()).items.length
    }

    expect(await count({ since: `${now}`, until: `${now + 1}` })).toBe(1)
    expect(await count({ since: `${now + 1}` })).toBe(0)
    expect(await count({ until: `${now}` })).toBe(0)
  })

  it('describes entries with the sentences of the console, and why sign-ins failed', async () => {
    const { call } = await connectMachine()
    const { userId } = await signInNewUser()
    const record = { actor: userId, subject: userId, provider: 'tiktok' } as const
    await env.DIRECTORY.prepare('UPDATE users SET name = ? WHERE id = ?')
      .bind('Zoe\u202e Walker', userId)
      .run()
    await recordAuditEntry(env, config, {
      event: 'sign_in',
      ...record,
      outcome: 'attempt_missing',
      client: 'nobody',
    })
    const client = newId()
    await call('/clients', { method: 'POST', body: { client_id: client, ...APP } })
    await call(`/clients/${client}/disable`, { method: 'POST' })
    const actor = `client:${client}`
    await recordAuditEntry(env, config, {
      event: 'code_reused',
      actor,
      subject: 'usr_gone',
      client,
    })
    const find = async (query: Record<string, string>) => {
      const response = await call(`/audit?${new URLSearchParams(query)}`)
      const { items } = await readResponse<{ items: object[] }>(response, 'listAuditEntries')
      return items
    }

    expect(await find({ subject: userId, event: 'sign_in' })).toMatchObject([
      {
        outcome: 'attempt_missing',
        sentence: 'Zoe Walker could not sign in to nobody with TikTok',
        reason: 'Returned in another browser, or too late',
      },
      { outcome: 'ok', sentence: expect.stringMatching(/^Zoe Walker signed in .*with TikTok$/) },
    ])
    expect(await find({ subject: 'usr_gone', limit: '1' })).toMatchObject([
      {
        sentence: 'A code of a deleted user was used twice by An app',
        is_warning: true,
      },
    ])
  })

  it('finds entries by reference, outcome, actor, provider and IP address', async () => {
    const { call } = await connectMachine()
    const subject = crypto.randomUUID()
    const actor = newId('actor')
    await recordAuditEntry(env, config, {
      event: 'sign_in',
      outcome: 'access_denied',
      actor,
      subject,
      provider: 'gitlab',
      network: '2001:db8:12::/48',
      requestId: '7KQ2M-X4RTB',
    })
    await recordAuditEntry(env, config, { event: 'sign_in', actor: 'anonymous', subject })
    const find = async (query: Record<string, string>) => {
      const response = await call(`/audit?${new URLSearchParams({ subject, ...query })}`)
      const { items } = await response.json<{ items: { actor: string }[] }>()
      return items.map((entry) => entry.actor)
    }

    expect(await find({})).toHaveLength(2)
    for (const [name, values] of Object.entries({
      request_id: ['7KQ2M-X4RTB', '7kq2m x4rtb'],
      outcome: ['access_denied', 'failed'],
      actor: [actor],
      provider: ['gitlab'],
      network: ['2001:db8:12::/48', '2001:DB8:0012:3456::1', '2001:db8:12:3::/48'],
    })) {
      for (const value of values) expect(await find({ [name]: value }), value).toEqual([actor])
      const other = name === 'network' ? '203.0.113.7' : 'other'
      expect(await find({ [name]: other }), name).toEqual([])
    }
  })

  it('reads only the entries of about the time of a reference', async () => {
    const requestedAt = Math.floor(Date.now() / 1000) - 20 * DAY
    const subject = newId('subject')
    setClock(requestedAt)
    const requestId = createReference()
    advanceClock(5 * MINUTE)
    await recordAuditEntry(env, config, {
      event: 'sign_in',
      actor: 'anonymous',
      subject,
      requestId,
    })
    await insertEntries(2000, requestedAt + 2 * HOUR)
    advanceClock(DAY)
    let rowsRead = 0
    const DIRECTORY = countRowsRead((rows) => {
      rowsRead += rows
    })
    const { call } = await connectMachine({}, serviceWith({ DIRECTORY }))

    for (const [reference, subjects] of [
      [requestId, [subject]],
      [requestId.replaceAll('-', '').toLowerCase(), [subject]],
      ['not a reference', []],
    ] as const) {
      rowsRead = 0
      const response = await call(`/audit?${new URLSearchParams({ request_id: reference })}`)
      const { items } = await response.json<{ items: { subject: string }[] }>()

      expect(items.map((entry) => entry.subject)).toEqual(subjects)
      expect(rowsRead).toBeLessThan(500)
    }
  })

  it('counts sign-ins per hour', async () => {
    const { call } = await connectMachine()
    await signInNewUser()

    const { items } = await readResponse<{ items: object[] }>(await call('/counts'), 'getCounts')

    expect(items).toContainEqual(expect.objectContaining({ provider: 'tiktok', outcome: 'ok' }))
    expect(await (await call('/counts?since=99999999999')).json()).toEqual({ items: [] })
    const hour = Math.floor(Date.now() / 1000 / HOUR) * HOUR
    const ofHour = await (await call(`/counts?since=${hour}`)).json<{ items: object[] }>()
    expect(ofHour.items).toContainEqual(expect.objectContaining({ hour, provider: 'tiktok' }))
  })

  it("[O7] exports metrics in Prometheus' text format, with escaped labels", async () => {
    const { call } = await connectMachine()
    await signInNewUser()
    const hour = Math.floor(Date.now() / 3_600_000) * 3600
    await env.DIRECTORY.prepare("INSERT INTO counters VALUES (?, ?, '', 'x', 1, 0)")
      .bind(hour, `a"b\\c\n${crypto.randomUUID()}`)
      .run()

    const response = await call('/metrics')

    expect(response.headers.get('Content-Type')).toMatch(/^text\/plain/)
    const text = await response.text()
    expect(text).toMatch(
      /^vestibule_sign_ins_total\{provider="tiktok",client="",outcome="ok"\} \d+$/m,
    )
    expect(text).toContain('provider="a\\"b\\\\c\\n')
    expect(text).toMatch(/^vestibule_key_age_seconds\{kid="[\w-]+",alg="ES256"\} \d+$/m)
    expect(text).toMatch(/^vestibule_ready\{check="D1"\} 1$/m)
    expect(text).toContain(`\nvestibule_build_info{version="${packageVersion}"} 1\n`)
    for (const line of text.trimEnd().split('\n')) {
      expect(line).toMatch(/^(# (HELP|TYPE) vestibule_\w+ .+|vestibule_\w+\{.*\} \d+(\.\d+)?)$/)
    }
  })

  it('reports the version and what is ready', async () => {
    const { call } = await connectMachine()

    const { version, checks } = await readResponse<{
      version: string
      checks: { name: string; ready: boolean }[]
    }>(await call('/readiness'), 'getReadiness')

    expect(version).toBe(packageVersion)
    expect(checks).toContainEqual(expect.objectContaining({ name: 'D1', ready: true }))
  })
})

describe('an invalid request to the admin API', () => {
  it.each([
    '/clients?limit=0',
    '/clients?limit=201',
    '/users?limit=101',
    '/clients?limit=x',
    '/clients?limit=1.5',
    '/clients?limit=1&limit=2',
    '/clients?cursor=x',
    '/clients?colour=red',
    '/audit?since=yesterday',
    '/audit?since=-1',
    '/audit?event=signin',
    '/audit?network=203.0.113',
    '/audit?network=203.0.113.256',
    '/audit?network=10.0.0.0/8',
    '/audit?network=2001:db8:::',
  ])('is rejected: %s', async (path) => {
    const { call } = await connectMachine()

    const response = await call(path)

    expect(response.status).toBe(400)
    const { detail, problems = [] } = await readProblem(response)
    expect([detail, ...problems.map(formatProblem)].join(' ')).toMatch(
      /limit|cursor|colour|since|event must be sign_in|network must be/,
    )
  })

  it.each([
    ['text/plain', '{}', 415],
    ['application/x-www-form-urlencoded', 'a=1', 415],
    ['application/json', '{', 400],
    ['application/json', '[]', 400],
    ['application/json', '"x"', 400],
    ['application/json', '', 400],
  ])('is rejected with the body %s %s', async (type, body, status) => {
    const { call } = await connectMachine()

    const response = await call('/clients', {
      method: 'POST',
      body,
      headers: { 'Content-Type': type },
    })

    expect(response.status).toBe(status)
    await readProblem(response)
  })

  it('is none with an empty parameter, or with the charset of a body', async () => {
    const { call } = await connectMachine()
    const headers = { 'Content-Type': 'Application/JSON; charset=utf-8' }
    const body = JSON.stringify({ client_id: newId(), ...APP, application_type: 'native' })

    expect((await call('/clients?cursor=&limit=')).status).toBe(200)
    expect((await call('/clients', { method: 'POST', body, headers })).status).toBe(201)
  })

  it.each(['/keys/rotate', '/users/usr_none/end-sessions'])(
    'is rejected with a body that the operation does not take: %s',
    async (path) => {
      const { call } = await connectMachine()

      const response = await call(path, { method: 'POST', body: { sid: 'x', revoke: true } })

      expect(response.status).toBe(400)
      expect((await readProblem(response)).detail).toBe('The operation takes no body.')
    },
  )

  it('[R7] with a prototype as a field name changes nothing', async () => {
    const { call } = await connectMachine()
    const headers = { 'Content-Type': 'application/json' }
    const body = '{"__proto__":{"client_id":"x"},"constructor":1}'

    const response = await call('/clients', { method: 'POST', body, headers })

    expect(response.status).toBe(400)
    expect(({} as Record<string, unknown>)['client_id']).toBeUndefined()
  })

  it('[O11] fails with 503 while storage does not respond, and with a reference', async () => {
    const { token } = await connectMachine()
    const directory = new Proxy(env.DIRECTORY, {
      get() {
        throw new Error('D1_ERROR: no response')
      },
    })

    const response = await callApi('/users', {
      token,
      service: serviceWith({ DIRECTORY: directory }),
    })

    expect(response.status).toBe(503)
    expect(response.headers.get('Retry-After')).toBe('10')
    const { detail } = await readProblem(response)
    expect(detail).not.toContain('D1_ERROR')
  })
})
