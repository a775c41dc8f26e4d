import type { SignInErrorCode } from '../../errors.ts'
import { type Explanation, en } from './en.ts'
import { es } from './es.ts'

/** A language is one file of this shape and one line in the list below. */
export type Messages = Omit<typeof en, 'errors'> & { errors: Record<SignInErrorCode, Explanation> }

const LANGUAGES: readonly Messages[] = [en, es]

/** The first language of an Accept-Language header that we speak (RFC 9110 §12.5.4), else English. */
export function chooseLanguage(accepted = ''): Messages {
  const wished = accepted
    .toLowerCase()
    .split(',', 20)
    .map((range) => range.split(/;\s*q=/))
    .sort(([, one = 1], [, other = 1]) => Number(other) - Number(one))
    .map(([tag = '']) => LANGUAGES.find(({ language }) => language === tag.trim().split('-')[0]))
  return wished.find(Boolean) ?? en
}
