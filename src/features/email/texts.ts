import type { MessagesWith, Text } from '../../core/messages/messages.ts'

/** The English texts. `texts.json.txt` has them in every language. */
export const en = {
  /** In the list of the user's accounts. */
  'email.name': 'Email',
  /** How a user signs in, in a sentence. */
  'email.method': 'email',
  // The pages on which an address is removed from an account.
  'email.removal.remove': 'Remove this address',
  'email.removal.title': 'Remove this email address?',
  'email.removal.effect': 'You will no longer be able to sign in here with this address.',
  'email.removal.doneTitle': 'The email address is removed',
  // The form that asks for an address.
  'email.address.title': 'Sign in with email',
  'email.address.label': 'Email address',
  'email.address.send': 'Email me a code',
  'email.address.invalid': 'This is not an email address. Enter one such as name@example.com.',
  'email.address.tooMany': 'Too many messages were requested. Try again in {duration}.',
  'email.address.linkTitle': 'Add an email address',
  'email.address.linkAnother': 'Add another email address',
  'email.address.linkLead': 'You can then sign in with a code that we send to this address.',
  'email.address.linkConfirm': 'Add this address',
  // The page that waits for the code.
  'email.code.title': 'Check your email',
  'email.code.linkTitle': 'Confirm your email address',
  'email.code.lead':
    'We sent a message to {address}. Enter the six‑digit code from it, or open its link in this browser.',
  /** A link next to the address. */
  'email.code.change': 'Change',
  'email.code.label': 'Six-digit code',
  'email.code.wrong': 'That code is not correct. Attempts left: {count}.',
  'email.code.notArrived': 'No message after a minute? Check the address and your spam folder.',
  'email.code.sendAgain': 'Send it again',
  /** On the button until then; with minutes and seconds, such as 0:28. */
  'email.code.sendAgainIn': 'Send it again in {time}',
  'email.code.sentAgain': 'We sent the message again. The code is the same.',
  'email.code.wait': 'Wait half a minute before you have the message sent again.',
  // The page of a link that was opened in the browser that requested it.
  'email.link.title': 'Finish signing in',
  'email.link.lead': 'Press the button to sign in with {address}.',
  'email.link.linkLead': 'Press the button to add {address} to your account.',
  // The page of a link that was opened in another browser.
  'email.elsewhere.title': 'Enter the code where you started',
  'email.elsewhere.lead':
    'This link works once, and only in the browser in which you requested it. Go back there and enter the six-digit code from the message.',
  'email.elsewhere.startedIn': 'It was requested in: {browser}',
  'email.elsewhere.warning':
    'If you did not request it, ignore the message, and give the code to nobody: whoever has it can sign in to your account.',
  'email.message.subject': 'Your code to sign in to {app}',
  'email.message.lead': 'Your code to sign in to {app}:',
  'email.message.linkSubject': 'Your code to add this address at {host}',
  'email.message.linkLead': 'Your code to add this address to your account at {host}:',
  'email.message.link': 'Or open this link in the browser in which you requested the code:',
  'email.message.button': 'Sign in',
  'email.message.validity': 'You can use the code or the link once, within {duration}.',
  'email.message.onlyAt':
    'Enter the code only at {host}. Give it to nobody, not even to someone who claims to work for us.',
  'email.message.requestedFrom': 'Requested from: {origin}',
  'email.message.ignore':
    'If you did not request this, ignore this message. Nothing happens without the code.',
  // The message that a way to sign in was added or removed.
  'email.changed.subject': 'Your ways to sign in at {host} have changed',
  'email.changed.added': 'A way to sign in was added to your account at {host}: {method}',
  'email.changed.removed': 'A way to sign in was removed from your account at {host}: {method}',
  /** If there were too many changes for a message each. */
  'email.changed.others':
    'Other changes since the previous message: {count}. Your account page lists them.',
  'email.changed.warning':
    'If this was not you, open your account page now, remove what you do not recognise, and sign out everywhere else.',
} as const satisfies Record<string, Text>

export type EmailMessages = MessagesWith<typeof en>
