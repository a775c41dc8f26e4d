import { spawnSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { dirname, relative } from 'node:path'

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

/**
 * Writes lines of `NAME=value` that only the owner of the file may read. The file is replaced at
 * once, so that an interruption does not leave half of the secrets.
 */
export async function writeSecrets(file: string, secrets: Record<string, string>): Promise<void> {
  const lines = Object.entries(secrets).map(([name, value]) => `${name}=${quote(name, value)}\n`)
  // Begins with the name of the file, so that a pattern in .gitignore that ends with * includes it.
  const temporary = `${file}.${randomUUID()}.tmp`
  try {
    await writeFile(temporary, lines.join(''), { mode: 0o600, flag: 'wx' })
    await rename(temporary, file)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Spaces, # and quotes have a meaning in such a file unless the value is in other quotes. */
function quote(name: string, value: string): string {
  if (/^[\w./+=:@~-]*$/.test(value)) return value
  const mark = ["'", '`'].find((mark) => !value.includes(mark))
  if (mark === undefined) throw new Error(`${name} contains both ' and \`, which no format allows.`)
  return mark + value + mark
}
