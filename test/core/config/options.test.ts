import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../../src/core/config/configuration-error.ts'
import type { VestibuleOptions } from '../../../src/core/config/vestibule-options.ts'
import { defineFeature } from '../../../src/define-feature/define-feature.ts'
import { options as deployment } from '../../../src/deployment.ts'
import { formatProblem } from '../../../src/foundation/values/problem.ts'
import { Google, Oidc, TikTok } from '../../../src/providers/index.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, serviceOf } from '../../browser.ts'
import { configReaderWith } from '../../deployment.ts'

const badges = () => defineFeature({ id: 'badges' })

/** The problems that are reported for these options. */
function findProblems(options: object): readonly string[] {
  try {
    createVestibule(options as VestibuleOptions)
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError)
    return (error as ConfigurationError).problems.map(formatProblem)
  }
}

describe('createVestibule', () => {
  it.each([
    [undefined, 'max-age=63072000'],
    [{}, 'max-age=63072000'],
    [{ includeSubDomains: false }, 'max-age=63072000'],
    [{ includeSubDomains: true }, 'max-age=63072000; includeSubDomains'],
  ])('[M3] protects subdomains only on request: hsts %o', async (hsts, header) => {
    const changes = hsts && { hsts }
    const browser = new Browser(serviceOf(createVestibule({ ...deployment, ...changes })))

    const { headers } = await browser.get('/api/auth/signin')

    expect(headers.get('Strict-Transport-Security')).toBe(header)
  })

  it('accepts several providers of one kind with different ids', () => {
    const providers = [Oidc({ id: 'staff' }), Oidc({ id: 'partners' }), Oidc]

    expect(findProblems({ providers })).toEqual([])
  })

  it.each([
    [
      'a provider that is listed twice',
      { providers: [TikTok, Google, TikTok()] },
      'providers.tiktok has the id of another provider, or one whose settings have the same names.',
    ],
    [
      'two ids whose settings have the same names',
      { providers: [Oidc({ id: 'acme.eu' }), Oidc({ id: 'acme-eu' })] },
      'providers.acme-eu has the id of another provider, or one whose settings have the same names.',
    ],
    [
      'an option that does not exist',
      { providers: [TikTok], provider: [Google] },
      'provider does not exist: did you mean providers?',
    ],
    [
      'a feature that is not called',
      { providers: [TikTok], features: [badges] },
      'features.0 is not a feature: call it, as in admin().',
    ],
    [
      'a feature that is listed twice',
      { providers: [TikTok], features: [badges(), badges()] },
      'features.badges is listed twice.',
    ],
  ])('rejects %s with one sentence', (_, options, problem) => {
    expect(findProblems(options)).toEqual([problem])
  })

  it.each([
    'support@example.com',
    'mailto:',
    'mailto:support',
    'http://example.com/help',
    'javascript:alert(1)',
    '/help',
    '',
    null,
    7,
  ])('rejects the contact %j', (contact) => {
    expect(findProblems({ providers: [TikTok], contact })).toEqual([
      'contact must be an https: or mailto: URL, such as https://example.com/help or mailto:support@example.com.',
    ])
  })

  it('enables only those of many providers that have credentials, in code or in settings', () => {
    const google = Google({ clientId: 'id', clientSecret: 'secret' })
    const changes = { providers: [TikTok, google, Oidc], skipUnconfiguredProviders: true }

    const { providers, problems } = configReaderWith(changes)({ ...env })

    expect(providers.map(({ id }) => id)).toEqual(['tiktok', 'google'])
    expect(problems).toEqual([])
  })

  it('checks a provider that is enabled by its settings when it is enabled', () => {
    const google = Google({ codeChallengeEncoding: 'HEX' as 'hex' })
    const vestibule = { providers: [TikTok, google], skipUnconfiguredProviders: true }
    const readConfig = configReaderWith(vestibule)
    const credentials = { AUTH_GOOGLE_ID: 'id', AUTH_GOOGLE_SECRET: 'secret' }

    expect(findProblems(vestibule)).toEqual([])
    expect(readConfig(env).providers).toMatchObject([{ id: 'tiktok' }])
    const config = readConfig({ ...env, ...credentials })
    expect(config.providers).toMatchObject([{ id: 'tiktok' }])
    expect(config.problems).toMatchObject([
      { path: ['providers', 'google', 'codeChallengeEncoding'] },
    ])
  })

  it('reports all problems at once', () => {
    expect(findProblems({ providers: [TikTok, TikTok], callback: {}, plugins: [] })).toHaveLength(3)
  })
})

describe('an error page', () => {
  it.each([
    [
      'https://example.com/help?from=login&lang=en',
      'https://example.com/help?from=login&amp;lang=en',
    ],
    ['mailto:support@example.com', 'mailto:support@example.com'],
  ])('has a link to the contact %s', async (contact, href) => {
    const browser = new Browser(serviceOf(createVestibule({ ...deployment, contact })))

    const page = await (await browser.get('/missing')).text()
    const arabic = await browser.get('/missing', { 'Accept-Language': 'ar' })

    expect(page).toContain(`<p class="note"><a href="${href}">Contact support</a></p>`)
    expect(await arabic.text()).toContain(`<a href="${href}">التواصل مع الدعم</a>`)
  })

  it('has that link in a misconfigured deployment too', async () => {
    const vestibule = createVestibule({ ...deployment, contact: 'mailto:support@example.com' })
    const browser = new Browser(serviceOf(vestibule, { AUTH_SECRET: undefined }))

    const page = await (await browser.get('/api/auth/signin')).text()

    expect(page).toContain('configuration')
    expect(page).toContain('<a href="mailto:support@example.com">Contact support</a>')
  })

  it('has no such link without a contact', async () => {
    const page = await (await new Browser().get('/missing')).text()

    expect(page).toContain('not_found')
    expect(page).not.toContain('Contact support')
  })
})
