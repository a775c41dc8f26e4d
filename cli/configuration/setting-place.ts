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
  { configPath, vars, environment }: Pick<WranglerConfig, 'configPath' | 'vars' | 'environment'>,
): string {
  const value = path.reduce<unknown>((parent, key) => Object(parent)[key], vars)
  if (value === undefined || !configPath.endsWith('.toml')) return ''
  const line = findLine(readFileSync(configPath, 'utf8').split('\n'), path, environment)
  if (line === undefined) return ''
  const place = `in line ${line} of ${basename(configPath)}.`
  // What an unknown setting contains is not known either.
  const isUnknownSetting = code === 'unknown' && path.length === 1
  const isSensitive = isUnknownSetting || path.some((name) => SENSITIVE.test(String(name)))
  return isSensitive ? ` It is ${place}` : ` It is ${JSON.stringify(value)} ${place}`
}

/**
 * The number of the line that sets this variable, or this field of an entry of a list of tables, in
 * the tables of this environment.
 */
function findLine(
  lines: readonly string[],
  [name, index, field]: Problem['path'],
  environment: string | undefined,
): number | undefined {
  const vars = environment === undefined ? 'vars' : `env.${environment}.vars`
  const table = index === undefined ? `[${vars}]` : `[[${vars}.${name}]]`
  const start = linesOf(lines, (line) => line.startsWith(table))[Number(index ?? 0)]
  if (start === undefined) return undefined
  const [length = lines.length] = linesOf(lines.slice(start + 1), (line) => line.startsWith('['))
  const isSet = (line: string) => new RegExp(`^${field ?? name}\\s*=`).test(line)
  const [offset] = linesOf(lines.slice(start + 1, start + 1 + length), isSet)
  return offset === undefined ? undefined : start + offset + 2
}

/** The indexes of the lines that meet a condition, which ignores the space before them. */
function linesOf(lines: readonly string[], condition: (line: string) => boolean): number[] {
  return lines.flatMap((line, index) => (condition(line.trimStart()) ? [index] : []))
}
