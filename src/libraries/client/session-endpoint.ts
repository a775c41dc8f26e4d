import { decodeClaims } from './claims.ts'
import type { LoginService } from './login-service.ts'
import {
  type Session,
  type SessionSource,
  sendAsBearer,
  type TokenClaims,
  UnavailableError,
} from './session.ts'

/** When the user returns to the page, an older answer is checked again. */
const MAX_AGE = 2_000 // milliseconds

type SessionResponse = Omit<Session, 'claims'> | null

/** Sessions of an app on the site of the login service, which browsers send their cookie to. */
export function sessionEndpoint(service: LoginService, clientId: string): SessionSource {
  const { url, requestJson, report } = service
  let hasResponded = false

  return {
    maxAge: MAX_AGE,
    send: sendAsBearer,

    async load(audience) {
      const receivedAt = Date.now()
      const session = await read(audience || clientId)
      if (!session) return null
      const claims = decodeClaims<TokenClaims>(session.token)
      // The clock of this device may be wrong, so only the lifetime counts.
      const expiresAt = receivedAt + (claims.exp - claims.iat) * 1000
      return { session: { ...session, claims }, receivedAt, expiresAt }
    },

    canRequest(scope = '', response) {
      report(
        `${response.url} requires the scope ${scope}, which session tokens do not have. Pass redirectUri and audiences to createClient, or let the API require roles instead.`,
      )
      return false
    },

    async signIn({ provider, returnTo = location.href, prompt, acrValues, maxAge }) {
      const query = new URLSearchParams({ callbackUrl: new URL(returnTo, location.href).href })
      const isAgain = acrValues !== undefined || maxAge !== undefined
      if (prompt ?? isAgain) query.set('prompt', prompt ?? 'login')
      const path = provider ? `/signin/${encodeURIComponent(provider)}` : '/signin'
      location.assign(`${url}/api/auth${path}?${query}`)
    },

    async signOut() {
      await requestJson('/api/auth/signout', {
        method: 'POST',
        credentials: 'include',
        body: new URLSearchParams(),
      })
    },
  }

  async function read(audience: string): Promise<SessionResponse> {
    const query = new URLSearchParams({ client_id: audience })
    const request = async () => {
      const init: RequestInit = { credentials: 'include' }
      const session = await requestJson<SessionResponse>(`/api/auth/session?${query}`, init)
      hasResponded = true
      return session
    }
    try {
      return await request()
    } catch (error) {
      if (hasResponded || hasStatus(error) || !(await isAvailable())) throw error
    }
    // Either the network failed for a moment, or this origin may not read the response.
    return request().catch(async (error: unknown) => {
      if (!hasStatus(error)) {
        report((await isAnswered(query)) ? describeRejectedOrigin() : describeBlockedRequest())
      }
      throw error
    })
  }

  /** Whether the service answers, although this origin may not read what. */
  function isAnswered(query: URLSearchParams): Promise<boolean> {
    return fetch(`${url}/api/auth/session?${query}`, { mode: 'no-cors' }).then(
      () => true,
      () => false,
    )
  }

  function describeBlockedRequest(): string {
    return `The request to ${url}/api/auth/session is blocked in this browser, although ${url} can be reached: look for an extension or a content blocker.`
  }

  /** Reads a document that every origin may read. */
  function isAvailable(): Promise<boolean> {
    return requestJson('/.well-known/openid-configuration', { cache: 'no-store' }).then(
      () => true,
      () => false,
    )
  }

  function describeRejectedOrigin(): string {
    const { origin } = location
    return `${url} does not let pages of ${origin} read the session. Add ${origin}/ to redirect_uris of the client ${clientId}, which also needs first_party = true.`
  }
}

function hasStatus(error: unknown): boolean {
  return error instanceof UnavailableError && error.status !== undefined
}
