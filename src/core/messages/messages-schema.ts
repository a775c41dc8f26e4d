import * as z from 'zod/mini'
import { isObject } from '../../foundation/values/json.ts'
import { type Problem, validate } from '../../foundation/values/problem.ts'
import { BUILT_IN_LANGUAGES, type FeatureWithTexts, readTexts } from './languages.ts'
import { PLACEHOLDERS, type Text, type Texts } from './messages.ts'

/** A language, an optional script and an optional region, in their usual case (BCP 47). */
const LANGUAGE_TAG = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$/

const languageTag = z
  .string()
  .check(z.regex(LANGUAGE_TAG, 'is not a language: use a tag such as nl, pt-PT or zh-Hant.'))

/**
 * The texts of a deployment, by language. They are compared with those of English, of the core and
 * of these features.
 */
export const messagesSchema = (
  readEnglish: () => Texts,
  features: readonly FeatureWithTexts[] = [],
) =>
  z
    .record(
      languageTag,
      z.record(z.string(), z.unknown(), 'must be an object like the messages of English.'),
      { error: ({ code }) => (code === 'invalid_type' ? NOT_MESSAGES : undefined) },
    )
    .check(({ value, issues }) => {
      const ofFeatures = readTexts(features)
      const english: Texts = Object.assign({}, readEnglish(), ...ofFeatures.map(({ en }) => en))
      for (const [tag, texts] of Object.entries(value)) {
        const problems = [
          ...missingTexts(english, tag, [texts, ...ofFeatures.map((all) => all[tag] ?? {})]),
          ...Object.entries(texts).flatMap(([key, text]) =>
            textProblems(english, { tag, key, text }),
          ),
        ]
        for (const [message, ...path] of problems) {
          issues.push({ code: 'custom', input: texts, path: [tag, ...path], message })
        }
      }
    })

const NOT_MESSAGES = 'must be an object with one entry per language.'

/** What is wrong, and the name of the text, if it is one. */
type TextProblem = readonly [message: string, ...path: string[]]

/** How many missing texts a problem names. */
const NAMED_TEXTS = 3

/** The languages of this package have every text. */
function missingTexts(english: Texts, tag: string, translations: object[]): TextProblem[] {
  const missing = Object.keys(english).filter(
    (key) => !translations.some((texts) => Object.hasOwn(texts, key)),
  )
  if (missing.length === 0 || BUILT_IN_LANGUAGES.includes(tag)) return []
  const others = missing.length - NAMED_TEXTS
  const named = missing.slice(0, NAMED_TEXTS).join(', ')
  const list = others > 0 ? `${named} and ${others} more` : named
  return [[`is incomplete: it has no ${list}.`]]
}

const NOT_TEXT = 'must be a string.'

const UNKNOWN_TEXT = 'is not a text of this service, or of a feature that it lists.'

interface AnyText {
  /** Its language. */
  tag: string
  key: string
  text: unknown
}

function textProblems(english: Texts, { tag, key, text }: AnyText): TextProblem[] {
  const original = Object.hasOwn(english, key) ? english[key] : undefined
  if (original === undefined) {
    // Apps may have scopes that we do not have.
    if (!key.startsWith('consent.scopes.')) return [[UNKNOWN_TEXT, key]]
    return typeof text === 'string' ? [] : [[NOT_TEXT, key]]
  }
  const expected = placeholdersIn(original)
  if (typeof text === 'string') {
    return placeholderProblems(text, expected).map((problem) => [problem, key])
  }
  if (!expected.includes('count')) return [[NOT_TEXT, key]]
  const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories
  if (!isObject(text) || !hasForms(text, categories)) {
    return [[`must be a string, or an object with the strings ${categories.join(', ')}.`, key]]
  }
  // “One attempt” needs no number.
  const required = expected.filter((name) => name !== 'count')
  return Object.entries(text).flatMap(([category, form]) =>
    placeholderProblems(String(form), expected, required).map(
      (problem) => [problem, key, category] as const,
    ),
  )
}

function hasForms(forms: object, categories: readonly string[]): boolean {
  const texts = Object.entries(forms).filter(([, form]) => typeof form === 'string')
  return String(texts.map(([category]) => category).sort()) === String(categories.toSorted())
}

function placeholderProblems(
  text: string,
  expected: readonly string[],
  required = expected,
): string[] {
  const found = placeholdersIn(text)
  return [
    ...required
      .filter((value) => !found.includes(value))
      .map((value) => `does not contain {${value}}.`),
    ...found
      .filter((value) => !expected.includes(value))
      .map((value) => `contains {${value}}, which is not a value of this text.`),
  ]
}

function placeholdersIn(text: Text): string[] {
  const sentences = typeof text === 'string' ? text : Object.values(text).join()
  return [...new Set(Array.from(sentences.matchAll(PLACEHOLDERS), ([, name = '']) => name))]
}

/** What is wrong with the texts of operators' own features. A test checks those of ours. */
export function featureTextProblems(
  features: readonly (FeatureWithTexts & { id: string })[],
): Problem[] {
  return features.flatMap(({ id, texts }): Problem[] => {
    if (texts === undefined || typeof texts === 'string') return []
    const path = ['features', id, 'texts']
    const { en = undefined } = isObject(texts) ? texts : {}
    if (!isEnglish(en)) return [{ path, code: 'invalid', message: NO_ENGLISH }]
    return validate(
      messagesSchema(() => en),
      texts,
      path,
    ).problems
  })
}

const NO_ENGLISH = 'must have the English texts, by key, as en.'

function isEnglish(texts: unknown): texts is Texts {
  const isText = (text: unknown) => typeof text === 'string' || isObject(text)
  return isObject(texts) && Object.values(texts).every(isText)
}
