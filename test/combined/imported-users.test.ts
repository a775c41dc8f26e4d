import { describe, expect, it } from 'vitest'
import { createOperations } from '../../src/features/admin/operations/operations.ts'
import { Browser, serviceWith } from '../browser.ts'
import { declared } from '../deployment.ts'
import { connectMachine } from '../features/admin/machine-client.ts'
import { OWN_PAGE } from '../link-account.ts'
import { redirectUrl } from '../redirect.ts'

/*
 * Each operation on a user, for one who was imported with a role and has never signed in.
 * What it changes applies from the first sign-in on, and nothing else is lost.
 */

interface Result {
  status: number
  /** Whether the first sign-in is of the same user, and with which roles; null if it is rejected. */
  signedIn: { isSameUser: boolean; roles: readonly string[] } | null
}

const UNCHANGED = { isSameUser: true, roles: ['author'] }

/** By the id of the operation: the path after that of the user, and the result. */
const OPERATIONS: Record<string, { path?: string } & Result> = {
  getUser: { status: 200, signedIn: UNCHANGED },
  exportUser: { path: '/export', status: 200, signedIn: UNCHANGED },
  blockUser: { path: '/block', status: 200, signedIn: null },
  unblockUser: { path: '/unblock', status: 204, signedIn: UNCHANGED },
  endUserSessions: { path: '/end-sessions', status: 200, signedIn: UNCHANGED },
  endUserSession: { path: '/sessions/ses_x/end', status: 200, signedIn: UNCHANGED },
  revokeUserClient: { path: '/clients/shop/revoke', status: 409, signedIn: UNCHANGED },
  // It is the last way to sign in.
  removeUserAccount: { path: '/accounts/oidc:SUB/remove', status: 409, signedIn: UNCHANGED },
  deleteUser: {
    status: 204,
    signedIn: { isSameUser: false, roles: [] },
  },
  giveRole: {
    path: '/roles/editor/give',
    status: 200,
    signedIn: { ...UNCHANGED, roles: ['editor', 'author'] },
  },
  takeRole: { path: '/roles/author/take', status: 200, signedIn: { ...UNCHANGED, roles: [] } },
  takeRoleLater: {
    path: '/roles/author/take-later',
    status: 200,
    signedIn: { ...UNCHANGED, roles: [] },
  },
}

const PATH = '/users/:id'
const operations = createOperations(declared.features).filter(
  ({ path }) => path === PATH || path.startsWith(`${PATH}/`),
)

const service = serviceWith({
  AUTH_OIDC_ID: 'our-client',
  AUTH_OIDC_SECRET: 'our-secret-Kq7vR2',
  AUTH_OIDC_ISSUER: 'https://hostile.example/plain',
})

/** Imports a user of the provider, and returns the id that they have here. */
async function importUser(sub: string): Promise<string> {
  const { call } = await connectMachine({}, service)
  const line = { provider: 'oidc', provider_account_id: sub, roles: ['author'] }
  const headers = { 'Content-Type': 'application/x-ndjson' }
  await call('/users/import', { method: 'POST', body: JSON.stringify(line), headers })
  const found = await (await call(`/users?query=${sub}`)).json<{ items: { id: string }[] }>()
  expect(found.items).toHaveLength(1)
  return found.items[0]?.id ?? ''
}

/** The user who signs in at the provider; undefined if the sign-in is rejected. */
async function signIn(sub: string): Promise<{ id: string; roles?: string[] } | undefined> {
  const browser = new Browser(service)
  const { searchParams } = redirectUrl(await browser.get('/api/auth/signin/oidc', OWN_PAGE))
  const code = JSON.stringify({ nonce: searchParams.get('nonce'), claims: { sub } })
  const query = new URLSearchParams({ code, state: searchParams.get('state') ?? '' })
  await browser.get(`/api/auth/callback/oidc?${query}`)
  return (await browser.session())?.user
}

describe('an imported user who has never signed in', () => {
  it('is in the table with each operation on a user', () => {
    expect(operations.map(({ id }) => id).toSorted()).toEqual(Object.keys(OPERATIONS).toSorted())
  })

  it.each(operations.map(({ id, method }) => [id, method] as const))(
    'is what %s leaves of them',
    async (id, method) => {
      const { path = '', status, signedIn } = OPERATIONS[id] ?? {}
      const sub = crypto.randomUUID()
      const userId = await importUser(sub)
      const { call } = await connectMachine({}, service)

      const response = await call(`/users/${userId}${path.replace('SUB', sub)}`, {
        method: method.toUpperCase(),
      })
      const user = await signIn(sub)

      expect(response.status).toBe(status)
      const { id: signedInId, roles = [] } = user ?? {}
      expect(user ? { isSameUser: signedInId === userId, roles } : null).toEqual(signedIn)
    },
  )
})
