import { loadWranglerDependency } from './wrangler-dependency.ts'

/**
 * Bundles a module and its imports into one script, with the options wrangler uses for a worker.
 * Unlike wrangler, it includes texts.
 */
export async function bundle(
  main: string,
  { minify = false, includesTexts = true } = {},
): Promise<string> {
  const { build } = await loadWranglerDependency('esbuild')
  const { outputFiles } = await build({
    entryPoints: [main],
    bundle: true,
    write: false,
    minify,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*', ...(includesTexts ? [] : ['*.json.txt'])],
    loader: { '.txt': 'text' },
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx',
    logLevel: 'silent',
  })
  return outputFiles.map(({ text }) => text).join('')
}
