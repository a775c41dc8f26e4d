import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { readUserRows } from '../../../src/core/users/linked-accounts.ts'
import { importUsers } from '../../../src/features/admin/users/import-users.ts'
import { sealUntil } from '../../../src/foundation/crypto/expiring-seal.ts'
import { Email, Oidc, RecipientRejectedError, TikTok } from '../../../src/providers.ts'
import { accountDigests } from '../../account-digests.ts'
import { Browser, LOGIN, lastLogEntry, logLines, SHOP } from '../../browser.ts'
import { advanceClock, HOUR, MINUTE, stopClock } from '../../clock.ts'
import { continueUrl } from '../../continue-url.ts'
import { RelyingApp } from '../../core/oidc/relying-app.ts'
import { configReaderWith, readConfig } from '../../deployment.ts'
import { hangingCall } from '../../hanging-call.ts'
import { confirmation, errorCode, findLink, hiddenFields, languageSwitchPath } from '../../html.ts'
import { linkAddress, OWN_PAGE } from '../../link-account.ts'
import { signInNewUser } from '../../new-user.ts'
import { addressAfterSignIn, redirectUrl } from '../../redirect.ts'
import { clientsWith } from '../../registered-clients.ts'
import { confirmMethods, forbidden, linkedProviders } from '../../storage.ts'
import { OPEN_SETTINGS, UnregisteredApp } from '../agents/unregistered-app.ts'
import {
  confirmByEmail,
  emailService,
  newAddress,
  requestMessage,
  wrongCode,
} from './email-browser.ts'

const LINKS_BY_EMAIL = { allowDangerousEmailAccountLinking: true }

/** The provider of the users of {@link insertUser}, which allows accounts to be linked by email. */
const OP = Oidc({
  id: 'op',
  name: 'OP',
  issuer: 'https://op.example',
  clientId: 'x',
  clientSecret: 'secret-of-x',
  ...LINKS_BY_EMAIL,
})

/** The path and query of a link in a message. */
function pathOf(url = ''): string {
  return url.slice(LOGIN.length)
}

/** Presses the button of the page that a link opens. */
async function followLink(browser: Browser, url = ''): Promise<Response> {
  const page = await (await browser.get(pathOf(url))).text()
  const token = hiddenFields(page).get('token') ?? ''
  return browser.post('/api/auth/callback/email', { token })
}

describe('the name of an email provider', () => {
  it.each(['/api/auth/signin', '/api/auth/signin/email'])('is on its button: %s', async (path) => {
    const named = emailService({ name: 'Work email' }).browser()
    const unnamed = emailService().browser()

    expect(await (await named.get(path)).text()).toContain('Sign in with Work email')
    expect(await (await unnamed.get(path)).text()).toContain('Email me a code')
  })
})

describe('POST /api/auth/signin/email', () => {
  it('signs in with the code of the message', async () => {
    const { sent, browser: open } = emailService()
    const browser = open()
    const address = newAddress()

    const page = await requestMessage(browser, address, { callbackUrl: `${SHOP}/cart` })
    const response = await browser.post(page, { code: sent[0]?.token ?? '' })

    expect(await continueUrl(response)).toBe(`${SHOP}/cart`)
    expect((await browser.session())?.user).toMatchObject({ email: address })
    expect(await (await browser.get('/account')).text()).toContain(
      `<strong>\u2068${address}\u2069</strong>`,
    )
    expect(sent).toHaveLength(1)
    expect(sent[0]?.token).toMatch(/^\d{6}$/)
  })

  it.each([
    [`${SHOP}/cart`, 'Signing you in to The shop', 'Continue to shop.example'],
    ['/account', 'Signing you in…', 'Continue'],
  ])('says what to do if the browser does not continue: %s', async (callbackUrl, title, label) => {
    const { sent, browser: open } = emailService()
    const browser = open()
    const path = await requestMessage(browser, newAddress(), { callbackUrl })

    const page = await (await browser.post(path, { code: sent[0]?.token ?? '' })).text()

    expect(page).toContain(`<h1>${title}</h1>`)
    expect(page).toContain('<p>If nothing happens, press the button.</p>')
    expect(page).toMatch(new RegExp(`<a class="primary" id="continue" [^>]*>${label}</a>`))
  })

  it.each([
    ['spaces', (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)} `],
    ['hyphens', (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`],
    [
      'Arabic digits',
      (code: string) => code.replaceAll(/\d/g, (d) => '٠١٢٣٤٥٦٧٨٩'[Number(d)] ?? ''),
    ],
    [
      'Devanagari digits',
      (code: string) => code.replaceAll(/\d/g, (d) => '०१२३४५६७८९'[Number(d)] ?? ''),
    ],
    [
      'full-width digits',
      (code: string) => code.replaceAll(/\d/g, (d) => '０１２３４５６７８９'[Number(d)] ?? ''),
    ],
  ])('accepts the code with %s', async (_, write) => {
    const { sent, browser: open } = emailService()
    const browser = open()
    const page = await requestMessage(browser, newAddress())

    const response = await browser.post(page, { code: write(sent[0]?.token ?? '') })

    expect(response.status).toBe(200)
    expect(browser.cookieNames('session')).toHaveLength(1)
  })

  it('leads to the same user with each spelling of the address', async () => {
    const { sent, browser: open } = emailService()
    const address = newAddress()
    const userIds = new Set<string | undefined>()

    for (const spelling of [address, ` ${address.toUpperCase()} `]) {
      const browser = open()
      const page = await requestMessage(browser, spelling)
      await browser.post(page, { code: sent.at(-1)?.token ?? '' })
      userIds.add((await browser.session())?.user.id)
    }

    expect(userIds.size).toBe(1)
    expect([...userIds][0]).toMatch(/^usr_/)
  })

  it.each([
    '',
    'mia',
    'mia@',
    '@mail.example',
    'mia@mail',
    'a@b@mail.example',
    'mia\uff20evil.example@mail.example',
    'mia@mail.example,eve@evil.example',
    'mia@mail.example\r\nBcc: eve@evil.example',
    'mia@mail.example%0d%0aBcc:eve@evil.example',
    '"mia@evil.example"@mail.example',
    'Mia <mia@mail.example>',
    'mia@[127.0.0.1]',
    'mia@127.0.0.1',
    'mia@mail.example:25',
    'mia@mail.example/x',
    'mia@mail..example',
    '.mia@mail.example',
    'mía@mail.example',
    `${'a'.repeat(65)}@mail.example`,
    `mia@${'a.'.repeat(130)}example`,
    'mia@mail.example\0',
    '\u202emia@mail.example',
  ])('[S5] sends nothing to %j', async (address) => {
    const { sent, browser: open } = emailService()
    const browser = open()

    const response = await browser.post('/api/auth/signin/email', { email: address })

    expect(response.status).toBe(400)
    expect(await response.text()).toContain('This is not an email address.')
    expect(sent).toEqual([])
    expect(browser.cookieNames('attempt')).toEqual([])
  })

  it('offers the other ways to sign in after an invalid address, for the same app', async () => {
    const browser = emailService().browser()
    const callbackUrl = `${SHOP}/cart`

    const response = await browser.post('/api/auth/signin/email', { email: 'mia@', callbackUrl })

    const html = await response.text()
    expect(html).toContain('>Choose another way to sign in</a>')
    const url = new URL(findLink(html, '/api/auth/signin?'), LOGIN)
    expect([...url.searchParams.keys()]).toEqual(['interaction'])
    const page = await (await browser.get(url.pathname + url.search)).text()
    expect(page).toContain('Sign in to The shop')
  })

  it('offers the same page in another language after an invalid address', async () => {
    const browser = emailService().browser()
    const callbackUrl = `${SHOP}/cart`

    const response = await browser.post('/api/auth/signin/email', { email: 'mia@', callbackUrl })

    const path = languageSwitchPath(await response.text(), 'de')
    const page = await (await browser.get(path)).text()
    expect(page).toContain('<h1>Mit E-Mail anmelden</h1>')
    const start = await browser.get(
      `/api/auth/signin?interaction=${hiddenFields(page).get('interaction')}`,
    )
    expect(await start.text()).toContain('The shop')
  })

  it('[S5] sends to the ASCII form of an international domain, which shows which one it is', async () => {
    const { sent, browser: open } = emailService()

    await requestMessage(open(), `${crypto.randomUUID().slice(0, 8)}@аpple.example`) // a Cyrillic а

    expect(sent[0]?.identifier).toMatch(/@xn--pple-43d\.example$/)
  })

  it('[U1] uses no storage that knows users, so that its response does not depend on them', async () => {
    const known = newAddress()
    const { sent, browser: open } = emailService()
    const owner = open()
    await owner.post(await requestMessage(owner, known), { code: sent[0]?.token ?? '' })
    expect(owner.cookieNames('session')).toHaveLength(1)
    const settings = { DIRECTORY: forbidden('DIRECTORY'), USERS: forbidden('USERS') }
    const { browser: openWithout } = emailService({}, { settings })

    const responses = await Promise.all(
      [known, newAddress()].map(async (address) => {
        const browser = openWithout()
        const response = await browser.post('/api/auth/signin/email', { email: address })
        const page = await browser.get(response.headers.get('Location') ?? '')
        return {
          status: response.status,
          location: response.headers.get('Location')?.replace(/[\w-]+$/, ''),
          headers: [...response.headers.keys()],
          page: (await page.text())
            .replaceAll(address, '')
            .replaceAll(/nonce="[^"]+"|value="[^"]+"|\/email\/[\w-]+/g, ''),
        }
      }),
    )

    expect(responses[0]).toEqual(responses[1])
    expect(responses[0]?.status).toBe(303)
  })

  it('[R1] sends ten messages to an address in 15 minutes, of twenty parallel requests', async () => {
    const { sent, browser: open } = emailService()
    const address = newAddress()

    const browsers = Array.from({ length: 20 }, open)
    const responses = await Promise.all(
      browsers.map((browser) => browser.post('/api/auth/signin/email', { email: address })),
    )

    expect(responses.map(({ status }) => status).toSorted()).toEqual([
      ...Array<number>(10).fill(303),
      ...Array<number>(10).fill(429),
    ])
    expect(sent).toHaveLength(10)
    advanceClock(15 * MINUTE + 1)
    expect((await open().post('/api/auth/signin/email', { email: address })).status).toBe(303)
  })

  it('says how long to wait when there were too many, and how to sign in instead', async () => {
    const { browser: open } = emailService()
    const browser = open()
    const address = newAddress()
    for (let n = 0; n < 10; n++) await requestMessage(browser, address)

    const response = await browser.post(
      '/api/auth/signin/email',
      { email: address },
      { Accept: 'text/html', 'Accept-Language': 'en' },
    )

    const page = await response.text()
    expect(response.status).toBe(429)
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(14 * 60)
    expect(page).toContain('Too many messages were requested. Try again in 15 minutes.')
    expect(page).toContain('Choose another way to sign in')
    // The address itself is right.
    expect(page).not.toContain('aria-invalid="true"')
  })

  it('[R1] sends 20 messages to an address in a day', async () => {
    const { sent, browser: open } = emailService()
    const address = newAddress()

    for (let quarter = 0; quarter < 6; quarter++) {
      for (let request = 0; request < 5; request++) await requestMessage(open(), address)
      advanceClock(15 * MINUTE + 1)
    }

    expect(sent).toHaveLength(20)
    advanceClock(24 * HOUR)
    expect(await requestMessage(open(), address)).toContain('/api/auth/signin/email/')
  })

  it('[R1][R2] lets one network request half of the messages to an address', async () => {
    const { sent, browser: open } = emailService()
    const address = newAddress()
    const request = (ip: string) =>
      open().post('/api/auth/signin/email', { email: address }, { 'CF-Connecting-IP': ip })

    for (let quarter = 0; quarter < 3; quarter++) {
      for (let n = 0; n < 6; n++) await request(`2001:db8:6:${n}${quarter}00::1`)
      expect(sent).toHaveLength(Math.min((quarter + 1) * 5, 10))
      advanceClock(15 * MINUTE + 1)
    }

    expect((await request('2001:db8:6::1')).status).toBe(429)
    expect((await request('203.0.113.91')).status).toBe(303)
  })

  it('[U9] sends to a browser that has signed in with the address, whatever others requested', async () => {
    const { sent, browser: open } = emailService()
    const headers = { 'CF-Connecting-IP': '203.0.113.90' }
    const address = newAddress()
    const request = (browser: Browser, email = address) =>
      browser.post('/api/auth/signin/email', { email }, headers)
    const owner = open()
    const { headers: started } = await request(owner)
    await owner.post(started.get('Location') ?? '', { code: sent[0]?.token ?? '' })
    await owner.post('/api/auth/signout', {})

    for (let count = 0; count < 4; count++) await request(open())
    for (let count = 0; count < 25; count++) await request(open(), newAddress())

    expect((await request(open())).status).toBe(429)
    expect((await request(owner, newAddress())).status).toBe(429)
    const own = await Promise.all(Array.from({ length: 12 }, () => request(owner)))
    expect(own.filter(({ status }) => status === 303)).toHaveLength(10)
  })

  it('[R1] sends ten messages to an address for all browsers that know it', async () => {
    const { sent, browser: open } = emailService()
    const address = newAddress()
    const browsers = [open(), open()]
    for (const browser of browsers) {
      await browser.post(await requestMessage(browser, address), {
        code: sent.at(-1)?.token ?? '',
      })
    }
    const before = sent.length

    for (let count = 0; count < 6; count++) {
      for (const browser of browsers)
        await browser.post('/api/auth/signin/email', { email: address })
    }

    expect(sent.length - before).toBe(10)
  })

  it('[R1] sends 30 messages for a network address in 15 minutes, whoever they are for', async () => {
    const { sent, browser: open } = emailService()
    const headers = { 'CF-Connecting-IP': '203.0.113.77' }

    for (let request = 0; request < 32; request++) {
      await open().post('/api/auth/signin/email', { email: newAddress() }, headers)
    }

    expect(sent).toHaveLength(30)
    const other = { 'CF-Connecting-IP': '203.0.113.78' }
    expect(
      (await open().post('/api/auth/signin/email', { email: newAddress() }, other)).status,
    ).toBe(303)
  })

  it('[R1] counts a message that is not sent neither for the network address nor for the recipient', async () => {
    const { sent, browser: open } = emailService()
    const headers = { 'CF-Connecting-IP': '203.0.113.79' }
    const request = (email: string, more: Record<string, string> = headers) =>
      open().post('/api/auth/signin/email', { email }, more)
    const address = newAddress()
    stopClock()

    await Promise.all(Array.from({ length: 40 }, () => request(address)))
    expect(sent).toHaveLength(5)
    await Promise.all(Array.from({ length: 40 }, () => request(newAddress())))
    expect(sent).toHaveLength(30)
    const other = newAddress()
    await Promise.all(Array.from({ length: 10 }, () => request(other)))
    expect(sent).toHaveLength(30)
    await Promise.all(Array.from({ length: 20 }, () => request(other, {})))

    expect(sent).toHaveLength(40)
  })

  it('[R6] rejects thousands of combining characters before it converts them', async () => {
    using parse = vi.spyOn(URL, 'parse')
    using normalize = vi.spyOn(String.prototype, 'normalize')
    const normalizeIdentifier = vi.fn((text: string) => text)
    const marks = '\u0323\u0301'.repeat(1250)

    for (const options of [{}, { normalizeIdentifier }]) {
      for (const email of [`mia@a${marks}.example`, `a${marks}@mail.example`]) {
        const browser = emailService(options).browser()
        const response = await browser.post('/api/auth/signin/email', { email })
        expect(response.status).toBe(400)
      }
    }

    expect(parse.mock.calls.filter(([url]) => String(url).includes(marks))).toEqual([])
    expect(normalize.mock.contexts.filter((text) => String(text).includes(marks))).toEqual([])
    expect(normalizeIdentifier).not.toHaveBeenCalled()
  })

  it('[L14] rejects a request of another site', async () => {
    const { sent, browser: open } = emailService()

    const response = await open().post(
      '/api/auth/signin/email',
      { email: newAddress() },
      { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
    )

    expect(await errorCode(response)).toBe('cross_site')
    expect(sent).toEqual([])
  })

  it('has room for the longest address and the longest return address in the cookie', async () => {
    const { sent, browser: open } = emailService()
    const browser = open()
    const start = `${SHOP}/?x=`
    const callbackUrl = start + 'x'.repeat(2000 - start.length)
    const name = crypto.randomUUID().padEnd(64, 'a')
    const labels = `${'b'.repeat(60)}.`.repeat(3)
    const domain = `${labels.slice(0, 254 - name.length - 1 - 'example'.length - 1)}.example`

    const page = await requestMessage(browser, `${name}@${domain}`, { callbackUrl })
    const response = await browser.post(page, { code: sent[0]?.token ?? '' })

    expect(sent[0]?.identifier.length).toBeGreaterThan(240)
    expect(await continueUrl(response)).toBe(callbackUrl)
  })

  it('counts no message if the return address is rejected', async () => {
    const { sent, browser: open } = emailService()
    const address = newAddress()

    for (let request = 0; request < 6; request++) {
      const form = { email: address, callbackUrl: 'https://evil.example/' }
      const response = await open().post('/api/auth/signin/email', form)
      expect(await errorCode(response)).toBe('return_url_refused')
    }

    expect(sent).toEqual([])
    expect(await requestMessage(open(), address)).toContain('/api/auth/signin/email/')
  })

  it('sends the message in the language of the page, with the name of the app', async () => {
    const { sent, browser: open } = emailService()
    const form = { email: newAddress(), callbackUrl: `${SHOP}/` }

    await open().post('/api/auth/signin/email', form, {
      'Accept-Language': 'es-MX',
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0',
    })

    expect(sent[0]?.message.subject).toBe(
      `${sent[0]?.token} · Tu código para iniciar sesión en The shop`,
    )
    expect(sent[0]?.message.text).toContain('Solicitado desde: Firefox, Linux')
  })

  it('has the colour of the app in the message, and not the name of one that nobody has registered', async () => {
    const CLIENTS = clientsWith({ shop: { brand_color: '#123456' } })
    const { sent, browser: open } = emailService({}, { settings: { ...OPEN_SETTINGS, CLIENTS } })
    await requestMessage(open(), newAddress(), { callbackUrl: `${SHOP}/` })
    const browser = open()
    const app = await new UnregisteredApp().publish()
    const page = redirectUrl(await app.authorize(browser))
    const { interaction = '' } = Object.fromEntries(page.searchParams)
    await requestMessage(browser, newAddress(), { interaction })

    expect(sent[0]?.message.html).toContain('background:#123456')
    expect(sent[1]?.message.subject).toContain('login.example')
    expect(sent[1]?.message.text).not.toContain(app.host)
  })

  it('comes from the address of the setting, if there is one', async () => {
    const settings = { AUTH_EMAIL_FROM: 'Acme <other@acme.example>' }
    const { sent, browser: open } = emailService({}, { settings })

    await requestMessage(open(), newAddress())

    expect(sent[0]?.from).toBe('Acme <other@acme.example>')
  })

  it('[R1] sends 200 messages for a network address in a day, whoever they are for', async () => {
    stopClock()
    const { sent, browser: open } = emailService()
    const headers = { 'CF-Connecting-IP': '203.0.113.177' }

    for (let round = 0; round < 7; round++) {
      for (let request = 0; request < 30; request++) {
        await open().post('/api/auth/signin/email', { email: newAddress() }, headers)
      }
      advanceClock(16 * MINUTE)
    }

    expect(sent).toHaveLength(200)
  })

  it('responds with JSON to a program', async () => {
    const { browser: open } = emailService()
    const headers = { Accept: 'application/json' }

    const response = await open().post('/api/auth/signin/email', { email: 'x' }, headers)

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: 'request_invalid', parameter: 'email' })
  })
})

describe('a code', () => {
  it('[U2] can be tried five times; after that the correct one is rejected too', async () => {
    const { sent, browser: open, service } = emailService()
    const browser = open()
    const page = await requestMessage(browser, newAddress())
    const code = sent[0]?.token ?? ''
    const earlier = new Browser(service).withCookiesOf(browser)
    const another = new Browser(service).withCookiesOf(browser)

    const statuses = []
    for (let guess = 1; guess <= 5; guess++) {
      const response = await browser.post(page, { code: wrongCode(code) })
      statuses.push(response.status)
      const left = 5 - guess
      if (left > 0) expect(await response.text()).toContain(`Attempts left: ${left}.`)
      else {
        const page = await response.clone().text()
        expect(page).toContain('wait 15 minutes')
        expect(page).toContain('Choose another way to sign in')
        expect(await errorCode(response)).toBe('too_many_guesses')
      }
    }

    expect(statuses).toEqual([401, 401, 401, 401, 429])
    // [U3] An older cookie does not allow further guesses.
    expect(await errorCode(await earlier.post(page, { code }))).toBe('too_many_guesses')
    expect(await errorCode(await followLink(another, sent[0]?.url))).toBe('too_many_guesses')
    expect(earlier.cookieNames('session')).toEqual([])
    expect(browser.cookieNames('session')).toEqual([])
  })

  it('is asked for in another language, also after a wrong one and after a second message', async () => {
    const { sent, browser: open } = emailService()
    const browser = open()
    const path = await requestMessage(browser, newAddress())
    const code = sent[0]?.token ?? ''
    const pages = [
      await browser.get(path),
      await browser.post(path, { code: wrongCode(code) }),
      await browser.post(`${path}/again`, {}),
    ]

    for (const page of pages) {
      expect(languageSwitchPath(await page.text(), 'de')).toBe(`${path}?language=de`)
    }
    const german = await (await browser.get(`${path}?language=de`)).text()
    expect(german).toContain('<html lang="de">')
    expect(german).toContain(`action="${path}"`)
    await browser.post(path, { code })
    expect(await browser.session()).not.toBeNull()
  })

  it('[U2] is not found by 40 parallel guesses', async () => {
    const { sent, browser: open } = emailService()
    const browser = open()
    const page = await requestMessage(browser, newAddress())
    const code = sent[0]?.token ?? ''

    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        browser.post(page, { code: String(index).padStart(6, code.startsWith('0') ? '9' : '0') }),
      ),
    )

    expect(responses.filter(({ status }) => status === 401)).toHaveLength(4)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(36)
  })

  it('expires after ten minutes, with its link', async () => {
    const { sent, browser: open } = emailService()
    const browser = open()
    const page = await requestMessage(browser, newAddress())
    advanceClock(10 * MINUTE)

    const responses = [
      await browser.post(page, { code: sent[0]?.token ?? '' }),
      await browser.get(page),
      await browser.get(pathOf(sent[0]?.url)),
    ]

    for (const response of responses) expect(await errorCode(response)).toBe('attempt_missing')
    expect(browser.cookieNames('session')).toEqual([])
  })

  it('expires earlier if the deployment says so', async () => {
    const { sent, browser: open } = emailService({ maxAge: 60 })
    const browser = open()
    const page = await requestMessage(browser, newAddress())
    advanceClock(MINUTE)

    const response = await browser.post(page, { code: sent[0]?.token ?? '' })

    expect(await errorCode(response)).toBe('attempt_missing')
    expect(sent[0]?.message.text).toContain('1 minute')
  })

  it('[U4] does not sign in another browser, which has no attempt', async () => {
    const { sent, browser: open } = emailService()
    const page = await requestMessage(open(), newAddress())
    const other = open()

    const response = await other.post(page, { code: sent[0]?.token ?? '' })

    expect(await errorCode(response)).toBe('attempt_missing')
    expect(other.cookieNames('session')).toEqual([])
  })

  it('[U4] does not finish an attempt for another address', async () => {
    const { sent, browser: open } = emailService()
    const attacker = open()
    await requestMessage(open(), newAddress())
    const page = await requestMessage(attacker, newAddress())

    const response = await attacker.post(page, { code: sent[0]?.token ?? '' })

    // One in a million times both codes are the same.
    expect(response.status).toBe(sent[0]?.token === sent[1]?.token ? 200 : 401)
  })

  it('cannot be sent by another site or an app', async () => {
    const { sent, browser: open } = emailService()
    const browser = open()
    const page = await requestMessage(browser, newAddress())

    const response = await browser.post(
      page,
      { code: sent[0]?.token ?? '' },
      { Origin: SHOP, 'Sec-Fetch-Site': 'cross-site' },
    )

    expect(await errorCode(response)).toBe('cross_site')
  })
})

describe('a link', () => {
  it('signs in the browser that requested it, after a click', async () => {
    const { sent, browser: open } = emailService()
    const browser = open()
    const address = newAddress()
    await requestMessage(browser, address, { callbackUrl: `${SHOP}/cart` })

    const page = await browser.get(pathOf(sent[0]?.url), {
      'Sec-Fetch-Site': 'cross-site',
      'Sec-Fetch-Mode': 'navigate',
    })
    expect(page.status).toBe(200)
    expect(browser.cookieNames('session')).toEqual([])
    const response = await followLink(browser, sent[0]?.url)

    expect(await continueUrl(response)).toBe(`${SHOP}/cart`)
    expect((await browser.session())?.user).toMatchObject({ email: address })
  })

  it('offers the other ways to sign in, for the same app', async () => {
    const { sent, browser: open } = emailService()
    const browser = open()
    await requestMessage(browser, newAddress(), { callbackUrl: `${SHOP}/cart` })

    const html = await (await browser.get(pathOf(sent[0]?.url))).text()

    const page = await (await browser.get(findLink(html, '/api/auth/signin?'))).text()
    expect(page).toContain('Sign in to The shop')
  })

  it('[U5] signs nobody in when it is opened in another browser', async () => {
    const { sent, browser: open } = emailService()
    const browser = open()
    const page = await requestMessage(browser, newAddress())
    const other = open()

    const response = await other.get(pathOf(sent[0]?.url))
    const token = new URL(sent[0]?.url ?? '').searchParams.get('token') ?? ''
    const posted = await other.post('/api/auth/callback/email', { token })

    const html = await response.text()
    expect(html).toContain('Enter the code where you started')
    expect(html).not.toContain('method="post"')
    expect(html).not.toContain(sent[0]?.token)
    expect(html).not.toContain(sent[0]?.identifier)
    expect(await errorCode(posted)).toBe('attempt_missing')
    expect(other.cookieNames('session')).toEqual([])
    // The browser that requested it can still sign in.
    expect((await browser.post(page, { code: sent[0]?.token ?? '' })).status).toBe(200)
  })

  it('[U6] is not used by programs that open it', async () => {
    const { sent, browser: open } = emailService()
    const browser = open()
    await requestMessage(browser, newAddress())
    const path = pathOf(sent[0]?.url)

    for (const scanner of [open(), browser]) {
      await scanner.fetch(path, { method: 'HEAD' })
      await scanner.get(path, { 'Sec-Purpose': 'prefetch' })
      await scanner.get(path)
      await scanner.get(`${path}&utm_source=scanner`)
      await scanner.fetch(path, { method: 'POST' })
    }

    expect(browser.cookieNames('session')).toEqual([])
    expect((await followLink(browser, sent[0]?.url)).status).toBe(200)
    expect(browser.cookieNames('session')).toHaveLength(1)
  })

  it.each(['', 'x', 'A'.repeat(200), 'A'.repeat(2000), '../..'])(
    'that is forged or damaged is rejected: %s',
    async (token) => {
      const { browser: open } = emailService()

      const response = await open().get(
        `/api/auth/callback/email?${new URLSearchParams({ token })}`,
      )

      expect(response.status).toBe(400)
    },
  )

  it('is rejected at another email provider', async () => {
    const { sent, browser: open } = emailService({ id: 'work-email' })
    const { browser: openOther } = emailService()
    const browser = open()
    await browser.post('/api/auth/signin/work-email', { email: newAddress() })

    const response = await openOther().get(
      pathOf(sent[0]?.url).replace('/callback/work-email', '/callback/email'),
    )

    expect(await errorCode(response)).toBe('attempt_missing')
  })

  it('[U5] with another secret than that of its attempt signs nobody in', async () => {
    const browser = emailService().browser()
    const attempt = (await requestMessage(browser, newAddress())).split('/').at(-1)
    const link = (secret: string) =>
      sealUntil<'email'>(readConfig(env).seal, Math.floor(Date.now() / 1000) + 600, {
        purpose: 'email',
        context: 'email',
        text: JSON.stringify({ attempt, secret, browser: '' }),
      })
    const token = await link('of-another-attempt')

    const page = await browser.get(`/api/auth/callback/email?token=${token}`)
    const response = await browser.post('/api/auth/callback/email', { token })

    expect(await page.text()).toContain('Enter the code where you started')
    expect(await errorCode(response)).toBe('attempt_missing')
    expect(await browser.session()).toBeNull()
  })

  it('contains nothing but an opaque token', async () => {
    const { sent, browser: open } = emailService()
    await requestMessage(open(), newAddress())

    expect(sent[0]?.url).toMatch(
      /^https:\/\/login\.example\/api\/auth\/callback\/email\?token=[\w-]+$/,
    )
  })
})

describe('POST /api/auth/signin/email/:attempt/again', () => {
  it('sends the same code again, half a minute later', async () => {
    const { sent, browser: open } = emailService()
    const browser = open()
    const page = await requestMessage(browser, newAddress())

    const early = await browser.post(`${page}/again`, {})
    advanceClock(31)
    const first = await browser.post(`${page}/again`, {})
    const second = await browser.post(`${page}/again`, {})

    expect(early.status).toBe(429)
    expect(await first.text()).toContain('We sent the message again.')
    expect(second.status).toBe(429)
    expect(sent.map(({ token }) => token)).toEqual([sent[0]?.token, sent[0]?.token])
    expect((await browser.post(page, { code: sent[1]?.token ?? '' })).status).toBe(200)
  })

  it('counts towards the limit of the recipient', async () => {
    const { sent, browser: open } = emailService()
    const address = newAddress()
    const browser = open()
    const page = await requestMessage(browser, address)
    for (let request = 0; request < 9; request++) await requestMessage(open(), address)
    advanceClock(31)

    const response = await browser.post(`${page}/again`, {})

    expect(response.status).toBe(429)
    expect(sent).toHaveLength(10)
  })
})

describe('sendVerificationRequest', () => {
  it('receives the message, and the request without cookies and body', async () => {
    const { sent, browser: open } = emailService()
    const browser = open()
    await browser.get('/api/auth/signin')
    await browser.post(
      '/api/auth/signin/email',
      { email: newAddress() },
      { 'User-Agent': 'Firefox Linux', Authorization: 'Bearer x' },
    )

    const params = sent[0]
    expect(params).toMatchObject({
      from: 'Acme <login@acme.example>',
      provider: { id: 'email', type: 'email' },
      theme: {},
    })
    expect(params?.expires.getTime()).toBeGreaterThan(Date.now() + 9 * MINUTE * 1000)
    expect(params?.request.method).toBe('POST')
    expect(params?.request.headers.get('Cookie')).toBeNull()
    expect(params?.request.headers.get('Authorization')).toBeNull()
    expect(params?.request.headers.get('User-Agent')).toBe('Firefox Linux')
    expect(await params?.request.text()).toBe('')
  })

  it('[O5] that fails shows the page unavailable, and neither address nor code is logged', async () => {
    const { browser: open } = emailService({
      sendVerificationRequest({ identifier, token, url }) {
        throw new Error(`550 no mailbox for ${identifier}: ${token} ${url}`)
      },
    })
    const address = newAddress()

    const response = await open().post('/api/auth/signin/email', { email: address })

    expect(response.status).toBe(503)
    expect(await errorCode(response)).toBe('unavailable')
    expect(lastLogEntry('email_failed').cause).toContain('550 no mailbox for …: … …')
    expect(logLines.join('\n')).not.toContain(address)
  })

  it('[O5] that rejects the recipient is logged without the address and the code', async () => {
    const { browser: open } = emailService({
      sendVerificationRequest({ identifier, token, url }) {
        throw new RecipientRejectedError(`${identifier} has bounced: ${token} ${url}`)
      },
    })
    const address = newAddress()

    const response = await open().post('/api/auth/signin/email', { email: address })

    expect(response.status).toBe(303)
    expect(lastLogEntry('email_rejected').cause).toBe('… has bounced: … …')
    expect(logLines.join('\n')).not.toContain(address)
  })

  it('[P4] that takes longer than six seconds shows the page unavailable', async () => {
    const { call, endsAfter } = hangingCall()
    const { browser: open } = emailService({ sendVerificationRequest: call })

    const response = await endsAfter(6000, () =>
      open().post('/api/auth/signin/email', { email: newAddress() }),
    )

    expect(await errorCode(response)).toBe('unavailable')
    expect(lastLogEntry('email_failed').cause).toContain('within 6 seconds')
  })
})

describe('normalizeIdentifier', () => {
  it('replaces the normalization', async () => {
    const { sent, browser: open } = emailService({
      normalizeIdentifier: (text) => text.toLowerCase().replace(/\+.*@/, '@'),
    })
    const name = crypto.randomUUID().slice(0, 8)

    await requestMessage(open(), `${name}+news@Mail.example`)

    expect(sent[0]?.identifier).toBe(`${name}@mail.example`)
  })

  it.each<[string, (text: string) => string]>([
    [
      'throws',
      () => {
        throw new Error('no')
      },
    ],
    ['returns two addresses', (text) => `${text},eve@evil.example`],
    ['returns a header', (text) => `${text}\r\nBcc: eve@evil.example`],
    ['returns no text', () => undefined as never],
  ])('[S5] sends nothing if it %s', async (_, normalizeIdentifier) => {
    const { sent, browser: open } = emailService({ normalizeIdentifier })

    const response = await open().post('/api/auth/signin/email', { email: newAddress() })

    expect(response.status).toBe(400)
    expect(sent).toEqual([])
  })
})

describe('the limit of a recipient', () => {
  it('[R1] is the same for all spellings, whatever normalizeIdentifier returns', async () => {
    const { sent, browser: open } = emailService({ normalizeIdentifier: (text) => text })
    const [name = ''] = newAddress().split('@')
    const spellings = ['a', 'b', 'c', 'd'].map((letter) =>
      `abcd${name}`.replace(letter, letter.toUpperCase()),
    )
    const addresses = spellings.map((spelling) => `${spelling}@mail.example`)

    for (const address of [...addresses, ...addresses, ...addresses]) {
      await requestMessage(open(), address)
    }

    expect(sent).toHaveLength(10)
  })
})

describe('an email account', () => {
  it('[S1] is not linked to a user with the same address at another provider', async () => {
    const address = newAddress()
    const { sent, browser: open } = emailService()
    const userId = await insertUser(address)
    const browser = open()

    await browser.post(await requestMessage(browser, address), { code: sent[0]?.token ?? '' })

    expect((await browser.session())?.user.id).not.toBe(userId)
  })

  it('[S2] is linked to that user if allowDangerousEmailAccountLinking is set', async () => {
    const address = newAddress()
    const { sent, browser: open } = emailService(LINKS_BY_EMAIL, { providers: [OP] })
    const userId = await insertUser(address)
    const browser = open()

    await browser.post(await requestMessage(browser, address), { code: sent[0]?.token ?? '' })

    const user = (await browser.session())?.user
    expect(user?.id).toBe(userId)
    // What the address does not say is kept.
    expect(user).toMatchObject({ name: 'Ada', image: 'https://op.example/ada.png', email: address })
    expect(await linkedProviders(userId)).toEqual(['op', 'email'])
  })

  it('[S2] is not linked to a user whose address is not verified', async () => {
    const address = newAddress()
    const { sent, browser: open } = emailService(LINKS_BY_EMAIL, { providers: [OP] })
    const userId = await insertUser(address, { isVerified: false })
    const browser = open()

    await browser.post(await requestMessage(browser, address), { code: sent[0]?.token ?? '' })

    expect((await browser.session())?.user.id).not.toBe(userId)
  })

  it('is not called a connected app after the user has been deleted', async () => {
    const { sent, browser: open } = emailService()
    const browser = open()
    const codePage = await requestMessage(browser, newAddress(), { prompt: 'login' })
    await browser.post(codePage, { code: sent[0]?.token ?? '' })

    const page = await (await browser.post('/account/delete', {})).text()

    expect(page).toContain('<p>You have been signed out everywhere.</p>')
    expect(page).not.toContain('connected apps')
  })

  it('is not named as a provider after the sign-out', async () => {
    const { sent, browser: open } = emailService()
    const browser = open()
    const codePage = await requestMessage(browser, newAddress())
    await browser.post(codePage, { code: sent[0]?.token ?? '' })
    expect(await browser.session()).not.toBeNull()

    const page = await (await browser.post('/api/auth/signout', {})).text()

    expect(page).toContain('You are signed out')
    expect(page).not.toContain('still be signed in')
  })

  it('is found by a sign-in if it was imported in another spelling', async () => {
    const address = newAddress()
    const { sent, browser: open } = emailService()
    const config = configReaderWith({
      providers: [TikTok, Email({ from: 'login@acme.example', sendVerificationRequest() {} })],
    })(env)
    const lines = [
      { provider: 'email', provider_account_id: address.toUpperCase(), name: 'Ada' },
      { provider: 'email', provider_account_id: 'not an address', name: 'Bob' },
    ]

    const result = await importUsers(env, config, { lines, origin: { actor: 'service' } })
    const browser = open()
    await browser.post(await requestMessage(browser, address), { code: sent[0]?.token ?? '' })

    expect(result).toMatchObject({ imported: 1, problems: [{ line: 2 }] })
    expect((await browser.session())?.user).toMatchObject({ name: 'Ada', email: address })
  })

  it('is linked to a user, listed with its address, and disconnected', async () => {
    const address = newAddress()
    const { sent, service } = emailService()
    const { browser, userId } = await signInNewUser(new Browser(service))
    const link = await linkAddress(browser, 'email')
    const form = hiddenFields(await (await browser.get(link, OWN_PAGE)).text())

    const page = await requestMessage(browser, address, Object.fromEntries(form))
    const response = await browser.post(page, { code: sent[0]?.token ?? '' })

    const continued = await continueUrl(response)
    expect(continued).toBe(`${LOGIN}/account?done=linked&provider=email`)
    expect(confirmation(await (await browser.get(continued)).text())).toBe(
      'You can now sign in with email.',
    )
    expect(await linkedProviders(userId)).toEqual(['tiktok', 'email'])
    const account = await (await browser.get('/account')).text()
    expect(account).toContain(address)
    expect(account).toContain('Remove this address')
    await confirmMethods(userId)
    await confirmByEmail(browser, address, sent)
    const [, digestOfEmail = ''] = await accountDigests(browser)
    const removalPage = `/account/disconnect?account=${digestOfEmail}`
    const question = await (await browser.get(removalPage)).text()
    expect(question).toContain('<h1>Remove this email address?</h1>')
    expect(question).toContain(address)
    const removal = await browser.post('/account/disconnect', { account: digestOfEmail })
    expect(await removal.text()).toContain('<h1>The email address is removed</h1>')
    expect(await linkedProviders(userId)).toEqual(['tiktok'])
  })

  it('gives the user its address from its confirmation until it is disconnected', async () => {
    const address = newAddress()
    const { sent, service } = emailService()
    const { browser, handle, userId } = await signInNewUser(new Browser(service))
    const link = await linkAddress(browser, 'email')
    const form = hiddenFields(await (await browser.get(link, OWN_PAGE)).text())
    const page = await requestMessage(browser, address, Object.fromEntries(form))
    await browser.post(page, { code: sent[0]?.token ?? '' })
    const afterLinking = (await browser.session())?.user

    await confirmMethods(userId)
    await browser.signIn(handle, { prompt: 'login' })
    const afterConfirming = (await browser.session())?.user
    await confirmByEmail(browser, address, sent)
    const [, digestOfEmail = ''] = await accountDigests(browser)
    await browser.post('/account/disconnect', { account: digestOfEmail })
    const stored = await readUserRows(env, userId)
    await browser.signIn(handle)
    const afterDisconnecting = (await browser.session())?.user

    expect(afterLinking?.id).toBe(userId)
    expect(afterLinking).not.toHaveProperty('email')
    expect(afterConfirming).toMatchObject({ id: userId, email: address })
    // A sign-in with a passkey would read this, and has no profile that replaces it.
    expect(stored?.user.email).toBeNull()
    expect(afterDisconnecting?.id).toBe(userId)
    expect(afterDisconnecting).not.toHaveProperty('email')
  })

  it('is filled in for a user who signs in again, unless there are several', async () => {
    const { sent, service } = emailService()
    const { browser, userId } = await signInNewUser(new Browser(service))
    const addresses = [newAddress(), newAddress()]
    const values: (string | undefined)[] = []
    for (const address of addresses) {
      const link = await linkAddress(browser, 'email')
      const form = hiddenFields(await (await browser.get(link, OWN_PAGE)).text())
      const page = await requestMessage(browser, address, Object.fromEntries(form))
      await browser.post(page, { code: sent.at(-1)?.token ?? '' })
      await confirmMethods(userId)
      const again = '/api/auth/signin?callbackUrl=%2Faccount%2Fdelete&prompt=login'
      const [input = ''] = /<input [^>]*type="email"[^>]*>/.exec(
        await (await browser.get(again)).text(),
      ) ?? ['']
      values.push(/value="([^"]*)"/.exec(input)?.[1])
      await confirmByEmail(browser, address, sent)
    }

    expect(values).toEqual([addresses[0], undefined])
  })

  it('leaves the address of another account to the user when it is disconnected', async () => {
    const address = newAddress()
    const { sent, browser: open } = emailService(LINKS_BY_EMAIL, { providers: [OP] })
    const userId = await insertUser(address)
    const browser = open()
    await browser.post(await requestMessage(browser, address), { code: sent[0]?.token ?? '' })
    await confirmMethods(userId)
    await confirmByEmail(browser, address, sent)
    const [, digestOfEmail = ''] = await accountDigests(browser)

    await browser.post('/account/disconnect', { account: digestOfEmail })

    expect(await linkedProviders(userId)).toEqual(['op'])
    expect((await readUserRows(env, userId))?.user.email).toBe(address)
  })

  it('is added on pages that speak of adding an address and not of signing in', async () => {
    const address = newAddress()
    const { sent, service } = emailService()
    const { browser, userId } = await signInNewUser(new Browser(service))
    const link = await linkAddress(browser, 'email')

    const addressPage = await (await browser.get(link, OWN_PAGE)).text()
    const form = Object.fromEntries(hiddenFields(addressPage))
    const codePath = await requestMessage(browser, address, form)
    const codePage = await (await browser.get(codePath)).text()
    const linkPage = await (await browser.get(pathOf(sent[0]?.url))).text()
    await browser.post(codePath, { code: sent[0]?.token ?? '' })
    await confirmMethods(userId)
    await confirmByEmail(browser, address, sent)
    const pageOfLinks = await (await browser.get('/account/link')).text()

    expect(addressPage).toContain('<h1>Add an email address</h1>')
    expect(addressPage).toContain('You can then sign in with a code that we send to this address.')
    expect(codePage).toContain('<h1>Confirm your email address</h1>')
    expect(codePage).toContain('>Add this address</button>')
    expect(linkPage).toContain(
      `Press the button to add <strong>\u2068${address}\u2069</strong> to your account.`,
    )
    expect(linkPage).toContain('>Add this address</button>')
    for (const page of [addressPage, codePage, linkPage]) {
      expect(page).toContain('<a href="/account">Cancel</a>')
      expect(page).not.toContain('Sign in<')
    }
    expect(sent[0]?.message.subject).toBe(
      `${sent[0]?.token} · Your code to add this address at login.example`,
    )
    expect(pageOfLinks).toContain('Add another email address</a>')
  })

  it('is replaced by another one that the user enters instead', async () => {
    const address = newAddress()
    const { sent, service } = emailService()
    const { browser, userId } = await signInNewUser(new Browser(service))
    const link = await linkAddress(browser, 'email')
    const form = hiddenFields(await (await browser.get(link, OWN_PAGE)).text())
    const mistyped = await requestMessage(browser, newAddress(), Object.fromEntries(form))

    const codePage = await (await browser.get(mistyped)).text()
    const addressPage = await browser.get(findLink(codePage, 'signin/email?'), OWN_PAGE)
    const newForm = hiddenFields(await addressPage.text())
    const path = await requestMessage(browser, address, Object.fromEntries(newForm))
    await browser.post(path, { code: sent[1]?.token ?? '' })

    expect(codePage).toContain('>Change</a>')
    expect(await linkedProviders(userId)).toEqual(['tiktok', 'email'])
    expect(await (await browser.get('/account')).text()).toContain(address)
  })

  it('is requested only after a recent sign-in, so that what the user enters is not lost', async () => {
    const { service } = emailService()
    const { browser, handle } = await signInNewUser(new Browser(service))
    const link = await linkAddress(browser, 'email')
    advanceClock(11 * MINUTE)

    const response = await browser.get(link, OWN_PAGE)
    const path = addressAfterSignIn(await browser.get(redirectUrl(response).href)) ?? ''
    await browser.signIn(handle, { prompt: 'login' })
    const newLink = await linkAddress(browser, 'email')
    const page = await browser.get(newLink, OWN_PAGE)

    expect(path).toBe('/account/link')
    expect(await page.text()).toContain('<h1>Add an email address</h1>')
  })

  it('[A27] is shown on the consent page of an app that asks for it', async () => {
    const address = newAddress()
    const { sent, browser: open } = emailService()
    const browser = open()
    await browser.post(await requestMessage(browser, address), { code: sent[0]?.token ?? '' })

    const request = await new RelyingApp('kiosk').authorizationUrl({ scope: 'openid email' })
    const page = await (await browser.get(request)).text()

    expect(page).toContain(`See your email address</bdi> (\u2068${address}\u2069)`)
  })

  it('[S6] is not offered to confirm a user who has none', async () => {
    const { service } = emailService()
    const { browser } = await signInNewUser(new Browser(service))
    advanceClock(11 * MINUTE)

    const step = redirectUrl(await browser.get('/account/link'), 303)
    const page = await (await browser.get(step.href)).text()

    expect(page).toContain('Sign in with TikTok')
    expect(page).toContain('<a id="cancel" href="/account">')
    expect(page).not.toContain('Email me a code')
  })

  it('[S6] is not requested with the link of another user', async () => {
    const { service } = emailService()
    const { browser: other } = await signInNewUser(new Browser(service))
    const link = await linkAddress(other, 'email')
    const { browser } = await signInNewUser(new Browser(service))

    const response = await browser.get(link, OWN_PAGE)

    expect(redirectUrl(response).pathname).toBe('/account/link')
  })

  it('is listed in the language of the page, and its address is the name of a user without one', async () => {
    const address = newAddress()
    const { sent, browser: open } = emailService()
    const browser = open()
    await browser.post(await requestMessage(browser, address), { code: sent[0]?.token ?? '' })

    const account = await (await browser.get('/account', { 'Accept-Language': 'ja' })).text()

    expect(account).toContain('<strong>メール</strong>')
    expect(account).toContain('<span class="mark brand-email"><img src="data:image/svg+xml,')
    expect(account).toContain('.brand-email{background:#3f3f46;color:#ffffff}')
    expect(account).toContain(`<strong>\u2068${address}\u2069</strong>`)
  })

  it('[S6] is not linked by a request that did not come from our page', async () => {
    const { sent, service } = emailService()
    const { browser } = await signInNewUser(new Browser(service))

    const response = await browser.post('/api/auth/signin/email', {
      email: newAddress(),
      link: 'forged',
    })

    expect(await errorCode(response)).toBe('cross_site')
    expect(sent).toEqual([])
  })

  it('keeps the name and the picture of a user who signs in with it', async () => {
    const address = newAddress()
    const { sent, service } = emailService()
    const { browser, userId } = await signInNewUser(new Browser(service))
    const before = (await browser.session())?.user
    const link = await linkAddress(browser, 'email')
    const form = hiddenFields(await (await browser.get(link, OWN_PAGE)).text())
    const page = await requestMessage(browser, address, Object.fromEntries(form))
    await browser.post(page, { code: sent[0]?.token ?? '' })

    const other = new Browser(service)
    await other.post(await requestMessage(other, address), { code: sent[1]?.token ?? '' })

    expect((await other.session())?.user).toEqual(before)
    await confirmMethods(userId)
    await other.post(await requestMessage(other, address), { code: sent[2]?.token ?? '' })
    expect((await other.session())?.user).toEqual({ ...before, email: address })
  })

  it('that is the last one cannot be removed without deleting the user', async () => {
    const { sent, browser: open } = emailService()
    const browser = open()
    await browser.post(await requestMessage(browser, newAddress()), { code: sent[0]?.token ?? '' })
    const userId = (await browser.session())?.user.id
    const [digestOfEmail = ''] = await accountDigests(browser)

    await browser.post('/account/disconnect', { account: digestOfEmail })

    expect(await linkedProviders(userId)).toEqual(['email'])
  })

  it('[O5] is recorded in the audit log without its address', async () => {
    const { sent, browser: open } = emailService()
    const browser = open()
    const address = newAddress()
    await browser.post(await requestMessage(browser, address), { code: sent[0]?.token ?? '' })

    const { results } = await env.DIRECTORY.prepare('SELECT * FROM audit WHERE subject = ?')
      .bind((await browser.session())?.user.id)
      .all()

    expect(results.map(({ event }) => event)).toEqual(['sign_in'])
    expect(JSON.stringify(results)).not.toContain(address)
  })

  it('proves who the user is, for changes of the account', async () => {
    const { sent, browser: open } = emailService()
    const browser = open()
    const address = newAddress()
    await browser.post(await requestMessage(browser, address), { code: sent[0]?.token ?? '' })
    expect((await browser.get('/account/delete')).status).toBe(200)
    advanceClock(11 * MINUTE)
    expect(addressAfterSignIn(await browser.get('/account/delete'))).toBe('/account/delete')

    const page = await requestMessage(browser, address, { prompt: 'login' })
    await browser.post(page, { code: sent[1]?.token ?? '' })

    expect((await browser.get('/account/delete')).status).toBe(200)
  })

  it('signs in for an authorization request with prompt=login', async () => {
    const { sent, browser: open } = emailService()
    const browser = open()
    const address = newAddress()
    await browser.post(await requestMessage(browser, address), { code: sent[0]?.token ?? '' })
    const app = new RelyingApp()

    const start = await browser.get(await app.authorizationUrl({ prompt: 'login' }))
    const signInPage = await (await browser.get(redirectUrl(start).href.slice(LOGIN.length))).text()
    const form = { ...Object.fromEntries(hiddenFields(signInPage)), email: address }
    const page = redirectUrl(await browser.post('/api/auth/signin/email', form)).pathname
    const finished = await browser.post(page, { code: sent[1]?.token ?? '' })
    const response = await browser.get((await continueUrl(finished)).slice(LOGIN.length))

    expect(signInPage).toContain('action="/api/auth/signin/email"')
    expect(form).toMatchObject({ prompt: 'login' })
    const callback = redirectUrl(response)
    expect(callback.origin + callback.pathname).toBe('https://web.example/callback')
    expect(callback.searchParams.get('code')).toMatch(/^ac_/)
  })

  it('is subject to callbacks.signIn', async () => {
    const { sent, browser: open } = emailService(
      {},
      { callbacks: { signIn: ({ user }) => user.email?.endsWith('@acme.example') ?? false } },
    )
    const browser = open()

    const page = await requestMessage(browser, newAddress())
    const response = await browser.post(page, { code: sent[0]?.token ?? '' })

    expect(await errorCode(response)).toBe('not_allowed')
    expect(browser.cookieNames('session')).toEqual([])
  })
})

/** A user of another provider with this address. */
async function insertUser(address: string, { isVerified = true } = {}): Promise<string> {
  const userId = `usr_${crypto.randomUUID().replaceAll('-', '').slice(0, 22)}`
  const now = Math.floor(Date.now() / 1000)
  await env.DIRECTORY.batch([
    env.DIRECTORY.prepare(
      `INSERT INTO users (id, name, email, image, created_at, updated_at) VALUES (?, 'Ada', ?, 'https://op.example/ada.png', ?, ?)`,
    ).bind(userId, isVerified ? address : null, now, now),
    env.DIRECTORY.prepare(
      `INSERT INTO accounts (provider, issuer, provider_account_id, user_id, client_id, verified_email, created_at, updated_at)
       VALUES ('op', 'https://op.example', ?, ?, 'x', ?, ?, ?)`,
    ).bind(userId, userId, isVerified ? address : null, now, now),
  ])
  return userId
}
