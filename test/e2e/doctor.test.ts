import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
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
import { runCommand, vestibule } from './vestibule.ts'

const { login, platform } = inject('services')

const SIGN_IN = '/api/auth/signin/tiktok'

/** The entry file of this repository's deployment. */
const MAIN = fileURLToPath(new URL('../../src/index.ts', import.meta.url))

describe('npx vestibule', () => {
  it('runs in a clone with any installed Node and without network access', async () => {
    // Without the folders that npm adds, as in an operator's shell.
    const PATH = (process.env['PATH'] ?? '')
      .split(':')
      .filter((folder) => !folder.includes('node_modules'))
      .join(':')
    const cache = temporaryFolder()
    const { output, status } = await runCommand('npx', ['--offline', 'vestibule', '--help'], {
      env: { PATH, npm_config_cache: cache },
    })

    expect(output).toContain('Usage: npx vestibule')
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
    expect(output).toContain('No error page is documented for weather')
    expect(status).toBe(1)
  })

  it.each([
    [[], 'The command is missing.'],
    [['cure'], 'Unknown command: cure'],
    [['toString'], 'Unknown command: toString'],
    [['doctor', '--urgent'], "Unknown option '--urgent'\n"],
    [['doctor', 'login.example.com'], 'is not the URL of a service'],
    [['doctor', 'https://login.example.com/api'], 'is not the URL of a service'],
    [['doctor', login, 'and', 'more'], 'Unexpected argument: and'],
    [['explain'], 'The reference is missing.'],
    [['explain', 'nonsense'], 'is not a reference'],
    [['explain', '7KQ2M-X4RTB', '--log', 'no/such/file'], 'ENOENT'],
  ])('exits with 2 and prints its help for the arguments %j', async (args, message) => {
    const { stderr, status } = await vestibule(args)

    expect(status).toBe(2)
    expect(stderr).toContain(message)
    expect(stderr).toContain('Usage: npx vestibule')
  })

  it.each(['init', 'setup', 'doctor', 'explain'])(
    'prints the help of %s with --help',
    async (command) => {
      const { output, status } = await vestibule([command, '--help'])

      expect(status).toBe(0)
      expect(output).toContain(`Usage: npx vestibule ${command}`)
    },
  )
})

describe('npx vestibule doctor <url>', () => {
  it('finds no problem with the service, and lists what it checked', async () => {
    const { output, status } = await vestibule(['doctor', login])

    expect(output).toMatch(
      /✓ health ✓ issuer ✓ discovery ✓ JWKS \(RS256, ES256\) ✓ cookies .*✓ CSP\n/,
    )
    expect(output).toContain('✓ callback address (Desktop tab) ✓ client key (sandbox)')
    expect(output).toContain("✓ authorization request ✓ attempt cookie ✓ platform's page ✓ webhook")
    expect(output).toContain('All good.')
    expect(output).not.toContain('\u001B')
    expect(status).toBe(0)
  })

  it('prints one JSON object with --json', async () => {
    const { output, status } = await vestibule(['doctor', login, '--json', '--offline'])

    const { ok, subject, findings } = JSON.parse(output)
    expect({ ok, subject, status }).toEqual({ ok: true, subject: login, status: 0 })
    expect(findings).toContainEqual({ name: 'JWKS', status: 'good', detail: 'RS256, ES256' })
    expect(findings).toContainEqual({
      name: "platform's page",
      status: 'skipped',
      detail: 'not checked because of --offline',
    })
  })

  it('warns about an unusual client key without printing it', async () => {
    const change = onPath(SIGN_IN, setRedirectParameter('client_key', 'mistaken-secret-4711'))
    const origin = await startLoginProxy({ change })
    const { output, status } = await vestibule(['doctor', origin, '--offline'])

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
    const { output, status } = await vestibule(['doctor', origin, '--offline'])

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
    const { output, status } = await vestibule(['doctor', await startLoginProxy({ change })])

    expect(output).toContain('- callback address: TikTok is not enabled\n')
    expect(output).toContain('- webhook: TikTok is not enabled\n')
    expect(status).toBe(0)
  })

  it('reports a problem in one line: what is wrong, why it matters and the fix', async () => {
    const change = onPath('/api/auth/signin', setHeader('cache-control', undefined))
    const { output, status } = await vestibule(['doctor', await startLoginProxy({ change })])

    expect(output).toMatch(
      /^ {2}✗ no-store: The header Cache-Control is missing\. A cache .*Fix: \S.*$/m,
    )
    expect(output).toContain('\n1 problem.\n')
    expect(status).toBe(1)
  })

  it('removes control characters of a response from its output', async () => {
    const issuer = '\u001B[2Jhttps://b\u202E.example'
    const change = onPath('/.well-known/openid-configuration', setMembers({ issuer }))
    const { output } = await vestibule(['doctor', await startLoginProxy({ change })])

    expect(output).toContain('✗ issuer')
    for (const control of ['\u001B', '\u202E']) expect(output).not.toContain(control)
  })

  it('names the correct address when the service redirects', async () => {
    const { output, status } = await vestibule(['doctor', login.replace('localhost', '127.0.0.1')])

    expect(output).toContain(`Fix: Run npx vestibule doctor ${login}`)
    expect(status).toBe(1)
  })

  it('reports that nothing responds', async () => {
    const { output, status } = await vestibule(['doctor', 'http://localhost:1'])

    expect(output).toContain('✗ health: No response: connect ECONNREFUSED')
    expect(status).toBe(1)
  })

  it('rejects an unencrypted public address', async () => {
    const { output, status } = await vestibule(['doctor', 'http://login.example'])

    expect(output).toContain('Fix: Use https://login.example')
    expect(status).toBe(1)
  })

  describe('over https', () => {
    const tls = createCertificate()

    it('accepts __Host- cookies and HSTS', async () => {
      const { output, status } = await runDoctor(await startLoginProxy({ tls }))

      expect(output).toContain('✓ cookies (__Host-) ✓ HSTS ✓ CSP')
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

describe('npx vestibule doctor', () => {
  const VALID_SECRETS = {
    AUTH_SECRET: 'q3vY8nTz1LkWm5XcRb7HsPj2GdFa9EuQ0iOtNyCxVw4',
    AUTH_TIKTOK_ID: 'sbawstandin0000001',
    AUTH_TIKTOK_SECRET: 'stand-in-secret-for-loopback-only-0001',
    AUTH_TIKTOK_API_URL: platform,
    AUTH_TIKTOK_WEB_URL: platform,
  }

  it('finds no problem in a valid configuration, and prints what to register', async () => {
    const { output, status } = await checkConfiguration('http://localhost:8787', VALID_SECRETS)

    expect(output).toContain('✓ settings ✓ clients (1) ✓ providers (tiktok)')
    expect(output).toContain(
      '✓ callback address (register http://localhost:8787/api/auth/callback/tiktok on the Desktop tab)',
    )
    expect(output).toContain('✓ client key (sandbox)')
    expect(output).toContain('✓ credentials (AUTH_TIKTOK_SECRET, at the stand-in)')
    expect(status).toBe(0)
  })

  it('lists all problems that the service itself would report', async () => {
    const { output, status } = await checkConfiguration('https://login.example.com/', {
      AUTH_SECRT: 'x',
      AUTH_TIKTOK_ID: 'aw8k2m5q9r4t7w1z',
    })

    expect(output).toContain('✗ settings: AUTH_URL must be an https origin without a path')
    expect(output).toContain('✗ settings: AUTH_SECRET is missing.')
    expect(output).toContain('--secrets-file FILE')
    expect(output).toContain('AUTH_SECRT is not a setting of this service.')
    expect(status).toBe(1)
  })

  it("checks the platform's rules, and does not contact the platform with --offline", async () => {
    const secrets = {
      ...VALID_SECRETS,
      AUTH_TIKTOK_ID: 'aw8k2m5q9r4t7w1z',
      AUTH_TIKTOK_SECRET: '" padded "',
    }
    const { output, status } = await checkConfiguration(
      'http://foo.localhost',
      secrets,
      '--offline',
    )

    expect(output).toContain("✗ callback address: The callback's host is foo.localhost.")
    expect(output).toContain('✗ callback address: The callback has no port.')
    expect(output).toContain('✗ credentials: AUTH_TIKTOK_SECRET starts or ends with whitespace.')
    expect(output).toContain('- credentials: not checked because of --offline')
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
      '--secrets-file',
      file,
    )

    expect(output).toContain('✓ settings')
    expect(status).toBe(0)
  })

  it('names a file that cannot be read', async () => {
    const { output, status } = await vestibule(['doctor', '--config', 'no-such.toml'])

    expect(output).toContain('✗ files: The configuration cannot be read')
    expect(output).toContain('no-such.toml')
    expect(status).toBe(1)
  })

  /** Runs the doctor on a new configuration, in the files that `wrangler dev` reads. */
  function checkConfiguration(
    AUTH_URL: string,
    secrets: Record<string, string>,
    ...flags: string[]
  ) {
    const folder = temporaryFolder()
    const config = join(folder, 'wrangler.toml')
    writeFileSync(
      config,
      `name = "x"\nmain = "${MAIN}"\ncompatibility_date = "2026-09-01"\n[vars]\nAUTH_URL = "${AUTH_URL}"\n[[vars.CLIENTS]]\nclient_id = "shop"\nredirect_uris = ["https://shop.example/"]\n`,
    )
    writeFileSync(join(folder, '.dev.vars'), toLines(secrets))
    return vestibule(['doctor', '--config', config, ...flags])
  }

  function toLines(secrets: object): string {
    return Object.entries(secrets)
      .map(([name, value]) => `${name}=${value}\n`)
      .join('')
  }
})

describe('npx vestibule doctor --page', () => {
  it('explains every error page of the platform, with its fix', async () => {
    const { output, status } = await vestibule(['doctor', '--page'])

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
    const { output } = await vestibule(['doctor', '--page', 'client_key'])

    expect(output.match(/Fix:/g)).toHaveLength(2)
  })

  it('explains one error page, given its URL', async () => {
    const url = `${platform}/v2/auth/error?error=param_error&error_type=client_key&errCode=10003&logid=1`
    const { output } = await vestibule(['doctor', '--page', url, '--json'])

    expect(JSON.parse(output).pages).toMatchObject([{ errCode: '10003' }])
  })

  it('exits with 1 for an error without a page', async () => {
    const { output, status } = await vestibule(['doctor', '--page', 'weather'])

    expect(output).toContain('The documented errors are client_key, redirect_uri, scope')
    expect(status).toBe(1)
  })
})

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
