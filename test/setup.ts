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
  const text = logLines.splice(0).join('\n')
  const leaked = [...issuedSecrets].filter((secret) => text.includes(secret))
  issuedSecrets.clear()
  expect(leaked).toEqual([])
})
