import { describe, expect, it } from 'vitest'
import documentation from '../../docs/conformance.md?raw'

/** The modules of the OpenID Foundation's conformance plans that apply to this service. */
const PLANS = {
  'Basic and Form Post': `
    oidcc-server oidcc-response-type-missing oidcc-idtoken-signature oidcc-idtoken-unsigned oidcc-userinfo-get
    oidcc-userinfo-post-header oidcc-userinfo-post-body
    oidcc-ensure-request-without-nonce-succeeds-for-code-flow oidcc-scope-profile oidcc-scope-email
    oidcc-scope-address oidcc-scope-phone oidcc-scope-all oidcc-alternate-happy-flow oidcc-display-page
    oidcc-display-popup oidcc-prompt-login oidcc-prompt-none-not-logged-in oidcc-prompt-none-logged-in
    oidcc-max-age-1 oidcc-max-age-10000 oidcc-ensure-request-with-unknown-parameter-succeeds
    oidcc-id-token-hint oidcc-login-hint oidcc-ui-locales oidcc-claims-locales
    oidcc-ensure-request-with-acr-values-succeeds oidcc-codereuse oidcc-codereuse-30seconds
    oidcc-ensure-registered-redirect-uri oidcc-ensure-post-request-succeeds oidcc-server-client-secret-post
    oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported
    oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported oidcc-claims-essential
    oidcc-ensure-request-object-with-redirect-uri oidcc-refresh-token
    oidcc-ensure-request-with-valid-pkce-succeeds`,
  Config: 'oidcc-discovery-endpoint-verification',
  'RP-initiated logout': `
    oidcc-rp-initiated-logout-discovery-endpoint-verification oidcc-rp-initiated-logout
    oidcc-rp-initiated-logout-bad-post-logout-redirect-uri oidcc-rp-initiated-logout-modified-id-token-hint
    oidcc-rp-initiated-logout-no-id-token-hint oidcc-rp-initiated-logout-no-params
    oidcc-rp-initiated-logout-no-post-logout-redirect-uri oidcc-rp-initiated-logout-no-state
    oidcc-rp-initiated-logout-only-state oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri
    oidcc-rp-initiated-logout-bad-id-token-hint`,
  'back-channel logout':
    'oidcc-backchannel-logout-discovery-endpoint-verification oidcc-backchannel-rp-initiated-logout',
}

/** The test files, and the modules that their tests are named after. */
const files = Object.entries(
  import.meta.glob<string>(['./*.test.ts', '!./plans.test.ts'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
).map(([path, text]) => ({ name: path.slice(2, -'.test.ts'.length), modules: modulesIn(text) }))

describe.each(Object.entries(PLANS))('the plan %s', (_, modules) => {
  it.each(modules.trim().split(/\s+/))(
    'has a test named after %s, in the file that the documentation names',
    (name) => {
      const found = files.filter((file) => file.modules.has(name)).map((file) => file.name)

      expect(found).toHaveLength(1)
      expect(documentation).toContain(`| \`${name}\` | \`conformance/${found[0]}\` |`)
    },
  )
})

/** The module names at the start of a test title or of a row of `it.each`. */
function modulesIn(text: string): Set<string> {
  return new Set(
    Array.from(text.matchAll(/'(?:\[\w+\])* ?(oidcc-[\w-]+)[:']/g), ([, name = '']) => name),
  )
}
