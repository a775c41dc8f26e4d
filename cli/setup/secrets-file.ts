import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { dirname, relative } from 'node:path'
import { replaceFile } from '../replace-file.ts'

/** Random enough for AUTH_SECRET. */
export function createSecret(): string {
  return randomBytes(32).toString('base64')
}

/**
 * Whether git would not add this file. Without git there is nothing to add it to. The folder has to
 * exist.
 */
export function isIgnoredByGit(file: string, folder = dirname(file)): boolean {
  const { status } = spawnSync('git', ['check-ignore', '--quiet', relative(folder, file)], {
    cwd: folder,
  })
  return status !== 1
}

/** Writes lines of `NAME=value` that only the owner of the file may read. */
export async function writeSecrets(file: string, secrets: Record<string, string>): Promise<void> {
  const lines = Object.entries(secrets).map(([name, value]) => `${name}=${quote(name, value)}\n`)
  await replaceFile(file, lines.join(''), 0o600)
}

/** Spaces, # and quotes have a meaning in such a file unless the value is in other quotes. */
function quote(name: string, value: string): string {
  if (/^[\w./+=:@~-]*$/.test(value)) return value
  const mark = ["'", '`'].find((mark) => !value.includes(mark))
  if (mark === undefined) throw new Error(`${name} contains both ' and \`, which no format allows.`)
  return mark + value + mark
}
