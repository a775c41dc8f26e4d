import { mkdir, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'
import { minify } from 'terser'

// Wrangler runs this before it runs or deploys what is in dist/ (see docs/decisions/0017).
const isForDevelopment = process.env.WRANGLER_COMMAND === 'dev'

// The first two stand first so that what is alike is near: gzip looks back no further than 32 KiB.
const contents = `
  import './providers/refusal.ts'
  import './signin/routes.ts'
  export * from './index.ts'
  export { default } from './index.ts'
`

const { outputFiles } = await build({
  stdin: { contents, resolveDir: 'src' },
  bundle: true,
  write: false,
  minifySyntax: !isForDevelopment,
  format: 'esm',
  target: 'es2024',
  conditions: ['workerd', 'worker', 'browser'],
  external: ['cloudflare:*'],
  legalComments: 'none',
  sourcemap: isForDevelopment && 'inline',
})
const [{ text }] = outputFiles
const { code } = isForDevelopment
  ? { code: text }
  : await minify(text, { module: true, compress: { passes: 2 } })
await mkdir('dist', { recursive: true })
await writeFile('dist/index.mjs', code)
