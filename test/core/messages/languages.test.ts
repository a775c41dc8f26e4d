import { describe, expect, it } from 'vitest'
import { FEATURES as shown } from '../../../demo/page-states/languages.ts'
import { chooseLanguage } from '../../../src/core/messages/choose.ts'
import { en as coreTexts } from '../../../src/core/messages/en.ts'
import {
  BUILT_IN_LANGUAGES,
  createLanguages,
  loadCatalogue,
  type TextsByLanguage,
} from '../../../src/core/messages/languages.ts'
import type { Messages, Text, Texts } from '../../../src/core/messages/messages.ts'
import { messagesSchema } from '../../../src/core/messages/messages-schema.ts'
import { isRightToLeft } from '../../../src/core/messages/right-to-left.ts'
import { errorTexts } from '../../../src/core/pages/error-texts.ts'
import { formatChoice, formatNames } from '../../../src/core/pages/format.ts'
import { featureTexts } from '../../../src/feature-texts.ts'
import { signInErrorCodes } from '../../../src/foundation/errors/sign-in-error.ts'
import { validate } from '../../../src/foundation/values/problem.ts'

/** The text modules of features, by path. */
const modules = import.meta.glob<string>('../../../src/features/*/texts.json.txt', {
  eager: true,
  import: 'default',
})

/** Their sources. */
const sources = import.meta.glob<Texts>('../../../src/features/*/texts.ts', {
  eager: true,
  import: 'en',
})

const FEATURES = Object.entries(modules).map(([path, texts]) => ({
  path,
  texts,
  english: sources[path.replace('.json.txt', '.ts')] ?? {},
}))

/** The error codes that features declare for users. */
const featureErrors = import.meta.glob<readonly string[]>('../../../src/features/*/errors.ts', {
  eager: true,
  import: 'ERRORS',
})

/** The English texts of the core and of all features. */
const en: Texts = Object.assign({}, coreTexts, ...FEATURES.map(({ english }) => english))

const LANGUAGES = [...createLanguages({}, FEATURES).values()]

/** Texts that are the same word as in English. */
const SAME_AS_ENGLISH = [
  'es roles.own',
  'de errorPage.parameter',
  'id errorPage.parameter',
  'de passkeys.one',
  'it passkeys.one',
  'id email.name',
  'id email.method',
  'it email.name',
]

/** What other documents and programs call them: they are not translated. */
const IDENTIFIERS = /[a-z]+(?:_[a-z]+)+|callbackUrl/g

const MARKER = 'm4rk3r'

/** The texts of all errors, with the name of the provider or without. */
function listErrors(messages: Messages, provider: string | undefined) {
  return signInErrorCodes([{ errors: { users: Object.values(featureErrors).flat() } }]).map(
    (code) => errorTexts(messages, code, provider),
  )
}

function hasMarker({ title, text }: { title: string; text: string }): boolean {
  return title.includes(MARKER) || text.includes(MARKER)
}

/** The sentences of a text: one, or one for each plural category. */
function sentencesOf(text: Text): string[] {
  return typeof text === 'string' ? [text] : Object.values(text)
}

describe('the languages', () => {
  it('load their messages once', async () => {
    for (const { loadMessages } of LANGUAGES) {
      expect(await loadMessages()).toBe(await loadMessages())
    }
  })

  it('have no texts of features that the deployment does not list', async () => {
    const keys = FEATURES.flatMap(({ english }) => Object.keys(english))
    for (const { loadMessages } of createLanguages({}).values()) {
      const messages = await loadMessages()
      expect(keys.filter((key) => messages.find(key) !== undefined)).toEqual([])
    }
    expect(keys.length).toBeGreaterThan(100)
  })

  it('are written from left to right, except Arabic', () => {
    expect(LANGUAGES.filter(({ tag }) => isRightToLeft(tag)).map(({ tag }) => tag)).toEqual(['ar'])
  })
})

describe.each(FEATURES)('$path', ({ texts, english }) => {
  const languages: TextsByLanguage = JSON.parse(texts)

  it('has the English texts of its source: `npm run texts` writes them', () => {
    expect(languages.en).toEqual(english)
  })

  it('has the keys of English in every language, in the same order', () => {
    expect(Object.keys(languages)).toEqual(BUILT_IN_LANGUAGES)
    for (const [tag, translated] of Object.entries(languages)) {
      expect(Object.keys(translated), tag).toEqual(Object.keys(english))
    }
  })
})

it('no two features, and no feature and the core, have the same text', () => {
  const keys = [coreTexts, ...Object.values(sources)].flatMap((texts) => Object.keys(texts))

  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
  expect(Object.keys(sources)).toHaveLength(FEATURES.length)
})

it('the texts of all features are exported for translators, and shown by the demo', () => {
  expect(Object.values(featureTexts)).toEqual(Object.values(sources))
  expect(shown.map(({ texts }) => texts)).toEqual(Object.values(modules))
})

describe.each(LANGUAGES)('the language $tag', ({ tag, name, loadMessages }) => {
  it('has the same name in its catalogue and in the list', async () => {
    const { languageName } = await loadCatalogue(tag)

    expect(languageName).toBe(name)
    expect((await loadMessages()).language).toBe(tag)
    expect(Intl.getCanonicalLocales(tag)).toEqual([tag])
  })

  it('has the keys, placeholders and plural categories of English, in the same order', async () => {
    const catalogue = await loadCatalogue(tag, FEATURES)

    expect(
      validate(
        messagesSchema(() => en),
        { [tag]: catalogue },
      ).problems,
    ).toEqual([])
    expect(Object.keys(catalogue)).toEqual(Object.keys(en))
  })

  it('keeps identifiers, and ends sentences as English does', async () => {
    const catalogue = await loadCatalogue(tag, FEATURES)

    for (const [key, original] of Object.entries(en)) {
      const english = String(original)
      for (const text of sentencesOf(catalogue[key] ?? '')) {
        expect(text.match(IDENTIFIERS) ?? [], key).toEqual(english.match(IDENTIFIERS) ?? [])
        expect(text, key).toBe(text.trim())
        expect(text, key).not.toMatch(/^$| {2}|undefined|\.\.\.|[{}]{2}/)
        // What follows a colon at the end may be no sentence.
        if (english.endsWith('.')) expect(text, key).toMatch(/[.。?]$|[:：][^.。]+$/)
      }
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

    expect(named).toHaveLength(8)
    for (const { title, text } of neutral) {
      expect(title).not.toMatch(/undefined|\u2068|^\s|\s$/)
      expect(text).not.toMatch(/undefined|\u2068|^\s|\s$/)
    }
  })
})

it.each(LANGUAGES.filter(({ tag }) => tag !== 'en'))(
  'translates every text into $tag',
  async ({ tag }) => {
    const catalogue = await loadCatalogue(tag, FEATURES)
    const untranslated = Object.entries(en).filter(([key, english]) => catalogue[key] === english)

    expect(
      untranslated
        .map(([key]) => `${tag} ${key}`)
        .filter((text) => !SAME_AS_ENGLISH.includes(text)),
    ).toEqual([])
  },
)

it('isolates values in the sentences of a right-to-left language (UAX #9)', async () => {
  const arabic = await chooseLanguage(createLanguages({}), 'ar').loadMessages()

  expect(arabic.t('consent.returnsTo', { host: 'shop.example' })).toContain(
    '\u2068shop.example\u2069',
  )
})

it('writes a list of names in a right-to-left sentence from right to left', async () => {
  const arabic = await chooseLanguage(createLanguages({}), 'ar').loadMessages()

  expect(arabic.t('account.usedFor', { apps: '\u2068One\u2069 و\u2068Two\u202e\u2069' })).toContain(
    '\u2067\u2068One\u2069 و\u2068Two\u2069\u2069',
  )
  expect(
    arabic.t('account.usedFor', { apps: '\u2068One\u2069\u202e\u2069 \u2068Two\u2069' }),
  ).toContain('\u2067\u2068One\u2069 \u2068Two\u2069\u2069')
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
