import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createUserApp } from '../../src/core/app.ts'
import { validateOptions } from '../../src/core/config/options.ts'
import { readEnglish } from '../../src/core/messages/english.ts'
import { RESERVED_IDS } from '../../src/define-feature/define-feature.ts'
import { featureContext } from '../../src/define-feature/feature-context.ts'
import { options } from '../../src/deployment.ts'
import { defineFeature, totp } from '../../src/features.ts'
import { Browser, logLines } from '../browser.ts'
import { continueUrl } from '../continue-url.ts'
import { RelyingApp } from '../core/oidc/relying-app.ts'
import { readConfig } from '../deployment.ts'
import { hiddenFields } from '../html.ts'
import { createPlatformUser } from '../new-user.ts'
import { redirectUrl } from '../redirect.ts'
import { steppedService } from './stepped-service.ts'
import { TERMS_TABLE } from './terms.ts'

const service = steppedService()

beforeAll(async () => {
  await env.DIRECTORY.exec(TERMS_TABLE)
})

/** A browser in which a new user has signed in, and has not accepted the terms yet. */
async function pendingBrowser(): Promise<Browser> {
  const browser = new Browser(service)
  await browser.signIn(await createPlatformUser())
  return browser
}

/** Sends an authorization request and signs in. Returns where the user continues. */
async function signInForApp(browser: Browser, app: RelyingApp, handle: string): Promise<URL> {
  const signIn = redirectUrl(await browser.get(await app.authorizationUrl({ provider: 'tiktok' })))
  const authorization = redirectUrl(
    await browser.get(signIn.href, { 'Sec-Fetch-Mode': 'navigate' }),
  )
  return redirectUrl(await browser.get(await browser.approve(authorization, handle)))
}

/** Presses the button of a page, and returns the response. */
async function pressButton(browser: Browser, page: URL, headers: Record<string, string> = {}) {
  const html = await (await browser.get(page.href)).text()
  expect(html).toContain('>Accept</button>')
  return browser.post(page.href, Object.fromEntries(hiddenFields(html)), headers)
}

describe('a feature with a step and a database', () => {
  it('shows its page once before an authorization request is granted', async () => {
    const browser = new Browser(service)
    const app = new RelyingApp('web', service)
    const handle = await createPlatformUser()

    const page = await signInForApp(browser, app, handle)
    expect(page.pathname).toBe('/terms')
    const continued = await continueUrl(await pressButton(browser, page))
    const callback = redirectUrl(await browser.get(continued), 303)

    expect((await app.exchange(callback)).access_token).toBeTruthy()
    const again = await new RelyingApp('kiosk').callbackFor(browser, { prompt: 'none' })
    expect(again.searchParams.get('error')).toBe('consent_required')
    const second = await signInForApp(new Browser(service), new RelyingApp('web'), handle)
    expect(second.pathname).toMatch(/^\/oidc\/authorize\//)
  })

  it('answers prompt=none with interaction_required', async () => {
    const browser = await pendingBrowser()

    const callback = await new RelyingApp('web').callbackFor(browser, { prompt: 'none' })

    expect(callback.searchParams.get('error')).toBe('interaction_required')
  })

  it('shows its page after a sign-in for an app, and returns there', async () => {
    const browser = new Browser(service)

    const page = redirectUrl(await browser.signIn('mia', { callbackUrl: 'https://shop.example/x' }))
    expect(page.pathname).toBe('/terms')

    expect(await continueUrl(await pressButton(browser, page))).toBe('https://shop.example/x')
  })

  it('escapes values, and continues on our own page if the user came from nowhere', async () => {
    const browser = await pendingBrowser()
    const page = new URL('/terms', browser.origin)

    const html = await (await browser.get(page.href)).text()
    expect(html).toContain('href="https://example.com/terms?a=&quot;&gt;&lt;script&gt;"')
    expect(await continueUrl(await pressButton(browser, page))).toBe(`${browser.origin}/`)
  })

  it('asks strangers to sign in first', async () => {
    const browser = new Browser(service)

    const { pathname, searchParams } = redirectUrl(await browser.get('/terms?interaction=x'), 303)

    expect([pathname, searchParams.get('callbackUrl')]).toEqual([
      '/api/auth/signin',
      '/terms?interaction=x',
    ])
  })

  it('[M6] accepts the form only from its own page', async () => {
    const browser = await pendingBrowser()
    const page = new URL('/terms', browser.origin)

    const response = await pressButton(browser, page, {
      'Sec-Fetch-Site': 'cross-site',
      Origin: 'https://shop.example',
    })

    expect(response.status).toBe(403)
    expect(await browser.session()).toBeNull()
  })

  it('is named in the log if its table is missing, not the migrations of the service', async () => {
    await env.DIRECTORY.exec('ALTER TABLE accepted_terms RENAME TO lost_terms')
    onTestFinished(async () => {
      await env.DIRECTORY.exec('ALTER TABLE lost_terms RENAME TO accepted_terms')
    })

    const response = await new Browser(service).signIn(await createPlatformUser())

    expect(response.status).toBe(503)
    expect(JSON.parse(logLines.at(-1) ?? '')).toMatchObject({
      hint: 'the table accepted_terms of a feature of your own is missing or outdated: apply the migration of that feature',
    })
  })

  it('is reported by /readyz without its binding', async () => {
    const response = await new Browser(steppedService({ TERMS: undefined })).get('/readyz')

    expect(await response.text()).toContain('binding = \\"TERMS\\"')
  })
})

it.each(['/oidc/token', '/account', '/admin/x', 'terms', '/Terms', '/a/:b', '/'])(
  'a page of a feature cannot have the path %s',
  (path) => {
    const pages = { [path]: { show: () => ({ title: 'x', content: 'x' }) } }

    expect(() => defineFeature({ id: 'x', pages })).toThrow(`has a page at ${path}`)
  },
)

it('a page of a feature cannot begin with the path of any route of the service', () => {
  const { declared } = validateOptions(
    { ...options, features: [...(options.features ?? []), totp()] },
    readEnglish,
  )
  const paths = [
    ...createUserApp(readConfig, declared).routes.map(({ path }) => path),
    ...declared.features.flatMap(({ area }) => area?.path ?? []),
  ]
  const first = new Set(paths.map((path) => path.split('/')[1] ?? ''))
  const pages = { '/api/own': { show: () => ({ title: 'x', content: 'x' }) } }

  // Other characters are not allowed anyway.
  const reserved = [...first].filter((segment) => /^[a-z\d-]+$/.test(segment)).sort()
  expect(() => defineFeature({ id: 'x', pages })).toThrow(`none of ${reserved.join(', ')}.`)
})

it('a page of a feature rejects a body that is not a form', async () => {
  const browser = await pendingBrowser()

  const response = await browser.fetch('/terms', {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'text/plain' },
  })

  expect(response.status).toBe(400)
})

it('a feature uses only the names that it declares', async () => {
  const user = { id: 'usr_1', name: 'Ada', extras: {} }
  const request = { env, config: readConfig(env), user, origin: { actor: user.id } }
  const context = featureContext({ id: 'x' }, request as never)

  await expect(context.seal('session', 'text')).rejects.toThrow('session is not in seals')
  await expect(context.open('session', 'text')).rejects.toThrow('session is not in seals')
  await expect(context.count('client secrets')).rejects.toThrow('client secrets is not in limits')
  expect(() => context.audit('sign_in')).toThrow('sign_in is not in audit')
})

const features = import.meta.glob('../../src/features/*/feature.ts', { query: '?raw', eager: true })

it('a feature cannot have the id of one of ours, also of one that is not listed', () => {
  const folders = Object.keys(features).map((path) => path.split('/').at(-2) ?? '')

  expect(folders.length).toBeGreaterThan(10)
  expect(RESERVED_IDS.toSorted()).toEqual(folders.toSorted())
  for (const id of folders) expect(() => defineFeature({ id })).toThrow(`${id} is the id of`)
})
