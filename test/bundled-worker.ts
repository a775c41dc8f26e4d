import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { type BuildOptions, build, type Plugin as EsbuildPlugin } from 'esbuild'
import type { Plugin } from 'vite'
import type { ParsedStack } from 'vitest'

const FILE_NAME = 'bundled-worker.mjs'

/** For Miniflare, so that the runtime imports the bundle itself. */
export const bundleRule = { type: 'ESModule' as const, include: [`**/${FILE_NAME}`] }

/**
 * Bundles the modules of a Worker, because a runtime otherwise asks this process for each of them
 * and for each of their imports. A test that imports one of them gets the one in the bundle.
 */
export function bundledWorker(main: string, plugins: EsbuildPlugin[] = []): Plugin {
  const folder = mkdtempSync(join(tmpdir(), 'vestibule-worker-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const outfile = join(folder, FILE_NAME)
  let names: Promise<ReadonlyMap<string, string>> | undefined
  return {
    name: 'bundled-worker',
    enforce: 'pre',
    // Vitest reads this from the project, although it says that only the root has it.
    configureVitest({ project }) {
      Object.assign(project.config, { onStackTrace: showSource })
    },
    async load(id) {
      names ??= bundleModules(main, outfile, plugins)
      const name = (await names).get(id)
      return name && reexport(name, { id, outfile })
    },
  }
}

/** Writes the bundle. Returns the names that it exports the modules as, by their paths. */
async function bundleModules(
  main: string,
  outfile: string,
  plugins: EsbuildPlugin[],
): Promise<ReadonlyMap<string, string>> {
  const options = {
    bundle: true,
    format: 'esm',
    target: 'esnext',
    // As @cloudflare/vitest-plugin resolves packages.
    conditions: ['workerd', 'worker', 'module', 'browser', 'development'],
    mainFields: ['browser', 'module', 'jsnext:main', 'jsnext', 'main'],
    external: ['cloudflare:*'],
    loader: { '.txt': 'text' },
    keepNames: true,
    outfile,
    plugins,
  } as const satisfies BuildOptions
  const { metafile } = await build({
    ...options,
    entryPoints: [main],
    metafile: true,
    write: false,
  })
  const paths = Object.keys(metafile.inputs).filter((path) => !path.endsWith('.txt'))
  const names = new Map(paths.map((path, index) => [resolve(path), `module${index}`]))
  const lines = Array.from(names, ([path, name]) => `export * as ${name} from '${path}'`)
  await build({
    ...options,
    stdin: { contents: lines.join('\n'), resolveDir: '.' },
    sourcemap: 'linked',
  })
  return names
}

/** Code that exports what a module in the bundle exports, as Vite compiles `export *`. */
function reexport(name: string, { id, outfile }: { id: string; outfile: string }): string {
  const hasDefault = /\bexport default\b|\bas default\b/.test(readFileSync(id, 'utf8'))
  return `
    import { ${name} } from ${JSON.stringify(outfile)}
    __vite_ssr_exportAll__(${name})
    ${hasDefault ? `export default ${name}.default` : ''}`
}

const sourceMaps = new Map<string, SourceMap>()

/** Makes the stacks of failed tests name the files that are in the bundle. */
function showSource(_error: unknown, frame: ParsedStack): void {
  // The runtime calls the bundle by its path without the first slash.
  const [path = ''] = `/${relative('.', frame.file)}`.split('?')
  if (!path.endsWith(FILE_NAME)) return
  const map = sourceMaps.get(path) ?? new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')))
  sourceMaps.set(path, map)
  const entry = map.findEntry(frame.line - 1, frame.column - 1)
  if (!('originalSource' in entry)) return
  frame.file = resolve(path, '..', entry.originalSource)
  frame.line = entry.originalLine + 1
  frame.column = entry.originalColumn + 1
}
