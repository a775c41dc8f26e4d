import { ar } from './texts/ar.ts'
import { de } from './texts/de.ts'
import { type EmailTexts, en } from './texts/en.ts'
import { es } from './texts/es.ts'
import { fr } from './texts/fr.ts'
import { hi } from './texts/hi.ts'
import { id } from './texts/id.ts'
import { it } from './texts/it.ts'
import { ja } from './texts/ja.ts'
import { ko } from './texts/ko.ts'
import { ptBr } from './texts/pt-br.ts'
import { zhHans } from './texts/zh-hans.ts'

/** The texts of email sign-in, by language tag. */
export const EMAIL_TEXTS: Readonly<Record<string, EmailTexts>> = {
  en,
  es,
  de,
  fr,
  'pt-BR': ptBr,
  it,
  ja,
  ko,
  'zh-Hans': zhHans,
  ar,
  hi,
  id,
}

/** The texts in the language of a page, or in English if there are none. */
export function emailTexts(language: string): EmailTexts {
  return EMAIL_TEXTS[language] ?? en
}
