import { get, post, STOPPED } from '../../administration/operation-description.ts'

/** The operations on clients that nobody has registered. */
export const OPERATIONS = {
  listUnregisteredClients: get('/unregistered-clients', 'admin:read', {
    summary: 'List the unregistered clients that users have allowed, and what is blocked',
    details: ['The newest come first. approvals says how often users have allowed the client.'],
  }),
  blockUnregisteredClient: post('/unregistered-clients/:id/block', 'admin:write', {
    summary: 'Block this unregistered client, or this host',
    details: [
      STOPPED,
      'A host is blocked with all of its unregistered clients, and *.example.com with all subdomains. Registered clients are not affected.',
      'If it has more than 1,000, the revocation feed gets those that users have allowed most often.',
    ],
    button: 'Block',
    done: '{subject} is blocked.',
    undo: 'unblockUnregisteredClient',
    isDanger: true,
  }),
  unblockUnregisteredClient: post('/unregistered-clients/:id/unblock', 'admin:write', {
    summary: 'Unblock this unregistered client, or this host',
    details: [
      'Users can use the client again, and the refresh tokens that it had are accepted again.',
    ],
    button: 'Unblock',
    done: '{subject} is unblocked.',
  }),
}
