import { writeFileSync } from 'node:fs'
import { programs } from '../e2e/documented-programs.ts'
import { API_PORT_OFFSET } from './examples.ts'

/**
 * Writes programs of docs/relying-apps.md into the current folder as a reader would copy them, with
 * the addresses in the environment.
 */

const FILES = {
  'app.tsx': 'app.tsx',
  'login.ts': 'login.ts',
  'use-session.ts': 'use-session.ts',
  'session.ts': 'session.ts',
  'app.ts': 'app.ts',
  'session-auth.ts': 'auth.ts',
}

const { ISSUER = '', APP_URL = '', PORT } = process.env
const apiPort = String(Number(PORT) + API_PORT_OFFSET)

for (const [program, file] of Object.entries(FILES)) {
  const text = programs.get(program)
  if (!text) throw new Error(`docs/relying-apps.md has no program ${program}.`)
  writeFileSync(
    file,
    text
      .replaceAll('https://login.example.com', ISSUER)
      .replaceAll('https://shop.example.com', APP_URL)
      .replaceAll('https://api.example.com', `http://localhost:${apiPort}`)
      .replaceAll('8080', apiPort),
  )
}
