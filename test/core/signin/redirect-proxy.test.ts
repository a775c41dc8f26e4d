import { describe, expect, it } from 'vitest'
import { Browser, LOGIN, lastLogEntry, serviceWith } from '../../browser.ts'
import { advanceClock, MINUTE } from '../../clock.ts'

const SECRET = 'mX7pQ2rT9vB4nK6wZ1cL8sD3fH5jG0yA'
const PREVIEW = 'https://feature-7.preview.example'

/** The deployment whose callback is registered at the platform. */
const proxy = serviceWith({
  AUTH_REDIRECT_PROXY_ORIGINS: 'https://*.preview.example,http://localhost:8787',
  AUTH_REDIRECT_PROXY_SECRET: SECRET,
})

/** A deployment that signs users in through the proxy. */
const deploymentAt = (AUTH_URL: string, secret = SECRET) =>
  serviceWith({
    AUTH_URL,
    AUTH_SECRET: 'preview-Wk8sL2qV5nB7mT1yR4uE9oI3',
    AUTH_REDIRECT_PROXY_URL: `${LOGIN}/api/auth`,
    AUTH_REDIRECT_PROXY_SECRET: secret,
  })

/**
 * Starts a sign-in at a deployment, and returns the callback, which the platform sends to the
 * proxy.
 */
async function callbackFor(preview: Browser): Promise<string> {
  const authorization = await preview.start()
  expect(authorization.searchParams.get('redirect_uri')).toBe(`${LOGIN}/api/auth/callback/tiktok`)
  return preview.approve(authorization, 'mia')
}

describe('a redirect proxy', () => {
  it.each([PREVIEW, 'http://localhost:8787'])(
    '[K21] forwards the registered callback to the deployment at %s',
    async (origin) => {
      const preview = new Browser(deploymentAt(origin), origin)
      const callback = await callbackFor(preview)
      const { attempt } = lastLogEntry()

      const forwarded = await new Browser(proxy).get(callback)

      const location = forwarded.headers.get('Location') ?? ''
      expect(forwarded.status).toBe(302)
      expect(location.startsWith(`${origin}/api/auth/callback/tiktok?code=`)).toBe(true)
      expect(lastLogEntry().attempt).toMatch(/^\w{4}-\w{4}-\w{4}$/)
      expect(lastLogEntry().attempt).toBe(attempt)
      expect((await preview.get(location)).status).toBe(302)
    },
  )

  it('leaves the cookie of a deployment on another port of the same host, which browsers send to both', async () => {
    const preview = new Browser(deploymentAt(PREVIEW), PREVIEW)
    const callback = await callbackFor(preview)
    const [name = ''] = preview.cookieNames('attempt')

    const forwarded = await new Browser(proxy).get(callback, {
      Cookie: `${name}=sealed-by-another`,
    })

    expect(name).not.toBe('')
    expect(forwarded.headers.getSetCookie().join()).not.toContain(name)
  })

  it('[K2] is the only one that can read the deployment from the state', async () => {
    const authorization = await new Browser(deploymentAt(PREVIEW), PREVIEW).start()

    expect(authorization.href).not.toContain('preview')
    expect(authorization.searchParams.get('state')?.length).toBeLessThan(512)
  })

  it.each([
    'https://evil.example',
    'https://a.b.preview.example',
    'https://preview.example',
    'http://localhost:9999',
  ])('[K21] does not forward to %s', async (origin) => {
    const callback = await callbackFor(new Browser(deploymentAt(origin), origin))

    const response = await new Browser(proxy).get(callback)

    expect(response.status).toBe(400)
    expect(response.headers.get('Location')).toBeNull()
  })

  it('[K21] does not forward a malformed state, nor that of a deployment with another secret', async () => {
    const wrongSecret = 'Xc4vB7nM1qW8eR2tY5uI9oP3aS6dF0gH'
    const callback = await callbackFor(new Browser(deploymentAt(PREVIEW, wrongSecret), PREVIEW))

    expect((await new Browser(proxy).get(callback)).status).toBe(400)
    expect((await new Browser(proxy).get('/api/auth/callback/tiktok?code=x&state=y')).status).toBe(
      400,
    )
  })

  it('[K21] does not forward a callback after ten minutes', async () => {
    const callback = await callbackFor(new Browser(deploymentAt(PREVIEW), PREVIEW))
    advanceClock(10 * MINUTE + 1)

    expect((await new Browser(proxy).get(callback)).status).toBe(400)
  })

  it('[K21] leaves the check of the browser to the deployment, which rejects another browser', async () => {
    const preview = new Browser(deploymentAt(PREVIEW), PREVIEW)
    const forwarded = await new Browser(proxy).get(await callbackFor(preview))

    const otherBrowser = new Browser(deploymentAt(PREVIEW), PREVIEW)
    const response = await otherBrowser.get(forwarded.headers.get('Location') ?? '')

    expect(response.status).toBe(400)
    expect(await response.text()).toContain('attempt_missing')
  })

  it('completes its own sign-ins', async () => {
    const browser = new Browser(proxy)

    expect((await browser.signIn('mia')).status).toBe(302)
    expect(await browser.session()).toMatchObject({ user: { name: 'Mia Lindqvist' } })
  })
})
