import { readFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

/** In a clone of the repository, Node runs TypeScript but not JSX. */
registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith('.tsx')) return nextLoad(url, context)
    // Loaded on demand, because most commands have no JSX.
    const { transformSync }: typeof import('esbuild') = createRequire(import.meta.url)('esbuild')
    const { code } = transformSync(readFileSync(fileURLToPath(url), 'utf8'), {
      loader: 'tsx',
      jsx: 'automatic',
      jsxImportSource: 'hono/jsx',
    })
    return { format: 'module', source: code, shortCircuit: true }
  },
})
