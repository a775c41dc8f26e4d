import { describe, expect, it } from 'vitest'
import { createCode, readCode } from '../../../src/features/email/code.ts'

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
    ['১২৩৪৫৬', '123456'],
    ['๑๒๓๔๕๖', '123456'],
    ['x', 'x'],
  ])('that is entered as %j is read as %s', (entered, code) => {
    expect(readCode(entered)).toBe(code)
  })

  it('is read in the digits of every script', () => {
    const digits = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter(
      (character) => /\p{Nd}/u.test(character),
    )

    // Unicode lists the digits of each script in ascending order.
    for (const [index, digit] of digits.entries()) {
      expect(readCode(digit), digit).toBe(String(index % 10))
    }
  })
})
