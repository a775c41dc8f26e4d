import { isObject } from '../../foundation/values/json.ts'
import { type Jwks, publicKey } from '../registration-schemas/public-keys.ts'
import { invalid, type MetadataFailure } from './client-metadata-error.ts'

/** The public keys of a JWK Set. Those of other kinds are ignored. */
export function parseKeys(json: unknown, source: string): Jwks | MetadataFailure {
  const listed = isObject(json) && Array.isArray(json['keys']) ? json['keys'] : []
  if (listed.some((key) => isObject(key) && ('d' in key || 'k' in key))) {
    return invalid(source, 'The keys contain a private key or a secret.')
  }
  const keys = listed.flatMap((key) => publicKey.safeParse(key).data ?? [])
  const signing = keys.filter(({ use }) => use !== 'enc')
  return signing.length > 0
    ? { keys: signing }
    : invalid(source, 'There is no key that can be used.')
}
