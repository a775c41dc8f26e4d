import { beforeEach, describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../demo/video-platform/app.ts'
import {
  BASIC,
  control,
  exchange,
  jsonOf,
  type Parameters,
  PRODUCTION,
  PROFILE,
  post,
  SANDBOX,
  type Stage,
  toQuery,
  WEB_CALLBACK,
} from './visitor.ts'

const TICKET = 'our-own-ticket'

interface QrCode {
  scan_qrcode_url: string
  token: string
}

interface Progress {
  client_ticket: string
  status: string
  redirect_uri: string
  code: string
  state?: string
}

let stage: Stage
beforeEach(() => {
  stage = createVideoPlatform()
})

describe('POST /v2/oauth/get_qrcode/', () => {
  it('gives a link with room for the ticket of the app, and a token to ask with', async () => {
    const { scan_qrcode_url, token } = await newCode()

    expect(scan_qrcode_url).toMatch(/^aweme:\/\/authorize\?.*&client_ticket=tobefilled&/)
    expect(token).not.toBe('')
    expect(scan_qrcode_url).not.toContain(token)
  })

  it.each<[string, Parameters, string]>([
    ['no key', { client_key: undefined }, 'invalid_request'],
    ['an unknown key', { client_key: 'aw0' }, 'unauthorized_client'],
    ['a draft app', { client_key: 'awstandin00000002' }, 'unauthorized_client'],
    ['no scope', { scope: '' }, 'invalid_scope'],
    ['scopes joined by a space', { scope: `${BASIC} ${PROFILE}` }, 'invalid_scope'],
    [
      'a scope that is not approved',
      { client_key: PRODUCTION.client_key, scope: 'video.list' },
      'invalid_scope',
    ],
  ])('refuses %s, with HTTP 200', async (_name, changes, error) => {
    const response = await requestCode(changes)

    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      error,
      error_description: expect.any(String),
      log_id: response.headers.get('x-tt-logid'),
    })
  })

  it('wants its content type bare', async () => {
    const fields = { client_key: SANDBOX.client_key, scope: BASIC }
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded;charset=UTF-8' }
    const response = await post(stage, '/v2/oauth/get_qrcode/', fields, headers)

    expect(await response.json()).toMatchObject({ error: 'invalid_request' })
  })
})

describe('POST /v2/oauth/check_qrcode/', () => {
  it('[V24] goes from new to scanned to confirmed to utilised', async () => {
    const code = await newCode({ state: 'a-state' })
    const seen = [await check(code)]
    await phone({ link: filled(code) })
    seen.push(await check(code))
    await phone({ link: filled(code), grant: BASIC })
    seen.push(await check(code), await check(code))

    const client_ticket = TICKET
    expect(seen).toEqual([
      { client_ticket: '', status: 'new' },
      { client_ticket, status: 'scanned' },
      {
        client_ticket,
        status: 'confirmed',
        redirect_uri: expect.stringMatching(new RegExp(`^${WEB_CALLBACK}\\?code=`)),
        code: expect.stringMatching(/^[\w-]{220}\*1!\d{4}\.va$/),
        state: 'a-state',
      },
      { client_ticket, status: 'utilised' },
    ])
  })

  it('[V24] ends in a code that is exchanged like any other', async () => {
    const code = await newCode({ scope: `${BASIC},${PROFILE}` })
    await phone({ link: filled(code), grant: BASIC })
    const { redirect_uri } = await check(code)
    const response = await exchange(stage, new URL(redirect_uri))

    expect(await response.json()).toMatchObject({ token_type: 'Bearer', scope: BASIC })
  })

  it.each(['new', 'scanned'])('[V24] is expired after three minutes as %s', async (status) => {
    const code = await newCode()
    if (status === 'scanned') await phone({ link: filled(code) })
    await control(stage, 'clock', { advance: 179 })
    expect((await check(code)).status).toBe(status)
    await control(stage, 'clock', { advance: 1 })

    expect((await check(code)).status).toBe('expired')
    expect((await phone({ link: filled(code), grant: BASIC })).status).toBe(400)
    expect(await check(code)).not.toHaveProperty('code')
  })

  it('[V24] expires when the person refuses', async () => {
    const code = await newCode()
    await phone({ link: filled(code), grant: 'deny' })

    expect((await check(code)).status).toBe('expired')
  })

  it('[V24] shows the ticket of whichever code was scanned, for the app to see that it is not its own', async () => {
    const code = await newCode()
    await phone({ link: filled(code, 'the ticket of an attacker'), grant: BASIC })

    expect(await check(code)).toMatchObject({
      client_ticket: 'the ticket of an attacker',
      status: 'confirmed',
    })
  })

  it('shows a ticket that nobody filled in', async () => {
    const code = await newCode()
    await phone({ link: code.scan_qrcode_url })

    expect(await check(code)).toEqual({ client_ticket: 'tobefilled', status: 'scanned' })
  })

  it.each<[string, (code: QrCode) => Parameters, string]>([
    ['an unknown token', () => ({ token: 'x' }), 'invalid_request'],
    ['no token', () => ({ token: undefined }), 'invalid_request'],
    ['another app', () => PRODUCTION, 'invalid_request'],
    ['a wrong secret', () => ({ client_secret: 'wrong' }), 'invalid_client'],
  ])('refuses %s', async (_name, changes, error) => {
    const code = await newCode()
    const fields = { ...SANDBOX, token: code.token, ...changes(code) }
    const response = await post(stage, '/v2/oauth/check_qrcode/', fields)

    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ error })
  })
})

describe('a phone', () => {
  it.each([
    ['tova', 'target user'],
    ['bruno', 'cannot log in to other apps'],
  ])('is refused in the hand of %s', async (user, words) => {
    const code = await newCode()
    const response = await phone({ link: filled(code), user })

    expect(response.status).toBe(400)
    expect((await jsonOf<{ problem: string }>(response)).problem).toContain(words)
    expect((await check(code)).status).toBe('new')
  })

  it('does not take a code that another person scanned', async () => {
    const code = await newCode()
    await phone({ link: filled(code) })
    const response = await phone({ link: filled(code), user: 'noah', grant: BASIC })

    expect(response.status).toBe(400)
    expect((await check(code)).status).toBe('scanned')
  })

  it.each([
    'https://evil.example/?authorize_ticket=x',
    'aweme://authorize?authorize_ticket=x',
    'not a link',
  ])('does not understand %s', async (link) => {
    expect((await phone({ link })).status).toBe(400)
  })

  it('refuses a ticket of 512 characters, encoded', async () => {
    const code = await newCode()
    const refused = await phone({ link: filled(code, `${'a'.repeat(509)}&`) })
    const taken = await phone({ link: filled(code, `${'a'.repeat(508)}&`) })

    expect([refused.status, taken.status]).toEqual([400, 200])
  })
})

describe('the pages of the phone', () => {
  const headers = { Cookie: 'video-platform-persona=mia' }
  const HERE = 'https://www.tiktok.com/v2/auth/phone'

  it('ask a stranger who they are, and lead back', async () => {
    const html = await (await stage.request(HERE)).text()

    expect(html).toContain('data-testid="persona-mia"')
    expect(html).toContain('name="place" value="/v2/auth/phone"')
  })

  it('scan, name the app, and log in with the scopes left on', async () => {
    const code = await newCode({ scope: `${BASIC},${PROFILE}` })
    const scanned = await submit('scan', { link: filled(code) })
    const location = new URL(scanned.headers.get('Location') ?? '', HERE)
    const page = await (await stage.request(location.href, { headers })).text()
    expect(page).toContain('Log in to Vestibule (sandbox) on another screen?')
    expect(page).toContain(`data-testid="scope-${PROFILE}"`)
    const ticket = location.searchParams.get('ticket') ?? ''
    const done = await submit('confirm', { ticket, decision: 'allow' })

    expect(await done.text()).toContain('data-testid="allowed"')
    const { redirect_uri } = await check(code)
    expect(new URL(redirect_uri).searchParams.get('scopes')).toBe(BASIC)
  })

  it('let a person cancel', async () => {
    const code = await newCode()
    const scanned = await submit('scan', { link: filled(code) })
    const location = new URL(scanned.headers.get('Location') ?? '', HERE)
    const ticket = location.searchParams.get('ticket') ?? ''
    const done = await submit('confirm', { ticket, decision: 'deny' })

    expect(await done.text()).toContain('data-testid="denied"')
    expect((await check(code)).status).toBe('expired')
  })

  it('say what is wrong with a code', async () => {
    const page = await submit('scan', { link: '<script>' })

    expect(await page.text()).toContain('This is not a login code')
  })

  it('do not confirm what was never scanned, nor for somebody else', async () => {
    const code = await newCode()
    const ticket = new URLSearchParams(code.scan_qrcode_url).get('authorize_ticket') ?? ''
    await submit('confirm', { ticket, decision: 'allow' })
    expect((await check(code)).status).toBe('new')
    await phone({ link: filled(code), user: 'noah' })
    const page = await submit('confirm', { ticket, decision: 'allow' })

    expect(await page.text()).toContain('another user')
    expect((await check(code)).status).toBe('scanned')
  })

  async function submit(form: 'scan' | 'confirm', fields: Parameters): Promise<Response> {
    return stage.request(`${HERE}/${form}`, { method: 'POST', body: toQuery(fields), headers })
  }
})

function requestCode(changes: Parameters = {}): Promise<Response> {
  const fields = { client_key: SANDBOX.client_key, scope: BASIC, ...changes }
  return post(stage, '/v2/oauth/get_qrcode/', fields)
}

function newCode(changes: Parameters = {}): Promise<QrCode> {
  return jsonOf<QrCode>(requestCode(changes))
}

/** What an app does before it draws the code. */
function filled({ scan_qrcode_url }: QrCode, ticket = TICKET): string {
  return scan_qrcode_url.replace('tobefilled', encodeURIComponent(ticket))
}

function check({ token }: QrCode): Promise<Progress> {
  return jsonOf<Progress>(post(stage, '/v2/oauth/check_qrcode/', { ...SANDBOX, token }))
}

function phone(gesture: { link: string; user?: string; grant?: string }): Promise<Response> {
  return control(stage, 'phone', { user: 'mia', ...gesture })
}
