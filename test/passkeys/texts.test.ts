import { describe, expect, it } from 'vitest'
import { PASSKEY_TEXTS, passkeyTexts } from '../../src/signin/passkeys/texts.ts'

const LANGUAGES = ['en', 'es', 'de', 'fr', 'pt-BR', 'it', 'ja', 'ko', 'zh-Hans', 'ar', 'hi', 'id']

describe('the texts about passkeys', () => {
  it('exist in every language of the pages', () => {
    expect(Object.keys(PASSKEY_TEXTS)).toEqual(LANGUAGES)
  })

  it.each(Object.entries(PASSKEY_TEXTS))('are complete in %s', (_, texts) => {
    const { removal, ...others } = texts
    for (const [name, text] of Object.entries({ ...others, ...removal })) {
      const value = typeof text === 'function' ? text('ARGUMENT') : text
      expect(value.trim(), name).not.toBe('')
      if (typeof text === 'function') expect(value, name).toContain('ARGUMENT')
    }
  })

  it.each([
    ['sv', 'en'],
    ['de-AT', 'de'],
    ['pt-PT', 'pt-BR'],
    ['pt', 'pt-BR'],
    ['zh-SG', 'zh-Hans'],
    ['zh-Hans-HK', 'zh-Hans'],
    ['zh-Hant', 'en'],
    ['zh-TW', 'en'],
    ['hi-Latn', 'en'],
    ['fil-PH', 'en'],
  ] as const)('are for %s, if a deployment has added it, those of %s', (language, expected) => {
    expect(passkeyTexts(language)).toBe(PASSKEY_TEXTS[expected])
  })
})
