import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSafeAddress, normalizeAddress } from '../../src/signin/email/address.ts'
import { createCode, readCode } from '../../src/signin/email/code.ts'
import { normalizeEmail } from '../../src/users/email.ts'

describe('an address', () => {
  /** Texts that resemble addresses, with characters that are normalized or interpreted. */
  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '@',
          '.',
          'a',
          'B',
          'é',
          'ß',
          'K',
          '＠',
          '．',
          '。',
          'xn--',
          '-',
          '+',
          '"',
          '<',
        ),
        fc.constantFrom(' ', '\r\n', '\0', ',', ':', '[', '%40', '\u202e', '\u00ad', '\u200d'),
        fc.string({ unit: 'grapheme', maxLength: 3 }),
      ),
      { maxLength: 12 },
    )
    .map((parts) => `${parts.join('')}@mail.example`)

  it('[S5] is safe once it is normalized, and normalizing it again changes nothing', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), (entered) => {
        const address = normalizeAddress(entered)
        if (address === undefined) return
        expect(address).toMatch(/^[\x21-\x7e]+$/)
        expect(address.split('@')).toHaveLength(2)
        expect(isSafeAddress(address)).toBe(true)
        expect(normalizeAddress(address)).toBe(address)
        // The directory stores it unchanged as the user's verified address.
        expect(normalizeEmail(address)).toBe(address)
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['Mia@Mail.Example', 'mia@mail.example'],
    ['  mia+news@mail.example ', 'mia+news@mail.example'],
    ['ｍｉａ＠mail.example', 'mia@mail.example'],
    ["o'neil@mail.example", "o'neil@mail.example"],
    ['mia@bücher.example', 'mia@xn--bcher-kva.example'],
    ['mia@例え.jp', 'mia@xn--r8jz45g.jp'],
  ])('%s is %s', (entered, address) => {
    expect(normalizeAddress(entered)).toBe(address)
  })
})

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
