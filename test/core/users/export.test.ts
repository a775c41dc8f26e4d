import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { recordAuditEntry } from '../../../src/core/audit/audit-log.ts'
import { exportUser } from '../../../src/core/users/export-user.ts'
import { Browser, issuedSecrets, serviceWith } from '../../browser.ts'
import { advanceClock } from '../../clock.ts'
import { readConfig } from '../../deployment.ts'
import { inputValues } from '../../html.ts'
import { createPlatformUser, signInNewUser } from '../../new-user.ts'
import { acme, browserFor, signInAtGit } from '../../providers/providers-in-code.ts'
import { addressAfterSignIn, DOWNLOAD_AFTER_SIGN_IN } from '../../redirect.ts'
import { createWebhook, deliver } from '../../webhook-delivery.ts'
import { OFFLINE_ACCESS, RelyingApp } from '../oidc/relying-app.ts'
import { approveConsent } from '../oidc/user-steps.ts'

const config = readConfig(env)
const origin = { actor: 'usr_admin', network: '192.0.2.0/24', requestId: 'ADMIN-00001' }

describe('POST /account/export', () => {
  it('downloads everything that is stored about the user', async () => {
    const { browser, userId } = await signInNewUser()
    await new RelyingApp('web').tokens(browser, OFFLINE_ACCESS)
    const kiosk = new RelyingApp('kiosk')
    await approveConsent(browser, await browser.get(await kiosk.authorizationUrl()))

    const response = await browser.post('/account/export', {})

    expect(response.status).toBe(200)
    const date = new Date().toISOString().slice(0, 10)
    expect(response.headers.get('Content-Disposition')).toBe(
      `attachment; filename="account-data-${date}.json"`,
    )
    expect(response.headers.get('Content-Type')).toBe('application/json')
    expect(response.headers.get('Cache-Control')).toContain('no-store')
    expect(await response.json()).toMatchObject({
      issuer: 'https://login.example',
      user: { id: userId, name: expect.any(String), created_at: expect.any(Number) },
      accounts: [{ provider: 'tiktok', provider_account_id: expect.any(String) }],
      sessions: [
        {
          sid: expect.stringMatching(/^ses_/),
          provider: 'tiktok',
          authenticated_at: expect.any(Number),
          last_used_at: expect.any(Number),
          client_ids: ['kiosk', 'web'],
        },
      ],
      consents: [{ client_id: 'kiosk', scope: ['openid', 'profile'], resources: [], declined: [] }],
      grants: [
        {
          client_id: 'web',
          sid: expect.stringMatching(/^ses_/),
          scope: ['openid', 'profile', 'offline_access'],
          resources: ['https://orders.example'],
          since: expect.any(Number),
          expires_at: expect.any(Number),
        },
      ],
      provider_profiles: [
        {
          provider: 'tiktok',
          fields: expect.any(Object),
          scope: ['user.info.basic', 'user.info.profile'],
          read_at: expect.any(Number),
          has_provider_tokens: false,
        },
      ],
      sign_in_changes: [],
      pending_logout_notices: [],
      audit: expect.arrayContaining([
        expect.objectContaining({ event: 'sign_in', outcome: 'ok', detail: 'new user' }),
        expect.objectContaining({ event: 'consent_granted', client: 'kiosk' }),
      ]),
    })
  })

  it('contains all entries of the audit log about the user, each once', async () => {
    const { browser, userId } = await signInNewUser(new Browser(serviceWith({})))
    await env.DIRECTORY.prepare(
      `INSERT INTO audit (id, at, event, outcome, actor, subject)
       WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 2000)
       SELECT 'a' || n, n, 'session_ended', 'ok', 'service', ?1 FROM numbers`,
    )
      .bind(userId)
      .run()

    const { audit } = await (await browser.post('/account/export', {})).json<{
      audit: { id: string; event: string }[]
    }>()

    expect(audit).toHaveLength(2001)
    expect(new Set(audit.map(({ id }) => id)).size).toBe(2001)
    expect(audit.map(({ event }) => event)).toContain('sign_in')
  })

  it('contains no token, secret or digest of one', async () => {
    const { browser, userId } = await signInNewUser()
    const tokens = await new RelyingApp('web').tokens(browser, OFFLINE_ACCESS)

    const text = await (await browser.post('/account/export', {})).text()

    for (const secret of [...issuedSecrets, tokens.access_token, tokens.refresh_token ?? '']) {
      expect(text).not.toContain(secret)
    }
    // Digests and sealed values are the only long texts without spaces and slashes.
    const fields = text.match(/"[\w-]{43,}"/g) ?? []
    expect(fields).toEqual([])
    expect(text).not.toContain('ealedTokens')
    expect(text).toContain(userId)
  })

  it('requires a recent sign-in', async () => {
    const { browser } = await signInNewUser()
    advanceClock(601)

    const response = await browser.post('/account/export', {})

    expect(addressAfterSignIn(response)).toBe(DOWNLOAD_AFTER_SIGN_IN)
  })

  it('requires a session', async () => {
    const response = await new Browser().post('/account/export', {})

    expect(addressAfterSignIn(response)).toBe(DOWNLOAD_AFTER_SIGN_IN)
  })

  it.each([
    ['en', 'Download your data'],
    ['es', 'Descargar tus datos'],
  ])('has a button on the account page, with the CSRF token (%s)', async (language, label) => {
    const { browser } = await signInNewUser()

    const page = await (await browser.get('/account', { 'Accept-Language': language })).text()

    const form = page.split('action="/account/export"')[1]?.split('</form>')[0] ?? ''
    expect(form).toContain(label)
    expect(inputValues(form, 'csrfToken')).toHaveLength(1)
  })

  it('[M6] is rejected as a GET, which any site could make the browser send', async () => {
    const { browser, userId } = await signInNewUser()

    const response = await browser.get('/account/export', { 'Sec-Fetch-Site': 'cross-site' })

    expect(response.status).toBe(405)
    const exports = env.DIRECTORY.prepare(
      "SELECT count(*) AS count FROM audit WHERE subject = ? AND event = 'user_exported'",
    ).bind(userId)
    expect(await exports.first('count')).toBe(0)
  })
})

describe('exporting a user', () => {
  it('contains the browser of a session, and the network and the reference of what the user did', async () => {
    const browser = new Browser(serviceWith({}))
    const callback = await browser.approve(await browser.start(), await createPlatformUser())
    const response = await browser.get(callback, {
      'CF-Connecting-IP': '203.0.113.77',
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    })
    const userId = (await browser.session())?.user.id ?? ''

    const document = await exportUser(env, config, { userId, origin })

    expect(document).toMatchObject({
      sessions: [{ device: expect.stringContaining('Firefox') }],
      audit: [
        {
          event: 'sign_in',
          actor: userId,
          network: '203.0.113.0/24',
          request_id: response.headers.get('X-Request-Id'),
        },
      ],
    })
  })

  it('contains what the provider says of the user, also an address that nobody has verified', async () => {
    const id = crypto.randomUUID()
    const profile = () => ({ id, email: 'Someone@Mail.example', team: 'Blue' })
    const { session } = await signInAtGit(browserFor({ ...acme, profile }), 'acme')

    const document = await exportUser(env, config, { userId: session?.user.id ?? '', origin })

    expect(document?.['provider_profiles']).toMatchObject([
      {
        provider: 'acme',
        issuer: 'https://git.example',
        provider_account_id: id,
        fields: { team: 'Blue' },
        unverified_email: 'Someone@mail.example',
      },
    ])
  })

  it('contains no columns of the directory that are of no use to the user', async () => {
    const { userId } = await signInNewUser()

    const document = await exportUser(env, config, { userId, origin })

    const [account = {}] = (document?.['accounts'] ?? []) as object[]
    expect(Object.keys(account).toSorted()).toEqual([
      'client_id',
      'created_at',
      'issuer',
      'label',
      'provider',
      'provider_account_id',
      'scope',
      'unconfirmed_sid',
      'union_id',
      'updated_at',
      'verified_email',
    ])
  })

  it('does not mix in data of another user', async () => {
    const { userId } = await signInNewUser()
    const other = await signInNewUser()

    const document = JSON.stringify(await exportUser(env, config, { userId, origin }))

    expect(document).not.toContain(other.userId)
  })

  it('contains that an administrator exported the user, but not who and where they are', async () => {
    const { userId } = await signInNewUser()
    await exportUser(env, config, { userId, origin })

    const document = await exportUser(env, config, { userId, origin })

    expect(document?.['audit']).toContainEqual(
      expect.objectContaining({ event: 'user_exported', actor: 'administrator' }),
    )
    for (const detail of Object.values(origin)) {
      expect(JSON.stringify(document)).not.toContain(detail)
    }
  })

  it('distinguishes administrators, clients of the admin API and the service', async () => {
    const { handle, userId } = await signInNewUser()
    await exportUser(env, config, { userId, origin: { actor: 'client:backup' } })
    await deliver(await createWebhook(handle, { reason: 'disconnected' }), serviceWith({}))
    await recordAuditEntry(env, config, { event: 'sign_in', actor: 'anonymous', subject: userId })

    const document = await exportUser(env, config, { userId, origin })

    const entries = document?.['audit'] as { event: string; actor: string }[]
    const actors = entries.map(({ event, actor }) => `${event} ${actor}`)
    expect(actors).toEqual(
      expect.arrayContaining([
        'user_exported client',
        'sessions_ended service',
        'sign_in anonymous',
        `sign_in ${userId}`,
      ]),
    )
    expect(JSON.stringify(document)).not.toContain('backup')
  })

  it('returns nothing if there is no such user', async () => {
    expect(await exportUser(env, config, { userId: 'usr_nobody', origin })).toBeUndefined()
  })

  it('includes a user who has signed out everywhere', async () => {
    const handle = await createPlatformUser()
    const browser = new Browser()
    await browser.signIn(handle)
    const userId = (await browser.session())?.user.id ?? ''
    await browser.post('/api/auth/signout', {})

    const document = await exportUser(env, config, { userId, origin })

    expect(document).toMatchObject({ user: { id: userId }, sessions: [], grants: [] })
  })
})
