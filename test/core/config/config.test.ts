import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import example from '../../../.dev.vars.example?raw'
import { ConfigurationError } from '../../../src/core/config/configuration-error.ts'
import { formatProblem } from '../../../src/foundation/values/problem.ts'
import {
  Browser,
  lastLogEntry,
  logLines,
  serviceWith,
  WITH_GITHUB,
  WITHOUT_TIKTOK,
} from '../../browser.ts'
import { readConfig } from '../../deployment.ts'
import { readReadiness } from '../../read-readiness.ts'
import keys from '../oidc/signing-keys.json'

const valid = {
  AUTH_URL: 'https://login.example',
  AUTH_SECRET: env.AUTH_SECRET,
  AUTH_TIKTOK_ID: 'aw1a2b3c4d5e6f7g',
  AUTH_TIKTOK_SECRET: '5yQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o',
  CLIENTS: [{ client_id: 'shop', redirect_uris: ['https://shop.example/callback'] }],
}

const local = { ...valid, AUTH_URL: 'http://localhost:8787', AUTH_TIKTOK_ID: 'sbaw1a2b3c4d5e6f7g' }

/** The problems that are reported for these settings, whether or not the service can run. */
function findProblems(settings: object): readonly string[] {
  try {
    return readConfig(settings).problems.map(formatProblem)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError)
    return (error as ConfigurationError).problems.map(formatProblem)
  }
}

const withRedirectUri = (uri: string) => ({
  ...valid,
  CLIENTS: [{ client_id: 'a', redirect_uris: [uri] }],
})

describe('the configuration', () => {
  it('is parsed once per isolate', () => {
    const settings = { ...valid }

    expect(readConfig(settings)).toBe(readConfig(settings))
  })

  it.each([
    [' https://a.example/', 'CLIENTS.0.redirect_uris.0 must be an https URL'],
    ['https://a.example/\n', 'CLIENTS.0.redirect_uris.0 must be an https URL'],
    ['https://a.exam\rple/', 'CLIENTS.0.redirect_uris.0 must be an https URL'],
    ['https://LOGIN.example:443/x', 'CLIENTS.0.redirect_uris has an address of this service'],
  ])('rejects the redirect URI %j', (uri, problem) => {
    expect(findProblems(withRedirectUri(uri))).toEqual([expect.stringContaining(problem)])
  })

  it('uses the id of a client without a name as its name, and derives its origins', () => {
    const CLIENTS = [
      {
        client_id: 'shop',
        redirect_uris: [
          'https://shop.example/a',
          'https://shop.example/b',
          'http://localhost:3000/',
        ],
      },
    ]

    expect(readConfig({ ...valid, CLIENTS }).clients).toMatchObject([
      { client_name: 'shop', origins: ['https://shop.example'] },
    ])
  })

  it('shares sessions with loopback origins only if the service runs on loopback', () => {
    const CLIENTS = [{ client_id: 'shop', redirect_uris: ['http://localhost:3000/'] }]

    expect(readConfig({ ...valid, CLIENTS }).clients[0]?.origins).toEqual([])
    expect(readConfig({ ...local, CLIENTS }).clients[0]?.origins).toEqual(['http://localhost:3000'])
  })

  it.each(['\u202e', '\u2066', '\u2069', '\u2029', '\n'])(
    '[M7] rejects names with control characters, which could reorder the text of a page: %j',
    (character) => {
      const name = `The${character} shop`
      const CLIENTS = [{ ...valid.CLIENTS[0], client_name: name }]

      expect(findProblems({ ...valid, CLIENTS, AUTH_TIKTOK_NAME: name })).toEqual([
        'AUTH_TIKTOK_NAME contains control characters.',
        'CLIENTS.0.client_name contains control characters.',
      ])
      expect(findProblems({ ...valid, AUTH_TIKTOK_NAME: 'החנות\u200f' })).toEqual([])
    },
  )

  it('accepts the clients as JSON text', () => {
    expect(readConfig({ ...valid, CLIENTS: JSON.stringify(valid.CLIENTS) }).clients).toHaveLength(1)
  })

  it('[T1] reports all problems at once', () => {
    const problems = findProblems({
      AUTH_URL: 'http://login.example/path',
      AUTH_SECRET: 'short',
      AUTH_TIKTOK_SECRET: '',
      AUTH_TIKTOK_WEB_URL: 'https://elsewhere.example',
      AUTH_TYPO: 'x',
      CLIENTS: [{ client_id: 'a b', redirect_uris: [], colour: 'red' }],
    })

    expect(problems).toEqual([
      expect.stringMatching(/^AUTH_URL must be an https origin/),
      expect.stringMatching(/^AUTH_SECRET is too weak/),
      'AUTH_TIKTOK_ID is missing.',
      'AUTH_TIKTOK_SECRET is empty.',
      expect.stringMatching(/^AUTH_TIKTOK_WEB_URL is for development/),
      'AUTH_TYPO is not a setting of this service.',
      expect.stringMatching(/^CLIENTS.0.client_id may only contain/),
      'CLIENTS.0.redirect_uris is empty.',
      expect.stringMatching(/^CLIENTS\.0\.colour does not exist: the names are client_name, /),
    ])
    expect(problems.join()).not.toContain('short')
  })

  it('rejects a stand-in that is not on loopback', () => {
    const problems = findProblems({
      ...valid,
      AUTH_URL: 'http://localhost:8787',
      AUTH_TIKTOK_WEB_URL: 'https://elsewhere.example',
    })

    expect(problems).toEqual([expect.stringMatching(/^AUTH_TIKTOK_WEB_URL points to a stand-in/)])
  })

  it('[O1] of the example file contains no secret, so that every secret is reported', () => {
    const settings = Array.from(example.matchAll(/^([A-Z_]+)=(.*)$/gm), ([, name = '', value]) => [
      name,
      value,
    ])

    const problems = findProblems({ ...Object.fromEntries(settings), AUTH_URL: valid.AUTH_URL })

    expect(settings.map(([name]) => name)).toContain('AUTH_SECRET')
    expect(problems).toEqual(expect.arrayContaining(settings.map(([name]) => `${name} is empty.`)))
  })

  it.each(['AUTH_URL', 'AUTH_SECRET', 'AUTH_TIKTOK_ID', 'AUTH_TIKTOK_SECRET'])(
    '[T1][O4] requires %s',
    (name) => {
      expect(findProblems({ ...valid, [name]: undefined })).toEqual([`${name} is missing.`])
      expect(findProblems({ ...valid, [name]: '' })[0]).toMatch(
        new RegExp(`^${name} (is empty|must be)`),
      )
      expect(findProblems({ ...local, [name]: '' })[0]).toMatch(
        new RegExp(`^${name} (is empty|must be)`),
      )
    },
  )

  it.each([
    'http://login.example',
    'https://login.example/',
    'https://login.example/auth',
    'https://LOGIN.example',
    'https://login.example:443',
    'https://user@login.example',
    'login.example',
    'ftp://localhost',
    'null',
  ])('[O4] rejects %s as AUTH_URL', (AUTH_URL) => {
    expect(findProblems({ ...valid, AUTH_URL }).join()).toContain('AUTH_URL must be')
  })

  it.each([
    'a'.repeat(64),
    'abcabcabcabcabcabcabcabcabcabcabcabcabc',
    'only-31-characters-of-entropy-x',
    'example-secret-0123456789-abcdefghijklmnop',
    'CHANGE_ME-0123456789-abcdefghijklmnopqrstuvwxyz',
    'loopback-only-0123456789-abcdefghijklmnopqrstuvwxyz',
  ])('[O4] rejects the weak secret %s, except on loopback', (AUTH_SECRET) => {
    expect(findProblems({ ...valid, AUTH_SECRET })).toEqual([
      expect.stringContaining('AUTH_SECRET is too weak'),
    ])
    expect(findProblems({ ...valid, AUTH_SECRET_2: AUTH_SECRET })).toEqual([
      expect.stringContaining('AUTH_SECRET_2 is too weak'),
    ])
    expect(findProblems({ ...local, AUTH_SECRET })).toEqual([])
  })

  it('[O4] rejects the credentials of the stand-in, except on loopback', () => {
    const credentials = {
      AUTH_TIKTOK_ID: 'sbawstandin0000001',
      AUTH_TIKTOK_SECRET: 'stand-in-secret-for-loopback-only-0001',
    }

    expect(findProblems({ ...valid, ...credentials })).toHaveLength(2)
    expect(findProblems({ ...local, ...credentials })).toEqual([])
  })

  it.each([
    'https://platform.example',
    'http://10.0.0.8:8788',
    'http://localhost:8788/x',
    'http://localhost.evil.example',
  ])('[P1] rejects %s as the address of a stand-in', (AUTH_TIKTOK_API_URL) => {
    expect(findProblems({ ...local, AUTH_TIKTOK_API_URL })).toEqual([
      expect.stringContaining('must be a loopback origin'),
    ])
  })

  it.each([
    'http://localhost:8788',
    'http://127.0.0.1:8788',
    'http://[::1]:8788',
    'http://platform.localhost:8788',
  ])('accepts %s as the address of a stand-in on loopback', (url) => {
    expect(findProblems({ ...local, AUTH_TIKTOK_API_URL: url, AUTH_TIKTOK_WEB_URL: url })).toEqual(
      [],
    )
  })

  it('rejects a production key on loopback, and explains which addresses to register', () => {
    const [problem] = findProblems({ ...local, AUTH_TIKTOK_ID: valid.AUTH_TIKTOK_ID })

    expect(problem).toContain('https://<your domain>/api/auth/callback/tiktok')
    expect(problem).toContain('http://localhost:8787/api/auth/callback/tiktok')
    expect(problem).toContain('Desktop tab')
  })

  it.each([
    'http://shop.example/',
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://shop.example/x',
    'https://shop.example/#fragment',
    'https://shop.example/#',
    'https://user:pass@shop.example/',
    '/relative',
    'shop.example',
  ])('[A4][A5] rejects the redirect URI %s', (uri) => {
    expect(findProblems(withRedirectUri(uri))).toEqual([
      expect.stringMatching(/^CLIENTS.0.redirect_uris.0 must be/),
    ])
  })

  it.each(['https://shop.example/cb?x=1', 'http://127.0.0.1:4000/cb', 'http://localhost/'])(
    '[A4] accepts the redirect URI %s',
    (uri) => {
      expect(findProblems(withRedirectUri(uri))).toEqual([])
    },
  )

  it.each([
    ['com.example.app:/callback', undefined],
    ['com.example.app://callback', undefined],
    ['com.example.app:/callback?x=1', undefined],
    ['com.example-shop.app:/', undefined],
    ['https://shop.example/app', undefined],
    ['http://127.0.0.1/callback', undefined],
    ['http://[::1]/callback', undefined],
    ['http://localhost/callback', undefined],
    ['com.example.app:callback', 'must have a slash after the scheme'],
    ['com.example.app:/#x', 'must be an https URL, or http on loopback, without a fragment'],
    ['com.example.app://me@callback', 'without a fragment, a user name'],
    [' com.example.app:/', 'without a fragment, a user name or spaces'],
    ['com.example.app:/\n', 'without a fragment, a user name or spaces'],
    ['com.example.app:\\callback', 'without a fragment, a user name or spaces'],
    ['shop:/callback', 'must have a scheme with a dot, your domain in reverse order'],
    ['shop+app:/callback', 'any app can claim shop+app: for itself'],
    ['com..example:/callback', 'must have a scheme with a dot'],
    ['ftp://shop.example/', 'must have a scheme with a dot'],
    ['http://shop.example/', 'must be an https URL, or http on loopback'],
    ['http://127.0.0.1.shop.example/', 'must be an https URL, or http on loopback'],
    ['javascript:alert(1)', 'javascript: runs a script in the browser'],
    ['JavaScript://a.example/%0aalert(1)', 'javascript: runs a script in the browser'],
    ['vbscript:x', 'vbscript: runs a script in the browser'],
    ['data:text/html,x', 'data: shows a page that it contains itself'],
    ['blob:https://shop.example/x', 'blob: shows a page of another site'],
    ['file:///etc/passwd', 'file: opens a file'],
    ['intent://x#Intent;end', 'intent: lets its sender choose the app that opens'],
    ['android-app://com.example.app/', 'android-app: lets its sender choose the app that opens'],
    ['shop.example', 'must be an https URL'],
  ])('[A4][A5] of a native app, accepts or refuses the redirect URI %j: %s', (uri, problem) => {
    const native = { ...valid.CLIENTS[0], application_type: 'native' }
    const expected = (field: string) =>
      problem === undefined ? [] : [expect.stringContaining(`CLIENTS.0.${field}.0 must`)]

    for (const field of ['redirect_uris', 'post_logout_redirect_uris']) {
      const problems = findProblems({ ...valid, CLIENTS: [{ ...native, [field]: [uri] }] })
      expect(problems).toEqual(expected(field))
      expect(problems.join()).toContain(problem ?? '')
    }
  })

  it('disables a client with a problem, and no other', () => {
    const CLIENTS = [
      { client_id: 'app', redirect_uris: ['shop:/callback'] },
      ...valid.CLIENTS,
      'not a table',
    ]

    for (const settings of [valid, local]) {
      const config = readConfig({ ...settings, CLIENTS })
      expect(config.clients.map(({ client_id }) => client_id)).toEqual(['shop'])
      expect(config.disabledClients).toEqual(['app'])
      expect(config.problems.map(formatProblem)).toEqual([
        expect.stringMatching(/^CLIENTS\.0\.redirect_uris\.0 must have a scheme with a dot/),
        'CLIENTS.2 must be an object.',
      ])
    }
  })

  it.each([
    ['http://shop.example/logout', /^CLIENTS\.0\.backchannel_logout_uri must be/, 1],
    ['ftp://shop.example/logout', /^CLIENTS\.0\.backchannel_logout_uri must be/, 1],
    ['http://127.0.0.1:4000/logout', /^CLIENTS\.0\.backchannel_logout_uri must be https\.$/, 0],
    ['http://localhost/logout', /^CLIENTS\.0\.backchannel_logout_uri must be https\.$/, 0],
  ])(
    '[J10] rejects the back-channel logout URI %s, except http when everything runs on loopback',
    (uri, problem, problemsOnLoopback) => {
      const withLogoutUri = (backchannel_logout_uri: string) => ({
        CLIENTS: [{ ...valid.CLIENTS[0], backchannel_logout_uri }],
      })

      expect(findProblems({ ...valid, ...withLogoutUri(uri) })).toEqual([
        expect.stringMatching(problem),
      ])
      expect(findProblems({ ...local, ...withLogoutUri(uri) })).toHaveLength(problemsOnLoopback)
      expect(findProblems({ ...valid, ...withLogoutUri('https://shop.example/logout') })).toEqual(
        [],
      )
    },
  )

  it('enables a provider that has an id and a secret, and rejects one without the other', () => {
    const { AUTH_TIKTOK_ID: _, AUTH_TIKTOK_SECRET: __, ...noProvider } = valid
    const google = { AUTH_GOOGLE_ID: 'id.apps', AUTH_GOOGLE_SECRET: 'GOCSPX-x8' }

    expect(readConfig({ ...noProvider, ...google }).providers).toMatchObject([{ id: 'google' }])
    expect(findProblems({ ...noProvider, AUTH_GOOGLE_ID: 'id.apps' })).toEqual([
      'AUTH_GOOGLE_SECRET is missing.',
    ])
    expect(findProblems(noProvider)).toEqual([expect.stringContaining('No provider is enabled')])
    expect(findProblems({ ...valid, AUTH_GOGLE_ID: 'x' })).toEqual([
      'AUTH_GOGLE_ID is not a setting of this service.',
    ])
  })

  it('requires an issuer for generic OpenID Connect, and rejects one for a provider with a fixed address', () => {
    const oidc = { AUTH_OIDC_ID: 'a', AUTH_OIDC_SECRET: 'b' }

    expect(findProblems({ ...valid, ...oidc })).toEqual(['AUTH_OIDC_ISSUER is missing.'])
    expect(findProblems({ ...valid, ...oidc, AUTH_OIDC_ISSUER: 'https://op.example' })).toEqual([])
    expect(findProblems({ ...valid, ...oidc, AUTH_OIDC_ISSUER: 'http://op.example' })).toEqual([
      expect.stringContaining("must be the provider's issuer"),
    ])
    expect(findProblems({ ...local, ...oidc, AUTH_OIDC_ISSUER: 'http://localhost:9000' })).toEqual(
      [],
    )
    const github = {
      AUTH_GITHUB_ID: 'a',
      AUTH_GITHUB_SECRET: 'b',
      AUTH_GITHUB_ISSUER: 'https://x.example',
    }
    expect(findProblems({ ...valid, ...github })).toEqual([
      'AUTH_GITHUB_ISSUER is not a setting of this service.',
    ])
  })

  it('[S8] has no setting to rename a provider, which would lose its accounts', () => {
    expect(findProblems({ ...valid, AUTH_TIKTOK_PROVIDER_ID: 'other' })).toHaveLength(1)
  })

  it.each([
    [{ AUTH_REDIRECT_PROXY_URL: 'https://login.example' }, 'must be the /api/auth of'],
    [{ AUTH_REDIRECT_PROXY_URL: 'https://login.example/?x=/api/auth' }, 'must be the /api/auth of'],
    [{ AUTH_REDIRECT_PROXY_URL: 'https://login.example/#/api/auth' }, 'must be the /api/auth of'],
    [{ AUTH_REDIRECT_PROXY_URL: 'ftp://login.example/api/auth' }, 'must be the /api/auth of'],
    [{ AUTH_REDIRECT_PROXY_ORIGINS: 'preview.example' }, 'must be a list of origins'],
    [{ AUTH_REDIRECT_PROXY_ORIGINS: '*' }, 'must be a list of origins'],
    [{ AUTH_REDIRECT_PROXY_ORIGINS: 'https://*.*.example' }, 'must be a list of origins'],
    [
      { AUTH_REDIRECT_PROXY_URL: 'https://login.example/api/auth' },
      'AUTH_REDIRECT_PROXY_SECRET is missing',
    ],
  ])('rejects the redirect proxy %o', (settings, reason) => {
    expect(findProblems({ ...valid, ...settings }).join()).toContain(reason)
  })

  it.each([
    ['1', true],
    ['9999', true],
    ['0', false],
    ['10000', false],
    ['-1', false],
    ['1.5', false],
    ['', false],
  ])('has the number of days %j for the audit log: %s', (AUTH_AUDIT_DAYS, isAccepted) => {
    const problem = 'AUTH_AUDIT_DAYS must be a number of days, such as 90.'

    expect(findProblems({ ...valid, AUTH_AUDIT_DAYS })).toEqual(isAccepted ? [] : [problem])
  })

  it('rejects two clients with the same id, and clients that are not a list', () => {
    const [shop] = valid.CLIENTS
    const repeated = { ...valid, CLIENTS: [shop, { ...shop, client_id: 'blog' }, shop] }
    expect(findProblems(repeated)).toEqual([
      'CLIENTS.0.client_id is the id of two entries: shop.',
      'CLIENTS.2.client_id is the id of two entries: shop.',
    ])
    expect(readConfig(repeated).clients.map(({ client_id }) => client_id)).toEqual(['blog'])
    expect(findProblems({ ...valid, CLIENTS: '[broken' })).toEqual([
      'CLIENTS is text that is not valid JSON.',
    ])
    expect(findProblems({ ...valid, CLIENTS: '{}' })).toEqual([
      expect.stringContaining('must be a list'),
    ])
  })

  it('accepts APIs as tables or JSON text, and rejects duplicate identifiers', () => {
    const APIS = [{ identifier: 'https://orders.example', access_token_type: 'JWT' }]
    const withDefaults = [
      {
        ...APIS[0],
        scopes: [],
        clients: [],
        client_credentials: false,
        access_token_signing_alg: 'ES256',
        single_audience: false,
      },
    ]

    expect(readConfig({ ...valid }).apis).toEqual([])
    expect(readConfig({ ...valid, APIS }).apis).toEqual(withDefaults)
    expect(readConfig({ ...valid, APIS: JSON.stringify(APIS) }).apis).toEqual(withDefaults)
    expect(
      readConfig({ ...valid, APIS: [{ identifier: 'https://a.example/' }] }).apis,
    ).toMatchObject([{ access_token_type: 'at+jwt' }])
    expect(findProblems({ ...valid, APIS: [...APIS, ...APIS] })).toEqual([
      'APIS.0.identifier is the id of two entries: https://orders.example.',
      'APIS.1.identifier is the id of two entries: https://orders.example.',
    ])
    expect(findProblems({ ...valid, APIS: '{}' })).toEqual([
      'APIS must be a list of tables, each under [[vars.APIS]].',
    ])
    const invalid = { identifier: 'orders', access_token_type: 'opaque', colour: 'red' }
    expect(findProblems({ ...valid, APIS: [invalid] })).toEqual([
      expect.stringMatching(/^APIS.0.identifier must be an https URL/),
      'APIS.0.access_token_type must be at+jwt or JWT.',
      expect.stringMatching(/^APIS\.0\.colour does not exist: the names are identifier, name, /),
    ])
  })

  it.each([
    ['a field that does not exist', { colour: 'red' }, false],
    ['an invalid value', { access_token_type: 'opaque' }, false],
    ['an identifier that is not an https URL', { identifier: 'http://notes.example' }, true],
    ['no identifier', { identifier: undefined }, true],
  ])('disables an API with %s, and no other', (_what, change, isUnidentified) => {
    const invalid = { identifier: 'https://notes.example', ...change }
    const APIS = [invalid, { identifier: 'https://orders.example' }]

    for (const settings of [valid, local]) {
      const config = readConfig({ ...settings, APIS })
      expect(config.apis.map(({ identifier }) => identifier)).toEqual(['https://orders.example'])
      expect(config.disabledApis).toEqual([invalid.identifier ?? []].flat())
      expect(config.hasUnidentifiedApi).toBe(isUnidentified)
      expect(config.problems).toHaveLength(1)
    }
  })

  it('does not know which API an entry without fields is meant for', () => {
    const APIS = ['https://notes.example', { identifier: 'https://orders.example' }]

    const config = readConfig({ ...valid, APIS })

    expect(config.apis.map(({ identifier }) => identifier)).toEqual(['https://orders.example'])
    expect(config.hasUnidentifiedApi).toBe(true)
  })

  it.each(['openid  email', ' openid', 'openid\temail', ''])(
    'rejects the scope "%s" of a client',
    (scope) => {
      expect(findProblems({ ...valid, CLIENTS: [{ ...valid.CLIENTS[0], scope }] })).toEqual([
        'CLIENTS.0.scope must be a list of scopes separated by spaces.',
      ])
    },
  )

  it('reports every setting of a client that does not exist', () => {
    const wrong = { access_token_type: 'JWT', colour: 'red', firstParty: true, logo_url: '/' }
    const CLIENTS = [{ ...valid.CLIENTS[0], ...wrong }]

    expect(findProblems({ ...valid, CLIENTS })).toEqual([
      expect.stringMatching(
        /^CLIENTS\.0\.access_token_type does not exist: the names are client_name/,
      ),
      expect.stringMatching(/^CLIENTS\.0\.colour does not exist: the names are client_name/),
      'CLIENTS.0.firstParty does not exist: did you mean first_party?',
      'CLIENTS.0.logo_url does not exist: did you mean logo_uri?',
    ])
  })

  const SHA256_OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  const WITH_SECRET = { client_secrets_sha256: ['0'.repeat(64)] }
  const { d: _, ...publicKey } = keys.signer
  const WITH_KEYS = { jwks: { keys: [publicKey] } }

  it.each<[Record<string, unknown>, string]>([
    [{ require_pkce: false }, 'require_pkce cannot be false for a public client.'],
    [{ introspects: ['https://orders.example'] }, 'introspects must be empty for a public client'],
    [{ grant_types: ['client_credentials'] }, 'grant_types has client_credentials, but this is a'],
  ])('[B1][G7] rejects %o for a client without credentials', (fields, problem) => {
    const client = { ...valid.CLIENTS[0], ...fields }

    expect(findProblems({ ...valid, CLIENTS: [client] })).toEqual([
      expect.stringContaining(`CLIENTS.0.${problem}`),
    ])
    for (const credentials of [WITH_SECRET, WITH_KEYS]) {
      expect(findProblems({ ...valid, CLIENTS: [{ ...client, ...credentials }] })).toEqual([])
    }
  })

  it.each<[Record<string, unknown>, string]>([
    [
      { redirect_uris: ['com.example.app:/callback'] },
      'redirect_uris has a scheme that only apps can open: set application_type = "native"',
    ],
    [
      { post_logout_redirect_uris: ['com.example.app:/signed-out'] },
      'post_logout_redirect_uris has a scheme that only apps can open',
    ],
    [
      { client_secrets_sha256: ['0'.repeat(64), SHA256_OF_NOTHING] },
      'client_secrets_sha256.1 is the SHA-256 of an empty secret',
    ],
    [{ ...WITH_SECRET, ...WITH_KEYS }, 'jwks is set next to client_secrets_sha256'],
    [{ ...WITH_SECRET, jwks_uri: 'https://a.example/' }, 'jwks_uri is set next to client_secrets'],
    [{ ...WITH_KEYS, jwks_uri: 'https://a.example/' }, 'jwks_uri is set next to jwks'],
    [{ jwks_uri: 'https://10.0.0.1/' }, 'jwks_uri must be a public https URL'],
    [{ jwks_uri: 'https://keys.internal/' }, 'jwks_uri must be a public https URL'],
    [{ ...WITH_SECRET, token_endpoint_auth_method: 'none' }, 'token_endpoint_auth_method is none'],
    [{ ...WITH_KEYS, token_endpoint_auth_method: 'none' }, 'token_endpoint_auth_method is none'],
    [{ token_endpoint_auth_method: 'client_secret_basic' }, 'token_endpoint_auth_method needs'],
    [{ token_endpoint_auth_method: 'client_secret_post' }, 'token_endpoint_auth_method needs'],
    [{ token_endpoint_auth_method: 'private_key_jwt' }, 'token_endpoint_auth_method needs jwks'],
    [{ scope: 'openid', required_scope: 'openid email' }, 'required_scope must be part of scope'],
    [{ scope: 'openid', placeholder_email: true }, 'placeholder_email needs email in scope'],
    [{ policy_uri: 'http://localhost/privacy' }, 'policy_uri must not be a loopback address'],
    [{ tos_uri: 'http://127.0.0.1/terms' }, 'tos_uri must not be a loopback address'],
  ])('[A27][C13] rejects fields that contradict each other: %o', (fields, problem) => {
    const client = { ...valid.CLIENTS[0], ...fields }

    expect(findProblems({ ...valid, CLIENTS: [client] })).toEqual([
      expect.stringContaining(`CLIENTS.0.${problem}`),
    ])
  })

  it.each([
    ['user.info.profile', 'must include user.info.basic'],
    ['user.info.basic user.info.profile', 'without spaces'],
  ])('rejects the scope "%s"', (AUTH_TIKTOK_SCOPE, reason) => {
    expect(findProblems({ ...valid, AUTH_TIKTOK_SCOPE }).join()).toContain(reason)
  })
})

describe('a provider whose settings are incomplete', () => {
  const github = { AUTH_GITHUB_ID: 'Iv1.8a61f9b3a7aba766', AUTH_GITHUB_SECRET: undefined }

  it.each([
    ['has no secret', github, 'AUTH_GITHUB_SECRET is missing.'],
    [
      'has an invalid issuer',
      { AUTH_OIDC_ID: 'a', AUTH_OIDC_SECRET: 'b', AUTH_OIDC_ISSUER: 'http://op.example' },
      "AUTH_OIDC_ISSUER must be the provider's issuer, an https URL.",
    ],
    [
      'is not in the code',
      { AUTH_GOGLE_ID: 'x' },
      'AUTH_GOGLE_ID is not a setting of this service.',
    ],
  ])('disables only itself if it %s', async (_, settings, problem) => {
    const browser = new Browser(serviceWith(settings))

    const page = await (await browser.get('/api/auth/signin')).text()
    expect(page).toContain('/api/auth/signin/tiktok')
    expect(page).not.toMatch(/signin\/(github|oidc)/)
    expect((await browser.get('/api/auth/signin/github')).status).toBe(404)
    expect((await browser.get('/healthz')).status).toBe(200)
    expect((await browser.get('/.well-known/jwks.json')).status).toBe(200)
    await browser.signIn('mia')
    const ready = await browser.get('/readyz')
    expect(ready.status).toBe(503)
    expect(await ready.json()).toMatchObject({
      checks: expect.arrayContaining([
        expect.objectContaining({ name: 'settings', ready: false, problem }),
      ]),
    })
    expect(lastLogEntry('misconfigured').cause).toBe(problem)
  })

  it('disables only itself, with the settings that only it has, if its secret or one of them is invalid', async () => {
    const other = { AUTH_GITHUB_ID: 'Iv1.8a61f9b3a7aba766', AUTH_GITHUB_SECRET: 'b2f0c1' }
    for (const settings of [
      { AUTH_TIKTOK_SECRET: undefined, AUTH_TIKTOK_WEBHOOK_WINDOW: '600' },
      { AUTH_TIKTOK_WEBHOOK_WINDOW: 'an hour' },
    ]) {
      const browser = new Browser(serviceWith({ ...other, ...settings }))

      const page = await (await browser.get('/api/auth/signin')).text()
      expect(page).toContain('/api/auth/signin/github')
      expect(page).not.toContain('/api/auth/signin/tiktok')
    }
  })

  it.each([
    ['a provider', 'github', { ...WITH_GITHUB, AUTH_GITHUB_ENABLED: 'off' }],
    ['a provider without settings', 'github', { AUTH_GITHUB_ENABLED: 'off' }],
  ])('is only a warning if the operator has switched it off: %s', async (_what, id, settings) => {
    const browser = new Browser(serviceWith(settings))

    expect(await (await browser.get('/api/auth/signin')).text()).not.toContain(`signin/${id}`)
    expect((await browser.get(`/api/auth/signin/${id}`)).status).toBe(404)
    const { response, body } = await readReadiness({}, browser)
    expect(response.status).toBe(200)
    expect(body.checks).toContainEqual({
      name: `provider ${id}`,
      ready: true,
      problem: `It is switched off by AUTH_${id.toUpperCase()}_ENABLED.`,
      fix: 'Remove the setting to switch it on again.',
    })
  })

  it('is on with AUTH_<ID>_ENABLED=on, and must be on or off', () => {
    const github = { ...valid, ...WITH_GITHUB }

    const { providers } = readConfig({ ...github, AUTH_GITHUB_ENABLED: 'on' })
    expect(providers.map(({ id }) => id)).toContain('github')
    expect(findProblems({ ...github, AUTH_GITHUB_ENABLED: 'no' })).toEqual([
      'AUTH_GITHUB_ENABLED must be on or off.',
    ])
    expect(findProblems({ ...valid, AUTH_TIKTOK_ENABLED: 'off' })).toEqual([
      expect.stringContaining('No provider is enabled'),
    ])
  })

  it('stops the service if no other provider is left', async () => {
    const browser = new Browser(serviceWith({ AUTH_TIKTOK_SECRET: undefined }))

    expect((await browser.get('/healthz')).status).toBe(500)
  })

  it('disables only TikTok if the key of a production app is used on loopback', async () => {
    const AUTH_URL = 'http://localhost:8787'
    const production = { AUTH_URL, AUTH_TIKTOK_ID: valid.AUTH_TIKTOK_ID }
    const onLoopback = (settings: object) =>
      new Browser(serviceWith({ ...WITHOUT_TIKTOK, ...production, ...settings }), AUTH_URL)
    const AUTH_TIKTOK_SECRET = '5yQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o'
    const browser = onLoopback({ AUTH_TIKTOK_SECRET, ...WITH_GITHUB })

    const page = await (await browser.get('/api/auth/signin')).text()
    expect(page).toContain('/api/auth/signin/github')
    expect(page).not.toContain('/api/auth/signin/tiktok')
    const problem = 'AUTH_TIKTOK_ID is the key of a production app'
    expect((await readReadiness({}, browser)).failed).toContainEqual(
      expect.objectContaining({ name: 'settings', problem: expect.stringContaining(problem) }),
    )
    const alone = onLoopback({ AUTH_TIKTOK_SECRET })
    expect((await alone.get('/healthz')).status).toBe(500)
    expect(await (await alone.get('/')).text()).toContain(problem)
  })

  it('stops a development service, so that its developer sees the problem', async () => {
    const service = serviceWith({ AUTH_URL: 'http://localhost:8787', ...github })
    const browser = new Browser(service, 'http://localhost:8787')

    expect(await (await browser.get('/')).text()).toContain('AUTH_GITHUB_SECRET is missing.')
  })
})

describe('a misconfigured deployment', () => {
  const paths = [
    '/',
    '/api/auth/session',
    '/api/auth/signin',
    '/api/auth/signin/tiktok',
    '/.well-known/jwks.json',
    '/healthz',
  ]

  it.each(paths)(
    '[L12][GHSA-8fpg-xm3f-6cx3] responds to %s with an error, even when signed in',
    async (path) => {
      const signedIn = new Browser()
      await signedIn.signIn('mia')
      const browser = new Browser(serviceWith({ AUTH_SECRET: undefined }))

      const response = await browser.get(path, { ...signedIn.cookieHeader() })

      expect(response.status).toBe(503)
      expect(response.headers.get('Cache-Control')).toBe('no-store')
      const page = await response.text()
      expect(page).toContain('configuration')
      expect(page).toContain('AUTH_SECRET is missing. Run `npx vestibule-auth setup`')
      expect(logLines.at(-1)).toContain('AUTH_SECRET is missing.')
    },
  )

  it.each([
    [{ AUTH_URL: undefined }, ['AUTH_URL is not the public URL yet.']],
    [{ AUTH_URL: 'http://localhost:8787' }, ['AUTH_URL is not the public URL yet.']],
    [
      { AUTH_URL: undefined, AUTH_SECRET: undefined, AUTH_TIKTOK_ID: undefined, CLIENTS: [{}] },
      ['AUTH_URL is not the public URL yet.', 'AUTH_SECRET is missing.'],
    ],
    [
      { USERS: undefined, DIRECTORY: undefined },
      ['The binding DIRECTORY is missing.', 'The binding USERS is missing.'],
    ],
  ])(
    'names only the required parts that are missing in a first deployment: %o',
    async (settings, parts) => {
      const browser = new Browser(serviceWith(settings))
      const headers = { Accept: 'application/json' }

      const page = await browser.get('/api/auth/signin')
      const response = await browser.get('/api/auth/session', headers)

      expect(page.status).toBe(503)
      expect(page.headers.get('Cache-Control')).toBe('no-store')
      expect(page.headers.get('Retry-After')).toBe('10')
      const items = Array.from((await page.text()).matchAll(/<li>(.*?)<\/li>/g), ([, item]) => item)
      expect(items).toEqual(parts.map((part) => expect.stringContaining(part)))
      expect(response.status).toBe(503)
      const { problems } = await response.json<{ problems: string[] }>()
      expect(problems).toHaveLength(parts.length)
    },
  )

  it('does not name invalid settings, or what only its options need', async () => {
    const settings = { AUTH_SECRET: 'short', AUTH_TIKTOK_ID: undefined, CLIENTS: '[broken' }
    const response = await new Browser(serviceWith(settings)).get('/api/auth/signin')

    expect(response.status).toBe(500)
    expect(await response.text()).not.toMatch(/AUTH_|CLIENTS|TikTok/)
  })

  it.each([
    [{ AUTH_SECRET: undefined }, 'AUTH_SECRET is missing.'],
    [{ CLIENTS: '[broken' }, 'CLIENTS is text that is not valid JSON.'],
    [{ AUTH_URL: 'http://localhost:8787' }, 'AUTH_URL is a loopback address, but this service'],
  ])('says at /readyz what is wrong: %o', async (settings, problem) => {
    const { response, body } = await readReadiness(settings)

    expect(response.status).toBe(503)
    expect(body).toEqual({
      status: 'not_ready',
      checks: [
        {
          name: 'settings',
          ready: false,
          problem: expect.stringContaining(problem),
          fix: expect.stringContaining('npx vestibule-auth doctor'),
        },
      ],
    })
    expect(logLines.at(-1)).toContain(problem)
  })

  it('shows its problems on the page when it runs on loopback', async () => {
    const browser = new Browser(
      serviceWith({ AUTH_URL: 'http://localhost:8787', AUTH_TIKTOK_ID: '' }),
      'http://localhost:8787',
    )

    expect(await (await browser.get('/')).text()).toContain('AUTH_TIKTOK_ID is empty.')
    expect(await browser.json('/')).toMatchObject({ problems: ['AUTH_TIKTOK_ID is empty.'] })
  })

  it('redirects another loopback origin to AUTH_URL, where its cookies are set', async () => {
    const service = serviceWith({ AUTH_URL: 'http://localhost:8787' })
    const browser = new Browser(service, 'http://127.0.0.1:8787')

    const response = await browser.get('/api/auth/signin?callbackUrl=%2Fx')

    expect(response.headers.get('Location')).toBe(
      'http://localhost:8787/api/auth/signin?callbackUrl=%2Fx',
    )
  })

  it('[L12] serves only loopback requests when AUTH_URL is a loopback address', async () => {
    const browser = new Browser(
      serviceWith({ AUTH_URL: 'http://localhost:8787' }),
      'https://login.example',
    )

    expect((await browser.get('/api/auth/session')).status).toBe(503)
    expect(logLines.at(-1)).toContain('set it to the public origin')
  })
})
