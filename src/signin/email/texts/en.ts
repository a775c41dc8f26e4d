/** The texts of email sign-in; every language has the same shape as English. */
export type EmailTexts = typeof en

export const en = {
  /** In the list of the user's accounts. */
  name: 'Email',
  /** The pages on which an address is removed from an account. */
  removal: {
    remove: 'Remove this address',
    title: 'Remove this email address?',
    effect: 'You can no longer sign in here with this address.',
    doneTitle: 'The email address is removed',
  },
  /** The form that asks for an address. */
  address: {
    title: 'Sign in with email',
    label: 'Email address',
    send: 'Email me a code',
    invalid: 'This is not an email address. Enter one such as name@example.com.',
    tooMany: 'Too many messages were requested. Wait a while, or sign in another way.',
    linkTitle: 'Add an email address',
  },
  /** The page that waits for the code. */
  code: {
    title: 'Check your email',
    lead: (address: string) =>
      `We sent a message to ${address}. Enter the six-digit code from it here, or open its link in this browser.`,
    label: 'Six-digit code',
    wrong: (remaining: number) => `That code is not correct. Attempts left: ${remaining}.`,
    notArrived: 'No message after a minute? Check the address and your spam folder.',
    sendAgain: 'Send it again',
    sentAgain: 'We sent the message again.',
    wait: 'Wait half a minute before you have the message sent again.',
    otherAddress: 'Use another address',
  },
  /** The page of a link that was opened in the browser that requested it. */
  link: {
    title: 'Finish signing in',
    lead: (address: string) => `You opened the link that we sent to ${address}.`,
  },
  /** The page of a link that was opened in another browser. */
  elsewhere: {
    title: 'Enter the code where you started',
    lead: 'This link works once, and only in the browser in which the sign-in was started. Go back there and enter the six-digit code from the message.',
    startedIn: (browser: string) => `It was started in: ${browser}`,
    warning:
      'If you did not start a sign-in, ignore the message, and give the code to nobody: whoever has it can sign in as you.',
  },
  message: {
    subject: (app: string) => `Sign in to ${app}`,
    lead: (app: string) => `Your code to sign in to ${app}:`,
    link: 'Or open this link in the browser in which you started:',
    button: 'Sign in',
    validity: (duration: string) => `The code and the link work once, for ${duration}.`,
    onlyAt: (host: string) =>
      `Enter the code only at ${host}. Give it to nobody, not even to someone who claims to work for us.`,
    requestedFrom: (origin: string) => `Requested from: ${origin}`,
    ignore: 'If you did not request this, ignore this message. Nobody can sign in without it.',
  },
}
