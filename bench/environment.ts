import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import * as esbuild from 'esbuild'
import { unstable_readConfig } from 'wrangler'
import { bundle } from '../demo/bundle.ts'
import { ORIGIN } from './connection.ts'
import { serveStorage } from './storage.ts'
import { serveUpstream } from './upstream.ts'
import { type RuntimeOptions, storageSocket, upstreamSocket, type Worker } from './workerd.ts'

export const ROOT = fileURLToPath(new URL('../', import.meta.url))

/** A public deployment with made-up credentials; no request leaves the machine. */
const SETTINGS = {
  AUTH_URL: ORIGIN,
  AUTH_SECRET: 'q3vY8nTz1LkWm5XcRb7HsPj2GdFa9EuQ0iOtNyCxVw4',
  AUTH_TIKTOK_ID: 'sbaw8k2m5q9r4t7w1z',
  AUTH_TIKTOK_SECRET: '5yQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o',
}

export interface WorkerSet {
  service: Worker
  floor: Worker
  empty: Worker
}

/** Everything a run needs. */
export interface Environment {
  options: RuntimeOptions
  workers: WorkerSet
  /** The size of the service's code, compressed with gzip, in KiB. */
  codeSize: number
  remove: () => Promise<void>
}

/** Builds the workers, and starts the servers they talk to: storage and the platform. */
export async function prepareEnvironment(): Promise<Environment> {
  const config = readServiceConfig()
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  const { codeSize, texts } = await bundleService(folder)
  for (const name of ['floor', 'remote-objects', 'unlimited', 'empty'])
    await bundleWorker(folder, name)
  await esbuild.stop()

  const servers = await Promise.all([
    serveUpstream(upstreamSocket(folder)),
    serveStorage(storageSocket(folder, 'floor'), FLOOR_SCHEMA),
    serveStorage(storageSocket(folder, 'service'), await readMigrations()),
  ])
  return {
    options: {
      folder,
      compatibilityDate: config.compatibility_date ?? '',
      compatibilityFlags: config.compatibility_flags,
    },
    workers: {
      service: {
        name: 'service',
        variables: SERVICE_VARIABLES,
        objects: classesByBinding(config.durable_objects.bindings),
        rateLimits: config.ratelimits.map(({ name }: { name: string }) => name),
        texts,
      },
      floor: {
        name: 'floor',
        variables: { ...SETTINGS, KEYS: await generateKeys() },
        objects: { USERS: 'UserObject' },
        rateLimits: [],
        texts: [],
      },
      empty: { name: 'empty', variables: {}, objects: {}, rateLimits: [], texts: [] },
    },
    codeSize,
    async remove() {
      for (const server of servers) server.close()
      await rm(folder, { recursive: true })
    },
  }
}

export function readServiceConfig() {
  process.env['WRANGLER_LOG'] ??= 'error' // Otherwise wrangler reports which files it reads.
  return unstable_readConfig({ config: join(ROOT, 'wrangler.toml') })
}

function classesByBinding(
  bindings: readonly { name: string; class_name: string }[],
): Record<string, string> {
  return Object.fromEntries(bindings.map(({ name, class_name }) => [name, class_name]))
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
async function bundleService(folder: string): Promise<{ codeSize: number; texts: string[] }> {
  const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
  const outdir = join(folder, 'deployed')
  await promisify(execFile)(
    process.execPath,
    [wrangler, 'deploy', '--dry-run', '--outdir', outdir],
    { cwd: ROOT, env: { ...process.env, WRANGLER_SEND_METRICS: 'false' } },
  )
  const code = await readFile(join(outdir, 'index.js'))
  await writeFile(join(folder, 'service.js'), code)
  const texts = (await readdir(outdir)).filter((name) => name.endsWith('.txt'))
  await Promise.all(texts.map((name) => copyFile(join(outdir, name), join(folder, name))))
  return { codeSize: gzipSync(code).length / 1024, texts }
}

async function bundleWorker(folder: string, name: string): Promise<void> {
  const text = await bundle(join(ROOT, 'bench', `${name}.ts`), { minify: true })
  await writeFile(join(folder, `${name}.js`), text)
}

/** The SQL of all migrations, in order. */
export async function readMigrations(): Promise<string> {
  const files = (await readdir(join(ROOT, 'migrations'))).filter((name) => name.endsWith('.sql'))
  const texts = files.sort().map((name) => readFile(join(ROOT, 'migrations', name), 'utf8'))
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
