import { parseAccept } from 'hono/utils/accept'
import type { Messages } from './en.ts'
import type { Languages } from './languages.ts'

/**
 * The preferred language of an `Accept-Language` header (RFC 9110 §12.5.4) among those of the
 * deployment, or its first language if it has none of them.
 */
export function chooseLanguage(languages: Languages, acceptLanguage = ''): Messages {
  for (const { type, q } of parseAccept(acceptLanguage.slice(0, MAX_LENGTH))) {
    const language = q > 0 ? findLanguage(languages, type) : undefined
    if (language) return language
  }
  const [defaultLanguage] = languages.values()
  if (!defaultLanguage) throw new Error('A deployment has at least one language.')
  return defaultLanguage
}

/** More than browsers send; longer headers would only take time. */
const MAX_LENGTH = 500 // characters

/** A language, a script and a region; further subtags are ignored. */
const COMPARED_SUBTAGS = 3

/**
 * The same language, without a region or script if necessary (RFC 4647 §3.4): `es-MX` is Spanish.
 * Otherwise the same language for another region.
 */
function findLanguage(languages: Languages, languageTag: string): Messages | undefined {
  const subtags = languageTag.toLowerCase().split('-', COMPARED_SUBTAGS)
  for (let length = subtags.length; length > 0; length--) {
    const language = languages.get(subtags.slice(0, length).join('-'))
    if (language) return language
  }
  return [...languages.values()].find(({ language }) => language.split('-')[0] === subtags[0])
}
