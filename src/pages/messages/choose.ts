import { parseAccept } from 'hono/utils/accept'
import type { Language, Languages } from './languages.ts'

/**
 * The preferred language of an `Accept-Language` header (RFC 9110 §12.5.4) among those of the
 * deployment, or its first language if it has none of them.
 */
export function chooseLanguage(languages: Languages, acceptLanguage = ''): Language {
  const preferred = parseAccept(acceptLanguage)
    .filter(({ q }) => q > 0)
    .map(({ type }) => findLanguage(languages, type))
  const [defaultLanguage] = languages.values()
  const language = preferred.find((found) => found !== undefined) ?? defaultLanguage
  if (!language) throw new Error('A deployment has at least one language.')
  return language
}

/** A language, a script and a region; further subtags are ignored. */
const COMPARED_SUBTAGS = 3

/**
 * The same language, without a region or script if necessary (RFC 4647 §3.4): `es-MX` is Spanish.
 * Otherwise the same language for another region.
 */
function findLanguage(languages: Languages, languageTag: string): Language | undefined {
  const subtags = languageTag.toLowerCase().split('-', COMPARED_SUBTAGS)
  for (let length = subtags.length; length > 0; length--) {
    const language = languages.get(subtags.slice(0, length).join('-'))
    if (language) return language
  }
  return [...languages.values()].find(({ language }) => language.split('-')[0] === subtags[0])
}
