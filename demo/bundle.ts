import * as esbuild from 'esbuild'

/** One module and all it imports as a single text, resolved as Cloudflare's own tools do. */
export async function bundle(main: string, { minify = false } = {}): Promise<string> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [main],
    bundle: true,
    write: false,
    minify,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    external: ['cloudflare:*'],
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx',
    logLevel: 'silent',
  })
  return outputFiles.map(({ text }) => text).join('')
}
