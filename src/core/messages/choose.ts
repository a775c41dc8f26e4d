import { parseAccept } from 'hono/utils/accept'
import type { Language, Languages } from './languages.ts'

/**
 * The preferred language of an `Accept-Language` header (RFC 9110 §12.5.4) among those of the
 * deployment, or its first language if it has none of them.
 */
export function chooseLanguage(languages: Languages, acceptLanguage = ''): Language {
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
 * Otherwise the same language for another region, if possible in the same script: `zh-TW` is
 * `zh-Hant` rather than `zh-Hans`.
 */
function findLanguage(languages: Languages, languageTag: string): Language | undefined {
  const [primarySubtag = '', ...others] = languageTag.split('-', COMPARED_SUBTAGS)
  const requested = parseTag([primarySubtag, ...others].join('-')) ?? parseTag(primarySubtag)
  if (!requested) return undefined
  const subtags = requested.toString().toLowerCase().split('-')
  for (let length = subtags.length; length > 0; length--) {
    const language = languages.get(subtags.slice(0, length).join('-'))
    if (language) return language
  }
  const sameLanguage = [...languages.values()].filter(
    ({ tag }) => tag.split('-')[0] === requested.language,
  )
  const script = usualScript(requested)
  return (
    sameLanguage.find(({ tag }) => usualScript(new Intl.Locale(tag)) === script) ?? sameLanguage[0]
  )
}

/** Also replaces obsolete tags: `in`, which old versions of Android send, is Indonesian, `id`. */
function parseTag(languageTag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(languageTag)
  } catch {
    return undefined
  }
}

function usualScript(locale: Intl.Locale): string | undefined {
  return locale.maximize().script
}
