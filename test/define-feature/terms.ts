import { env } from 'cloudflare:workers'
import { html } from 'hono/html'
import { defineFeature } from '../../src/features.ts'

/** What an operator would create in a database of their own. */
export const TERMS_TABLE =
  'CREATE TABLE accepted_terms (user_id TEXT, version INTEGER, at INTEGER, PRIMARY KEY (user_id, version))'

/** The database, which a test can replace. A deployment would use `env.TERMS` instead. */
export const bindings = { TERMS: env.DIRECTORY }

/** Users accept each version of the terms once, before they are signed in. */
export function terms({ url, version }: { url: string; version: number }) {
  return defineFeature({
    id: 'terms',
    bindings: [{ name: 'TERMS', method: 'prepare', toml: '[[d1_databases]]\nbinding = "TERMS"' }],
    step: {
      version,
      async required({ user }) {
        const query = 'SELECT 1 FROM accepted_terms WHERE user_id = ? AND version = ?'
        const accepted = await bindings.TERMS.prepare(query).bind(user.id, version).first()
        return accepted ? undefined : '/terms'
      },
    },
    pages: {
      '/terms': {
        isStep: true,
        show: () => ({
          title: 'Terms of service',
          content: html`<p>Please read and accept our <a href="${url}">terms of service</a>.</p>`,
          button: 'Accept',
        }),
        async submit({ user }) {
          const query = 'INSERT OR IGNORE INTO accepted_terms VALUES (?, ?, unixepoch())'
          await bindings.TERMS.prepare(query).bind(user.id, version).run()
        },
      },
    },
  })
}
