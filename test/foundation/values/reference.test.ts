import { describe, expect, it } from 'vitest'
import {
  createReference,
  parseReference,
  referencePeriod,
} from '../../../src/foundation/values/reference.ts'
import { HOUR, setClock } from '../../clock.ts'

/** A half hour begins at this time, in seconds since 1970. */
const HALF_HOUR = 1_763_550_000

describe('a reference', () => {
  it.each([
    ['in lower case', (reference: string) => reference.toLowerCase()],
    ['without hyphens', (reference: string) => reference.replaceAll('-', '')],
    ['with spaces', (reference: string) => ` ${reference.replaceAll('-', ' ')} `],
  ])('is read as it is typed: %s', (_, type) => {
    const reference = createReference()

    expect(reference).toMatch(/^([2-9B-DF-HJKM-NP-TV-XZ]{4}-){2}[2-9B-DF-HJKM-NP-TV-XZ]{4}$/)
    expect(parseReference(type(reference))).toBe(reference)
  })

  it.each([
    '',
    '2222-2222-222',
    '2222-2222-22222',
    '0000-2222-2222',
    'AEIO-2222-2222',
    '22222-2222',
  ])('is not "%s"', (text) => {
    expect(parseReference(text)).toBeUndefined()
  })

  it('of version 0.1.0 has two groups, and may be from any time', () => {
    expect(parseReference('7kq2m x4rtb')).toBe('7KQ2M-X4RTB')
    expect(referencePeriod('7KQ2M-X4RTB')).toBeUndefined()
  })

  it.each([0, 1, 1799])(
    'that was created %i s after a half hour is of a period with everything that its request recorded',
    (seconds) => {
      setClock(HALF_HOUR + seconds)
      const reference = createReference()
      const recorded = { first: HALF_HOUR + seconds - 60, last: HALF_HOUR + seconds + 600 }

      for (const later of [0, 600, 24 * HOUR, 20 * 365 * 24 * HOUR]) {
        setClock(HALF_HOUR + seconds + later)
        const { since = Infinity, until = 0 } = referencePeriod(reference) ?? {}

        expect(since).toBeLessThanOrEqual(recorded.first)
        expect(until).toBeGreaterThan(recorded.last)
        expect(until - since).toBeLessThan(HOUR)
      }
    },
  )

  it('is not thought to be thirty years old by a machine whose clock is a minute behind', () => {
    setClock(HALF_HOUR)
    const reference = createReference()
    setClock(HALF_HOUR - 60)

    const { since = 0 } = referencePeriod(reference) ?? {}

    expect(since).toBe(HALF_HOUR - 60)
  })
})
