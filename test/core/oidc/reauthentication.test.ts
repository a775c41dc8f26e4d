import { describe, expect, it } from 'vitest'
import { Browser } from '../../browser.ts'
import { setClock, stopClock } from '../../clock.ts'
import { createPlatformUser } from '../../new-user.ts'
import { interactionOf, redirectUrl } from '../../redirect.ts'
import { RelyingApp } from './relying-app.ts'
import { resumedRequest } from './user-steps.ts'

/**
 * Sends an authorization request that requires a sign-in, and returns where the sign-in leads to.
 */
async function startedRequest(
  browser: Browser,
  app: RelyingApp,
  parameters: Record<string, string>,
): Promise<string> {
  return resumedRequest(await browser.get(await app.authorizationUrl(parameters)))
}

/** Whether the request was granted; if not, the user is sent to the sign-in page again. */
async function isGranted(browser: Browser, url: string): Promise<boolean> {
  const response = await browser.get(url)
  if (redirectUrl(response).searchParams.has('code')) return true
  interactionOf(response)
  return false
}

/**
 * A new user. Signs in at the provider's prompt, as our sign-in page requests it for these
 * requests.
 */
async function newUser() {
  const handle = await createPlatformUser()
  const browser = new Browser()
  return { browser, signIn: (prompt = 'login') => browser.signIn(handle, { prompt }) }
}

describe.each([{ prompt: 'login' }, { prompt: 'select_account' }, { max_age: '0' }])(
  'an authorization request with %o',
  (parameters) => {
    it('[A17] is granted after a sign-in that it led to', async () => {
      const now = stopClock()
      const { browser, signIn } = await newUser()
      const url = await startedRequest(browser, new RelyingApp(), parameters)
      setClock(now + 30)
      await signIn()

      expect(await isGranted(browser, url)).toBe(true)
    })

    it.each([1, 60, 119, 600])(
      '[A17] is not granted by a sign-in %i s before the request',
      async (seconds) => {
        const now = stopClock()
        const { browser, signIn } = await newUser()
        await signIn()
        setClock(now + seconds)
        const url = await startedRequest(browser, new RelyingApp(), parameters)

        expect(await isGranted(browser, url)).toBe(false)
      },
    )

    it.each([
      [120, true],
      [121, false],
      [600, false],
    ])(
      '[A17] that is repeated %i s after the sign-in is granted: %s',
      async (seconds, isAccepted) => {
        const now = stopClock()
        const { browser, signIn } = await newUser()
        const url = await startedRequest(browser, new RelyingApp(), parameters)
        await signIn()
        setClock(now + seconds)

        expect(await isGranted(browser, url)).toBe(isAccepted)
      },
    )

    it.each([
      [3599, true],
      [3600, false],
    ])('[A17] is granted if the sign-in took %i s: %s', async (seconds, isAccepted) => {
      const now = stopClock()
      const { browser, signIn } = await newUser()
      const url = await startedRequest(browser, new RelyingApp(), parameters)
      setClock(now + seconds)
      await signIn()

      const response = await browser.get(url)

      expect(response.status).toBe(isAccepted ? 303 : 400)
      if (isAccepted) expect(redirectUrl(response).searchParams.has('code')).toBe(true)
    })

    it('[A17] is not granted by a sign-in that another request led to', async () => {
      const now = stopClock()
      const { browser, signIn } = await newUser()
      const app = new RelyingApp()
      await startedRequest(browser, app, { ...parameters, scope: 'openid' })
      setClock(now + 1)
      await signIn()
      setClock(now + 2)

      expect(await isGranted(browser, await app.authorizationUrl(parameters))).toBe(false)
    })

    it('[A17] is not granted by a sign-in for which the provider did not prompt', async () => {
      const now = stopClock()
      const { browser } = await newUser()
      const url = await startedRequest(browser, new RelyingApp(), parameters)
      setClock(now + 1)
      await browser.signIn(await createPlatformUser())

      expect(await isGranted(browser, url)).toBe(false)
    })

    it('[A17] is not granted by a sign-in before it, even in the second of the sign-in', async () => {
      stopClock()
      const { browser, signIn } = await newUser()
      await signIn()

      const url = await new RelyingApp().authorizationUrl(parameters)

      expect(await isGranted(browser, url)).toBe(false)
    })
  },
)

describe('an authorization request with max_age', () => {
  it.each([
    ['599', false],
    ['600', true],
  ])(
    '[A17][A18] of %s s is granted after a sign-in without a prompt: %s',
    async (max_age, granted) => {
      const browser = new Browser()
      await browser.signIn(await createPlatformUser())

      const url = await new RelyingApp().authorizationUrl({ max_age })

      expect(await isGranted(browser, url)).toBe(granted)
    },
  )

  it.each([
    [3599, true],
    [3600, true],
    [3601, false],
  ])('[A17] of an hour is granted %i s after a sign-in: %s', async (seconds, isAccepted) => {
    const now = stopClock()
    const { browser, signIn } = await newUser()
    await signIn()
    setClock(now + seconds)

    const url = await new RelyingApp().authorizationUrl({ max_age: '3600' })

    expect(await isGranted(browser, url)).toBe(isAccepted)
  })
})

describe('an authorization request that the current session does not satisfy', () => {
  it.each([
    [{ prompt: 'login' }, 'login'],
    [{ prompt: 'select_account' }, 'select_account'],
    [{ prompt: 'select_account login' }, 'login'],
    [{ max_age: '0' }, 'login'],
    [{ claims: JSON.stringify({ id_token: { sub: { value: 'usr_another' } } }) }, 'login'],
  ])('[A17] makes the sign-in page prompt again: %o', async (parameters, prompt) => {
    const { browser, signIn } = await newUser()
    await signIn()

    const response = await browser.get(await new RelyingApp().authorizationUrl(parameters))

    expect(redirectUrl(response).searchParams.get('prompt')).toBe(prompt)
  })

  it('[A19] names two different users, so that nobody satisfies it', async () => {
    const { browser, signIn } = await newUser()
    await signIn()
    const app = new RelyingApp()
    const { id_token = '', claims } = await app.tokens(browser)
    const subject = claims()?.sub ?? ''
    const errorFor = async (value: string) => {
      const callback = await app.callbackFor(browser, {
        prompt: 'none',
        id_token_hint: id_token,
        claims: JSON.stringify({ id_token: { sub: { value } } }),
      })
      return callback.searchParams.get('error')
    }

    expect(await errorFor(subject)).toBeNull()
    expect(await errorFor('usr_another')).toBe('login_required')
  })
})
