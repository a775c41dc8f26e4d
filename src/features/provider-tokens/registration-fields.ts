import * as z from 'zod/mini'
import { advanced, field } from '../../administration/registration-fields.ts'
import type { Registration } from '../../core/registration-schemas/clients.ts'
import { fieldReader } from '../../core/registration-schemas/deployment-schemas.ts'
import type { Problem } from '../../foundation/values/problem.ts'
import { text } from '../../foundation/values/schemas.ts'

export const CLIENT_FIELDS = {
  upstream_tokens: field(
    advanced('Other'),
    'Tokens of the provider',
    'The providers whose own tokens it may receive. Requires first_party, and a secret or jwks.',
    z._default(z.array(text()), []),
  ),
}

export const readClientFields = fieldReader(CLIENT_FIELDS)

/** Nobody else may pose as a client that gets tokens of providers. */
export function findClientProblems(client: Registration): Problem[] {
  const { first_party, client_secrets_sha256, jwks, jwks_uri } = client
  const isConfidential =
    client_secrets_sha256.length > 0 || jwks !== undefined || jwks_uri !== undefined
  const { upstream_tokens } = readClientFields(client)
  if (upstream_tokens.length === 0 || (isConfidential && first_party)) return []
  const message = 'is only for confidential first_party clients.'
  return [{ path: ['upstream_tokens'], code: 'invalid', message }]
}
