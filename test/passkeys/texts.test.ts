import { describe, expect, it } from 'vitest'
import { passkeyTexts } from '../../src/signin/passkeys/texts.ts'

const LANGUAGES = ['en', 'es', 'de', 'fr', 'pt-BR', 'it', 'ja', 'ko', 'zh-Hans', 'ar', 'hi', 'id']

describe('the texts about passkeys', () => {
  it.each(LANGUAGES)('are complete in %s', (language) => {
    const texts = passkeyTexts(language)
    if (language !== 'en') expect(texts.name).not.toBe(passkeyTexts('en').name)
    for (const [name, text] of Object.entries(texts)) {
      const value = typeof text === 'function' ? text('ARGUMENT') : text
      expect(value.trim(), name).not.toBe('')
      if (typeof text === 'function') expect(value, name).toContain('ARGUMENT')
    }
  })

  it('are English for a language that a deployment has added', () => {
    expect(passkeyTexts('sv')).toEqual(passkeyTexts('en'))
  })
})
