import { execFile } from 'node:child_process'
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import * as esbuild from 'esbuild'
import { unstable_readConfig } from 'wrangler'
import { bundle } from '../src/libraries/testing/bundle.ts'
import { ORIGIN } from './connection.ts'
import { serveStorage } from './storage.ts'
import { serveUpstream } from './upstream.ts'
import { type RuntimeOptions, storageSocket, upstreamSocket, type Worker } from './workerd.ts'

export const ROOT = fileURLToPath(new URL('../', import.meta.url))

const run = promisify(execFile)

/** A public deployment with made-up credentials; no request leaves the machine. */
const SETTINGS = {
  AUTH_URL: ORIGIN,
  AUTH_SECRET: 'q3vY8nTz1LkWm5XcRb7HsPj2GdFa9EuQ0iOtNyCxVw4',
  AUTH_TIKTOK_ID: 'sbaw8k2m5q9r4t7w1z',
  AUTH_TIKTOK_SECRET: '5yQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o',
}

/** A figure for the core alone, for the template, and for the deployment with every feature. */
export interface PerDeployment {
  core: number
  template: number
  everything: number
}

export interface WorkerSet {
  /** The same as `service` in an earlier version, if there is one to compare with. */
  release: Worker | undefined
  /** This repository's deployment, which has every feature. */
  service: Worker
  /** What `vestibule-auth init` creates. */
  template: Worker
  /** One provider and no feature. */
  core: Worker
  floor: Worker
}

/** Everything a run needs. */
export interface Environment {
  options: RuntimeOptions
  workers: WorkerSet
  /** The sizes of the code, compressed with gzip, in KiB. */
  codeSize: PerDeployment
  remove: () => Promise<void>
}

/**
 * Builds the workers, and starts the servers they talk to: storage and the platform. `release` is
 * the Git revision to compare with.
 */
export async function prepareEnvironment(release?: string): Promise<Environment> {
  const config = readServiceConfig()
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  const [service, template, core] = await Promise.all([
    bundleService(folder, 'service', ['--config', join(ROOT, 'wrangler.toml')]),
    bundleService(folder, 'template', [
      ...['--config', join(ROOT, 'template/wrangler.toml')],
      ...Object.entries(PACKAGE).flatMap(([name, file]) => [
        '--alias',
        `${name}:${join(ROOT, file)}`,
      ]),
    ]),
    bundleService(folder, 'core', ['--config', await writeCoreConfig(folder, config)]),
  ])
  for (const name of ['floor', 'remote-objects', 'unlimited', 'empty'])
    await bundleWorker(folder, name)
  await esbuild.stop()
  const earlier = release === undefined ? undefined : await prepareRelease(folder, release)

  const servers = await Promise.all([
    serveUpstream(upstreamSocket(folder)),
    serveStorage(storageSocket(folder, 'floor'), FLOOR_SCHEMA),
    serveStorage(storageSocket(folder, 'service'), await readMigrations()),
    ...(earlier ? [serveStorage(storageSocket(folder, 'release'), earlier.migrations)] : []),
  ])
  return {
    options: {
      folder,
      compatibilityDate: config.compatibility_date ?? '',
      compatibilityFlags: config.compatibility_flags,
    },
    workers: {
      release: earlier?.worker,
      service: {
        name: 'service',
        variables: SERVICE_VARIABLES,
        ...bindingsOf(config),
        texts: service.texts,
      },
      template: {
        name: 'template',
        variables: SERVICE_VARIABLES,
        ...bindingsOf(readConfig('template/wrangler.toml')),
        texts: template.texts,
      },
      core: {
        name: 'core',
        variables: SERVICE_VARIABLES,
        ...bindingsOf(config, CORE_CLASSES),
        texts: core.texts,
      },
      floor: {
        name: 'floor',
        variables: { ...SETTINGS, KEYS: await generateKeys() },
        objects: { USERS: 'UserObject' },
        rateLimits: [],
        texts: [],
      },
    },
    codeSize: { core: core.size, template: template.size, everything: service.size },
    async remove() {
      for (const server of servers) server.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** Bundles the service as it was in a Git revision, with the packages that are installed now. */
async function prepareRelease(folder: string, revision: string) {
  const root = join(folder, 'release')
  const archive = `${root}.tar`
  await mkdir(root)
  await run('git', ['archive', `--output=${archive}`, revision], { cwd: ROOT })
  await run('tar', ['-xf', archive, '-C', root])
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  const { texts } = await bundleService(
    folder,
    'release',
    ['--config', join(root, 'wrangler.toml')],
    root,
  )
  const worker: Worker = {
    name: 'release',
    variables: SERVICE_VARIABLES,
    ...bindingsOf(readConfig('wrangler.toml', root)),
    texts,
  }
  return { worker, migrations: await readMigrations(root) }
}

/** The last release, or undefined if there is none yet. */
export async function findRelease(): Promise<string | undefined> {
  const tags = ['tag', '--list', 'v*', '--sort=-version:refname', '--merged=HEAD']
  const { stdout } = await run('git', tags, { cwd: ROOT })
  return stdout.split('\n')[0] || undefined
}

export function readServiceConfig() {
  return readConfig('wrangler.toml')
}

type WranglerConfig = ReturnType<typeof unstable_readConfig>

function readConfig(path: string, root = ROOT): WranglerConfig {
  process.env['WRANGLER_LOG'] ??= 'error' // Otherwise wrangler reports which files it reads.
  return unstable_readConfig({ config: join(root, path) })
}

/** The object classes that a deployment without features has. */
const CORE_CLASSES = [
  'UserObject',
  'KeyringObject',
  'GuardObject',
  'RevocationsObject',
  'ClientMetadataObject',
]

function bindingsOf(
  config: WranglerConfig,
  exported?: readonly string[],
): Pick<Worker, 'objects' | 'rateLimits'> {
  const classes: { name: string; class_name: string }[] = config.durable_objects.bindings
  const isExported = (name: string) => exported?.includes(name) ?? true
  return {
    objects: Object.fromEntries(
      classes
        .filter(({ class_name }) => isExported(class_name))
        .map(({ name, class_name }) => [name, class_name]),
    ),
    rateLimits: config.ratelimits.map(({ name }: { name: string }) => name),
  }
}

/** The floor has the same two clients. */
export const SERVICE_VARIABLES = {
  ...SETTINGS,
  AUTH_TIKTOK_SCOPE: 'user.info.basic,user.info.profile',
  CLIENTS: [client('app', 'ES256'), client('app-rs256', 'RS256')],
}

function client(client_id: string, id_token_signed_response_alg: string) {
  const redirect_uris = ['https://app.example/callback']
  return { client_id, redirect_uris, first_party: true, id_token_signed_response_alg }
}

const FLOOR_SCHEMA =
  'CREATE TABLE users (open_id TEXT PRIMARY KEY, id TEXT, name TEXT, username TEXT, image TEXT)'

/** Writes exactly what `wrangler deploy` would upload: the code, and the modules that are text. */
async function bundleService(
  folder: string,
  name: string,
  options: readonly string[],
  root = ROOT,
): Promise<{ size: number; texts: string[] }> {
  const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
  const outdir = join(folder, `deployed-${name}`)
  await run(process.execPath, [wrangler, 'deploy', '--dry-run', '--outdir', outdir, ...options], {
    cwd: root,
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  })
  const [script = ''] = (await readdir(outdir)).filter((file) => file.endsWith('.js'))
  const code = await readFile(join(outdir, script))
  await writeFile(join(folder, `${name}.js`), code)
  const texts = (await readdir(outdir)).filter((name) => name.endsWith('.txt'))
  await Promise.all(texts.map((name) => copyFile(join(outdir, name), join(folder, name))))
  return { size: gzipSync(code).length / 1024, texts }
}

/** The package's entry points, as the template imports them. */
const PACKAGE = {
  'vestibule-auth': 'src/vestibule.ts',
  'vestibule-auth/features': 'src/features.ts',
  'vestibule-auth/providers': 'src/providers.ts',
}

/** The core is bundled like this repository's deployment. */
async function writeCoreConfig(folder: string, config: WranglerConfig): Promise<string> {
  const { compatibility_date, compatibility_flags, minify, keep_names } = config
  const path = join(folder, 'core.json')
  const main = join(ROOT, 'bench/core.ts')
  const core = { name: 'core', main, compatibility_date, compatibility_flags, minify, keep_names }
  await writeFile(path, JSON.stringify(core))
  return path
}

async function bundleWorker(folder: string, name: string): Promise<void> {
  const text = await bundle(join(ROOT, 'bench', `${name}.ts`), { minify: true })
  await writeFile(join(folder, `${name}.js`), text)
}

/** The SQL of all migrations, in order. */
export async function readMigrations(root = ROOT): Promise<string> {
  const files = (await readdir(join(root, 'migrations'))).filter((name) => name.endsWith('.sql'))
  const texts = files.sort().map((name) => readFile(join(root, 'migrations', name), 'utf8'))
  return (await Promise.all(texts)).join('\n')
}

async function generateKeys() {
  const curve = { name: 'ECDSA', namedCurve: 'P-256' }
  const rsa = {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: 'SHA-256',
  }
  const [ES256, RS256] = await Promise.all([
    crypto.subtle.generateKey(curve, true, ['sign', 'verify']),
    crypto.subtle.generateKey(rsa, true, ['sign', 'verify']),
  ])
  return {
    ES256: await crypto.subtle.exportKey('jwk', ES256.privateKey),
    RS256: await crypto.subtle.exportKey('jwk', RS256.privateKey),
  }
}
