import { writeFileSync } from 'node:fs'
import { programs } from '../e2e/documented-programs.ts'
import { API_PORT_OFFSET } from './server-recipes.ts'

/**
 * Writes programs of docs/relying-apps.md into the current folder as a reader would copy them, with
 * the addresses in the environment.
 */

const FILES = {
  'app.tsx': 'app.tsx',
  'login.ts': 'login.ts',
  'use-session.ts': 'use-session.ts',
  'session.ts': 'session.ts',
  'hono.ts': 'hono.ts',
  'session-auth.ts': 'auth.ts',
}

const { ISSUER = '', CLIENT_ID = '', APP_URL = '', PORT } = process.env
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
      .replaceAll("'shop'", `'${CLIENT_ID}'`)
      .replaceAll('8080', apiPort),
  )
}
