import { describe, expect, it } from 'vitest'
import { PASSKEY_MESSAGES, passkeyMessages } from '../../src/signin/passkeys/messages.ts'

const LANGUAGES = ['en', 'es', 'de', 'fr', 'pt-BR', 'it', 'ja', 'ko', 'zh-Hans', 'ar', 'hi', 'id']

describe('the texts about passkeys', () => {
  it('exist in every language of the pages', () => {
    expect(Object.keys(PASSKEY_MESSAGES)).toEqual(LANGUAGES)
  })

  it.each(Object.entries(PASSKEY_MESSAGES))('are complete in %s', (_, texts) => {
    for (const [name, text] of Object.entries(texts)) {
      const value = typeof text === 'function' ? text('ARGUMENT') : text
      expect(value.trim(), name).not.toBe('')
      if (typeof text === 'function') expect(value, name).toContain('ARGUMENT')
    }
  })

  it('are English for a language that a deployment has added', () => {
    expect(passkeyMessages({ language: 'sv' })).toBe(PASSKEY_MESSAGES.en)
  })
})
