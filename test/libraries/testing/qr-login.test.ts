import { beforeEach, describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../../src/libraries/testing/video-platform/app.ts'
import {
  BASIC,
  control,
  exchangeCode,
  openPage,
  type Parameters,
  PRODUCTION,
  PROFILE,
  post,
  readJson,
  readLocation,
  SANDBOX,
  type StandIn,
  submitForm,
  WEB_CALLBACK,
} from './client.ts'

const TICKET = 'ticket-of-the-app'

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

let standIn: StandIn
beforeEach(() => {
  standIn = createVideoPlatform()
})

describe('POST /v2/oauth/get_qrcode/', () => {
  it('returns a link with a placeholder for the ticket of the app, and a token', async () => {
    const { scan_qrcode_url, token } = await createCode()

    expect(scan_qrcode_url).toMatch(/^aweme:\/\/authorize\?.*&client_ticket=tobefilled&/)
    expect(token).not.toBe('')
    expect(scan_qrcode_url).not.toContain(token)
  })

  it.each<[string, Parameters, string]>([
    ['no key', { client_key: undefined }, 'invalid_request'],
    ['an unknown key', { client_key: 'aw0' }, 'unauthorized_client'],
    ['a draft app', { client_key: 'awstandin00000002' }, 'unauthorized_client'],
    ['no scope', { scope: '' }, 'invalid_scope'],
    ['scopes separated by a space', { scope: `${BASIC} ${PROFILE}` }, 'invalid_scope'],
    [
      'a scope that is not approved',
      { client_key: PRODUCTION.client_key, scope: 'video.list' },
      'invalid_scope',
    ],
  ])('rejects %s with HTTP 200', async (_name, changes, error) => {
    const response = await requestCode(changes)

    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      error,
      error_description: expect.any(String),
      log_id: response.headers.get('x-tt-logid'),
    })
  })

  it('requires a bare content type', async () => {
    const fields = { client_key: SANDBOX.client_key, scope: BASIC }
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded;charset=UTF-8' }
    const response = await post(standIn, '/v2/oauth/get_qrcode/', fields, headers)

    expect(await response.json()).toMatchObject({ error: 'invalid_request' })
  })
})

describe('POST /v2/oauth/check_qrcode/', () => {
  it('[V24] returns the statuses new, scanned, confirmed and utilised', async () => {
    const code = await createCode({ state: 'a-state' })
    const results = [await checkCode(code)]
    await usePhone({ link: fillTicket(code) })
    results.push(await checkCode(code))
    await usePhone({ link: fillTicket(code), grant: BASIC })
    results.push(await checkCode(code), await checkCode(code))

    const client_ticket = TICKET
    expect(results).toEqual([
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

  it('[V24] returns a code that can be exchanged like any other', async () => {
    const code = await createCode({ scope: `${BASIC},${PROFILE}` })
    await usePhone({ link: fillTicket(code), grant: BASIC })
    const { redirect_uri } = await checkCode(code)
    const response = await exchangeCode(standIn, new URL(redirect_uri))

    expect(await response.json()).toMatchObject({ token_type: 'Bearer', scope: BASIC })
  })

  it.each(['new', 'scanned'])(
    '[V24] returns expired after three minutes in the status %s',
    async (status) => {
      const code = await createCode()
      if (status === 'scanned') await usePhone({ link: fillTicket(code) })
      await control(standIn, 'clock', { advance: 179 })
      expect((await checkCode(code)).status).toBe(status)
      await control(standIn, 'clock', { advance: 1 })

      expect((await checkCode(code)).status).toBe('expired')
      expect((await usePhone({ link: fillTicket(code), grant: BASIC })).status).toBe(400)
      expect(await checkCode(code)).not.toHaveProperty('code')
    },
  )

  it('[V24] returns expired after the user denied the login', async () => {
    const code = await createCode()
    await usePhone({ link: fillTicket(code), grant: 'deny' })

    expect((await checkCode(code)).status).toBe('expired')
  })

  it('[V24] returns the ticket of the scanned code, so that the app notices a foreign one', async () => {
    const code = await createCode()
    await usePhone({ link: fillTicket(code, 'the ticket of an attacker'), grant: BASIC })

    expect(await checkCode(code)).toMatchObject({
      client_ticket: 'the ticket of an attacker',
      status: 'confirmed',
    })
  })

  it('returns a ticket that was not filled in', async () => {
    const code = await createCode()
    await usePhone({ link: code.scan_qrcode_url })

    expect(await checkCode(code)).toEqual({ client_ticket: 'tobefilled', status: 'scanned' })
  })

  it.each<[string, (code: QrCode) => Parameters, string]>([
    ['an unknown token', () => ({ token: 'x' }), 'invalid_request'],
    ['no token', () => ({ token: undefined }), 'invalid_request'],
    ['another app', () => PRODUCTION, 'invalid_request'],
    ['a wrong secret', () => ({ client_secret: 'wrong' }), 'invalid_client'],
  ])('rejects %s', async (_name, changes, error) => {
    const code = await createCode()
    const fields = { ...SANDBOX, token: code.token, ...changes(code) }
    const response = await post(standIn, '/v2/oauth/check_qrcode/', fields)

    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ error })
  })
})

describe('POST /__stand-in/phone', () => {
  it.each([
    ['tova', 'target user'],
    ['bruno', 'cannot log in to other apps'],
  ])('rejects a scan by %s', async (user, message) => {
    const code = await createCode()
    const response = await usePhone({ link: fillTicket(code), user })

    expect(response.status).toBe(400)
    expect((await readJson<{ problem: string }>(response)).problem).toContain(message)
    expect((await checkCode(code)).status).toBe('new')
  })

  it('rejects a code that another user scanned', async () => {
    const code = await createCode()
    await usePhone({ link: fillTicket(code) })
    const response = await usePhone({ link: fillTicket(code), user: 'noah', grant: BASIC })

    expect(response.status).toBe(400)
    expect((await checkCode(code)).status).toBe('scanned')
  })

  it.each([
    'https://evil.example/?authorize_ticket=x',
    'aweme://authorize?authorize_ticket=x',
    'not a link',
  ])('rejects the link %s', async (link) => {
    expect((await usePhone({ link })).status).toBe(400)
  })

  it('rejects a ticket of 512 encoded characters', async () => {
    const code = await createCode()
    const rejected = await usePhone({ link: fillTicket(code, `${'a'.repeat(509)}&`) })
    const accepted = await usePhone({ link: fillTicket(code, `${'a'.repeat(508)}&`) })

    expect([rejected.status, accepted.status]).toEqual([400, 200])
  })
})

describe('the pages of the phone', () => {
  const PATH = '/v2/auth/phone'

  it('show the login page first, and return to the phone', async () => {
    const html = await (await openPage(standIn, PATH)).text()

    expect(html).toContain('data-testid="persona-mia"')
    expect(html).toContain('name="place" value="/v2/auth/phone"')
  })

  it('keep the content of a code that a page links to', async () => {
    const path = `${PATH}?${new URLSearchParams({ link: 'aweme://authorize?a=1' })}`
    const loginPage = await (await openPage(standIn, path)).text()
    const scanPage = await (await openPage(standIn, path, 'mia')).text()

    expect(loginPage).toContain(`name="place" value="${path}"`)
    expect(scanPage).toContain('>aweme://authorize?a=1</textarea>')
  })

  it('scan a code, name the app, and log in with the selected scopes', async () => {
    const code = await createCode({ scope: `${BASIC},${PROFILE}` })
    const confirmUrl = readLocation(await submit('scan', { link: fillTicket(code) }))
    const page = await (await openPage(standIn, confirmUrl, 'mia')).text()
    expect(page).toContain('Log in to Vestibule (sandbox) on another screen?')
    expect(page).toContain(`data-testid="scope-${PROFILE}"`)
    const ticket = confirmUrl.searchParams.get('ticket') ?? ''
    const done = await submit('confirm', { ticket, decision: 'allow' })

    expect(await done.text()).toContain('data-testid="allowed"')
    const { redirect_uri } = await checkCode(code)
    expect(new URL(redirect_uri).searchParams.get('scopes')).toBe(BASIC)
  })

  it('let the user cancel', async () => {
    const code = await createCode()
    const confirmUrl = readLocation(await submit('scan', { link: fillTicket(code) }))
    const ticket = confirmUrl.searchParams.get('ticket') ?? ''
    const done = await submit('confirm', { ticket, decision: 'deny' })

    expect(await done.text()).toContain('data-testid="denied"')
    expect((await checkCode(code)).status).toBe('expired')
  })

  it('explain what is wrong with a code', async () => {
    const page = await submit('scan', { link: '<script>' })

    expect(await page.text()).toContain('This is not a login code')
  })

  it('do not confirm a code that was not scanned, or was scanned by another user', async () => {
    const code = await createCode()
    const ticket = new URLSearchParams(code.scan_qrcode_url).get('authorize_ticket') ?? ''
    await submit('confirm', { ticket, decision: 'allow' })
    expect((await checkCode(code)).status).toBe('new')
    await usePhone({ link: fillTicket(code), user: 'noah' })
    const page = await submit('confirm', { ticket, decision: 'allow' })

    expect(await page.text()).toContain('another user')
    expect((await checkCode(code)).status).toBe('scanned')
  })

  function submit(form: 'scan' | 'confirm', fields: Parameters): Promise<Response> {
    return submitForm(standIn, `${PATH}/${form}`, { fields, persona: 'mia' })
  }
})

function requestCode(changes: Parameters = {}): Promise<Response> {
  const fields = { client_key: SANDBOX.client_key, scope: BASIC, ...changes }
  return post(standIn, '/v2/oauth/get_qrcode/', fields)
}

function createCode(changes: Parameters = {}): Promise<QrCode> {
  return readJson<QrCode>(requestCode(changes))
}

/** Replaces the placeholder, as an app does before it draws the QR code. */
function fillTicket({ scan_qrcode_url }: QrCode, ticket = TICKET): string {
  return scan_qrcode_url.replace('tobefilled', encodeURIComponent(ticket))
}

function checkCode({ token }: QrCode): Promise<Progress> {
  return readJson<Progress>(post(standIn, '/v2/oauth/check_qrcode/', { ...SANDBOX, token }))
}

function usePhone(action: { link: string; user?: string; grant?: string }): Promise<Response> {
  return control(standIn, 'phone', { user: 'mia', ...action })
}
