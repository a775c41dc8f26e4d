import type { MessagesWith, Text } from '../../core/messages/messages.ts'

export type DeviceBoundMessages = MessagesWith<typeof en>

/** The English texts. `texts.json.txt` has them in every language. */
export const en = {
  /** In the list of signed-in browsers, of one whose cookies are useless elsewhere. */
  'deviceBound.label': 'This device only',
} as const satisfies Record<string, Text>
