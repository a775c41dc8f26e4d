import { describe, expect, it } from 'vitest'
import { isInSample, type Sample } from './sample.ts'

const FILE = '/clone/test/combined/kinds/kinds.test.ts'
const NAMES = Array.from({ length: 1000 }, (_, number) => `a client ${number} > refresh`)

/** How many of a thousand rows run. */
function countRows(sample: Partial<Sample>, { file = FILE, names = NAMES } = {}): number {
  const whole = { seed: 1, isWhole: false, changed: [], ...sample }
  return names.filter((name) => isInSample(file, name, whole)).length
}

describe('the sample of a table', () => {
  it('is about a tenth of its rows, and with another seed another one', () => {
    const chosen = (seed: number) =>
      NAMES.filter((name) => isInSample(FILE, name, { seed, isWhole: false, changed: [] }))

    expect(chosen(1).length).toBeGreaterThan(60)
    expect(chosen(1).length).toBeLessThan(140)
    expect(chosen(1)).not.toEqual(chosen(2))
  })

  it.each<[string, Partial<Sample>]>([
    ['in CI', { isWhole: true }],
    ['if the table was changed', { changed: ['test/combined/kinds/rules.ts'] }],
    ['about a changed file', { changed: ['src/core/grants/refresh-tokens.ts'] }],
  ])('is the whole table %s', (_, sample) => {
    expect(countRows(sample)).toBe(1000)
  })

  it('has each test that checks the table itself', () => {
    const names = NAMES.map((name) => `the table > ${name}`)

    expect(countRows({}, { names })).toBe(1000)
  })

  it('is not taken of other files', () => {
    expect(countRows({}, { file: '/clone/test/core/oidc/token.test.ts' })).toBe(1000)
  })
})
