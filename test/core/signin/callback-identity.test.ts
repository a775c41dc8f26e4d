import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import {
  Browser,
  lastLogEntry,
  logLines,
  SHOP,
  standIn,
  TOKEN_PATH,
  USER_INFO_PATH,
} from '../../browser.ts'
import { errorCode } from '../../html.ts'
import { redirectUrl } from '../../redirect.ts'

/** Every field of a profile that the platform may leave out. */
const OPTIONAL_FIELDS = [
  'union_id',
  'avatar_url',
  'avatar_url_100',
  'avatar_large_url',
  'display_name',
  'username',
  'bio_description',
  'profile_deep_link',
  'is_verified',
]

describe('the user that a callback signs in', () => {
  it('[K17] is signed in when error.code is "ok"', async () => {
    const browser = new Browser()

    await browser.signIn('mia')

    expect(await browser.session()).toMatchObject({ user: { name: 'Mia Lindqvist' } })
  })

  it.each([
    ['scope_not_authorized', 200],
    ['access_token_invalid', 401],
    ['scope_permission_missed', 400],
    ['invalid_params', 400],
  ])(
    '[K17] is not signed in when error.code is "%s", even with status %i (better-auth, next-auth: unreported)',
    async (code, status) => {
      const browser = new Browser()
      const body = {
        data: { user: { open_id: 'x' } },
        error: { code, message: '', log_id: 'LOG123' },
      }
      await standIn.fault({
        path: USER_INFO_PATH,
        status,
        body: JSON.stringify(body),
        contentType: 'application/json',
      })

      const response = await browser.signIn('mia')

      expect(response.status).toBe(502)
      expect(await errorCode(response)).toBe('provider_refused')
      expect(await browser.session()).toBeNull()
      expect(logLines.at(-2)).toMatch(
        `"upstreamStatus":${status},"upstreamError":"${code}","logId":"LOG123"`,
      )
    },
  )

  it.each([
    {},
    { code: '', message: '', log_id: 'LOG124' },
    { code: null, message: 'Something failed.', log_id: 'LOG124' },
    { code: 0 },
    { code: 'OK' },
    { code: { ok: true } },
    { message: 'ok' },
    'ok',
    false,
  ])('[K17] is not signed in when the error is %j and everything else is right', async (error) => {
    const browser = new Browser()
    const open_id = 'the-same-in-both'
    await standIn.fault({ path: TOKEN_PATH, set: { open_id } })
    await standIn.fault({ path: USER_INFO_PATH, body: { data: { user: { open_id } }, error } })

    const response = await browser.signIn('mia')

    expect(response.status).toBe(502)
    expect(await errorCode(response)).toBe('provider_refused')
    expect(await browser.session()).toBeNull()
  })

  it('is signed in when there is no error', async () => {
    const browser = new Browser()
    const open_id = 'without-an-error'
    await standIn.fault({ path: TOKEN_PATH, set: { open_id } })
    await standIn.fault({ path: USER_INFO_PATH, body: { data: { user: { open_id } } } })

    expect((await browser.signIn('mia')).status).toBe(302)
  })

  it.each([200, 'rfc'])(
    '[K18] is not signed in when the token endpoint returns an error with status %s (ResearchTikPy#28; better-auth, next-auth: unreported)',
    async (oauthErrorStatus) => {
      await standIn.post('switches', { oauthErrorStatus })
      const browser = new Browser()
      const callback = await browser.approve(await browser.start(), 'mia')
      await standIn.post('clock', { advance: 3600 })

      const response = await browser.get(callback)

      expect(await errorCode(response)).toBe('code_expired')
      expect(await browser.session()).toBeNull()
      expect(lastLogEntry('code_expired')).toMatchObject({
        upstreamError: 'invalid_grant',
        logId: expect.stringMatching(/^\d{14}[0-9A-F]{20}$/),
      })
    },
  )

  it.each(OPTIONAL_FIELDS)(
    '[K19] is signed in without %s, and no value replaces it',
    async (field) => {
      const browser = new Browser()
      await standIn.fault({ path: USER_INFO_PATH, without: field })

      const response = await browser.signIn('mia')
      const session = await browser.session()

      expect(response.status).toBe(302)
      expect(JSON.stringify(session)).not.toContain('null')
      expect(session?.user.email).toBeUndefined()
    },
  )

  it('[K19] has no name when the display name is empty', async () => {
    const browser = new Browser()

    await browser.signIn('emil', { grant: 'user.info.basic' })

    expect((await browser.session())?.user).toEqual({ id: expect.stringMatching(/^usr_/) })
  })

  it('is read with the fields of the granted scopes only (SocialiteProviders#1198)', async () => {
    const browser = new Browser()

    await browser.signIn('mia', { grant: 'user.info.basic' })

    const { fields } =
      (await standIn.log()).find((entry) => entry.path === USER_INFO_PATH)?.parameters ?? {}
    expect(fields?.split(',')).toEqual(expect.arrayContaining(['open_id', 'avatar_large_url']))
    expect(fields).not.toContain('username')
    expect((await browser.session())?.user.username).toBeUndefined()
  })

  it('is offered to consent again when the basic profile was not granted', async () => {
    const browser = new Browser()
    await standIn.fault({ path: TOKEN_PATH, set: { scope: 'user.info.profile' } })

    const response = await browser.signIn('mia')

    const page = await response.text()
    expect(page).toContain('scope_missing')
    expect(page).toContain('prompt=consent')
    expect(await standIn.countRequests(USER_INFO_PATH)).toBe(0)
  })

  it('is not signed in when the profile has another open_id than the token response', async () => {
    const browser = new Browser()
    await standIn.fault({ path: USER_INFO_PATH, kind: 'open-id-mismatch' })

    const response = await browser.signIn('mia')

    expect(await errorCode(response)).toBe('provider_invalid')
    expect(await browser.session()).toBeNull()
  })

  it('keeps the stored union_id when the platform sends none', async () => {
    const readUnionIds = () =>
      env.DIRECTORY.prepare('SELECT union_id FROM accounts WHERE union_id IS NOT NULL').all<{
        union_id: string
      }>()
    await new Browser().signIn('noah')
    const before = await readUnionIds()
    await standIn.fault({ path: USER_INFO_PATH, without: 'union_id' })

    await new Browser().signIn('noah')

    expect(before.results.length).toBeGreaterThan(0)
    expect((await readUnionIds()).results).toEqual(before.results)
  })

  it('gets a current profile at each sign-in', async () => {
    await standIn.post('users', { handle: 'ines', displayName: 'Ines' })
    const browser = new Browser()
    await browser.signIn('ines')
    const before = await browser.session()
    await standIn.post('users', { handle: 'ines', displayName: 'Inés Marín' })

    await browser.signIn('ines')

    expect(await browser.session()).toMatchObject({
      user: { id: before?.user.id, name: 'Inés Marín' },
    })
  })

  it('[S4] has no email address, even if the username looks like one (better-auth)', async () => {
    await standIn.post('users', { handle: 'mail', username: 'boss@bank.example' })
    const browser = new Browser()

    await browser.signIn('mail')

    expect(await browser.session()).toMatchObject({ user: { username: 'boss@bank.example' } })
    expect((await browser.session())?.user.email).toBeUndefined()
  })

  it('[M8] has no avatar or profile link unless its address is https', async () => {
    const browser = new Browser()
    await standIn.fault({
      path: USER_INFO_PATH,
      set: {
        avatar_large_url: 'javascript:alert(1)',
        avatar_url: 'http://cdn.example/a.png',
        profile_deep_link: 'data:text/html,x',
      },
    })

    await browser.signIn('mia')

    expect((await browser.session())?.user).toEqual({
      id: expect.stringMatching(/^usr_/),
      name: 'Mia Lindqvist',
      username: 'mia',
    })
  })

  it.each([
    ['banned', 'bruno'],
    ['under age', 'kim'],
  ])('is told that the platform rejects them, with details for support: %s', async (_, persona) => {
    const browser = new Browser()

    const response = await browser.signIn(persona, { callbackUrl: `${SHOP}/cart` })

    const page = await response.clone().text()
    expect(response.status).toBe(403)
    expect(await errorCode(response)).toBe('account_rejected')
    expect(page).toContain('<h1>TikTok did not sign you in</h1>')
    expect(page).toContain('TikTok does not let this account sign in to other apps.')
    expect(page).toContain('<dd>account_rejected</dd>')
    expect(page).toContain(`<dd id="reference">${response.headers.get('X-Request-Id')}</dd>`)
    expect(page).toMatch(/<a class="primary" href="[^"]*prompt=select_account">/)
    expect(page).not.toContain('cancelled')
    expect(lastLogEntry('signin_failed').upstreamError).toBe('access_denied')
    expect(await browser.session()).toBeNull()
  })

  it.each([
    // Of other providers.
    'User is not assigned to the client application.',
    'The account has been suspended.',
    'NOT ELIGIBLE <b>',
  ])('is rejected if the provider says so: %s', async (description) => {
    const response = await returnWithError(new Browser(), { error_description: description })

    expect(await response.clone().text()).not.toContain(description)
    expect(await errorCode(response)).toBe('account_rejected')
  })

  it.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['access_denied', { error_description: 'access_denied' }],
    ['that the user denied it', { error_description: 'The user has denied your app access.' }],
    [
      'the text of the specification',
      { error_description: 'The resource owner or authorization server denied the request.' },
    ],
  ])('has cancelled if the provider says %s', async (_, parameters) => {
    const response = await returnWithError(new Browser(), parameters)

    expect(redirectUrl(response, 303).searchParams.get('cancelled')).toBe('true')
  })

  it('gets another error than a user who cancelled when not a target user of a sandbox app', async () => {
    await standIn.post('switches', { nonTargetAt: 'callback' })

    const response = await new Browser().signIn('tova')

    expect(await errorCode(response)).toBe('not_eligible')
  })

  it('is signed in without a profile if already registered, and only then', async () => {
    await new Browser().signIn('noah', { callbackUrl: `${SHOP}/` })
    await standIn.post('users', { handle: 'unregistered' })
    await standIn.fault({ path: USER_INFO_PATH, kind: 'html-502', times: 4 })

    expect((await new Browser().signIn('noah')).status).toBe(302)
    expect(await errorCode(await new Browser().signIn('unregistered'))).toBe('provider_unavailable')
  })
})

/** The platform returns the user with an error. */
async function returnWithError(
  browser: Browser,
  parameters: Record<string, string>,
): Promise<Response> {
  const state = (await browser.start()).searchParams.get('state') ?? ''
  const query = new URLSearchParams({ error: 'access_denied', state, ...parameters })
  return browser.get(`/api/auth/callback/tiktok?${query}`)
}
