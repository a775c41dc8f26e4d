import type { MessagesWith, Text } from '../../core/messages/messages.ts'

/** The English texts. `texts.json.txt` has them in every language. */
export const en = {
  'account.done.passkeyAdded': 'Your passkey has been added.',
  'account.done.passkeyRenamed': 'Your passkey has been renamed.',
  'errors.passkey_rejected.title': 'This passkey was not accepted',
  'errors.passkey_rejected.text':
    'It could not be verified. Nothing has changed. Try another passkey, or sign in another way and check the passkeys on your account page.',
  'errors.passkey_unknown.title': 'This passkey is not registered here',
  'errors.passkey_unknown.text':
    'It may have been removed, or its account deleted. Sign in another way. If your device still offers this passkey, delete it from the passwords that are saved there.',

  'passkeys.one': 'Passkey',
  /** How a user signs in, in a sentence. */
  'passkeys.method': 'a passkey',
  'passkeys.signIn': 'Sign in with a passkey',
  'passkeys.confirm': 'Confirm with your passkey',
  /** While the device asks the user. */
  'passkeys.waiting': 'Follow the instructions on your device.',
  'passkeys.failed': 'No passkey was used. Try again, or sign in another way.',
  'passkeys.lead': 'Sign in with your fingerprint, your face or your device PIN.',
  'passkeys.add': 'Add a passkey',
  'passkeys.createTitle': 'Add a passkey',
  'passkeys.name': 'Passkey name',
  'passkeys.create': 'Create passkey',
  'passkeys.unsupported':
    'This browser does not support passkeys, or JavaScript is turned off. Use a current browser, or turn JavaScript on.',
  'passkeys.existing': 'This device already has a passkey for your account.',
  'passkeys.createFailed': 'No passkey was created. Please try again.',
  'passkeys.lastUsedOn': 'last used on {date}',
  'passkeys.neverUsed': 'not used yet',
  'passkeys.synced': 'available on several devices',
  'passkeys.notSynced': 'saved on one device only',
  'passkeys.rename': 'Rename',
  'passkeys.renameTitle': 'Rename passkey',
  'passkeys.save': 'Save',
  // The pages on which a passkey is removed.
  'passkeys.removal.remove': 'Remove passkey',
  'passkeys.removal.title': 'Remove this passkey?',
  'passkeys.removal.effect':
    'You will no longer be able to sign in here with this passkey. If it remains on a device, delete it there, too.',
  'passkeys.removal.doneTitle': 'The passkey is removed',
  'passkeys.tooMany': 'You have reached the limit of {count} passkeys. Remove one to add another.',
  /** On the page that deletes the user. */
  'passkeys.deletionNote':
    'Your passkeys no longer work here. If they remain on your devices, delete them there, too.',
} as const satisfies Record<string, Text>

export type PasskeyMessages = MessagesWith<typeof en>
