import {
  type OperationDescription,
  type OperationTable,
  STOPPED,
} from '../../operations/operation-description.ts'

const TABLE = {
  listUnregisteredClients: {
    method: 'get',
    path: '/unregistered-clients',
    scope: 'admin:read',
    summary: 'List the unregistered clients that users have allowed, and what is blocked',
    details: ['The newest come first. approvals says how often users have allowed the client.'],
  },
  blockUnregisteredClient: {
    method: 'post',
    path: '/unregistered-clients/:id/block',
    scope: 'admin:write',
    summary: 'Block this unregistered client, or this host',
    details: [
      STOPPED,
      'A host is blocked with all of its unregistered clients, and *.example.com with all subdomains. Registered clients are not affected.',
      'If it has more than 1,000, the revocation feed gets those that users have allowed most often.',
    ],
    button: 'Block',
    isDanger: true,
  },
  unblockUnregisteredClient: {
    method: 'post',
    path: '/unregistered-clients/:id/unblock',
    scope: 'admin:write',
    summary: 'Unblock this unregistered client, or this host',
    details: [
      'Users can use the client again, and the refresh tokens that it had are accepted again.',
    ],
    button: 'Unblock',
  },
} satisfies Record<string, OperationDescription>

/** The operations on clients that nobody has registered. */
export const UNREGISTERED_CLIENT_OPERATIONS: OperationTable<keyof typeof TABLE> = TABLE
