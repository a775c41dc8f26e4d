import type { Feature } from '../../core/config/feature.ts'
import type { ListedFeature } from '../../core/config/vestibule-options.ts'
import { withProviderTokens } from './kept-tokens.ts'
import { keepTokens, SEAL } from './provider-token.ts'
import { CLIENT_FIELDS, findClientProblems } from './registration-fields.ts'
import { ACCESS_TOKEN, exchangeToken, TOKEN_EXCHANGE } from './token-exchange.ts'

/** Keeps the tokens of providers, sealed, and exchanges ours for them. */
export function providerTokens(): ListedFeature {
  const feature: Feature = {
    id: 'provider-tokens',
    seals: [SEAL],
    log: ['platform_token'],
    grantTypes: [
      {
        name: TOKEN_EXCHANGE,
        label: 'token_exchange',
        needsRegistration: false,
        handles: (form) => form.get('subject_token_type') === ACCESS_TOKEN,
        issueTokens: exchangeToken,
      },
    ],
    registrations: { clients: { fields: CLIENT_FIELDS, problems: findClientProblems } },
    keepTokens,
    extend: { UserObject: withProviderTokens },
  }
  return feature
}
