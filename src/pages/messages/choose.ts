import type { SignInErrorCode } from '../../errors.ts'
import { en } from './en.ts'
import { es } from './es.ts'

/** A language is one file of this shape and one line in the list below. */
export type Messages = typeof en & {
  errors: Record<SignInErrorCode, { title: string; text: string }>
}

const LANGUAGES: readonly Messages[] = [en, es]

/** The first language of an Accept-Language header that we speak (RFC 9110 §12.5.4), else English. */
export function chooseLanguage(accepted = ''): Messages {
  const ranked = accepted
    .split(',', 20)
    .map(parseRange)
    .sort((one, other) => other.weight - one.weight)
  for (const { tag } of ranked) {
    const language = LANGUAGES.find(
      (messages) => tag === messages.language || tag.startsWith(`${messages.language}-`),
    )
    if (language) return language
  }
  return en
}

function parseRange(range: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = range.trim().toLowerCase().split(';')
  const weight = parameters.find((parameter) => parameter.trim().startsWith('q='))
  return { tag: tag.trim(), weight: weight ? Number(weight.trim().slice(2)) || 0 : 1 }
}
