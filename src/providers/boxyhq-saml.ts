import { below, fullName } from '../provider-interface/quirks.ts'
import { oauthProvider } from './catalogue-entry.ts'

export interface BoxyHqSamlProfile {
  id: string
  email?: string
  firstName?: string
  lastName?: string
}

/**
 * `AUTH_BOXYHQ_SAML_ISSUER` is the URL of Ory Polis, formerly SAML Jackson of BoxyHQ. With the
 * credentials `dummy`, `authorization.params` must contain `tenant` and `product`.
 *
 * {@link https://boxyhq.com/docs/jackson/deploy}
 */
export const SAMLJackson = oauthProvider<BoxyHqSamlProfile>((options) => ({
  id: 'boxyhq-saml',
  name: 'BoxyHQ SAML',
  isSelfHosted: true,
  authorization: {
    url: below(options.issuer, '/api/oauth/authorize'),
    params: { provider: 'saml' },
  },
  token: below(options.issuer, '/api/oauth/token'),
  userinfo: below(options.issuer, '/api/oauth/userinfo'),
  profile({ id, email, firstName, lastName }) {
    return { id, name: fullName(firstName, lastName), email }
  },
  style: { brandColor: '#25c2a0' },
}))
