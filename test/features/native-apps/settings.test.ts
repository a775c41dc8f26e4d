import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { options } from '../../../src/deployment.ts'
import { formatProblem } from '../../../src/foundation/values/problem.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, serviceOf, serviceWith } from '../../browser.ts'
import { formRequest } from '../../core/oidc/relying-app.ts'
import { readConfig } from '../../deployment.ts'
import { browserOf } from '../../read-readiness.ts'
import { AppProvider, ID_TOKEN, OWN_APP, PROVIDER_CODE, TOKEN_EXCHANGE } from './native-app.ts'

const FINGERPRINT = Array.from({ length: 32 }, () => 'A1').join(':')

describe('GET /.well-known/apple-app-site-association and assetlinks.json', () => {
  it('lets the apps in the settings use passkeys', async () => {
    const browser = browserOf({
      AUTH_IOS_APPS: 'ABCDE12345.com.example.shop,ABCDE12345.com.example.other',
      AUTH_ANDROID_APPS: `com.example.shop=${FINGERPRINT}`,
    })

    const apple = await browser.get('/.well-known/apple-app-site-association')
    const google = await browser.get('/.well-known/assetlinks.json')

    expect(apple.headers.get('Content-Type')).toBe('application/json')
    expect(await apple.json()).toEqual({
      webcredentials: { apps: ['ABCDE12345.com.example.shop', 'ABCDE12345.com.example.other'] },
    })
    expect(google.headers.get('Content-Type')).toBe('application/json')
    expect(await google.json()).toEqual([
      {
        relation: ['delegate_permission/common.get_login_creds'],
        target: {
          namespace: 'android_app',
          package_name: 'com.example.shop',
          sha256_cert_fingerprints: [FINGERPRINT],
        },
      },
    ])
  })

  it('does not exist without such apps', async () => {
    for (const name of ['apple-app-site-association', 'assetlinks.json']) {
      expect((await new Browser().get(`/.well-known/${name}`)).status).toBe(404)
    }
  })
})

describe('the settings of native apps', () => {
  const provider = new AppProvider()

  it.each([
    [{ AUTH_IOS_APPS: 'com.example.shop' }, 'AUTH_IOS_APPS must be a list of apps'],
    [{ AUTH_ANDROID_APPS: 'com.example.shop=A1:B2' }, 'AUTH_ANDROID_APPS must be a list of apps'],
    [{ AUTH_ANDROID_APPS: 'com.example.shop' }, 'AUTH_ANDROID_APPS must be a list of apps'],
  ])('are reported if they are invalid: %o', (setting, problem) => {
    expect(() => readConfig({ ...env, ...setting })).toThrow(problem)
  })

  it.each([
    ['AUTH_OIDC_APP_IDS', 'a, b', 'must be a list of the ids'],
    ['AUTH_OIDC_APP_NONCE', 'off', 'must be required or optional'],
    ['AUTH_GITHUB_APP_IDS', 'a', 'is not a setting of this service'],
    ['AUTH_TIKTOK_APP_REDIRECT_URI', 'shop', 'must be the redirect URI'],
  ])('disable only their provider if they are invalid: %s', async (name, value, problem) => {
    const response = await browserOf(provider.settings({ [name]: value })).get('/readyz')
    const { checks } = await response.json<{ checks: { name: string; problem?: string }[] }>()

    expect(response.status).toBe(503)
    expect(checks.find((check) => check.name === 'settings')?.problem).toContain(
      `${name} ${problem}`,
    )
  })

  it('of a client may have the grant types', () => {
    const settings = { ...env, ...provider.settings() }

    expect(readConfig(settings).problems.map(formatProblem)).toEqual([])
  })
})

describe('a token exchange', () => {
  const service = serviceWith(new AppProvider().settings())
  const request = (changes: Record<string, string>) =>
    service(
      formRequest('/oidc/token', {
        grant_type: TOKEN_EXCHANGE,
        client_id: OWN_APP.client_id,
        subject_token: 'x',
        ...changes,
      }),
    ).then((response) => response.json())

  it('is that of an ID token or of a kept token, by subject_token_type', async () => {
    const access_token = 'urn:ietf:params:oauth:token-type:access_token'

    expect(await request({ subject_token_type: ID_TOKEN })).toMatchObject({
      error_description: expect.stringContaining('provider must be the id of an OpenID provider'),
    })
    expect(await request({ subject_token_type: access_token })).toMatchObject({
      error: 'invalid_target',
      error_description: expect.stringContaining('upstream_tokens'),
    })
  })

  it('is listed once in the discovery document', async () => {
    const document = await new Browser().json<Record<string, unknown>>(
      '/.well-known/openid-configuration',
    )

    const types = document['grant_types_supported'] as string[]
    expect(types.filter((type) => type === TOKEN_EXCHANGE)).toHaveLength(1)
    expect(types).toContain(PROVIDER_CODE)
    expect(document['challenge_endpoint']).toBe('https://login.example/oidc/challenge')
  })
})

describe('a deployment without nativeApps()', () => {
  const features = options.features?.filter(({ id }) => id !== 'native-apps') ?? []
  const vestibule = createVestibule({ ...options, features })
  const provider = new AppProvider()

  it('has no route or grant type for apps', async () => {
    const service = serviceOf(vestibule, provider.settings({ AUTH_OIDC_APP_IDS: undefined }))
    const statuses = await Promise.all([
      service(formRequest('/oidc/challenge', { client_id: 'shop-app' })),
      service(new Request('https://login.example/.well-known/assetlinks.json')),
    ])
    const form = { client_id: 'shop-app', grant_type: PROVIDER_CODE }
    const response = await service(formRequest('/oidc/token', form))

    expect(statuses.map(({ status }) => status)).toEqual([404, 404])
    expect(await response.json()).toMatchObject({ error: 'unsupported_grant_type' })
  })

  it('exchanges no ID tokens, although another feature exchanges tokens', async () => {
    const service = serviceOf(vestibule)
    const response = await service(
      formRequest('/oidc/token', {
        client_id: 'shop',
        grant_type: TOKEN_EXCHANGE,
        subject_token: 'x',
        subject_token_type: ID_TOKEN,
      }),
    )

    expect(await response.json()).toMatchObject({ error: 'invalid_target' })
  })

  it('reports settings and clients of the feature', async () => {
    const browser = new Browser(serviceOf(vestibule, provider.settings()))
    const { checks } = await browser.json<{ checks: { name: string; problem?: string }[] }>(
      '/readyz',
    )

    const problem = checks.find(({ name }) => name === 'settings')?.problem
    expect(problem).toContain('AUTH_OIDC_APP_IDS is not a setting of this service')
    expect(problem).toContain('Features such as device() add further ones.')
  })

  it('has user objects without the methods of the feature', () => {
    expect(vestibule.objects.UserObject.prototype).not.toHaveProperty('openAppSession')
  })
})
