import { expect } from 'vitest'
import { REFRESH_GRACE_PERIOD } from '../../../src/core/config/lifetimes.ts'
import { accountDigests } from '../../account-digests.ts'
import { issuedSecrets } from '../../browser.ts'
import { advanceClock } from '../../clock.ts'
import { approveConsent, shownConsent } from '../../core/oidc/user-steps.ts'
import { inputValues } from '../../html.ts'
import { sha256Hex } from '../../sha256-hex.ts'
import { createWebhookNow, deliver } from '../../webhook-delivery.ts'
import type { BareWorld, Variant, World } from './world.ts'

/** Something that ends what a user, or an app, has. */
export interface Ending {
  /** The route or the operation that it uses. */
  by: string
  variant?: Variant
  /** Runs before anything is obtained. */
  prepare?(world: BareWorld): Promise<unknown>
  end(world: World): Promise<unknown>
}

const TWO_ACCOUNTS = { hasTwoAccounts: true } as const
const KEYS = { hasKeys: true } as const
const OWN_KEYRING = { hasOwnKeyring: true } as const

export const ENDINGS: Readonly<Record<string, Ending>> = {
  'the user signs out': {
    by: 'POST /api/auth/signout',
    end: ({ browser }) => browser.post('/api/auth/signout', {}),
  },
  'an app signs the user out': {
    by: 'GET /oidc/logout',
    async end({ browser, tokens }) {
      const response = await browser.get(`/oidc/logout?id_token_hint=${tokens.id_token}`)
      expect(response.status).toBeLessThan(400)
    },
  },
  'the user confirms to sign out': {
    by: 'POST /oidc/logout/confirm',
    async end({ browser }) {
      const page = await (await browser.get('/oidc/logout')).text()
      const [csrfToken = ''] = inputValues(page, 'csrfToken')
      await browser.post('/oidc/logout/confirm', { csrfToken })
    },
  },
  'the user ends this session elsewhere': {
    by: 'POST /account/sessions',
    end: ({ elsewhere, sid }) => elsewhere.post('/account/sessions', { sid }),
  },
  'the user ends all other sessions here': {
    by: 'POST /account/sessions',
    end: ({ browser }) => browser.post('/account/sessions', { sid: 'others' }),
  },
  'the user removes the app': {
    by: 'POST /account/consents',
    end: ({ browser, clientId }) => browser.post('/account/consents', { client_id: clientId }),
  },
  'the user declines what they had allowed': {
    by: 'POST /oidc/consent',
    variant: { isThirdParty: true },
    async end({ browser, authorizationRequest }) {
      const query = new URLSearchParams({ ...authorizationRequest, prompt: 'consent' })
      const page = await browser.get(`/oidc/authorize?${query}`)
      expect((await approveConsent(browser, page, ['profile'])).status).toBe(303)
    },
  },
  'the user does not allow again what they had allowed': {
    by: 'POST /oidc/consent',
    variant: { isThirdParty: true },
    async end({ browser, authorizationRequest }) {
      const query = new URLSearchParams({ ...authorizationRequest, prompt: 'consent' })
      const shown = await shownConsent(await browser.get(`/oidc/authorize?${query}`))
      await browser.post('/oidc/consent', { ...shown, answer: 'deny' })
    },
  },
  'the user removes another account': {
    by: 'POST /account/disconnect',
    variant: TWO_ACCOUNTS,
    async end({ browser }) {
      const [, account = ''] = await accountDigests(browser)
      await browser.post('/account/disconnect', { account })
    },
  },
  'the user removes the account of the session': {
    by: 'POST /account/disconnect',
    variant: TWO_ACCOUNTS,
    async end({ browser }) {
      const [account = ''] = await accountDigests(browser)
      await browser.post('/account/disconnect', { account })
    },
  },
  'the user is deleted by themselves': {
    by: 'POST /account/delete',
    end: ({ browser }) => browser.post('/account/delete', {}),
  },
  'access is withdrawn at the provider': {
    by: 'POST /api/auth/webhook/:provider',
    end: ({ handle, service }) => notify(handle, 'disconnected', service),
  },
  'access to one of two accounts is withdrawn': {
    by: 'POST /api/auth/webhook/:provider',
    variant: TWO_ACCOUNTS,
    end: ({ handle, service }) => notify(handle, 'disconnected', service),
  },
  'the account at the provider is deleted': {
    by: 'POST /api/auth/webhook/:provider',
    end: ({ handle, service }) => notify(handle, 'account-deleted', service),
  },
  'the app revokes its refresh token': {
    by: 'POST /oidc/revoke',
    end: ({ send, tokens }) => send('/oidc/revoke', { token: tokens.refresh_token }),
  },
  'the app revokes its access token': {
    by: 'POST /oidc/revoke',
    end: ({ send, tokens }) => send('/oidc/revoke', { token: tokens.access_token }),
  },
  'a code is used twice': {
    by: 'POST /oidc/token',
    end: async ({ redeem, usedCode }) => {
      expect(await redeem(usedCode)).toMatchObject({ error: 'invalid_grant' })
    },
  },
  'a former refresh token is used': {
    by: 'POST /oidc/token',
    async end({ refresh, tokens }) {
      advanceClock(REFRESH_GRACE_PERIOD + 1)
      expect(await refresh(tokens.refresh_token)).toMatchObject({ error: 'invalid_grant' })
    },
  },
  'the user signs out of the app': {
    by: 'vestibule-auth/server',
    end: async ({ app }) => app?.signOut(),
  },

  'an administrator ends the session': {
    by: 'endUserSession',
    async end({ administer, userId, sid }) {
      await administer(`/users/${userId}/sessions/${sid}/end`)
    },
  },
  'an administrator ends all sessions': {
    by: 'endUserSessions',
    end: ({ administer, userId }) => administer(`/users/${userId}/end-sessions`),
  },
  'an administrator revokes the access of the app': {
    by: 'revokeUserClient',
    end: ({ administer, userId, clientId }) =>
      administer(`/users/${userId}/clients/${clientId}/revoke`),
  },
  'an administrator removes an account': {
    by: 'removeUserAccount',
    variant: TWO_ACCOUNTS,
    end: ({ administer, userId }) =>
      administer(`/users/${userId}/accounts/gitlab:second-${userId}/remove`),
  },
  'the user is blocked': {
    by: 'blockUser',
    end: ({ administer, userId }) => administer(`/users/${userId}/block`),
  },
  'the user is blocked and unblocked': {
    by: 'unblockUser',
    async end({ administer, userId }) {
      await administer(`/users/${userId}/block`)
      await administer(`/users/${userId}/unblock`)
    },
  },
  'the user is deleted by an administrator': {
    by: 'deleteUser',
    end: ({ administer, userId }) => administer(`/users/${userId}`, 'DELETE'),
  },
  'a role is given': {
    by: 'giveRole',
    end: ({ administer, userId }) => administer(`/users/${userId}/roles/author/give`),
  },
  'a role is taken': {
    by: 'takeRole',
    prepare: ({ administer, userId }) => administer(`/users/${userId}/roles/editor/give`),
    end: ({ administer, userId }) => administer(`/users/${userId}/roles/editor/take`),
  },
  'a role is taken for later': {
    by: 'takeRoleLater',
    prepare: ({ administer, userId }) => administer(`/users/${userId}/roles/editor/give`),
    end: ({ administer, userId }) => administer(`/users/${userId}/roles/editor/take-later`),
  },
  'the user is an administrator no more': {
    by: 'removeAdministrator',
    end: ({ administer, userId }) => administer(`/administrators/${userId}`, 'DELETE'),
  },

  'the client is disabled': {
    by: 'disableClient',
    end: ({ administer, clientId }) => administer(`/clients/${clientId}/disable`),
  },
  'the client is disabled and enabled': {
    by: 'enableClient',
    async end({ administer, clientId }) {
      await administer(`/clients/${clientId}/disable`)
      advanceClock(2)
      await administer(`/clients/${clientId}/enable`)
    },
  },
  'the client is deleted': {
    by: 'deleteClient',
    end: ({ administer, clientId }) => administer(`/clients/${clientId}`, 'DELETE'),
  },
  'the client is deleted and registered again': {
    by: 'createClient',
    async end({ administer, clientId, registration, clientSecret }) {
      await administer(`/clients/${clientId}`, 'DELETE')
      advanceClock(2)
      const client_secrets_sha256 = [await sha256Hex(clientSecret)]
      await administer('/clients', 'POST', { ...registration, client_secrets_sha256 })
    },
  },
  'an API is removed from the client': {
    by: 'updateClient',
    end: ({ administer, clientId }) =>
      administer(`/clients/${clientId}`, 'PATCH', { resources: [] }),
  },
  'a key of the client is removed': {
    by: 'updateClient',
    variant: KEYS,
    end: (world) => keepKeys(world, [1]),
  },
  'a key of the client is removed and added again': {
    by: 'updateClient',
    variant: KEYS,
    async end(world) {
      await keepKeys(world, [1])
      advanceClock(2)
      await keepKeys(world, [0, 1])
    },
  },
  'the client gets another secret': {
    by: 'rotateClientSecret',
    end: addSecret,
  },
  'the client gets a fourth secret': {
    by: 'rotateClientSecret',
    async prepare(world) {
      await addSecret(world)
      await addSecret(world)
    },
    async end(world) {
      await addSecret(world)
      world.useCredential(1)
    },
  },
  'the former secret is removed': {
    by: 'removeFormerClientSecret',
    prepare: addSecret,
    async end({ administer, clientId, useCredential }) {
      await administer(`/clients/${clientId}/remove-former-secret`)
      useCredential(1)
    },
  },
  'a secret is removed': {
    by: 'removeClientSecret',
    prepare: addSecret,
    async end({ administer, clientId, useCredential }) {
      const response = await administer(`/clients/${clientId}/secrets`, 'GET')
      const { items } = await response.json<{ items: { id: string }[] }>()
      await administer(`/clients/${clientId}/secrets/${items[1]?.id}/remove`)
      useCredential(1)
    },
  },
  'the API is deleted': {
    by: 'deleteApi',
    end: ({ administer, api }) => administer(`/apis/${encodeURIComponent(api)}`, 'DELETE'),
  },
  'the signing keys are rotated': {
    by: 'rotateKeys',
    variant: OWN_KEYRING,
    end: ({ administer }) => administer('/keys/rotate'),
  },
  'the signing keys are revoked': {
    by: 'revokeKeys',
    variant: OWN_KEYRING,
    end: ({ administer }) => administer('/keys/revoke'),
  },
}

/** Requests that change something and end nothing of a user or an app, or are tested elsewhere. */
export const NOT_ENDING: Readonly<Record<string, string>> = {
  ...because('It signs somebody in, or is a part of that.', [
    'POST /api/auth/callback/:provider',
    'POST /api/auth/callback/credentials',
    'POST /api/auth/callback/email',
    'POST /api/auth/signin/:provider',
    'POST /api/auth/signin/email',
    'POST /api/auth/signin/email/:attempt',
    'POST /api/auth/signin/email/:attempt/again',
    'POST /api/auth/signin/passkey',
    'POST /device',
    'POST /oidc/authorize',
    'POST /oidc/challenge',
    'POST /oidc/device',
    'POST /oidc/par',
  ]),
  ...because('It only reads.', [
    'POST /account/export',
    'POST /oidc/introspect',
    'POST /oidc/userinfo',
    'testProvider',
  ]),
  ...because('It only adds.', [
    'POST /account/confirm',
    'POST /account/passkeys',
    'POST /account/passkeys/name',
    'POST /oidc/register',
    'createApi',
    'importUsers',
    'unblockUnregisteredClient',
  ]),
  ...because('It is about what the service sends.', [
    'createWebhook',
    'deleteWebhook',
    'removeFormerWebhookSecret',
    'resendWebhookEvent',
    'rotateWebhookSecret',
    'testWebhook',
    'updateWebhook',
  ]),
  'POST /oidc/logout': 'It redirects to GET /oidc/logout.',
  blockUnregisteredClient: 'test/features/agents/blocked-clients.test.ts',
  resetTotp: 'test/features/totp/administration.test.ts',
  setAdministrator: 'A lower role: test/features/admin/administrators.test.ts.',
  updateApi: 'What it changes applies to new tokens.',
}

function because(reason: string, requests: readonly string[]): Record<string, string> {
  return Object.fromEntries(requests.map((request) => [request, reason]))
}

async function notify(handle: string, reason: string, service: World['service']): Promise<void> {
  const response = await deliver(await createWebhookNow(handle, { reason }), service)
  expect(response.status).toBe(200)
}

/** The app gets another secret, and does not use it yet. */
async function addSecret({ administer, clientId, secrets }: BareWorld): Promise<void> {
  const response = await administer(`/clients/${clientId}/rotate-secret`)
  const { client_secret } = await response.json<{ client_secret: string }>()
  issuedSecrets.add(client_secret)
  secrets.push(client_secret)
}

/** Registers some of the keys of the app, which uses the second one from now on. */
async function keepKeys(
  { administer, clientId, keys, useCredential }: World,
  kept: readonly number[],
): Promise<void> {
  const jwks = { keys: kept.map((index) => keys?.[index]?.jwk) }
  await administer(`/clients/${clientId}`, 'PATCH', { jwks })
  useCredential(1)
}
