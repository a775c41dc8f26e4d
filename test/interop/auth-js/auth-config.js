const { ISSUER, CLIENT_ID, CLIENT_SECRET, SESSION_SECRET } = process.env

export const authConfig = {
  basePath: '/auth',
  secret: SESSION_SECRET,
  trustHost: true,
  providers: [
    {
      id: 'login', // the last segment of the redirect URI
      name: 'Login',
      type: 'oidc',
      issuer: ISSUER,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      checks: ['pkce', 'state', 'nonce'],
    },
  ],
  callbacks: {
    // Without an adapter, Auth.js makes up an id at each sign-in. Only this request has an account.
    jwt({ token, account }) {
      if (account) token.sub = account.providerAccountId
      return token
    },
    session({ session, token }) {
      session.user.id = token.sub
      return session
    },
  },
}
