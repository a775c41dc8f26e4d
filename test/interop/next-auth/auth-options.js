const { ISSUER, CLIENT_ID, CLIENT_SECRET, SESSION_SECRET } = process.env

export const authOptions = {
  secret: SESSION_SECRET,
  providers: [
    {
      id: 'vestibule',
      name: 'Vestibule',
      type: 'oauth',
      wellKnown: `${ISSUER}/.well-known/openid-configuration`,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      authorization: { params: { scope: 'openid profile' } },
      idToken: true,
      checks: ['pkce', 'state', 'nonce'],
      profile: ({ sub, name, picture }) => ({ id: sub, name, image: picture }),
    },
  ],
  callbacks: {
    session: ({ session, token }) => ({ ...session, sub: token.sub }),
  },
}
