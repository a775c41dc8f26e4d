import { parseAccept } from 'hono/utils/accept'
import { en, type Messages } from './en.ts'
import { es } from './es.ts'

/** A new language is one file like these and one entry here. */
const LANGUAGES: readonly Messages[] = [en, es]

/** The language tags of the available languages. */
export const LANGUAGE_TAGS: readonly string[] = LANGUAGES.map(({ language }) => language)

/**
 * The messages in the preferred language of an `Accept-Language` header (RFC 9110 §12.5.4), or in
 * English if none of its languages is available. Regions are ignored: `es-MX` is Spanish.
 */
export function chooseMessages(acceptLanguage = ''): Messages {
  const preferred = parseAccept(acceptLanguage)
    .filter(({ q }) => q > 0)
    .map(({ type }) => findMessages(type))
  return preferred.find((messages) => messages !== undefined) ?? en
}

function findMessages(languageTag: string): Messages | undefined {
  const [primarySubtag] = languageTag.toLowerCase().split('-')
  return LANGUAGES.find(({ language }) => language === primarySubtag)
}
