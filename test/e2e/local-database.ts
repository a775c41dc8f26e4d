import { globSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Opens the file in which wrangler keeps the local database of the deployment in a folder. */
export function openLocalDatabase(folder: string): DatabaseSync {
  const files = globSync('.wrangler/state/v3/d1/*/*.sqlite', { cwd: folder })
  const [file = ''] = files.filter((path) => !path.endsWith('metadata.sqlite'))
  return new DatabaseSync(join(folder, file))
}
