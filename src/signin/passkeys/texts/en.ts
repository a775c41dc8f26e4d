/** The texts about passkeys; every language has the same shape as English. */
export type PasskeyTexts = typeof en

export const en = {
  /** How a user signs in, in a sentence. */
  method: 'a passkey',
  signIn: 'Sign in with a passkey',
  confirm: 'Confirm with your passkey',
  /** While the device asks the user. */
  waiting: 'Follow the instructions on your device.',
  failed: 'No passkey was used. Try again, or sign in another way.',
  heading: 'Passkeys',
  lead: 'Sign in with your fingerprint, your face or your device PIN.',
  add: 'Add a passkey',
  createTitle: 'Add a passkey',
  createLead:
    'Enter a name that will help you recognise this passkey later, such as “My phone” or “Work computer”.',
  name: 'Passkey name',
  create: 'Create passkey',
  unsupported:
    'This browser does not support passkeys, or JavaScript is turned off. Use a current browser, or turn JavaScript on.',
  existing: 'This device already has a passkey for your account.',
  createFailed: 'No passkey was created. Please try again.',
  addedOn: (date: string) => `Added on ${date}`,
  lastUsedOn: (date: string) => `last used on ${date}`,
  neverUsed: 'not used yet',
  synced: 'available on several devices',
  notSynced: 'saved on one device only',
  rename: 'Rename',
  renameTitle: 'Rename passkey',
  save: 'Save',
  /** The pages on which a passkey is removed. */
  removal: {
    remove: 'Remove passkey',
    title: 'Remove this passkey?',
    effect:
      'You will no longer be able to sign in here with this passkey. If it remains on a device, delete it there, too.',
    doneTitle: 'The passkey is removed',
  },
  lastMethod:
    'This passkey is your only way to sign in. To remove it, first add another way to sign in.',
  tooMany: (count: string) =>
    `You have reached the limit of ${count} passkeys. Remove one to add another.`,
  /** On the page that deletes the user. */
  deletionNote:
    'Your passkeys no longer work here. If they remain on your devices, delete them there, too.',
}
