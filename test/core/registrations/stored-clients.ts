import { env } from 'cloudflare:workers'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import { issuedSecrets, serviceWith } from '../../browser.ts'
import { readConfig } from '../../deployment.ts'
import { basic } from '../oidc/relying-app.ts'

/**
 * The configuration of an isolate that handles no requests of the tests: another one has cached the
 * clients.
 */
export const config = readConfig(env)

/** Who changes registrations in these tests. */
export const ORIGIN = { actor: 'usr_administrator', requestId: 'req-1' }

/** An id that no other test uses. */
export function newId(prefix = 'c'): string {
  return `${prefix}-${crypto.randomUUID()}`
}

/** The redirect URI of a client that a test registers. */
export function redirectUri(clientId: string): string {
  return `https://${clientId}.example/callback`
}

/** Registers a client that introspects the tokens for an API, and returns its credentials. */
export async function registerIntrospector(identifier: string) {
  const client_id = newId('introspector')
  const { secret = '' } = await clientStore.create(env, config, {
    registration: { client_id, grant_types: ['client_credentials'], introspects: [identifier] },
    origin: ORIGIN,
  })
  issuedSecrets.add(secret)
  return basic(client_id, secret)
}

/** An authorization request of a browser that is not signed in. */
function authorizationRequest(clientId: string): Request {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri(clientId),
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  })
  return new Request(`https://login.example/oidc/authorize?${query}`, {
    headers: { Accept: 'application/json' },
    redirect: 'manual',
  })
}

/**
 * An isolate of its own: nothing is cached in it yet. Counts its queries, which can fail or hang.
 */
export function newIsolate(changes: Record<string, unknown> = {}) {
  const state = { queries: 0, isDown: false, isHanging: false }
  const directory = new Proxy(env.DIRECTORY, {
    get(target, name) {
      const member = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...input: unknown[]) => {
        if (state.isDown) throw new Error('D1_ERROR: the database does not respond')
        // A single statement is counted when it is prepared; a batch has two of them.
        if (name === 'prepare') state.queries += 1
        if (name === 'batch' && state.isHanging) return new Promise(() => {})
        return Reflect.apply(member, target, input)
      }
    },
  })
  const service = serviceWith({ DIRECTORY: directory, ...changes })
  return {
    service,
    state,
    /** Whether the client is accepted: the user is sent to the sign-in page. */
    async accepts(clientId: string): Promise<boolean> {
      const { status } = await service(authorizationRequest(clientId))
      return status === 303
    },
    async errorCode(clientId: string): Promise<unknown> {
      const response = await service(authorizationRequest(clientId))
      return ((await response.json()) as { error?: unknown }).error
    },
  }
}

/** Writes a row as another version of this service could have written it. */
export async function storeRow(clientId: string, registration: string): Promise<void> {
  await env.DIRECTORY.prepare(
    'INSERT INTO clients (client_id, registration, created_at, updated_at) VALUES (?, ?, 0, 0)',
  )
    .bind(clientId, registration)
    .run()
}

/**
 * A deployment in which this happens after a registration was read, right before the change is
 * written.
 */
export function withConcurrentChange(change: () => Promise<unknown>): Env {
  let hasHappened = false
  const directory = new Proxy(env.DIRECTORY, {
    get(target, name) {
      const member = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      if (name !== 'batch') return member.bind(target)
      return async (statements: D1PreparedStatement[]) => {
        if (!hasHappened) await change()
        hasHappened = true
        return target.batch(statements)
      }
    },
  })
  return { ...env, DIRECTORY: directory }
}
