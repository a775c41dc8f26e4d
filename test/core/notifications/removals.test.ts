import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { recordAuditEntry } from '../../../src/core/audit/audit-log.ts'
import { readUserRows } from '../../../src/core/users/linked-accounts.ts'
import { isSignatureValid } from '../../../src/providers/tiktok/signature.ts'
import { Browser, logLines, serviceWith, standIn } from '../../browser.ts'
import { advanceClock, MINUTE, setClock } from '../../clock.ts'
import { RelyingApp } from '../../core/oidc/relying-app.ts'
import { readConfig } from '../../deployment.ts'
import { startLinking } from '../../link-account.ts'
import { createPlatformUser, signInNewUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { forbidden, userObject } from '../../storage.ts'
import { createWebhook, deliver, signWebhook } from '../../webhook-delivery.ts'

const CLIENT_KEY = env.AUTH_TIKTOK_ID

/** Gives a user another account, of a provider that the deployment does not have any more. */
async function addOtherProvider(userId: string): Promise<void> {
  await env.DIRECTORY.prepare(
    `INSERT INTO accounts (provider, issuer, provider_account_id, user_id, client_id, created_at, updated_at)
     VALUES ('gitlab', '', ?1, ?1, 'git-client', 0, 0)`,
  )
    .bind(userId)
    .run()
}

afterEach(async () => {
  await standIn.post('switches', {
    webhookSignature: 'right',
    webhookTimestamp: 'now',
    webhookBody: 'as-signed',
    webhookClientKey: 'own',
  })
})

describe('authorization.removed', () => {
  it.each([
    ['unknown', 0],
    ['disconnected', 1],
    ['age-changed', 3],
    ['account-banned', 4],
    ['revoked', 5],
  ])(
    'with reason %s ends all sessions and grants, and notifies the apps',
    async (reason, number) => {
      const { browser, handle, userId } = await signInNewUser()
      const app = new RelyingApp()
      const tokens = await app.tokens(browser, { scope: 'openid profile offline_access' })
      const secondBrowser = new Browser()
      await secondBrowser.signIn(handle)

      const response = await deliver(await createWebhook(handle, { reason }))

      expect(response.status).toBe(200)
      expect([await browser.session(), await secondBrowser.session()]).toEqual([null, null])
      expect(await browser.json('/api/auth/session?token=false')).toBeNull()
      await expect(app.refresh(tokens.refresh_token ?? '')).rejects.toMatchObject({
        error: 'invalid_grant',
      })
      expect(logLines.some((line) => line.includes(`"reason":${number}`))).toBe(true)
      await vi.waitFor(async () => {
        const response = await fetch('https://told.example/received')
        const notifications = await response.json<{ body: string }[]>()
        const subjects = notifications.map(({ body }) => {
          const logoutToken = new URLSearchParams(body).get('logout_token') ?? ''
          return decodeJwt(logoutToken).sub
        })
        expect(subjects).toContain(userId)
      })
    },
  )

  it('of a deleted account removes the user', async () => {
    const { browser, handle, userId } = await signInNewUser()

    expect((await deliver(await createWebhook(handle, { reason: 'account-deleted' }))).status).toBe(
      200,
    )

    expect(await browser.session()).toBeNull()
    const users = await env.DIRECTORY.prepare('SELECT id FROM users WHERE id = ?')
      .bind(userId)
      .all()
    const accounts = await env.DIRECTORY.prepare('SELECT 1 FROM accounts WHERE user_id = ?')
      .bind(userId)
      .all()
    expect([users.results, accounts.results]).toEqual([[], []])
  })

  it.each([
    ['removes a user whose other account is an id of the same account in another app', 'union_id'],
    ['does not remove a user with another account', "'another account'"],
  ])('of a deleted account %s', async (_, unionId) => {
    const { handle, userId } = await signInNewUser()
    await env.DIRECTORY.prepare(
      `INSERT INTO accounts (provider, issuer, provider_account_id, user_id, client_id, union_id, created_at, updated_at)
       SELECT provider, issuer, ?2, user_id, 'another app', ${unionId}, 0, 0 FROM accounts WHERE user_id = ?1`,
    )
      .bind(userId, crypto.randomUUID())
      .run()

    await deliver(await createWebhook(handle, { reason: 'account-deleted' }))

    const user = await readUserRows(env, userId)
    expect(user === undefined).toBe(unionId === 'union_id')
  })

  it('does not prevent a new sign-in as the same user', async () => {
    const { browser, handle, userId } = await signInNewUser()
    await deliver(await createWebhook(handle, { reason: 'disconnected' }))

    await browser.signIn(handle)

    expect((await browser.session())?.user.id).toBe(userId)
  })

  it.each([
    ['only this account', async () => {}],
    ['an account of another provider', addOtherProvider],
  ])(
    'may be delivered again, and does not end a session that was opened after the event: %s',
    async (_, addAccount) => {
      const { browser, handle, userId } = await signInNewUser()
      await addAccount(userId)
      const webhook = await createWebhook(handle, { reason: 'disconnected' })
      await deliver(webhook)
      expect((await deliver(webhook)).status).toBe(200)
      // Longer than the tolerance for clocks that differ.
      advanceClock(2 * MINUTE)
      await browser.signIn(handle)
      const sid = await browser.sid()

      const response = await deliver(webhook)

      expect(response.status).toBe(200)
      expect(await browser.sid()).toBe(sid ?? 'open')
    },
  )

  it('ends the sessions of a user who has signed in with another account since', async () => {
    const { browser, handle } = await signInNewUser()
    const other = await createPlatformUser()
    await browser.get(
      await browser.approve(redirectUrl(await startLinking(browser, 'tiktok')), other),
    )
    const webhook = await createWebhook(handle, { reason: 'disconnected' })
    advanceClock(2 * MINUTE)
    await new Browser().signIn(other)

    await deliver(webhook)

    expect(await browser.session()).toBeNull()
  })

  it('ends the sessions of a user who has signed in with another provider since', async () => {
    const { browser, handle, userId } = await signInNewUser()
    const webhook = await createWebhook(handle, { reason: 'disconnected' })
    advanceClock(2 * MINUTE)
    const entry = { actor: userId, subject: userId, provider: 'gitlab' }
    await recordAuditEntry(env, readConfig(env), { ...entry, event: 'sign_in' })

    await deliver(webhook)

    expect(await browser.session()).toBeNull()
  })

  it('ends the sessions of a user who has only cancelled at the platform since', async () => {
    const { browser, handle } = await signInNewUser(new Browser(serviceWith({})))
    const webhook = await createWebhook(handle, { reason: 'disconnected' })
    advanceClock(2 * MINUTE)
    const authorization = redirectUrl(await startLinking(browser, 'tiktok'))
    await browser.get(await browser.approve(authorization, handle, 'deny'))

    await deliver(webhook)

    expect(await browser.session()).toBeNull()
  })

  it('of a deleted account does not remove a user who has signed in and out since', async () => {
    const { browser, handle, userId } = await signInNewUser()
    const webhook = await createWebhook(handle, { reason: 'account-deleted' })
    await standIn.post('users', { handle, standing: 'good' })
    advanceClock(2 * MINUTE)
    await browser.signIn(handle)
    await browser.post('/api/auth/signout', {})

    await deliver(webhook)

    expect(await readUserRows(env, userId)).toBeDefined()
  })

  it('of an unknown account is accepted', async () => {
    const { handle } = await signInNewUser()
    await env.DIRECTORY.prepare('DELETE FROM accounts').run()

    expect((await deliver(await createWebhook(handle, { reason: 'disconnected' }))).status).toBe(
      200,
    )
  })

  it('[Q6] is rejected with 503 while storage is down, so that the platform delivers it again', async () => {
    const { browser, handle } = await signInNewUser()
    const webhook = await createWebhook(handle, { reason: 'disconnected' })
    const storageDown = serviceWith({ USERS: forbidden('USERS') })

    expect((await deliver(webhook, storageDown)).status).toBe(503)
    expect(await browser.session()).not.toBeNull()
    expect((await deliver(webhook)).status).toBe(200)
    expect(await browser.session()).toBeNull()
  })

  it('[Q7] is written to storage before the response', async () => {
    const { handle, userId } = await signInNewUser()

    await deliver(await createWebhook(handle, { reason: 'disconnected' }))

    const remaining = await runInDurableObject(
      userObject(userId),
      (_, { storage: { kv, sql } }) => {
        const hasGrants =
          [...sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'grants'")].length > 0
        return [
          ...kv.list({ prefix: 'session:' }),
          ...(hasGrants ? sql.exec('SELECT id FROM grants') : []),
        ]
      },
    )
    expect(remaining).toEqual([])
  })
})

describe('a webhook', () => {
  it.each([
    ['with a modified body', { webhookBody: 'tampered' }, 401],
    ['that is an hour old', { webhookTimestamp: 'old' }, 401],
    ['with the signature of another secret', { webhookSignature: 'wrong' }, 401],
    ['without a signature', { webhookSignature: 'missing' }, 401],
    ['with two signatures, one of them valid', { webhookSignature: 'several' }, 200],
    ['for another app', { webhookClientKey: 'unknown' }, 400],
  ])('%s: %o has the status %i', async (_, switches, status) => {
    const { browser, handle } = await signInNewUser()
    await standIn.post('switches', switches)

    const response = await deliver(await createWebhook(handle, { reason: 'disconnected' }))

    expect(response.status).toBe(status)
    if (status !== 200) expect(await browser.session()).not.toBeNull()
    else expect(await browser.session()).toBeNull()
  })

  it('signed with the previous secret is accepted', async () => {
    const { browser, handle } = await signInNewUser()
    const webhook = await createWebhook(handle, { reason: 'disconnected' })
    const service = serviceWith({
      AUTH_TIKTOK_SECRET: 'Zt8wQm3nRk6pVy1cLs9dHf4gXj7bTa2e',
      AUTH_TIKTOK_SECRET_1: env.AUTH_TIKTOK_SECRET,
    })

    expect((await deliver(webhook, service)).status).toBe(200)
    expect(await browser.session()).toBeNull()
  })

  it('may be older if the deployment allows it', async () => {
    const { handle } = await signInNewUser()
    await standIn.post('switches', { webhookTimestamp: 'old' })
    const webhook = await createWebhook(handle, { reason: 'disconnected' })

    const response = await deliver(webhook, serviceWith({ AUTH_TIKTOK_WEBHOOK_WINDOW: '7200' }))

    expect(response.status).toBe(200)
  })

  it.each([
    [-300, 200],
    [-301, 401],
    [300, 200],
    [301, 401],
    [365 * 24 * 3600, 401],
  ])('that was signed at %i s from now has the status %i', async (offset, status) => {
    const now = Math.floor(Date.now() / 1000)
    setClock(now)
    const { handle } = await signInNewUser()
    const { body } = await createWebhook(handle, { reason: 'disconnected' })

    const response = await deliver({ body, signature: await signWebhook(body, now + offset) })

    expect(response.status).toBe(status)
  })

  it('with more signatures than the platform sends is rejected, even if one of them is valid', async () => {
    const body = '{}'
    const [time = '', signature = ''] = (
      await signWebhook(body, Math.floor(Date.now() / 1000))
    ).split(',')
    const wrong = `s=${'0'.repeat(64)}`

    const header = [time, ...Array<string>(5).fill(wrong), signature].join(',')

    expect((await deliver({ body, signature: header })).status).toBe(401)
  })

  it('about another event is accepted and ignored', async () => {
    const { browser, handle } = await signInNewUser()

    const response = await deliver(
      await createWebhook(handle, { event: 'video.publish.completed', content: {} }),
    )

    expect(response.status).toBe(200)
    expect(await browser.session()).not.toBeNull()
  })

  it('of a megabyte is rejected', async () => {
    expect((await deliver({ body: 'x'.repeat(1_000_000), signature: 't=1,s=00' })).status).toBe(413)
  })

  it.each(['', 'x', 't=,s=', 't=1', 's=00', `t=x,s=${'0'.repeat(64)}`, 't=1;s=1', ',,,', 't=1,s='])(
    'with the signature header %j is rejected',
    async (signature) => {
      expect((await deliver({ body: '{}', signature })).status).toBe(401)
    },
  )

  it.each([
    '',
    'null',
    '[]',
    '{',
    '{"event":1}',
    '"x"',
    `{"client_key":"${CLIENT_KEY}","event":"x","create_time":1e999,"user_openid":"x"}`,
  ])('with a valid signature and the body %j is rejected', async (body) => {
    const signature = await signWebhook(body, Math.floor(Date.now() / 1000))

    expect((await deliver({ body, signature })).status).toBe(400)
  })

  it('is not found if the deployment does not use the platform', async () => {
    const service = serviceWith({
      AUTH_TIKTOK_ID: undefined,
      AUTH_TIKTOK_SECRET: undefined,
      AUTH_TIKTOK_SCOPE: undefined,
      AUTH_TIKTOK_TOKENS: undefined,
      AUTH_GITLAB_ID: 'git-client',
      AUTH_GITLAB_SECRET: 'git-secret-7Hk2',
    })

    expect((await deliver({ body: '{}', signature: '' }, service)).status).toBe(404)
  })

  it('is verified over its raw bytes: our own test vector', async () => {
    const body =
      '{"client_key":"awexamplekey0001","event":"authorization.removed","create_time":1794614400,"user_openid":"-000ExampleOpenId0000000000000000001","content":"{\\"reason\\":1}"}'
    const bytes = await new Blob([body]).arrayBuffer()
    const header = 't=1794614405,s=50f3326be5d15ba471b8b47d1761578a36316f1d718d6d28d540049ebf908fd7'
    setClock(1_794_614_405)

    expect(
      await isSignatureValid(header, bytes, {
        secrets: ['whsec_example_client_secret_000001'],
        tolerance: 300,
      }),
    ).toBe(true)
    expect(await isSignatureValid(header, bytes, { secrets: ['another'], tolerance: 300 })).toBe(
      false,
    )
  })
})
