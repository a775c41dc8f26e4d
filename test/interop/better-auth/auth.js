import { betterAuth } from 'better-auth'
import { genericOAuth } from 'better-auth/plugins'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, APP_URL, SESSION_SECRET } = process.env

export const auth = betterAuth({
  baseURL: APP_URL,
  secret: SESSION_SECRET,
  plugins: [
    genericOAuth({
      config: [
        {
          providerId: 'vestibule',
          discoveryUrl: `${ISSUER}/.well-known/openid-configuration`,
          clientId: CLIENT_ID,
          clientSecret: CLIENT_SECRET,
          scopes: ['openid', 'profile'],
          pkce: true,
          // Users may have no email address, which the library requires.
          mapProfileToUser: ({ sub, email }) => ({ email: email ?? `${sub}@users.invalid` }),
        },
      ],
    }),
  ],
})
