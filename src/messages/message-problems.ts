import { isObject } from '../values/json.ts'
import { en } from './en.ts'
import { BUILT_IN_LANGUAGES } from './languages.ts'
import { type MessageKey, PLACEHOLDERS, type Text } from './messages.ts'

/** A language, an optional script and an optional region, in their usual case (BCP 47). */
const LANGUAGE_TAG = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$/

/** What is wrong with the messages of a deployment, in complete sentences. */
export function messageProblems(messages: unknown): string[] {
  if (!isObject(messages)) return ['messages must be an object with one entry per language.']
  return Object.entries(messages).flatMap(([tag, texts]) => {
    if (!LANGUAGE_TAG.test(tag)) {
      return [`messages.${tag} is not a language: use a tag such as nl, pt-PT or zh-Hant.`]
    }
    if (!isObject(texts)) return [`messages.${tag} must be an object like the messages of English.`]
    const problems = Object.entries(texts).flatMap(([key, text]) => textProblems(tag, key, text))
    return [
      ...missingTexts(tag, texts),
      ...problems.map((problem) => `messages.${tag}: ${problem}`),
    ]
  })
}

/** How many missing texts a problem names. */
const NAMED_TEXTS = 3

/** The languages of this package have every text. */
function missingTexts(tag: string, texts: object): string[] {
  const missing = Object.keys(en).filter((key) => !Object.hasOwn(texts, key))
  if (missing.length === 0 || BUILT_IN_LANGUAGES.includes(tag)) return []
  const others = missing.length - NAMED_TEXTS
  const named = missing.slice(0, NAMED_TEXTS).join(', ')
  const list = others > 0 ? `${named} and ${others} more` : named
  return [`messages.${tag} is incomplete: it has no ${list}.`]
}

function textProblems(tag: string, key: string, text: unknown): string[] {
  if (!isKey(key)) {
    // Apps may have scopes that we do not have.
    if (!key.startsWith('consent.scopes.')) return [`${key} is not a text of this service.`]
    return typeof text === 'string' ? [] : [`${key} must be a text.`]
  }
  const expected = placeholdersIn(en[key])
  if (typeof text === 'string') return placeholderProblems(key, text, expected)
  if (!expected.includes('count')) return [`${key} must be a text.`]
  const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories
  if (!isObject(text) || !hasForms(text, categories)) {
    return [`${key} must be a text, or an object with the texts ${categories.join(', ')}.`]
  }
  // “One attempt” needs no number.
  const required = expected.filter((name) => name !== 'count')
  return Object.entries(text).flatMap(([category, form]) =>
    placeholderProblems(`${key}.${category}`, String(form), expected, required),
  )
}

function isKey(key: string): key is MessageKey {
  return Object.hasOwn(en, key)
}

function hasForms(forms: object, categories: readonly string[]): boolean {
  const texts = Object.entries(forms).filter(([, form]) => typeof form === 'string')
  return String(texts.map(([category]) => category).sort()) === String(categories.toSorted())
}

function placeholderProblems(
  name: string,
  text: string,
  expected: readonly string[],
  required = expected,
): string[] {
  const found = placeholdersIn(text)
  return [
    ...required
      .filter((value) => !found.includes(value))
      .map((value) => `${name} does not contain {${value}}.`),
    ...found
      .filter((value) => !expected.includes(value))
      .map((value) => `${name} contains {${value}}, which is not a value of this text.`),
  ]
}

function placeholdersIn(text: Text): string[] {
  const sentences = typeof text === 'string' ? text : Object.values(text).join()
  return [...new Set(Array.from(sentences.matchAll(PLACEHOLDERS), ([, name = '']) => name))]
}
