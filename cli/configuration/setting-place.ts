import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Problem } from '../../src/values/problem.ts'
import { SECRET_NAME, type WranglerConfig } from './read-settings.ts'

/**
 * The value that is wrong and its line, such as ` It is "http://a.example" in line 21 of
 * wrangler.toml.` Empty if the value is not in this file: it may be a secret.
 */
export function describePlace(
  { path }: Pick<Problem, 'path'>,
  { configPath, vars }: Pick<WranglerConfig, 'configPath' | 'vars'>,
): string {
  const value = path.reduce<unknown>((parent, key) => Object(parent)[key], vars)
  const isSecret = SECRET_NAME.test(String(path[0])) || path.at(-1) === 'client_secret'
  if (value === undefined || isSecret || !configPath.endsWith('.toml')) return ''
  const line = findLine(readFileSync(configPath, 'utf8').split('\n'), path)
  if (line === undefined) return ''
  return ` It is ${JSON.stringify(value)} in line ${line} of ${basename(configPath)}.`
}

/** The number of the line that sets this variable, or this field of an entry of a list of tables. */
function findLine(lines: readonly string[], [name, index, field]: Problem['path']) {
  const table = new RegExp(String.raw`^\s*\[\[(env\.\w+\.)?vars\.${name}\]\]`)
  const headers = lines.flatMap((line, number) => (table.test(line) ? [number] : []))
  const start = index === undefined ? 0 : headers[Number(index)]
  if (start === undefined) return undefined
  const setting = new RegExp(String.raw`^\s*${field ?? name}\s*=`)
  const offset = lines.slice(start).findIndex((line) => setting.test(line))
  return offset === -1 ? undefined : start + offset + 1
}
