import { expect, it } from 'vitest'

const sources = import.meta.glob<string>('./*.test.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** What an app has to be tested for against the platform: each group has a test that names it. */
const GROUPS = [
  'the happy path, web and loopback',
  'a base64url challenge fails in the exchange, hex passes',
  'a missing challenge ends on a page, without callback',
  'client_id alone',
  'scopes joined by a space',
  'a content type with charset',
  'no last slash',
  'errors with HTTP 200 and a log id',
  'a code used twice, too late, by another app, decoded too often',
  'another redirect',
  'a partial grant',
  'a field without its scope',
  'ok, another code with HTTP 200, no data',
  'another open_id',
  'consent skipped, and asked for all the same',
  'cancelled, not eligible, no target user, a draft',
  'refreshing',
  'revoked, refused, asked again',
  'webhooks',
  '429, 500, timeout, HTML, half of the JSON',
  'sandbox and production',
  'an expired avatar',
  'states',
  'QR codes',
]

it.each(GROUPS.map((group, index) => [`[V${index + 1}]`, group]))('%s has tests: %s', (id) => {
  const titles = Object.values(sources).flatMap((text) => text.match(/'.*\[V\d+\].*'/g) ?? [])

  expect(titles.filter((title) => title.includes(id))).not.toEqual([])
})
