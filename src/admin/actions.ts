import type { AuditOrigin } from '../audit/audit-entry.ts'
import type { Config } from '../config/config.ts'
import { apiStore } from '../registrations/api-store.ts'
import { clientStore } from '../registrations/client-store.ts'
import { rotateKeys } from '../tokens/manage-keys.ts'
import { exportUser } from '../users/export-user.ts'
import { blockUser, endUserSessions, unblockUser } from '../users/manage-users.ts'
import type { Section } from './console/console-parts.tsx'
import { deleteUserAsAdministrator } from './delete-user.ts'

interface ActionRequest {
  env: Env
  config: Config
  id: string
  /** The session, if the path has one. */
  sid: string
  origin: AuditOrigin
}

/** A change that is confirmed on its own page: GET shows the page, POST makes the change. */
export interface Action {
  /** Below `/admin`. */
  path: string
  section: Section
  title: string
  consequences: readonly string[]
  /** The text of the button. */
  label: string
  /** Its subject no longer has a page afterwards. */
  isDeletion?: boolean
  /** Whether users or clients lose their access, or something is deleted. */
  isDanger?: boolean
  /** Returns false if there is nothing with this id, a new secret, or a document to download. */
  run(request: ActionRequest): Promise<ActionResult>
}

type ActionResult = boolean | { secret: string } | { document: unknown }

const NOTIFIED = 'Clients with a back-channel logout URL are notified.'

/** Every change that needs a confirmation. */
export function listActions(): Action[] {
  return [
    {
      path: '/users/:id/sessions/:sid/end',
      section: 'users',
      title: 'End this session',
      consequences: [
        'The browser is signed out, and clients lose the access they got through it.',
        NOTIFIED,
      ],
      label: 'End session',
      run: ({ env, config, id, sid, origin }) =>
        endUserSessions(env, config, { userId: id, sid, origin }),
    },
    {
      path: '/users/:id/end-sessions',
      section: 'users',
      title: 'End all sessions',
      consequences: [
        'The user is signed out in every browser, and all clients lose their access.',
        NOTIFIED,
        'The user can sign in again.',
      ],
      label: 'End all sessions',
      run: ({ env, config, id, origin }) => endUserSessions(env, config, { userId: id, origin }),
    },
    {
      path: '/users/:id/block',
      section: 'users',
      title: 'Block this user',
      consequences: [
        'The user is signed out everywhere immediately, and cannot sign in until unblocked.',
        'Userinfo, refresh and introspection reject all tokens of the user. APIs that verify tokens themselves accept them until they expire.',
        NOTIFIED,
      ],
      label: 'Block',
      isDanger: true,
      run: ({ env, config, id, origin }) => blockUser(env, config, { userId: id, origin }),
    },
    {
      path: '/users/:id/unblock',
      section: 'users',
      title: 'Unblock this user',
      consequences: ['The user can sign in again. Former sessions and tokens stay invalid.'],
      label: 'Unblock',
      run: ({ env, config, id, origin }) => unblockUser(env, config, { userId: id, origin }),
    },
    {
      path: '/users/:id/export',
      section: 'users',
      title: 'Export this user',
      consequences: [
        'You download one JSON document with everything that is stored about the user, except secrets.',
        'The export is recorded in the audit log.',
      ],
      label: 'Download',
      async run({ env, config, id, origin }) {
        const document = await exportUser(env, config, { userId: id, origin })
        return document !== undefined && { document }
      },
    },
    {
      path: '/users/:id/delete',
      section: 'users',
      title: 'Delete this user',
      consequences: [
        'The user, their accounts, sessions, consents and stored provider tokens are deleted. This cannot be undone.',
        NOTIFIED,
        'If they sign in again, they get a new ID, and clients see a new user.',
      ],
      label: 'Delete',
      isDeletion: true,
      isDanger: true,
      run: ({ env, config, id, origin }) =>
        deleteUserAsAdministrator(env, config, { userId: id, origin }),
    },
    {
      path: '/clients/:id/disable',
      section: 'clients',
      title: 'Disable this client',
      consequences: [
        'Within a minute, nobody can sign in to the client, and its requests and tokens are rejected.',
        'Its registration is kept; you can enable it again.',
      ],
      label: 'Disable',
      isDanger: true,
      async run({ env, config, id, origin }) {
        await clientStore.setDisabled(env, config, { id, isDisabled: true, origin })
        return true
      },
    },
    {
      path: '/clients/:id/enable',
      section: 'clients',
      title: 'Enable this client',
      consequences: ['Users can sign in to the client again.'],
      label: 'Enable',
      async run({ env, config, id, origin }) {
        await clientStore.setDisabled(env, config, { id, isDisabled: false, origin })
        return true
      },
    },
    {
      path: '/clients/:id/rotate-secret',
      section: 'clients',
      title: 'Create a new secret',
      consequences: [
        'The new secret is shown once. The present one stays valid next to it until you remove it.',
        'If the client already has two secrets, the older one stops working within a minute.',
      ],
      label: 'Create a new secret',
      async run({ env, config, id, origin }) {
        return clientStore.rotateSecret(env, config, { id, origin })
      },
    },
    {
      path: '/clients/:id/remove-former-secret',
      section: 'clients',
      title: 'Remove the former secret',
      consequences: ['Within a minute, only the newest secret is accepted.'],
      label: 'Remove',
      isDanger: true,
      async run({ env, config, id, origin }) {
        await clientStore.removeFormerSecret(env, config, { id, origin })
        return true
      },
    },
    {
      path: '/clients/:id/delete',
      section: 'clients',
      title: 'Delete this client',
      consequences: [
        'Within a minute, nobody can sign in to the client, and its requests and tokens are rejected.',
        'Its registration and secrets are deleted. This cannot be undone.',
      ],
      label: 'Delete',
      isDeletion: true,
      isDanger: true,
      async run({ env, config, id, origin }) {
        await clientStore.delete(env, config, { id, origin })
        return true
      },
    },
    {
      path: '/apis/:id/delete',
      section: 'apis',
      title: 'Delete this API',
      consequences: [
        'Within a minute, clients get no tokens with its scopes.',
        'This cannot be undone.',
      ],
      label: 'Delete',
      isDeletion: true,
      isDanger: true,
      async run({ env, config, id, origin }) {
        await apiStore.delete(env, config, { id, origin })
        return true
      },
    },
    {
      path: '/keys/rotate',
      section: 'keys',
      title: 'Rotate the signing keys',
      consequences: [
        'New tokens are signed with the next keys, which have already been published.',
        'Tokens that were signed before stay valid.',
      ],
      label: 'Rotate',
      async run({ env, config, origin }) {
        await rotateKeys(env, config, { isRevocation: false, origin })
        return true
      },
    },
    {
      path: '/keys/revoke',
      section: 'keys',
      title: 'Rotate and revoke the signing keys',
      consequences: [
        'All current keys are removed immediately, and new ones are created. Do this if a key may have leaked.',
        'Tokens that were signed before are rejected by all servers of this service within a minute, by the admin API within five seconds, and elsewhere as soon as verifiers fetch the keys again.',
        'Until then, verifiers that still use cached keys may reject new tokens.',
        'Sessions and refresh tokens stay valid.',
      ],
      label: 'Revoke all keys',
      isDanger: true,
      async run({ env, config, origin }) {
        await rotateKeys(env, config, { isRevocation: true, origin })
        return true
      },
    },
  ]
}
