import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { dirname, extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type * as Esbuild from 'esbuild'
import type { VestibuleOptions } from '../../src/core/config/vestibule-options.ts'
import { errorMessage } from '../error-message.ts'

/**
 * The module with createVestibule: TypeScript in a clone of the repository, JavaScript in the
 * package.
 */
const ENTRY_POINT = fileURLToPath(
  new URL(`../../src/vestibule${extname(import.meta.url)}`, import.meta.url),
)

export interface EntryFile {
  options: VestibuleOptions
  exportedNames: readonly string[]
  /** The object classes that it exports, under these names, and what the service calls them. */
  classNames: Readonly<Record<string, string>>
  /** The handlers of requests and of Cron Triggers that the default export has. */
  handlers: readonly string[]
}

const HANDLERS = ['fetch', 'scheduled']

const OWN_CLASSES = [
  'UserObject',
  'KeyringObject',
  'GuardObject',
  'RevocationsObject',
  'ClientMetadataObject',
]

/**
 * Runs the entry file of a deployment, without the Workers runtime, to find out which options it
 * passes to createVestibule. The file runs as it does when a Worker starts: only its top level.
 */
export async function readEntryFile(main: string): Promise<EntryFile> {
  const recorded: VestibuleOptions[] = []
  const classes = new Map<unknown, string>()
  // The name is new each time, because Node would not run the same code twice.
  const recorder = `recordOptions_${randomUUID()}`
  Object.assign(globalThis, {
    [recorder](options: VestibuleOptions) {
      recorded.push(options)
      const worker = Object.fromEntries(HANDLERS.map((name) => [name, () => {}]))
      const objects = objectsOf(options)
      for (const [name, object] of Object.entries(objects)) classes.set(object, name)
      return { worker, objects }
    },
  })
  const code = await bundle(main, recorder)
  const module = await runModule(code)
  const [options] = recorded
  if (!options) throw new EntryFileError(`${main} does not call createVestibule`)
  // A class has its handlers in the prototype.
  const { default: worker } = module
  const has = (name: string) => typeof (worker?.[name] ?? worker?.prototype?.[name]) === 'function'
  const exportedNames = Object.keys(module).filter((name) => module[name] !== undefined)
  return {
    options,
    exportedNames,
    classNames: Object.fromEntries(
      exportedNames.flatMap((name) => {
        const known = baseClasses(module[name]).find((base) => classes.has(base))
        return known === undefined ? [] : [[name, classes.get(known) ?? name]]
      }),
    ),
    handlers: HANDLERS.filter(has),
  }
}

/** The entry file could be read, but not run. */
export class EntryFileError extends Error {
  override readonly name = 'EntryFileError'
}

async function runModule(code: string) {
  try {
    return await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
  } catch (cause) {
    throw new EntryFileError(errorMessage(cause), { cause })
  }
}

/** A class, and those that it extends. */
function baseClasses(value: unknown): unknown[] {
  return typeof value === 'function' ? [value, ...baseClasses(Object.getPrototypeOf(value))] : []
}

/** The object classes of the core and of the features. */
function objectsOf({ features = [] }: VestibuleOptions): Record<string, unknown> {
  const own = Object.fromEntries(OWN_CLASSES.map((name) => [name, class {}]))
  return Object.assign(own, ...features.map(({ objects }) => objects))
}

async function bundle(main: string, recorder: string): Promise<string> {
  const { outputFiles } = await loadEsbuild().build({
    entryPoints: [main],
    absWorkingDir: dirname(main),
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['node:*'],
    // The types of files that wrangler imports as text or data.
    loader: {
      '.txt': 'text',
      '.html': 'text',
      '.sql': 'text',
      '.bin': 'binary',
      '.wasm': 'binary',
    },
    logLevel: 'silent',
    plugins: [replaceCreateVestibule(recorder), replaceRuntimeModules],
  })
  return outputFiles?.map(({ text }) => text).join('') ?? ''
}

/** Wrangler brings the version of esbuild that it bundles with. */
function loadEsbuild(): typeof Esbuild {
  const wrangler = fileURLToPath(import.meta.resolve('wrangler'))
  return createRequire(wrangler)('esbuild')
}

/**
 * Replaces createVestibule by a global function that records its options; the rest of its module
 * stays.
 */
function replaceCreateVestibule(recorder: string): Esbuild.Plugin {
  const namespace = 'recorder'
  return {
    name: 'replace-create-vestibule',
    setup(build) {
      build.onResolve({ filter: /^vestibule-auth$|\/vestibule\.[jt]s$/ }, async (args) => {
        const { path, importer, resolveDir, kind } = args
        if (args.namespace === namespace || kind === 'entry-point' || args.pluginData) return
        const options = { importer, resolveDir, kind, pluginData: 'resolving' }
        const resolved = await build.resolve(path, options)
        if (resolved.errors.length > 0) return resolved
        if (path !== 'vestibule-auth' && resolved.path !== ENTRY_POINT) return
        return { path: resolved.path, namespace }
      })
      build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
        contents: `export * from ${JSON.stringify(path)}
          export const createVestibule = globalThis[${JSON.stringify(recorder)}]`,
        resolveDir: '/',
      }))
    },
  }
}

/** The modules of the Workers runtime do not exist in Node: every export is an empty class. */
const replaceRuntimeModules: Esbuild.Plugin = {
  name: 'replace-runtime-modules',
  setup(build) {
    const namespace = 'runtime'
    build.onResolve({ filter: /^cloudflare:/ }, ({ path }) => ({ path, namespace }))
    build.onLoad({ filter: /.*/, namespace }, () => ({
      // Of a module, esbuild keeps only the prototype and the properties that are listed.
      contents: 'module.exports = Object.create(new Proxy({}, { get: () => class {} }))',
    }))
  },
}
