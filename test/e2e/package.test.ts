import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, onTestFinished, vi } from 'vitest'
import example from '../../examples/own-feature/package.json' with { type: 'json' }
import manifest from '../../package.json' with { type: 'json' }
import template from '../../template/package.json' with { type: 'json' }
import { findAnchors, findLinks } from '../document-links.ts'
import { readFiles, writeFiles } from '../interop/documented-files.ts'
import { NAME } from '../user-name.ts'
import { describeInBrowser, it, platform } from './browser-fixtures.ts'
import { chromiumPath } from './chromium.ts'
import { HttpBrowser } from './http-browser.ts'
import {
  findFreePort,
  type InstalledDeployment,
  installDeployment,
  runIn,
  startWranglerDev,
} from './installed-package.ts'
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts'
import { allow, choosePersona, waitForErrorPage } from './page-steps.ts'
import { startScript } from './start-script.ts'

/** Packing, installing and starting take this long on a busy machine. */
const SETUP_TIMEOUT = 240_000 // milliseconds

/** The tests of an operator, of which each opens several browsers. */
const EXAMPLE_TIMEOUT = 600_000 // milliseconds

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

let installed: InstalledDeployment
/** The folder that `npm run init` creates. */
let deployment: string

beforeAll(async () => {
  installed = await installDeployment('login-service')
  deployment = installed.folder
}, SETUP_TIMEOUT)

afterAll(() => installed?.remove())

describe('the package', () => {
  it('contains what operators need, and nothing else', () => {
    const others = installed.packageFiles.filter((file) => !/^dist\/.*\.js$/.test(file))
    const types = others.filter((file) => /^dist\/src\/.*\.d\.ts$/.test(file))

    const documents = others.filter((file) =>
      /^docs\/((decisions\/)?[\w-]+\.md|images\/[\w-]+\.webp)$/.test(file),
    )
    const programs = others.filter((file) => /^(demo|examples|test\/interop\/[\w-]+)\//.test(file))
    const texts = 'ar de en es fr hi id it ja ko pt-br zh-hans'.split(' ')
    const scripts = ['create', 'rename', 'sign-in', 'signal']
    const features = readdirSync('src/features').filter((id) =>
      existsSync(`src/features/${id}/texts.ts`),
    )

    expect(types).toContain('dist/src/vestibule.d.ts')
    expect(documents).toContain('docs/configuration.md')
    expect(programs).toContain('test/interop/auth-js/app.js')
    expect(programs).toContain('examples/own-feature/pin.ts')
    const listed = [...types, ...documents, ...programs]
    expect(others.filter((file) => !listed.includes(file)).sort()).toEqual([
      'AGENTS.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'cli/vestibule.js',
      'dist/src/administration/console/console-script.txt',
      ...texts.map((language) => `dist/src/core/messages/${language}.json.txt`),
      'dist/src/core/pages/page-script.txt',
      'dist/src/core/session/client-script.txt',
      ...[
        'dist/src/features/admin/live-script.txt',
        ...scripts.map((name) => `dist/src/features/passkeys/${name}-script.txt`),
        ...features.map((id) => `dist/src/features/${id}/texts.json.txt`),
      ].sort(),
      'migrations/0001_schema.sql',
      'migrations/0002_unconfirmed_accounts.sql',
      'migrations/0003_blocked_users.sql',
      'migrations/0004_roles.sql',
      'migrations/0005_withdraw_unconfirmed_emails.sql',
      'migrations/index.d.ts',
      'migrations/index.js',
      'package.json',
      'template/.dev.vars.example',
      'template/.github/workflows/deploy.yml',
      'template/AGENTS.md',
      'template/README.md',
      'template/gitignore',
      'template/index.ts',
      'template/monitoring/alerts.yml',
      'template/monitoring/dashboard.json',
      'template/monitoring/prometheus.yml',
      'template/package.json',
      'template/tsconfig.json',
      'template/wrangler.toml',
    ])
    expect(installed.packageFiles).not.toContain('dist/src/index.js')
  })

  it('contains every file and heading that its documents link to', () => {
    const { packageFiles } = installed
    const read = (file: string) =>
      readFileSync(join(deployment, 'node_modules/vestibule-auth', file), 'utf8')
    const links = packageFiles
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) => findLinks(read(file)).map((link) => ({ ...link, file })))
    const isPackaged = ({ file, path, anchor }: (typeof links)[number]) => {
      const target = path ? join(file, '..', path) : file
      if (anchor) return packageFiles.includes(target) && findAnchors(read(target)).includes(anchor)
      return packageFiles.some((other) => other === target || other.startsWith(`${target}/`))
    }

    expect(links.length).toBeGreaterThan(100)
    expect(
      links.filter((link) => !isPackaged(link)).map(({ file, link }) => `${file}: ${link}`),
    ).toEqual([])
  })

  it('exports the folder of the migrations', async () => {
    const code =
      "import { migrationsPath } from 'vestibule-auth/migrations'; console.log(migrationsPath)"
    const path = await runIn(deployment, 'node', '--input-type=module', '--eval', code)

    expect(path.trim()).toBe(join(deployment, 'node_modules/vestibule-auth/migrations/'))
  })

  it('exports the library for APIs, which runs in Node', async () => {
    const code = "console.log(Object.keys(await import('vestibule-auth/verify')).join())"
    const names = await runIn(deployment, 'node', '--input-type=module', '--eval', code)

    expect(names.trim()).toBe('TokenError,createVerifier')
  })

  it('exports the library for servers, which runs in Node', async () => {
    const code = "console.log(Object.keys(await import('vestibule-auth/server')).join())"
    const names = await runIn(deployment, 'node', '--input-type=module', '--eval', code)

    expect(names.trim()).toBe('UnavailableError,createServer,dpop')
  })

  it('exports the library for tests, which runs in Node', async () => {
    const code = "console.log(Object.keys(await import('vestibule-auth/testing')).join())"
    const names = await runIn(deployment, 'node', '--input-type=module', '--eval', code)

    expect(names.trim()).toBe('createTestIssuer,saveState,signIn,startLogin')
  })

  it('exports the library for frontends, which a server can import', async () => {
    const code = "console.log(Object.keys(await import('vestibule-auth/client')).join())"
    const names = await runIn(deployment, 'node', '--input-type=module', '--eval', code)

    expect(names.trim()).toBe('UnavailableError,createClient,defineUserButton,dpop')
  })

  it('has a template with the versions of the tools that are tested here', () => {
    const { typescript, wrangler } = manifest.devDependencies

    expect(template.devDependencies).toEqual({ typescript, wrangler })
    expect(template.dependencies['vestibule-auth']).toBe(`^${manifest.version}`)
    expect(manifest.peerDependencies.wrangler).toBe(`>=${wrangler}`)
  })
})

describe('npx vestibule-auth init', () => {
  it('creates a repository that installs the published package', async () => {
    await runIn(deployment, 'npx', '--offline', 'vestibule-auth', 'init', 'another')

    expect(readDependencies(join(deployment, 'another'))).toEqual({
      name: 'another',
      dependencies: { 'vestibule-auth': `^${manifest.version}` },
    })
    rmSync(join(deployment, 'another'), { recursive: true })
  })
})

describe('vestibule-auth/testing', () => {
  const start = `
    import { startLogin } from 'vestibule-auth/testing'
    const login = await startLogin()
    const { status } = await fetch(login.url + '/readyz')
    await login.stop()
    console.log(status)`

  beforeAll(() => writeFileSync(join(deployment, 'start-login.mjs'), start))

  it('starts a login service, and leaves nothing running', { timeout: SETUP_TIMEOUT }, async () => {
    const status = await runIn(deployment, 'node', 'start-login.mjs')

    expect(status).toBe('200\n')
  })

  it('starts the login service of the examples', { timeout: SETUP_TIMEOUT }, async () => {
    const port = await findFreePort()
    onTestFinished(() => void vi.unstubAllEnvs())
    vi.stubEnv('PORT', String(port))
    const script = 'node_modules/vestibule-auth/examples/start-login.js'
    const login = startScript(join(deployment, script))
    await login.waitForOutput(`The login service is at http://localhost:${port}`)
    const request = new URLSearchParams({
      client_id: 'web',
      redirect_uri: 'http://localhost:3000/auth/callback',
      response_type: 'code',
      scope: 'openid profile',
      resource: 'http://localhost:8080',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    })

    const url = `http://localhost:${port}/oidc/authorize?${request}`
    const { headers } = await new HttpBrowser().request(url)

    expect(headers.get('Location')).toContain('/api/auth/signin?interaction=')
  })

  it('names the package that is missing without wrangler', async () => {
    const [wrangler, elsewhere] = ['wrangler', '.wrangler'].map((name) =>
      join(deployment, 'node_modules', name),
    ) as [string, string]
    renameSync(wrangler, elsewhere)
    onTestFinished(() => renameSync(elsewhere, wrangler))

    await expect(runIn(deployment, 'node', 'start-login.mjs')).rejects.toThrow(
      'Run `npm install --save-dev wrangler`.',
    )
  })

  it('tests an API with the recipe for Vitest', { timeout: SETUP_TIMEOUT }, async () => {
    const folder = join(deployment, 'api')
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFiles(readFiles('testing.md', 'Vitest'), folder)
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(join(ROOT, 'node_modules/vitest'), join(folder, 'node_modules/vitest'))

    const output = await runIn(folder, 'node', 'node_modules/vitest/vitest.mjs', 'run')

    expect(output).toContain('8 passed')
  })
})

describeInBrowser('the example of features of your own', () => {
  let folder: string

  beforeAll(() => {
    folder = join(deployment, '../define-feature')
    cpSync(join(ROOT, 'examples/own-feature'), folder, { recursive: true })
    // Only what it declares, so that nothing else can be imported.
    for (const name of Object.keys({ ...example.dependencies, ...example.devDependencies })) {
      const link = join(folder, 'node_modules', name)
      mkdirSync(dirname(link), { recursive: true })
      const isPackage = name === 'vestibule-auth'
      symlinkSync(join(isPackage ? deployment : ROOT, 'node_modules', name), link)
    }
    symlinkSync(join(deployment, 'node_modules/.bin'), join(folder, 'node_modules/.bin'))
  })

  it('has the versions of the dependencies that are tested here', () => {
    const { 'vestibule-auth': version, ...dependencies } = example.dependencies

    expect(version).toBe(`^${manifest.version}`)
    expect(manifest.dependencies).toMatchObject(dependencies)
    expect(manifest.devDependencies).toMatchObject(example.devDependencies)
  })

  it('compiles', { timeout: SETUP_TIMEOUT }, async () => {
    await runIn(folder, 'npm', 'run', 'check')
  })

  it('passes its own tests', { timeout: EXAMPLE_TIMEOUT }, async () => {
    vi.stubEnv('CHROMIUM_PATH', chromiumPath)
    onTestFinished(() => void vi.unstubAllEnvs())

    const output = await runIn(folder, 'node', 'node_modules/vitest/vitest.mjs', 'run')

    expect(output).toContain('6 passed')
  })
})

describe('npx vestibule-auth platform', () => {
  it('starts the stand-in with the mailbox', async () => {
    const port = await findFreePort()
    const command = join(deployment, 'node_modules/vestibule-auth/cli/vestibule.js')
    const platform = startScript(command, 'platform', '--port', String(port))
    await platform.waitForOutput('Ready.')

    for (const path of ['', 'mailbox']) {
      expect((await fetch(`http://localhost:${port}/${path}`)).status).toBe(200)
    }
  })
})

describe('npm run init', () => {
  it('writes the name of the folder, and a dependency on the packed file', () => {
    const file = `vestibule-auth-${manifest.version}.tgz`

    expect(readDependencies(deployment)).toEqual({
      name: 'login-service',
      dependencies: { 'vestibule-auth': `file:./${file}` },
    })
    expect(existsSync(join(deployment, file))).toBe(true)
    expect(readFileSync(join(deployment, 'wrangler.toml'), 'utf8')).toContain(
      'name = "login-service"',
    )
    expect(readFileSync(join(deployment, '.gitignore'), 'utf8')).toContain('.dev.vars')
  })

  it('bundles only the providers that are imported', { timeout: SETUP_TIMEOUT }, async () => {
    await runIn(deployment, 'npm', 'run', 'deploy', '--', '--dry-run', '--outdir', 'bundle')
    const bundle = readFileSync(join(deployment, 'bundle/index.js'), 'utf8')
    rmSync(join(deployment, 'bundle'), { recursive: true })

    expect(bundle).toContain('open.tiktokapis.com')
    for (const host of ['accounts.google.com', 'discord.com', 'github.com', 'appleid.apple.com']) {
      expect(bundle).not.toContain(host)
    }
  })
})

function readDependencies(folder: string) {
  const { name, dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return { name, dependencies }
}

describeInBrowser('a deployment with its own provider, callbacks, theme and messages', () => {
  let login: string
  let acme: LoopbackServer
  let service: Awaited<ReturnType<typeof startWranglerDev>>
  let isStaff = true

  beforeAll(async () => {
    acme = await startAcme(() => isStaff)
    login = `http://localhost:${await findFreePort()}`
    writeFileSync(join(deployment, 'acme.ts'), acmeProvider(`http://localhost:${acme.port}`))
    writeFileSync(join(deployment, 'index.ts'), ENTRY_FILE)
    const settings = {
      AUTH_TIKTOK_ID: 'sbawstandin0000001',
      AUTH_TIKTOK_SECRET: 'stand-in-secret-for-loopback-only-0001',
      AUTH_TIKTOK_WEB_URL: platform,
      AUTH_TIKTOK_API_URL: platform,
      AUTH_ACME_ID: 'acme-client',
      AUTH_ACME_SECRET: 'acme-secret',
    }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`])
    await runIn(
      deployment,
      'npx',
      '--offline',
      'vestibule-auth',
      'setup',
      '--yes',
      '--url',
      login,
      ...flags,
    )
    await runIn(deployment, 'npm', 'run', 'check')
    await runIn(deployment, 'npm', 'run', 'deploy', '--', '--dry-run')
    await runIn(deployment, 'npm', 'run', 'predev')
    service = await startWranglerDev(deployment, Number(new URL(login).port))
  }, SETUP_TIMEOUT)

  afterAll(async () => {
    await service?.stop()
    await acme?.close()
  })

  it('has a workflow whose scripts exist', () => {
    const read = (file: string) => readFileSync(join(deployment, file), 'utf8')
    const { scripts } = JSON.parse(read('package.json'))

    const used = [...read('.github/workflows/deploy.yml').matchAll(/npm run (\S+)/g)]

    expect(used.map(([, name]) => name)).toEqual(['check', 'deploy', 'deploy'])
    for (const [, name = ''] of used) expect(scripts).toHaveProperty(name)
  })

  it('passes the checks of the doctor, with a warning about its colour', async () => {
    const report = await runIn(deployment, 'npm', 'run', 'doctor', '--', '--offline')

    expect(report).toContain('✓ providers (tiktok, acme)')
    expect(report).toContain('! theme: theme.brandColor is #7a1f4b; in dark mode')
    expect(report).toContain('\n1 warning.')
  })

  it('is managed with the commands of the package', { timeout: SETUP_TIMEOUT }, async () => {
    const vestibule = (...line: string[]) =>
      runIn(deployment, 'npx', '--offline', 'vestibule-auth', ...line)
    const connected = await vestibule('connect')
    const added = await vestibule('clients', 'add', 'later', '--redirect', 'https://later.example/')
    const clients = await vestibule('clients', 'list')
    await vestibule('admins', 'add', 'acme:42', '--role', 'support')
    const admins = await vestibule('admins', 'list')

    expect(connected).toContain(
      `Connected: ${login} as vestibule-cli (admin:read admin:write admin:`,
    )
    expect(added).toMatch(/client_secret {2}\S{43} \(shown once\)/)
    expect(clients).toMatch(/^ {2}app .*settings/m)
    expect(clients).toMatch(/^ {2}later .*database/m)
    expect(await vestibule('audit')).toContain(
      'Vestibule command line made acme:42 an administrator',
    )
    expect(admins).toMatch(/^ {2}acme:42 +support .*database/m)
  })

  it('runs its schedule when a command asks for it, and has a version', async () => {
    const vestibule = (...line: string[]) =>
      runIn(deployment, 'npx', '--offline', 'vestibule-auth', ...line)
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

    expect(await vestibule('schedule')).toContain(`The schedule has run at ${login}.`)
    expect(await vestibule('--version')).toBe(`${version}\n`)
  })

  it('signs users in through TikTok', async ({ page, context, persona }) => {
    await page.goto(`${login}/api/auth/signin?callbackUrl=/account`)
    await page.getByRole('link', { name: /with TikTok$/ }).click()
    await choosePersona(page, persona)
    await allow(page)
    await page.waitForURL(`${login}/account`)
    const session = await context.request.get(`${login}/api/auth/session?client_id=app`)
    const { user, token } = await session.json()

    expect(user.name).toBe(NAME)
    expect(decodeJwt(token)).toMatchObject({ iss: login, aud: 'app', sub: user.id })
  })

  it('signs users in through its own provider', async ({ page, context }) => {
    isStaff = true
    await page.goto(`${login}/api/auth/signin?callbackUrl=/account`)
    await page.getByRole('link', { name: /with Acme$/ }).click()
    await page.waitForURL(`${login}/account`)
    const session = await context.request.get(`${login}/api/auth/session?client_id=app`)
    const { user, token } = await session.json()

    expect(user.name).toBe('Ada of Acme')
    expect(decodeJwt(token)).toMatchObject({ plan: 'gold', greeting: 'Ada of Acme' })
  })

  it('shows the error page to a user whom the signIn callback rejects', async ({ page }) => {
    isStaff = false
    await page.goto(`${login}/api/auth/signin?callbackUrl=/account`)
    await page.getByRole('link', { name: /with Acme$/ }).click()

    await waitForErrorPage(page, 'not_allowed')
  })

  it('has the colour of the theme and the German sentence on its pages', async ({
    openContext,
  }) => {
    const context = await openContext({ locale: 'de' })
    const page = await context.newPage()
    await page.goto(`${login}/api/auth/signin`)
    await page.getByText('Anmelden in der Werkstatt').waitFor()
    // Every other sentence is that of the package.
    await page.getByRole('heading', { name: 'Anmelden' }).waitFor()

    await page.goto(`${login}/nothing-here`)
    const button = page.locator('.primary')
    expect(await button.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(
      'rgb(122, 31, 75)',
    )
  })
})

describe('the types of the package', () => {
  beforeAll(async () => {
    const flags = ['--include-env=false', 'runtime.d.ts']
    await runIn(deployment, 'npx', '--offline', 'wrangler', 'types', ...flags)
  }, SETUP_TIMEOUT)

  /**
   * Compiles modules of a deployment without generated types of its bindings, and returns the
   * errors. Hono is the version that this repository has installed under the name.
   */
  async function compile(
    modules: Record<string, string>,
    { hono = 'hono', types = '../runtime.d.ts' } = {},
  ): Promise<string> {
    const folder = join(deployment, 'consumer')
    // The types of these packages need those of browsers and Node, which differ from those of
    // Workers.
    const skipLibCheck = Object.values(modules).some((code) =>
      /@auth\/core|@hono\/node-server/.test(code),
    )
    const compilerOptions = { skipLibCheck, types: [types] }
    const project = { extends: '../tsconfig.json', compilerOptions, include: ['*.ts'] }
    mkdirSync(join(folder, 'node_modules'), { recursive: true })
    for (const [name, installed] of Object.entries({ '@auth': '@auth', '@hono': '@hono', hono })) {
      symlinkSync(join(ROOT, 'node_modules', installed), join(folder, 'node_modules', name))
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
    for (const [name, code] of Object.entries(modules)) writeFileSync(join(folder, name), code)
    try {
      return await runIn(deployment, 'npx', '--offline', 'tsc', '-p', 'consumer')
    } catch (error) {
      return String(error)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }

  it('need no generated types of the bindings, and no skipLibCheck', async () => {
    const errors = await compile({
      'index.ts': `
        import { createVestibule, type Vestibule } from 'vestibule-auth'
        import { type ${INTERFACE_TYPES.join(', type ')}, TikTok } from 'vestibule-auth/providers'
        import { migrationsPath } from 'vestibule-auth/migrations'
        import { createServer, type Server, type ServerOptions } from 'vestibule-auth/server'
        import { signIn, startLogin, type RunningLogin, type TestPage } from 'vestibule-auth/testing'

        export const path: string = migrationsPath
        export const login = (options: ServerOptions): Server<{ tenant: string }> => createServer(options)
        export const started: Promise<RunningLogin> = startLogin({ users: [{ handle: 'ada' }] })
        export const signInAs = (page: TestPage) => signIn(page, 'ada')
        export const vestibule: Vestibule = createVestibule({ providers: [TikTok] })
        export default vestibule.worker satisfies ExportedHandler<object>`,
    })

    expect(errors).toBe('')
  })

  it('of the libraries for servers and APIs need only those of Node', async () => {
    const types = join(ROOT, 'node_modules/@types/node')
    const errors = await compile(
      {
        'index.ts': `
          import { createServer, type ServerOptions } from 'vestibule-auth/server'
          import { createVerifier } from 'vestibule-auth/verify'

          export const auth = createVerifier({ issuer: 'https://a.example', audience: 'https://b.example' })
          export async function call(options: ServerOptions, request: Request): Promise<Response> {
            const { fetchWithToken } = await createServer(options).getToken(request)
            return fetchWithToken('https://b.example')
          }`,
      },
      { types },
    )

    expect(errors).toBe('')
  })

  it('reject an option that does not exist', async () => {
    const errors = await compile({
      'index.ts': `
        import { createVestibule } from 'vestibule-auth'

        createVestibule({ providers: [], provider: [] })`,
    })

    expect(errors).toContain("'provider' does not exist in type 'VestibuleOptions")
  })

  it.each([
    ['docs/configuration.md', /^/],
    ['docs/providers.md', /from 'vestibule-auth/],
    ['docs/email.md', /^/],
    ['docs/credentials.md', /^/],
    ['docs/relying-apps.md', /^\/\/ (auth|session-auth|route|worker)\.ts/],
    // The example for browsers needs their types; test/e2e/client.test.ts runs such pages.
    ['README.md', /from 'vestibule-auth(\/providers|\/verify)?'/],
  ])('compile the examples of %s', async (page, pattern) => {
    const modules = findExamples(readFileSync(join(ROOT, page), 'utf8'), pattern)

    expect(await compile({ 'empty.ts': '', ...modules })).toBe('')
  })

  it.each(['hono-oldest', 'hono-newer'])(
    'compile the APIs of the documentation with another Hono than ours: %s',
    async (hono) => {
      const read = (page: string) => readFileSync(join(ROOT, page), 'utf8')
      const modules = {
        ...findExamples(read('README.md'), /from 'vestibule-auth\/verify'/),
        ...findExamples(read('docs/relying-apps.md'), /^\/\/ (auth|app)\.ts/),
      }
      const settings = 'declare const process: { env: Record<string, string | undefined> }'
      const { version } = JSON.parse(read(`node_modules/${hono}/package.json`))

      expect(Object.keys(modules)).toEqual(['example-1.ts', 'auth.ts', 'app.ts'])
      expect(version).toMatch(/^4\./)
      expect(version).not.toBe(manifest.dependencies.hono)
      expect(await compile({ ...modules, 'process.d.ts': settings }, { hono })).toBe('')
    },
  )
})

/** The TypeScript examples on a page that contain the pattern, by the name of their file. */
function findExamples(page: string, pattern: RegExp): Record<string, string> {
  const blocks = Array.from(page.matchAll(/^```ts\n(.*?)^```$/gms), ([, code = '']) => code)
  const modules = blocks
    .filter((code) => pattern.test(code))
    .map((code, index) => {
      // An example that others import begins with the name of its file.
      const [, name = `example-${index + 1}.ts`] = /^\/\/ ([\w-]+\.ts)\n/.exec(code) ?? []
      return [name, code]
    })
  return Object.fromEntries(modules)
}

/** Every type that the provider interface names. */
const INTERFACE_TYPES = [
  'AccountCallback',
  'AppProvider',
  'AuthorizationEndpointHandler',
  'BuiltInProviderType',
  'Client',
  'CommonProviderOptions',
  'CredentialInput',
  'CredentialsConfig',
  'CredentialsProviderType',
  'EmailConfig',
  'EmailProviderType',
  'EmailUserConfig',
  'OAuth2Config',
  'OAuthChecks',
  'OAuthConfig',
  'OAuthEndpointType',
  'OAuthProviderButtonStyles',
  'OAuthProviderType',
  'OAuthUserConfig',
  'OIDCConfig',
  'OIDCConfigInternal',
  'OIDCUserConfig',
  'ProfileCallback',
  'Provider',
  'ProviderType',
  'RedirectableProviderType',
  'TiktokProfile',
  'TokenEndpointHandler',
  'TokenSet',
  'User',
  'UserinfoEndpointHandler',
  'WebAuthnConfig',
  'WebAuthnProviderType',
]

function acmeProvider(origin: string): string {
  return `import type { OAuth2Config } from 'vestibule-auth/providers'

interface AcmeProfile {
  id: string
  name: string
  staff: boolean
}

export const Acme: OAuth2Config<AcmeProfile> = {
  id: 'acme',
  name: 'Acme',
  type: 'oauth',
  jwks_endpoint: undefined,
  authorization: '${origin}/authorize?scope=profile',
  token: '${origin}/token',
  userinfo: '${origin}/user',
  profile: ({ id, name }) => ({ id, name }),
  style: { brandColor: '#005f73' },
}
`
}

const ENTRY_FILE = `import { createVestibule, type DeploymentMessages } from 'vestibule-auth'
import { admin } from 'vestibule-auth/features'
import { TikTok } from 'vestibule-auth/providers'
import { Acme } from './acme.ts'

const messages: DeploymentMessages = {
  de: { 'signIn.title': 'Anmelden in der Werkstatt' },
}

const vestibule = createVestibule({
  providers: [TikTok, Acme],
  features: [admin()],
  callbacks: {
    signIn: ({ account, profile }) => account.provider !== 'acme' || profile['staff'] === true,
    claims: ({ user }) => ({ plan: 'gold', greeting: user.name }),
  },
  theme: { brandColor: '#7a1f4b' },
  messages,
})

export default vestibule.worker

export const { UserObject, KeyringObject, GuardObject, RevocationsObject, MetricsObject, ClientMetadataObject } = vestibule.objects
`

/** A plain OAuth 2 server with one user, who approves everything. */
function startAcme(isStaff: () => boolean): Promise<LoopbackServer> {
  return startLoopbackServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname === '/authorize') {
      const callback = new URL(url.searchParams.get('redirect_uri') ?? '')
      callback.searchParams.set('code', crypto.randomUUID())
      callback.searchParams.set('state', url.searchParams.get('state') ?? '')
      response.writeHead(302, { Location: callback.href }).end()
      return
    }
    const body =
      url.pathname === '/token'
        ? { access_token: 'acme-token', token_type: 'bearer', expires_in: 3600 }
        : { id: 'acme-1', name: 'Ada of Acme', staff: isStaff() }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  })
}
