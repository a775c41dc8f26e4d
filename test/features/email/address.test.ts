import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isMailbox, normalizeIdentifier } from '../../../src/features/email/address.ts'
import { normalizeEmail } from '../../../src/foundation/values/email-address.ts'
import { anyCharacter } from '../../any-character.ts'

/** Texts that resemble addresses, with characters that are converted or interpreted. */
const resembling = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '@',
        '.',
        'a',
        'B',
        'é',
        'ß',
        '\u212a',
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
  .chain((parts) =>
    fc.constantFrom(`${parts.join('')}@mail.example`, `mia@${parts.join('')}.example`),
  )

const anyText = fc.oneof(resembling, fc.emailAddress(), fc.string({ unit: anyCharacter }))

describe('an email address', () => {
  it.each([
    ['Ann@Mail.EXAMPLE', 'Ann@mail.example'],
    ['  a@b.example ', 'a@b.example'],
    ['ａ@ｂ.example', 'ａ@b.example'],
    ['José@bücher.example', 'José@xn--bcher-kva.example'],
    ['mia@例え.jp', 'mia@xn--r8jz45g.jp'],
    ['mia@corp', 'mia@corp'],
  ])('[S5] %j is normalized to %j', (given, normalized) => {
    expect(normalizeEmail(given)).toBe(normalized)
  })

  it.each([
    'a@b@c.example',
    'a＠b@c.example',
    'a，b@c.example',
    'a@b.example,c@d.example',
    'a b@c.example',
    'a\u200db@c.example',
    '<a@b.example>',
    '@b.example',
    'a@',
    'a@b.example:25',
    'a@b.example.',
    'a@1',
    'a@127.0.0.1',
    'a@[::1]',
    'plain',
    '',
    `${'a'.repeat(65)}@b.example`,
    `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(60)}.example`,
  ])('[S5][GHSA-7rqj-j65f-68wh][CVE-2022-35924] %j is rejected', (given) => {
    expect(normalizeEmail(given)).toBeUndefined()
  })

  it('[S5] keeps its local part, has an ASCII domain, and does not change when it is normalized again', () => {
    fc.assert(
      fc.property(anyText, (given) => {
        const normalized = normalizeEmail(given)
        if (normalized === undefined) return
        const [local, domain, ...rest] = normalized.split('@')
        expect(rest).toEqual([])
        expect(local).toBe(given.trim().split('@')[0])
        expect(domain).toMatch(/^[a-z0-9.-]+$/)
        expect(normalizeEmail(normalized)).toBe(normalized)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('an address that messages are sent to', () => {
  it.each([
    ['Mia@Mail.Example', 'Mia@mail.example'],
    ['  mia+news@mail.example ', 'mia+news@mail.example'],
    ["o'neil@mail.example", "o'neil@mail.example"],
    ['mia@bücher.example', 'mia@xn--bcher-kva.example'],
  ])('%s is %s', (entered, address) => {
    expect(normalizeIdentifier({}, entered)).toBe(address)
  })

  it('[S5] is in ASCII, whatever was entered', () => {
    fc.assert(
      fc.property(anyText, (entered) => {
        const address = normalizeIdentifier({}, entered)
        if (address === undefined) return
        expect(address).toMatch(/^[\x21-\x7e]+$/)
        expect(isMailbox(address)).toBe(true)
        // The directory stores it unchanged as the user's verified address.
        expect(normalizeEmail(address)).toBe(address)
      }),
      { numRuns: 2000 },
    )
  })
})
