import jsQR from 'jsqr'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { qrCode } from '../src/pages/qr-code.ts'
import { Browser, LOGIN, logLines, SHOP, serviceWith, standIn } from './browser.ts'
import { RelyingApp } from './oidc/relying-app.ts'

afterEach(() => {
  vi.useRealTimers()
})

function leadsTo(response: Response): URL {
  return new URL(response.headers.get('Location') ?? '/nowhere', LOGIN)
}

/** What a camera reads off a picture: a bitmap of square dots, half a byte each, from the bottom to the top. */
function read(address: string): string | undefined {
  const [, base64 = ''] = address.match(/^data:image\/bmp;base64,(.+)$/) ?? []
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
      const [column, line] = [Math.floor(x / scale), edge - 1 - Math.floor(y / scale)]
      const pair = bytes[start + stride * line + (column >> 1)] ?? 0
      const color = header.getUint32(54 + 4 * (column % 2 ? pair & 15 : pair >> 4), true)
      pixels.set([color & 255, (color >> 8) & 255, color >> 16], (y * width + x) * 4)
    }
  return jsQR(pixels, width, width)?.data
}

/** What a camera reads off the page. */
function readPage(html: string): string {
  const [, picture = ''] = html.match(/<img class="qr" [^>]*src="([^"]+)"/) ?? []
  return read(picture) ?? ''
}

/** A screen that shows a code, where it waits, and what the code says. */
async function screen(query = '') {
  const browser = new Browser()
  const start = await browser.get(`/api/auth/signin/tiktok/qr${query}`)
  const wait = leadsTo(start).pathname
  const page = await browser.get(wait)
  return { browser, wait, page, link: readPage(await page.clone().text()) }
}

function phone(link: string, grant?: string, user = 'mia') {
  return standIn.post('phone', { link, user, ...(grant && { grant }) })
}

describe('a QR code', () => {
  it.each([1, 17, 114, 115, 336, 345, 457, 458])('of %i bytes can be read', (length) => {
    const text = 'aweme://authorize?x=1&y=%2C+'.repeat(20).slice(0, length)

    expect(read(qrCode(text))).toBe(text)
  })

  it('takes any letters', () => {
    expect(read(qrCode('aweme://authorize?x=1&y=ä€'))).toBe('aweme://authorize?x=1&y=ä€')
  })

  it('has a limit', () => {
    expect(() => qrCode('x'.repeat(459))).toThrow(RangeError)
  })
})

describe('signing in with a phone', () => {
  it('[V24] shows a code, follows the phone, and signs this screen in', async () => {
    const { browser, wait, page, link } = await screen(`?callbackUrl=${SHOP}/tv`)
    expect(page.headers.get('Refresh')).toBe('3')
    expect(link).toMatch(/^aweme:\/\/authorize\?.*client_ticket=[\w-]{43}/)

    await phone(link)
    const scanned = await browser.get(wait)
    expect(await scanned.text()).toContain('confirm it on your phone')
    expect(await browser.session()).toBeNull()
    await phone(link, 'user.info.basic,user.info.profile')
    const done = await browser.get(wait)

    expect([done.status, done.headers.get('Location')]).toEqual([303, `${SHOP}/tv`])
    expect((await browser.session())?.user.name).toBe('Mia Lindqvist')
    expect(browser.cookieNames('attempt.')).toEqual([])
    expect((await browser.get(wait)).status).toBe(400)
  })

  it('is bound to the browser that shows the code', async () => {
    const { wait, link } = await screen()
    await phone(link, 'user.info.basic')

    const stranger = new Browser()
    const response = await stranger.get(wait)

    expect(response.status).toBe(400)
    expect(await stranger.session()).toBeNull()
  })

  it('is found by the name of its own cookie alone', async () => {
    const { browser, wait } = await screen()
    const [name = ''] = browser.cookieNames('attempt.')
    const value = browser.cookies.get(name) ?? ''
    browser.cookies.clear()
    browser.cookies.set(`${name.slice(0, -11)}another-one`, value)

    expect((await browser.get(wait.replace(/[^/]+$/, 'another-one'))).status).toBe(400)

    browser.cookies.set(name, value)
    expect((await browser.get(wait)).status).toBe(200)
  })

  it('[V24] believes no phone that has read another ticket', async () => {
    const { browser, wait, link } = await screen()
    await phone(
      link.replace(/client_ticket=[^&]+/, 'client_ticket=somebody-elses'),
      'user.info.basic',
    )

    const response = await browser.get(wait)

    expect(response.status).toBe(502)
    expect(await browser.session()).toBeNull()
  })

  it('offers another code when one has expired, or was refused', async () => {
    const { browser, wait, link } = await screen()
    await phone(link)
    await phone(link, 'deny')

    const page = await browser.get(wait)

    expect(page.headers.get('Refresh')).toBeNull()
    const html = await page.text()
    expect(html).toContain('This code has expired')
    expect(html).toContain('href="/api/auth/signin/tiktok/qr?')
  })

  it('[O6] is named alike in the log while the phone is waited for, when it fails, and in the end', async () => {
    const before = logLines.length
    const { browser, wait, link } = await screen()
    await standIn.fault({ path: '/v2/oauth/check_qrcode/', status: 503 })
    await browser.get(wait)
    await phone(link, 'user.info.basic')
    await browser.get(wait)

    const lines = logLines.slice(before).map((line) => JSON.parse(line))
    expect(lines.map(({ status }) => status)).toEqual([303, 200, 503, 303])
    expect(new Set(lines.map(({ attempt }) => attempt)).size).toBe(1)
    expect(lines[0].attempt).toMatch(/^[\w-]{11}$/)
  })

  it('answers a request of an app', async () => {
    const browser = new Browser()
    const sent = leadsTo(await browser.get(await new RelyingApp('shop').authorizationUrl()))
    const signIn = await (await browser.get(sent.href)).text()
    const [, href = ''] = signIn.match(/href="(\/api\/auth\/signin\/tiktok\/qr[^"]+)"/) ?? []
    const wait = leadsTo(await browser.get(href.replaceAll('&amp;', '&'))).pathname
    const page = await (await browser.get(wait)).text()
    expect(page).toContain('Sign in to The shop')
    await phone(readPage(page), 'user.info.basic')

    const back = leadsTo(await browser.get(wait))
    const answer = leadsTo(await browser.get(back.href))

    expect(answer.origin).toBe(SHOP)
    expect(answer.searchParams.get('code')).toMatch(/^ac_/)
  })

  it('asks for what the app needs, as any other sign-in does', async () => {
    const needy = serviceWith({
      CLIENTS: [
        {
          client_id: 'shop',
          redirect_uris: [`${SHOP}/callback`],
          upstream_scope: ['user.info.stats'],
        },
      ],
    })
    const browser = new Browser(needy)
    const start = await browser.get(`/api/auth/signin/tiktok/qr?callbackUrl=${SHOP}/`)
    const wait = leadsTo(start).pathname
    const link = readPage(await (await browser.get(wait)).text())
    expect(new URL(link).searchParams.get('scope')).toBe(
      'user.info.basic,user.info.profile,user.info.stats',
    )
    await phone(link, 'user.info.basic,user.info.profile,user.info.stats')

    const done = await browser.get(wait)

    expect([done.status, done.headers.get('Location')]).toEqual([303, `${SHOP}/`])
  })

  it('is told when the platform does not play along', async () => {
    await standIn.fault({ path: '/v2/oauth/get_qrcode/', status: 503 })

    const response = await new Browser().get('/api/auth/signin/tiktok/qr')

    expect(response.status).toBe(503)
  })

  it('[S6] proves nothing that is needed to change an account: codes can be shown to others', async () => {
    const { browser, wait, link } = await screen()
    await phone(link, 'user.info.basic', 'noah')
    await browser.get(wait)
    expect(await browser.session()).not.toBeNull()

    expect((await browser.get('/account/delete')).status).toBe(401)
    expect((await browser.post('/account/delete', {})).status).toBe(401)
  })

  it('is there only where the deployment wants it', async () => {
    const without = new Browser(serviceWith({ AUTH_TIKTOK_QR: undefined }))

    expect((await without.get('/api/auth/signin/tiktok/qr')).status).toBe(404)
    expect(await (await without.get('/api/auth/signin')).text()).not.toContain('/qr')
  })

  it('is not started with an address that leaves no room, and nobody is asked', async () => {
    const before = await standIn.countRequests('/v2/oauth/get_qrcode/')
    const callbackUrl = `${SHOP}/${'a'.repeat(1700)}`

    const response = await new Browser().get(
      `/api/auth/signin/tiktok/qr?${new URLSearchParams({ callbackUrl })}`,
    )

    expect(response.status).toBe(413)
    expect(await standIn.countRequests('/v2/oauth/get_qrcode/')).toBe(before)
  })

  it('is not started by another site', async () => {
    const browser = new Browser()

    const response = await browser.get('/api/auth/signin/tiktok/qr', {
      'Sec-Fetch-Site': 'cross-site',
    })

    expect(response.status).toBe(200)
    expect(browser.cookieNames('attempt.')).toEqual([])
  })
})
