import { accountDigests } from '../../account-digests.ts'
import { Browser } from '../../browser.ts'
import { advanceClock, DAY, MINUTE } from '../../clock.ts'
import { RelyingApp } from '../../core/oidc/relying-app.ts'
import { approveConsent } from '../../core/oidc/user-steps.ts'
import { Authenticator } from '../../features/passkeys/authenticator.ts'
import {
  createConfirmedUser,
  createUnconfirmedUser,
  openCreatePage,
  readOptions,
} from '../../features/passkeys/passkey-user.ts'
import { hiddenFields } from '../../html.ts'
import { linkedProviders, userObject } from '../../storage.ts'
import { newIsolate } from '../isolate.ts'
import { at, type DescribedRequest, newUser, openSignedIn } from './described-request.ts'

/** A user with a passkey, who has confirmed with it. */
function passkeyUser() {
  return createConfirmedUser(new Browser(newIsolate()))
}

/** A user who has added a passkey, and confirms it a day later. */
async function unconfirmedUser() {
  const { browser, handle } = await createUnconfirmedUser(new Browser(newIsolate()))
  advanceClock(DAY + MINUTE)
  await browser.signIn(handle, { prompt: 'login' })
  return { browser }
}

/** What identifies the passkey of a user. */
async function passkeyDigest(browser: Browser): Promise<string> {
  return (await accountDigests(browser)).at(-1) ?? ''
}

async function allowKiosk(browser: Browser): Promise<void> {
  await approveConsent(browser, await browser.get(await new RelyingApp('kiosk').authorizationUrl()))
}

/** `/account`: what users see and change about themselves. */
export const accountRequests: DescribedRequest[] = [
  openSignedIn('GET /account'),
  openSignedIn('GET /account/sessions', () => '/account/sessions?from=0'),
  {
    route: 'POST /account/sessions',
    async prepare() {
      const { browser, handle } = await newUser()
      const other = new Browser(newIsolate())
      await other.signIn(handle)
      return {
        send: (service) => at(service, browser).post('/account/sessions', { sid: 'others' }),
        isStored: async () => (await other.session()) === null,
      }
    },
  },
  openSignedIn('GET /account/consents', async (browser) => {
    await allowKiosk(browser)
    return '/account/consents?client_id=kiosk'
  }),
  {
    route: 'POST /account/consents',
    async prepare() {
      const { browser, userId } = await newUser()
      await allowKiosk(browser)
      return {
        send: (service) => at(service, browser).post('/account/consents', { client_id: 'kiosk' }),
        isStored: async () => (await userObject(userId).readUserData()).consents.length === 0,
      }
    },
  },
  openSignedIn('GET /account/link'),
  openSignedIn('GET /account/delete'),
  {
    route: 'POST /account/delete',
    async prepare() {
      const { browser, userId } = await newUser()
      return {
        send: (service) => at(service, browser).post('/account/delete', {}),
        isStored: async () => (await linkedProviders(userId)).length === 0,
      }
    },
  },
  {
    route: 'POST /account/export',
    async prepare() {
      const { browser } = await newUser()
      return { send: (service) => at(service, browser).post('/account/export', {}) }
    },
  },
  {
    route: 'GET /account/disconnect',
    async prepare() {
      const { browser } = await passkeyUser()
      const account = await passkeyDigest(browser)
      return {
        send: (service) => at(service, browser).get(`/account/disconnect?account=${account}`),
      }
    },
  },
  {
    route: 'POST /account/disconnect',
    async prepare() {
      const { browser, userId } = await passkeyUser()
      const account = await passkeyDigest(browser)
      return {
        send: (service) => at(service, browser).post('/account/disconnect', { account }),
        isStored: async () => (await linkedProviders(userId)).length === 1,
      }
    },
  },
  {
    route: 'GET /account/confirm',
    async prepare() {
      const { browser } = await unconfirmedUser()
      const account = await passkeyDigest(browser)
      return { send: (service) => at(service, browser).get(`/account/confirm?account=${account}`) }
    },
  },
  {
    route: 'POST /account/confirm',
    async prepare() {
      const { browser } = await unconfirmedUser()
      const account = await passkeyDigest(browser)
      return { send: (service) => at(service, browser).post('/account/confirm', { account }) }
    },
  },
  openSignedIn('GET /account/passkeys/new'),
  {
    route: 'POST /account/passkeys',
    isSingleUse: 'kept',
    async prepare() {
      const { browser, userId } = await newUser()
      const credential = await new Authenticator().create(await openCreatePage(browser))
      return {
        send: (service) => at(service, browser).post('/account/passkeys', { credential }),
        isStored: async () => (await linkedProviders(userId)).includes('passkey'),
      }
    },
  },
  {
    route: 'GET /account/passkeys/name',
    async prepare() {
      const { browser } = await passkeyUser()
      const account = await passkeyDigest(browser)
      return {
        send: (service) => at(service, browser).get(`/account/passkeys/name?account=${account}`),
      }
    },
  },
  {
    route: 'POST /account/passkeys/name',
    async prepare() {
      const { browser, userId } = await passkeyUser()
      const account = await passkeyDigest(browser)
      return {
        send: (service) =>
          at(service, browser).post('/account/passkeys/name', { account, name: 'Tablet' }),
        isStored: async () => {
          const [passkey] = await userObject(userId).listPasskeys()
          return passkey?.name === 'Tablet'
        },
      }
    },
  },
  {
    route: 'POST /api/auth/signin/passkey',
    async prepare() {
      const { authenticator, userId } = await passkeyUser()
      const browser = new Browser(newIsolate())
      const page = await (await browser.get('/api/auth/signin')).text()
      const credential = await authenticator.get(readOptions(page))
      const form = { ...Object.fromEntries(hiddenFields(page)), credential }
      let signedIn: Browser | undefined
      return {
        send: (service) => {
          signedIn = at(service, browser)
          return signedIn.post('/api/auth/signin/passkey', form)
        },
        isStored: () => isSignedIn(signedIn, userId),
      }
    },
    isSingleUse: true,
  },
]

/** Whether this browser is signed in as this user. */
export async function isSignedIn(browser: Browser | undefined, userId?: string): Promise<boolean> {
  if (!browser) return false
  const session = await at(newIsolate(), browser).session()
  return userId === undefined ? session !== null : session?.user.id === userId
}
