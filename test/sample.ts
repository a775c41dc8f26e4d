import type {} from 'vitest'

/**
 * Tests whose rows `npm test` runs in part: tables over the whole service, whose every row starts a
 * deployment or a dozen sign-ins, and which fail together when something fundamental breaks. CI
 * runs all of them.
 */
const TABLES = [
  'combined/clocks',
  'combined/ends/',
  'combined/kinds/',
  'combined/lock-out',
  'combined/remains/',
  'combined/route-rules',
  'combined/single-use/',
  'providers/auth-js',
]

/** One of so many rows runs, which the seed of the run decides. */
export const ROWS = 10

/** Which rows of the tables run. */
export interface Sample {
  /** The seed of the run, which is printed. */
  seed: number
  isWhole: boolean
  /** The files that differ from `main`. */
  changed: readonly string[]
}

declare module 'vitest' {
  interface ProvidedContext {
    sample: Sample
  }
}

/**
 * Whether a test runs: if it is no row of a table or checks the table itself, if its table was
 * changed, if its name contains a word of the name of a changed file or folder, and otherwise one
 * of ten.
 */
export function isInSample(file: string, name: string, { seed, isWhole, changed }: Sample) {
  const table = TABLES.find((path) => file.includes(`/test/${path}`))
  if (isWhole || !table || changed.some((path) => path.startsWith(`test/${table}`))) return true
  const text = name.toLowerCase()
  if (text.startsWith('the table')) return true
  return (
    wordsOf(changed).some((word) => text.includes(word)) || hash(`${seed} ${name}`) % ROWS === 0
  )
}

/** The words of the last folder and of the name of each file of src, without the plural. */
function wordsOf(changed: readonly string[]): string[] {
  const names = changed
    .filter((path) => path.startsWith('src/'))
    .flatMap((path) => path.replace(/\..*$/, '').split('/').slice(2).slice(-2))
  const words = names.flatMap((name) => name.split('-')).map((word) => word.replace(/s$/, ''))
  return words.filter((word) => word.length > 3 && !COMMON.includes(word))
}

/** Words of names of files that say nothing about what is in them. */
const COMMON = ['feature', 'text', 'route', 'page', 'script', 'part', 'user', 'sign']

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const character of new TextEncoder().encode(text)) {
    value = Math.imul(value ^ character, 0x01000193) >>> 0
  }
  return value
}
