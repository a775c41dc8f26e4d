import { type Translations, textsIn } from '../../pages/messages/languages.ts'
import { ar } from './texts/ar.ts'
import { de } from './texts/de.ts'
import { en, type PasskeyTexts } from './texts/en.ts'
import { es } from './texts/es.ts'
import { fr } from './texts/fr.ts'
import { hi } from './texts/hi.ts'
import { id } from './texts/id.ts'
import { it } from './texts/it.ts'
import { ja } from './texts/ja.ts'
import { ko } from './texts/ko.ts'
import { ptBr } from './texts/pt-br.ts'
import { zhHans } from './texts/zh-hans.ts'

export const PASSKEY_TEXTS: Translations<PasskeyTexts> = {
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

/** The texts about passkeys in the language of a page. */
export function passkeyTexts(language: string): PasskeyTexts {
  return textsIn(language, PASSKEY_TEXTS)
}
