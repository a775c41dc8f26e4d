import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'

/** Replaces a file at once: an interrupted command leaves the former one. */
export async function replaceFile(path: string, text: string, mode: number): Promise<void> {
  // Begins with the name of the file, so that a pattern in .gitignore that ends with * includes it.
  const temporary = `${path}.${randomUUID()}.tmp`
  try {
    await writeFile(temporary, text, { mode, flag: 'wx' })
    await rename(temporary, path)
  } finally {
    await rm(temporary, { force: true })
  }
}
