import type { MessagesWith, Text } from '../../core/messages/messages.ts'

/** The English texts. `texts.json.txt` has them in every language. */
export const en = {
  'signIn.signInWithQrCode': 'Scan a QR code with {provider}',

  'qr.lead': 'Scan this code with the {provider} app on your phone.',
  'qr.scanned': 'Now confirm the sign-in on your phone.',
  'qr.expired': 'This code has expired.',
  'qr.newCode': 'Show a new code',
  'qr.warning':
    'Scan only a code that you requested yourself: the device that shows it will be signed in to your account.',
} as const satisfies Record<string, Text>

export type QrMessages = MessagesWith<typeof en>
