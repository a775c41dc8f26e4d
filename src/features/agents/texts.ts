import type { MessagesWith, Text } from '../../core/messages/messages.ts'

/** The English texts. `texts.json.txt` has them in every language. */
export const en = {
  /** For an app that nobody has registered, and that has no host. */
  'consent.localTitle': 'Allow an app on this device to use your account?',
  /** For an app that nobody has registered. The title has its host. */
  'consent.notChecked': 'The operator of this service has not checked the app.',
  'consent.calledItself': 'The app calls itself “{name}”.',
  'consent.localWarning':
    'Any program on this device could have sent this request. Allow it only if you have just started the app yourself.',

  /** Instead of a response to an app that nobody has registered and that the user has not allowed. */
  'unsentError.title': 'This app’s request could not be completed',
  'unsentError.text':
    'The operator of this service has not checked this app, and you have not allowed it to use your account. Go back to {host} only if you know it.',
} as const satisfies Record<string, Text>

export type AgentMessages = MessagesWith<typeof en>
