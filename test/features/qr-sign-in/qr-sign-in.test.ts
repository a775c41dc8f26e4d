import jsQR from 'jsqr'
import { describe, expect, it } from 'vitest'
import { qrCode } from '../../../src/define-feature/qr-code.ts'
import { options } from '../../../src/deployment.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import {
  Browser,
  lastLogEntry,
  logLines,
  SHOP,
  serviceOf,
  serviceWith,
  standIn,
} from '../../browser.ts'
import { RelyingApp } from '../../core/oidc/relying-app.ts'
import { findLink } from '../../html.ts'
import { addressAfterSignIn, redirectUrl } from '../../redirect.ts'
import { expectLengthLimit } from '../../return-url-length.ts'

/**
 * Decodes the QR code in a data URL. The image is a bitmap with four bits per pixel, bottom row
 * first.
 */
function decodeImage(dataUrl: string): string | undefined {
  const [, base64 = ''] = dataUrl.match(/^data:image\/bmp;base64,(.+)$/) ?? []
  const bytes = Uint8Array.fromBase64(base64)
  const header = new DataView(bytes.buffer)
  const [start, edge] = [header.getUint32(10, true), header.getUint32(18, true)]
  const stride = Math.ceil(edge / 8) * 4
  expect([header.getUint32(22, true), bytes.length]).toEqual([edge, start + stride * edge])
  const scale = 4
  const width = edge * scale
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255)
  for (let y = 0; y < width; y++)
    for (let x = 0; x < width; x++) {
      const [column, row] = [Math.floor(x / scale), edge - 1 - Math.floor(y / scale)]
      const pair = bytes[start + stride * row + (column >> 1)] ?? 0
      const color = header.getUint32(54 + 4 * (column % 2 ? pair & 15 : pair >> 4), true)
      pixels.set([color & 255, (color >> 8) & 255, color >> 16], (y * width + x) * 4)
    }
  return jsQR(pixels, width, width)?.data
}

/** The address in the QR code of a page. */
function decodePage(html: string): string {
  const [, dataUrl = ''] = html.match(/<img class="qr" [^>]*src="([^"]+)"/) ?? []
  return decodeImage(dataUrl) ?? ''
}

/** Shows a QR code in a new browser. `statusPath` is the page that the browser keeps reloading. */
async function showCode(query = '') {
  const browser = new Browser()
  const start = await browser.get(`/api/auth/signin/tiktok/qr${query}`)
  const statusPath = redirectUrl(start).pathname
  const page = await browser.get(statusPath)
  return { browser, statusPath, page, link: decodePage(await page.clone().text()) }
}

/** Scans the code with a phone, and consents if `grant` names scopes (or `deny`). */
function scan(link: string, grant?: string, user = 'mia') {
  return standIn.post('phone', { link, user, ...(grant && { grant }) })
}

describe('a QR code', () => {
  it.each([1, 17, 114, 115, 336, 345, 457, 458])('of %i bytes can be read', (length) => {
    const text = 'aweme://authorize?x=1&y=%2C+'.repeat(20).slice(0, length)

    expect(decodeImage(qrCode(text))).toBe(text)
  })

  it('encodes characters outside ASCII', () => {
    expect(decodeImage(qrCode('aweme://authorize?x=1&y=ä€'))).toBe('aweme://authorize?x=1&y=ä€')
  })

  it('rejects a text that is too long', () => {
    expect(() => qrCode('x'.repeat(459))).toThrow(RangeError)
  })
})

describe('signing in by QR code', () => {
  it('[V24] signs the browser in that shows the code, once the phone has confirmed', async () => {
    const { browser, statusPath, page, link } = await showCode(`?callbackUrl=${SHOP}/tv`)
    expect(page.headers.get('Refresh')).toBe('3')
    expect(link).toMatch(/^aweme:\/\/authorize\?.*client_ticket=[\w-]{43}/)

    await scan(link)
    const scanned = await browser.get(statusPath)
    expect(await scanned.text()).toContain('Now confirm the sign-in on your phone.')
    expect(await browser.session()).toBeNull()
    await scan(link, 'user.info.basic,user.info.profile')
    const done = await browser.get(statusPath)

    expect([done.status, done.headers.get('Location')]).toEqual([303, `${SHOP}/tv`])
    expect((await browser.session())?.user.name).toBe('Mia Lindqvist')
    expect(browser.cookieNames('attempt.')).toEqual([])
    expect((await browser.get(statusPath)).status).toBe(400)
  })

  it('is offered by the name of the app that scans the code', async () => {
    const page = await (await new Browser().get('/api/auth/signin')).text()
    const { page: qrPage } = await showCode()

    expect(page).toMatch(/<a class="scan" href="[^"]+">Scan a QR code with TikTok<\/a>/)
    expect(await qrPage.text()).toContain('<h1>Sign in with TikTok</h1>')
  })

  it('links to the phone of the stand-in, with the content of the code, only if one is used', async () => {
    const { page, link } = await showCode()
    const [origin, standInUrl] = ['http://localhost:8787', 'http://localhost:8788']
    const settings = { AUTH_URL: origin, AUTH_TIKTOK_WEB_URL: standInUrl }
    const browser = new Browser(serviceWith(settings), origin)
    const start = await browser.get('/api/auth/signin/tiktok/qr')
    const localPage = await (await browser.get(redirectUrl(start).pathname)).text()

    const phone = new URL(findLink(localPage, '/v2/auth/phone'))
    expect(phone.origin).toBe(standInUrl)
    expect(phone.searchParams.get('link')).toBe(decodePage(localPage))
    expect(link).not.toBe('')
    expect(await page.text()).not.toContain('/v2/auth/phone')
  })

  it('does not sign in another browser than the one that shows the code', async () => {
    const { statusPath, link } = await showCode()
    await scan(link, 'user.info.basic')

    const otherBrowser = new Browser()
    const response = await otherBrowser.get(statusPath)

    expect(response.status).toBe(400)
    expect(await otherBrowser.session()).toBeNull()
  })

  it('requires the cookie under its original name', async () => {
    const { browser, statusPath } = await showCode()
    const [name = ''] = browser.cookieNames('attempt.')
    const value = browser.cookies.get(name) ?? ''
    browser.cookies.delete(name)
    browser.cookies.set(`${name.slice(0, -11)}another-one`, value)

    expect((await browser.get(statusPath.replace(/[^/]+$/, 'another-one'))).status).toBe(400)

    browser.cookies.set(name, value)
    expect((await browser.get(statusPath)).status).toBe(200)
  })

  it('[V24] rejects the confirmation of a phone that scanned another ticket', async () => {
    const { browser, statusPath, link } = await showCode()
    await scan(
      link.replace(/client_ticket=[^&]+/, 'client_ticket=another-ticket'),
      'user.info.basic',
    )

    const response = await browser.get(statusPath)

    expect(response.status).toBe(502)
    expect(await browser.session()).toBeNull()
  })

  it('[V24] rejects a phone that has scanned another ticket already before its confirmation', async () => {
    const { browser, statusPath, link } = await showCode()
    await scan(link.replace(/client_ticket=[^&]+/, 'client_ticket=another-ticket'))

    expect((await browser.get(statusPath)).status).toBe(502)
  })

  it('responds with 502 to an error of the platform that has the status 200', async () => {
    const { browser, statusPath } = await showCode()
    const body = '{"error":"invalid_client","log_id":"L1"}'
    await standIn.fault({ path: '/v2/oauth/check_qrcode/', body })

    expect((await browser.get(statusPath)).status).toBe(502)
    expect(lastLogEntry('invalid_client')).toMatchObject({ upstreamError: 'invalid_client' })
  })

  it('offers a new code when the user rejected the request on the phone', async () => {
    const { browser, statusPath, link } = await showCode()
    await scan(link)
    await scan(link, 'deny')

    const page = await browser.get(statusPath)
    const html = await page.text()

    expect(page.headers.get('Refresh')).toBeNull()
    expect(html).toContain('This code has expired')
    expect(html).toMatch(/href="\/api\/auth\/signin\/tiktok\/qr\?[^"]*">Show a new code</)
    // It warns of codes of other people, and this page shows none.
    expect(html).not.toContain('Scan only a code')
  })

  it('[O6] has the same correlation id in all log lines, including failures', async () => {
    const before = logLines.length
    const { browser, statusPath, link } = await showCode()
    await standIn.fault({ path: '/v2/oauth/check_qrcode/', status: 503 })
    await browser.get(statusPath)
    await scan(link, 'user.info.basic')
    await browser.get(statusPath)

    const lines = logLines.slice(before).map((line) => JSON.parse(line))
    expect(lines.map(({ status }) => status)).toEqual([303, 200, 503, 303])
    expect(new Set(lines.map(({ attempt }) => attempt)).size).toBe(1)
    expect(lines[0].attempt).toMatch(/^\w{4}-\w{4}-\w{4}$/)
  })

  it('completes the authorization request of an app', async () => {
    const browser = new Browser()
    const authorize = await browser.get(await new RelyingApp('shop').authorizationUrl())
    const signInPage = await (await browser.get(redirectUrl(authorize).href)).text()
    const start = await browser.get(findLink(signInPage, 'signin/tiktok/qr'))
    const statusPath = redirectUrl(start).pathname
    const page = await (await browser.get(statusPath)).text()
    expect(page).toContain('Sign in to The shop')
    await scan(decodePage(page), 'user.info.basic')

    const resumed = redirectUrl(await browser.get(statusPath))
    const response = redirectUrl(await browser.get(resumed.href))

    expect(response.origin).toBe(SHOP)
    expect(response.searchParams.get('code')).toMatch(/^ac_/)
  })

  it('requests the upstream scopes that the app requires', async () => {
    const service = serviceWith({
      CLIENTS: [
        {
          client_id: 'shop',
          redirect_uris: [`${SHOP}/callback`],
          upstream_scope: ['user.info.stats'],
        },
      ],
    })
    const browser = new Browser(service)
    const start = await browser.get(`/api/auth/signin/tiktok/qr?callbackUrl=${SHOP}/`)
    const statusPath = redirectUrl(start).pathname
    const link = decodePage(await (await browser.get(statusPath)).text())
    expect(new URL(link).searchParams.get('scope')).toBe(
      'user.info.basic,user.info.profile,user.info.stats',
    )
    await scan(link, 'user.info.basic,user.info.profile,user.info.stats')

    const done = await browser.get(statusPath)

    expect([done.status, done.headers.get('Location')]).toEqual([303, `${SHOP}/`])
  })

  it('responds with 503 when the platform is unavailable', async () => {
    await standIn.fault({ path: '/v2/oauth/get_qrcode/', status: 503 })

    const response = await new Browser().get('/api/auth/signin/tiktok/qr')

    expect(response.status).toBe(503)
  })

  it.each([
    ['same-origin', '?prompt=select_account', 'Noah Adeyemi'],
    ['none', '?prompt=select_account', 'Noah Adeyemi'],
    ['none', `?prompt=login&callbackUrl=${SHOP}/tv`, 'Noah Adeyemi'],
    ['same-site', '?prompt=select_account', 'Mia Lindqvist'],
    ['same-origin', '', 'Mia Lindqvist'],
    ['none', '', 'Mia Lindqvist'],
    ['same-origin', '?prompt=consent', 'Mia Lindqvist'],
    ['same-origin', '?prompt=login&callbackUrl=/account/delete', 'Mia Lindqvist'],
  ])(
    '[K11] started with Sec-Fetch-Site: %s and %s, it leaves %s signed in',
    async (site, query, name) => {
      const browser = new Browser()
      await browser.signIn('mia')
      const path = `/api/auth/signin/tiktok/qr${query}`
      const { pathname } = redirectUrl(await browser.get(path, { 'Sec-Fetch-Site': site }))
      const page = await (await browser.get(pathname)).text()
      await scan(decodePage(page), 'user.info.basic', 'noah')

      await browser.get(pathname)

      expect((await browser.session())?.user.name).toBe(name)
    },
  )

  it('[K11] a new code still chooses an account, if the expired one did', async () => {
    const browser = new Browser()
    const path = '/api/auth/signin/tiktok/qr?prompt=select_account'
    const statusPath = redirectUrl(await browser.get(path, { 'Sec-Fetch-Site': 'none' })).pathname
    const link = decodePage(await (await browser.get(statusPath)).text())
    await scan(link)
    await scan(link, 'deny')

    const html = await (await browser.get(statusPath)).text()

    expect(findLink(html, 'signin/tiktok/qr')).toContain('prompt=select_account')
    expect(findLink(html, 'api/auth/signin?')).toContain('prompt=select_account')
  })

  it('[S6] does not count as a recent sign-in, because a code can be shown to another user', async () => {
    const { browser, statusPath, link } = await showCode()
    await scan(link, 'user.info.basic', 'noah')
    await browser.get(statusPath)
    expect(await browser.session()).not.toBeNull()

    expect(addressAfterSignIn(await browser.get('/account/delete'))).toBe('/account/delete')
    expect(addressAfterSignIn(await browser.post('/account/delete', {}))).toBe('/account/delete')
  })

  it('is offered only if the deployment enables it', async () => {
    const browser = new Browser(serviceWith({ AUTH_TIKTOK_QR: undefined }))

    expect((await browser.get('/api/auth/signin/tiktok/qr')).status).toBe(404)
    expect(await (await browser.get('/api/auth/signin')).text()).not.toContain('/qr')
  })

  it('is not there in a deployment that does not list the feature, which then reports the setting', async () => {
    const service = serviceOf(createVestibule({ ...options, features: [] }), {})
    const browser = new Browser(service)

    expect((await browser.get('/api/auth/signin/tiktok/qr')).status).toBe(404)
    expect(await (await browser.get('/api/auth/signin')).text()).not.toContain('/qr')
    const { checks } = await (await browser.get('/readyz')).json<{ checks: unknown[] }>()
    expect(checks).toContainEqual(
      expect.objectContaining({
        name: 'settings',
        problem: expect.stringContaining('AUTH_TIKTOK_QR is a setting of qrSignIn()'),
      }),
    )
  })

  it.each([
    [458, 303],
    [459, 502],
  ])('accepts a link and a token of up to 458 characters: %i', async (length, status) => {
    const link = 'aweme://authorize?client_ticket='
    const ticket = 'x'.repeat(43)
    const body = {
      scan_qrcode_url: `${link}${ticket}&x=`.padEnd(length, 'y'),
      token: 'z'.repeat(length),
    }
    await standIn.fault({ path: '/v2/oauth/get_qrcode/', body })
    const callbackUrl = `${SHOP}/`.padEnd(1600, 'a')

    const response = await new Browser().get(
      `/api/auth/signin/tiktok/qr?${new URLSearchParams({ callbackUrl })}`,
    )

    expect(response.status).toBe(status)
  })

  it('does not start when another site links to it', async () => {
    const browser = new Browser()

    const response = await browser.get('/api/auth/signin/tiktok/qr', {
      'Sec-Fetch-Site': 'cross-site',
    })

    expect(redirectUrl(response).pathname).toBe('/api/auth/signin')
    expect(browser.cookieNames('attempt.')).toEqual([])
  })
})

describe('a deployment with one provider and QR codes', () => {
  it('shows its sign-in page to users of first-party apps, who can use a phone', async () => {
    const browser = new Browser()
    const signInPage = redirectUrl(
      await browser.get(await new RelyingApp('shop').authorizationUrl()),
    )

    const page = await browser.get(signInPage.href)

    expect(page.status).toBe(200)
    expect(await page.text()).toContain('Scan a QR code')
  })
})

describe('GET /api/auth/signin/tiktok/qr', () => {
  it('[O6] is logged with the provider and the requesting client', async () => {
    await new Browser().get('/api/auth/signin/tiktok/qr?callbackUrl=https://shop.example/')

    expect(lastLogEntry()).toMatchObject({ status: 303, provider: 'tiktok', clientId: 'shop' })
  })

  it('[R6] accepts a callbackUrl up to a fixed length, and names it in the error beyond it', () =>
    expectLengthLimit((callbackUrl) =>
      new Browser().get(`/api/auth/signin/tiktok/qr?${new URLSearchParams({ callbackUrl })}`, {
        Accept: 'application/json',
      }),
    ))
})
