import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../src/config/config.ts'
import { ConfigurationError } from '../src/errors.ts'
import { Browser, logLines, serviceWith } from './browser.ts'

const good = {
  AUTH_URL: 'https://login.example',
  AUTH_SECRET: env.AUTH_SECRET,
  AUTH_TIKTOK_ID: 'aw1a2b3c4d5e6f7g',
  AUTH_TIKTOK_SECRET: '5yQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o',
  CLIENTS: [{ client_id: 'shop', redirect_uris: ['https://shop.example/callback'] }],
}

const local = { ...good, AUTH_URL: 'http://localhost:8787', AUTH_TIKTOK_ID: 'sbaw1a2b3c4d5e6f7g' }

function problemsOf(settings: object): readonly string[] {
  try {
    readConfig(settings)
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError)
    return (error as ConfigurationError).problems
  }
}

const redirecting = (uri: string) => ({
  ...good,
  CLIENTS: [{ client_id: 'a', redirect_uris: [uri] }],
})

describe('the configuration', () => {
  it('is parsed once for an isolate', () => {
    const settings = { ...good }

    expect(readConfig(settings)).toBe(readConfig(settings))
  })

  it('names a client after its id if it has no name, and derives its origins', () => {
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

    expect(readConfig({ ...good, CLIENTS }).clients).toMatchObject([
      { client_name: 'shop', origins: ['https://shop.example'] },
    ])
  })

  it('shares sessions with frontends on loopback only if it is there itself', () => {
    const CLIENTS = [{ client_id: 'shop', redirect_uris: ['http://localhost:3000/'] }]

    expect(readConfig({ ...good, CLIENTS }).clients[0]?.origins).toEqual([])
    expect(readConfig({ ...local, CLIENTS }).clients[0]?.origins).toEqual(['http://localhost:3000'])
  })

  it('takes the clients as text, too', () => {
    expect(readConfig({ ...good, CLIENTS: JSON.stringify(good.CLIENTS) }).clients).toHaveLength(1)
  })

  it('[T1] names all problems at once', () => {
    const problems = problemsOf({
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
      expect.stringMatching(/^AUTH_TIKTOK_WEB_URL points to a stand-in/),
      expect.stringMatching(/^AUTH_TIKTOK_WEB_URL is for development/),
      expect.stringMatching(/^CLIENTS.0.client_id may hold/),
      'CLIENTS.0.redirect_uris names no address.',
      'CLIENTS.0.colour is not a setting of this service.',
      'AUTH_TIKTOK_ID is missing.',
      'AUTH_TIKTOK_SECRET is empty.',
      'AUTH_TYPO is not a setting of this service.',
    ])
    expect(problems.join()).not.toContain('short')
  })

  it.each(['AUTH_URL', 'AUTH_SECRET', 'AUTH_TIKTOK_ID', 'AUTH_TIKTOK_SECRET'])(
    '[T1][O4] needs %s',
    (name) => {
      expect(problemsOf({ ...good, [name]: undefined })).toEqual([`${name} is missing.`])
      expect(problemsOf({ ...good, [name]: '' })[0]).toMatch(
        new RegExp(`^${name} (is empty|must be)`),
      )
      expect(problemsOf({ ...local, [name]: '' })[0]).toMatch(
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
  ])('[O4] refuses %s as its address', (AUTH_URL) => {
    expect(problemsOf({ ...good, AUTH_URL }).join()).toContain('AUTH_URL must be')
  })

  it.each([
    'a'.repeat(64),
    'abcabcabcabcabcabcabcabcabcabcabcabcabc',
    'only-31-characters-of-entropy-x',
    'example-secret-0123456789-abcdefghijklmnop',
    'CHANGE_ME-0123456789-abcdefghijklmnopqrstuvwxyz',
    'loopback-only-0123456789-abcdefghijklmnopqrstuvwxyz',
  ])('[O4] refuses the weak secret %s, except on loopback', (AUTH_SECRET) => {
    expect(problemsOf({ ...good, AUTH_SECRET })).toEqual([
      expect.stringContaining('AUTH_SECRET is too weak'),
    ])
    expect(problemsOf({ ...good, AUTH_SECRET_2: AUTH_SECRET })).toEqual([
      expect.stringContaining('AUTH_SECRET_2 is too weak'),
    ])
    expect(problemsOf({ ...local, AUTH_SECRET })).toEqual([])
  })

  it('[O4] refuses the keys of the stand-in, except on loopback', () => {
    const keys = {
      AUTH_TIKTOK_ID: 'sbawstandin0000001',
      AUTH_TIKTOK_SECRET: 'stand-in-secret-for-loopback-only-0001',
    }

    expect(problemsOf({ ...good, ...keys })).toHaveLength(2)
    expect(problemsOf({ ...local, ...keys })).toEqual([])
  })

  it.each([
    'https://platform.example',
    'http://10.0.0.8:8788',
    'http://localhost:8788/x',
    'http://localhost.evil.example',
  ])('[P1] refuses %s as a stand-in', (AUTH_TIKTOK_API_URL) => {
    expect(problemsOf({ ...local, AUTH_TIKTOK_API_URL })).toEqual([
      expect.stringContaining('must be a loopback origin'),
    ])
  })

  it.each([
    'http://localhost:8788',
    'http://127.0.0.1:8788',
    'http://[::1]:8788',
    'http://platform.localhost:8788',
  ])('takes %s as a stand-in on loopback', (url) => {
    expect(problemsOf({ ...local, AUTH_TIKTOK_API_URL: url, AUTH_TIKTOK_WEB_URL: url })).toEqual([])
  })

  it('refuses loopback for a production key, and says what to register', () => {
    const [problem] = problemsOf({ ...local, AUTH_TIKTOK_ID: good.AUTH_TIKTOK_ID })

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
  ])('[A4][A5] refuses the redirect URI %s', (uri) => {
    expect(problemsOf(redirecting(uri))).toEqual([
      expect.stringMatching(/^CLIENTS.0.redirect_uris.0 must be/),
    ])
  })

  it('[A4] takes https and loopback redirect URIs', () => {
    for (const uri of [
      'https://shop.example/cb?x=1',
      'http://127.0.0.1:4000/cb',
      'http://localhost/',
    ]) {
      expect(problemsOf(redirecting(uri))).toEqual([])
    }
  })

  it.each([
    ['http://shop.example/told', 'CLIENTS.0.backchannel_logout_uri must be', 1],
    ['ftp://shop.example/told', 'CLIENTS.0.backchannel_logout_uri must be', 1],
    ['http://127.0.0.1:4000/told', 'The client shop can be told of logouts at an https address', 0],
    ['http://localhost/told', 'The client shop can be told of logouts at an https address', 0],
  ])(
    '[J10] tells nobody of a logout at %s, unless all of it is on this machine',
    (uri, problem, locally) => {
      const told = (backchannel_logout_uri: string) => ({
        CLIENTS: [{ ...good.CLIENTS[0], backchannel_logout_uri }],
      })

      expect(problemsOf({ ...good, ...told(uri) })).toEqual([expect.stringContaining(problem)])
      expect(problemsOf({ ...local, ...told(uri) })).toHaveLength(locally)
      expect(problemsOf({ ...good, ...told('https://shop.example/told') })).toEqual([])
    },
  )

  it('enables a provider by its id and secret, and takes nothing by halves', () => {
    const { AUTH_TIKTOK_ID: _, AUTH_TIKTOK_SECRET: __, ...none } = good
    const google = { AUTH_GOOGLE_ID: 'id.apps', AUTH_GOOGLE_SECRET: 'GOCSPX-x8' }

    expect([...readConfig({ ...none, ...google }).providers.keys()]).toEqual(['google'])
    expect(problemsOf({ ...none, AUTH_GOOGLE_ID: 'id.apps' })).toEqual([
      'AUTH_GOOGLE_SECRET is missing.',
    ])
    expect(problemsOf(none)).toEqual([expect.stringContaining('No provider is enabled')])
    expect(problemsOf({ ...good, AUTH_GOGLE_ID: 'x' })).toEqual([
      'AUTH_GOGLE_ID is not a setting of this service.',
    ])
  })

  it('takes an issuer where it means something, and needs one where nothing goes without', () => {
    const oidc = { AUTH_OIDC_ID: 'a', AUTH_OIDC_SECRET: 'b' }

    expect(problemsOf({ ...good, ...oidc })).toEqual(['AUTH_OIDC_ISSUER is missing.'])
    expect(problemsOf({ ...good, ...oidc, AUTH_OIDC_ISSUER: 'https://op.example' })).toEqual([])
    expect(problemsOf({ ...good, ...oidc, AUTH_OIDC_ISSUER: 'http://op.example' })).toEqual([
      expect.stringContaining('must be the https address'),
    ])
    expect(problemsOf({ ...local, ...oidc, AUTH_OIDC_ISSUER: 'http://localhost:9000' })).toEqual([])
    const github = {
      AUTH_GITHUB_ID: 'a',
      AUTH_GITHUB_SECRET: 'b',
      AUTH_GITHUB_ISSUER: 'https://x.example',
    }
    expect(problemsOf({ ...good, ...github })).toEqual([
      'AUTH_GITHUB_ISSUER is not a setting of this service.',
    ])
  })

  it('[S8] lets nobody rename a provider, whose accounts would be lost', () => {
    expect(problemsOf({ ...good, AUTH_TIKTOK_PROVIDER_ID: 'other' })).toHaveLength(1)
  })

  it.each([
    [{ AUTH_REDIRECT_PROXY_URL: 'https://login.example' }, 'is the /api/auth of'],
    [{ AUTH_REDIRECT_PROXY_ORIGINS: 'preview.example' }, 'is a list of origins'],
    [{ AUTH_REDIRECT_PROXY_ORIGINS: '*' }, 'is a list of origins'],
    [{ AUTH_REDIRECT_PROXY_ORIGINS: 'https://*.*.example' }, 'is a list of origins'],
    [
      { AUTH_REDIRECT_PROXY_URL: 'https://login.example/api/auth' },
      'AUTH_REDIRECT_PROXY_SECRET is missing',
    ],
  ])('refuses the redirect proxy %o', (settings, reason) => {
    expect(problemsOf({ ...good, ...settings }).join()).toContain(reason)
  })

  it('refuses two clients of one id, and a list that is none', () => {
    expect(problemsOf({ ...good, CLIENTS: [...good.CLIENTS, ...good.CLIENTS] })[0]).toContain(
      'same client_id',
    )
    expect(problemsOf({ ...good, CLIENTS: '[broken' })).toEqual([
      expect.stringContaining('must be a list'),
    ])
  })

  it.each([
    ['user.info.profile', 'needs user.info.basic'],
    ['user.info.basic user.info.profile', 'no spaces'],
  ])('refuses the scope "%s"', (AUTH_TIKTOK_SCOPE, reason) => {
    expect(problemsOf({ ...good, AUTH_TIKTOK_SCOPE }).join()).toContain(reason)
  })
})

describe('a deployment that is wrong', () => {
  const paths = [
    '/',
    '/api/auth/session',
    '/api/auth/signin',
    '/api/auth/signin/tiktok',
    '/.well-known/jwks.json',
    '/healthz',
  ]

  it.each(paths)(
    '[L12][GHSA-8fpg-xm3f-6cx3] serves nothing at %s, and signs nobody in',
    async (path) => {
      const signedIn = new Browser()
      await signedIn.signIn('mia')
      const broken = new Browser(serviceWith({ AUTH_SECRET: undefined }))

      const response = await broken.get(path, { ...signedIn.cookieHeader() })

      expect(response.status).toBe(500)
      expect(response.headers.get('Cache-Control')).toBe('no-store')
      const page = await response.text()
      expect(page).toContain('configuration')
      expect(page).not.toContain('AUTH_SECRET')
      expect(logLines.at(-1)).toContain('AUTH_SECRET is missing.')
    },
  )

  it('shows its problems to who develops on this machine', async () => {
    const broken = new Browser(
      serviceWith({ AUTH_URL: 'http://localhost:8787', AUTH_TIKTOK_ID: '' }),
      'http://localhost:8787',
    )

    expect(await (await broken.get('/')).text()).toContain('AUTH_TIKTOK_ID is empty.')
    expect(await broken.json('/')).toMatchObject({ problems: ['AUTH_TIKTOK_ID is empty.'] })
  })

  it('leads from another name of this machine to its own, where its cookies are', async () => {
    const local = serviceWith({ AUTH_URL: 'http://localhost:8787' })
    const browser = new Browser(local, 'http://127.0.0.1:8787')

    const response = await browser.get('/api/auth/signin?callbackUrl=%2Fx')

    expect(response.headers.get('Location')).toBe(
      'http://localhost:8787/api/auth/signin?callbackUrl=%2Fx',
    )
  })

  it('[L12] answers on loopback alone when its address is a loopback one', async () => {
    const misplaced = new Browser(
      serviceWith({ AUTH_URL: 'http://localhost:8787' }),
      'https://login.example',
    )

    expect((await misplaced.get('/api/auth/session')).status).toBe(500)
    expect(logLines.at(-1)).toContain('set it to the public origin')
  })
})
