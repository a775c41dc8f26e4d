import { createRequire } from 'node:module'
import { join } from 'node:path'

/** What runs a Worker on this machine. Deployments have wrangler anyway, and apps add it for tests. */
interface Dependencies {
  esbuild: typeof import('esbuild')
  miniflare: typeof import('miniflare')
  wrangler: typeof import('wrangler')
}

/** Loads wrangler, or a dependency of it in the version that it was tested with. */
export async function loadWranglerDependency<Name extends keyof Dependencies>(
  name: Name,
): Promise<Dependencies[Name]> {
  return createRequire(findWrangler())(name)
}

/** Also in the project, because a package that is linked is in another folder. */
function findWrangler(): string {
  for (const place of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      return createRequire(place).resolve('wrangler/package.json')
    } catch {
      // Not installed there.
    }
  }
  throw new Error(
    'The login service runs in the runtime of Cloudflare, which wrangler installs. Run `npm install --save-dev wrangler`.',
  )
}
