import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { runInProcess as vestibule } from './run-in-process.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { vestibule as startVestibule } from './vestibule.ts'

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url))

/** In place of a packed package, which is not installed in these tests. */
const INIT = ['init', '--package', fileURLToPath(new URL('../../LICENSE', import.meta.url))]

const KEYS = ['--set', 'AUTH_TIKTOK_ID=sbaw0123456789abcd', '--set', "AUTH_TIKTOK_SECRET=a'b#c"]

const ACME = `{
  id: 'acme', name: 'Acme', type: 'oauth', jwks_endpoint: undefined,
  authorization: 'https://acme.example/authorize', token: 'https://acme.example/token',
  userinfo: 'https://acme.example/user', profile: ({ id }) => ({ id }),
}`

describe('npx vestibule-auth init', () => {
  it('creates a deployment in a new folder, and prints what to do next', async () => {
    const folder = temporaryFolder()
    const { output, status } = await vestibule([...INIT, 'My Login!'], { cwd: folder })

    expect(output).toContain('Created my-login in')
    expect(output).toContain('cd My Login!')
    expect(output).toContain('npx vestibule-auth setup')
    expect(readFileSync(join(folder, 'My Login!/wrangler.toml'), 'utf8')).toContain(
      'migrations_dir = "node_modules/vestibule-auth/migrations"',
    )
    expect(status).toBe(0)
  })

  it('rejects a folder with files in it, and changes none of them', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'index.ts'), 'mine')
    const { stderr, status } = await vestibule([...INIT, '--yes'], { cwd: folder })

    expect(stderr).toContain(`${folder} is not empty.`)
    expect(readFileSync(join(folder, 'index.ts'), 'utf8')).toBe('mine')
    expect(status).toBe(2)
  })

  it('[O1] keeps the lines of an existing .gitignore', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, '.gitignore'), '.env.production\nnode_modules\n')

    await vestibule([...INIT, '--force', '--name', 'shop-login'], { cwd: folder })

    const lines = readFileSync(join(folder, '.gitignore'), 'utf8').split('\n')
    expect(lines).toEqual(expect.arrayContaining(['.env.production', '.dev.vars', '.secrets']))
    expect(new Set(lines).size).toBe(lines.length)
  })

  it('replaces files with --force', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'index.ts'), 'mine')
    const { status } = await vestibule([...INIT, '--force', '--name', 'shop-login'], {
      cwd: folder,
    })

    expect(readFileSync(join(folder, 'index.ts'), 'utf8')).toContain('createVestibule')
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toContain('"name": "shop-login"')
    expect(status).toBe(0)
  })

  it('names the command that packs the package when it runs in a clone', async () => {
    const { stderr, status } = await vestibule(['init', 'login'], { cwd: temporaryFolder() })

    expect(stderr).toContain('Run `npm run init -- <folder>`')
    expect(status).toBe(2)
  })

  it('enters a jurisdiction in both environments, and names the command that creates the database', async () => {
    const folder = temporaryFolder()
    const { output } = await vestibule([...INIT, '--jurisdiction', 'eu', 'login'], { cwd: folder })

    const file = readFileSync(join(folder, 'login/wrangler.toml'), 'utf8')
    expect(file.match(/^.*AUTH_JURISDICTION.*$/gm)).toEqual([
      'AUTH_JURISDICTION = "eu"',
      '# AUTH_JURISDICTION = "eu"',
    ])
    expect(output).toContain('npx wrangler d1 create login --jurisdiction eu')
  })

  it('rejects an unknown jurisdiction', async () => {
    const { stderr, status } = await vestibule([...INIT, '--jurisdiction', 'de'], {
      cwd: temporaryFolder(),
    })

    expect(stderr).toContain('de is not a jurisdiction: use eu, us, fedramp.')
    expect(status).toBe(2)
  })

  it.each([
    ['会議室', 'my-login'],
    ['__Login (2)', 'login-2'],
  ])('derives the name of the Worker from the folder %s: %s', async (name, worker) => {
    const { output } = await vestibule([...INIT, name], { cwd: temporaryFolder() })

    expect(output).toContain(`Created ${worker} in`)
  })

  it('accepts a folder that has nothing but a repository', async () => {
    const folder = temporaryFolder()
    execFileSync('git', ['init', '--quiet'], { cwd: folder })
    const { status } = await vestibule([...INIT, '--name', 'login'], { cwd: folder })

    expect(status).toBe(0)
  })

  it('rejects a name that no Worker can have', async () => {
    const { stderr, status } = await vestibule([...INIT, '--name', 'My_Login'], {
      cwd: temporaryFolder(),
    })

    expect(stderr).toContain('My_Login cannot be the name of a Worker')
    expect(status).toBe(2)
  })
})

describe('npx vestibule-auth setup', () => {
  it('asks for the address and the keys, and writes .dev.vars', async () => {
    const folder = await createDeployment()
    const { output, stderr, status } = await startVestibule(['setup'], {
      cwd: folder,
      input: '\nsbaw0123456789abcd\nthe secret\n',
    })

    expect(stderr).toContain(
      'Address of the service [http://localhost:8787]: AUTH_TIKTOK_ID (Client key at https://developers.tiktok.com/apps): ',
    )
    expect(readValues(folder, '.dev.vars')).toEqual({
      AUTH_URL: 'http://localhost:8787',
      AUTH_SECRET: expect.stringMatching(/^[\w+/]{43}=$/),
      AUTH_TIKTOK_ID: 'sbaw0123456789abcd',
      AUTH_TIKTOK_SECRET: 'the secret',
    })
    expect(statSync(join(folder, '.dev.vars')).mode & 0o777).toBe(0o600)
    expect(output).toContain('http://localhost:8787/api/auth/callback/tiktok   on the Desktop tab')
    expect(status).toBe(0)
  })

  it('writes .secrets for a public address, and enters the address in wrangler.toml', async () => {
    const folder = await createDeployment()
    const config = join(folder, 'wrangler.toml')
    const before = readFileSync(config, 'utf8')
    const flags = ['setup', '--yes', '--url', 'https://login.acme.test', ...KEYS]
    const { output, status } = await vestibule(flags, { cwd: folder })

    expect(readValues(folder, '.secrets')).toEqual({
      AUTH_SECRET: expect.any(String),
      AUTH_TIKTOK_ID: 'sbaw0123456789abcd',
      AUTH_TIKTOK_SECRET: "a'b#c",
    })
    expect(readFileSync(config, 'utf8')).toBe(
      before.replace('AUTH_URL = "http://localhost:8787"', 'AUTH_URL = "https://login.acme.test"'),
    )
    expect(output).toContain('https://login.acme.test/api/auth/callback/tiktok   on the Web tab')
    expect(output).toContain('npm run deploy -- --secrets-file .secrets')
    expect(status).toBe(0)
  })

  it('sets up another environment with --env', async () => {
    const folder = await createDeployment()
    uncommentStaging(folder)
    const flags = ['setup', '--yes', '--env', 'staging', '--url', 'https://staging.acme.test']
    const { output, status } = await vestibule([...flags, ...KEYS], { cwd: folder })

    expect(readValues(folder, '.secrets.staging')).toHaveProperty('AUTH_SECRET')
    const config = readFileSync(join(folder, 'wrangler.toml'), 'utf8')
    expect(config).toContain('[vars]\nAUTH_URL = "http://localhost:8787"')
    expect(config).toContain('[env.staging.vars]\nAUTH_URL = "https://staging.acme.test"')
    expect(output).toContain('npm run deploy -- --env staging --secrets-file .secrets.staging')
    expect(status).toBe(0)
  })

  it('asks for the keys of every provider in the code, and reads them from the environment', async () => {
    const folder = await createDeployment(`[TikTok, ${ACME}]`)
    const env = { AUTH_ACME_ID: 'acme', AUTH_ACME_SECRET: 'acme-key' }
    const { output, status } = await vestibule(['setup', '--yes', ...KEYS], { cwd: folder, env })

    expect(readValues(folder, '.dev.vars')).toMatchObject(env)
    expect(output).toContain('http://localhost:8787/api/auth/callback/acme\n')
    expect(status).toBe(0)
  })

  it.each([
    ['http://localhost:8787', [], 'npm run dev\n'],
    ['http://localhost:9000', [], 'npm run dev -- --port 9000\n'],
    ['http://localhost', [], 'npm run dev -- --port 80\n'],
    ['http://localhost:8787', ['--env', 'staging'], 'npx vestibule-auth doctor --env staging\n'],
    ['http://127.0.0.1:9000', ['--env', 'staging'], 'npm run dev -- --env staging --port 9000\n'],
  ])('says how to start the service at %s %j', async (url, flags, command) => {
    const folder = await createDeployment()
    uncommentStaging(folder)
    const { output } = await vestibule(['setup', '--yes', '--url', url, ...KEYS, ...flags], {
      cwd: folder,
    })

    expect(output).toContain(command)
  })

  it('writes the file of the address in wrangler.toml without --url, and next to that file', async () => {
    const parent = temporaryFolder()
    const folder = join(parent, 'login')
    renameSync(await createDeployment(), folder)
    editConfig(folder, (toml) => toml.replace('http://localhost:8787', 'https://login.acme.test'))
    const flags = ['setup', '--yes', '--config', 'login/wrangler.toml', ...KEYS]
    const { output, status } = await vestibule(flags, { cwd: parent })

    expect(status).toBe(0)
    expect(output).toMatch(/^Wrote login\/\.secrets\.\n/)
    expect(existsSync(join(folder, '.secrets'))).toBe(true)
  })

  it('neither asks for what wrangler.toml has, nor writes it to the secrets file', async () => {
    const folder = await createDeployment()
    editConfig(folder, (toml) =>
      toml.replace('[vars]\n', '[vars]\nAUTH_TIKTOK_ID = "sbaw0123456789abcd"\n'),
    )
    const { status } = await vestibule(['setup', '--yes', ...KEYS.slice(2)], { cwd: folder })

    expect(status).toBe(0)
    expect(readValues(folder, '.dev.vars')).not.toHaveProperty('AUTH_TIKTOK_ID')
  })

  it('prints the redirect URIs of a redirect proxy', async () => {
    const folder = await createDeployment()
    const proxy = 'https://login.acme.test/api/auth'
    editConfig(folder, (toml) =>
      toml.replace('[vars]\n', `[vars]\nAUTH_REDIRECT_PROXY_URL = "${proxy}"\n`),
    )
    const secret = [
      '--set',
      'AUTH_REDIRECT_PROXY_SECRET=q3vY8nTz1LkWm5XcRb7HsPj2GdFa9EuQ0iOtNyCxVw4',
    ]
    const { output } = await vestibule(['setup', '--yes', ...KEYS, ...secret], { cwd: folder })

    expect(output).toContain(`  ${proxy}/callback/tiktok   on the Web tab`)
  })

  it('says what to set if the address is not where the template has it', async () => {
    const folder = await createDeployment()
    editConfig(folder, (toml) => toml.replace('[vars]\nAUTH_URL =', '[vars]\n"AUTH_URL" ='))
    const flags = ['setup', '--yes', '--url', 'https://login.acme.test', ...KEYS]
    const changed = await vestibule(flags, { cwd: folder })
    editConfig(folder, (toml) => toml.replace('http://localhost:8787', 'https://login.acme.test'))
    const same = await vestibule([...flags, '--force'], { cwd: folder })

    expect(changed.output).toContain(
      'Wrote .secrets. Now set AUTH_URL = "https://login.acme.test" in wrangler.toml.\n',
    )
    expect(same.output).toMatch(/^Wrote \.secrets\.\n/)
  })

  it('uses an AUTH_SECRET that is given, also in place of the present one', async () => {
    const folder = await createDeployment()
    await vestibule(['setup', '--yes', ...KEYS], { cwd: folder })
    const secret = 'q3vY8nTz1LkWm5XcRb7HsPj2GdFa9EuQ0iOtNyCxVw4'
    await vestibule(['setup', '--yes', '--force', '--set', `AUTH_SECRET=${secret}`], {
      cwd: folder,
    })

    expect(readValues(folder, '.dev.vars')).toHaveProperty('AUTH_SECRET', secret)
  })

  it.each(["it's", 'a#c', 'say "it`s"', ' a = b '])(
    'writes the value %j so that wrangler reads the same',
    async (value) => {
      const folder = await createDeployment()
      const keys = [...KEYS.slice(0, 2), '--set', `AUTH_TIKTOK_SECRET=${value}`]
      await vestibule(['setup', '--yes', ...keys], { cwd: folder })

      expect(readValues(folder, '.dev.vars')).toHaveProperty('AUTH_TIKTOK_SECRET', value)
    },
  )

  it('writes nothing if a value cannot be quoted', async () => {
    const folder = await createDeployment()
    const keys = [...KEYS.slice(0, 2), '--set', "AUTH_TIKTOK_SECRET=it's `quoted`"]
    const { stderr, status } = await vestibule(['setup', '--yes', ...keys], { cwd: folder })

    expect(stderr).toContain("AUTH_TIKTOK_SECRET contains both ' and `")
    expect(existsSync(join(folder, '.dev.vars'))).toBe(false)
    expect(status).toBe(1)
  })

  it('leaves problems of clients to the doctor', async () => {
    const folder = await createDeployment()
    editConfig(folder, (toml) => toml.replace('http://localhost:5173/', 'shop:/callback'))
    const { status } = await vestibule(['setup', '--yes', ...KEYS], { cwd: folder })

    expect(status).toBe(0)
  })

  it('asks for the secret only if the code has the client ID, and for the issuer of a server of your own', async () => {
    const folder = await createDeployment(
      `[${ACME.replace("id: 'acme',", "id: 'acme', clientId: 'shop',")}, Keycloak]`,
    )
    const entryFile = join(folder, 'index.ts')
    const code = readFileSync(entryFile, 'utf8')
    writeFileSync(entryFile, code.replace('{ TikTok }', '{ Keycloak }'))
    const env = { AUTH_KEYCLOAK_ID: 'login' }
    const { stderr } = await vestibule(['setup', '--yes'], { cwd: folder, env })

    expect(stderr).toContain(
      'Missing: AUTH_ACME_SECRET, AUTH_KEYCLOAK_SECRET, AUTH_KEYCLOAK_ISSUER.',
    )
  })

  it('trims what it reads from the environment', async () => {
    const folder = await createDeployment()
    const env = { AUTH_TIKTOK_SECRET: ' the secret\n' }
    await vestibule(['setup', '--yes', ...KEYS.slice(0, 2)], { cwd: folder, env })

    expect(readValues(folder, '.dev.vars')).toHaveProperty('AUTH_TIKTOK_SECRET', 'the secret')
  })

  it('asks to register the other providers next to the stand-in', async () => {
    const folder = await createDeployment(`[TikTok, ${ACME}]`)
    const acme = ['--set', 'AUTH_ACME_ID=acme', '--set', 'AUTH_ACME_SECRET=acme-key']
    const flags = ['setup', '--stand-in', 'http://localhost:8788', ...acme]
    const { output } = await vestibule(flags, { cwd: folder })

    expect(output).toContain(
      'Register this redirect URI:\n  http://localhost:8787/api/auth/callback/acme\n',
    )
  })

  it('enters the settings of the stand-in, and asks to register nothing', async () => {
    const folder = await createDeployment('[TikTok]')
    const flags = ['setup', '--stand-in', 'http://localhost:8788']

    const { output, status } = await vestibule(flags, { cwd: folder })

    expect(status).toBe(0)
    expect(output).not.toContain('Register')
    const secrets = readFileSync(join(folder, '.dev.vars'), 'utf8')
    expect(secrets).toContain('AUTH_TIKTOK_ID=sbawstandin0000001')
    expect(secrets).toContain('AUTH_TIKTOK_API_URL=http://localhost:8788')
  })

  it('rejects a stand-in at a public address [T1]', async () => {
    const folder = await createDeployment('[TikTok]')
    const flags = ['setup', '--stand-in', 'https://stand-in.example.com']

    const { stderr, status } = await vestibule(flags, { cwd: folder })

    expect(status).toBe(1)
    expect(stderr).toContain('must be a loopback origin')
    expect(existsSync(join(folder, '.dev.vars'))).toBe(false)
  })

  it('asks for the settings of a sender of email', async () => {
    const folder = await createDeployment('[TikTok, Email({ sender: ResendSender() })]')
    const entryFile = join(folder, 'index.ts')
    const code = readFileSync(entryFile, 'utf8')
    writeFileSync(entryFile, code.replace('{ TikTok }', '{ Email, ResendSender, TikTok }'))
    const missing = await vestibule(['setup', '--yes', ...KEYS], { cwd: folder })
    const env = { AUTH_EMAIL_FROM: 'login@acme.example', AUTH_RESEND_KEY: 're_1234567890' }
    const { status } = await vestibule(['setup', '--yes', ...KEYS], { cwd: folder, env })

    expect(missing.stderr).toContain('Missing: AUTH_EMAIL_FROM, AUTH_RESEND_KEY.')
    expect(readValues(folder, '.dev.vars')).toMatchObject(env)
    expect(status).toBe(0)
  })

  it('names what is missing with --yes, and writes nothing', async () => {
    const folder = await createDeployment(`[TikTok, ${ACME}]`)
    const { stderr, status } = await vestibule(['setup', '--yes', ...KEYS], { cwd: folder })

    expect(stderr).toContain('Missing: AUTH_ACME_ID, AUTH_ACME_SECRET.')
    expect(() => statSync(join(folder, '.dev.vars'))).toThrow()
    expect(status).toBe(2)
  })

  it('reports invalid options of the code, and writes nothing', async () => {
    const folder = await createDeployment('[TikTok, TikTok], colour: 1')
    const { stderr, status } = await vestibule(['setup', '--yes', ...KEYS], { cwd: folder })

    expect(stderr).toMatch(
      /^colour does not exist: .*\nproviders\.tiktok has the id of another .*\n$/,
    )
    expect(() => statSync(join(folder, '.dev.vars'))).toThrow()
    expect(status).toBe(1)
  })

  it.each([
    ['login.example.com', 'AUTH_URL must be an https origin without a path'],
    ['http://login.acme.test', 'AUTH_URL must be an https origin without a path'],
  ])('rejects the address %s as the service would', async (url, message) => {
    const folder = await createDeployment()
    const { stderr, status } = await vestibule(['setup', '--yes', '--url', url, ...KEYS], {
      cwd: folder,
    })

    expect(stderr).toContain(message)
    expect(status).toBe(1)
  })

  it('[O5] does not print the value of a --set with an invalid name', async () => {
    const args = ['setup', '--yes', '--set', 'auth_tiktok_secret=a-real-secret']

    const { status, stderr } = await vestibule(args, { cwd: temporaryFolder() })

    expect(status).toBe(2)
    expect(stderr).toContain('not auth_tiktok_secret=…')
    expect(stderr).not.toContain('a-real-secret')
  })

  it('changes an existing file only with --force, and keeps AUTH_SECRET and AUTH_URL', async () => {
    const folder = await createDeployment()
    await vestibule(['setup', '--yes', ...KEYS], { cwd: folder })
    const before = readValues(folder, '.dev.vars')

    const refused = await vestibule(['setup', '--yes', ...KEYS], { cwd: folder })
    expect(refused.stderr).toContain('.dev.vars exists already. Use --force')
    expect(refused.status).toBe(1)

    const forced = ['setup', '--yes', '--force', '--set', 'AUTH_TIKTOK_SECRET=new']
    const moved = await vestibule([...forced, '--url', 'http://localhost:9000'], { cwd: folder })
    const { status } = await vestibule(forced, { cwd: folder })
    expect(moved.status).toBe(0)
    expect(readValues(folder, '.dev.vars')).toEqual({
      ...before,
      AUTH_TIKTOK_SECRET: 'new',
      AUTH_URL: 'http://localhost:9000',
    })
    expect(status).toBe(0)
  })

  it('does not write a file that git would add', async () => {
    const folder = await createDeployment()
    execFileSync('git', ['init', '--quiet'], { cwd: folder })
    rmSync(join(folder, '.gitignore'))
    const { stderr, status } = await vestibule(['setup', '--yes', ...KEYS], { cwd: folder })

    expect(stderr).toContain('.dev.vars would be visible to git.')
    expect(() => statSync(join(folder, '.dev.vars'))).toThrow()
    expect(status).toBe(1)
  })
})

describe("npx vestibule-auth doctor, in an operator's repository", () => {
  it('accepts the settings of a provider that the code defines, and no others', async () => {
    const folder = await createDeployment(`[TikTok, ${ACME}]`)
    const acme = ['--set', 'AUTH_ACME_ID=acme', '--set', 'AUTH_ACME_SECRET=acme-key']
    await vestibule(['setup', '--yes', ...KEYS, ...acme], { cwd: folder })

    const { output, status } = await vestibule(['doctor', '--offline'], { cwd: folder })
    expect(output).toContain('✓ providers (tiktok, acme)')
    expect(status).toBe(0)

    const others = await vestibule(['doctor', '--offline'], {
      cwd: await createDeployment('[TikTok]', { AUTH_ACME_ID: 'acme' }),
    })
    expect(others.output).toContain('AUTH_ACME_ID is not a setting of this service.')
    expect(others.status).toBe(1)
  })

  it('checks one environment with --env', async () => {
    const folder = await createDeployment()
    uncommentStaging(folder)
    const file = join(folder, 'wrangler.toml')
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('example.com', 'acme.dev'))
    const flags = ['setup', '--yes', '--env', 'staging', '--url', 'https://login.staging.acme.dev']
    await vestibule([...flags, ...KEYS], { cwd: folder })
    const { output, status } = await vestibule(
      ['doctor', '--offline', '--env', 'staging', '--secrets-file', '.secrets.staging'],
      { cwd: folder },
    )

    expect(output).toContain('register https://login.staging.acme.dev/api/auth/callback/tiktok')
    expect(status).toBe(0)
  })

  it('reports an environment that wrangler.toml does not have', async () => {
    const cwd = await createDeployment()
    const { output, status } = await vestibule(['doctor', '--offline', '--env', 'canary'], { cwd })

    expect(output).toContain('wrangler.toml has no [env.canary].')
    expect(status).toBe(1)
  })

  it('reports every invalid option in one sentence', async () => {
    const cwd = await createDeployment('[TikTok, TikTok], colour: 1')
    const { output, status } = await vestibule(['doctor', '--offline'], { cwd })

    expect(output).toContain('✗ options: colour does not exist: the names are providers, ')
    expect(output).toContain('✗ options: providers.tiktok has the id of another provider')
    expect(status).toBe(1)
  })

  it('reports an entry file without a login service', async () => {
    const cwd = await createDeployment()
    writeFileSync(join(cwd, 'index.ts'), 'export default {}')
    const { output, status } = await vestibule(['doctor', '--offline'], { cwd })

    expect(output).toContain('index.ts does not call createVestibule.')
    expect(status).toBe(1)
  })

  it('reports a folder without a deployment', async () => {
    const { output, status } = await vestibule(['doctor'], { cwd: temporaryFolder() })

    expect(output).toContain('There is no wrangler.toml in this folder')
    expect(status).toBe(1)
  })

  it('says that it does not read cloudflare.config.ts', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'cloudflare.config.ts'), 'export default {}')
    const { output, status } = await vestibule(['doctor'], { cwd })

    expect(output).toContain('There is only cloudflare.config.ts, which')
    expect(status).toBe(1)
  })

  it('warns about the free plan, unless a public deployment limits the CPU', async () => {
    const cwd = await createDeployment()
    const args = ['doctor', '--offline']
    const local = await vestibule(args, { cwd })
    editConfig(cwd, (toml) => toml.replace('"http://localhost:8787"', '"https://login.acme.test"'))
    const warned = await vestibule(args, { cwd })
    editConfig(cwd, (toml) => `${toml}\n[limits]\ncpu_ms = 30000\n`)
    const limited = await vestibule(args, { cwd })

    expect(local.output).not.toContain('free plan')
    expect(warned.output).toContain('all queries fail until midnight UTC')
    expect(limited.output).not.toContain('free plan')
  })
})

/** Creates a deployment with `init`, whose entry file imports the source of this repository. */
async function createDeployment(
  providers = '[TikTok]',
  secrets?: Record<string, string>,
): Promise<string> {
  const folder = temporaryFolder()
  await vestibule([...INIT, '--name', 'login'], { cwd: folder })
  const entryFile = join(folder, 'index.ts')
  const code = readFileSync(entryFile, 'utf8')
    .replace("'vestibule-auth'", `'${SOURCE}vestibule.ts'`)
    .replace("'vestibule-auth/features'", `'${SOURCE}features.ts'`)
    .replace("'vestibule-auth/providers'", `'${SOURCE}providers.ts'`)
    .replace('[TikTok]', providers)
  writeFileSync(entryFile, code)
  mkdirSync(join(folder, 'node_modules/vestibule-auth'), { recursive: true })
  symlinkSync(`${SOURCE}../migrations`, join(folder, 'node_modules/vestibule-auth/migrations'))
  if (secrets) {
    const lines = Object.entries(secrets).map(([name, value]) => `${name}=${value}\n`)
    writeFileSync(join(folder, '.dev.vars'), lines.join(''))
  }
  return folder
}

/** Enables the second environment, as the comment above it says. */
function uncommentStaging(folder: string): void {
  const file = join(folder, 'wrangler.toml')
  const [first = '', staging = ''] = readFileSync(file, 'utf8').split('#\n# [env.staging]')
  writeFileSync(file, `${first}\n[env.staging]${staging.replaceAll(/^# ?/gm, '')}`)
}

function readValues(folder: string, file: string) {
  return parseEnv(readFileSync(join(folder, file), 'utf8'))
}

function editConfig(folder: string, change: (toml: string) => string): void {
  const file = join(folder, 'wrangler.toml')
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}
