import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { createCertificate } from './certificate.ts'
import { type ProxiedResponse, startLoginProxy } from './login-proxy.ts'
import { at, body, cookie, header, members, parameter, type Spoil, status } from './spoil.ts'
import { runCommand, vestibule } from './vestibule.ts'

const { login, platform } = inject('services')

const SIGN_IN = '/api/auth/signin/tiktok'

describe('npx vestibule', () => {
  it('runs in a clone, whatever Node is installed, without asking the internet', async () => {
    // Without what npm itself put in front, as in a person's own shell.
    const PATH = (process.env['PATH'] ?? '')
      .split(':')
      .filter((place) => !place.includes('node_modules'))
      .join(':')
    const cache = temporaryFolder()
    const { output, status } = await runCommand('npx', ['--offline', 'vestibule', '--help'], {
      env: { PATH, npm_config_cache: cache },
    })

    expect(output).toContain('Usage: npx vestibule')
    expect(status).toBe(0)
  })

  it('runs on a Node that reads no TypeScript, by way of the one that it brings along', async () => {
    const flags = [
      '--no-experimental-strip-types',
      'bin/vestibule.js',
      'doctor',
      '--page',
      'weather',
    ]
    const { output, stderr, status } = await runCommand(process.execPath, flags)

    expect(stderr).toBe('')
    expect(output).toContain('No page with the word weather')
    expect(status).toBe(1)
  })

  it.each([
    [[], 'Which command?'],
    [['cure'], 'no command cure'],
    [['toString'], 'no command toString'],
    [['doctor', '--urgent'], '--urgent'],
    [['doctor', 'login.example.com'], 'is not the address of a service'],
    [['doctor', 'https://login.example.com/api'], 'is not the address of a service'],
    [['doctor', login, 'and', 'more'], 'What is and?'],
    [['explain'], 'Which reference?'],
    [['explain', 'nonsense'], 'is not a reference'],
    [['explain', '7KQ2M-X4RTB', '--log', 'no/such/file'], 'ENOENT'],
  ])('ends with 2 and its help when it does not understand %j', async (flags, words) => {
    const { stderr, status } = await vestibule(flags)

    expect(status).toBe(2)
    expect(stderr).toContain(words)
    expect(stderr).toContain('Usage: npx vestibule')
  })

  it.each(['doctor', 'explain'])('has a --help for %s', async (command) => {
    const { output, status } = await vestibule([command, '--help'])

    expect(status).toBe(0)
    expect(output).toContain(`Usage: npx vestibule ${command}`)
  })
})

describe('npx vestibule doctor <url>', () => {
  it('finds nothing wrong with the service, and says what it looked at', async () => {
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

  it('is one JSON object for programs', async () => {
    const { output, status } = await vestibule(['doctor', login, '--json', '--offline'])

    const { ok, subject, findings } = JSON.parse(output)
    expect({ ok, subject, status }).toEqual({ ok: true, subject: login, status: 0 })
    expect(findings).toContainEqual({ name: 'JWKS', status: 'good', detail: 'RS256, ES256' })
    expect(findings).toContainEqual({
      name: "platform's page",
      status: 'skipped',
      detail: 'not asked, with --offline',
    })
  })

  it('only warns of a key that looks strange, and never repeats it', async () => {
    const spoil = at(SIGN_IN, parameter('client_key', 'mistaken-secret-4711'))
    const origin = await startLoginProxy({ change: spoil })
    const { output, status } = await vestibule(['doctor', origin, '--offline'])

    expect(output).toContain('! client key: The key does not look like one of the platform')
    expect(output).toContain('1 warning.')
    expect(output).not.toContain('4711')
    expect(status).toBe(0)
  })

  it('only warns where a redirect proxy takes the callback', async () => {
    const proxy = 'https://login.example.com/api/auth/callback/tiktok'
    const origin = await startLoginProxy({
      change: (answer) => {
        at(SIGN_IN, parameter('redirect_uri', proxy))(answer)
        at('/api/auth/providers', members({ tiktok: { callbackUrl: proxy } }))(answer)
      },
    })
    const { output, status } = await vestibule(['doctor', origin, '--offline'])

    expect(output).toContain(`! callback address: The platform returns people to ${proxy}.`)
    expect(status).toBe(0)
  })

  it('looks at no sign-in where the platform is not enabled', async () => {
    const spoil = (answer: ProxiedResponse) => {
      at('/api/auth/providers', body('{}'))(answer)
      at('/api/auth/webhook/tiktok', status(404), body('{"error":"provider_unknown"}'))(answer)
    }
    const result = await vestibule(['doctor', await startLoginProxy({ change: spoil })])

    expect(result.output).toContain('- callback address: TikTok is not enabled here')
    expect(result.output).toContain('- webhook: TikTok is not enabled here')
    expect(result.status).toBe(0)
  })

  it('tells one line a problem: what, why, and the fix', async () => {
    const spoil = at('/api/auth/signin', header('cache-control', undefined))
    const { output, status } = await vestibule(['doctor', await startLoginProxy({ change: spoil })])

    expect(output).toMatch(/^ {2}✗ no-store: There is no Cache-Control\. A cache .*Fix: \S.*$/m)
    expect(output).toContain('\n1 problem.\n')
    expect(status).toBe(1)
  })

  it('lets nobody write to the terminal through it', async () => {
    const issuer = '\u001B[2Jhttps://b\u202E.example'
    const spoil = at('/.well-known/openid-configuration', members({ issuer }))
    const { output } = await vestibule(['doctor', await startLoginProxy({ change: spoil })])

    expect(output).toContain('✗ issuer')
    for (const control of ['\u001B', '\u202E']) expect(output).not.toContain(control)
  })

  it('says which address to ask for, and when nobody answers', async () => {
    const numeric = await vestibule(['doctor', login.replace('localhost', '127.0.0.1')])
    expect(numeric.output).toContain(`Fix: npx vestibule doctor ${login}`)
    expect(numeric.status).toBe(1)

    const nobody = await vestibule(['doctor', 'http://localhost:1'])
    expect(nobody.output).toContain('✗ health: No answer: connect ECONNREFUSED')
    expect(nobody.status).toBe(1)

    const unencrypted = await vestibule(['doctor', 'http://login.example'])
    expect(unencrypted.output).toContain('Fix: Ask for https://login.example')
    expect(unencrypted.status).toBe(1)
  })

  describe('on https', () => {
    const tls = createCertificate()

    it('wants __Host- cookies and HSTS, and finds them', async () => {
      const { output, status } = await examine(await startLoginProxy({ tls }))

      expect(output).toContain('✓ cookies (__Host-) ✓ HSTS ✓ CSP')
      expect(status).toBe(0)
    })

    it.each<[what: string, spoil: Spoil, words: string]>([
      [
        'no HSTS',
        header('strict-transport-security', undefined),
        '✗ HSTS: There is no Strict-Transport-Security.',
      ],
      [
        'HSTS for a day',
        header('strict-transport-security', 'max-age=86400'),
        '✗ HSTS: Strict-Transport-Security is "max-age=86400".',
      ],
      [
        'cookies that are not Secure',
        cookie('; Secure', ''),
        '✗ cookies: The cookie vestibule.csrf is not Secure.',
      ],
      [
        'cookies without the prefix',
        cookie('__Host-', ''),
        '✗ cookies: The cookie vestibule.csrf is not called __Host-.',
      ],
    ])('sees %s', async (_what, spoil, words) => {
      const { output, status } = await examine(await startLoginProxy({ tls, change: spoil }))

      expect(output).toContain(words)
      expect(status).toBe(1)
    })

    function examine(origin: string) {
      const file = join(temporaryFolder(), 'localhost.pem')
      writeFileSync(file, tls.cert)
      const env = { NODE_EXTRA_CA_CERTS: file }
      return vestibule(['doctor', origin, '--offline'], { env })
    }
  })
})

describe('npx vestibule doctor', () => {
  const GOOD = {
    AUTH_SECRET: 'q3vY8nTz1LkWm5XcRb7HsPj2GdFa9EuQ0iOtNyCxVw4',
    AUTH_TIKTOK_ID: 'sbawstandin0000001',
    AUTH_TIKTOK_SECRET: 'stand-in-secret-for-loopback-only-0001',
    AUTH_TIKTOK_API_URL: platform,
    AUTH_TIKTOK_WEB_URL: platform,
  }

  it('finds nothing wrong with a good configuration, and says what to register', async () => {
    const { output, status } = await examine('http://localhost:8787', GOOD)

    expect(output).toContain('✓ settings ✓ clients (1) ✓ providers (tiktok)')
    expect(output).toContain(
      '✓ callback address (register http://localhost:8787/api/auth/callback/tiktok on the Desktop tab)',
    )
    expect(output).toContain('✓ client key (sandbox)')
    expect(output).toContain('✓ credentials (AUTH_TIKTOK_SECRET, at the stand-in)')
    expect(status).toBe(0)
  })

  it('names every problem that the service would name, at once', async () => {
    const { output, status } = await examine('https://login.example.com/', {
      AUTH_SECRT: 'x',
      AUTH_TIKTOK_ID: 'aw8k2m5q9r4t7w1z',
    })

    expect(output).toContain('✗ settings: AUTH_URL must be an https origin without a path')
    expect(output).toContain('✗ settings: AUTH_SECRET is missing.')
    expect(output).toContain('--secrets-file FILE')
    expect(output).toContain('AUTH_SECRT is not a setting of this service.')
    expect(status).toBe(1)
  })

  it("holds it to the platform's rules, and leaves the platform alone when told to", async () => {
    const secrets = { ...GOOD, AUTH_TIKTOK_ID: 'aw8k2m5q9r4t7w1z', AUTH_TIKTOK_SECRET: '" blank "' }
    const { output, status } = await examine('http://foo.localhost', secrets, '--offline')

    expect(output).toContain("✗ callback address: The callback's host is foo.localhost.")
    expect(output).toContain('✗ callback address: The callback names no port.')
    expect(output).toContain('✗ credentials: AUTH_TIKTOK_SECRET begins or ends with a blank.')
    expect(output).toContain('- credentials: not asked, with --offline')
    expect(status).toBe(1)
  })

  it('asks the platform whether key and secret belong together, and keeps them to itself', async () => {
    const AUTH_TIKTOK_SECRET = 'stand-in-secret-for-loopback-only-0002'
    const { output, status } = await examine('http://localhost:8787', {
      ...GOOD,
      AUTH_TIKTOK_SECRET,
    })

    expect(output).toMatch(/✗ credentials: .*\(invalid_client: .*log id [0-9A-F]{34}\)/)
    expect(output).not.toContain(AUTH_TIKTOK_SECRET)
    expect(output).not.toContain(GOOD.AUTH_TIKTOK_ID)
    expect(status).toBe(1)
  })

  it('only warns of the second secret while one is being replaced', async () => {
    const { output, status } = await examine('http://localhost:8787', {
      ...GOOD,
      AUTH_TIKTOK_SECRET_1: 'stand-in-secret-for-loopback-only-0002',
    })

    expect(output).toContain(
      '! credentials: The platform refuses AUTH_TIKTOK_ID with AUTH_TIKTOK_SECRET_1',
    )
    expect(status).toBe(0)
  })

  it('shows a secret to nobody but the platform and this machine', async () => {
    const { output, status } = await examine('http://localhost:8787', {
      ...GOOD,
      AUTH_TIKTOK_API_URL: 'http://collector.invalid',
    })

    expect(output).toContain('- credentials: not shown to an address that is not the platform')
    expect(status).toBe(1)
  })

  it('says so when the platform cannot be reached', async () => {
    const AUTH_TIKTOK_API_URL = 'http://localhost:1'
    const { output, status } = await examine('http://localhost:8787', {
      ...GOOD,
      AUTH_TIKTOK_API_URL,
    })

    expect(output).toContain(
      '✗ credentials: http://localhost:1 does not answer: connect ECONNREFUSED',
    )
    expect(status).toBe(1)
  })

  it.each([
    ['lines', (secrets: object) => toLines(secrets)],
    ['JSON', (secrets: object) => JSON.stringify(secrets)],
  ])('reads the secrets of a deployment, as %s, in place of .dev.vars', async (_form, write) => {
    const file = join(temporaryFolder(), 'secrets')
    writeFileSync(file, write({ ...GOOD, AUTH_TIKTOK_SCOPE: 'user.info.basic' }))
    const { output, status } = await examine(
      'http://localhost:8787',
      { AUTH_MISTAKE: '1' },
      '--secrets-file',
      file,
    )

    expect(output).toContain('✓ settings')
    expect(status).toBe(0)
  })

  it('names a file that it cannot read', async () => {
    const { output, status } = await vestibule(['doctor', '--config', 'no-such.toml'])

    expect(output).toContain('✗ files: The configuration cannot be read')
    expect(output).toContain('no-such.toml')
    expect(status).toBe(1)
  })

  /** A configuration of its own, in the files that `wrangler dev` reads. */
  function examine(AUTH_URL: string, secrets: Record<string, string>, ...flags: string[]) {
    const folder = temporaryFolder()
    const config = join(folder, 'wrangler.toml')
    writeFileSync(
      config,
      `name = "x"\nmain = "x.ts"\ncompatibility_date = "2026-09-01"\n[vars]\nAUTH_URL = "${AUTH_URL}"\n[[vars.CLIENTS]]\nclient_id = "shop"\nredirect_uris = ["https://shop.example/"]\n`,
    )
    writeFileSync(join(folder, 'x.ts'), '')
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
  it('explains every page of the platform, with its fix', async () => {
    const { output, status } = await vestibule(['doctor', '--page'])

    for (const word of [
      'client_key',
      'redirect_uri',
      'scope',
      'code_challenge',
      'code_challenge_method',
      'non_sandbox_target',
    ])
      expect(output).toMatch(new RegExp(`^  ${word} \\(`, 'm'))
    expect(output.match(/Fix:/g)).toHaveLength(7)
    expect(status).toBe(0)
  })

  it('explains one, by its word or by the address of the page', async () => {
    const byWord = await vestibule(['doctor', '--page', 'client_key'])
    expect(byWord.output.match(/Fix:/g)).toHaveLength(2)

    const address = `${platform}/v2/auth/error?error=param_error&error_type=client_key&errCode=10003&logid=1`
    const byAddress = await vestibule(['doctor', '--page', address, '--json'])
    expect(JSON.parse(byAddress.output).pages).toMatchObject([{ errCode: '10003' }])
  })

  it('ends with 1 for a word that no page has', async () => {
    const { output, status } = await vestibule(['doctor', '--page', 'weather'])

    expect(output).toContain('Known are client_key, redirect_uri, scope')
    expect(status).toBe(1)
  })
})

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
