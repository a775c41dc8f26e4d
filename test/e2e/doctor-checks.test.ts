import { afterAll, describe, expect, it } from 'vitest'
import { checkPlatformSettings } from '../../cli/configuration/platform-settings.ts'
import { diagnoseAuthorizationRequest } from '../../cli/deployment/authorization-request.ts'
import { checkDeployment } from '../../cli/deployment/check-deployment.ts'
import type { Finding } from '../../cli/finding.ts'
import { declaredDiagnoses, isDiagnosis } from './declared-diagnoses.ts'
import { startLoginProxy } from './login-proxy.ts'
import {
  changeCookies,
  changeKeys,
  onPath,
  type ResponseChange,
  setBody,
  setHeader,
  setMembers,
  setRedirectParameter,
  setStatus,
} from './response-changes.ts'

const HEALTH = '/healthz'
const READINESS = '/readyz'
const DISCOVERY = '/.well-known/openid-configuration'
const JWKS = '/.well-known/jwks.json'
const CSRF = '/api/auth/csrf'
const SIGN_IN_PAGE = '/api/auth/signin'
const PROVIDERS = '/api/auth/providers'
const SIGN_IN = '/api/auth/signin/tiktok'
const WEBHOOK = '/api/auth/webhook/tiktok'

const OTHER_CALLBACK = 'https://b.example/api/auth/callback/tiktok'

/** Changes that cause one problem. */
const ALONE: [name: string, text: string, change: ResponseChange][] = [
  ['health', 'returned status 404', onPath(HEALTH, setStatus(404))],
  ['health', 'did not return {"status":"ok"}', onPath(HEALTH, setBody('<html>'))],
  [
    'address',
    'redirects to https://b.example.',
    onPath(HEALTH, setStatus(302), setHeader('location', OTHER_CALLBACK), setBody('')),
  ],
  [
    'settings',
    'reference BBBBB-CCCCC',
    onPath(HEALTH, setStatus(500), setBody('{"error":"configuration","reference":"BBBBB-CCCCC"}')),
  ],
  [
    'settings',
    'AUTH_SECRET is missing.',
    onPath(HEALTH, setBody('{"error":"configuration","problems":["AUTH_SECRET is missing."]}')),
  ],
  [
    'settings',
    'AUTH_ADMINS must be a list of users.',
    (response) => {
      onPath(HEALTH, setStatus(500), setBody('{"error":"configuration"}'))(response)
      const problem = 'AUTH_ADMINS must be a list of users.'
      const checks = [
        { name: 'settings', ready: false, problem, fix: 'Run doctor.' },
        { name: 'KV', ready: false, problem: 'It fails.', fix: 'Wait.' },
      ]
      onPath(READINESS, setStatus(503), setMembers({ checks }))(response)
    },
  ],
  [
    'health',
    'the response is too large',
    onPath(HEALTH, setBody(`{"status":"ok"}${' '.repeat(512 * 1024)}`)),
  ],
  ['discovery', 'returned status 403', onPath(DISCOVERY, setStatus(403))],
  ['discovery', 'not a JSON object', onPath(DISCOVERY, setBody('<html>'))],
  [
    'discovery',
    'token_endpoint is not',
    onPath(DISCOVERY, setMembers({ token_endpoint: 'https://b.example/oidc/token' })),
  ],
  [
    'storage',
    'D1: Migrations were not applied.',
    onPath(
      READINESS,
      setStatus(503),
      setMembers({
        checks: [
          {
            name: 'D1',
            ready: false,
            problem: 'Migrations were not applied.',
            fix: 'npm run migrate',
          },
          { name: 'KV', ready: true },
        ],
      }),
    ),
  ],
  [
    'provider google',
    'It cannot be used. Nobody can sign in through this provider.',
    onPath(
      READINESS,
      setStatus(503),
      setMembers({
        checks: [
          { name: 'provider google', ready: false, problem: 'It cannot be used.', fix: 'Wait.' },
        ],
      }),
    ),
  ],
  ...(
    [
      ['D1', 'Nobody can sign in. Present sessions'],
      ['KV', 'Sign-ins work, but each request'],
      ['object KEYRING', 'No token can be signed'],
      ['USER_RATE_LIMIT', 'Sign-ins work, but requests of users are not limited.'],
      ['binding EMAIL', 'Nobody can sign in by email.'],
      ['schedule', 'Users can sign in.'],
      ['credentials', 'Nobody can sign in.'],
      ['settings', 'The service runs without the provider'],
    ] as const
  ).map(
    ([check, consequence]) =>
      [
        'storage',
        `${check}: It fails. ${consequence}`,
        onPath(
          READINESS,
          setStatus(503),
          setMembers({
            checks: [{ name: check, ready: false, problem: 'It fails.', fix: 'Wait.' }],
          }),
        ),
      ] satisfies [string, string, ResponseChange],
  ),
  [
    'storage',
    'New users cannot sign in, and sign-ins of others may not be recorded.',
    onPath(
      READINESS,
      setStatus(503),
      setMembers({
        checks: [{ name: 'D1', ready: false, problem: 'The database is full.', fix: 'Prune it.' }],
      }),
    ),
  ],
  [
    'storage',
    'KV: It is not ready.',
    onPath(
      READINESS,
      setStatus(503),
      setMembers({ checks: [{ name: 'KV', ready: false, fix: 'Wait.' }] }),
    ),
  ],
  ['storage', '/readyz returned status 500', onPath(READINESS, setStatus(500), setBody('{}'))],
  ...['jwks_uri', 'authorization_endpoint', 'userinfo_endpoint'].map(
    (name) =>
      [
        'discovery',
        `${name} is not`,
        onPath(DISCOVERY, setMembers({ [name]: undefined })),
      ] satisfies [string, string, ResponseChange],
  ),
  [
    'discovery',
    'does not contain code',
    onPath(DISCOVERY, setMembers({ response_types_supported: ['none'] })),
  ],
  [
    'discovery',
    'does not contain public',
    onPath(DISCOVERY, setMembers({ subject_types_supported: ['pairwise'] })),
  ],
  [
    'discovery',
    'does not contain RS256',
    onPath(DISCOVERY, setMembers({ id_token_signing_alg_values_supported: ['ES256'] })),
  ],
  [
    'discovery',
    'does not contain S256',
    onPath(DISCOVERY, setMembers({ code_challenge_methods_supported: undefined })),
  ],
  ['JWKS', 'no key for RS256', onPath(JWKS, removeKey('RS256'))],
  ['JWKS', 'no key for ES256', onPath(JWKS, removeKey('ES256'))],
  ...['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].map(
    (member) =>
      [
        'JWKS',
        'private part',
        onPath(
          JWKS,
          changeKeys((key) => ({ ...key, [member]: 'x' })),
        ),
      ] satisfies [string, string, ResponseChange],
  ),
  [
    'JWKS',
    'private part',
    onPath(
      JWKS,
      changeKeys((key) => ({ ...key, kty: 'oct' })),
    ),
  ],
  [
    'JWKS',
    'no kid',
    onPath(
      JWKS,
      changeKeys(({ kid: _, ...key }) => key),
    ),
  ],
  [
    'JWKS',
    'no kid',
    onPath(
      JWKS,
      changeKeys((key) => ({ ...key, kid: 'one' })),
    ),
  ],
  ['JWKS', 'returned status 503', onPath(JWKS, setStatus(503))],
  ['cookies', 'is not set', onPath(CSRF, setHeader('set-cookie', undefined))],
  ['cookies', 'is not HttpOnly', onPath(CSRF, changeCookies('; HttpOnly', ''))],
  ['cookies', 'is not SameSite=Lax', onPath(CSRF, changeCookies('Lax', 'None'))],
  [
    'cookies',
    'is not HttpOnly',
    onPath(CSRF, ({ headers }) => {
      const lines = [headers['set-cookie'] ?? []].flat()
      headers['set-cookie'] = [...lines, 'vestibule.csrf.former=x; Path=/; SameSite=Lax']
    }),
  ],
  ['cookies', 'has a Domain', onPath(CSRF, changeCookies('Path=/', 'Path=/; Domain=example.com'))],
  ['cookies', 'has a Path other than /', onPath(CSRF, changeCookies('Path=/', 'Path=/api'))],
  [
    'CSP',
    'unsafe-inline',
    onPath(
      SIGN_IN_PAGE,
      setPolicy("default-src 'none'; script-src 'unsafe-inline'; frame-ancestors 'none'"),
    ),
  ],
  ['CSP', 'frame-ancestors', onPath(SIGN_IN_PAGE, setPolicy("frame-ancestors 'none'"))],
  ['frames', 'default-src', onPath(SIGN_IN_PAGE, setPolicy("default-src 'none'"))],
  [
    'nosniff',
    'X-Content-Type-Options is missing',
    onPath(SIGN_IN_PAGE, setHeader('x-content-type-options', undefined)),
  ],
  [
    'no-store',
    'max-age=60',
    onPath(SIGN_IN_PAGE, setHeader('cache-control', 'public, max-age=60')),
  ],
  [
    'sign-in page',
    'gets a page that is not of the service',
    (response) => {
      // As the files of a Worker in single-page mode.
      if (!response.isNavigation) return
      response.headers = { 'content-type': 'text/html' }
      response.body = '<div id="app"></div>'
    },
  ],
  ['authorization request', 'returned status 500', onPath(SIGN_IN, setStatus(500))],
  [
    'authorization request',
    'state is missing or too short',
    onPath(SIGN_IN, setRedirectParameter('state', 'x')),
  ],
  [
    'authorization request',
    'state is missing or too short',
    onPath(SIGN_IN, setRedirectParameter('state', 'x'.repeat(42))),
  ],
  [
    'authorization request',
    'not SHA-256 in hex',
    onPath(SIGN_IN, setRedirectParameter('code_challenge', 'a'.repeat(63))),
  ],
  [
    'authorization request',
    'not SHA-256 in hex',
    onPath(
      SIGN_IN,
      setRedirectParameter('code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'),
    ),
  ],
  ['attempt cookie', 'is not set', onPath(SIGN_IN, setHeader('set-cookie', undefined))],
  ['attempt cookie', 'is not HttpOnly', onPath(SIGN_IN, changeCookies('; HttpOnly', ''))],
  [
    'callback address',
    'but /api/auth/providers names',
    onPath(PROVIDERS, setMembers({ tiktok: { callbackUrl: OTHER_CALLBACK } })),
  ],
  ['webhook', 'Anyone could sign users out', onPath(WEBHOOK, setStatus(200))],
  ['webhook', 'would stay signed in', onPath(WEBHOOK, setStatus(403))],
  ['webhook', 'would stay signed in', onPath(WEBHOOK, setStatus(302))],
  ['clock', ' s behind this machine', onPath(HEALTH, shiftClock(-35))],
  ['clock', ' s ahead of this machine', onPath(HEALTH, shiftClock(35))],
]

/** Changes that also cause other problems: the stand-in rejects the changed request, for example. */
const AMONG_OTHERS: [text: string, change: ResponseChange][] = [
  [
    'authorization request: The code_challenge_method is not S256',
    onPath(SIGN_IN, setRedirectParameter('code_challenge_method', 'plain')),
  ],
  [
    'authorization request: The response_type is not code',
    onPath(SIGN_IN, setRedirectParameter('response_type', 'token')),
  ],
  [
    'authorization request: The scopes do not include user.info.basic',
    onPath(SIGN_IN, setRedirectParameter('scope', 'user.info.basic user.info.profile')),
  ],
  [
    'authorization request: The request goes to https://phish.invalid',
    onPath(SIGN_IN, setHeader('location', 'https://phish.invalid/')),
  ],
  [
    'callback address: The authorization request names the callback https://b.example',
    onPath(SIGN_IN, setRedirectParameter('redirect_uri', OTHER_CALLBACK)),
  ],
  [
    "platform's page: Users see the platform's error page redirect_uri. The redirect URI is not registered",
    onPath(SIGN_IN, setRedirectParameter('redirect_uri', OTHER_CALLBACK)),
  ],
  [
    "platform's page: Users see the platform's error page client_key. The platform does not recognise the client key",
    onPath(SIGN_IN, setRedirectParameter('client_key', 'sbawunknown0000001')),
  ],
  [
    "platform's page: Users see the platform's error page client_key. The request has no client_key",
    onPath(SIGN_IN, setRedirectParameter('client_key', '')),
  ],
  [
    "platform's page: Users see the platform's error page scope.",
    onPath(SIGN_IN, setRedirectParameter('scope', 'user.info.basic,video.upload')),
  ],
  [
    "platform's page: Users see the platform's error page code_challenge.",
    onPath(SIGN_IN, setRedirectParameter('code_challenge', '')),
  ],
  [
    "platform's page: Users see the platform's error page code_challenge_method.",
    onPath(SIGN_IN, setRedirectParameter('code_challenge_method', 'plain')),
  ],
  [
    "platform's page: Users see the platform's error page non_sandbox_target.",
    onPath(SIGN_IN, setRedirectParameter('__as', 'tova')),
  ],
  [
    'issuer: The issuer is https://old.example instead of http://localhost',
    onPath(DISCOVERY, setMembers({ issuer: 'https://old.example' })),
  ],
  [
    'CSP: The header Content-Security-Policy is missing',
    onPath(SIGN_IN_PAGE, setHeader('content-security-policy', undefined)),
  ],
]

/** What `doctor.test.ts` covers: https, and a redirect proxy. */
const ELSEWHERE = [
  '… does not have the __Host- prefix.',
  '… is not Secure.',
  'The address is not https.',
  'The platform returns users to ….',
]

/** What was reported for each change. */
const reported: string[][] = []

afterAll(() => {
  if (reported.length < ALONE.length + AMONG_OTHERS.length) return // Only some of the tests ran.
  const declared = declaredDiagnoses('deployment/*.ts')
  const isReported = (diagnosis: string) =>
    reported.flat().some((what) => isDiagnosis(diagnosis, what) || what.endsWith(diagnosis))

  expect(declared.filter((diagnosis) => !isReported(diagnosis)).toSorted()).toEqual(
    ELSEWHERE.toSorted(),
  )
})

describe('checkDeployment', () => {
  it('reports no problem for an unchanged service', async () => {
    expect(await findProblems(() => {})).toEqual([])
  })

  it.each(ALONE)('reports exactly one problem: %s: %s', async (name, text, change) => {
    const problems = await findProblems(change)

    expect(problems).toEqual([expect.stringMatching(`^${name}: `)])
    expect(problems[0]).toContain(text)
  })

  it('warns about a problem of a service that is ready', async () => {
    const checks = [
      { name: 'D1', ready: true, detail: 'schema 1' },
      { name: 'credentials', ready: true, problem: 'Rejected by tiktok.', fix: 'Correct them.' },
    ]
    const origin = await startLoginProxy({ change: onPath(READINESS, setMembers({ checks })) })

    expect(await checkDeployment(origin, { offline: true })).toContainEqual({
      name: 'credentials',
      status: 'warning',
      diagnosis: {
        what: 'Rejected by tiktok.',
        why: 'Other ways to sign in work.',
        fix: 'Correct them.',
      },
    })
  })

  it('warns that webhooks get no events next to a part that fails', async () => {
    const checks = [
      { name: 'KV', ready: false, problem: 'It fails.', fix: 'Wait.' },
      { name: 'webhooks', ready: true, problem: '1 of 2 webhooks get no events.', fix: 'Rotate.' },
    ]
    const change = onPath(READINESS, setStatus(503), setMembers({ checks }))
    const findings = await checkDeployment(await startLoginProxy({ change }), { offline: true })

    expect(findings.filter(({ diagnosis }) => diagnosis).map(toText)).toEqual([
      'problem: storage: KV: It fails.',
      'warning: webhooks: 1 of 2 webhooks get no events.',
    ])
    expect(findings).toContainEqual(
      expect.objectContaining({
        name: 'webhooks',
        diagnosis: expect.objectContaining({ why: 'Users can sign in.' }),
      }),
    )
  })

  it('names the providers whose discovery document the service has read', async () => {
    const checks = [
      { name: 'D1', ready: true },
      { name: 'provider google', ready: true },
      { name: 'provider acme', ready: true, problem: 'It is slow.', fix: 'Wait.' },
    ]
    const origin = await startLoginProxy({ change: onPath(READINESS, setMembers({ checks })) })

    expect(await checkDeployment(origin, { offline: true })).toContainEqual({
      name: 'discovery of providers',
      status: 'good',
      detail: 'google',
    })
  })

  it.each<[string, string, ResponseChange]>([
    [
      'storage',
      'not checked: the deployed version has no /readyz',
      onPath(READINESS, setStatus(404), setBody('{}')),
    ],
    ['clock', 'the response has no valid Date header', onPath(HEALTH, setHeader('date', 'today'))],
  ])('skips what it cannot check: %s: %s', async (name, detail, change) => {
    const origin = await startLoginProxy({ change })

    expect(await checkDeployment(origin, { offline: true })).toContainEqual({
      name,
      status: 'skipped',
      detail,
    })
  })

  it.each([-25, 25])('accepts a clock that differs by %i seconds', async (seconds) => {
    expect(await findProblems(onPath(HEALTH, shiftClock(seconds)))).toEqual([])
  })

  it.each(AMONG_OTHERS)('reports, possibly among other problems: %s', async (text, change) => {
    const problems = await findProblems(change)

    expect(problems).toContainEqual(expect.stringContaining(text))
  })
})

describe('diagnoseAuthorizationRequest', () => {
  it.each([
    ['http://localhost:8787', 'http://localhost:8788', true],
    ['https://login.acme.dev', 'http://localhost:8788', false],
    ['https://login.acme.dev', 'https://www.tiktok.com', true],
    ['http://localhost:8787', 'https://stand-in.acme.dev', false],
  ])('lets the service at %s send users to %s: %s', (service, target, isRight) => {
    const diagnoses = diagnoseAuthorizationRequest(service, new URL(target))

    expect(diagnoses.some(({ what }) => what.startsWith('The request goes to '))).toBe(!isRight)
  })
})

describe('checkPlatformSettings', () => {
  const KEY = 'sbaw8k2m5q9r4t7w1z'

  it.each<[string, string, string[]]>([
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
      [
        'good: callback address',
        'warning: client key: The client key belongs to a sandbox (sbaw…), but',
      ],
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
      ['problem: callback address: The callback has no port.', 'good: client key'],
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
      ['problem: callback address: The callback is not an absolute', 'good: client key'],
    ],
    [
      'http://localhost:8787',
      '5yQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o',
      ['good: callback address', 'warning: client key: The client key does not look'],
    ],
  ])('checks the callback of %s and the key %s', (AUTH_URL, AUTH_TIKTOK_ID, expected) => {
    const findings = checkPlatformSettings({ AUTH_URL, AUTH_TIKTOK_ID }).map(toText)

    expect(findings).toEqual(expected.map((text) => expect.stringContaining(text)))
  })

  it.each([
    [511, 'good'],
    [512, 'problem'],
  ])('rates a callback of %i characters as %s', (length, status) => {
    const lengthWithoutHost = 'https:///api/auth/callback/tiktok'.length
    const AUTH_URL = `https://${'a'.repeat(length - lengthWithoutHost)}`
    const [callback] = checkPlatformSettings({ AUTH_URL, AUTH_TIKTOK_ID: KEY })

    expect(callback?.status).toBe(status)
  })

  it('checks the callback of the redirect proxy if one is configured', () => {
    const settings = {
      AUTH_URL: 'http://localhost:8787',
      AUTH_TIKTOK_ID: KEY,
      AUTH_REDIRECT_PROXY_URL: 'https://login.example.com/api/auth',
    }

    expect(checkPlatformSettings(settings)[0]?.detail).toBe(
      'register https://login.example.com/api/auth/callback/tiktok on the Web tab',
    )
  })

  it('accepts a production key on a loopback address if a stand-in replaces the platform', () => {
    const settings = {
      AUTH_URL: 'http://localhost:8787',
      AUTH_TIKTOK_ID: 'aw8k2m5q9r4t7w1z',
      AUTH_TIKTOK_WEB_URL: 'http://localhost:8788',
    }

    expect(checkPlatformSettings(settings)[1]?.status).toBe('good')
  })
})

/** Checks the service with a changed response, and returns the problems as text. */
async function findProblems(change: ResponseChange): Promise<string[]> {
  const origin = await startLoginProxy({ change })
  const findings = await checkDeployment(origin, { offline: false })
  reported.push(findings.flatMap(({ diagnosis }) => diagnosis?.what ?? []))
  const problems = findings.filter(({ status }) => status === 'problem')
  for (const { diagnosis } of problems) expect(diagnosis?.fix).toMatch(/./)
  return problems.map(({ name, diagnosis }) => `${name}: ${diagnosis?.what} ${diagnosis?.why}`)
}

function toText({ name, status, diagnosis }: Finding): string {
  return diagnosis ? `${status}: ${name}: ${diagnosis.what}` : `${status}: ${name}`
}

function removeKey(alg: string): ResponseChange {
  return changeKeys((key) => (key['alg'] === alg ? undefined : key))
}

function setPolicy(value: string): ResponseChange {
  return setHeader('content-security-policy', value)
}

/** Sets the Date header to a time so many seconds from now. */
function shiftClock(seconds: number): ResponseChange {
  return (response) => {
    const date = new Date(Date.now() + seconds * 1000)
    setHeader('date', date.toUTCString())(response)
  }
}
