import type { Text } from '../../core/messages/messages.ts'

/** The English texts. `texts.json.txt` has them in every language. */
export const en = {
  /** Leads administrators to the console, which is in English. */
  'account.administration': 'Administration',
} as const satisfies Record<string, Text>
