import { expect } from 'vitest'
import { options } from '../../src/deployment.ts'
import { Credentials, Email, GitLab, Passkey, TikTok } from '../../src/providers.ts'
import { createVestibule, type VestibuleOptions } from '../../src/vestibule.ts'
import { accountDigests } from '../account-digests.ts'
import { Browser, issuedSecrets, serviceOf } from '../browser.ts'
import { advanceClock, HOUR } from '../clock.ts'
import { newAddress } from '../features/email/email-browser.ts'
import { Authenticator } from '../features/passkeys/authenticator.ts'
import { addPasskey, openSignInPage } from '../features/passkeys/passkey-user.ts'
import { hiddenFields } from '../html.ts'
import { linkAddress, OWN_PAGE } from '../link-account.ts'
import { signInNewUser } from '../new-user.ts'
import { redirectUrl } from '../redirect.ts'
import { linkedProviders } from '../storage.ts'

/** What a stranger can sign in with. */
function newStranger() {
  const email = newAddress()
  issuedSecrets.add(email)
  return { accountId: crypto.randomUUID(), email, authenticator: new Authenticator() }
}

/** A deployment with every kind of method, and how a stranger uses them. */
export function deployment(
  settings: Record<string, unknown> = {},
  stranger = newStranger(),
  changes: Partial<VestibuleOptions> = {},
) {
  const { accountId, email, authenticator } = stranger
  const codes: string[] = []
  const providers = [
    TikTok(),
    Passkey(),
    Email({
      from: 'Acme <login@acme.example>',
      sendVerificationRequest: ({ token }) => void codes.push(token),
    }),
    Credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: String(name) }) }),
    GitLab({
      clientId: 'git-client',
      clientSecret: 'git-secret-7Hk2',
      issuer: 'https://git.example',
      profile: () => ({
        id: accountId,
        name: 'A stranger',
        givenName: 'A',
        email,
        emailVerified: true,
      }),
    }),
  ]
  const service = serviceOf(createVestibule({ ...options, providers, ...changes }), settings)
  const formOf = async (browser: Browser, path: string) =>
    Object.fromEntries(hiddenFields(await (await browser.get(path, OWN_PAGE)).text()))
  const sendCode = async (browser: Browser, form: Record<string, string>) => {
    const response = await browser.post('/api/auth/signin/email', { email, ...form })
    return browser.post(response.headers.get('Location') ?? '', { code: codes.at(-1) ?? '' })
  }
  const sendName = (browser: Browser, form: Record<string, string>) =>
    browser.post('/api/auth/callback/credentials', { 'credential.name': accountId, ...form })
  const visitGitLab = async (browser: Browser, path: string) => {
    const approved = await fetch(redirectUrl(await browser.get(path, OWN_PAGE)), {
      redirect: 'manual',
    })
    return browser.get(redirectUrl(approved).href)
  }
  /** How each is added to the signed-in user, and how it signs in. */
  const methods = {
    passkey: {
      add: (browser: Browser) => addPasskey(browser, authenticator),
      // A page that asks a signed-in user to confirm does not offer an unconfirmed passkey.
      signIn: async (browser: Browser, query: Record<string, string> = {}) => {
        const credential = await authenticator.get(await openSignInPage(browser))
        return browser.post('/api/auth/signin/passkey', { ...query, credential })
      },
    },
    email: {
      add: async (browser: Browser) =>
        sendCode(browser, await formOf(browser, await linkAddress(browser, 'email'))),
      signIn: (browser: Browser, query: Record<string, string> = {}) => sendCode(browser, query),
    },
    credentials: {
      add: async (browser: Browser) =>
        sendName(browser, await formOf(browser, await linkAddress(browser, 'credentials'))),
      signIn: (browser: Browser, query: Record<string, string> = {}) => sendName(browser, query),
    },
    gitlab: {
      add: async (browser: Browser) => visitGitLab(browser, await linkAddress(browser, 'gitlab')),
      signIn: (browser: Browser, query: Record<string, string> = {}) =>
        visitGitLab(browser, `/api/auth/signin/gitlab?${new URLSearchParams(query)}`),
    },
  }
  return { service, stranger, methods, open: () => new Browser(service) }
}

export type Deployment = ReturnType<typeof deployment>
export type Method = keyof Deployment['methods']

export const METHODS: readonly Method[] = ['passkey', 'email', 'credentials', 'gitlab']

/**
 * Somebody at the unlocked browser of a user who has TikTok only, where TikTok is signed in: whoever
 * removes the parameter that requests a prompt is signed in without one, and adds their own method.
 */
export async function addAsStranger({ methods, open }: Deployment, method: Method) {
  const { browser: laptop, handle, userId } = await signInNewUser(open())
  advanceClock(HOUR)
  const authorization = await laptop.start({ prompt: 'login', callbackUrl: '/account' })
  authorization.searchParams.delete('disable_auto_auth')
  await laptop.get(await laptop.approve(authorization, handle))
  await methods[method].add(laptop)
  expect(await linkedProviders(userId)).toEqual(['tiktok', method])
  const [tiktok = '', added = ''] = await accountDigests(laptop)
  return { laptop, handle, userId, tiktok, added }
}

/** Signs in with TikTok's page, in a browser that was not signed in. */
export async function signInElsewhere({ open }: Deployment, handle: string): Promise<Browser> {
  const browser = open()
  await browser.signIn(handle, { prompt: 'login' })
  return browser
}
