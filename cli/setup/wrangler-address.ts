import { readFile, writeFile } from 'node:fs/promises'

/**
 * Replaces AUTH_URL in wrangler.toml, for one of its environments, and keeps everything else,
 * including comments. Returns false if the line is not where the template has it.
 */
export async function replaceAddress(
  file: string,
  env: string | undefined,
  origin: string,
): Promise<boolean> {
  const text = await readFile(file, 'utf8')
  const table = env === undefined ? '[vars]' : `[env.${env}.vars]`
  let isInTable = false
  let isReplaced = false
  const lines = text.split('\n').map((line) => {
    if (line.startsWith('[')) isInTable = line.trim() === table
    if (!isInTable || isReplaced || !/^\s*AUTH_URL\s*=/.test(line)) return line
    isReplaced = true
    return `AUTH_URL = "${origin}"`
  })
  if (isReplaced) await writeFile(file, lines.join('\n'))
  return isReplaced
}
