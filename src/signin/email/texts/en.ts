/** The texts of email sign-in; every language has the same shape as English. */
export type EmailTexts = typeof en

export const en = {
  /** In the list of the user's accounts. */
  name: 'Email',
  /** How a user signs in, in a sentence. */
  method: 'email',
  /** The pages on which an address is removed from an account. */
  removal: {
    remove: 'Remove this address',
    title: 'Remove this email address?',
    effect: 'You will no longer be able to sign in here with this address.',
    doneTitle: 'The email address is removed',
  },
  /** The form that asks for an address. */
  address: {
    title: 'Sign in with email',
    label: 'Email address',
    send: 'Email me a code',
    invalid: 'This is not an email address. Enter one such as name@example.com.',
    tooMany: (duration: string) => `Too many messages were requested. Try again in ${duration}.`,
    linkTitle: 'Add an email address',
    linkAnother: 'Add another email address',
    linkLead: 'You can then sign in with a code that we send to this address.',
    linkConfirm: 'Add this address',
  },
  /** The page that waits for the code. */
  code: {
    title: 'Check your email',
    linkTitle: 'Confirm your email address',
    lead: (address: string) =>
      `We sent a message to ${address}. Enter the six‑digit code from it, or open its link in this browser.`,
    label: 'Six-digit code',
    wrong: (remaining: number) => `That code is not correct. Attempts left: ${remaining}.`,
    notArrived: 'No message after a minute? Check the address and your spam folder.',
    sendAgain: 'Send it again',
    sentAgain: 'We sent the message again. The code is the same.',
    wait: 'Wait half a minute before you have the message sent again.',
    otherAddress: 'Use another address',
  },
  /** The page of a link that was opened in the browser that requested it. */
  link: {
    title: 'Finish signing in',
    lead: (address: string) => `Press the button to sign in with ${address}.`,
    linkLead: (address: string) => `Press the button to add ${address} to your account.`,
  },
  /** The page of a link that was opened in another browser. */
  elsewhere: {
    title: 'Enter the code where you started',
    lead: 'This link works once, and only in the browser in which you requested it. Go back there and enter the six-digit code from the message.',
    startedIn: (browser: string) => `It was requested in: ${browser}`,
    warning:
      'If you did not request it, ignore the message, and give the code to nobody: whoever has it can sign in to your account.',
  },
  message: {
    subject: (app: string) => `Your code to sign in to ${app}`,
    lead: (app: string) => `Your code to sign in to ${app}:`,
    linkSubject: (host: string) => `Your code to add this address at ${host}`,
    linkLead: (host: string) => `Your code to add this address to your account at ${host}:`,
    link: 'Or open this link in the browser in which you requested the code:',
    button: 'Sign in',
    validity: (duration: string) => `You can use the code or the link once, within ${duration}.`,
    onlyAt: (host: string) =>
      `Enter the code only at ${host}. Give it to nobody, not even to someone who claims to work for us.`,
    requestedFrom: (origin: string) => `Requested from: ${origin}`,
    ignore: 'If you did not request this, ignore this message. Nothing happens without the code.',
  },
}
