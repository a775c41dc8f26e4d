import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { Browser, serviceWith } from '../../browser.ts'
import { advanceClock, DAY, HOUR, stopClock } from '../../clock.ts'
import { signedInAsNewUser } from '../../core/oidc/relying-app.ts'
import { approveConsent, consentForm } from '../../core/oidc/user-steps.ts'
import { unreachable } from '../../storage.ts'
import { NOTES, OPEN_SETTINGS, openService, UnregisteredApp } from './unregistered-app.ts'

/** A new user in a browser at the deployment that accepts unregistered clients. */
async function newUser(): Promise<Browser> {
  return new Browser(openService).withCookiesOf(await signedInAsNewUser())
}

async function consentPage(app: UnregisteredApp, changes = {}): Promise<string> {
  const page = await app.authorize(await newUser(), changes)
  const html = await page.text()
  expect(html).toContain('id="approve"')
  return html
}

describe('the consent page of an unregistered client', () => {
  it('names its host first, then the name that it has chosen, and says that nobody checked it', async () => {
    const app = await new UnregisteredApp().publish({
      client_name: 'Your bank',
      logo_uri: 'https://bank.example/logo.png',
    })

    const html = await consentPage(app)

    expect(html).toMatch(new RegExp(`<h1[^>]*>Allow ${app.host} to use your account\\?</h1>`))
    expect(html).toContain('The operator of this service has not checked the app.')
    expect(html).toContain('The app calls itself “\u2068Your bank\u2069”.')
    expect(html).toContain(`You will return to ${app.host}.`)
    expect(html.split('Your bank')).toHaveLength(2)
    expect(html).not.toContain('bank.example')
    expect(html).toContain('<span class="initial app unregistered" aria-hidden="true">')
    expect(html).toContain('<div class="notice warning">')
    expect(html).not.toContain('class="primary"')
    expect(html).not.toContain('Any program on this device')
  })

  it.each(['localhost', '127.0.0.1', '[::1]'])(
    'warns of other programs on the device if it returns to %s',
    async (host) => {
      const redirect_uri = `http://${host}:33418/callback`
      const app = await new UnregisteredApp().publish({ redirect_uris: [redirect_uri] })

      const html = await consentPage(app, { redirect_uri })

      expect(html).toContain('Any program on this device could have sent this request.')
      expect(html).toContain(`You will return to ${host}:33418.`)
    },
  )

  it('shows a host with other letters in ASCII, so that it looks like no other host', async () => {
    const app = await new UnregisteredApp(
      `xn--clude-9na.${crypto.randomUUID()}.agents.example`,
    ).publish()

    const html = await consentPage(app)

    expect(html).toContain(`Allow ${app.host} to use`)
    expect(html).not.toContain('cläude')
  })

  it.each([
    ['reverses the text after it', 'gnp.\u202Eexe'],
    ['isolates text', '\u2066Bank\u2069'],
    ['has two lines', 'Bank\nThe operator has checked it.'],
    ['has a control character', 'Bank\u0007'],
  ])('is not shown for a name that %s', async (_, client_name) => {
    const app = await new UnregisteredApp().publish({ client_name })

    const page = await app.authorize(await newUser())

    expect(await page.text()).toContain('client_unreadable')
  })
})

it('names an unregistered client by its host on the sign-in page and the account page', async () => {
  const app = await new UnregisteredApp().publish({ client_name: 'Your bank' })
  const stranger = new Browser(openService)
  const toSignIn = await app.authorize(stranger)
  const signInPage = await stranger.get(toSignIn.headers.get('Location') ?? '')
  const browser = await newUser()
  await app.code(browser)
  const account = await browser.get('/account')

  for (const html of [await signInPage.text(), await account.text()]) {
    expect(html).toContain(app.host)
    expect(html).not.toContain('Your bank')
  }
})

describe('a user', () => {
  const CONSENT = { 'Sec-Fetch-Site': 'same-origin' }

  async function isRecorded({ clientId }: UnregisteredApp): Promise<boolean> {
    const query = 'SELECT id FROM unregistered_clients WHERE id = ?'
    return (await env.DIRECTORY.prepare(query).bind(clientId).first()) !== null
  }

  it('can allow unregistered clients a hundred times a day, which affects nobody else [R1]', async () => {
    stopClock()
    const browser = await newUser()
    const userId = (await browser.session())?.user.id
    const name = `unregistered clients allowed by ${userId}`
    const guard = env.GUARDS.get(env.GUARDS.idFromName(name))
    const limits = [{ max: 100, period: DAY }]
    for (let index = 0; index < 99; index++) await guard.countUse(limits, `approval ${index}`)
    const last = await new UnregisteredApp().publish()
    const app = await new UnregisteredApp().publish()

    expect(await last.code(browser)).toMatch(/./)
    const form = await consentForm(await app.authorize(browser))
    const rejected = await browser.fetch('/oidc/consent', { form, headers: CONSENT })

    expect(rejected.status).toBe(429)
    expect(rejected.headers.get('Retry-After')).toBe(String(DAY))
    expect(await isRecorded(app)).toBe(false)
    expect(await app.code(await newUser())).toMatch(/./)
    advanceClock(DAY)
    expect(await app.code(browser)).toMatch(/./)
  })

  it('can allow no unregistered client while that cannot be counted [Q6]', async () => {
    const app = await new UnregisteredApp().publish()
    const browser = await newUser()
    const form = await consentForm(await app.authorize(browser))
    const GUARDS = unreachable(env.GUARDS as never)
    const failing = new Browser(serviceWith({ ...OPEN_SETTINGS, GUARDS })).withCookiesOf(browser)

    const response = await failing.fetch('/oidc/consent', { form, headers: CONSENT })

    expect(response.status).toBe(503)
    expect(await isRecorded(app)).toBe(false)
  })

  it('allows a client that has changed nothing of what they had allowed before', async () => {
    const app = await new UnregisteredApp().publish()
    const browser = await newUser()
    await app.code(browser)
    advanceClock(2 * HOUR)
    await app.publish({ client_name: 'Another agent' })
    expect(await app.code(browser, { scope: 'openid', resource: undefined })).toMatch(/./)

    const again = await app.authorize(browser)

    expect(await again.text()).toContain('id="approve"')
  })

  it('ends what the client had if the user declines it after the client has changed', async () => {
    const app = await new UnregisteredApp().publish()
    const browser = await newUser()
    const tokens = await app.exchange(await app.code(browser))
    const { refresh_token = '' } = await tokens.json<Record<string, string>>()
    advanceClock(2 * HOUR)
    await app.publish({ client_name: 'Another agent' })

    await approveConsent(browser, await app.authorize(browser), [`${NOTES} notes:read`])

    const response = await app.token({ grant_type: 'refresh_token', refresh_token })
    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
  })
})
