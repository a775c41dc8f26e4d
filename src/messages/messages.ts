import { isolateInRightToLeft } from '../values/isolate-text-direction.ts'
import type { en } from './en.ts'
import { isRightToLeft } from './right-to-left.ts'

export type MessageKey = keyof typeof en

/** A text, or one for each category of `Intl.PluralRules` that the language has. */
export type Text = string | PluralForms

export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>

type Texts = Readonly<Record<MessageKey, Text>>

/** All texts of a language. Apps may have scopes of their own. */
export type Catalogue = Texts & ScopeTexts

/** Some of the texts of a language. */
export type SomeTexts = Partial<Texts> & ScopeTexts

interface ScopeTexts {
  readonly [key: `consent.scopes.${string}`]: string
}

/** The names in braces. */
type Placeholder<AnyText> = AnyText extends PluralForms
  ? Placeholder<AnyText[keyof AnyText]>
  : AnyText extends `${string}{${infer Name}}${infer Rest}`
    ? Name | Placeholder<Rest>
    : never

/** Numbers are formatted in the language of the page; other values already are. */
type Values<Key extends MessageKey> = {
  [Name in Placeholder<(typeof en)[Key]>]: Name extends 'count' ? number : string
}

type ValuesIfAny<Key extends MessageKey> = [Placeholder<(typeof en)[Key]>] extends [never]
  ? []
  : [values: Values<Key>]

/** The texts of one language. */
export interface Messages {
  /** The tag of the language (BCP 47). */
  readonly language: string
  /** The text with these values. */
  t<Key extends MessageKey>(key: Key, ...values: ValuesIfAny<Key>): string
  /** Whether there is such a text. */
  has(key: string): key is MessageKey
  /** What an app may do with a scope, as the end of a sentence, if it has a text. */
  scope(name: string): string | undefined
}

/** Finds names in braces. */
export const PLACEHOLDERS = /\{(\w+)\}/g

/**
 * The texts of a language whose catalogue has no problems. What is inserted into the sentences of a
 * right-to-left language is isolated: host names, product names and names of apps are usually
 * written from left to right, and would reorder the punctuation around them.
 */
export function createMessages(language: string, catalogue: Catalogue): Messages {
  return {
    language,
    t(key, ...[values = {}]: [Readonly<Record<string, string | number>>?]) {
      const sentence = selectForm(catalogue[key], language, Number(values['count']))
      return sentence.replaceAll(PLACEHOLDERS, (_, name: string) => {
        const value = values[name] ?? ''
        const text = typeof value === 'number' ? value.toLocaleString(language) : value
        // Determined here and not once per language, because the first use of `Intl.Locale` takes
        // milliseconds of a cold start.
        return isRightToLeft(language) ? isolateInRightToLeft(text) : text
      })
    },
    has: (key): key is MessageKey => Object.hasOwn(catalogue, key),
    scope: (name) => catalogue[`consent.scopes.${name}`],
  }
}

function selectForm(text: Text, language: string, count: number): string {
  if (typeof text === 'string') return text
  return text[new Intl.PluralRules(language).select(count)] ?? text.other
}
