import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type * as Esbuild from 'esbuild'
import type { VestibuleOptions } from '../../src/options.ts'

/** The module with createVestibule: TypeScript in a clone of the repository, JavaScript in the package. */
const ENTRY_POINT = fileURLToPath(
  new URL(`../../src/vestibule${extname(import.meta.url)}`, import.meta.url),
)

/** Receives the options while the entry file runs. */
const RECORDER = Symbol.for('vestibule.recordOptions')

/**
 * Runs the entry file of a deployment, without the Workers runtime, to find out which options it passes to
 * createVestibule. The file runs as it does when a Worker starts: only its top level.
 */
export async function readOptions(main: string): Promise<VestibuleOptions> {
  const recorded: VestibuleOptions[] = []
  Object.assign(globalThis, {
    [RECORDER](options: VestibuleOptions) {
      recorded.push(options)
      return { worker: {}, objects: {} }
    },
  })
  const code = await bundle(main)
  await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
  const [options] = recorded
  if (!options) throw new Error(`${main} does not call createVestibule`)
  return options
}

async function bundle(main: string): Promise<string> {
  const { outputFiles } = await loadEsbuild().build({
    entryPoints: [main],
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
    plugins: [replaceCreateVestibule, replaceRuntimeModules],
  })
  return outputFiles?.map(({ text }) => text).join('') ?? ''
}

/** Wrangler brings the version of esbuild that it bundles with. */
function loadEsbuild(): typeof Esbuild {
  const wrangler = fileURLToPath(import.meta.resolve('wrangler'))
  return createRequire(wrangler)('esbuild')
}

/** Replaces createVestibule by a function that records its options; everything else in its module stays. */
const replaceCreateVestibule: Esbuild.Plugin = {
  name: 'replace-create-vestibule',
  setup(build) {
    const namespace = 'recorder'
    build.onResolve({ filter: /(^|\/)vestibule(\.[jt]s)?$/ }, async (args) => {
      if (args.namespace === namespace || args.kind === 'entry-point' || args.pluginData) return
      const { importer, resolveDir, kind } = args
      const resolved = await build.resolve(args.path, {
        importer,
        resolveDir,
        kind,
        pluginData: true,
      })
      if (args.path !== 'vestibule' && resolved.path !== ENTRY_POINT) return
      if (resolved.errors.length > 0) return resolved
      return { path: resolved.path, namespace }
    })
    build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: `export * from ${JSON.stringify(path)}
        export const createVestibule = globalThis[Symbol.for(${JSON.stringify(RECORDER.description)})]`,
      resolveDir: '/',
    }))
  },
}

/** The modules of the Workers runtime do not exist in Node: every export is an empty class. */
const replaceRuntimeModules: Esbuild.Plugin = {
  name: 'replace-runtime-modules',
  setup(build) {
    const namespace = 'runtime'
    build.onResolve({ filter: /^cloudflare:/ }, ({ path }) => ({ path, namespace }))
    build.onLoad({ filter: /.*/, namespace }, () => ({
      contents: 'module.exports = new Proxy({}, { get: () => class {} })',
    }))
  },
}
