import { describe, expect, it } from 'vitest'
import { checkPlatformSettings } from '../../doctor/configuration/platform-settings.ts'
import { examineDeployment } from '../../doctor/deployment/examine.ts'
import type { Finding } from '../../doctor/finding.ts'
import { startLoginProxy } from './login-proxy.ts'
import { at, body, cookie, header, keys, members, parameter, type Spoil, status } from './spoil.ts'

const HEALTH = '/healthz'
const DISCOVERY = '/.well-known/openid-configuration'
const JWKS = '/.well-known/jwks.json'
const CSRF = '/api/auth/csrf'
const PAGE = '/api/auth/signin'
const PROVIDERS = '/api/auth/providers'
const SIGN_IN = '/api/auth/signin/tiktok'
const WEBHOOK = '/api/auth/webhook/tiktok'

const ELSEWHERE = 'https://b.example/api/auth/callback/tiktok'

describe('a check of a deployment', () => {
  it('finds nothing wrong where nothing is', async () => {
    expect(await troublesOf(() => {})).toEqual([])
  })

  it.each<[name: string, words: string, spoil: Spoil]>([
    ['health', 'answers 404', at(HEALTH, status(404))],
    ['health', 'not with {"status":"ok"}', at(HEALTH, body('<html>'))],
    [
      'address',
      'on to https://b.example.',
      at(HEALTH, status(302), header('location', ELSEWHERE), body('')),
    ],
    [
      'settings',
      'reference BBBBB-CCCCC',
      at(HEALTH, status(500), body('{"error":"configuration","reference":"BBBBB-CCCCC"}')),
    ],
    [
      'settings',
      'AUTH_SECRET is missing.',
      at(HEALTH, body('{"error":"configuration","problems":["AUTH_SECRET is missing."]}')),
    ],
    ['discovery', 'answers 403', at(DISCOVERY, status(403))],
    ['discovery', 'no JSON object', at(DISCOVERY, body('<html>'))],
    [
      'discovery',
      'token_endpoint is not',
      at(DISCOVERY, members({ token_endpoint: 'https://b.example/oidc/token' })),
    ],
    ['discovery', 'jwks_uri is not', at(DISCOVERY, members({ jwks_uri: undefined }))],
    [
      'discovery',
      'does not hold RS256',
      at(DISCOVERY, members({ id_token_signing_alg_values_supported: ['ES256'] })),
    ],
    [
      'discovery',
      'does not hold S256',
      at(DISCOVERY, members({ code_challenge_methods_supported: undefined })),
    ],
    ['JWKS', 'no key for RS256', at(JWKS, without('RS256'))],
    ['JWKS', 'no key for ES256', at(JWKS, without('ES256'))],
    [
      'JWKS',
      'private part',
      at(
        JWKS,
        keys((key) => ({ ...key, d: 'x' })),
      ),
    ],
    [
      'JWKS',
      'private part',
      at(
        JWKS,
        keys((key) => ({ ...key, kty: 'oct' })),
      ),
    ],
    [
      'JWKS',
      'no kid',
      at(
        JWKS,
        keys(({ kid: _, ...key }) => key),
      ),
    ],
    [
      'JWKS',
      'no kid',
      at(
        JWKS,
        keys((key) => ({ ...key, kid: 'one' })),
      ),
    ],
    ['JWKS', 'answers 503', at(JWKS, status(503))],
    ['cookies', 'is not set', at(CSRF, header('set-cookie', undefined))],
    ['cookies', 'is not HttpOnly', at(CSRF, cookie('; HttpOnly', ''))],
    ['cookies', 'is not SameSite=Lax', at(CSRF, cookie('Lax', 'None'))],
    ['cookies', 'has a Domain', at(CSRF, cookie('Path=/', 'Path=/; Domain=example.com'))],
    ['cookies', 'another path than /', at(CSRF, cookie('Path=/', 'Path=/api'))],
    [
      'CSP',
      'unsafe-inline',
      at(PAGE, policy("default-src 'none'; script-src 'unsafe-inline'; frame-ancestors 'none'")),
    ],
    ['frames', 'default-src', at(PAGE, policy("default-src 'none'"))],
    ['nosniff', 'no X-Content-Type-Options', at(PAGE, header('x-content-type-options', undefined))],
    ['no-store', 'max-age=60', at(PAGE, header('cache-control', 'public, max-age=60'))],
    ['authorization request', 'answers 500', at(SIGN_IN, status(500))],
    ['authorization request', 'state is missing or short', at(SIGN_IN, parameter('state', 'x'))],
    [
      'authorization request',
      'not SHA-256 in hex',
      at(SIGN_IN, parameter('code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')),
    ],
    ['attempt cookie', 'is not set', at(SIGN_IN, header('set-cookie', undefined))],
    ['attempt cookie', 'is not HttpOnly', at(SIGN_IN, cookie('; HttpOnly', ''))],
    [
      'callback address',
      'and /api/auth/providers says',
      at(PROVIDERS, members({ tiktok: { callbackUrl: ELSEWHERE } })),
    ],
    ['webhook', 'Anybody could sign people out', at(WEBHOOK, status(200))],
    ['webhook', 'would stay signed in', at(WEBHOOK, status(403))],
    ['clock', ' s behind this machine', at(HEALTH, clock(-90))],
    ['clock', ' s ahead of this machine', at(HEALTH, clock(90))],
  ])('sees what is wrong, and nothing else: %s: %s', async (name, words, spoil) => {
    const troubles = await troublesOf(spoil)

    expect(troubles).toEqual([expect.stringMatching(`^${name}: `)])
    expect(troubles[0]).toContain(words)
  })

  // What changes the request, the platform sees too.
  it.each<[words: string, spoil: Spoil]>([
    [
      'authorization request: The method of its challenge is not S256',
      parameter('code_challenge_method', 'plain'),
    ],
    ['authorization request: It does not ask for a code', parameter('response_type', 'token')],
    [
      'authorization request: Its scopes do not hold',
      parameter('scope', 'user.info.basic user.info.profile'),
    ],
    [
      'authorization request: It goes to https://phish.invalid',
      header('location', 'https://phish.invalid/'),
    ],
    [
      'callback address: The platform is told to return to https://b.example',
      parameter('redirect_uri', ELSEWHERE),
    ],
    [
      "platform's page: People end on the platform's own page with the word redirect_uri. The address",
      parameter('redirect_uri', ELSEWHERE),
    ],
    [
      "platform's page: People end on the platform's own page with the word client_key. The platform does not know the key",
      parameter('client_key', 'sbawunknown0000001'),
    ],
    [
      "platform's page: People end on the platform's own page with the word client_key. The request names no key",
      parameter('client_key', ''),
    ],
    [
      "platform's page: People end on the platform's own page with the word scope.",
      parameter('scope', 'user.info.basic,video.upload'),
    ],
    [
      "platform's page: People end on the platform's own page with the word code_challenge.",
      parameter('code_challenge', ''),
    ],
    [
      "platform's page: People end on the platform's own page with the word code_challenge_method.",
      parameter('code_challenge_method', 'plain'),
    ],
    [
      "platform's page: People end on the platform's own page with the word non_sandbox_target.",
      parameter('__as', 'tova'),
    ],
    [
      'issuer: The issuer is https://old.example, and not http://localhost',
      members({ issuer: 'https://old.example' }),
    ],
    ['CSP: There is no Content-Security-Policy', header('content-security-policy', undefined)],
  ])('sees %s', async (words, spoil) => {
    const path = words.startsWith('issuer') ? DISCOVERY : words.startsWith('CSP') ? PAGE : SIGN_IN
    const troubles = await troublesOf(at(path, spoil))

    expect(troubles).toContainEqual(expect.stringContaining(words))
  })
})

describe("a check of the platform's settings", () => {
  const KEY = 'sbaw8k2m5q9r4t7w1z'

  it.each([
    ['http://localhost:8787', KEY, ['good: callback address', 'good: client key']],
    ['http://127.0.0.1:8787', KEY, ['good: callback address', 'good: client key']],
    [
      'https://login.example.com',
      'aw8k2m5q9r4t7w1z',
      ['good: callback address', 'good: client key'],
    ],
    [
      'https://login.example.com',
      KEY,
      ['good: callback address', "warning: client key: The key is a sandbox's (sbaw…), and"],
    ],
    [
      'http://foo.localhost:8787',
      KEY,
      ["problem: callback address: The callback's host is foo.localhost.", 'good: client key'],
    ],
    [
      'http://[::1]:8787',
      KEY,
      ["problem: callback address: The callback's host is [::1].", 'good: client key'],
    ],
    [
      'http://localhost',
      KEY,
      ['problem: callback address: The callback names no port.', 'good: client key'],
    ],
    [
      'http://login.example.com',
      'aw8k2m5q9r4t7w1z',
      ['problem: callback address: The callback is not https.', 'good: client key'],
    ],
    [
      'https://login.example.com?x',
      'aw8k2m5q9r4t7w1z',
      ['problem: callback address: The callback has a query', 'good: client key'],
    ],
    [
      'nonsense',
      'aw8k2m5q9r4t7w1z',
      ['problem: callback address: The callback is not a whole', 'good: client key'],
    ],
    [
      'http://localhost:8787',
      'aw8k2m5q9r4t7w1z',
      ['good: callback address', "problem: client key: The key is a production app's"],
    ],
    [
      'http://localhost:8787',
      '5yQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o',
      ['good: callback address', 'warning: client key: The key does not look'],
    ],
    [
      'http://localhost:8787',
      `${KEY} `,
      [
        'good: callback address',
        'warning: client key: The key does',
        'problem: credentials: AUTH_TIKTOK_ID begins or ends with a blank.',
      ],
    ],
  ])('holds %s with the key %s to the rules', (AUTH_URL, AUTH_TIKTOK_ID, expected) => {
    const findings = checkPlatformSettings({ AUTH_URL, AUTH_TIKTOK_ID }).map(tell)

    expect(findings).toEqual(expected.map((words) => expect.stringContaining(words)))
  })

  it.each([
    [511, 'good'],
    [512, 'problem'],
  ])('takes a callback of %i characters for %s', (length, status) => {
    const rest = 'https:///api/auth/callback/tiktok'.length
    const AUTH_URL = `https://${'a'.repeat(length - rest)}`
    const [callback] = checkPlatformSettings({ AUTH_URL, AUTH_TIKTOK_ID: KEY })

    expect(callback?.status).toBe(status)
  })

  it('looks at the callback of the redirect proxy, where there is one', () => {
    const settings = {
      AUTH_URL: 'http://localhost:8787',
      AUTH_TIKTOK_ID: KEY,
      AUTH_REDIRECT_PROXY_URL: 'https://login.example.com/api/auth',
    }

    expect(checkPlatformSettings(settings)[0]?.detail).toBe(
      'register https://login.example.com/api/auth/callback/tiktok on the Web tab',
    )
  })

  it('takes a production key on loopback for right where a stand-in takes the place of the platform', () => {
    const settings = {
      AUTH_URL: 'http://localhost:8787',
      AUTH_TIKTOK_ID: 'aw8k2m5q9r4t7w1z',
      AUTH_TIKTOK_WEB_URL: 'http://localhost:8788',
    }

    expect(checkPlatformSettings(settings)[1]?.status).toBe('good')
  })
})

/** What the doctor has against a service with this wrong. */
async function troublesOf(spoil: Spoil): Promise<string[]> {
  const findings = await examineDeployment(await startLoginProxy({ change: spoil }), {
    offline: false,
  })
  const problems = findings.filter(({ status }) => status === 'problem')
  for (const { trouble } of problems) expect(trouble?.fix).toMatch(/./)
  return problems.map(({ name, trouble }) => `${name}: ${trouble?.what} ${trouble?.why}`)
}

function tell({ name, status, trouble }: Finding): string {
  return `${status}: ${name}${trouble ? `: ${trouble.what}` : ''}`
}

function without(alg: string): Spoil {
  return keys((key) => (key['alg'] === alg ? undefined : key))
}

function policy(value: string): Spoil {
  return header('content-security-policy', value)
}

/** As far from now as the service thinks it is. */
function clock(seconds: number): Spoil {
  return (answer) => header('date', new Date(Date.now() + seconds * 1000).toUTCString())(answer)
}
