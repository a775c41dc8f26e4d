import { env } from 'cloudflare:workers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  listAuditEntries,
  readAuditSize,
  readHourlyCounts,
} from '../../../src/administration/read-audit.ts'
import { entryIdsAt, MAX_ENTRIES, recordAuditEntry } from '../../../src/core/audit/audit-log.ts'
import { deleteUserCompletely } from '../../../src/core/users/remove-user.ts'
import { options } from '../../../src/deployment.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { accountDigests } from '../../account-digests.ts'
import {
  Browser,
  issuedSecrets,
  LOGIN,
  lastLogEntry,
  serviceOf,
  serviceWith,
  standIn,
  TOKEN_PATH,
  WITH_GITHUB,
} from '../../browser.ts'
import { advanceClock, HOUR, MINUTE, stopClock } from '../../clock.ts'
import { readConfig } from '../../deployment.ts'
import { inputValues } from '../../html.ts'
import { OWN_PAGE, startLinking } from '../../link-account.ts'
import { createPlatformUser, signInNewUser } from '../../new-user.ts'
import { redeemCode } from '../../redeem-code.ts'
import { redirectUrl } from '../../redirect.ts'
import { linkedProviders, unreachable, userObject } from '../../storage.ts'
import { createWebhook, deliver } from '../../webhook-delivery.ts'
import { OFFLINE_ACCESS, RelyingApp } from '../oidc/relying-app.ts'
import { approveConsent, shownConsent } from '../oidc/user-steps.ts'

const config = readConfig(env)
const origin = { actor: 'usr_admin', network: '192.0.2.0/24', requestId: 'ADMIN-00001' }

/** The service at an address of its own, whose requests are finished when it returns. */
const service = serviceWith({})

/** The entries about a subject, the oldest first, without ids and times. */
async function entriesAbout(subject: string) {
  const { entries } = await listAuditEntries(env, { subject, limit: 100 })
  return entries.map(({ id: _, at: __, ...entry }) => entry).reverse()
}

/** The entries of one request. */
async function entriesOf(response: Response) {
  const requestId = response.headers.get('X-Request-Id')
  const { entries } = await listAuditEntries(env, { limit: 1000 })
  return entries.filter((entry) => entry.requestId === requestId)
}

/** Of failures of strangers, only the first of its kind in an hour is recorded. */
async function forgetCounters(): Promise<void> {
  await env.DIRECTORY.exec('DELETE FROM counters')
}

describe('the audit log', () => {
  it('[O6] records a first sign-in and a later one with client, provider, network and reference', async () => {
    const handle = await createPlatformUser()
    const browser = new Browser(service)
    const headers = { 'CF-Connecting-IP': '203.0.113.77' }
    const callback = async () =>
      browser.approve(await browser.start({ callbackUrl: 'https://shop.example/' }), handle)

    const first = await browser.get(await callback(), headers)
    const later = await browser.get(await callback(), headers)

    const userId = (await browser.session())?.user.id ?? ''
    const entry = {
      outcome: 'ok',
      actor: userId,
      subject: userId,
      client: 'shop',
      provider: 'tiktok',
      network: '203.0.113.0/24',
    }
    const requestIds = [first, later].map((response) => response.headers.get('X-Request-Id'))
    expect(await entriesAbout(userId)).toEqual(
      expect.arrayContaining([
        { ...entry, event: 'sign_in', requestId: requestIds[0], detail: 'new user' },
        { ...entry, event: 'sign_in', requestId: requestIds[1] },
      ]),
    )
    expect(await entriesAbout(userId)).toHaveLength(2)
  })

  it.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:DB8:0012:3456::1', '2001:db8:12::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
  ])('contains only the network of an IP address: %s is %s', async (ip, network) => {
    const handle = await createPlatformUser()
    const browser = new Browser(service)

    const callback = await browser.approve(await browser.start(), handle)
    const response = await browser.get(callback, { 'CF-Connecting-IP': ip })

    expect(await entriesOf(response)).toMatchObject([{ network }])
  })

  it('[O6] records a sign-in that the user cancelled, with its code', async () => {
    await forgetCounters()
    const browser = new Browser(service)

    const response = await browser.signIn('mia', { grant: 'deny' })

    expect(await entriesOf(response)).toMatchObject([
      { event: 'sign_in', outcome: 'access_denied', actor: 'anonymous', provider: 'tiktok' },
    ])
  })

  it('records a sign-in that failed because of the provider', async () => {
    await forgetCounters()
    await standIn.fault({ path: TOKEN_PATH, status: 503, times: 5 })

    const response = await new Browser(service).signIn('mia')

    expect(await entriesOf(response)).toMatchObject([
      { event: 'sign_in', outcome: 'provider_unavailable' },
    ])
  })

  it('records the error with which the provider rejected the service', async () => {
    await forgetCounters()
    await standIn.fault({ path: TOKEN_PATH, body: { error: 'invalid_client', log_id: 'LOG1' } })

    const response = await new Browser(service).signIn('mia')

    expect(await entriesOf(response)).toMatchObject([
      { event: 'sign_in', outcome: 'provider_refused', detail: 'invalid_client' },
    ])
  })

  it('records that a user is blocked whose block a restored database does not have', async () => {
    await forgetCounters()
    const { handle, userId } = await signInNewUser()
    await userObject(userId).block()

    const response = await new Browser(service).signIn(handle)

    expect(response.status).toBe(403)
    expect(lastLogEntry('"code":"user_blocked"').hint).toContain(
      'block or unblock the user once more',
    )
    expect(await entriesOf(response)).toContainEqual(
      expect.objectContaining({ event: 'sign_in', outcome: 'user_blocked', provider: 'tiktok' }),
    )
  })

  it('[R4] records and counts only the first failure of an attempt whose cookie is sent again', async () => {
    await forgetCounters()
    const browser = new Browser(service)
    const { searchParams } = await browser.start()
    const callback = `/api/auth/callback/tiktok?error=access_denied&state=${searchParams.get('state')}`
    const headers = browser.cookieHeader()
    const before = await countDenials()

    const responses = []
    for (let count = 0; count < 3; count++) {
      responses.push(await service(new Request(`${LOGIN}${callback}`, { headers })))
    }

    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403])
    const entries = await Promise.all(responses.map(entriesOf))
    expect(entries.map(({ length }) => length)).toEqual([1, 0, 0])
    expect(await countDenials()).toBe(before + 1)
  })

  it('[R1] creates no object for each failed sign-in', async () => {
    const names: string[] = []
    const GUARDS = new Proxy(env.GUARDS, {
      get(target, member) {
        if (member !== 'idFromName') return Reflect.get(target, member).bind(target)
        return (name: string) => {
          names.push(name)
          return target.idFromName(name)
        }
      },
    })
    const guarded = serviceWith({ GUARDS })

    for (let count = 0; count < 3; count++) {
      await new Browser(guarded).signIn('mia', { grant: 'deny' })
    }

    await vi.waitFor(() => expect(names).toHaveLength(3))
    for (const name of names) expect(name).toMatch(/^failures [\w-]$/)
  })

  it('[R4] records the first of the failures of strangers in an hour, by client and outcome, and counts all', async () => {
    await forgetCounters()
    stopClock()
    const fail = async (callbackUrl?: string) => {
      const browser = new Browser(service)
      return browser.signIn('mia', { grant: 'deny', ...(callbackUrl && { callbackUrl }) })
    }
    const recorded = async (response: Response) => (await entriesOf(response)).length

    const first = [await fail(), await fail(), await fail('https://shop.example/'), await fail()]
    expect(await Promise.all(first.map(recorded))).toEqual([1, 0, 1, 0])
    expect(await countDenials()).toBe(4)
    advanceClock(HOUR)
    const next = [await fail(), await fail()]

    expect(await Promise.all(next.map(recorded))).toEqual([1, 0])
    expect(await countDenials()).toBe(6)
  })

  it('[R4] records the first failure of strangers at each provider', async () => {
    await forgetCounters()
    stopClock()
    const browser = new Browser(serviceWith(WITH_GITHUB))

    for (const provider of ['tiktok', 'github']) {
      const start = redirectUrl(await browser.get(`/api/auth/signin/${provider}`, OWN_PAGE))
      const state = start.searchParams.get('state')
      const response = await browser.get(
        `/api/auth/callback/${provider}?error=access_denied&state=${state}`,
      )

      expect(await entriesOf(response)).toMatchObject([{ provider, outcome: 'access_denied' }])
    }
  })

  it('records that a user could link no account because they were blocked meanwhile', async () => {
    const { browser, userId } = await signInNewUser(new Browser(service))
    const second = await createPlatformUser()
    const authorization = redirectUrl(await startLinking(browser, 'tiktok'))
    const callback = await browser.approve(authorization, second)
    await env.DIRECTORY.prepare('UPDATE users SET blocked_at = 1 WHERE id = ?').bind(userId).run()

    const response = await browser.get(callback)

    expect(response.status).toBe(403)
    expect(await response.text()).toContain('user_blocked')
    expect(await entriesOf(response)).toMatchObject([
      { event: 'sign_in', outcome: 'user_blocked', actor: userId },
    ])
    expect(await linkedProviders(userId)).toHaveLength(1)
  })

  it('records every failure of a signed-in user who links an account', async () => {
    const { browser, userId } = await signInNewUser(new Browser(service))
    const { handle: taken } = await signInNewUser()

    for (let attempt = 0; attempt < 2; attempt++) {
      const authorization = redirectUrl(await startLinking(browser, 'tiktok'))
      await browser.get(await browser.approve(authorization, taken))
    }

    const failures = (await entriesAbout(userId)).filter(
      ({ outcome }) => outcome === 'account_taken',
    )
    expect(failures).toHaveLength(2)
  })

  it('does not record a callback without an attempt, so that nobody can fill it', async () => {
    const response = await new Browser(service).get(
      `/api/auth/callback/tiktok?code=x&state=${'x'.repeat(43)}`,
    )

    expect(await entriesOf(response)).toEqual([])
  })

  it('records a failure after the user was found in a second entry with the same reference', async () => {
    await forgetCounters()
    const handle = await createPlatformUser()
    const browser = new Browser(serviceWith({ USERS: unreachable(env.USERS) }))

    const response = await browser.signIn(handle)

    expect(response.status).toBe(503)
    expect((await entriesOf(response)).map(({ event, outcome }) => [event, outcome])).toEqual(
      expect.arrayContaining([
        ['sign_in', 'ok'],
        ['sign_in', 'unavailable'],
      ]),
    )
  })

  it("records a sign-in that the deployment's own rule rejected, also if it sends the user elsewhere", async () => {
    await forgetCounters()
    const callbacks = { signIn: () => 'https://shop.example/no' }
    const browser = new Browser(serviceOf(createVestibule({ ...options, callbacks })))

    const response = await browser.signIn('mia')

    expect(response.status).toBe(302)
    expect(await entriesOf(response)).toMatchObject([{ event: 'sign_in', outcome: 'not_allowed' }])
  })

  it('records sign-outs: of this browser, of another one, and of all others', async () => {
    const { browser, handle, userId } = await signInNewUser(new Browser(service))
    const others = [new Browser(service), new Browser(service)]
    for (const other of others) await other.signIn(handle)
    const page = await (await browser.get('/account')).text()
    const sid = inputValues(page, 'sid').find((value) => value.startsWith('ses_')) ?? ''

    await browser.post('/account/sessions', { sid })
    await browser.post('/account/sessions', { sid: 'others' })
    await browser.post('/api/auth/signout', {})

    const signOuts = (await entriesAbout(userId)).filter(({ event }) => event === 'sign_out')
    expect(signOuts.map(({ detail }) => detail).toSorted()).toEqual(['current', 'one', 'others'])
    for (const entry of signOuts) expect(entry.actor).toBe(userId)
  })

  it('records a linked and an unlinked account, and not one that belongs to another user', async () => {
    const { browser, userId } = await signInNewUser(new Browser(service))
    const second = await createPlatformUser()
    const linkAs = async (handle: string) => {
      const authorization = redirectUrl(await startLinking(browser, 'tiktok'))
      return browser.get(await browser.approve(authorization, handle))
    }

    await linkAs(second)
    const { handle: taken } = await signInNewUser()
    await linkAs(taken)
    const [, account = ''] = await accountDigests(browser)
    await browser.post('/account/disconnect', { account })

    const entries = (await entriesAbout(userId)).slice(1)
    expect(entries.filter(({ event }) => event === 'account_linked')).toHaveLength(1)
    expect(entries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ event: 'account_linked', outcome: 'ok', provider: 'tiktok' }),
        expect.objectContaining({ event: 'sign_in', outcome: 'account_taken', actor: userId }),
        expect.objectContaining({ event: 'account_unlinked', provider: 'tiktok', actor: userId }),
      ]),
    )
  })

  it('records the end of all sessions, not an unlinked account, if the last account is disconnected', async () => {
    const { browser, userId } = await signInNewUser(new Browser(service))
    const [account = ''] = await accountDigests(browser)

    await browser.post('/account/disconnect', { account })

    const entries = await entriesAbout(userId)
    expect(entries.map(({ event }) => event)).not.toContain('account_unlinked')
    expect(entries).toContainEqual(
      expect.objectContaining({
        event: 'sessions_ended',
        actor: userId,
        provider: 'tiktok',
        detail: 'last account disconnected',
      }),
    )
  })

  it('records one deletion if a user is deleted by several requests at once', async () => {
    const { userId } = await signInNewUser()

    const results = await Promise.all(
      Array.from({ length: 5 }, () => deleteUserCompletely(env, config, { userId, origin })),
    )

    expect(results.filter(Boolean)).toHaveLength(1)
    const events = (await entriesAbout(userId)).map(({ event }) => event)
    expect(events.filter((event) => event === 'user_deleted')).toHaveLength(1)
  })

  it('records consents that are granted and withdrawn, with the client, and no denial', async () => {
    const { browser, userId } = await signInNewUser(new Browser(service))
    const app = new RelyingApp('kiosk')
    await approveConsent(browser, await browser.get(await app.authorizationUrl()))
    await browser.post('/account/consents', { client_id: 'kiosk' })
    await approveConsent(browser, await browser.get(await app.authorizationUrl()))
    const url = await app.authorizationUrl({ prompt: 'consent' })
    const shown = await shownConsent(await browser.get(url))
    await browser.post('/oidc/consent', { ...shown, answer: 'deny' })

    const events = (await entriesAbout(userId))
      .filter(({ client }) => client === 'kiosk')
      .map(({ event }) => event)
    expect(events.toSorted()).toEqual(['consent_granted', 'consent_granted', 'consent_withdrawn'])
  })

  it('[R4] does not record a consent as withdrawn that was never granted', async () => {
    const { browser, userId } = await signInNewUser(new Browser(service))

    for (const client_id of ['kiosk', 'x'.repeat(10_000)]) {
      expect((await browser.post('/account/consents', { client_id })).status).toBe(303)
    }

    expect((await entriesAbout(userId)).map(({ event }) => event)).not.toContain(
      'consent_withdrawn',
    )
  })

  it('[D4] records the reuse of a refresh token, with the client', async () => {
    const { browser, userId } = await signInNewUser()
    const app = new RelyingApp('web')
    const { refresh_token = '' } = await app.tokens(browser, OFFLINE_ACCESS)
    await app.refresh(refresh_token)
    advanceClock(60)

    await expect(app.refresh(refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })

    await vi.waitFor(async () =>
      expect(await entriesAbout(userId)).toContainEqual(
        expect.objectContaining({ event: 'refresh_token_reused', client: 'web' }),
      ),
    )
  })

  it('[C2] records the reuse of a code, with the client', async () => {
    const { browser, userId } = await signInNewUser()
    const app = new RelyingApp('web')
    const callback = await app.callbackFor(browser)
    expect((await redeemCode(browser, app, callback)).status).toBe(200)

    expect((await redeemCode(browser, app, callback)).status).toBe(400)

    await vi.waitFor(async () =>
      expect(await entriesAbout(userId)).toContainEqual(
        expect.objectContaining({ event: 'code_reused', client: 'web' }),
      ),
    )
  })

  it('records a user who deletes their account, and one whose account the provider deleted', async () => {
    const own = await signInNewUser(new Browser(service))
    await own.browser.post('/account/delete', {})
    const deleted = await signInNewUser(new Browser(service))
    await deliver(await createWebhook(deleted.handle, { reason: 'account-deleted' }))

    expect(await entriesAbout(own.userId)).toContainEqual(
      expect.objectContaining({ event: 'user_deleted', actor: own.userId }),
    )
    expect(await entriesAbout(deleted.userId)).toContainEqual(
      expect.objectContaining({ event: 'user_deleted', actor: 'service' }),
    )
  })

  it('records an authorization that was removed at the provider', async () => {
    const { handle, userId } = await signInNewUser()

    await deliver(await createWebhook(handle, { reason: 'disconnected' }))

    await vi.waitFor(async () =>
      expect(await entriesAbout(userId)).toContainEqual(
        expect.objectContaining({ event: 'sessions_ended', actor: 'service', provider: 'tiktok' }),
      ),
    )
  })

  it('[R4] contains at most 200 characters of a text', async () => {
    const subject = `${crypto.randomUUID()}${'\u{1F600}'.repeat(500)}`
    const long = 'x'.repeat(1000)
    const entry = { event: 'client_updated', actor: long, client: long, detail: long } as const

    await recordAuditEntry(env, config, { ...entry, subject })

    const [recorded] = await entriesAbout(subject.slice(0, 200))
    const text = 'x'.repeat(200)
    expect(recorded).toMatchObject({ actor: text, client: text, detail: text })
  })

  it('[O5] contains no secrets', async () => {
    await signInNewUser(new Browser(service))
    const { results } = await env.DIRECTORY.prepare('SELECT * FROM audit').all()

    const text = JSON.stringify(results)

    for (const secret of issuedSecrets) expect(text).not.toContain(secret)
  })

  it('deletes entries and counters once they are older than the retention', async () => {
    // Other tests have written thousands, more than are deleted at once.
    await env.DIRECTORY.exec('DELETE FROM audit; DELETE FROM counters')
    const start = stopClock()
    const { userId } = await signInNewUser(new Browser(service))
    const handle = await createPlatformUser()
    advanceClock(config.auditRetention - HOUR)
    await new Browser(service).signIn(handle)
    expect(await entriesAbout(userId)).toHaveLength(1)

    advanceClock(2 * HOUR)
    await new Browser(service).signIn(handle)

    expect(await entriesAbout(userId)).toEqual([])
    const counts = await readHourlyCounts(env, { since: 0 })
    expect(counts.length).toBeGreaterThan(0)
    expect(counts.filter(({ hour }) => hour <= start)).toEqual([])
  })
})

describe('an audit log with the maximum number of entries', () => {
  it('[R4] loses its oldest entries, and has their number', async () => {
    await env.DIRECTORY.exec(
      "DELETE FROM audit; DELETE FROM audit_marks; INSERT INTO audit_marks VALUES ('', 0)",
    )
    advanceClock(10 * HOUR)
    const now = stopClock()
    const oldest = await signInNewUser(new Browser(service))
    advanceClock(HOUR)
    const kept = await signInNewUser(new Browser(service))
    expect((await readAuditSize(env)).entries).toBe(1)
    // As if the maximum were written in the minute after that.
    await env.DIRECTORY.prepare('INSERT INTO audit_marks VALUES (?, ?)')
      .bind(entryIdsAt(now + HOUR + 60), 1 + MAX_ENTRIES)
      .run()

    advanceClock(HOUR)
    await signInNewUser(new Browser(service))

    expect(await entriesAbout(oldest.userId)).toEqual([])
    expect(await entriesAbout(kept.userId)).toHaveLength(1)
    expect((await readAuditSize(env)).entries).toBe(MAX_ENTRIES)
  })
})

describe('a full database', () => {
  /** Rejects new entries as SQLite does if the table needs a page more than there may be. */
  async function fillDatabase(condition = 'TRUE', error = 'database or disk is full') {
    await env.DIRECTORY.prepare(
      `CREATE TRIGGER full BEFORE INSERT ON audit WHEN ${condition}
       BEGIN SELECT RAISE(ABORT, '${error}'); END`,
    ).run()
    onTestFinished(async () => {
      await env.DIRECTORY.exec('DROP TRIGGER full')
    })
  }

  it('[R4] does not keep users from signing in; the log and /readyz report it', async () => {
    stopClock()
    const { handle, userId } = await signInNewUser(new Browser(service))
    await fillDatabase()

    const returning = new Browser(service)
    await returning.signIn(handle)
    const created = await signInNewUser(new Browser(service))

    expect((await returning.session())?.user.id).toBe(userId)
    expect(await entriesAbout(created.userId)).toEqual([])
    expect(lastLogEntry('database_full')).toMatchObject({
      cause: expect.stringContaining('database or disk is full'),
    })
    const readiness = await new Browser(service).get('/readyz')
    expect(readiness.status).toBe(503)
    expect(await readiness.text()).toContain('The database is full')

    advanceClock(5 * MINUTE)
    expect((await new Browser(service).get('/readyz')).status).toBe(200)
  })

  it.each(['Exceeded maximum DB size', 'SQLITE_FULL'])(
    'is recognised by the error of D1, too: %s',
    async (error) => {
      await fillDatabase('TRUE', error)

      const response = await new Browser(service).signIn(await createPlatformUser())

      expect(response.status).toBe(302)
      expect(lastLogEntry('database_full').cause).toContain(error)
    },
  )

  it('loses its oldest entries, so that new ones are recorded', async () => {
    const { handle } = await signInNewUser(new Browser(service))
    await env.DIRECTORY.exec(
      "INSERT INTO audit (id, at, event, outcome, actor) VALUES ('0', 0, 'sign_in', 'ok', 'oldest')",
    )
    await fillDatabase("EXISTS (SELECT 1 FROM audit WHERE actor = 'oldest')")

    const response = await new Browser(service).signIn(handle)

    expect(await entriesOf(response)).toMatchObject([{ event: 'sign_in', outcome: 'ok' }])
  })
})

describe('reading the audit log', () => {
  it('lists entries by subject, event, client and time, on pages', async () => {
    const subject = crypto.randomUUID()
    const now = stopClock()
    for (const [index, event] of (
      ['client_created', 'client_updated', 'client_updated'] as const
    ).entries()) {
      const client = index === 2 ? 'last' : 'first'
      await recordAuditEntry(env, config, { event, actor: 'service', subject, client })
      advanceClock(10)
    }
    const list = async (query: Partial<Parameters<typeof listAuditEntries>[1]>) => {
      const { entries } = await listAuditEntries(env, { subject, limit: 10, ...query })
      return entries.map(({ at, event }) => [at - now, event])
    }

    const updates = [
      [20, 'client_updated'],
      [10, 'client_updated'],
    ]
    expect(await list({})).toEqual([...updates, [0, 'client_created']])
    expect(await list({ event: 'client_updated' })).toEqual(updates)
    expect(await list({ client: 'last' })).toEqual([updates[0]])
    expect(await list({ since: now + 10 })).toEqual(updates)
    expect(await list({ since: now + 10, until: now + 20 })).toEqual([updates[1]])
    const first = await listAuditEntries(env, { subject, limit: 2 })
    expect(first.entries).toHaveLength(2)
    const { nextCursor: cursor } = first
    expect(await list({ cursor, limit: 2 })).toEqual([[0, 'client_created']])
  })

  it.each([
    ["subject = 'a'", 'audit_by_subject'],
    ["event = 'a' AND event <> 'sign_in'", 'audit_by_event'],
    ["id >= 'a' AND id < 'b'", 'PRIMARY KEY'],
  ])('uses an index for %s', async (condition, index) => {
    const plan = await env.DIRECTORY.prepare(
      `EXPLAIN QUERY PLAN SELECT * FROM audit WHERE ${condition} ORDER BY id DESC LIMIT 1`,
    ).all<{ detail: string }>()

    expect(plan.results.map(({ detail }) => detail).join()).toContain(index)
    expect(plan.results.map(({ detail }) => detail).join()).not.toContain('TEMP B-TREE')
  })
})

describe('the hourly counters', () => {
  it('count sign-ins and failures by provider, client and outcome', async () => {
    advanceClock(3 * HOUR)
    const now = stopClock()
    const since = now - (now % HOUR)
    const handle = await createPlatformUser()
    const callbackUrl = 'https://shop.example/'

    await new Browser(service).signIn(handle, { callbackUrl })
    await new Browser(service).signIn(handle, { callbackUrl })
    await new Browser(service).signIn(await createPlatformUser(), { callbackUrl })
    await new Browser(service).signIn(handle)
    await new Browser(service).signIn(handle, { callbackUrl, grant: 'deny' })

    const counts = (await readHourlyCounts(env, { since })).filter(({ hour }) => hour === since)
    const count = { hour: since, provider: 'tiktok' }
    expect(counts).toEqual([
      { ...count, client: '', outcome: 'ok', count: 1, new_users: 0 },
      { ...count, client: 'shop', outcome: 'access_denied', count: 1, new_users: 0 },
      { ...count, client: 'shop', outcome: 'ok', count: 3, new_users: 2 },
    ])
  })

  it('count each failure of a signed-in user who links an account', async () => {
    const { browser, handle } = await signInNewUser(new Browser(service))
    const before = await countDenials()

    for (let attempt = 0; attempt < 2; attempt++) {
      const authorization = redirectUrl(await startLinking(browser, 'tiktok'))
      await browser.get(await browser.approve(authorization, handle, 'deny'))
    }

    expect(await countDenials()).toBe(before + 2)
  })
})

/** How many sign-ins were cancelled at the platform, according to the counters. */
async function countDenials(): Promise<number> {
  const counts = await readHourlyCounts(env, { since: 0 })
  return counts
    .filter(({ outcome }) => outcome === 'access_denied')
    .reduce((total, { count }) => total + count, 0)
}
