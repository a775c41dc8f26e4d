import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { formatProblem } from '../../../src/foundation/values/problem.ts'
import keys from '../../core/oidc/signing-keys.json'
import { readConfig } from '../../deployment.ts'

const CLIENT = {
  client_id: 'shop',
  redirect_uris: ['https://shop.example/'],
  upstream_tokens: ['tiktok'],
}
const WITH_SECRET = { client_secrets_sha256: ['0'.repeat(64)] }
const { d: _, ...publicKey } = keys.signer
const WITH_KEYS = { jwks: { keys: [publicKey] } }

/** The problems of a deployment with this client. */
function problemsOf(client: object): string[] {
  return readConfig({ ...env, CLIENTS: [client] }).problems.map(formatProblem)
}

describe('upstream_tokens', () => {
  it('[B1][G7] is rejected for a client without credentials', () => {
    const client = { ...CLIENT, first_party: true }

    expect(problemsOf(client)).toEqual([
      expect.stringContaining('CLIENTS.0.upstream_tokens is only for confidential'),
    ])
    for (const credentials of [WITH_SECRET, WITH_KEYS]) {
      expect(problemsOf({ ...client, ...credentials })).toEqual([])
    }
  })

  it('[A27][C13] is rejected for a client that is not first-party', () => {
    expect(problemsOf({ ...CLIENT, ...WITH_SECRET })).toEqual([
      expect.stringContaining('CLIENTS.0.upstream_tokens is only for confidential'),
    ])
  })
})
