import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { readFileSync, statfsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import type { Plugin as EsbuildPlugin } from 'esbuild'
import type { Plugin } from 'vite'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { bundledWorker, bundleRule } from './test/bundled-worker.ts'
import keys from './test/core/oidc/signing-keys.json' with { type: 'json' }
import { secretDigest } from './test/e2e/secret-digest.ts'
import { ROWS } from './test/sample.ts'
import { isLevel } from './test/soak/levels.ts'
import { backChannel } from './test/upstream/back-channel.ts'
import { createCatalogue } from './test/upstream/catalogue.ts'
import { createHostileProvider } from './test/upstream/hostile-provider.ts'
import { openidProvider } from './test/upstream/openid-provider.ts'
import { plainOAuthServer } from './test/upstream/plain-oauth-server.ts'
import { createPublishedFiles } from './test/upstream/published-files.ts'
import { registration } from './test/upstream/registration.ts'

/**
 * The runtimes keep the storage of tests in files in the directory for temporary files, and wait
 * for the disk whenever they read or write. Linux has a directory in memory, which in containers is
 * often tiny.
 */
const MEMORY_DIRECTORY = '/dev/shm'
const ENOUGH_MEMORY = 1024 ** 3 // bytes, far more than the tests were seen to use
if (freeSpace(MEMORY_DIRECTORY) > ENOUGH_MEMORY) process.env['TMPDIR'] ??= MEMORY_DIRECTORY

/**
 * One for each core, but three on two cores, because tests wait for other processes and for
 * timeouts. Each needs half a gigabyte of memory.
 */
const MAX_WORKERS = Math.min(Math.max(availableParallelism(), 3), 8)

/** Far more than any test takes on a busy machine. */
const TEST_TIMEOUT = 60_000 // milliseconds

/** A walk in Chromium through the demo that `npm start` starts, as the README describes it. */
const README_TEST = 'test/e2e/readme.test.ts'

/**
 * Tests read these programs as texts. Their settings for the compiler name packages that are not
 * installed here. The example of a feature is run.
 */
const EXAMPLES = 'examples/!(own-feature)/**'

/**
 * They need no Worker: folders, schemas and formats, and the stand-in, which runs in Node for
 * everybody who develops with it.
 */
const NODE_TESTS = [
  'test/{folders,history-checker,package-names,sample}.test.ts',
  'test/administration/field-descriptions.test.ts',
  'test/combined/feature-words.test.ts',
  'test/core/messages/languages.test.ts',
  'test/features/email/{address,code,message}.test.ts',
  'test/features/totp/interface.test.ts',
  'test/foundation/values/*.test.ts',
  'test/libraries/testing/*.test.ts',
  'test/providers/{private-key,types}.test.ts',
]

/** They run with every feature, and all others without any. */
const FEATURE_TESTS = ['features', 'define-feature', 'combined']
  .map((folder) => `test/${folder}/**/*.test.{ts,tsx}`)
  .concat('test/docs.test.ts')

/** They take the longest, so the others can run beside them if they start first. */
const SLOW_TESTS = [
  'page-states',
  'package',
  'doctor',
  'email',
  'client',
  'client-cross-site',
  'signin',
  'passkeys',
  'console',
  'device-bound',
].map((name) => `test/e2e/${name}.test.ts`)

/**
 * The files of one project after those of another, because a runtime is started anew for a file of
 * the other project. Those that wait for browsers come first, beside each other and beside the
 * first ones of the core, which need the processors.
 */
const PROJECTS = ['more', 'e2e', 'node', 'core', 'features', 'matrix', 'soak']

/**
 * Starts the slow files of a project first, and the others in an order that depends on the seed,
 * which is printed.
 */
class ShuffledSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, sequence } = this.ctx.config
    const rank = ({ moduleId, project }: TestSpecification) => {
      const path = relative(root, moduleId)
      const isSlow = SLOW_TESTS.includes(path)
      const order = isSlow ? SLOW_TESTS.indexOf(path) : hash('md5', `${sequence.seed} ${path}`)
      return `${PROJECTS.indexOf(project.name)} ${isSlow ? 'first' : 'then'} ${order}`
    }
    return files.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
  }
}

/** Vite would import the address of a `.txt` file; wrangler imports its text. */
const textModules: Plugin = {
  name: 'text-modules',
  enforce: 'pre',
  load: (id) =>
    id.endsWith('.txt') ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))}` : undefined,
}

/** Pages are in modules that also import classes of the Workers runtime, which tests in Node lack. */
const workersModule: Plugin = {
  name: 'workers-module',
  enforce: 'pre',
  resolveId: (id) => (id === 'cloudflare:workers' ? `\0${id}` : undefined),
  load: (id) => (id === '\0cloudflare:workers' ? 'export class DurableObject {}' : undefined),
}

/** The tests of the core run this repository's deployment without its features. */
const withoutFeatures: EsbuildPlugin = {
  name: 'without-features',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/deployment\.ts$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8')
      const contents = code.replace(/features: \[.*?\]/s, 'features: []')
      if (contents === code) throw new Error('src/deployment.ts lists no features.')
      return { contents, loader: 'ts' }
    })
  },
}

const { d: _, ...publicKey } = keys.signer

const migrations = await readD1Migrations('migrations')

/** How much tests repeat; set by `npm run soak`. */
const { SOAK: level = 'test' } = process.env
if (!isLevel(level)) throw new Error(`SOAK is not a level of test/soak/levels.ts: ${level}`)
const provide = { level }

function freeSpace(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize
  } catch {
    return 0 // It does not exist.
  }
}

/**
 * Creates the services that one runtime fetches from: providers other than the stand-in, and apps.
 * The hostile provider belongs to one runtime, because it counts requests.
 */
function createUpstream(): (incoming: unknown) => Response | Promise<Response> {
  const hostileProvider = createHostileProvider()
  const catalogue = createCatalogue()
  const publishedFiles = createPublishedFiles()
  return (incoming) => {
    const request = incoming as Request // Miniflare has a type of its own.
    const { hostname } = new URL(request.url)
    if (hostname.endsWith('.agents.example')) return publishedFiles(request)
    switch (hostname) {
      case 'op.example':
        return openidProvider(request)
      case 'hostile.example':
      case 'api.hostile.example':
        return hostileProvider.fetch(request)
      case 'told.example':
        return backChannel.fetch(request)
      case 'git.example':
        return plainOAuthServer.fetch(request)
      default:
        return catalogue(request) ?? new Response('No server has this address.', { status: 403 })
    }
  }
}

/** The clients of the device flow, which is a feature. */
const DEVICE_CLIENTS = [
  {
    client_id: 'television',
    client_name: 'The television',
    grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
    resources: ['https://orders.example'],
    backchannel_logout_uri: 'https://told.example/television',
  },
  {
    client_id: 'console',
    client_name: 'The games console',
    grant_types: ['urn:ietf:params:oauth:grant-type:device_code'],
    client_secrets_sha256: [secretDigest('console-secret')],
    first_party: true,
  },
]

/** The Workers that tests in workerd run: the core without any feature, or everything. */
const WORKERS = {
  core: './src/index.ts',
  features: './test/worker.ts',
  matrix: './test/matrix/worker.ts',
}

/** What `git diff` lists, or nothing where there is no repository. */
function listChangedFiles(): string[] {
  const git = (...input: string[]) =>
    execFileSync('git', input, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .split('\n')
      .filter((line) => line !== '')
  try {
    const [base = 'HEAD'] = git('merge-base', 'HEAD', 'origin/main')
    return [...git('diff', '--name-only', base), ...git('ls-files', '-o', '--exclude-standard')]
  } catch {
    return []
  }
}

/** Whether all tests run, instead of a sample of the tables. */
const isWhole = Boolean(process.env['CI'] || process.env['TESTS'] === 'all')
const changed = isWhole ? [] : listChangedFiles()

/** The README's walk takes a tenth of the time of `npm test`, and concerns what users see. */
const isReadmeWalked =
  isWhole || changed.some((path) => /^(README\.md|demo|src|test\/e2e)/.test(path))

/** Says which rows of tables the tests run. */
const sampledTables: Plugin = {
  name: 'sampled-tables',
  configureVitest({ vitest, project }) {
    const { seed } = vitest.config.sequence
    project.provide('sample', { seed, isWhole, changed })
    if (isWhole || project.name !== 'core') return
    const related = changed.length > 0 ? `, and those about ${changed.length} changed files` : ''
    const walk = isReadmeWalked ? '' : ', and not the README in Chromium'
    vitest.logger.log(
      `One of ${ROWS} rows of the tables in test/sample.ts runs${related}${walk}. TESTS=all runs everything.\n`,
    )
  },
}

/** Tests in workerd. */
function runtimeProject(
  name: keyof typeof WORKERS,
  { include = ['test/**/*.test.{ts,tsx}'], exclude = [] as string[] },
): TestProjectInlineConfiguration {
  const isCore = name === 'core'
  return {
    logLevel: 'error',
    esbuild: { exclude: EXAMPLES },
    plugins: [
      sampledTables,
      bundledWorker(WORKERS[name], isCore ? [withoutFeatures] : []),
      // Called once for each runtime.
      cloudflareTest(() => ({
        main: WORKERS[name],
        wrangler: { configPath: './wrangler.toml' },
        miniflare: {
          modulesRules: [bundleRule],
          bindings: {
            AUTH_URL: 'https://login.example',
            AUTH_SECRET: 'q3vY8nTz1LkWm5XcRb7HsPj2GdFa9EuQ0iOtNyCxVw4',
            AUTH_TIKTOK_ID: registration.clientKey,
            AUTH_TIKTOK_SECRET: registration.clientSecret,
            AUTH_TIKTOK_SCOPE: 'user.info.basic,user.info.profile',
            ...(!isCore && { AUTH_TIKTOK_QR: 'on', AUTH_TIKTOK_TOKENS: 'keep' }),
            CLIENTS: [
              {
                client_id: 'shop',
                client_name: 'The shop',
                redirect_uris: ['https://shop.example/callback'],
                first_party: true,
              },
              {
                client_id: 'kiosk',
                client_name: 'The kiosk',
                redirect_uris: ['https://kiosk.example/callback'],
              },
              {
                client_id: 'blog',
                redirect_uris: ['https://blog.example/'],
                first_party: true,
              },
              {
                client_id: 'web',
                client_name: 'The web app',
                redirect_uris: ['https://web.example/callback'],
                client_secrets_sha256: [
                  secretDigest('web-secret: 100% a+b'),
                  secretDigest('its next one'),
                ],
                resources: [
                  'https://orders.example',
                  'https://stock.example',
                  'https://legacy.example',
                  'https://rsa.example',
                ],
                post_logout_redirect_uris: [
                  'https://web.example/bye',
                  'https://web.example/bye?x=1',
                ],
                backchannel_logout_uri: 'https://told.example/web',
                first_party: true,
              },
              {
                client_id: 'post',
                redirect_uris: ['https://post.example/callback'],
                client_secrets_sha256: [secretDigest('post-secret')],
                token_endpoint_auth_method: 'client_secret_post',
                require_pkce: false,
                first_party: true,
                scope: 'openid profile',
                backchannel_logout_uri: 'https://told.example/post',
                id_token_signed_response_alg: 'ES256',
                userinfo_signed_response_alg: 'ES256',
              },
              // Registered as the conformance plans require: no PKCE, profile claims only at
              // userinfo, one redirect URI with a query.
              {
                client_id: 'certifier',
                client_name: 'The certifier',
                redirect_uris: ['https://certifier.example/callback'],
                client_secrets_sha256: [secretDigest('certifier-secret')],
                id_token_claims: 'minimal',
                require_pkce: false,
                first_party: true,
                post_logout_redirect_uris: ['https://certifier.example/post_logout_redirect'],
                backchannel_logout_uri: 'https://told.example/certifier',
              },
              {
                client_id: 'certifier-2',
                redirect_uris: ['https://certifier.example/callback?dummy1=lorem&dummy2=ipsum'],
                client_secrets_sha256: [secretDigest('certifier-2-secret')],
                id_token_claims: 'minimal',
                require_pkce: false,
                first_party: true,
              },
              {
                client_id: 'certifier-post',
                redirect_uris: ['https://certifier.example/callback'],
                client_secrets_sha256: [secretDigest('certifier-post-secret')],
                token_endpoint_auth_method: 'client_secret_post',
                require_pkce: false,
                first_party: true,
              },
              {
                client_id: 'signer',
                redirect_uris: ['https://signer.example/callback'],
                jwks: { keys: [publicKey] },
                first_party: true,
              },
              {
                client_id: 'native',
                application_type: 'native',
                redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
              },
              ...(isCore ? [] : DEVICE_CLIENTS),
            ],
            APIS: [
              { identifier: 'https://legacy.example', access_token_type: 'JWT' },
              {
                identifier: 'https://rsa.example',
                access_token_signing_alg: 'RS256',
                single_audience: true,
              },
            ],
            TEST_MIGRATIONS: migrations,
          },
          // For the tests of the limits, in addition to those of wrangler.toml.
          ratelimits: {
            TEST_USER_RATE_LIMIT: { namespace_id: '1', simple: { limit: 15, period: 60 } },
            TEST_CLIENT_RATE_LIMIT: { namespace_id: '2', simple: { limit: 15, period: 60 } },
          },
          // For the test of the export.
          r2Buckets: ['TEST_AUDIT'],
          // For the tests of steps.
          ...(name === 'features' && {
            durableObjects: {
              TEST_STEPPED_USERS: { className: 'SteppedUserObject', useSQLite: true },
              TEST_BOUND_USERS: { className: 'BoundUserObject', useSQLite: true },
              TEST_TOTP_USERS: { className: 'TotpUserObject', useSQLite: true },
              TEST_DEMANDED_TOTP_USERS: { className: 'DemandedTotpUserObject', useSQLite: true },
            },
          }),
          // Providers and apps are reached at their real addresses, without leaving this
          // machine.
          outboundService: createUpstream(),
        },
      })),
    ],
    test: {
      name,
      include,
      exclude: ['test/e2e/**', 'test/soak/**', ...NODE_TESTS, ...exclude],
      provide,
      setupFiles: ['./test/setup.ts'],
      // Each worker is a runtime with its own storage and stand-in, which its files share.
      isolate: false,
      maxWorkers: MAX_WORKERS,
      testTimeout: TEST_TIMEOUT,
    },
  }
}

export default defineConfig({
  test: {
    // No test may depend on another one. To repeat an order: `npm test -- --sequence.seed=<the
    // printed seed>`.
    sequence: { shuffle: true, sequencer: ShuffledSequencer },
    projects: [
      runtimeProject('core', { exclude: [...FEATURE_TESTS, 'test/matrix/**'] }),
      runtimeProject('features', { include: FEATURE_TESTS }),
      {
        esbuild: { exclude: EXAMPLES },
        plugins: [textModules, workersModule],
        test: {
          name: 'node',
          include: NODE_TESTS,
          // Files share a worker.
          isolate: false,
          maxWorkers: MAX_WORKERS,
          testTimeout: TEST_TIMEOUT,
        },
      },
      // Run by `npm run soak` only.
      runtimeProject('matrix', { include: ['test/matrix/**/*.test.ts'] }),
      {
        test: {
          name: 'e2e',
          include: isReadmeWalked ? [README_TEST] : [],
          globalSetup: ['./test/e2e/start-demo.ts'],
          // Vitest runs only projects with the same number at the same time.
          maxWorkers: MAX_WORKERS,
          testTimeout: TEST_TIMEOUT,
          hookTimeout: TEST_TIMEOUT,
        },
      },
      {
        // The commands, certified clients, the deployed bundle, the package, and every page in
        // every state. Run in CI, and in parts by `npm run test:commands`, `test:package` and
        // `test:pages`.
        plugins: [textModules, workersModule],
        test: {
          name: 'more',
          include: ['test/e2e/**/*.test.ts'],
          exclude: [README_TEST],
          globalSetup: ['./test/e2e/start-services.ts'],
          // Files share a worker, so that Chromium and its driver are started once per worker.
          isolate: false,
          maxWorkers: MAX_WORKERS,
          testTimeout: TEST_TIMEOUT,
          hookTimeout: TEST_TIMEOUT,
        },
      },
      {
        // Run by `npm run soak` only.
        test: {
          name: 'soak',
          include: ['test/soak/**/*.test.ts'],
          provide,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
