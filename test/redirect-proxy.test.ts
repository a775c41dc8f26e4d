import { afterEach, describe, expect, it, vi } from 'vitest'
import { Browser, LOGIN, logLines, serviceWith } from './browser.ts'

const SECRET = 'mX7pQ2rT9vB4nK6wZ1cL8sD3fH5jG0yA'
const PREVIEW = 'https://feature-7.preview.example'

const stable = () =>
  serviceWith({
    AUTH_REDIRECT_PROXY_ORIGINS: 'https://*.preview.example,http://localhost:8787',
    AUTH_REDIRECT_PROXY_SECRET: SECRET,
  })

const deploymentAt = (AUTH_URL: string, secret = SECRET) =>
  serviceWith({
    AUTH_URL,
    AUTH_SECRET: 'preview-Wk8sL2qV5nB7mT1yR4uE9oI3',
    AUTH_REDIRECT_PROXY_URL: `${LOGIN}/api/auth`,
    AUTH_REDIRECT_PROXY_SECRET: secret,
  })

/** Starts at one deployment, and comes back to the stable one, as the platform sends everybody. */
async function callbackOf(preview: Browser): Promise<string> {
  const authorization = await preview.start()
  expect(authorization.searchParams.get('redirect_uri')).toBe(`${LOGIN}/api/auth/callback/tiktok`)
  return preview.approve(authorization, 'mia')
}

const lastName = () => JSON.parse(logLines.at(-1) ?? '{}').attempt

afterEach(() => {
  vi.useRealTimers()
})

describe('a redirect proxy', () => {
  it.each([PREVIEW, 'http://localhost:8787'])(
    '[K21] signs people in at %s through the one registered callback',
    async (origin) => {
      const preview = new Browser(deploymentAt(origin), origin)
      const callback = await callbackOf(preview)
      const began = lastName()

      const passedOn = await new Browser(stable()).get(callback)

      const location = passedOn.headers.get('Location') ?? ''
      expect(passedOn.status).toBe(302)
      expect(location.startsWith(`${origin}/api/auth/callback/tiktok?code=`)).toBe(true)
      expect(lastName()).toMatch(/^[\w-]{11}$/)
      expect(lastName()).toBe(began)
      expect((await preview.get(location)).status).toBe(302)
    },
  )

  it('[K2] hides the deployment in the state from everybody but the proxy', async () => {
    const authorization = await new Browser(deploymentAt(PREVIEW), PREVIEW).start()

    expect(authorization.href).not.toContain('preview')
    expect(authorization.searchParams.get('state')?.length).toBeLessThan(512)
  })

  it.each([
    'https://evil.example',
    'https://a.b.preview.example',
    'https://preview.example',
    'http://feature-7.preview.example',
    'http://localhost:9999',
  ])('[K21] passes nobody on to %s', async (origin) => {
    const isHttps = origin.startsWith('https:')
    const service = isHttps || origin.includes('localhost') ? deploymentAt(origin) : undefined
    if (!service) return
    const callback = await callbackOf(new Browser(service, origin))

    const response = await new Browser(stable()).get(callback)

    expect(response.status).toBe(400)
    expect(response.headers.get('Location')).toBeNull()
  })

  it('[K21] passes nobody on by a state that it does not know, or of a deployment with another secret', async () => {
    const stranger = new Browser(deploymentAt(PREVIEW, 'Xc4vB7nM1qW8eR2tY5uI9oP3aS6dF0gH'), PREVIEW)

    expect((await new Browser(stable()).get(await callbackOf(stranger))).status).toBe(400)
    expect(
      (await new Browser(stable()).get('/api/auth/callback/tiktok?code=x&state=y')).status,
    ).toBe(400)
  })

  it('[K21] passes nobody on after ten minutes', async () => {
    const callback = await callbackOf(new Browser(deploymentAt(PREVIEW), PREVIEW))
    vi.useFakeTimers({ now: Date.now() + 601_000, toFake: ['Date'] })

    expect((await new Browser(stable()).get(callback)).status).toBe(400)
  })

  it('[K21] leaves the second check to the deployment: another browser gets nowhere', async () => {
    const preview = new Browser(deploymentAt(PREVIEW), PREVIEW)
    const passedOn = await new Browser(stable()).get(await callbackOf(preview))

    const thief = new Browser(deploymentAt(PREVIEW), PREVIEW)
    const response = await thief.get(passedOn.headers.get('Location') ?? '')

    expect(response.status).toBe(400)
    expect(await response.text()).toContain('attempt_missing')
  })

  it('does not disturb the sign-ins of its own', async () => {
    const browser = new Browser(stable())

    expect((await browser.signIn('mia')).status).toBe(302)
    expect(await browser.session()).toMatchObject({ user: { name: 'Mia Lindqvist' } })
  })
})
