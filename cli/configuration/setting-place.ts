import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Problem } from '../../src/foundation/values/problem.ts'
import type { WranglerConfig } from './read-settings.ts'

/** The names of values that may be secret, or that a secret was entered in by mistake. */
const SENSITIVE = /secret|password|key|jwk/i

/**
 * The value that is wrong and its line, such as ` It is "http://a.example" in line 21 of
 * wrangler.toml.` Without the value if that may be a secret. Empty if it is not in this file.
 */
export function describePlace(
  { path, code }: Pick<Problem, 'path' | 'code'>,
  { configPath, vars }: Pick<WranglerConfig, 'configPath' | 'vars'>,
): string {
  const value = path.reduce<unknown>((parent, key) => Object(parent)[key], vars)
  if (value === undefined || !configPath.endsWith('.toml')) return ''
  const line = findLine(readFileSync(configPath, 'utf8').split('\n'), path)
  if (line === undefined) return ''
  const place = `in line ${line} of ${basename(configPath)}.`
  // What an unknown setting contains is not known either.
  const isUnknownSetting = code === 'unknown' && path.length === 1
  const isSensitive = isUnknownSetting || path.some((name) => SENSITIVE.test(String(name)))
  return isSensitive ? ` It is ${place}` : ` It is ${JSON.stringify(value)} ${place}`
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
