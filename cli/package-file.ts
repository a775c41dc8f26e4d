import { existsSync } from 'node:fs'

/**
 * A file of the package, which is one folder above the commands in a clone of the repository, and
 * two when compiled.
 */
export function findPackageFile(path: string): URL {
  const root = existsSync(new URL('../package.json', import.meta.url)) ? '../' : '../../'
  return new URL(root + path, import.meta.url)
}
