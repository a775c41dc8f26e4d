import { writeFile } from 'node:fs/promises'
import { en } from '../../src/messages/en.ts'

/* `npm run texts`: the English catalogue as a text module. A test compares it with its source. */

const catalogue = new URL('../../src/messages/en.json.txt', import.meta.url)
await writeFile(catalogue, `${JSON.stringify(en, null, 2)}\n`)
