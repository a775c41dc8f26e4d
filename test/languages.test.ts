import { describe, expect, it } from 'vitest'
import { SIGN_IN_ERRORS, type SignInErrorCode } from '../src/errors.ts'
import { errorTexts } from '../src/pages/error-texts.ts'
import { formatChoice, formatNames } from '../src/pages/format-names.ts'
import { chooseLanguage } from '../src/pages/messages/choose.ts'
import { en, type Messages } from '../src/pages/messages/en.ts'
import { createLanguages, isRightToLeft, messageProblems } from '../src/pages/messages/languages.ts'

const LANGUAGES = [...createLanguages({}).values()]

/** Texts that are the same word as in English. */
const SAME_AS_ENGLISH = ['de errorPage.parameter', 'id errorPage.parameter']

/** What other documents and programs call them: they are not translated. */
const IDENTIFIERS = /[a-z]+(?:_[a-z]+)+|callbackUrl/g

const MARKER = 'm4rk3r'

interface Text {
  path: string
  text: string
}

/** All texts of a language. Where a value is inserted, it is the marker. */
function listTexts(texts: object, path = ''): Text[] {
  return Object.entries(texts).flatMap(([key, value]) => {
    const name = path + key
    if (typeof value === 'object') return listTexts(value, `${name}.`)
    return [{ path: name, text: typeof value === 'function' ? value(MARKER) : value }]
  })
}

/** The texts of all errors, with the name of the provider or without. */
function listErrors(messages: Messages, provider: string | undefined) {
  const codes = Object.keys(SIGN_IN_ERRORS) as SignInErrorCode[]
  return codes.map((code) => errorTexts(messages, code, provider))
}

function hasMarker({ title, text }: { title: string; text: string }): boolean {
  return title.includes(MARKER) || text.includes(MARKER)
}

const ENGLISH_TEXTS = listTexts(en)

describe('the languages', () => {
  it('are the twelve that docs/languages.md describes', () => {
    expect(LANGUAGES.map(({ tag }) => tag)).toEqual([
      'en',
      'ar',
      'de',
      'es',
      'fr',
      'hi',
      'id',
      'it',
      'ja',
      'ko',
      'pt-BR',
      'zh-Hans',
    ])
  })

  it('load their messages once', async () => {
    for (const { loadMessages } of LANGUAGES) {
      expect(await loadMessages()).toBe(await loadMessages())
    }
  })

  it('are written from left to right, except Arabic', () => {
    expect(LANGUAGES.filter(({ tag }) => isRightToLeft(tag)).map(({ tag }) => tag)).toEqual(['ar'])
  })
})

describe.each(LANGUAGES)('the language $tag', ({ tag, name, loadMessages }) => {
  it('has the same tag and name in its file and in the list', async () => {
    const { language, languageName } = await loadMessages()

    expect({ language, languageName }).toEqual({ language: tag, languageName: name })
    expect(Intl.getCanonicalLocales(tag)).toEqual([tag])
  })

  it('has every text, and no other', async () => {
    const messages = await loadMessages()

    expect(messageProblems({ [tag]: messages })).toEqual([])
    expect(listTexts(messages).map(({ path }) => path)).toEqual(
      ENGLISH_TEXTS.map(({ path }) => path),
    )
  })

  it('inserts every value, keeps identifiers, and ends sentences as English does', async () => {
    const texts = listTexts(await loadMessages())

    for (const [index, { path, text }] of texts.entries()) {
      const english = ENGLISH_TEXTS[index]?.text ?? ''
      expect(text.includes(MARKER), path).toBe(english.includes(MARKER))
      expect(text.match(IDENTIFIERS) ?? [], path).toEqual(english.match(IDENTIFIERS) ?? [])
      expect(text, path).toBe(text.trim())
      expect(text, path).not.toMatch(/ {2}|undefined|\.\.\./)
      if (english.endsWith('.')) expect(text, path).toMatch(/[.。?]$/)
    }
  })

  it.each([MARKER, undefined])(
    'has different titles and texts for different error codes (provider %s)',
    async (provider) => {
      const errors = listErrors(await loadMessages(), provider)

      expect(new Set(errors.map(({ title }) => title)).size).toBe(errors.length)
      expect(new Set(errors.map(({ text }) => text)).size).toBe(errors.length)
    },
  )

  it('has complete error texts for a provider that is not known', async () => {
    const messages = await loadMessages()
    const named = listErrors(messages, MARKER).filter((error) => hasMarker(error))
    const neutral = listErrors(messages, undefined)

    expect(named).toHaveLength(7)
    for (const { title, text } of neutral) {
      expect(title).not.toMatch(/undefined|\u2068|^\s|\s$/)
      expect(text).not.toMatch(/undefined|\u2068|^\s|\s$/)
    }
  })
})

it.each(LANGUAGES.filter(({ tag }) => tag !== 'en'))(
  'translates every text into $tag',
  async ({ tag, loadMessages }) => {
    const texts = listTexts(await loadMessages())
    const untranslated = texts.filter(({ text }, index) => text === ENGLISH_TEXTS[index]?.text)

    expect(
      untranslated
        .map(({ path }) => `${tag} ${path}`)
        .filter((text) => !SAME_AS_ENGLISH.includes(text)),
    ).toEqual([])
  },
)

it('isolates values in the sentences of a right-to-left language (UAX #9)', async () => {
  const arabic = await chooseLanguage(createLanguages({}), 'ar').loadMessages()

  expect(arabic.consent.returnsTo('shop.example')).toContain('\u2068shop.example\u2069')
})

it('writes a list of names in a right-to-left sentence from right to left', async () => {
  const { account } = await chooseLanguage(createLanguages({}), 'ar').loadMessages()

  expect(account.usedFor('\u2068One\u2069 و\u2068Two\u202e\u2069')).toContain(
    '\u2067\u2068One\u2069 و\u2068Two\u2069\u2069',
  )
  expect(account.usedFor('\u2068One\u2069\u202e\u2069 \u2068Two\u2069')).toContain(
    '\u2067\u2068One\u2069 \u2068Two\u2069\u2069',
  )
})

it.each([
  [['TikTok', 'GitLab'], '\u2068TikTok\u2069 و\u00a0\u2068GitLab\u2069'],
  [['TikTok', 'متجر'], '\u2068TikTok\u2069 و\u2068متجر\u2069'],
])('separates the Arabic "and" only from a name in another script: %s', async (names, list) => {
  const arabic = await chooseLanguage(createLanguages({}), 'ar').loadMessages()

  expect(formatNames(names, arabic)).toBe(list)
})

it('chooses the Spanish word between two names by the name that follows', async () => {
  const spanish = await chooseLanguage(createLanguages({}), 'es').loadMessages()

  expect(formatChoice(['Okta', 'Google'], spanish)).toBe('\u2068Okta\u2069 o \u2068Google\u2069')
  expect(formatChoice(['Google', 'Okta'], spanish)).toBe('\u2068Google\u2069 u \u2068Okta\u2069')
})
