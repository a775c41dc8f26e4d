import {
  get,
  patch,
  post,
  put,
  remove,
  STOPPED,
} from '../../../administration/operation-description.ts'

const NOTIFIED = 'Clients with a back-channel logout URL are notified.'

/** It is stored with the user only, and not in the audit log, so that it is deleted with the user. */
export const BLOCK_REASON = {
  name: 'reason',
  label: 'Reason',
  hint: 'Administrators see it, also in an export of the user. It is deleted when the user is unblocked or deleted.',
  maxLength: 200, // characters
}

/** The operations on what every deployment has. `operations.ts` has what each of them does. */
export const OPERATIONS = {
  listClients: get('/clients', 'admin:read', {
    summary: 'List the clients',
    details: ['Those of the settings come first, then the others by id.'],
  }),
  createClient: post('/clients', 'admin:write', {
    summary: 'Register a client',
    details: ['Its secret, if it needs one, is shown only this once.'],
  }),
  getClient: get('/clients/:id', 'admin:read', { summary: 'Show this client' }),
  updateClient: patch('/clients/:id', 'admin:write', {
    summary: 'Change fields of this client',
    details: ['Lists are replaced, and null removes a field (RFC 7396).'],
  }),
  deleteClient: remove('/clients/:id', 'admin:write', {
    summary: 'Delete this client',
    details: [
      STOPPED,
      'Its registration and secrets are deleted. This cannot be undone. To stop it temporarily, disable it instead.',
    ],
    button: 'Delete',
    done: '{subject} is deleted.',
    isDanger: true,
  }),
  disableClient: post('/clients/:id/disable', 'admin:write', {
    summary: 'Disable this client',
    details: [STOPPED, 'Its registration is kept; you can enable it again.'],
    button: 'Disable',
    done: '{subject} is disabled.',
    undo: 'enableClient',
    isDanger: true,
  }),
  enableClient: post('/clients/:id/enable', 'admin:write', {
    summary: 'Enable this client',
    details: ['Users can sign in to the client again.'],
    button: 'Enable',
    done: '{subject} is enabled.',
  }),
  rotateClientSecret: post('/clients/:id/rotate-secret', 'admin:write', {
    summary: 'Create a new secret for this client',
    details: [
      'The new secret is shown once. The present one stays valid next to it until you remove it.',
      'If the client already has three secrets, the oldest one stops working within a minute.',
    ],
    button: 'Create a new secret',
  }),
  removeFormerClientSecret: post('/clients/:id/remove-former-secret', 'admin:write', {
    summary: 'Remove the secrets of this client except for the newest one',
    details: [
      'Within a minute, only the newest secret is accepted.',
      'Tokens that the client obtained with the former secret are revoked. Those that it obtained with the newest one stay valid.',
    ],
    isDanger: true,
  }),
  listClientSecrets: get('/clients/:id/secrets', 'admin:read', {
    summary: 'List the secrets of this client',
    details: [
      'The newest comes first. The secrets themselves are not stored and not shown.',
      'created_at is absent for secrets from before this was recorded, and last_used_on for those that were not used since then. Uses are recorded per day in UTC, a minute late.',
    ],
  }),
  removeClientSecret: post('/clients/:id/secrets/:secret/remove', 'admin:write', {
    summary: 'Remove a secret of this client',
    details: [
      'Within a minute, it is no longer accepted. The other secrets stay valid. The last one is not removed.',
      'Tokens that the client obtained with it are revoked.',
    ],
    button: 'Remove',
    done: 'The secret of {subject} is removed.',
    isDanger: true,
  }),

  listApis: get('/apis', 'admin:read', {
    summary: 'List the APIs',
    details: ['Those of the settings come first, then the others by id.'],
  }),
  createApi: post('/apis', 'admin:write', { summary: 'Register an API' }),
  getApi: get('/apis/:id', 'admin:read', { summary: 'Show this API' }),
  updateApi: patch('/apis/:id', 'admin:write', {
    summary: 'Change fields of this API',
    details: ['Lists are replaced, and null removes a field (RFC 7396).'],
  }),
  deleteApi: remove('/apis/:id', 'admin:write', {
    summary: 'Delete this API',
    details: [
      'Within a minute, clients get no tokens with its scopes. Clients that list it under resources keep it there.',
      'This cannot be undone.',
    ],
    button: 'Delete',
    done: '{subject} is deleted.',
    isDanger: true,
  }),

  searchUsers: get('/users', 'admin:read', {
    summary: 'Find users by id, account id, verified email address, name or username',
    details: [
      'Names and usernames are found by any part, addresses by their beginning; everything else has to be complete.',
      'Without a query, all users are listed, the newest first, or those of another list: the oldest first, those with a name from A to Z (name) or from Z to A (name_desc), or the blocked ones.',
    ],
  }),
  importUsers: post('/users/import', 'admin:write', {
    summary: 'Create users from lines of JSON, one per account',
    details: ['A request has up to 1,000 lines. Accounts that exist already are not changed.'],
  }),
  getUser: get('/users/:id', 'admin:read', {
    summary: 'Show accounts, passkeys, sessions, consents, grants and recent sign-ins of this user',
  }),
  exportUser: get('/users/:id/export', 'admin:read', {
    summary: 'Export this user',
    details: [
      'You get one JSON document with everything that is stored about the user, except secrets.',
      'The export is recorded in the audit log.',
    ],
    button: 'Download',
    isDownload: true,
  }),
  blockUser: post('/users/:id/block', 'admin:support', {
    summary: 'Block this user',
    details: [
      'The user is signed out everywhere immediately, and cannot sign in until unblocked.',
      'Userinfo, refresh and introspection reject all tokens of the user. APIs that read the revocation feed reject them within seconds, others accept them until they expire.',
      NOTIFIED,
      'An administrator stays one, and can use the console again once unblocked, unless you remove them from the administrators. The last owner who can sign in is not blocked.',
    ],
    button: 'Block',
    done: '{subject} is blocked.',
    undo: 'unblockUser',
    input: BLOCK_REASON,
    isDanger: true,
  }),
  unblockUser: post('/users/:id/unblock', 'admin:support', {
    summary: 'Unblock this user',
    details: ['The user can sign in again. Former sessions and tokens stay invalid.'],
    button: 'Unblock',
    done: '{subject} is unblocked, and can sign in again. Sessions that have ended stay ended.',
  }),
  endUserSessions: post('/users/:id/end-sessions', 'admin:support', {
    summary: 'End all sessions of this user',
    details: [
      'The user is signed out in every browser, and all clients lose their access.',
      NOTIFIED,
      'The user can sign in again.',
    ],
    button: 'End all sessions',
    done: '{subject} is signed out.',
  }),
  endUserSession: post('/users/:id/sessions/:sid/end', 'admin:support', {
    summary: 'End this session',
    details: [
      'The browser is signed out, and clients lose the access they got through it.',
      NOTIFIED,
    ],
    button: 'End session',
    done: 'The session of {subject} has ended.',
  }),
  revokeUserClient: post('/users/:id/clients/:client/revoke', 'admin:support', {
    summary: 'Revoke the access of this client to this user',
    details: [
      'The client loses its tokens, and the user has to allow it again. A first-party client gets new tokens without asking. Sessions continue.',
      'Userinfo, refresh and introspection reject the tokens. APIs that read the revocation feed reject them within seconds, others accept them until they expire.',
      'A client with a back-channel logout URL is notified.',
    ],
    button: 'Revoke',
    done: 'The client has no access to {subject} any more.',
    isDanger: true,
  }),
  removeUserAccount: post('/users/:id/accounts/:account/remove', 'admin:support', {
    summary: 'Remove this way to sign in',
    details: [
      'The user can no longer sign in with it, and is signed out everywhere. The last one is kept, and the account that names the last owner who can sign in.',
      NOTIFIED,
      'Make sure that it is the user who asks for this: what is left may be easier to use for others, and counts as confirmed if no other way to sign in is.',
    ],
    button: 'Remove',
    done: '{subject} has one way less to sign in.',
    isDanger: true,
  }),
  deleteUser: remove('/users/:id', 'admin:write', {
    summary: 'Delete this user',
    details: [
      'The user, their accounts, sessions, consents and stored provider tokens are deleted. This cannot be undone. Entries of the audit log stay until they expire.',
      NOTIFIED,
      'If they sign in again, they get a new ID, and clients see a new user. To keep someone out, block them instead.',
      'An administrator who is named by an account stays one, and gets the role back by signing in with it again: remove them from the administrators first. The last owner who can sign in is not deleted.',
    ],
    button: 'Delete',
    done: '{subject} is deleted.',
    isDanger: true,
  }),

  listKeys: get('/keys', 'admin:read', {
    summary: 'List the signing keys and their state',
    details: ['Their private parts are not shown.'],
  }),
  rotateKeys: post('/keys/rotate', 'admin:write', {
    summary: 'Rotate the signing keys',
    details: [
      'New tokens are signed with the next keys, which have already been published.',
      'Tokens that were signed before stay valid.',
    ],
    button: 'Rotate',
    done: 'The signing keys are rotated.',
  }),
  revokeKeys: post('/keys/revoke', 'admin:write', {
    summary: 'Rotate and revoke the signing keys',
    details: [
      'All current keys are removed immediately, and new ones are created. Do this if a key may have leaked.',
      'Tokens that were signed before are rejected by all servers of this service within a minute, by the admin API within five seconds, and elsewhere as soon as verifiers fetch the keys again.',
      'Until then, verifiers that still use cached keys may reject new tokens.',
      'Sessions and refresh tokens stay valid.',
    ],
    button: 'Revoke all keys',
    done: 'The former signing keys are revoked.',
    isDanger: true,
  }),

  listAdministrators: get('/administrators', 'admin:read', {
    summary: 'List the administrators',
    details: ['Those of the settings come first, then the others by name.'],
  }),
  setAdministrator: put('/administrators/:id', 'admin:administrators', {
    summary: 'Make this user an administrator, or change the role of this administrator',
    details: [
      'The id is usr_…, or a provider and its id of the account. The role applies from the next request on.',
      'The last owner who can sign in stays an owner.',
    ],
  }),
  removeAdministrator: remove('/administrators/:id', 'admin:administrators', {
    summary: 'Remove this administrator',
    details: [
      'From the next request on, the user cannot use the console. The user can still sign in to apps.',
      'The last owner who can sign in is not removed.',
    ],
    button: 'Remove',
    done: '{subject} is not an administrator any more.',
    isDanger: true,
  }),

  testProvider: post('/configuration/:id/test', 'admin:write', {
    summary: 'Test this provider',
    details: [
      'Its settings are checked, and its discovery document and its endpoints are requested, without signing anyone in. If one does not respond, you see which.',
      'Only a sign-in shows whether it accepts the credentials and the redirect URI.',
    ],
    button: 'Test',
  }),

  listAuditEntries: get('/audit', 'admin:read', {
    summary: 'List administrative actions and security events',
    details: [
      'The newest come first. Times are in seconds since 1970.',
      'The outcome failed selects all but ok, and the event changes what administrators have changed. network is an IPv4 /24 or IPv6 /48, or an address in it. request_id is the reference of an error page.',
    ],
  }),
  getCounts: get('/counts', 'admin:metrics', {
    summary: 'Count sign-ins per hour, provider, client and outcome',
    details: ['By default, those of the last 24 hours.'],
  }),
  getMetrics: get('/metrics', 'admin:metrics', {
    summary: "Show metrics in Prometheus' text format",
  }),
  getReadiness: get('/readiness', 'admin:metrics', {
    summary:
      'Show the version, and the checks of /readyz, each with the problem and the command that fixes it',
  }),
}
