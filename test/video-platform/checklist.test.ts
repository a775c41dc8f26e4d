import { expect, it } from 'vitest'

const testFiles = import.meta.glob<string>('./*.test.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** The behaviours of the platform that an app must be tested against. Each has at least one test with its id. */
const CHECKLIST = [
  'the successful flow, with web and loopback redirects',
  'a base64url challenge fails in the exchange, a hex challenge succeeds',
  'a missing challenge ends on an error page, without a callback',
  'client_id instead of client_key',
  'scopes separated by a space',
  'a content type with charset',
  'a missing trailing slash',
  'errors with HTTP 200 and a log id',
  'a code that is used twice, expired, of another app, or decoded too often',
  'a different redirect URI',
  'a partial grant',
  'a field without its scope',
  'code ok, another code with HTTP 200, missing data',
  'a different open_id',
  'consent that is skipped, and consent that is shown nevertheless',
  'cancelled, not eligible, not a target user, a draft app',
  'refreshing',
  'revoked, rejected, authorized again',
  'webhooks',
  '429, 500, timeout, HTML, truncated JSON',
  'sandbox and production',
  'an expired avatar',
  'state values',
  'QR codes',
]

it.each(CHECKLIST.map((behaviour, index) => [`[V${index + 1}]`, behaviour]))(
  '%s has tests: %s',
  (id) => {
    const titles = Object.values(testFiles).flatMap((text) => text.match(/'.*\[V\d+\].*'/g) ?? [])

    expect(titles.filter((title) => title.includes(id))).not.toEqual([])
  },
)
