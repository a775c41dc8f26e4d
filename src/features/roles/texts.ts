import type { Text } from '../../core/messages/messages.ts'

/** The English texts. `texts.json.txt` has them in every language. */
export const en = {
  /** After the other permissions; the user's roles follow in parentheses. */
  'roles.consent': 'let {api} know your roles',
  /** On the account page, below the user's name: the names of roles, such as “editor”. */
  'roles.own': 'Roles: {roles}',
} as const satisfies Record<string, Text>
