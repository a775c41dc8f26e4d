/** The texts of the operations that administrators have. The commands import them. */
export const RESET = {
  summary: 'Remove the second factor of this user',
  details: [
    'For users who have lost both their authenticator app and their recovery codes. First make sure who asks for it: from then on, their first way to sign in is enough. They are signed out everywhere, and told by email.',
  ],
  button: 'Remove second factor',
  done: '{subject} has no second factor any more, and is signed out.',
  isDanger: true,
}
