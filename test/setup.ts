import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, beforeEach, expect } from 'vitest'
import { issuedSecrets, logLines } from './browser.ts'

await applyD1Migrations(env.DIRECTORY, env.TEST_MIGRATIONS)

for (const level of ['log', 'warn', 'error'] as const) {
  console[level] = (...words: unknown[]) => {
    logLines.push(words.join(' '))
  }
}

beforeEach(async () => {
  await fetch('https://www.tiktok.com/__stand-in/reset', { method: 'POST' })
})

// [O5] Whatever a file of tests has made the service do: no line of its log holds a secret. Each file answers
// for its own lines, or the last ones would search all of them for the secrets of all.
afterAll(() => {
  expect(secretsIn(logLines.splice(0).join('\n'))).toEqual([])
  issuedSecrets.clear()
})

/** Looks at each place of the text once: a thousand sign-ins leave thousands of secrets and megabytes of log. */
function secretsIn(text: string): string[] {
  const secrets = [...issuedSecrets]
  const length = Math.min(...secrets.map((secret) => secret.length))
  const byStart = Map.groupBy(secrets, (secret) => secret.slice(0, length))
  const found = []
  for (let at = 0; at + length <= text.length; at++) {
    const candidates = byStart.get(text.slice(at, at + length)) ?? []
    found.push(...candidates.filter((secret) => text.startsWith(secret, at)))
  }
  return found
}
