import type { MessagesWith, Text } from '../../core/messages/messages.ts'

/** The English texts. `texts.json.txt` has them in every language. */
export const en = {
  /** The page on which users enter the code that a device without a browser shows. */
  'device.title': 'Sign in on a device',
  'device.label': 'Code on your device',
  'device.wrong':
    'This code is wrong or has expired. Compare it with your device, or start again there.',
  'device.confirmTitle': 'Sign in to {app} on a device?',
  /** Below the code. */
  'device.warning':
    'Only continue if you started this yourself and the device in front of you shows this code. Otherwise someone else would be able to use your account.',
  'device.requestedAt': 'Requested on {date}.',
  'device.place': 'Approximate location of the device: {place}.',
  'device.approved.title': 'You can return to your device',
  'device.approved.text': 'It will be signed in within a few seconds. You can close this page.',
  'device.denied.title': 'The device was not signed in',
  'device.denied.text': 'You can close this page.',
} as const satisfies Record<string, Text>

export type DeviceMessages = MessagesWith<typeof en>
