import { describe, expect, it } from 'vitest'
import { createCode, readCode } from '../../src/signin/email/code.ts'

describe('a code', () => {
  it('has six digits, of which each is equally likely', () => {
    const counts = new Map<string, number>()
    for (let index = 0; index < 2000; index++) {
      const code = createCode()
      expect(code).toMatch(/^\d{6}$/)
      for (const digit of code) counts.set(digit, (counts.get(digit) ?? 0) + 1)
    }

    // 1200 are expected, with a standard deviation of 33.
    for (const digit of '0123456789') {
      expect(counts.get(digit)).toBeGreaterThan(1000)
      expect(counts.get(digit)).toBeLessThan(1400)
    }
  })

  it.each([
    ['12 34\u00a056', '123456'],
    ['123–456', '123456'],
    ['\u200e123456\u200f', '123456'],
    ['۱۲۳۴۵۶', '123456'],
    ['x', 'x'],
  ])('that is entered as %j is read as %s', (entered, code) => {
    expect(readCode(entered)).toBe(code)
  })
})
