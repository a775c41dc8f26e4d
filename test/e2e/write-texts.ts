import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { en } from '../../src/core/messages/en.ts'

/* `npm run texts`: English in the text modules. A test compares it with its source. */

writeFileSync('src/core/messages/en.json.txt', toJson(en))

for (const source of globSync('src/features/*/texts.ts')) {
  const { en } = await import(new URL(`../../${source}`, import.meta.url).href)
  const module = source.replace('texts.ts', 'texts.json.txt')
  const translations = JSON.parse(readFileSync(module, 'utf8'))
  writeFileSync(module, toJson({ ...translations, en }))
}

function toJson(texts: object): string {
  return `${JSON.stringify(texts, null, 2)}\n`
}
