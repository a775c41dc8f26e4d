import { get, post } from '../../administration/operation-description.ts'

const NEXT_TOKEN =
  'It takes effect with the next token, at the latest when the present one expires.'

/** The operations on the roles of users in the operator's apps. */
export const OPERATIONS = {
  listRoles: get('/roles', 'admin:read', { summary: 'List the roles of this deployment' }),
  listRoleUsers: get('/roles/:id/users', 'admin:read', {
    summary: 'List the users who have this role',
  }),
  giveRole: post('/users/:id/roles/:role/give', 'admin:write', {
    summary: 'Give this user a role',
    details: [NEXT_TOKEN],
    button: 'Give',
    done: '{subject} has the role now.',
    undo: 'takeRoleLater',
  }),
  takeRole: post('/users/:id/roles/:role/take', 'admin:write', {
    summary: 'Take a role from this user, and end the tokens that have it',
    details: [
      'APIs that read the revocation feed reject all tokens of the user within seconds, and their apps get new ones without the role. Others accept them until they expire. The user stays signed in.',
    ],
    button: 'Take away',
    done: '{subject} does not have the role any more.',
    undo: 'giveRole',
    isDanger: true,
  }),
  takeRoleLater: post('/users/:id/roles/:role/take-later', 'admin:write', {
    summary: 'Take a role from this user with the next token',
    details: [NEXT_TOKEN, 'Tokens that have the role stay valid until then.'],
    button: 'Take away',
    done: '{subject} does not have the role any more.',
    undo: 'giveRole',
  }),
}
