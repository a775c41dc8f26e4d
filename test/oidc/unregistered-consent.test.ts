import { describe, expect, it } from 'vitest'
import { Browser } from '../browser.ts'
import { signedInAsNewUser } from './relying-app.ts'
import { openService, UnregisteredApp } from './unregistered-app.ts'

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
