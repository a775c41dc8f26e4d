import texts from './en.json.txt'
import type { Catalogue } from './messages.ts'

/** The texts of English, for the Worker, which does not parse them unless it needs them. */
export function readEnglish(): Catalogue {
  return JSON.parse(texts)
}
