import {
  base64url,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  SignJWT,
} from 'jose'
import { LOGIN } from '../../browser.ts'

type Changes = Record<string, unknown>

/** The key of a client, with which it creates proofs (RFC 9449 §4.2). */
export class ProofKey {
  readonly jwk: JWK
  readonly thumbprint: string
  readonly alg: string
  readonly #privateKey: CryptoKey

  private constructor(fields: Pick<ProofKey, 'jwk' | 'thumbprint' | 'alg'>, privateKey: CryptoKey) {
    this.jwk = fields.jwk
    this.thumbprint = fields.thumbprint
    this.alg = fields.alg
    this.#privateKey = privateKey
  }

  static async create(alg = 'ES256'): Promise<ProofKey> {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true })
    const jwk = await exportJWK(publicKey)
    return new ProofKey({ jwk, thumbprint: await calculateJwkThumbprint(jwk), alg }, privateKey)
  }

  /** The private part, which must never be in a proof. */
  privateJwk(): Promise<JWK> {
    return exportJWK(this.#privateKey)
  }

  /** A valid proof for the token endpoint, with these changes of claims and of the header. */
  proof(claims: Changes = {}, header: Changes = {}): Promise<string> {
    const all = {
      jti: crypto.randomUUID(),
      htm: 'POST',
      htu: `${LOGIN}/oidc/token`,
      iat: Math.floor(Date.now() / 1000),
      ...claims,
    }
    return new SignJWT(all)
      .setProtectedHeader({
        alg: this.alg,
        typ: 'dpop+jwt',
        jwk: this.jwk,
        ...header,
      } as JWTHeaderParameters)
      .sign(this.#privateKey)
  }

  /** The headers of a request with a bound access token. */
  async headers(
    url: string,
    accessToken: string,
    { method = 'GET', ...claims }: Changes = {},
  ): Promise<Record<string, string>> {
    const ath = await accessTokenHash(accessToken)
    const DPoP = await this.proof({ htm: method, htu: url, ath, ...claims })
    return { Authorization: `DPoP ${accessToken}`, DPoP }
  }
}

async function accessTokenHash(accessToken: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(accessToken))
  return base64url.encode(new Uint8Array(hash))
}
