import { isObject } from '../../json.ts'
import { en, type Messages } from './en.ts'
import { es } from './es.ts'

/** The languages of this package. A new one is one file like these and one entry here. */
const BUILT_IN_LANGUAGES = { en, es }

type BuiltInLanguage = keyof typeof BUILT_IN_LANGUAGES

/** Some of the sentences of a language. */
export type SomeMessages = SomeOf<Omit<Messages, 'language'>>

type SomeOf<Texts> = {
  [Key in keyof Texts]?: Texts[Key] extends string | ((...values: never[]) => string)
    ? Texts[Key]
    : SomeOf<Texts[Key]>
}

/**
 * The texts of a deployment, by language tag: single sentences of English and Spanish, which replace
 * ours, and complete translations into other languages, such as `de` or `pt-BR`. A language whose
 * code has three letters needs a region: `fil-PH`.
 */
export type DeploymentMessages = { [Tag in BuiltInLanguage]?: SomeMessages } & {
  [Tag in Exclude<`${Letter}${Letter}`, BuiltInLanguage>]?: Messages
} & { [tag: `${string}-${string}`]: Messages }

type Letter =
  | 'a'
  | 'b'
  | 'c'
  | 'd'
  | 'e'
  | 'f'
  | 'g'
  | 'h'
  | 'i'
  | 'j'
  | 'k'
  | 'l'
  | 'm'
  | 'n'
  | 'o'
  | 'p'
  | 'q'
  | 'r'
  | 's'
  | 't'
  | 'u'
  | 'v'
  | 'w'
  | 'x'
  | 'y'
  | 'z'

/** The languages of a deployment by their tag in lower case. The first one is the default. */
export type Languages = ReadonlyMap<string, Messages>

/** The languages of a deployment whose messages have no problems. */
export function createLanguages(messages: DeploymentMessages): Languages {
  const languages = new Map<string, Messages>()
  const overrides = messages as Record<string, MessageTree>
  for (const tag of new Set([...Object.keys(BUILT_IN_LANGUAGES), ...Object.keys(messages)])) {
    const texts = mergeTexts(findBuiltIn(tag) ?? {}, overrides[tag] ?? {})
    // The validation guarantees that no text is missing.
    languages.set(tag.toLowerCase(), texts as unknown as Messages)
  }
  return languages
}

/** A language, an optional script and an optional region, in their usual case (BCP 47). */
const LANGUAGE_TAG = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?$/

/** What is wrong with the messages of a deployment, in complete sentences. */
export function messageProblems(messages: unknown): string[] {
  if (!isObject(messages)) return ['messages must be an object with one entry per language.']
  return Object.entries(messages).flatMap(([tag, texts]) => {
    if (!LANGUAGE_TAG.test(tag)) {
      return [`messages.${tag} is not a language: use a tag such as de, pt-BR or zh-Hant.`]
    }
    if (!isObject(texts)) return [`messages.${tag} must be an object like the messages of English.`]
    return languageProblems(tag, texts)
  })
}

/** How many missing texts a problem names. */
const NAMED_TEXTS = 3

function languageProblems(tag: string, texts: MessageTree): string[] {
  const { missing, problems } = compareTexts(en, texts)
  if (texts['language'] !== undefined && texts['language'] !== tag) {
    problems.push(`language must be ${tag}, like the name of the entry.`)
  }
  const sentences = problems.map((problem) => `messages.${tag}.${problem}`)
  if (findBuiltIn(tag) || missing.length === 0) return sentences
  const others = missing.length - NAMED_TEXTS
  const named = missing.slice(0, NAMED_TEXTS).join(', ')
  const list = others > 0 ? `${named} and ${others} more` : named
  return [`messages.${tag} is incomplete: it has no ${list}.`, ...sentences]
}

/** Texts and functions that return texts, in groups. */
interface MessageTree {
  readonly [key: string]: unknown
}

interface Comparison {
  /** The paths of the texts that are missing. */
  missing: string[]
  problems: string[]
}

/** Compares texts with those of English. */
function compareTexts(expected: MessageTree, actual: MessageTree, path = ''): Comparison {
  const result: Comparison = { missing: [], problems: unknownTexts(expected, actual, path) }
  for (const [key, value] of Object.entries(expected)) {
    const text = actual[key]
    if (isObject(value) && (text === undefined || isObject(text))) {
      const nested = compareTexts(value, text ?? {}, `${path}${key}.`)
      result.missing.push(...nested.missing)
      result.problems.push(...nested.problems)
    } else if (text === undefined) {
      result.missing.push(path + key)
    } else if (typeof text !== typeof value) {
      result.problems.push(`${path}${key} must be ${describeKind(value)}, as in English.`)
    }
  }
  return result
}

function unknownTexts(expected: MessageTree, actual: MessageTree, path: string): string[] {
  const unknown = Object.keys(actual).filter((key) => !Object.hasOwn(expected, key))
  if (path !== 'consent.scopes.') {
    return unknown.map((key) => `${path}${key} is not a text of this service.`)
  }
  // Apps may have scopes that we do not have.
  return unknown
    .filter((key) => typeof actual[key] !== 'string')
    .map((key) => `${path}${key} must be a text.`)
}

function describeKind(value: unknown): string {
  if (isObject(value)) return 'an object'
  return typeof value === 'function' ? 'a function that returns a text' : 'a text'
}

function mergeTexts(texts: MessageTree, overrides: MessageTree): MessageTree {
  const merged: Record<string, unknown> = { ...texts }
  for (const [key, value] of Object.entries(overrides)) {
    if (value === undefined) continue
    const text = texts[key]
    merged[key] = isObject(text) && isObject(value) ? mergeTexts(text, value) : value
  }
  return merged
}

function findBuiltIn(tag: string): Messages | undefined {
  return Object.hasOwn(BUILT_IN_LANGUAGES, tag)
    ? BUILT_IN_LANGUAGES[tag as BuiltInLanguage]
    : undefined
}

/** The scripts of living languages that are written from right to left. */
const RIGHT_TO_LEFT_SCRIPTS = ['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']

/** Whether a language is written from right to left. */
export function isRightToLeft(tag: string): boolean {
  const { script } = new Intl.Locale(tag).maximize()
  return script !== undefined && RIGHT_TO_LEFT_SCRIPTS.includes(script)
}
