import { decodeClaims, requestJson } from './request.ts'
import type { Session, SessionSource, TokenClaims } from './session.ts'

/** When the user returns to the page, an older answer is checked again. */
const MAX_AGE = 2_000 // milliseconds

/** Sessions of an app on the site of the login service, which browsers send their cookie to. */
export function sessionEndpoint<Claims>(url: string, clientId: string): SessionSource<Claims> {
  return {
    maxAge: MAX_AGE,

    async load(audience) {
      const receivedAt = Date.now()
      const query = new URLSearchParams({ client_id: audience || clientId })
      const session = await requestJson<Omit<Session, 'claims'> | null>(
        `${url}/api/auth/session?${query}`,
        { credentials: 'include' },
      )
      if (!session) return null
      const claims = decodeClaims<TokenClaims & Claims>(session.token)
      // The clock of this device may be wrong, so only the lifetime counts.
      const expiresAt = receivedAt + (claims.exp - claims.iat) * 1000
      return { session: { ...session, claims }, receivedAt, expiresAt }
    },

    async signIn({ provider, returnTo = location.href, prompt, acrValues, maxAge }) {
      const query = new URLSearchParams({ callbackUrl: new URL(returnTo, location.href).href })
      const isAgain = acrValues !== undefined || maxAge !== undefined
      if (prompt ?? isAgain) query.set('prompt', prompt ?? 'login')
      const path = provider ? `/signin/${encodeURIComponent(provider)}` : '/signin'
      location.assign(`${url}/api/auth${path}?${query}`)
    },

    async signOut() {
      await requestJson(`${url}/api/auth/signout`, {
        method: 'POST',
        credentials: 'include',
        body: new URLSearchParams(),
      })
    },
  }
}
