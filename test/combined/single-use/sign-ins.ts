import { decodeJwt } from 'jose'
import { Browser, LOGIN } from '../../browser.ts'
import { DAY, MINUTE, setClock } from '../../clock.ts'
import { newAddress, requestMessage } from '../../features/email/email-browser.ts'
import { Authenticator } from '../../features/passkeys/authenticator.ts'
import {
  addPasskey,
  openCreatePage,
  openSignInPage,
  sendAssertion,
} from '../../features/passkeys/passkey-user.ts'
import {
  currentCode,
  newTotpUser,
  readRecoveryCodes,
  readSecret,
  signInByName,
  signInPending,
  submit,
} from '../../features/totp/totp-browser.ts'
import { hiddenFields } from '../../html.ts'
import { OWN_PAGE, startLinking } from '../../link-account.ts'
import { redirectUrl } from '../../redirect.ts'
import { type Deployment, MESSAGE_LIFETIME, messages } from './deployment.ts'
import type { SingleUse, Use } from './single-use.ts'

const ATTEMPT_LIFETIME = 10 * MINUTE

/** The period of a code of an authenticator app. */
const PERIOD = 30 // seconds

/** The id of the session in a browser; undefined without one. */
async function sessionIn(browser: Browser): Promise<string | undefined> {
  const session = await browser.session()
  return session ? String(decodeJwt(session.token)['sid']) : undefined
}

/** Does something in a copy of a browser, and returns the session that this has opened. */
function inCopy(original: Browser, act: (browser: Browser) => Promise<unknown>): Use {
  return async (service) => {
    const browser = new Browser(service).withCookiesOf(original)
    await act(browser)
    return sessionIn(browser)
  }
}

/** A browser that waits for a message, and what it does with the code and with the link. */
export async function requestCode(deployment: Deployment) {
  const address = newAddress()
  const browser = new Browser(deployment.isolate)
  const page = await requestMessage(browser, address)
  const { code = '', url = '' } = messages.get(address) ?? {}
  return {
    browser,
    code,
    sendCode: (copy: Browser, sent = code) => copy.post(page, { code: sent }),
    async followLink(copy: Browser) {
      const html = await (await copy.get(url.slice(LOGIN.length))).text()
      const token = hiddenFields(html).get('token') ?? ''
      await copy.post('/api/auth/callback/email', { token })
    },
  }
}

const BY_EMAIL: Omit<SingleUse, 'obtain'> = {
  usedUpBy: ['features/email/routes.tsx'],
  lifetime: MESSAGE_LIFETIME,
  repeatable: [MINUTE, 'Browsers send a form again, and users press its button twice.'],
}

export const emailCode: SingleUse = {
  ...BY_EMAIL,
  async obtain(deployment) {
    const { browser, sendCode } = await requestCode(deployment)
    return inCopy(browser, (copy) => sendCode(copy))
  },
}

export const emailLink: SingleUse = {
  ...BY_EMAIL,
  async obtain(deployment) {
    const { browser, followLink } = await requestCode(deployment)
    return inCopy(browser, followLink)
  },
}

/** The link after the code of the same message, and in turns. */
export const emailCodeAndLink: SingleUse = {
  ...BY_EMAIL,
  async obtain(deployment) {
    const { browser, sendCode, followLink } = await requestCode(deployment)
    let uses = 0
    return inCopy(browser, (copy) => (uses++ % 2 ? followLink(copy) : sendCode(copy)))
  },
}

/** Presents a code after a sign-in that waits for it. */
function secondFactor(name: string, path: string, code: string): Use {
  return async (service) => {
    const { browser } = await signInPending(name, service)
    await submit(browser, path, { code })
    return sessionIn(browser)
  }
}

export const recoveryCode: SingleUse = {
  usedUpBy: ['features/totp/code-pages.tsx'],
  lifetime: 30 * DAY,
  hasNoEnd: 'It is for the day on which the app is lost.',
  async obtain(deployment) {
    const { name, recoveryCodes } = await newTotpUser(deployment.isolate)
    return secondFactor(name, '/totp/recovery', recoveryCodes[0] ?? '')
  },
}

/** The code of the next period, which is accepted from the one before it to the one after it. */
export const appCode: SingleUse = {
  usedUpBy: ['features/totp/code-pages.tsx'],
  lifetime: 3 * PERIOD,
  async obtain(deployment) {
    setClock(Math.ceil(Date.now() / 1000 / PERIOD) * PERIOD)
    const { name, secret } = await newTotpUser(deployment.isolate)
    return secondFactor(name, '/totp', await currentCode(secret, 1))
  },
}

/** It is removed again each time, after another sign-in. */
export const offeredApp: SingleUse = {
  usedUpBy: ['features/totp/account-pages.tsx'],
  lifetime: 30 * MINUTE,
  async obtain(deployment) {
    const name = `user-${crypto.randomUUID()}`
    const browser = new Browser(deployment.isolate)
    await signInByName(browser, name)
    const page = await (await browser.get('/totp/add', OWN_PAGE)).text()
    return async (service) => {
      const copy = new Browser(service)
      await signInByName(copy, name)
      const code = await currentCode(readSecret(page))
      const added = await submit(copy, '/totp/add', { code }, page)
      const [present] = readRecoveryCodes(await added.text())
      if (present !== undefined) await submit(copy, '/totp/remove', { present })
      return present
    }
  },
}

/** With another response of the same passkey each time. */
export const passkeyChallenge: SingleUse = {
  usedUpBy: ['features/passkeys/ceremony.ts'],
  lifetime: ATTEMPT_LIFETIME,
  async obtain(deployment) {
    const user = await deployment.signedIn()
    const authenticator = new Authenticator()
    await addPasskey(user, authenticator)
    const browser = new Browser(deployment.isolate)
    const request = await openSignInPage(browser)
    return inCopy(browser, async (copy) => sendAssertion(copy, await authenticator.get(request)))
  },
}

/** With another passkey each time. */
export const passkeyCreation: SingleUse = {
  usedUpBy: ['features/passkeys/ceremony.ts'],
  lifetime: ATTEMPT_LIFETIME,
  async obtain(deployment) {
    const browser = await deployment.signedIn()
    const request = await openCreatePage(browser)
    return async (service) => {
      const copy = new Browser(service).withCookiesOf(browser)
      const credential = await new Authenticator().create(request)
      const response = await copy.post('/account/passkeys', { credential })
      if (response.status !== 303) return undefined
      const { pathname, search } = redirectUrl(response)
      return pathname === '/account' ? search : undefined
    }
  },
}

/** Where the provider that accepts codes again returns a new user to. */
function callbackPath(start: Response): string {
  const { searchParams } = redirectUrl(start)
  // The clock of the provider is not that of the test.
  const claims = { sub: crypto.randomUUID(), exp: Math.floor(Date.now() / 1000) + DAY }
  const code = JSON.stringify({ nonce: searchParams.get('nonce'), claims })
  const state = searchParams.get('state') ?? ''
  return `/api/auth/callback/lenient?${new URLSearchParams({ code, state })}`
}

/** Starts a sign-in there. Returns the path of the callback. */
async function startAttempt(deployment: Deployment) {
  const browser = new Browser(deployment.isolate)
  const start = await browser.get('/api/auth/signin/lenient', OWN_PAGE)
  return { browser, path: callbackPath(start) }
}

const ATTEMPT = {
  usedUpBy: ['core/signin/routes.ts', 'core/users/sessions.ts'],
  lifetime: ATTEMPT_LIFETIME,
}

export const attempt: SingleUse = {
  ...ATTEMPT,
  async obtain(deployment) {
    const { browser, path } = await startAttempt(deployment)
    return inCopy(browser, (copy) => copy.get(path))
  },
}

/** The user signs out each time. */
export const attemptOfEndedSession: SingleUse = {
  ...ATTEMPT,
  async obtain(deployment) {
    const { browser, path } = await startAttempt(deployment)
    return async (service) => {
      const copy = new Browser(service).withCookiesOf(browser)
      await copy.get(path)
      const session = await sessionIn(copy)
      await copy.post('/api/auth/signout', {})
      return session
    }
  },
}

/** Later, the user signs in again first, because an account is only linked after a recent sign-in. */
export const linkingAttempt: SingleUse = {
  ...ATTEMPT,
  async obtain(deployment) {
    const name = `user-${crypto.randomUUID()}`
    const browser = new Browser(deployment.isolate)
    await signInByName(browser, name)
    const signedInAt = Date.now()
    const path = callbackPath(await startLinking(browser, 'lenient'))
    return async (service) => {
      const copy = new Browser(service).withCookiesOf(browser)
      if (Date.now() > signedInAt) await signInByName(copy, name, { prompt: 'login' })
      const response = await copy.get(path)
      if (response.status !== 302) return undefined
      return redirectUrl(response).searchParams.get('done') === 'linked' ? 'linked' : undefined
    }
  },
}

/** A sign-in that a phone continues in another browser starts there again. */
export const lostAttempt: SingleUse = {
  usedUpBy: ['core/signin/routes.ts'],
  lifetime: ATTEMPT_LIFETIME,
  async obtain(deployment) {
    const { path } = await startAttempt(deployment)
    return async (service) => {
      const response = await new Browser(service).get(path)
      return response.status === 302 ? redirectUrl(response).origin : undefined
    }
  },
}
