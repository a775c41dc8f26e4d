import { isObject } from '../../json.ts'
import { isolateInRightToLeft } from '../isolate-text-direction.ts'
import { en, type Messages } from './en.ts'

/** A language. Its messages are loaded when the first page is displayed in it. */
export interface Language {
  /** Its tag (BCP 47), in the usual case. */
  tag: string
  /** Its own name. */
  name: string
  loadMessages: () => Promise<Messages>
}

/**
 * The languages of this package, in the order of the language switch. English is always loaded: it is
 * the default, and what other languages are compared with. A new language is one file like `en.ts` and
 * one entry here.
 */
const BUILT_IN_LANGUAGES = {
  en: { name: en.languageName, load: async () => en },
  ar: { name: 'العربية', load: async () => (await import('./ar.ts')).ar },
  de: { name: 'Deutsch', load: async () => (await import('./de.ts')).de },
  es: { name: 'Español', load: async () => (await import('./es.ts')).es },
  fr: { name: 'Français', load: async () => (await import('./fr.ts')).fr },
  hi: { name: 'हिन्दी', load: async () => (await import('./hi.ts')).hi },
  id: { name: 'Bahasa Indonesia', load: async () => (await import('./id.ts')).id },
  it: { name: 'Italiano', load: async () => (await import('./it.ts')).it },
  ja: { name: '日本語', load: async () => (await import('./ja.ts')).ja },
  ko: { name: '한국어', load: async () => (await import('./ko.ts')).ko },
  'pt-BR': { name: 'Português (Brasil)', load: async () => (await import('./pt-br.ts')).ptBr },
  'zh-Hans': { name: '简体中文', load: async () => (await import('./zh-hans.ts')).zhHans },
} satisfies Record<string, { name: string; load: () => Promise<Messages> }>

type BuiltInLanguage = keyof typeof BUILT_IN_LANGUAGES

/** Texts that belong to one part of the service, in every language of this package. */
export type Translations<Texts> = Readonly<Record<BuiltInLanguage, Texts>>

/**
 * The texts in the language of a page. If the deployment has added that language, they are those of the same
 * language for other regions, in the same script: `de-AT` has the texts of `de`. Otherwise they are English.
 */
export function textsIn<Texts>(language: string, translations: Translations<Texts>): Texts {
  if (isBuiltIn(language)) return translations[language]
  const builtIn = Object.keys(translations).find((tag) => isSameLanguage(tag, language))
  return translations[builtIn !== undefined && isBuiltIn(builtIn) ? builtIn : 'en']
}

function isSameLanguage(tag: string, other: string): boolean {
  const [locale, otherLocale] = [new Intl.Locale(tag).maximize(), new Intl.Locale(other).maximize()]
  return locale.language === otherLocale.language && locale.script === otherLocale.script
}

/** Some of the sentences of a language. */
export type SomeMessages = SomeOf<Omit<Messages, 'language'>>

type SomeOf<Texts> = {
  [Key in keyof Texts]?: Texts[Key] extends string | ((...values: never[]) => string)
    ? Texts[Key]
    : SomeOf<Texts[Key]>
}

/**
 * A complete language, or single sentences that replace ours. What states its `language` is complete,
 * so that a missing sentence does not compile.
 */
type MessagesOrSome = Messages | (SomeMessages & { language?: never })

/**
 * The texts of a deployment, by language tag: single sentences of the languages of this package, which
 * replace ours, and complete translations into other languages, such as `nl` or `zh-Hant`. A language
 * whose code has three letters needs a region: `fil-PH`.
 */
export type DeploymentMessages = { [Tag in BuiltInLanguage]?: MessagesOrSome } & {
  [Tag in Exclude<`${Letter}${Letter}`, BuiltInLanguage>]?: Messages
} & { [tag: `${string}-${string}`]: MessagesOrSome }

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
export type Languages = ReadonlyMap<string, Language>

/** The languages of a deployment whose messages have no problems. */
export function createLanguages(messages: DeploymentMessages): Languages {
  const overrides = messages as Record<string, MessageTree>
  const tags = new Set([...Object.keys(BUILT_IN_LANGUAGES), ...Object.keys(messages)])
  return new Map(
    Array.from(tags, (tag) => [tag.toLowerCase(), createLanguage(tag, overrides[tag] ?? {})]),
  )
}

function createLanguage(tag: string, overrides: MessageTree): Language {
  const builtIn = findBuiltIn(tag)
  let messages: Messages | undefined
  return {
    tag,
    name: String(overrides['languageName'] ?? builtIn?.name),
    async loadMessages() {
      // Not a stored promise: it would belong to the request that started it.
      messages ??= completeMessages(tag, (await builtIn?.load()) ?? {}, overrides)
      return messages
    },
  }
}

function completeMessages(tag: string, texts: MessageTree, overrides: MessageTree): Messages {
  const merged = mergeTexts(texts, overrides)
  const isolated = isRightToLeft(tag) ? isolateValues(merged) : merged
  // The validation guarantees that no text is missing.
  return isolated as unknown as Messages
}

/**
 * Isolates what is inserted into the sentences of a right-to-left language: host names, product names
 * and names of apps are usually written from left to right, and would reorder the punctuation around
 * them.
 */
function isolateValues(texts: MessageTree): MessageTree {
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => {
      if (isObject(text)) return [key, isolateValues(text)]
      if (typeof text !== 'function') return [key, text]
      return [key, (...values: (string | undefined)[]) => text(...values.map(isolateValue))]
    }),
  )
}

function isolateValue(value: string | undefined): string | undefined {
  return value === undefined ? undefined : isolateInRightToLeft(value)
}

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

function findBuiltIn(tag: string): { name: string; load: () => Promise<Messages> } | undefined {
  return isBuiltIn(tag) ? BUILT_IN_LANGUAGES[tag] : undefined
}

function isBuiltIn(tag: string): tag is BuiltInLanguage {
  return Object.hasOwn(BUILT_IN_LANGUAGES, tag)
}

/** The scripts of living languages that are written from right to left. */
const RIGHT_TO_LEFT_SCRIPTS = ['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']

/** Whether a language is written from right to left. */
export function isRightToLeft(tag: string): boolean {
  const { script } = new Intl.Locale(tag).maximize()
  return script !== undefined && RIGHT_TO_LEFT_SCRIPTS.includes(script)
}
