import type { Text } from '../../core/messages/messages.ts'

/** The English texts. `texts.json.txt` has them in every language. */
export const en = {
  'credentials.wrong': 'These details are not correct. Check them and try again.',
  'credentials.wait': 'Too many wrong attempts. Time to wait before the next one: {duration}.',
} as const satisfies Record<string, Text>
