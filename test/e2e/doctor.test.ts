import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, inject, it } from 'vitest'
import { urlFields } from '../../cli/configuration/urls.ts'
import { apiSchema } from '../../src/core/registration-schemas/apis.ts'
import { clientSchema } from '../../src/core/registration-schemas/clients.ts'
import { createCertificate } from './certificate.ts'
import { startLoginProxy } from './login-proxy.ts'
import {
  changeCookies,
  onPath,
  type ResponseChange,
  setBody,
  setHeader,
  setMembers,
  setRedirectParameter,
  setStatus,
} from './response-changes.ts'
import { runInProcess } from './run-in-process.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { runCommand, vestibule } from './vestibule.ts'

const { login, platform } = inject('services')

const SIGN_IN = '/api/auth/signin/tiktok'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The entry file of this repository's deployment. */
const MAIN = `${ROOT}src/index.ts`

/** Everything in this repository's wrangler.toml after the variables, for the paid plan. */
const BINDINGS = readFileSync(new URL('../../wrangler.toml', import.meta.url), 'utf8')
  .replace(/^.*?(?=\[\[kv_namespaces\]\])/s, '[limits]\ncpu_ms = 30000\n\n')
  .replace('migrations_dir = "migrations"', `migrations_dir = "${ROOT}migrations"`)

describe('npx vestibule-auth', () => {
  it('runs in a clone with any installed Node and without network access', async () => {
    // Without the folders that npm adds, as in an operator's shell.
    const PATH = (process.env['PATH'] ?? '')
      .split(':')
      .filter((folder) => !folder.includes('node_modules'))
      .join(':')
    const cache = temporaryFolder()
    const { output, status } = await runCommand('npx', ['--offline', 'vestibule-auth', '--help'], {
      env: { PATH, npm_config_cache: cache },
    })

    expect(output).toContain('Usage: npx vestibule-auth')
    expect(status).toBe(0)
  })

  it('runs with the installed Node dependency when the current Node cannot run TypeScript', async () => {
    const args = [
      '--no-experimental-strip-types',
      'cli/vestibule.js',
      'doctor',
      '--page',
      'weather',
    ]
    const { output, stderr, status } = await runCommand(process.execPath, args)

    expect(stderr).toBe('')
    expect(output).toContain('No error page of TikTok is documented for weather')
    expect(status).toBe(1)
  })

  it.each(['--version', '-v'])('prints its version with %s', async (option) => {
    const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))

    expect(await run([option])).toMatchObject({ output: `${version}\n`, stderr: '', status: 0 })
  })

  it('exits with the exit code of the command, and prints its errors', async () => {
    const { output, stderr, status } = await vestibule(['doctor', '--urgent'])

    expect(status).toBe(2)
    expect(output).toBe('')
    expect(stderr).toContain("Unknown option '--urgent'\n")
  })

  it.each([
    [['docter'], '`npx vestibule-auth doctor`'],
    [['users', 'blok', 'usr_x'], '`npx vestibule-auth users block`'],
  ])('suggests the command that was probably meant: %j', async (args, suggestion) => {
    const { stderr, status } = await run(args)

    expect(status).toBe(2)
    expect(stderr).toContain(`Did you mean ${suggestion}?`)
    expect(stderr).not.toContain('Usage:')
  })

  it('lists every command once, in groups', async () => {
    const { output } = await run(['--help'])
    const groups = output.matchAll(/^(\w[\w ]+):\n((?: {2}\w.*\n)+)/gm)
    const commands = Array.from(groups, ([, , rows = '']) => rows.match(/(?<=^ {2})\w+/gm) ?? [])

    expect(commands.length).toBeGreaterThan(4)
    for (const group of commands) expect(group.length).toBeLessThan(6)
    expect(commands.flat().toSorted()).toEqual(
      'admins apis audit clients connect deploy doctor explain init keys login logout platform roles schedule setup users webhooks'.split(
        ' ',
      ),
    )
  })

  it.each([
    [[], 'The command is missing.'],
    [['cure'], 'Unknown command: cure'],
    [['toString'], 'Unknown command: toString'],
    [['doctor', '--urgent'], "Unknown option '--urgent'\n"],
    [['doctor', 'login.example.com'], 'is not the URL of a service'],
    [['doctor', 'https://login.example.com/api'], 'is not the URL of a service'],
    [['doctor', login, 'and', 'more'], 'Unexpected argument: and'],
    [['explain'], '<reference> is missing.'],
    [['explain', 'nonsense'], 'is not a reference'],
    [['explain', '7KQ2M-X4RTB', '--log', 'no/such/file'], 'ENOENT'],
  ])('exits with 2 and prints its help for the arguments %j', async (args, message) => {
    const { stderr, status } = await run(args)

    expect(status).toBe(2)
    expect(stderr).toContain(message)
    expect(stderr).toContain('Usage: npx vestibule-auth')
  })

  it.each(['init', 'setup', 'doctor', 'explain'])(
    'prints the help of %s with --help',
    async (command) => {
      const { output, status } = await run([command, '--help'])

      expect(status).toBe(0)
      expect(output).toContain(`Usage: npx vestibule-auth ${command}`)
    },
  )
})

describe('npx vestibule-auth doctor <url>', () => {
  it('finds no problem with the service, and lists what it checked', async () => {
    const { output, status } = await vestibule(['doctor', login])

    expect(output).toMatch(
      / {2}✓ health\n {2}✓ storage \(D1 schema \d+, KV, five objects\)\n {2}✓ issuer\n {2}✓ discovery\n/,
    )
    for (const line of [
      'JWKS (RS256, ES256)',
      'CSP',
      'callback address (Desktop tab)',
      'client key (sandbox)',
      'authorization request',
      'attempt cookie',
      "platform's page",
      'webhook',
    ]) {
      expect(output).toContain(`\n  ✓ ${line}\n`)
    }
    expect(output).toContain(
      '- schedule: no Cron Trigger runs in development: npx vestibule-auth schedule',
    )
    expect(output).toContain('All good.')
    expect(output).not.toContain('\u001B')
    expect(status).toBe(0)
  })

  it('prints one JSON object with --json', async () => {
    const { output, status } = await run(['doctor', login, '--json', '--offline'])

    const { ok, subject, findings } = JSON.parse(output)
    expect({ ok, subject, status }).toEqual({ ok: true, subject: login, status: 0 })
    expect(findings).toContainEqual({ name: 'JWKS', status: 'good', detail: 'RS256, ES256' })
    expect(findings).toContainEqual({
      name: "platform's page",
      status: 'skipped',
      detail: 'not checked because of --offline',
    })
  })

  it('says in the JSON, too, that there is a problem', async () => {
    const change = onPath('/api/auth/signin', setHeader('cache-control', undefined))
    const origin = await startLoginProxy({ change })
    const { output, status } = await run(['doctor', origin, '--json', '--offline'])

    expect(JSON.parse(output)).toMatchObject({ ok: false, subject: origin })
    expect(status).toBe(1)
  })

  it('warns about an unusual client key without printing it', async () => {
    const change = onPath(SIGN_IN, setRedirectParameter('client_key', 'mistaken-secret-4711'))
    const origin = await startLoginProxy({ change })
    const { output, status } = await run(['doctor', origin, '--offline'])

    expect(output).toContain(
      '! client key: The client key does not look like a key of the platform',
    )
    expect(output).toContain('1 warning.')
    expect(output).not.toContain('4711')
    expect(status).toBe(0)
  })

  it('warns about a callback at another origin, as with a redirect proxy', async () => {
    const proxy = 'https://login.example.com/api/auth/callback/tiktok'
    const origin = await startLoginProxy({
      change: (response) => {
        onPath(SIGN_IN, setRedirectParameter('redirect_uri', proxy))(response)
        onPath('/api/auth/providers', setMembers({ tiktok: { callbackUrl: proxy } }))(response)
      },
    })
    const { output, status } = await run(['doctor', origin, '--offline'])

    expect(output).toContain(`! callback address: The platform returns users to ${proxy}.`)
    expect(status).toBe(0)
  })

  it('skips the sign-in checks when TikTok is not enabled', async () => {
    const change: ResponseChange = (response) => {
      onPath('/api/auth/providers', setBody('{}'))(response)
      onPath(
        '/api/auth/webhook/tiktok',
        setStatus(404),
        setBody('{"error":"provider_unknown"}'),
      )(response)
    }
    const { output, status } = await run(['doctor', await startLoginProxy({ change })])

    expect(output).toContain('- callback address: TikTok is not enabled\n')
    expect(output).toContain('- webhook: TikTok is not enabled\n')
    expect(status).toBe(0)
  })

  it('reports what is wrong, and below it why it matters and the fix', async () => {
    const change = onPath('/api/auth/signin', setHeader('cache-control', undefined))
    const { output, status } = await run(['doctor', await startLoginProxy({ change })])

    expect(output).toMatch(
      /^ {2}✗ no-store: The header Cache-Control is missing\.\n {6}A cache .*\n {6}Fix: \S.*$/m,
    )
    expect(status).toBe(1)
  })

  it('removes control characters of a response from its output', async () => {
    const issuer = '\u001B[2Jhttps://b\u202E.example'
    const change = onPath('/.well-known/openid-configuration', setMembers({ issuer }))
    const { output } = await run(['doctor', await startLoginProxy({ change })])

    expect(output).toContain('✗ issuer')
    for (const control of ['\u001B', '\u202E']) expect(output).not.toContain(control)
  })

  it('names the correct address when the service redirects', async () => {
    const { output, status } = await run(['doctor', login.replace('localhost', '127.0.0.1')])

    expect(output).toContain(`Fix: Run npx vestibule-auth doctor ${login}`)
    expect(status).toBe(1)
  })

  it('reports that nothing responds', async () => {
    const { output, status } = await run(['doctor', 'http://localhost:1'])

    expect(output).toContain('✗ health: No response: connect ECONNREFUSED')
    expect(status).toBe(1)
  })

  it('rejects an unencrypted public address', async () => {
    const { output, status } = await run(['doctor', 'http://login.example'])

    expect(output).toContain('Fix: Use https://login.example')
    expect(status).toBe(1)
  })

  describe('over https', () => {
    const tls = createCertificate()

    it('accepts __Host- cookies and HSTS', async () => {
      const { output, status } = await runDoctor(await startLoginProxy({ tls }))

      expect(output).toMatch(/✓ cookies \(__Host-\)\n {2}✓ HSTS\n {2}✓ CSP/)
      expect(status).toBe(0)
    })

    it.each<[what: string, change: ResponseChange, message: string]>([
      [
        'a response without HSTS',
        setHeader('strict-transport-security', undefined),
        '✗ HSTS: The header Strict-Transport-Security is missing.',
      ],
      [
        'HSTS for one day',
        setHeader('strict-transport-security', 'max-age=86400'),
        '✗ HSTS: Strict-Transport-Security is "max-age=86400".',
      ],
      [
        'HSTS for less than half a year',
        setHeader('strict-transport-security', `max-age=${181 * 24 * 3600}`),
        '✗ HSTS: Strict-Transport-Security is "max-age=15638400".',
      ],
      [
        'cookies that are not Secure',
        changeCookies('; Secure', ''),
        '✗ cookies: The cookie vestibule.csrf is not Secure.',
      ],
      [
        'cookies without the __Host- prefix',
        changeCookies('__Host-', ''),
        '✗ cookies: The cookie vestibule.csrf does not have the __Host- prefix.',
      ],
    ])('reports %s', async (_what, change, message) => {
      const { output, status } = await runDoctor(await startLoginProxy({ tls, change }))

      expect(output).toContain(message)
      expect(status).toBe(1)
    })

    function runDoctor(origin: string) {
      const file = join(temporaryFolder(), 'localhost.pem')
      writeFileSync(file, tls.cert)
      const env = { NODE_EXTRA_CA_CERTS: file }
      return vestibule(['doctor', origin, '--offline'], { env })
    }
  })
})

describe('npx vestibule-auth doctor', () => {
  const VALID_SECRETS = {
    AUTH_SECRET: 'q3vY8nTz1LkWm5XcRb7HsPj2GdFa9EuQ0iOtNyCxVw4',
    AUTH_TIKTOK_ID: 'sbawstandin0000001',
    AUTH_TIKTOK_SECRET: 'stand-in-secret-for-loopback-only-0001',
    AUTH_TIKTOK_API_URL: platform,
    AUTH_TIKTOK_WEB_URL: platform,
  }

  it('finds no problem in a valid configuration, and prints what to register', async () => {
    const { output, status } = await checkConfiguration('http://localhost:8787', VALID_SECRETS)

    expect(output).toMatch(
      /^ {2}✓ settings\n {2}✓ providers \(tiktok\)\n {2}✓ clients \(1\)\n {2}✓ bindings \(10\)\n/,
    )
    expect(output).toContain(
      '✓ callback address (register http://localhost:8787/api/auth/callback/tiktok on the Desktop tab)',
    )
    expect(output).toContain('✓ client key (sandbox)')
    expect(output).toContain('✓ credentials (AUTH_TIKTOK_SECRET, at the stand-in)')
    expect(status).toBe(0)
  })

  it('checks the settings and the binding of a sender of email', async () => {
    const main = join(temporaryFolder(), 'index.ts')
    const entry = (sender: string) => `
      import { createVestibule } from '${ROOT}src/vestibule.ts'
      import { admin } from '${ROOT}src/features.ts'
      import { CloudflareSender, Email, ResendSender, TikTok } from '${ROOT}src/providers.ts'
      const sender = ${sender}
      const email = Email({ from: 'login@acme.example', sender })
      const { objects, worker } = createVestibule({ providers: [TikTok, email], features: [admin()] })
      export default worker
      export const { UserObject, KeyringObject, GuardObject, RevocationsObject, MetricsObject, ClientMetadataObject } = objects`

    writeFileSync(main, entry('ResendSender()'))
    const resend = await checkConfiguration('http://localhost:8787', VALID_SECRETS, { main })
    writeFileSync(main, entry('CloudflareSender()'))
    const cloudflare = await checkConfiguration('http://localhost:8787', VALID_SECRETS, { main })
    const end = '[[send_email]]\nname = "EMAIL"\n'
    const bound = await checkConfiguration('http://localhost:8787', VALID_SECRETS, { main, end })

    expect(resend.output).toContain('✗ settings: AUTH_RESEND_KEY is missing.')
    expect(resend.output).toContain('Fix: Run `npx vestibule-auth setup`')
    expect(cloudflare.output).toContain('✗ bindings: The binding EMAIL is missing.')
    expect(cloudflare.output).toContain('Add it to wrangler.toml: [[send_email]] name = "EMAIL". ')
    expect(bound.output).toMatch(
      /✓ providers \(tiktok, email\)\n {2}✓ clients \(1\)\n {2}✓ bindings \(11\)\n/,
    )
    expect([resend.status, cloudflare.status, bound.status]).toEqual([1, 1, 0])
  })

  it('lists all problems that the service itself would report', async () => {
    const { output, status } = await checkConfiguration('https://login.acme.dev/', {
      AUTH_SECRT: 'x',
      AUTH_TIKTOK_ID: 'aw8k2m5q9r4t7w1z',
    })

    expect(output).toContain('✗ settings: AUTH_URL must be an https origin without a path')
    expect(output).toContain('✗ settings: AUTH_SECRET is missing.')
    expect(output).toContain('--secrets-file FILE')
    expect(output).toContain(
      'AUTH_SECRT is not a setting of this service: did you mean AUTH_SECRET?',
    )
    expect(status).toBe(1)
  })

  it("checks the platform's rules, and does not contact the platform with --offline", async () => {
    const secrets = {
      ...VALID_SECRETS,
      AUTH_TIKTOK_ID: 'aw8k2m5q9r4t7w1z',
      AUTH_TIKTOK_SECRET: '" padded "',
    }
    const { output, status } = await checkConfiguration('http://foo.localhost', secrets, {
      flags: ['--offline'],
    })

    expect(output).toContain("✗ callback address: The callback's host is foo.localhost.")
    expect(output).toContain('✗ callback address: The callback has no port.')
    expect(output).toContain('✗ credentials: AUTH_TIKTOK_SECRET starts or ends with whitespace.')
    expect(output).toContain('- credentials: not checked because of --offline')
    expect(status).toBe(1)
  })

  it('reports the key of a production app on loopback once', async () => {
    const { AUTH_SECRET, AUTH_TIKTOK_SECRET } = VALID_SECRETS
    const secrets = { AUTH_SECRET, AUTH_TIKTOK_SECRET, AUTH_TIKTOK_ID: 'aw8k2m5q9r4t7w1z' }
    const { output, status } = await checkConfiguration('http://localhost:8787', secrets, {
      flags: ['--offline'],
    })

    expect(output.match(/✗.*production app/g)).toEqual([
      expect.stringContaining('settings: AUTH_TIKTOK_ID is the key of a production app'),
    ])
    expect(status).toBe(1)
  })

  it('reports that the platform rejects the key and the secret, without printing them', async () => {
    const AUTH_TIKTOK_SECRET = 'stand-in-secret-for-loopback-only-0002'
    const { output, status } = await checkConfiguration('http://localhost:8787', {
      ...VALID_SECRETS,
      AUTH_TIKTOK_SECRET,
    })

    expect(output).toMatch(/✗ credentials: .*\(invalid_client: .*log id [0-9A-F]{34}\)/)
    expect(output).not.toContain(AUTH_TIKTOK_SECRET)
    expect(output).not.toContain(VALID_SECRETS.AUTH_TIKTOK_ID)
    expect(status).toBe(1)
  })

  it('only warns about an invalid second secret, as during a rotation', async () => {
    const { output, status } = await checkConfiguration('http://localhost:8787', {
      ...VALID_SECRETS,
      AUTH_TIKTOK_SECRET_1: 'stand-in-secret-for-loopback-only-0002',
    })

    expect(output).toContain(
      '! credentials: The platform rejects AUTH_TIKTOK_ID with AUTH_TIKTOK_SECRET_1',
    )
    expect(status).toBe(0)
  })

  it('sends secrets only to the platform and to loopback addresses', async () => {
    const { output, status } = await checkConfiguration('http://localhost:8787', {
      ...VALID_SECRETS,
      AUTH_TIKTOK_API_URL: 'http://collector.invalid',
    })

    expect(output).toContain(
      '- credentials: not sent, because AUTH_TIKTOK_API_URL is neither the platform nor a loopback address',
    )
    expect(status).toBe(1)
  })

  it('reports that the platform cannot be reached', async () => {
    const AUTH_TIKTOK_API_URL = 'http://localhost:1'
    const { output, status } = await checkConfiguration('http://localhost:8787', {
      ...VALID_SECRETS,
      AUTH_TIKTOK_API_URL,
    })

    expect(output).toContain(
      '✗ credentials: http://localhost:1 cannot be reached: connect ECONNREFUSED',
    )
    expect(status).toBe(1)
  })

  it.each([
    ['lines of NAME=value', (secrets: object) => toLines(secrets)],
    ['JSON', (secrets: object) => JSON.stringify(secrets)],
  ])('reads a secrets file with %s instead of .dev.vars', async (_format, write) => {
    const file = join(temporaryFolder(), 'secrets')
    writeFileSync(file, write({ ...VALID_SECRETS, AUTH_TIKTOK_SCOPE: 'user.info.basic' }))
    const { output, status } = await checkConfiguration(
      'http://localhost:8787',
      { AUTH_MISTAKE: '1' },
      { flags: ['--secrets-file', file] },
    )

    expect(output).toContain('✓ settings')
    expect(status).toBe(0)
  })

  it('names a file that cannot be read', async () => {
    const { output, status } = await run(['doctor', '--config', 'no-such.toml'])

    expect(output).toContain('✗ files: The configuration cannot be read')
    expect(output).toContain('no-such.toml')
    expect(status).toBe(1)
  })

  const RUNTIME =
    'compatibility_date = "2026-09-01"\ncompatibility_flags = ["global_fetch_strictly_public"]\n'

  const CLIENT =
    '[[vars.CLIENTS]]\nclient_id = "shop"\nredirect_uris = ["https://shop.other.dev/"]\n'

  const API = '[[vars.APIS]]\nidentifier = "https://api.acme.dev"\n'

  /** A point on the curve P-256. */
  const KEY = {
    kty: 'EC',
    crv: 'P-256',
    x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
    y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
  }

  /** The field `jwks` of a client. */
  function toJwks(key: object): string {
    const members = Object.entries(key).map(([name, value]) => `${name} = "${value}"`)
    return `jwks = { keys = [{ ${members.join(', ')} }] }\n`
  }

  /** An own app with a secret, on the site of the service. */
  const TRUSTED_CLIENT = `${CLIENT.replace('shop.other.dev', 'shop.acme.dev')}first_party = true\nclient_secrets_sha256 = ["${'0'.repeat(64)}"]\n`

  const PUBLIC_SECRETS = {
    AUTH_SECRET: VALID_SECRETS.AUTH_SECRET,
    AUTH_TIKTOK_ID: 'aw8k2m5q9r4t7w1z',
    AUTH_TIKTOK_SECRET: '5yQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o',
  }

  it.each<[string, ConfigurationChanges, string, string]>([
    [
      'the placeholder of an administrator',
      { vars: `AUTH_ADMINS = "tiktok:<open_id>"\n${CLIENT}` },
      '✗ settings: AUTH_ADMINS is still the placeholder: replace what is between < and >',
      'It is "tiktok:<open_id>" in line 9 of wrangler.toml.',
    ],
    [
      'a client with a problem, which is disabled',
      { vars: CLIENT.replace('https://shop.other.dev/', 'shop:/callback') },
      '✗ settings: The client shop: redirect_uris.0 must have a scheme with a dot',
      'The service runs without this client. Fix: Correct the value',
    ],
    [
      'an API with a problem, which is disabled',
      {
        vars: `${CLIENT}[[vars.APIS]]\nidentifier = "https://api.acme.dev"\nsingle_audience = 1\n`,
      },
      '✗ settings: The API https://api.acme.dev: single_audience must be true or false. It is 1 in line',
      'The service runs, but nobody gets tokens for this API.',
    ],
    [
      'a misspelt role',
      { vars: `${CLIENT}${API}roles = ["editr"]\n` },
      '✗ settings: The API https://api.acme.dev: roles.0 must be editor or author. It is "editr" in line 14 of wrangler.toml. It has no effect.',
      'Fix: Correct the name, or add it to names of roles()',
    ],
    [
      'a misspelt grant type',
      { vars: `${CLIENT}grant_types = ["authorisation_code"]\n` },
      '✗ settings: The client shop: grant_types.0 must be authorization_code or',
      'Fix: Correct the value, or add its feature',
    ],
    [
      'a private key, without printing it',
      { vars: CLIENT + toJwks({ ...KEY, d: 'Tr0ub4dor' }) },
      '✗ settings: The client shop: jwks.keys.0 contains a private key or a secret: only the app may have it. It is in line 12 of wrangler.toml.',
      'Fix: Create another key pair',
    ],
    [
      'a secret instead of its digest, without printing it',
      { vars: `${CLIENT}client_secrets_sha256 = ["Tr0ub4dor"]\n` },
      '✗ settings: The client shop: client_secrets_sha256.0 must be the SHA-256 of a secret in hex',
      'It is in line 12 of wrangler.toml.',
    ],
    [
      'an unknown setting, without printing what may be a secret',
      { vars: `AUTH_SECRT = "Tr0ub4dor"\n${CLIENT}` },
      '✗ settings: AUTH_SECRT is not a setting of this service: did you mean AUTH_SECRET? It is in line 9 of wrangler.toml.',
      'Correct the name',
    ],
    [
      'a database with another name, once',
      { bindings: (text: string) => text.replace('binding = "DIRECTORY"', 'binding = "DB"') },
      '✗ bindings: The binding DIRECTORY is missing.',
      'Fix: Rename DB in [[d1_databases]] to DIRECTORY',
    ],
    [
      'a mistyped field, with the name that was meant and its line',
      {
        vars:
          CLIENT.replace('redirect_uris', 'redirect_uri') +
          'redirect_uris = ["https://shop.other.dev/"]\n',
      },
      '✗ settings: The client shop: redirect_uri does not exist: did you mean redirect_uris? It is ["https://shop.other.dev/"] in line 11 of wrangler.toml.',
      'Correct the name',
    ],
    [
      'a wildcard in a redirect URI',
      { vars: CLIENT.replace('https://shop', 'https://*.shop') },
      '✗ settings: The client shop: redirect_uris.0 has a wildcard, which only a first_party client can have.',
      'List every address.',
    ],
    [
      'an invalid field, with the id of its client',
      { vars: `${CLIENT}colour = "red"\n` },
      '✗ settings: The client shop: colour does not exist: the names are client_name, ',
      'Correct the name',
    ],
    [
      'a renamed binding',
      { bindings: (text: string) => text.replace('"USERS"', '"PEOPLE"') },
      '✗ bindings: The binding USERS is missing.',
      'Rename PEOPLE in [[durable_objects.bindings]] to USERS',
    ],
    [
      'a client secret in plain text',
      { vars: `${CLIENT}client_secret = "Tr0ub4dor"\n` },
      '✗ settings: The client shop: client_secret does not exist',
      'enter the SHA-256 of the new secret in client_secrets_sha256',
    ],
  ])('reports %s', async (_what, changes, message, fix) => {
    const { output, status } = await checkConfiguration('https://login.acme.dev', PUBLIC_SECRETS, {
      flags: ['--offline'],
      ...changes,
    })

    expect(output).toContain(message)
    expect(output).toContain(fix)
    expect(output).toContain('\n1 problem.\n')
    expect(output).not.toContain('Tr0ub4dor')
    expect(status).toBe(1)
  })

  it('reports what a client with the profile fapi2 lacks, and an API that needs RS256', async () => {
    const check = (vars: string) =>
      checkConfiguration('https://login.acme.dev', PUBLIC_SECRETS, { flags: ['--offline'], vars })
    const client = CLIENT.replace('shop', 'bank')
    const key = `jwks = { keys = [{ kty = "OKP", crv = "Ed25519", x = "${'A'.repeat(43)}" }] }\n`
    const complete = `${client}${key}profile = "fapi2"\nid_token_signed_response_alg = "ES256"\n`
    const api = 'https://api.acme.dev/'

    const incomplete = await check(`${client}profile = "fapi2"\n`)
    const withApi = await check(
      `${complete}resources = ["${api}"]\n[[vars.APIS]]\nidentifier = "${api}"\naccess_token_signing_alg = "RS256"\n`,
    )

    expect(incomplete.output).toContain('✗ settings: The client bank: jwks or jwks_uri is missing')
    expect(incomplete.output).toContain('id_token_signed_response_alg must be ES256.')
    expect(incomplete.output).toContain('\n2 problems.\n')
    expect(withApi.output).toContain(`tokens for ${api} are signed with RS256.`)
    expect(withApi.output).toContain('\n1 problem.\n')
    expect((await check(complete)).status).toBe(0)
  })

  it('reports both of two clients with the same id', async () => {
    const { output } = await checkConfiguration('https://login.acme.dev', PUBLIC_SECRETS, {
      flags: ['--offline'],
      vars: CLIENT + CLIENT,
    })

    const problem = '✗ settings: The client shop: client_id is the id of two entries: shop.'
    expect(output.split(problem)).toHaveLength(3)
    expect(output).toContain('\n2 problems.\n')
  })

  it('reports clients in JSON that is not valid', async () => {
    const secrets = { ...PUBLIC_SECRETS, CLIENTS: '[{"client_id":"shop"}' }
    const { output, status } = await checkConfiguration('https://login.acme.dev', secrets, {
      flags: ['--offline'],
      vars: '',
    })

    expect(output).toContain('✗ settings: CLIENTS is text that is not valid JSON.')
    expect(status).toBe(1)
  })

  it('reports a class that the entry file does not export', async () => {
    const main = join(temporaryFolder(), 'index.ts')
    writeFileSync(
      main,
      `import { createVestibule } from '${ROOT}src/vestibule.ts'
       import { TikTok } from '${ROOT}src/providers.ts'
       const { worker, objects } = createVestibule({ providers: [TikTok] })
       export const { UserObject, KeyringObject } = objects
       export default worker`,
    )
    const { output, status } = await checkConfiguration('http://localhost:8787', VALID_SECRETS, {
      main,
    })

    expect(output).toContain('✗ classes: The entry file does not export GuardObject.')
    expect(output).toContain('ClientMetadataObject } = vestibule.objects')
    expect(status).toBe(1)
  })

  it.each([
    ['no default export', '', '✗ entry file: The entry file has no default export.'],
    [
      'a default export without fetch',
      'export default {}',
      '✗ entry file: The default export of the entry file has no fetch.',
    ],
    [
      'a default export without scheduled',
      'export default { fetch: worker.fetch }',
      '✗ schedule: The default export of the entry file has no scheduled.',
    ],
    ['a changed worker', 'export default { ...worker, fetch() {} }', 'All good.'],
    ['a class', 'export default class { fetch() {} scheduled() {} }', 'All good.'],
  ])('checks an entry file with %s', async (_what, defaultExport, message) => {
    const { output } = await checkConfiguration('https://login.acme.dev', PUBLIC_SECRETS, {
      flags: ['--offline'],
      main: writeEntryFile({ defaultExport }),
    })

    expect(output).toContain(message)
  })

  it('accepts a class under another name, and one that extends it', async () => {
    const main = writeEntryFile({
      exported: `export const { UserObject: People, KeyringObject, RevocationsObject, MetricsObject, ClientMetadataObject } = objects
        export class GuardObject extends objects.GuardObject {}`,
    })
    const { output } = await checkConfiguration('https://login.acme.dev', PUBLIC_SECRETS, {
      flags: ['--offline'],
      main,
      bindings: (text) => text.replaceAll('"UserObject"', '"People"'),
    })

    expect(output).toContain('All good.')
  })

  it.each([
    ['is missing', '', 'Add it to wrangler.toml: [[r2_buckets]] binding = "AUDIT"'],
    [
      'has another name',
      '[[r2_buckets]]\nbinding = "AUDITS"\nbucket_name = "audit"\n',
      'Rename AUDITS to AUDIT',
    ],
  ])('reports that the bucket of a feature %s', async (_what, end, fix) => {
    const { output } = await checkConfiguration('https://login.acme.dev', PUBLIC_SECRETS, {
      flags: ['--offline'],
      main: writeEntryFile({ features: 'auditExport()' }),
      end,
    })

    expect(output).toContain('✗ bindings: The binding AUDIT is missing.')
    expect(output).toContain(fix)
    expect(output).toContain('\n1 problem.\n')
  })

  it.each([
    ['previews(), ', '! previews: The client shop accepts https://*.shop.acme.dev/: every host'],
    ['', '✗ settings: The client shop: redirect_uris has a wildcard, which needs previews()'],
  ])(
    'says what a wildcard exposes, and which feature it needs: with %j',
    async (features, message) => {
      const { output } = await checkConfiguration('https://login.acme.dev', PUBLIC_SECRETS, {
        flags: ['--offline'],
        main: writeEntryFile({ features }),
        vars: TRUSTED_CLIENT.replace('https://shop', 'https://*.shop'),
      })

      expect(output).toContain(message)
      expect(output.includes('docs/previews.md')).toBe(features === '')
    },
  )

  it.each([
    ['deviceBound({ cookieLifetime: 1 })', 'cookieLifetime of deviceBound() must be from 180'],
    ["defineFeature({ id: 'Terms' })", 'The feature Terms needs an id of lower-case letters'],
  ])('reports a feature that cannot be created: %s', async (features, message) => {
    const { output } = await checkConfiguration('https://login.acme.dev', PUBLIC_SECRETS, {
      flags: ['--offline'],
      main: writeEntryFile({ features }),
    })

    expect(output).toContain(`✗ entry file: The entry file cannot be run: ${message}`)
    expect(output).toContain('The service does not start. Fix: Correct the option or the feature')
    expect(output).toContain('\n1 problem.\n')
  })

  it('reports a second configuration file, and nothing about its content', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'wrangler.toml'), 'name = "login"\n')
    writeFileSync(join(cwd, 'wrangler.jsonc'), '{}')
    const { output, status } = await runInProcess(['doctor', '--offline'], { cwd })

    expect(output).toContain('✗ files: There are both wrangler.jsonc and wrangler.toml.')
    expect(output).toContain('\n1 problem.\n')
    expect(status).toBe(1)
  })

  it('says which binding to remove if admin() is removed', async () => {
    const { output } = await checkConfiguration('https://login.acme.dev', PUBLIC_SECRETS, {
      flags: ['--offline'],
      main: writeEntryFile({ listed: 'webhooks()' }),
    })

    expect(output).toContain('✗ classes: The entry file does not export MetricsObject.')
    expect(output).toContain('add admin() to features, or remove its binding METRICS')
    expect(output).toContain('\n1 problem.\n')
  })

  it('says who can sign in if Passkey() is the only provider', async () => {
    const { AUTH_SECRET } = PUBLIC_SECRETS
    const { output } = await checkConfiguration(
      'https://login.acme.dev',
      { AUTH_SECRET },
      { flags: ['--offline'], main: writeEntryFile({ providers: 'Passkey()' }) },
    )

    expect(output).toContain(
      'The service runs, but only users who have a passkey can sign in. Fix: Add another provider',
    )
    expect(output).toContain('\n1 problem.\n')
  })

  it('knows the bucket of a feature although another option is invalid', async () => {
    const { output } = await checkConfiguration('https://login.acme.dev', PUBLIC_SECRETS, {
      flags: ['--offline'],
      main: writeEntryFile({ features: 'auditExport()', options: 'colour: 1' }),
      end: '[[r2_buckets]]\nbinding = "AUDIT"\nbucket_name = "audit"\n',
    })

    expect(output).toContain('✗ options: colour does not exist')
    expect(output).not.toContain('AUDIT')
  })

  it('prints the same remedy once', async () => {
    const changes = { flags: ['--offline'], main: writeEntryFile({}) }
    const { output } = await checkConfiguration('https://login.acme.dev', {}, changes)

    const missing = ['AUTH_SECRET', 'AUTH_TIKTOK_ID', 'AUTH_TIKTOK_SECRET']
    const lines = missing.map((name) => `  ✗ settings: ${name} is missing.\n`)
    expect(output).toContain(`${lines.join('').trimEnd()} Until this is fixed, `)
    expect(output.match(/Fix: Run `npx vestibule-auth setup`/g)).toHaveLength(1)
    expect(output).toContain('\n3 problems.\n')
  })

  it('prints no lines of the log', async () => {
    const config = writeConfiguration('https://login.acme.dev', PUBLIC_SECRETS, {
      vars: `${CLIENT}colour = "red"\n`,
    })
    const { stderr, output } = await vestibule(['doctor', '--offline', '--config', config])

    expect(output).toContain('\n1 problem.\n')
    expect(stderr).toBe('')
  })

  describe('with a URL that is not in its normal form', () => {
    const FIELDS = [
      'logo_uri',
      'policy_uri',
      'tos_uri',
      'redirect_uris',
      'post_logout_redirect_uris',
      'backchannel_logout_uri',
      'jwks_uri',
      'resources',
      'introspects',
    ]

    it('knows every field of URLs', () => {
      expect(urlFields(clientSchema())).toEqual(FIELDS)
      expect(urlFields(apiSchema())).toEqual(['identifier'])
    })

    it.each([
      ['https:/app.acme.dev/', 'https://app.acme.dev/'],
      ['https://app.acme.dev:443/', 'https://app.acme.dev/'],
      ['https://App.Acme.dev/', 'https://app.acme.dev/'],
      ['https://app.acme.dev/a/../b', 'https://app.acme.dev/b'],
    ])('reports it in every field: %s', async (url, usual) => {
      const fields = FIELDS.map((name) =>
        /uris$|resources|introspects/.test(name) ? `${name} = ["${url}"]` : `${name} = "${url}"`,
      )
      const { output, status } = await checkConfiguration(
        'https://login.acme.dev',
        { ...PUBLIC_SECRETS, AUTH_OIDC_ISSUER: url, AUTH_OIDC_ID: 'a', AUTH_OIDC_SECRET: 'b' },
        {
          flags: ['--offline'],
          vars: `[[vars.CLIENTS]]\nclient_id = "shop"\n${fields.join('\n')}\n[[vars.APIS]]\nidentifier = "${url}"\n`,
        },
      )

      const spelled = `has ${url}, which browsers and libraries spell as ${usual}.`
      for (const name of FIELDS) {
        expect(output).toContain(`✗ clients: ${name} of the client shop ${spelled}`)
      }
      expect(output).toContain(`✗ APIs: identifier of the API ${url} ${spelled}`)
      expect(output).toContain(`✗ settings: AUTH_OIDC_ISSUER ${spelled}`)
      expect(output).toContain(`\n${FIELDS.length + 2} problems.\n`)
      expect(status).toBe(1)
    })
  })

  /** An entry file of a deployment with TikTok. */
  function writeEntryFile({
    defaultExport = 'export default worker',
    providers = 'TikTok',
    listed = 'admin(), webhooks()',
    features = '',
    options = '',
    exported = 'export const { UserObject, KeyringObject, GuardObject, RevocationsObject, MetricsObject, ClientMetadataObject } = objects',
  }): string {
    const main = join(temporaryFolder(), 'index.ts')
    writeFileSync(
      main,
      `import { createVestibule } from '${ROOT}src/vestibule.ts'
       import { admin, auditExport, defineFeature, deviceBound, previews, webhooks } from '${ROOT}src/features.ts'
       import { Passkey, TikTok } from '${ROOT}src/providers.ts'
       const { worker, objects } = createVestibule({ providers: [${providers}], features: [${listed}, ${features}], ${options} })
       ${exported}
       ${defaultExport}`,
    )
    return main
  }

  it('does not print a secret that is in wrangler.toml', async () => {
    const { output, status } = await checkConfiguration(
      'https://login.acme.dev',
      { ...PUBLIC_SECRETS, AUTH_SECRET: '' },
      { flags: ['--offline'], vars: 'AUTH_SECRET_1 = "short-secret"\n' },
    )

    expect(output).toContain('AUTH_SECRET_1 is too weak')
    expect(output).not.toContain('short-secret')
    expect(status).toBe(1)
  })

  it.each([
    ['that cannot be reached', 'http://localhost:1', 'connect ECONNREFUSED'],
    ['that has no discovery document', platform, 'it returned status 404'],
    ['that is another issuer', login.replace('localhost', '127.0.0.1'), 'it returned status 302'],
  ])('reports a provider %s', async (_what, AUTH_OIDC_ISSUER, reason) => {
    const { output, status } = await checkConfiguration('http://localhost:8787', {
      ...VALID_SECRETS,
      AUTH_OIDC_ID: 'x',
      AUTH_OIDC_SECRET: 'y',
      AUTH_OIDC_ISSUER,
    })

    expect(output).toContain(
      `✗ discovery of providers: The discovery document of oidc at ${AUTH_OIDC_ISSUER}/.well-known/openid-configuration cannot be used: ${reason}`,
    )
    expect(status).toBe(1)
  })

  it('accepts a provider whose discovery document is valid', async () => {
    const { output, status } = await checkConfiguration('http://localhost:8787', {
      ...VALID_SECRETS,
      AUTH_OIDC_ID: 'x',
      AUTH_OIDC_SECRET: 'y',
      AUTH_OIDC_ISSUER: login,
    })

    expect(output).toContain('✓ discovery of providers (oidc)')
    expect(status).toBe(0)
  })

  it('reports colours of the theme that are corrected', async () => {
    const main = join(temporaryFolder(), 'index.ts')
    const vestibule = JSON.stringify(MAIN.replace('index.ts', 'vestibule.ts'))
    const providers = JSON.stringify(MAIN.replace('index.ts', 'providers/index.ts'))
    const features = JSON.stringify(MAIN.replace('index.ts', 'features.ts'))
    writeFileSync(
      main,
      `import { createVestibule } from ${vestibule}
       import { TikTok } from ${providers}
       import { admin } from ${features}
       const theme = { brandColor: '#ffcc00' }
       const { objects, worker } = createVestibule({ providers: [TikTok], features: [admin()], theme })
       export default worker
       export const { UserObject, KeyringObject, GuardObject, RevocationsObject, MetricsObject, ClientMetadataObject } = objects`,
    )
    const { output, status } = await checkConfiguration('http://localhost:8787', VALID_SECRETS, {
      main,
    })

    expect(output).toMatch(
      /! theme: theme.brandColor is #ffcc00; in light mode, links and outlines are #[0-9a-f]{6}\./,
    )
    expect(status).toBe(0)
  })

  it('checks the bindings of another environment with --env', async () => {
    const { output, status } = await checkConfiguration('https://login.acme.dev', PUBLIC_SECRETS, {
      flags: ['--offline', '--env', 'staging'],
      end: '[env.staging.vars]\nAUTH_URL = "https://login.staging.acme.dev"\n',
    })

    expect(output).toContain('✗ bindings: The binding SESSIONS is missing.')
    expect(output).toContain('An environment does not inherit bindings.')
    expect(output).toContain('register https://login.staging.acme.dev/api/auth/callback/tiktok')
    expect(status).toBe(1)
  })

  interface ConfigurationChanges {
    /** The entry file. */
    main?: string
    /** The version of the runtime. */
    runtime?: string
    /** Before the first table: a route from AUTH_URL, unless told otherwise. */
    top?: string
    /** The end of `[vars]`, with its clients. */
    vars?: string
    bindings?: (text: string) => string
    end?: string
  }

  /** Runs the doctor on a new configuration, in the files that `wrangler dev` reads. */
  /** The output has each finding in one line, with its remedy. */
  async function checkConfiguration(
    AUTH_URL: string,
    secrets: Record<string, string>,
    { flags = [], ...changes }: ConfigurationChanges & { flags?: readonly string[] } = {},
  ) {
    const config = writeConfiguration(AUTH_URL, secrets, changes)
    const { output, ...result } = await run(['doctor', '--config', config, ...flags])
    return { output: output.replaceAll(/\n {6}(?=\S)/g, ' '), ...result }
  }

  /** Writes these files, and returns the name of the one that wrangler reads first. */
  function writeConfiguration(
    AUTH_URL: string,
    secrets: Record<string, string>,
    changes: ConfigurationChanges,
  ): string {
    const { main = MAIN, vars = CLIENT, end = '' } = changes
    const host = URL.parse(AUTH_URL)?.host
    const route = AUTH_URL.startsWith('https:') ? `routes = ["${host}/*"]\n` : ''
    const { top = route, runtime = RUNTIME } = changes
    const { bindings = (text) => text } = changes
    const folder = temporaryFolder()
    const config = join(folder, 'wrangler.toml')
    writeFileSync(
      config,
      [
        `name = "x"\nmain = "${main}"\n${runtime}${top}`,
        `[vars]\nAUTH_URL = "${AUTH_URL}"\n${vars}`,
        bindings(BINDINGS),
        end,
      ].join('\n'),
    )
    writeFileSync(join(folder, '.dev.vars'), toLines(secrets))
    return config
  }

  function toLines(secrets: object): string {
    return Object.entries(secrets)
      .map(([name, value]) => `${name}=${value}\n`)
      .join('')
  }
})

describe('npx vestibule-auth doctor --page', () => {
  it('explains every error page of the platform, with its fix', async () => {
    const { output, status } = await run(['doctor', '--page'])

    for (const errorType of [
      'client_key',
      'redirect_uri',
      'scope',
      'code_challenge',
      'code_challenge_method',
      'non_sandbox_target',
    ])
      expect(output).toMatch(new RegExp(`^  ${errorType} \\(`, 'm'))
    expect(output.match(/Fix:/g)).toHaveLength(7)
    expect(status).toBe(0)
  })

  it('explains one error page, given its error', async () => {
    const { output } = await run(['doctor', '--page', 'client_key'])

    expect(output.match(/Fix:/g)).toHaveLength(2)
  })

  it('explains one error page, given its URL', async () => {
    const url = `${platform}/v2/auth/error?error=param_error&error_type=client_key&errCode=10003&logid=1`
    const { output } = await run(['doctor', '--page', url, '--json'])

    expect(JSON.parse(output).pages).toMatchObject([{ errCode: '10003' }])
  })

  it('exits with 1 for an error without a page', async () => {
    const { output, status } = await run(['doctor', '--page', 'weather'])

    expect(output).toContain('The documented errors are client_key, redirect_uri, scope')
    expect(status).toBe(1)
  })

  it('says what to do about an error of another provider', async () => {
    const { output, status } = await run(['doctor', '--page', 'redirect_uri_mismatch'])

    expect(output).toContain('At another provider: Register <AUTH_URL>/api/auth/callback/<id> at')
    expect(status).toBe(1)
  })
})

/** Runs a command in this process, in the root of the repository. */
function run(args: string[]) {
  return runInProcess(args, { cwd: process.cwd() })
}
