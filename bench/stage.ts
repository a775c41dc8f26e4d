import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import * as esbuild from 'esbuild'
import { unstable_readConfig } from 'wrangler'
import { bundle } from '../demo/bundle.ts'
import { serveStorage } from './storage.ts'
import { serveUpstream } from './upstream.ts'
import { type Stage, storageSocket, upstreamSocket, type Worker } from './workerd.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))

/** A public deployment like any other; nobody else answers at these addresses. */
const SETTINGS = {
  AUTH_URL: 'https://login.example',
  AUTH_SECRET: 'q3vY8nTz1LkWm5XcRb7HsPj2GdFa9EuQ0iOtNyCxVw4',
  AUTH_TIKTOK_ID: 'sbaw8k2m5q9r4t7w1z',
  AUTH_TIKTOK_SECRET: '5yQ0cVnB7sTzKp3HgXwE9mRdU2fLaJ6o',
}

/** Everything a run needs. */
export interface Scene {
  stage: Stage
  service: Worker
  floor: Worker
  empty: Worker
  /** What the service's bundle weighs, compressed, in KiB as wrangler counts them. */
  gzip: number
  clear: () => Promise<void>
}

/** Builds the workers and serves what is around them. The service's log is printed, or only made. */
export async function setStage({ logging }: { logging: boolean }): Promise<Scene> {
  process.env['WRANGLER_LOG'] ??= 'error' // or it reports which files it reads
  const config = unstable_readConfig({ config: join(ROOT, 'wrangler.toml') })
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  const stage = {
    folder,
    compatibilityDate: config.compatibility_date ?? '',
    compatibilityFlags: config.compatibility_flags,
  }
  const gzip = await bundleService(folder, logging)
  for (const name of ['floor', 'far-objects', 'empty']) await bundleBare(folder, name)
  await esbuild.stop()

  const servers = await Promise.all([
    serveUpstream(upstreamSocket(folder)),
    serveStorage(storageSocket(folder, 'floor'), FLOOR_SCHEMA),
    serveStorage(storageSocket(folder, 'service'), await readMigrations()),
  ])
  return {
    stage,
    gzip,
    service: {
      name: 'service',
      variables: {
        ...SETTINGS,
        AUTH_TIKTOK_SCOPE: 'user.info.basic,user.info.profile',
        CLIENTS: [client('app', 'ES256'), client('app-rs256', 'RS256')],
      },
      objects: objectsOf(config.durable_objects.bindings),
    },
    floor: {
      name: 'floor',
      variables: { ...SETTINGS, KEYS: await makeKeys() },
      objects: { USERS: 'PersonObject' },
    },
    empty: { name: 'empty', variables: {}, objects: {} },
    async clear() {
      for (const server of servers) server.close()
      await rm(folder, { recursive: true })
    },
  }
}

function objectsOf(bindings: { name: string; class_name: string }[]): Record<string, string> {
  return Object.fromEntries(bindings.map(({ name, class_name }) => [name, class_name]))
}

const FLOOR_SCHEMA =
  'CREATE TABLE people (open_id TEXT PRIMARY KEY, id TEXT, name TEXT, username TEXT, image TEXT)'

/** The floor knows the same two. */
function client(client_id: string, id_token_signed_response_alg: string) {
  const redirect_uris = ['https://app.example/callback']
  return { client_id, redirect_uris, first_party: true, id_token_signed_response_alg }
}

/** Log lines are made, and not printed: only workerd on a machine of your own writes them to a file. */
const SILENCE = "for (const level of ['log', 'warn', 'error']) console[level] = () => {};\n"

/** Exactly what would be deployed. */
async function bundleService(folder: string, logging: boolean): Promise<number> {
  const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
  const outdir = join(folder, 'deployed')
  await promisify(execFile)(
    process.execPath,
    [wrangler, 'deploy', '--dry-run', '--outdir', outdir],
    { cwd: ROOT, env: { ...process.env, WRANGLER_SEND_METRICS: 'false' } },
  )
  const text = await readFile(join(outdir, 'index.mjs'))
  await writeFile(join(folder, 'service.js'), `${logging ? '' : SILENCE}${text}`)
  return gzipSync(text).length / 1024
}

async function bundleBare(folder: string, name: string): Promise<void> {
  const text = await bundle(join(ROOT, 'bench', `${name}.ts`), { minify: true })
  await writeFile(join(folder, `${name}.js`), text)
}

async function readMigrations(): Promise<string> {
  const files = (await readdir(join(ROOT, 'migrations'))).filter((name) => name.endsWith('.sql'))
  const texts = files.sort().map((name) => readFile(join(ROOT, 'migrations', name), 'utf8'))
  return (await Promise.all(texts)).join('\n')
}

async function makeKeys() {
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
