import type { LocalMethod } from '../../core/config/feature.ts'
import type {
  CredentialInput,
  CredentialsConfig,
  CredentialsUserConfig,
} from '../../provider-interface/local-types.ts'
import { GUESS_DELAYS } from './limits.ts'
import { METRICS } from './metrics.ts'
import { createCredentialsRoutes } from './routes.tsx'
import { credentialsSchema } from './schema.ts'
import { credentialsFormPart } from './sign-in-part.tsx'
import { CREDENTIALS_STYLE } from './style.ts'
import texts from './texts.json.txt'

/**
 * Sign-in with a form whose values `authorize` checks. Use it to move an existing user base to this
 * service.
 */
export function Credentials<Inputs extends Record<string, CredentialInput>>(
  options: CredentialsUserConfig<Inputs>,
): CredentialsConfig {
  const config = { id: 'credentials', name: 'Credentials', style: CREDENTIALS_STYLE, ...options }
  // `authorize` is called with the fields of `credentials`, which have the names of its type.
  return { ...config, type: 'credentials', options, method: credentials } as CredentialsConfig
}

function credentials(provider: CredentialsConfig): LocalMethod {
  return {
    id: 'credentials',
    texts,
    limits: GUESS_DELAYS,
    metrics: METRICS,
    schema: credentialsSchema,
    routes: () => createCredentialsRoutes(provider),
    signInPart: (c, page) => credentialsFormPart(c, provider, page),
  }
}
