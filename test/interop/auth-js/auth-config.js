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
      authorization: { params: { scope: 'openid profile offline_access' } },
    },
  ],
  callbacks: {
    // Only the request that signs in has an account. Without an adapter, Auth.js makes up an id there.
    async jwt({ token, account }) {
      if (!account) return (await isActive(token.refreshToken)) ? token : null
      const { providerAccountId: sub, refresh_token: refreshToken, id_token: idToken } = account
      return { ...token, sub, refreshToken, idToken }
    },
    session({ session, token }) {
      session.user.id = token.sub
      return session
    },
  },
}

/** Whether the user is still signed in at the login service. The refresh token is not used. */
async function isActive(token) {
  const response = await fetch(`${ISSUER}/oidc/introspect`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${btoa(`${CLIENT_ID}:${encodeURIComponent(CLIENT_SECRET)}`)}`,
    },
    body: new URLSearchParams({ token }),
  })
  if (!response.ok) throw new Error(`The login service responded with ${response.status}.`)
  return (await response.json()).active
}
