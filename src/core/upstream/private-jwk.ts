import { importJWK, type JWK } from 'jose'
import * as oauth from 'oauth4webapi'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { signingAlgorithm } from '../../provider-interface/private-key.ts'

/** The imported keys, by the text of their JWK. Importing an RSA key takes a millisecond. */
const importedKeys = new Map<string, oauth.PrivateKey>()

/** `private_key_jwt` (RFC 7523) with a private key that is configured as a JWK in JSON. */
export function PrivateJwk(secret: string): oauth.ClientAuth {
  return async (server, client, body, headers) => {
    const key = importedKeys.get(secret) ?? (await importPrivateKey(secret))
    importedKeys.set(secret, key)
    await oauth.PrivateKeyJwt(key)(server, client, body, headers)
  }
}

async function importPrivateKey(secret: string): Promise<oauth.PrivateKey> {
  const jwk: JWK = JSON.parse(secret)
  try {
    const key = await importJWK(jwk, signingAlgorithm(jwk))
    return { key: key as CryptoKey, ...(jwk.kid && { kid: jwk.kid }) }
  } catch (cause) {
    // Its form has been checked with the configuration, its numbers have not.
    const detail = { hint: 'The client secret is not a valid private key.' }
    throw new SignInError('provider_misconfigured', { cause, detail })
  }
}
