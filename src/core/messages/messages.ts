import { isolateInRightToLeft } from '../../foundation/values/isolate-text-direction.ts'
import type { en } from './en.ts'
import { isRightToLeft } from './right-to-left.ts'

/** The texts of the core in English, whose type has its keys and values. */
type CoreTexts = typeof en

/** A text, or one for each category of `Intl.PluralRules` that the language has. */
export type Text = string | PluralForms

export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

/** Texts by key. */
export type Texts = Readonly<Record<string, Text>>

/** All texts of the core in a language, and those of features. Apps may have scopes of their own. */
export type Catalogue = Readonly<Record<keyof CoreTexts, Text>> & OtherTexts

/** Some of the texts of a language. */
export type SomeTexts = Readonly<Partial<Record<keyof CoreTexts, Text>>> & OtherTexts

/** Which texts features have is known when a deployment is created. */
interface OtherTexts extends Texts {
  readonly [key: `consent.scopes.${string}`]: string
}

/** The names in braces. */
type Placeholder<AnyText> = AnyText extends PluralForms
  ? Placeholder<AnyText[keyof AnyText]>
  : AnyText extends `${string}{${infer Name}}${infer Rest}`
    ? Name | Placeholder<Rest>
    : never

/** Numbers are formatted in the language of the page; other values already are. */
type ValuesIfAny<AnyText> = [Placeholder<AnyText>] extends [never]
  ? []
  : [values: { [Name in Placeholder<AnyText>]: Name extends 'count' ? number : string }]

/** Values by their names. */
type Values = Readonly<Record<string, string | number>>

/**
 * The texts of one language. `English` has their keys and values; messages with more texts than
 * necessary can be used, too.
 */
export interface Messages<out English = CoreTexts> {
  /** The tag of the language (BCP 47). */
  readonly language: string
  /** The text with these values. */
  t<Key extends keyof English & string>(key: Key, ...values: ValuesIfAny<English[Key]>): string
  /** The text with these values, if there is such a text. For keys that only features know. */
  find(key: string, values?: Values): string | undefined
  /** What an app may do with a scope, as the end of a sentence, if it has a text. */
  scope(name: string): string | undefined
}

/** The same with the texts of a feature, of which this is the type in English. */
export type MessagesWith<FeatureTexts> = Messages<CoreTexts & FeatureTexts>

/** A deployment that lists a feature has its texts: `withTexts<typeof en>(messages)`. */
export function withTexts<FeatureTexts>(messages: Messages): MessagesWith<FeatureTexts> {
  return messages as MessagesWith<FeatureTexts>
}

/** Finds names in braces. */
export const PLACEHOLDERS = /\{(\w+)\}/g

/**
 * The texts of a language whose catalogue has no problems. What is inserted into the sentences of a
 * right-to-left language is isolated: host names, product names and names of apps are usually
 * written from left to right, and would reorder the punctuation around them.
 */
export function createMessages(language: string, catalogue: Catalogue): Messages {
  const find = (key: string, values: Values = {}) => {
    const text = Object.hasOwn(catalogue, key) ? catalogue[key] : undefined
    return text && insertValues(selectForm(text, language, Number(values['count'])), values)
  }
  const insertValues = (sentence: string, values: Values) =>
    sentence.replaceAll(PLACEHOLDERS, (_, name: string) => {
      const value = values[name] ?? ''
      const text = typeof value === 'number' ? value.toLocaleString(language) : value
      // Determined here and not once per language, because the first use of `Intl.Locale` takes
      // milliseconds of a cold start.
      return isRightToLeft(language) ? isolateInRightToLeft(text) : text
    })
  return {
    language,
    t(key, ...[values]: [Values?]) {
      const text = find(key, values)
      if (text === undefined) throw new Error(`There is no text ${key}.`)
      return text
    },
    find,
    scope: (name) => catalogue[`consent.scopes.${name}`],
  }
}

function selectForm(text: Text, language: string, count: number): string {
  if (typeof text === 'string') return text
  return text[new Intl.PluralRules(language).select(count)] ?? text.other
}
