import { createHash, type Hash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { VERSION } from '../../foundation/values/version.ts'
import { loadWranglerDependency } from './wrangler-dependency.ts'

interface Bundle {
  contents: string
  /** The files that it consists of. */
  inputs: string[]
}

/** A bundle on disk, with the digest of its inputs. */
interface StoredBundle extends Bundle {
  digest: string
}

interface BundleOptions {
  minify?: boolean
  includesTexts?: boolean
}

/**
 * Bundles a module and its imports into one script, with the options wrangler uses for a worker.
 * Unlike wrangler, it includes texts.
 */
export async function bundle(main: string, options: BundleOptions = {}): Promise<string> {
  return (await build(main, options)).contents
}

/**
 * The same, but from the folder, if neither the module nor anything that it imports has changed since
 * it was bundled.
 */
export async function cachedBundle(
  main: string,
  folder = resolve('node_modules/.cache/vestibule-auth'),
): Promise<string> {
  const file = join(folder, `${hash(resolve(main)).digest('hex')}.json`)
  const stored = await readBundle(file)
  if (stored) return stored.contents
  const built = await build(main)
  // A folder that cannot be written costs only time.
  await store(file, folder, built).catch(() => undefined)
  return built.contents
}

/** The stored bundle, or undefined if there is none, or it is no longer the same. */
async function readBundle(file: string): Promise<StoredBundle | undefined> {
  try {
    const stored: StoredBundle = JSON.parse(await readFile(file, 'utf8'))
    return stored.digest === (await digestOf(stored.inputs)) ? stored : undefined
  } catch {
    return undefined
  }
}

/** Several processes may write it at once, and others read it. */
async function store(file: string, folder: string, { contents, inputs }: Bundle): Promise<void> {
  const stored: StoredBundle = { digest: await digestOf(inputs), inputs, contents }
  const temporary = `${file}.${crypto.randomUUID()}`
  await mkdir(folder, { recursive: true })
  await writeFile(temporary, JSON.stringify(stored))
  await rename(temporary, file)
}

async function digestOf(inputs: readonly string[]): Promise<string> {
  const texts = await Promise.all(inputs.map((path) => readFile(path)))
  const all = hash(VERSION)
  for (const [index, text] of texts.entries())
    all.update(`${inputs[index]} ${text.length} `).update(text)
  return all.digest('hex')
}

function hash(text: string): Hash {
  return createHash('sha256').update(text)
}

async function build(
  main: string,
  { minify = false, includesTexts = true }: BundleOptions = {},
): Promise<Bundle> {
  const { build: run } = await loadWranglerDependency('esbuild')
  const { outputFiles, metafile } = await run({
    entryPoints: [main],
    bundle: true,
    write: false,
    metafile: true,
    minify,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*', ...(includesTexts ? [] : ['*.json.txt'])],
    loader: { '.txt': 'text' },
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx',
    logLevel: 'silent',
  })
  return {
    contents: outputFiles.map(({ text }) => text).join(''),
    inputs: Object.keys(metafile.inputs).map((path) => resolve(path)),
  }
}
