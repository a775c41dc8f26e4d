import { Browser } from '../../browser.ts'
import { advanceClock, MINUTE } from '../../clock.ts'
import { newAddress, requestMessage } from '../../features/email/email-browser.ts'
import { hiddenFields } from '../../html.ts'
import { createPlatformUser } from '../../new-user.ts'
import { acme, company, start } from '../../providers/providers-in-code.ts'
import { redirectUrl } from '../../redirect.ts'
import { createWebhookNow, deliver } from '../../webhook-delivery.ts'
import { newIsolate } from '../isolate.ts'
import { PASSWORD, sentMessages } from '../options.ts'
import { isSignedIn } from './account.ts'
import {
  at,
  type DescribedRequest,
  forgetDocuments,
  newUser,
  open,
  openSignedIn,
} from './described-request.ts'

/** A browser to which a message was sent, and the page that waits for the code. */
async function waitingBrowser() {
  const browser = new Browser(newIsolate())
  const page = await requestMessage(browser, newAddress())
  const { url = '', token: code = '' } = sentMessages.at(-1) ?? {}
  return { browser, page, code, link: url.replace(/^https:\/\/[^/]+/, '') }
}

/** A browser that returns from the platform. */
async function returningBrowser(handle: string) {
  const browser = new Browser(newIsolate())
  const callback = await browser.approve(await browser.start(), handle)
  return { browser, callback }
}

/** A sign-in that this sends, in a browser that is not signed in before. */
function signIn(
  route: string,
  variant: string | undefined,
  prepare: () => Promise<{ browser: Browser; send: (browser: Browser) => Promise<Response> }>,
): DescribedRequest {
  return {
    route,
    ...(variant && { variant }),
    async prepare() {
      const { browser, send } = await prepare()
      let signedIn: Browser | undefined
      return {
        send: (service) => {
          signedIn = at(service, browser)
          return send(signedIn)
        },
        isStored: () => isSignedIn(signedIn),
      }
    },
    isSingleUse: true,
  }
}

/** `/api/auth`: sign-ins and sessions. */
export const signInRequests: DescribedRequest[] = [
  open('GET /api/auth/providers'),
  open('GET /api/auth/csrf'),
  open('GET /api/auth/error', '/api/auth/error?error=unavailable'),
  open('GET /api/auth/signin'),
  open('GET /api/auth/signin/:provider', '/api/auth/signin/tiktok'),
  {
    ...open('GET /api/auth/signin/:provider', `/api/auth/signin/${company.id}`),
    variant: 'an OpenID Provider',
    forgetCopies: forgetDocuments,
  },
  {
    route: 'POST /api/auth/signin/:provider',
    prepare: async () => ({
      send: (service) => new Browser(service).post('/api/auth/signin/tiktok', {}),
    }),
  },
  signIn('GET /api/auth/callback/:provider', 'a new user', async () => {
    const { browser, callback } = await returningBrowser(await createPlatformUser())
    return { browser, send: (other) => other.get(callback) }
  }),
  signIn('GET /api/auth/callback/:provider', 'a known user', async () => {
    const { handle } = await newUser()
    const { browser, callback } = await returningBrowser(handle)
    return { browser, send: (other) => other.get(callback) }
  }),
  signIn('GET /api/auth/callback/:provider', 'another OAuth provider', async () => {
    const browser = new Browser(newIsolate())
    const approved = await fetch(await start(browser, acme.id), { redirect: 'manual' })
    const callback = redirectUrl(approved).href
    return { browser, send: (other) => other.get(callback) }
  }),
  signIn('GET /api/auth/callback/:provider', 'an OpenID Provider', async () => {
    const browser = new Browser(newIsolate())
    const { searchParams } = await start(browser, company.id)
    const code = JSON.stringify({ nonce: searchParams.get('nonce') })
    const query = new URLSearchParams({ code, state: searchParams.get('state') ?? '' })
    return { browser, send: (other) => other.get(`/api/auth/callback/${company.id}?${query}`) }
  }),
  {
    route: 'GET /api/auth/callback/:provider',
    variant: 'cancelled',
    async prepare() {
      const browser = new Browser(newIsolate())
      const callback = await browser.approve(await browser.start(), 'mia', 'deny')
      return { send: (service) => at(service, browser).get(callback) }
    },
    isSingleUse: true,
  },
  {
    // It leads to the same URL with GET.
    route: 'POST /api/auth/callback/:provider',
    async prepare() {
      const { handle } = await newUser()
      const { browser, callback } = await returningBrowser(handle)
      const { pathname, searchParams } = new URL(callback)
      const form = Object.fromEntries(searchParams)
      return { send: (service) => at(service, browser).fetch(pathname, { form }) }
    },
  },
  open('GET /api/auth/signin/:provider/qr', '/api/auth/signin/tiktok/qr'),
  {
    route: 'GET /api/auth/signin/:provider/qr/:attempt',
    async prepare() {
      const browser = new Browser(newIsolate())
      const path = redirectUrl(await browser.get('/api/auth/signin/tiktok/qr')).pathname
      return { send: (service) => at(service, browser).get(path) }
    },
  },
  open('GET /api/auth/signin/passkey'),
  open('GET /api/auth/signin/email'),
  {
    route: 'POST /api/auth/signin/email',
    prepare: async () => ({
      send: (service) =>
        new Browser(service).post('/api/auth/signin/email', { email: newAddress() }),
    }),
  },
  {
    route: 'GET /api/auth/signin/email/:attempt',
    async prepare() {
      const { browser, page } = await waitingBrowser()
      return { send: (service) => at(service, browser).get(page) }
    },
  },
  signIn('POST /api/auth/signin/email/:attempt', undefined, async () => {
    const { browser, page, code } = await waitingBrowser()
    return { browser, send: (other) => other.post(page, { code }) }
  }),
  {
    route: 'POST /api/auth/signin/email/:attempt/again',
    isSingleUse: true,
    async prepare() {
      const { browser, page } = await waitingBrowser()
      advanceClock(MINUTE)
      return { send: (service) => at(service, browser).post(`${page}/again`, {}) }
    },
  },
  {
    route: 'GET /api/auth/callback/email',
    async prepare() {
      const { browser, link } = await waitingBrowser()
      return { send: (service) => at(service, browser).get(link) }
    },
  },
  signIn('POST /api/auth/callback/email', undefined, async () => {
    const { browser, link } = await waitingBrowser()
    const fields = hiddenFields(await (await browser.get(link)).text())
    const token = fields.get('token') ?? ''
    return { browser, send: (other) => other.post('/api/auth/callback/email', { token }) }
  }),
  open('GET /api/auth/signin/credentials'),
  signIn('POST /api/auth/callback/credentials', undefined, async () => {
    const browser = new Browser(newIsolate())
    const page = await (await browser.get('/api/auth/signin/credentials')).text()
    const form = {
      ...Object.fromEntries(hiddenFields(page)),
      'credential.name': crypto.randomUUID(),
      'credential.password': PASSWORD,
    }
    return { browser, send: (other) => other.post('/api/auth/callback/credentials', form) }
  }),
  openSignedIn('GET /api/auth/session'),
  {
    ...openSignedIn('GET /api/auth/session', () => '/api/auth/session?token=false'),
    variant: 'token=false',
  },
  openSignedIn('GET /api/auth/signout'),
  {
    route: 'POST /api/auth/signout',
    async prepare() {
      const { browser } = await newUser()
      return {
        send: (service) => at(service, browser).post('/api/auth/signout', {}),
        isStored: async () => !(await isSignedIn(browser)),
      }
    },
  },
  {
    route: 'POST /api/auth/webhook/:provider',
    async prepare() {
      const { browser, handle } = await newUser()
      const webhook = await createWebhookNow(handle, { reason: 'disconnected' })
      return {
        send: (service) => deliver(webhook, service),
        isStored: async () => !(await isSignedIn(browser)),
      }
    },
  },
]
