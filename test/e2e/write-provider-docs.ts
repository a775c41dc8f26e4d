import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { updateCatalogue } from '../providers/provider-docs.ts'

/* `npm run docs`: writes the catalogue of docs/providers.md. */

const PAGE = 'docs/providers.md'

const sources = globSync('src/providers/**/*.ts').map((path) => readFileSync(path, 'utf8'))
writeFileSync(PAGE, updateCatalogue(readFileSync(PAGE, 'utf8'), sources))
