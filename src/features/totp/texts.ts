import type { MessagesWith, Text } from '../../core/messages/messages.ts'

export type TotpMessages = MessagesWith<typeof en>

/** The English texts. `texts.json.txt` has them in every language. */
export const en = {
  /** What lists and messages call it. */
  'totp.name': 'Authenticator app',
  /** The title of the page that asks for a code at a sign-in. */
  'totp.title': 'Enter your code',
  'totp.lead': 'Open your authenticator app, and enter the code that it shows for {service}.',
  'totp.code': 'Code',
  'totp.wrong': 'This code is wrong, or was already used. Wait for the next one.',
  'totp.refused': {
    one: 'Too many wrong codes. Try again in {count} minute, or use a recovery code.',
    other: 'Too many wrong codes. Try again in {count} minutes, or use a recovery code.',
  },
  'totp.unreadable':
    'The codes of your app cannot be checked here any more. Use a recovery code to sign in, then replace the app on your account page.',
  'totp.useRecoveryCode': 'Use a recovery code',
  'totp.useApp': 'Use the authenticator app',
  'totp.recovery.title': 'Enter a recovery code',
  'totp.recovery.lead':
    'You got ten recovery codes when you added the authenticator app. Each can be used once.',
  'totp.recovery.code': 'Recovery code',
  'totp.recovery.wrong': 'This recovery code is wrong, or was already used.',
  'totp.recovery.left': {
    one: 'You have {count} recovery code left. Create new ones on your account page.',
    other: 'You have {count} recovery codes left.',
  },
  'totp.add.title': 'Add an authenticator app',
  'totp.add.required': 'For this sign-in you need a code of an authenticator app, too.',
  'totp.add.unconfirmed':
    'For this sign-in you need an authenticator app, which you cannot add with a way to sign in that you have not confirmed. Sign in another way.',
  'totp.add.unproved':
    'For this sign-in you need an authenticator app. To add one, sign in again with a passkey, or with another way that proves that it is you.',
  'totp.add.scan': 'Scan this code with an authenticator app on your phone.',
  'totp.add.enter': 'Or enter this key in the app:',
  'totp.add.open': 'Open the app on this device',
  'totp.add.code': 'Code that the app shows now',
  'totp.add.present': 'Code of your present app, or a recovery code',
  'totp.add.button': 'Add',
  'totp.codes.title': 'Your recovery codes',
  'totp.codes.lead':
    'Keep them where you find them without your phone, for example printed. Each can be used once instead of a code of the app. They are not shown again.',
  'totp.codes.saved': 'I have saved them',
  'totp.codes.new': 'New recovery codes',
  'totp.codes.newLead': 'The present ones are then no longer valid.',
  'totp.codes.create': 'Create new codes',
  'totp.codes.left': {
    one: '{count} recovery code left',
    other: '{count} recovery codes left',
  },
  /** Instead of another app, or of other recovery codes. */
  'totp.tooMany': 'You have changed your second factor too often. Try again later.',
  'totp.section.title': 'Second factor',
  'totp.section.none': 'No code is asked for when you sign in.',
  'totp.section.active': 'You need a code of your authenticator app when you sign in.',
  'totp.section.unconfirmed':
    'An authenticator app was added without proof that it was you. It is not asked for until you confirm it, at the earliest a day later, after you have signed in again. If you did not add it, remove it.',
  'totp.section.replace': 'Replace',
  'totp.section.remove': 'Remove',
  'totp.section.confirm': 'Confirm',
  'totp.confirm.title': 'Confirm the authenticator app',
  'totp.confirm.lead':
    'Confirm it only if you have added it yourself. From then on you need its codes when you sign in.',
  'totp.confirm.later':
    'It can be confirmed at the earliest a day after it was added, after you have signed in again.',
  'totp.remove.title': 'Remove the authenticator app?',
  'totp.remove.lead': 'You can then sign in without a code.',
  'totp.remove.required': 'You need it to sign in here, and can only replace it.',
  'account.done.totpAdded': 'The authenticator app was added.',
  'account.done.totpConfirmed': 'The authenticator app was confirmed.',
  'account.done.totpRemoved': 'The authenticator app was removed.',
} as const satisfies Record<string, Text>
