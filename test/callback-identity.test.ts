import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { Browser, logLines, SHOP, standIn } from './browser.ts'

const TOKEN = '/v2/oauth/token/'
const USER_INFO = '/v2/user/info/'

const FIELDS = [
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

async function codeOf(response: Response): Promise<string | undefined> {
  return (await response.text()).match(/<dt>Code<\/dt><dd>(\w+)<\/dd>/)?.[1]
}

describe('who the platform says has signed in', () => {
  it('[K17] takes error.code "ok" for success, as the platform sends it', async () => {
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
    '[K17] takes error.code "%s" for failure, even with status %i (better-auth, next-auth: unreported)',
    async (code, status) => {
      const browser = new Browser()
      const body = {
        data: { user: { open_id: 'x' } },
        error: { code, message: '', log_id: 'LOG123' },
      }
      await standIn.fault({
        path: USER_INFO,
        status,
        body: JSON.stringify(body),
        contentType: 'application/json',
      })

      const response = await browser.signIn('mia')

      expect(response.status).toBe(502)
      expect(await codeOf(response)).toBe('provider_refused')
      expect(await browser.session()).toBeNull()
      expect(logLines.at(-2)).toMatch(
        `"upstreamStatus":${status},"upstreamError":"${code}","logId":"LOG123"`,
      )
    },
  )

  it.each([200, 'rfc'])(
    '[K18] sees errors of the token endpoint behind status %s (ResearchTikPy#28; better-auth, next-auth: unreported)',
    async (oauthErrorStatus) => {
      await standIn.post('switches', { oauthErrorStatus })
      const browser = new Browser()
      const callback = await browser.approve(await browser.start(), 'mia')
      await standIn.post('clock', { advance: 3600 })

      const response = await browser.get(callback)

      expect(await codeOf(response)).toBe('code_expired')
      expect(await browser.session()).toBeNull()
      const line = logLines.findLast((text) => text.includes('code_expired'))
      expect(JSON.parse(line ?? '{}')).toMatchObject({
        upstreamError: 'invalid_grant',
        logId: expect.stringMatching(/^\d{14}[0-9A-F]{20}$/),
      })
    },
  )

  it.each(FIELDS)('[K19] signs in without %s, and invents nothing in its place', async (field) => {
    const browser = new Browser()
    await standIn.fault({ path: USER_INFO, without: field })

    expect((await browser.signIn('mia')).status).toBe(302)
    const session = await browser.session()

    expect(JSON.stringify(session)).not.toContain('null')
    expect(session?.user.email).toBeUndefined()
  })

  it('[K19] shows an empty display name as no name', async () => {
    const browser = new Browser()
    await browser.signIn('emil', { grant: 'user.info.basic' })

    expect((await browser.session())?.user).toEqual({ id: expect.stringMatching(/^usr_/) })
  })

  it('asks for the fields of the granted scopes alone (SocialiteProviders#1198)', async () => {
    const browser = new Browser()

    await browser.signIn('mia', { grant: 'user.info.basic' })

    const { fields } =
      (await standIn.log()).find((entry) => entry.path === USER_INFO)?.parameters ?? {}
    expect(fields?.split(',')).toEqual(expect.arrayContaining(['open_id', 'avatar_large_url']))
    expect(fields).not.toContain('username')
    expect((await browser.session())?.user.username).toBeUndefined()
  })

  it('stops with a way to grant more when the basic profile was refused', async () => {
    const browser = new Browser()
    await standIn.fault({ path: TOKEN, set: { scope: 'user.info.profile' } })

    const response = await browser.signIn('mia')

    const page = await response.text()
    expect(page).toContain('scope_missing')
    expect(page).toContain('prompt=consent')
    expect(await standIn.countRequests(USER_INFO)).toBe(0)
  })

  it('refuses a profile of somebody else than the token names', async () => {
    const browser = new Browser()
    await standIn.fault({ path: USER_INFO, kind: 'open-id-mismatch' })

    const response = await browser.signIn('mia')

    expect(await codeOf(response)).toBe('provider_invalid')
    expect(await browser.session()).toBeNull()
  })

  it('keeps union_id, and the one it had when the platform sends none', async () => {
    const accounts = () =>
      env.DIRECTORY.prepare('SELECT union_id FROM accounts WHERE union_id IS NOT NULL').all<{
        union_id: string
      }>()
    await new Browser().signIn('noah')
    const before = await accounts()
    await standIn.fault({ path: USER_INFO, without: 'union_id' })

    await new Browser().signIn('noah')

    expect(before.results.length).toBeGreaterThan(0)
    expect((await accounts()).results).toEqual(before.results)
  })

  it('reads the profile anew at each sign-in', async () => {
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

  it('[S4] never takes a username for an email address (better-auth)', async () => {
    await standIn.post('users', { handle: 'mail', username: 'boss@bank.example' })
    const browser = new Browser()

    await browser.signIn('mail')

    expect(await browser.session()).toMatchObject({ user: { username: 'boss@bank.example' } })
    expect((await browser.session())?.user.email).toBeUndefined()
  })

  it('[M8] drops an avatar or profile link that is no https address', async () => {
    const browser = new Browser()
    await standIn.fault({
      path: USER_INFO,
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
    ['bruno', 'access_denied'],
    ['kim', 'access_denied'],
  ])('tells %s, whom the platform lets in nowhere, that it ended there', async (persona, code) => {
    expect(await codeOf(await new Browser().signIn(persona))).toBe(code)
  })

  it('tells a target user apart from a person who cancelled', async () => {
    await standIn.post('switches', { nonTargetAt: 'callback' })

    expect(await codeOf(await new Browser().signIn('tova'))).toBe('not_eligible')
  })

  it('signs in whom it knows when the platform cannot show the profile, and nobody else', async () => {
    const known = new Browser()
    await known.signIn('noah', { callbackUrl: `${SHOP}/` })
    await standIn.post('users', { handle: 'stranger' })
    await standIn.fault({ path: USER_INFO, kind: 'html-502', times: 4 })

    expect((await new Browser().signIn('noah')).status).toBe(302)
    expect(await codeOf(await new Browser().signIn('stranger'))).toBe('provider_unavailable')
  })
})
