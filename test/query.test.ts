import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pairsOf, withQuery } from '../src/query.ts'

describe('an address', () => {
  it.each([
    ['https://app.example', 'https://app.example/?state=s'],
    ['https://app.example/cb', 'https://app.example/cb?state=s'],
    ['https://app.example/cb?', 'https://app.example/cb?state=s'],
    ['https://app.example/cb?a=%26&state=old', 'https://app.example/cb?a=%26&state=s'],
    ['https://app.example/cb#there', 'https://app.example/cb?state=s'],
    ['https://app.example/cb?a=b#there', 'https://app.example/cb?a=b&state=s'],
  ])('%s with a parameter is %s', (address, expected) => {
    expect(withQuery(address, { state: 's' })).toBe(expected)
  })
})

describe('a query', () => {
  it.each([
    '',
    '&',
    '=',
    '&&a',
    'a=b=c',
    'a+b=%2B+',
    '%zz=%',
    'a=%ff',
    '%3D=%26',
    'ä=%C3%A4',
    '?a=b',
  ])('is read as others read it: %s', (query) => {
    // A question mark in front is no part of a query, though URLSearchParams forgives it.
    const asOthers = [...new URLSearchParams(`x&${query}`)].slice(1)

    expect(pairsOf(query)).toEqual(asOthers)
  })

  it('[N5] is read as others read it, whatever it is', () => {
    const letters = fc.constantFrom(
      'a',
      '=',
      '&',
      '+',
      '%',
      '2',
      'F',
      'f',
      'ä',
      '€',
      '😀',
      ' ',
      ';',
      '#',
    )
    const anything = fc.oneof(fc.string({ unit: letters, maxLength: 40 }), fc.string())
    fc.assert(
      fc.property(anything, (query) => {
        expect(pairsOf(query)).toEqual([...new URLSearchParams(`x&${query}`)].slice(1))
      }),
      { numRuns: 2000 },
    )
  })
})
