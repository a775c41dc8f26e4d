import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import { accountDigests } from '../../account-digests.ts'
import { Browser, logLines, serviceWith, standIn } from '../../browser.ts'
import { advanceClock, DAY, MINUTE, stopClock } from '../../clock.ts'
import { confirmation, errorCode, findLink, inputValues, unescapeHtml } from '../../html.ts'
import { linkAddress, OWN_PAGE, startLinking } from '../../link-account.ts'
import { createPlatformUser, signInNewUser } from '../../new-user.ts'
import {
  ACCOUNT_AFTER_SIGN_IN,
  addressAfterSignIn,
  DOWNLOAD_AFTER_SIGN_IN,
  redirectUrl,
} from '../../redirect.ts'
import {
  confirmMethods,
  failingAt,
  linkedProviders,
  pauseBeforeOpeningSession,
  userObject,
} from '../../storage.ts'
import { RelyingApp } from '../oidc/relying-app.ts'
import { approveConsent } from '../oidc/user-steps.ts'

const threeProvidersEnv = {
  AUTH_OIDC_ID: 'our-client',
  AUTH_OIDC_SECRET: 'our-secret-Kq7vR2',
  AUTH_OIDC_ISSUER: 'https://hostile.example/plain',
  AUTH_OIDC_NAME: 'Our company',
  AUTH_GITLAB_ID: 'git-client',
  AUTH_GITLAB_SECRET: 'git-secret-7Hk2',
  AUTH_GITLAB_ISSUER: 'https://git.example',
}

/** A deployment with two providers besides the platform. */
const threeProviders = serviceWith(threeProvidersEnv)

/** Longer than a sign-in counts as recent. */
const NO_LONGER_RECENT = 10 * MINUTE + 1

/** Follows an address of ours to GitLab, and returns the response of the callback. */
async function signInAtGitLab(
  browser: Browser,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const start = await browser.get(path, headers)
  if (start.status !== 302) return start
  return browser.get(await approveAtGitLab(start))
}

/** The address that GitLab redirects to when the user consents. */
async function approveAtGitLab(start: Response): Promise<string> {
  const response = await fetch(redirectUrl(start), { redirect: 'manual' })
  return redirectUrl(response).href
}

async function linkGitLab(browser: Browser): Promise<Response> {
  return signInAtGitLab(browser, await linkAddress(browser, 'gitlab'), OWN_PAGE)
}

/** The same, and the user has confirmed it since. */
async function linkConfirmedGitLab(browser: Browser): Promise<void> {
  await linkGitLab(browser)
  await confirmMethods((await browser.session())?.user.id)
}

/** What the page confirms that a change redirects to. */
async function readConfirmation(browser: Browser, response: Response): Promise<string> {
  const address = response.headers.get('Location') ?? ''
  return confirmation(await (await browser.get(address)).text())
}

/** The page that asks a user for a new sign-in before they continue at this address. */
async function readQuestion(browser: Browser, callbackUrl: string): Promise<string> {
  const params = new URLSearchParams({ callbackUrl, prompt: 'login' })
  return (await browser.get(`/api/auth/signin?${params}`)).text()
}

async function signOutNewUser(): Promise<Browser> {
  const { browser } = await signInNewUser()
  await browser.post('/api/auth/signout', {})
  return browser
}

async function endSessionOfNewUser(): Promise<Browser> {
  const { browser, userId } = await signInNewUser()
  await userObject(userId).endEverything([])
  return browser
}

async function readAccountPage(browser: Browser): Promise<string> {
  return (await browser.get('/account')).text()
}

// The GitLab of these tests has one user only, who must not belong to the user of the previous
// test.
afterEach(async () => {
  await env.DIRECTORY.prepare("DELETE FROM accounts WHERE provider = 'gitlab'").run()
})

describe('GET /account', () => {
  it('redirects to the sign-in page when not signed in', async () => {
    const response = await new Browser().get('/account')

    expect(response.headers.get('Location')).toBe('/api/auth/signin?callbackUrl=%2Faccount')
  })

  it('says on the sign-in page that the session was ended from another browser', async () => {
    const { browser, handle } = await signInNewUser()
    const other = new Browser()
    await other.signIn(handle)
    await browser.post('/account/sessions', { sid: 'others' })

    const response = await other.get('/account')

    const page = await (await other.get(redirectUrl(response).href)).text()
    expect(confirmation(page)).toBe(
      'This browser is no longer signed in: you may have signed it out from another browser, or you may not have used it for a long time.',
    )
    expect(page).toContain('<div class="notice" role="status">')
    expect(page).toContain('<h1>Sign in</h1>')
  })

  it.each([
    ['a browser that was never signed in', async () => new Browser(), '/account'],
    ['a browser that has signed out', signOutNewUser, '/account'],
    ['a browser that comes from an app', endSessionOfNewUser, 'https://shop.example/'],
  ])('does not say that the session was ended to %s', async (_, open, callbackUrl) => {
    const browser = await open()

    const path = `/api/auth/signin?${new URLSearchParams({ callbackUrl })}`
    const page = await (await browser.get(path)).text()

    expect(page).toContain('Sign in with TikTok')
    expect(page).not.toContain('no longer signed in')
    expect(page).not.toContain('class="notice"')
  })

  it('shows what is stored about the user', async () => {
    const browser = new Browser(threeProviders)
    await browser.signIn('mia')

    expect(await readAccountPage(browser)).toMatch(
      /\u2068@mia\u2069<\/span><span>\u2068https:\/\/[^<]*\/mia\/\u2069<\/span>/,
    )
  })

  it('lists the linked accounts, and leads to the page that links others', async () => {
    const browser = new Browser(threeProviders)
    await browser.signIn(await createPlatformUser({ displayName: 'Pat New' }))

    const page = await readAccountPage(browser)

    expect(page).toContain('<strong>TikTok</strong><div>\u2068Pat New')
    expect(page).toContain('href="/account/link">Add a way to sign in</a>')
  })

  it('has no link that disconnects the only way to sign in, and says why', async () => {
    const { browser } = await signInNewUser(new Browser(threeProviders))

    const page = await readAccountPage(browser)

    expect(page).toContain('Your only way to sign in.')
    expect(findLink(page, '/account/disconnect')).toBe('')
  })

  it('says that no app has access, and what a download contains', async () => {
    const { browser } = await signInNewUser()

    const page = await readAccountPage(browser)

    expect(page).toContain(
      '<h2>Apps that you have given access</h2><p class="note">No apps from other companies',
    )
    expect(page).toContain('You can download a file (JSON) with your profile')
  })

  it.each([
    ['https://shop.example/orders', 200],
    ['https://evil.example/', 400],
    ['javascript:alert(1)', 400],
    ['blob:https://shop.example/x', 400],
  ])('[N1] links back to the page of an app, and to no other: %s', async (callbackUrl, status) => {
    const { browser } = await signInNewUser()

    const response = await browser.get(`/account?${new URLSearchParams({ callbackUrl })}`)

    expect(response.status).toBe(status)
    const isLinked = (await response.text()).includes(`<a href="${callbackUrl}">Go back to`)
    expect(isLinked).toBe(status === 200)
  })

  it('[M7] escapes a display name that contains markup', async () => {
    const browser = new Browser()
    await browser.signIn('zoe')

    const page = await readAccountPage(browser)

    expect(page).toContain('&lt;script&gt;alert(&quot;zoe&quot;)&lt;/script&gt;')
    expect(page).not.toContain('<script>')
  })
})

describe('GET /account?done', () => {
  it.each([
    'done=linked',
    'done=linked&provider=gitlab',
    'done=linked&provider=<b>',
    'done=<b>You won</b>',
    'done=toString',
    'done=',
    'done=<b>&change=download',
    'change=download',
    'provider=tiktok',
    'done=created',
  ])('[M7] confirms only what is known, and shows no text of the address: %s', async (query) => {
    const { browser } = await signInNewUser(new Browser(threeProviders))
    advanceClock(NO_LONGER_RECENT)

    const response = await browser.get(`/account?${query}`)

    expect(response.status).toBe(200)
    const page = await response.text()
    expect(confirmation(page)).toBe('')
    expect(page).not.toContain('role="status"')
    expect(page).not.toContain('<b>')
  })

  it('confirms a change again when the page is opened again, and changes nothing', async () => {
    const { browser } = await signInNewUser(new Browser(threeProviders))
    const path = '/account?done=linked&provider=tiktok'

    const pages = [await browser.get(path), await browser.get(path)]

    for (const page of pages)
      expect(confirmation(await page.text())).toBe('You can now sign in with TikTok.')
    expect(await accountDigests(browser)).toHaveLength(1)
  })

  it.each(['change=<b>', 'change=toString'])(
    '[M7] offers only a change that is known: %s',
    async (query) => {
      const { browser } = await signInNewUser(new Browser(threeProviders))

      const page = await (await browser.get(`${ACCOUNT_AFTER_SIGN_IN}&${query}`)).text()

      expect(confirmation(page)).toBe(
        'Thank you. You now have ten minutes to repeat what you wanted to do.',
      )
      expect(page).not.toContain('class="primary"')
      expect(page).not.toContain('<b>')
    },
  )

  it('[M7] names only a browser that is known', async () => {
    const { browser } = await signInNewUser()
    const readText = async (device: string) => {
      const params = new URLSearchParams({ done: 'sessionEnded', device })
      return confirmation(await (await browser.get(`/account?${params}`)).text())
    }

    expect(await readText('Firefox, Linux')).toBe(
      'You have been signed out of the other browser (\u2068Firefox, Linux\u2069).',
    )
    for (const device of ['', '<b>', 'Firefox, Linux, call +1 555 0100', 'Firefox Linux']) {
      expect(await readText(device), device).toBe(
        'You have been signed out of the other browser (\u2068Unknown browser\u2069).',
      )
    }
  })

  it('says once that the account is new, also to a user who comes from an app', async () => {
    const browser = new Browser(threeProviders)
    const handle = await createPlatformUser()
    await browser.signIn(handle, { callbackUrl: 'https://shop.example/cart' })
    const other = new Browser(threeProviders)
    await other.signIn(handle)

    expect(confirmation(await readAccountPage(browser))).toBe(
      'Your new account was created when you signed in.',
    )
    expect(confirmation(await readAccountPage(browser))).toBe('')
    expect(confirmation(await readAccountPage(other))).toBe('')
  })

  it.each([
    ['ten minutes later', async () => advanceClock(NO_LONGER_RECENT)],
    ['after another confirmation', (browser: Browser) => browser.get('/account?done=passkeyAdded')],
  ])('does not say that the account is new %s', async (_, meanwhile) => {
    const browser = new Browser(threeProviders)
    await browser.signIn(await createPlatformUser())

    await meanwhile(browser)

    expect(confirmation(await readAccountPage(browser))).toBe('')
  })

  it('says that the account is new to a user who deleted an earlier one', async () => {
    const { browser, handle } = await signInNewUser(new Browser(threeProviders))
    advanceClock(NO_LONGER_RECENT)
    await browser.signIn(handle, { prompt: 'login' })
    await browser.post('/account/delete', {})

    await browser.signIn(handle)

    expect(confirmation(await readAccountPage(browser))).toBe(
      'Your new account was created when you signed in.',
    )
  })

  it('sends a new user to the app and not to the account page', async () => {
    const callbackUrl = 'https://shop.example/cart'

    const response = await new Browser().signIn(await createPlatformUser(), { callbackUrl })

    expect(response.headers.get('Location')).toBe(callbackUrl)
  })

  it('[K6] returns a user who cancels a link at the provider to the page that offers it', async () => {
    const { browser, handle } = await signInNewUser(new Browser(threeProviders))
    const authorization = redirectUrl(await startLinking(browser, 'tiktok'))
    const callback = await browser.approve(authorization, handle, 'deny')

    const page = await (
      await browser.get(redirectUrl(await browser.get(callback), 303).href)
    ).text()

    expect(page).toContain('<h1>Add a way to sign in</h1>')
    expect(confirmation(page)).toBe('Sign-in cancelled. Try again or choose another way.')
    expect(page).toContain('Link another TikTok account')
  })
})

const CONFIRMED_LATER = ' Nothing will change until you confirm on the next page.'

describe('a change that requires a new sign-in', () => {
  it.each([
    [599, 200],
    [600, 303],
  ])('[S6] does so %i s after the last one: %i', async (seconds, status) => {
    stopClock()
    const { browser } = await signInNewUser()
    advanceClock(seconds)

    const response = await browser.get('/account/link')

    expect(response.status).toBe(status)
    if (status === 303) expect(addressAfterSignIn(response)).toBe('/account/link')
  })

  it('[S6] does so if the account of the last one is no longer the user’s, although the session is', async () => {
    const { browser, userId } = await signInNewUser()
    expect((await browser.get('/account/link')).status).toBe(200)

    await env.DIRECTORY.prepare('DELETE FROM accounts WHERE user_id = ?').bind(userId).run()

    expect(addressAfterSignIn(await browser.get('/account/link'))).toBe('/account/link')
    expect(await browser.session()).not.toBeNull()
  })

  it('[K6] is still offered to a user who cancels that sign-in at the provider', async () => {
    const { browser, handle } = await signInNewUser(new Browser(threeProviders))
    advanceClock(NO_LONGER_RECENT)
    const response = await browser.get('/account/delete')
    const question = await (await browser.get(redirectUrl(response, 303).href)).text()
    const start = findLink(question, '/api/auth/signin/tiktok?')
    const authorization = redirectUrl(await browser.get(start, OWN_PAGE))
    const cancelled = await browser.get(await browser.approve(authorization, handle, 'deny'))

    const page = await (await browser.get(redirectUrl(cancelled, 303).href)).text()

    expect(page).toContain('<h1>Confirm it’s you</h1>')
    expect(page).toContain('To continue with “Delete your account”, sign in once more.')
    expect(confirmation(page)).toBe('Sign-in cancelled. Try again or choose another way.')
    expect(findLink(page, '/api/auth/signin/tiktok?')).toContain('prompt=login')
  })

  it('is confirmed with a method of the user', async () => {
    const { browser } = await signInNewUser(new Browser(threeProviders))
    advanceClock(NO_LONGER_RECENT)
    const response = await browser.post('/account/export', {})

    const page = await (await browser.get(redirectUrl(response, 303).href)).text()

    expect(page).toContain('Sign in with TikTok')
    expect(page).not.toMatch(/Sign in with (GitLab|Our company)/)
  })

  it.each([
    ['/account/delete', 'Delete your account', CONFIRMED_LATER],
    ['/account/disconnect?account=DIGEST', 'Disconnect TikTok', CONFIRMED_LATER],
    [DOWNLOAD_AFTER_SIGN_IN, 'Download your data', ''],
    ['/account/link', 'Add a way to sign in', ''],
    ['/account/consents?client_id=kiosk', 'Remove access', CONFIRMED_LATER],
  ])('is named on the page that asks for it: %s', async (path, label, confirmed) => {
    const { browser } = await signInNewUser(new Browser(threeProviders))
    const [digest = ''] = await accountDigests(browser)
    advanceClock(NO_LONGER_RECENT)

    const page = await readQuestion(browser, path.replace('DIGEST', digest))

    expect(page).toContain(`<p>To continue with “${label}”, sign in once more.${confirmed}</p>`)
  })

  it.each([
    '/account',
    '/account/disconnect?account=x',
    '/account/other',
    `${ACCOUNT_AFTER_SIGN_IN}&change=<b>`,
  ])(
    '[M7] is not named if it is not known, and no text of the address is shown: %s',
    async (path) => {
      const { browser } = await signInNewUser(new Browser(threeProviders))

      const page = await readQuestion(browser, path)

      expect(page).toContain('<p>To protect your account, sign in once more.')
      expect(page).not.toContain('<b>')
    },
  )

  it('is also asked of a user who has just signed in without a prompt of the provider', async () => {
    const browser = new Browser(threeProviders)
    await browser.signIn(await createPlatformUser())

    expect(addressAfterSignIn(await browser.get('/account/delete'))).toBe('/account/delete')
  })

  it('[S6] does not sign in another user', async () => {
    const { browser, userId } = await signInNewUser(new Browser(threeProviders))

    const path = '/api/auth/signin/gitlab?callbackUrl=/account/delete&prompt=login'
    const response = await signInAtGitLab(browser, path, OWN_PAGE)

    expect(await errorCode(response)).toBe('already_signed_in')
    expect((await browser.session())?.user.id).toBe(userId)
  })
})

describe('GET /account/link', () => {
  it('offers every provider, and says of which the user has an account', async () => {
    const { browser } = await signInNewUser(new Browser(threeProviders))

    const page = await (await browser.get('/account/link')).text()

    expect(page).toContain('<h1>Add a way to sign in</h1>')
    expect(page).toContain('Link another TikTok account</a>')
    expect(page).toContain('Link GitLab</a>')
    expect(page).toContain('Link Our company</a>')
    expect(page).toContain('href="/account">Go back</a>')
  })

  it('leads a user without a session to a sign-in that returns to the page', async () => {
    const response = await new Browser().get('/account/link')

    expect(addressAfterSignIn(response)).toBe('/account/link')
  })
})

describe('linking an account', () => {
  it('[S6] adds it to the signed-in user, who can sign in with it from then on', async () => {
    const { browser } = await signInNewUser(new Browser(threeProviders))
    const { user } = (await browser.session()) ?? {}

    const response = await linkGitLab(browser)

    expect(response.headers.get('Location')).toBe(
      'https://login.example/account?done=linked&provider=gitlab',
    )
    expect(await readConfirmation(browser, response)).toBe('You can now sign in with GitLab.')
    expect(await linkedProviders(user?.id)).toEqual(['tiktok', 'gitlab'])
    expect((await browser.session())?.user).toEqual(user)
    expect(logLines.join()).toContain('account_linked')
    const secondBrowser = new Browser(threeProviders)
    await signInAtGitLab(secondBrowser, '/api/auth/signin/gitlab')
    expect((await secondBrowser.session())?.user.id).toBe(user?.id)
  })

  it('says that an account was linked before, and how to link another one', async () => {
    const { browser } = await signInNewUser(new Browser(threeProviders))
    await linkGitLab(browser)
    advanceClock(MINUTE)

    const response = await linkGitLab(browser)

    expect(await readConfirmation(browser, response)).toBe(
      'This GitLab account is already linked. To link another one, first switch accounts on GitLab.',
    )
    expect(await accountDigests(browser)).toHaveLength(2)
  })

  it('[S6] is rejected when the account belongs to another user', async () => {
    const owner = new Browser(threeProviders)
    await signInAtGitLab(owner, '/api/auth/signin/gitlab')
    const { browser, userId } = await signInNewUser(new Browser(threeProviders))

    const response = await linkGitLab(browser)

    expect(response.status).toBe(409)
    const page = await response.text()
    expect(page).toContain('account_taken')
    expect(page).toContain('<a class="primary" href="/account">Go to your account</a>')
    expect(await linkedProviders(userId)).toHaveLength(1)
    expect(await linkedProviders((await owner.session())?.user.id)).toHaveLength(1)
  })

  it('offers to sign in to the account page of the user who has the account', async () => {
    const owner = new Browser(threeProviders)
    await signInAtGitLab(owner, '/api/auth/signin/gitlab')
    const { browser } = await signInNewUser(new Browser(threeProviders))
    const page = await (await linkGitLab(browser)).text()

    const response = await signInAtGitLab(browser, findLink(page, 'select_account'), OWN_PAGE)

    expect(page).toContain('>Sign in with the other account</a>')
    expect(redirectUrl(response).pathname).toBe('/account')
    expect((await browser.session())?.user.id).toBe((await owner.session())?.user.id)
  })

  it('[S6] requires a recent sign-in, after which the user returns to the page', async () => {
    const { browser, handle, userId } = await signInNewUser(new Browser(threeProviders))
    advanceClock(NO_LONGER_RECENT)

    const path = addressAfterSignIn(await browser.get('/account/link')) ?? ''
    await browser.signIn(handle, { prompt: 'login', callbackUrl: path })
    await linkGitLab(browser)

    expect(path).toBe('/account/link')
    expect(await linkedProviders(userId)).toEqual(['tiktok', 'gitlab'])
  })

  it('[S6] requires that the sign-in is still recent when a link of the page is pressed', async () => {
    const { browser, userId } = await signInNewUser(new Browser(threeProviders))
    const address = await linkAddress(browser, 'gitlab')
    advanceClock(NO_LONGER_RECENT)

    const response = await browser.get(address, OWN_PAGE)

    expect(addressAfterSignIn(response)).toBe('/account/link')
    expect(await linkedProviders(userId)).toEqual(['tiktok'])
  })

  it('[S6] requires that the sign-in is still recent when the provider leads back', async () => {
    const { browser, userId } = await signInNewUser(new Browser(threeProviders))
    advanceClock(5 * MINUTE)
    const callback = await approveAtGitLab(await startLinking(browser, 'gitlab'))
    advanceClock(6 * MINUTE)

    const response = await browser.get(callback)

    expect(addressAfterSignIn(response)).toBe('/account/link')
    expect(await linkedProviders(userId)).toEqual(['tiktok'])
  })

  it('[S6] is rejected when another user is signed in at the callback', async () => {
    const { browser, userId } = await signInNewUser(new Browser(threeProviders))
    const callback = await approveAtGitLab(await startLinking(browser, 'gitlab'))
    const other = await signInNewUser(new Browser(threeProviders))
    for (const [name, value] of browser.cookies)
      if (/attempt|interaction/.test(name)) other.browser.cookies.set(name, value)

    const response = await other.browser.get(callback)

    expect(response.status).toBe(409)
    expect(await linkedProviders(other.userId)).toHaveLength(1)
    expect(await linkedProviders(userId)).toHaveLength(1)
  })

  it.each<Record<string, string>>([
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'none' },
    {},
  ])('[S6] does not start by a link that is not on our own page: %o', async (headers) => {
    const { browser } = await signInNewUser(new Browser(threeProviders))

    const response = await browser.get(await linkAddress(browser, 'gitlab'), headers)

    if (response.status !== 403) expect(redirectUrl(response).pathname).toBe('/api/auth/signin')
    expect(browser.cookieNames('attempt.')).toEqual([])
  })

  it('[S7] is not needed for the same user in another app of the same developer (union_id, better-auth#10406)', async () => {
    const sandbox = new Browser()
    await sandbox.signIn('mia')
    const production = new Browser(await secondAppOfTheDeveloper())

    await production.signIn('mia')

    expect((await production.session())?.user.id).toBe((await sandbox.session())?.user.id)
  })
})

describe('GET /account/disconnect', () => {
  it('names the account, says what will happen, and changes nothing', async () => {
    const browser = new Browser(threeProviders)
    await browser.signIn(await createPlatformUser({ displayName: 'Pat New' }), { prompt: 'login' })
    await linkConfirmedGitLab(browser)

    const response = await browser.get(findLink(await readAccountPage(browser), 'disconnect?'))

    const page = await response.text()
    expect(page).toContain('<h1>Disconnect TikTok?</h1>')
    expect(page).toContain('\u2068Pat New\u2069')
    expect(page).toContain(
      'sign in here with this TikTok account. The TikTok account itself will not be',
    )
    expect(page).toContain(
      'you will be signed out everywhere, including here. You can then sign in with \u2068GitLab\u2069.',
    )
    const [account = ''] = await accountDigests(browser)
    expect(page).toContain(`name="account" value="${account}"/>`)
    expect(page).toContain('<a href="/account">Go back</a>')
    expect(await accountDigests(browser)).toHaveLength(2)
  })

  it('requires a recent sign-in, after which the user returns to the same page', async () => {
    const { browser } = await signInNewUser(new Browser(threeProviders))
    await linkGitLab(browser)
    const path = findLink(await readAccountPage(browser), 'disconnect?')
    advanceClock(NO_LONGER_RECENT)

    const response = await browser.get(path)

    expect(addressAfterSignIn(response)).toBe(path)
  })

  it('does not offer to disconnect the only way to sign in', async () => {
    const { browser } = await signInNewUser(new Browser(threeProviders))
    const [account = ''] = await accountDigests(browser)

    const response = await browser.get(`/account/disconnect?account=${account}`)

    expect(response.headers.get('Location')).toBe('/account')
  })

  it.each([
    ['a provider that is disabled', {}],
    [
      'another issuer than that of the provider',
      { ...threeProvidersEnv, AUTH_GITLAB_ISSUER: 'https://gitlab.example' },
    ],
  ])('does not count an account of %s as another way to sign in', async (_, settings) => {
    const { browser } = await signInNewUser(new Browser(threeProviders))
    await linkConfirmedGitLab(browser)
    const [tiktok = ''] = await accountDigests(browser)
    const withoutGitLab = new Browser(serviceWith(settings)).withCookiesOf(browser)

    const response = await withoutGitLab.get(`/account/disconnect?account=${tiktok}`)

    expect(response.headers.get('Location')).toBe('/account')
    expect(await readAccountPage(withoutGitLab)).not.toContain(`disconnect?account=${tiktok}`)
    expect((await browser.get(`/account/disconnect?account=${tiktok}`)).status).toBe(200)
  })

  it('[S7] does not count the id of the same account in another app as another way to sign in', async () => {
    const { browser, handle } = await signInNewUser(new Browser(threeProviders))
    await new Browser(await secondAppOfTheDeveloper()).signIn(handle)
    const digests = await accountDigests(browser)

    expect(digests).toHaveLength(2)
    expect(findLink(await readAccountPage(browser), '/account/disconnect')).toBe('')
  })

  it.each(['unknown', 'another user'])(
    'explains that the account is not linked: %s',
    async (owner) => {
      const victim = await signInNewUser(new Browser(threeProviders))
      const [foreign = ''] = await accountDigests(victim.browser)
      const { browser } = await signInNewUser(new Browser(threeProviders))
      const account = owner === 'unknown' ? 'x' : foreign

      const response = await browser.get(`/account/disconnect?account=${account}`)

      expect(response.status).toBe(404)
      const page = await response.text()
      expect(page).toContain('<h1>This way to sign in is not in your account</h1>')
      expect(page).toContain('href="/account"')
    },
  )

  it('rejects a request without an account', async () => {
    const { browser } = await signInNewUser(new Browser(threeProviders))

    expect(await errorCode(await browser.get('/account/disconnect'))).toBe('request_invalid')
  })
})

describe('POST /account/disconnect', () => {
  it('ends all sessions, and the account signs in as a different user afterwards', async () => {
    const { browser, userId } = await signInNewUser(new Browser(threeProviders))
    await linkGitLab(browser)
    const secondBrowser = new Browser(threeProviders)
    await signInAtGitLab(secondBrowser, '/api/auth/signin/gitlab')
    expect((await secondBrowser.session())?.user.id).toBe(userId)
    const [, gitLab = ''] = await accountDigests(browser)

    const response = await browser.post('/account/disconnect', { account: gitLab })

    const page = await response.text()
    expect(page).toContain('<h1>GitLab is disconnected</h1>')
    expect(page).toContain(
      'You have been signed out everywhere. Sign in again with \u2068TikTok\u2069.',
    )
    expect(browser.cookieNames('session')).toEqual([])
    expect([await browser.session(), await secondBrowser.session()]).toEqual([null, null])
    expect(await linkedProviders(userId)).toEqual(['tiktok'])
    await signInAtGitLab(secondBrowser, '/api/auth/signin/gitlab')
    expect((await secondBrowser.session())?.user.id).not.toBe(userId)
  })

  it('[L14] opens no session for a sign-in that found the user before', async () => {
    const { browser, handle } = await signInNewUser(new Browser(threeProviders))
    const paused = pauseBeforeOpeningSession(threeProvidersEnv)
    const other = new Browser(paused.service)
    const callback = await other.approve(await other.start({ prompt: 'login' }), handle)
    const finishing = other.get(callback)
    await paused.isReached
    const [account = ''] = await accountDigests(browser)
    await browser.post('/account/disconnect', { account })

    paused.resume()
    const response = await finishing

    expect(await errorCode(response)).toBe('attempt_missing')
    expect(await other.session()).toBeNull()
    expect((await other.signIn(handle)).status).toBe(302)
    expect(await other.session()).not.toBeNull()
  })

  it.each([
    ['the only one', async () => {}],
    ['one of two', linkGitLab],
  ])(
    '[L14] opens no session for a sign-in through another app of the same developer that found the user before: %s',
    async (_, linkOthers) => {
      const { browser, handle } = await signInNewUser(new Browser(threeProviders))
      await linkOthers(browser)
      const secondApp = await registerSecondApp()
      const paused = pauseBeforeOpeningSession(secondApp)
      const other = new Browser(paused.service)
      const callback = await other.approve(await other.start({ prompt: 'login' }), handle)
      const finishing = other.get(callback)
      await paused.isReached
      const [account = ''] = await accountDigests(browser)
      await browser.post('/account/disconnect', { account })

      paused.resume()
      const response = await finishing

      expect(await errorCode(response)).toBe('attempt_missing')
      expect(await other.session()).toBeNull()
      expect((await other.signIn(handle)).status).toBe(302)
    },
  )

  it('keeps the user when it was the only account: signing in with it again is the same user', async () => {
    const { browser, handle, userId } = await signInNewUser(new Browser(threeProviders))
    const [account = ''] = await accountDigests(browser)

    const response = await browser.post('/account/disconnect', { account })

    const page = await response.text()
    expect(page).toContain('<h1>You are signed out</h1>')
    expect(page).not.toContain('in another way')
    expect(await browser.session()).toBeNull()
    await browser.signIn(handle)
    expect((await browser.session())?.user.id).toBe(userId)
  })

  it('[Q7] ends all sessions when it is repeated because storage failed after the account was unlinked', async () => {
    const { browser, userId } = await signInNewUser(new Browser(threeProviders))
    await linkGitLab(browser)
    const secondBrowser = new Browser(threeProviders)
    await signInAtGitLab(secondBrowser, '/api/auth/signin/gitlab')
    const [, gitLab = ''] = await accountDigests(browser)
    const USERS = failingAt('disconnect')
    const failing = new Browser(serviceWith({ ...threeProvidersEnv, USERS })).withCookiesOf(browser)
    const failed = await failing.post('/account/disconnect', { account: gitLab })
    expect([failed.status, await linkedProviders(userId)]).toEqual([503, ['tiktok']])

    const response = await browser.post('/account/disconnect', { account: gitLab })

    expect(await response.text()).toContain('<h1>You are signed out</h1>')
    expect([await browser.session(), await secondBrowser.session()]).toEqual([null, null])
  })

  it('keeps one account when two are disconnected at the same time', async () => {
    const { browser, userId } = await signInNewUser(new Browser(threeProviders))
    await linkGitLab(browser)
    const accounts = await accountDigests(browser)

    await Promise.all(accounts.map((account) => browser.post('/account/disconnect', { account })))

    expect(await linkedProviders(userId)).toHaveLength(1)
  })

  it('[S7] disconnects the account in every app of the same developer', async () => {
    const { browser, handle, userId } = await signInNewUser(new Browser(threeProviders))
    await linkConfirmedGitLab(browser)
    const production = await secondAppOfTheDeveloper()
    const productionBrowser = new Browser(production)
    await productionBrowser.signIn(handle)
    expect((await productionBrowser.session())?.user.id).toBe(userId)
    const [account = ''] = await accountDigests(browser)

    await browser.post('/account/disconnect', { account })

    expect(await linkedProviders(userId)).toEqual(['gitlab'])
    const newBrowser = new Browser(production)
    await newBrowser.signIn(handle)
    expect((await newBrowser.session())?.user.id).not.toBe(userId)
  })
})

/** Copies the session of a user this many times. */
async function addSessions(userId: string, count: number): Promise<void> {
  await runInDurableObject(userObject(userId), (object, { storage }) => {
    const [[, session] = []] = [...storage.kv.list<object>({ prefix: 'session:' })]
    for (let index = 1; index <= count; index++) {
      const copy = { ...session, sid: `ses_${index}`, attempt: `${index}` }
      storage.kv.put(`session:key-${index}`, copy)
    }
    expect(object.readOverview('').sessions).toHaveLength(1 + count)
  })
}

/** The values by which the forms of the account page name the user's other sessions. */
async function sessionValues(browser: Browser): Promise<string[]> {
  return inputValues(await readAccountPage(browser), 'sid')
}

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

describe('POST /account/sessions', () => {
  it('[L14] is offered for every other session, listed with browser, system, provider, apps and time', async () => {
    const { browser, handle } = await signInNewUser(new Browser(threeProviders))
    const laptop = new Browser(serviceWith({}))
    const callback = await laptop.approve(await laptop.start(), handle)
    await laptop.get(callback, { 'User-Agent': FIREFOX })
    await laptop.get(await new RelyingApp('web').authorizationUrl())

    const page = await readAccountPage(browser)

    expect(page).toContain('this browser')
    expect(page).toContain('<strong>Firefox, Linux</strong>')
    expect(page).toContain('signed in to \u2068The web app\u2069')
    expect(page).toMatch(/signed in with TikTok on \d+ \w+ \d{4} at\u00a0\d\d:\d\d\u00a0UTC</)
    expect(page).toMatch(/last used on \d+ \w+ \d{4} at\u00a0\d\d:\d\d\u00a0UTC</)
    expect(await sessionValues(browser)).toEqual([expect.stringMatching(/^ses_/), 'others'])
    expect(page.match(/action="\/api\/auth\/signout"/g)).toHaveLength(1)
  })

  it.each([
    ['Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge, Windows'],
    ['Macintosh; Intel Mac OS X 10_15_7) Chrome/140.0 Safari/537.36 OPR/122.0', 'Opera, macOS'],
    ['Linux; Android 15) SamsungBrowser/28.0 Chrome/130.0 Safari/537', 'Samsung Internet, Android'],
    ['Linux; Android 15) Chrome/140.0 Mobile Safari/537.36', 'Chrome, Android'],
    ['X11; CrOS x86_64 16328.0.0) Chrome/140.0 Safari/537.36', 'Chrome, ChromeOS'],
    ['iPhone; CPU iPhone OS 19_0 like Mac OS X) CriOS/140.0 Safari/604.1', 'Chrome, iPhone'],
    ['iPad; CPU OS 19_0 like Mac OS X) FxiOS/140.0 Safari/605.1', 'Firefox, iPad'],
    ['Macintosh; Intel Mac OS X 10_15_7) Version/19.0 Safari/605.1', 'Safari, macOS'],
    ['X11; Linux x86_64)', 'Linux'],
  ])('[L14] names the browser and the system of %s', async (userAgent, expected) => {
    const { browser, handle } = await signInNewUser()
    const other = new Browser()
    const callback = await other.approve(await other.start(), handle)
    await other.get(callback, { 'User-Agent': `Mozilla/5.0 (${userAgent}` })

    expect(await readAccountPage(browser)).toContain(`<strong>${expected}</strong>`)
  })

  it.each([
    [{ city: 'Bergen', country: 'NO' }, 'Bergen, NO'],
    [{ country: 'NO' }, 'NO'],
    [{ city: 'x'.repeat(100), country: 'NO' }, 'x'.repeat(80)],
  ])('[L14] names the place of a session: %o', async (cf, expected) => {
    const { browser, handle } = await signInNewUser()
    const service = serviceWith({})
    const other = new Browser((request) =>
      service(new Request(request, { cf: cf as CfProperties })),
    )
    await other.signIn(handle)

    expect(await readAccountPage(browser)).toContain(`>\u2068${expected}\u2069<`)
  })

  it.each([
    ['Asia/Tokyo', {}, '16 November 2026 at\u00a005:30<'],
    ['Asia/Tokyo', { 'Accept-Language': 'en-US,en;q=0.9' }, 'November 16, 2026 at 5:30'],
    ['Asia/Tokyo', { 'Accept-Language': 'en-GB,en-US;q=0.9' }, '16 November 2026 at\u00a005:30<'],
    ['Asia/Tokyo', { 'Accept-Language': 'ja' }, '2026年11月16日\u00a05:30（TikTok）<'],
    ['Nowhere/Unknown', {}, '15 November 2026 at\u00a020:30\u00a0UTC<'],
    [undefined, {}, '15 November 2026 at\u00a020:30\u00a0UTC<'],
  ])('shows times in the time zone of the request: %s %o', async (timezone, headers, expected) => {
    const { browser, userId } = await signInNewUser()
    await runInDurableObject(userObject(userId), (_, { storage }) => {
      const at = Date.UTC(2026, 10, 15, 20, 30) / 1000
      for (const [key, session] of [...storage.kv.list<object>({ prefix: 'session:' })]) {
        storage.kv.put(key, { ...session, authenticatedAt: at })
      }
    })
    const service = serviceWith({})
    const located = new Browser((request) =>
      service(new Request(request, { cf: { timezone } as CfProperties })),
    )
    located.withCookiesOf(browser)

    const page = await (await located.get('/account', headers)).text()

    expect(page).toContain(expected)
  })

  it('[L14] is offered for fifty sessions on several pages', async () => {
    const { browser, userId } = await signInNewUser()
    await addSessions(userId, 49)

    const pages = [await readAccountPage(browser)]
    for (const more of [30, 10]) {
      const last = pages.at(-1) ?? ''
      expect(last).toContain(`>Show ${more} more<`)
      pages.push(await (await browser.get(findLink(last, '/account/sessions'))).text())
    }

    expect(pages[0]).toContain('this browser')
    expect(pages.at(-1)).not.toContain('Show')
    expect(pages.at(-1)).toContain('<h1>Where you are signed in</h1>')
    const sids = pages.map((page) => inputValues(page, 'sid').filter((sid) => sid !== 'others'))
    expect(sids.map(({ length }) => length)).toEqual([19, 20, 10])
    expect(new Set(sids.flat()).size).toBe(49)
  })

  it('shows a single further session instead of a link to it', async () => {
    const { browser, userId } = await signInNewUser()
    await addSessions(userId, 20)

    expect(await sessionValues(browser)).toHaveLength(20 + 1)
    expect(await readAccountPage(browser)).not.toContain('Show')
    const response = await browser.get('/account/sessions?from=21')
    expect(response.headers.get('Location')).toBe('/account')
  })

  it.each(['', '?from=', '?from=-1', '?from=1e3', '?from=5&from=6', '?from=<b>'])(
    'rejects an invalid address of further sessions: /account/sessions%s',
    async (query) => {
      const { browser } = await signInNewUser()

      const response = await browser.get(`/account/sessions${query}`)

      expect(response.status).toBe(400)
      expect(await response.text()).not.toContain('<b>')
    },
  )

  it('leads a browser without a session to the sign-in page', async () => {
    const response = await new Browser().get('/account/sessions?from=5')

    expect(response.headers.get('Location')).toBe('/api/auth/signin?callbackUrl=%2Faccount')
  })

  it('is offered below the current session, for those that were used last first', async () => {
    stopClock()
    const { browser, handle } = await signInNewUser()
    for (const name of ['Firefox/140.0', 'Chrome/140.0.0.0']) {
      advanceClock(MINUTE)
      const other = new Browser()
      const callback = await other.approve(await other.start(), handle)
      await other.get(callback, { 'User-Agent': `Mozilla/5.0 (X11; Linux x86_64) ${name}` })
    }

    const page = await readAccountPage(browser)

    const places = ['this browser', 'Chrome, Linux', 'Firefox, Linux'].map((text) =>
      page.indexOf(text),
    )
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  it('[D1] is not offered for a session that has expired, nor ends what an app keeps after it', async () => {
    stopClock()
    const { browser, handle } = await signInNewUser()
    const laptop = new Browser()
    await laptop.signIn(handle)
    const app = new RelyingApp()
    const { refresh_token = '' } = await app.tokens(laptop, { scope: 'openid offline_access' })
    const [sid = ''] = await sessionValues(browser)
    advanceClock(6 * DAY)
    await browser.session()
    advanceClock(2 * DAY)

    const offered = await sessionValues(browser)
    const response = await browser.post('/account/sessions', { sid })

    expect(sid).toMatch(/^ses_/)
    expect(offered).not.toContain(sid)
    expect(response.headers.get('Location')).toBe('/account')
    expect(await app.refresh(refresh_token)).toHaveProperty('access_token')
  })

  it('[L14] ends one session at once, with its grants', async () => {
    const { browser, handle } = await signInNewUser()
    const laptop = new Browser()
    const callback = await laptop.approve(await laptop.start(), handle)
    await laptop.get(callback, { 'User-Agent': FIREFOX })
    const app = new RelyingApp()
    const tokens = await app.tokens(laptop, { scope: 'openid offline_access' })
    const [sid = ''] = await sessionValues(browser)

    const response = await browser.post('/account/sessions', { sid })

    expect(await readConfirmation(browser, response)).toBe(
      'You have been signed out of the other browser (\u2068Firefox, Linux\u2069).',
    )
    expect(await laptop.session()).toBeNull()
    expect(await laptop.json('/api/auth/session?token=false')).toBeNull()
    await expect(app.refresh(tokens.refresh_token ?? '')).rejects.toThrow()
    expect(await browser.session()).not.toBeNull()
  })

  it('[J12] ends all sessions but the current one', async () => {
    const { browser, handle } = await signInNewUser()
    const others = [new Browser(), new Browser(), new Browser()]
    for (const other of others) await other.signIn(handle)

    const response = await browser.post('/account/sessions', { sid: 'others' })

    expect(await readConfirmation(browser, response)).toBe(
      'You have been signed out everywhere else.',
    )
    for (const other of others) {
      expect(await other.session()).toBeNull()
      expect(await other.json('/api/auth/session?token=false')).toBeNull()
    }
    expect(await browser.session()).not.toBeNull()
    expect(await sessionValues(browser)).toEqual([])
  })

  it('does not end a session of another user', async () => {
    const attacker = await signInNewUser()
    const victim = await signInNewUser()
    const victimsLaptop = new Browser()
    await victimsLaptop.signIn(victim.handle)
    const [sid = ''] = await sessionValues(victim.browser)

    const response = await attacker.browser.post('/account/sessions', { sid })

    expect(response.headers.get('Location')).toBe('/account')
    expect([await victim.browser.session(), await victimsLaptop.session()]).not.toContain(null)
  })
})

describe('GET /account/consents', () => {
  it('names the app, says what will happen, and changes nothing', async () => {
    const { browser } = await signInNewUser(new Browser(serviceWith({})))
    const url = await new RelyingApp('kiosk').authorizationUrl({ scope: 'openid profile' })
    await approveConsent(browser, await browser.get(url))

    const link = findLink(await readAccountPage(browser), '/account/consents?')
    const page = await (await browser.get(link)).text()

    expect(page).toContain('<h1>Remove access for The kiosk?</h1>')
    expect(page).toContain('\u2068The kiosk\u2069 will no longer be able to use your account.')
    expect(page).toContain('action="/account/consents"')
    expect(page).toContain('href="/account">Go back</a>')
    expect(await readAccountPage(browser)).toContain('<strong>The kiosk</strong>')
  })

  it.each(['kiosk', 'unknown', '<b>', ''])(
    'leads to the account page if the app has no access: %s',
    async (client_id) => {
      const { browser } = await signInNewUser()

      const params = new URLSearchParams({ client_id })
      const response = await browser.get(`/account/consents?${params}`)

      expect(response.headers.get('Location')).toBe('/account')
    },
  )

  it('leads a browser without a session to the sign-in page', async () => {
    const response = await new Browser().get('/account/consents?client_id=kiosk')

    expect(response.headers.get('Location')).toBe('/api/auth/signin?callbackUrl=%2Faccount')
  })
})

describe('POST /account/consents', () => {
  it('withdraws consent: the grant ends at once, and the app has to ask for consent again', async () => {
    const { browser } = await signInNewUser(new Browser(serviceWith({})))
    const app = new RelyingApp('kiosk')
    const url = await app.authorizationUrl({ scope: 'openid profile offline_access' })
    const response = await approveConsent(browser, await browser.get(url))
    const tokens = await app.exchange(redirectUrl(response))
    const page = await readAccountPage(browser)
    expect(page).toContain('<strong>The kiosk</strong>')
    expect(page).toContain('<li>See your name, username, picture and profile link</li>')

    const withdrawal = await browser.post('/account/consents', { client_id: 'kiosk' })

    expect(await readConfirmation(browser, withdrawal)).toBe(
      '\u2068The kiosk\u2069 can no longer use your account. It keeps the data that it already has.',
    )
    expect(await readAccountPage(browser)).not.toContain('The kiosk')
    await expect(app.refresh(tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
    expect((await browser.get(url)).status).toBe(200)
  })
})

describe('GET /account/delete', () => {
  it('shows the name and the picture of the user whose account will be deleted', async () => {
    const browser = new Browser(serviceWith({}))
    const handle = await createPlatformUser({ displayName: 'Pat New' })
    await browser.signIn(handle, { prompt: 'login' })
    const { user } = (await browser.session()) ?? {}

    const response = await browser.get('/account/delete')

    const page = await response.text()
    expect(page).toContain('You are signed in as \u2068Pat New\u2069.')
    expect(unescapeHtml(page)).toContain(`<img class="picture" src="${user?.image}"`)
    expect(response.headers.get('Content-Security-Policy')).toContain(
      `img-src data: ${new URL(user?.image ?? '').origin};`,
    )
  })

  it('lists the consequences, and offers a copy of the data first', async () => {
    const { browser } = await signInNewUser()

    const page = await (await browser.get('/account/delete')).text()

    expect(page.match(/<li>[^<]*<\/li>/g)?.length).toBeGreaterThanOrEqual(5)
    expect(page).toContain('Your accounts at other services (\u2068TikTok\u2069) are not deleted.')
    expect(page).toContain('are kept for 90 days, without your name.')
    expect(page).not.toContain('passkeys')
    expect(page).toContain('action="/account/export"')
    expect(page).toContain('id="confirm-delete" type="submit">Delete permanently<')
  })

  it('says for how long this deployment keeps security records', async () => {
    const { browser } = await signInNewUser(new Browser(serviceWith({ AUTH_AUDIT_DAYS: '30' })))

    expect(await (await browser.get('/account/delete')).text()).toContain('are kept for 30 days')
  })
})

describe('POST /account/delete', () => {
  it('[C24][S10] ends everything and removes the user; a later sign-in creates a new user', async () => {
    const { browser, handle, userId } = await signInNewUser(new Browser(serviceWith({})))
    const app = new RelyingApp()
    const tokens = await app.tokens(browser, { scope: 'openid offline_access' })
    const confirmation = await (await browser.get('/account/delete')).text()
    expect(confirmation).toContain('id="confirm-delete"')

    const response = await browser.post('/account/delete', {})

    expect(await response.text()).toContain('Your account is deleted')
    expect(browser.cookieNames('session')).toEqual([])
    await expect(app.refresh(tokens.refresh_token ?? '')).rejects.toThrow()
    await expect(app.userinfo(tokens.access_token, userId)).rejects.toThrow()
    const users = await env.DIRECTORY.prepare('SELECT 1 FROM users WHERE id = ?').bind(userId).all()
    expect([users.results, await linkedProviders(userId)]).toEqual([[], []])
    await browser.signIn(handle)
    expect((await browser.session())?.user.id).not.toBe(userId)
  })

  it.each([
    ['en', '\u2068TikTok\u2069 and \u2068GitLab\u2069'],
    ['de', '\u2068TikTok\u2069 und \u2068GitLab\u2069'],
    ['ja', '\u2068TikTok\u2069、\u2068GitLab\u2069'],
    ['ar', '\u2067\u2068TikTok\u2069 و\u00a0\u2068GitLab\u2069\u2069'],
  ])('names the providers that were linked, each once: %s', async (language, names) => {
    const { browser } = await signInNewUser(new Browser(threeProviders))
    await linkGitLab(browser)

    const headers = { Accept: 'text/html', 'Accept-Language': language }
    const page = await (await browser.post('/account/delete', {}, headers)).text()

    expect(page).toContain(names)
    expect(page).not.toContain('Our company')
  })

  it('[C24] leaves nothing in storage once the apps have been notified', async () => {
    const { browser, userId } = await signInNewUser(new Browser(serviceWith({})))
    await browser.post('/account/delete', {})

    advanceClock(10 * MINUTE + 1)
    await runDurableObjectAlarm(userObject(userId))

    const remainingKeys = await runInDurableObject(userObject(userId), (_, { storage }) =>
      Array.from(storage.kv.list(), ([key]) => key),
    )
    expect(remainingKeys).toEqual([])
  })

  it('[C24] opens no session for a sign-in that was in progress', async () => {
    const { browser, userId } = await signInNewUser(new Browser(serviceWith({})))
    await browser.post('/account/delete', {})

    const opened = await userObject(userId).openSession({
      secretDigest: 'k',
      sid: 'ses_x',
      attempt: 'a',
      user: { id: userId as 'usr_x' },
      claimedAt: 0,
      level: 'silent',
    })

    expect(opened).toBeUndefined()
  })

  it('requires a recent sign-in', async () => {
    const { browser } = await signInNewUser(new Browser(serviceWith({})))
    advanceClock(NO_LONGER_RECENT)

    const page = await browser.get('/account/delete?x=1')
    const form = await browser.post('/account/delete', {})

    expect(addressAfterSignIn(page)).toBe('/account/delete?x=1')
    expect(addressAfterSignIn(form)).toBe('/account/delete')
    expect(await browser.session()).not.toBeNull()
  })
})

describe('a form that requires a recent sign-in', () => {
  it.each([
    ['disconnect', '<h1>Disconnect TikTok?</h1>'],
    ['export', '<h1>Your account</h1>'],
    ['delete', '<h1>Delete your account</h1>'],
  ])(
    'leads a browser to the page that asks to confirm, and back: /account/%s',
    async (action, heading) => {
      const { browser, handle } = await signInNewUser(new Browser(threeProviders))
      await linkConfirmedGitLab(browser)
      const [account = ''] = await accountDigests(browser)
      advanceClock(NO_LONGER_RECENT)

      const response = await browser.post(`/account/${action}`, { account })
      const page = await (await browser.get(redirectUrl(response, 303).href)).text()
      const authorization = redirectUrl(await browser.get(findLink(page, 'signin/tiktok?')))
      const returned = await browser.get(await browser.approve(authorization, handle))
      const lastPage = await (await browser.get(redirectUrl(returned).href)).text()

      expect(page).toContain('<h1>Confirm it’s you</h1>')
      expect(page).not.toContain('sign_in_again')
      expect(page).toContain('<a id="cancel" href="/account">Cancel</a>')
      expect(page).not.toContain('/qr?')
      expect(lastPage).toContain(heading)
      expect(lastPage).toContain(`action="/account/${action}"`)
    },
  )

  it('shows the download button again after the sign-in', async () => {
    const { browser } = await signInNewUser(new Browser(serviceWith({})))

    const page = await (await browser.get(DOWNLOAD_AFTER_SIGN_IN)).text()

    expect(confirmation(page)).toBe(
      'Thank you. You now have ten minutes to continue with “Download your data”.',
    )
    const [, box = ''] = page.match(/role="status">(.*?)<\/div>/s) ?? []
    expect(box).toContain('<form method="post" action="/account/export" data-download="">')
    expect(box).toContain('<button class="primary" type="submit">Download your data</button>')
  })

  it('shows the button to sign out everywhere else again, even if the session had ended', async () => {
    const { browser, handle, userId } = await signInNewUser(new Browser(serviceWith({})))
    await userObject(userId).endEverything([])
    const path = addressAfterSignIn(await browser.post('/account/sessions', { sid: 'others' }))
    await browser.signIn(handle, { prompt: 'login' })

    const page = await (await browser.get(path ?? '')).text()

    const [, box = ''] = page.match(/role="status">(.*?)<\/div>/s) ?? []
    expect(box).toContain('You now have ten minutes to continue with “Sign out everywhere else”.')
    expect(box).toContain('<form method="post" action="/account/sessions">')
    expect(inputValues(box, 'sid')).toEqual(['others'])
  })

  it('responds with sign_in_again to a program', async () => {
    const { browser } = await signInNewUser(new Browser(serviceWith({})))
    advanceClock(NO_LONGER_RECENT)
    const headers = { Accept: 'application/json' }

    const response = await browser.post('/account/export', {}, headers)

    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ error: 'sign_in_again' })
  })

  it('does not offer the change again without a recent sign-in', async () => {
    const { browser } = await signInNewUser(new Browser(serviceWith({})))
    advanceClock(NO_LONGER_RECENT)

    const page = await (await browser.get(DOWNLOAD_AFTER_SIGN_IN)).text()

    expect(page).toContain('<h1>Your account</h1>')
    expect(confirmation(page)).toBe('')
  })
})

describe('every POST below /account', () => {
  it.each([
    ['disconnect', '/account/disconnect?account=x'],
    ['sessions', `${ACCOUNT_AFTER_SIGN_IN}&change=endOtherSessions`],
    ['consents', '/account/consents?client_id=kiosk'],
    ['export', DOWNLOAD_AFTER_SIGN_IN],
    ['delete', '/account/delete'],
  ])(
    '[M6] /account/%s is rejected from other sites, and when not signed in',
    async (action, continueAt) => {
      const { browser } = await signInNewUser(new Browser(serviceWith({})))
      const form = { account: 'x', sid: 'others', client_id: 'kiosk' }

      const fromOtherSite = await browser.fetch(`/account/${action}`, {
        form,
        headers: { Origin: 'https://evil.example' },
      })
      const fromApp = await browser.fetch(`/account/${action}`, {
        form,
        headers: { Origin: 'https://shop.example', 'Sec-Fetch-Site': 'cross-site' },
      })
      const notSignedIn = await new Browser().post(`/account/${action}`, form)

      expect([fromOtherSite.status, fromApp.status]).toEqual([403, 403])
      expect(addressAfterSignIn(notSignedIn)).toBe(continueAt)
      expect(await browser.session()).not.toBeNull()
    },
  )
})

/**
 * Registers a production app of the same developer at the platform, and returns the settings to use
 * it.
 */
async function registerSecondApp() {
  const clientKey = `aw${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`
  const clientSecret = 'Lm4nBv7cXz2aSd9fGh1jKl5qWe8rTy3u'
  await standIn.post('apps', {
    clientKey,
    clientSecret,
    kind: 'production',
    scopes: ['user.info.basic', 'user.info.profile'],
    redirectUris: [{ platform: 'web', uri: 'https://login.example/api/auth/callback/tiktok' }],
  })
  return { AUTH_TIKTOK_ID: clientKey, AUTH_TIKTOK_SECRET: clientSecret }
}

/** A deployment that uses another app of the same developer. */
async function secondAppOfTheDeveloper() {
  return serviceWith(await registerSecondApp())
}
