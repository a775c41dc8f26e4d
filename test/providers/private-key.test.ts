import { exportJWK, generateKeyPair, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { PrivateJwk } from '../../src/core/upstream/private-jwk.ts'

const ISSUER = 'https://op.example'

describe('a private key for private_key_jwt', () => {
  it.each([
    ['RS256', undefined],
    ['RS512', 'RS512'],
    ['PS256', 'PS256'],
    ['ES256', undefined],
    ['ES384', undefined],
    ['ES512', undefined],
    ['Ed25519', undefined],
    ['Ed25519', 'EdDSA'],
  ])('signs with %s if its alg is %s (RFC 7523 §3)', async (algorithm, alg) => {
    const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true })
    const jwk = { ...(await exportJWK(privateKey)), kid: 'key-1', ...(alg && { alg }) }
    const body = new URLSearchParams()

    const authenticate = PrivateJwk(JSON.stringify(jwk))
    await authenticate({ issuer: ISSUER }, { client_id: 'our-client' }, body, new Headers())

    const { payload, protectedHeader } = await jwtVerify(
      body.get('client_assertion') ?? '',
      publicKey,
      { audience: ISSUER, issuer: 'our-client', subject: 'our-client' },
    )
    expect(protectedHeader).toMatchObject({ alg: algorithm, kid: 'key-1' })
    expect(payload).toMatchObject({ jti: expect.any(String), exp: expect.any(Number) })
    expect(body.has('client_secret')).toBe(false)
  })
})
