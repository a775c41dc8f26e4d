/** What went wrong, and what to do about it. */
export type Explanation = readonly [title: string, text: string]

const lost: Explanation = [
  'This sign-in cannot be finished',
  'It took too long, was finished already, or began in another browser. Start again.',
]

const broken: Explanation = [
  'This service needs its operator',
  'It is not your fault. Tell them the reference below.',
]

const unavailable: Explanation = [
  'Not available right now',
  'Nothing has changed. Try again in a minute.',
]

const nothing: Explanation = ['Nothing here', 'This address does not answer that.']

/** English, and the shape every other language has. */
export const en = {
  language: 'en',
  signIn: {
    title: 'Sign in',
    titleFor: (app: string) => `Sign in to ${app}`,
    lead: 'Choose how you would like to sign in.',
    continueWith: (provider: string) => `Continue with ${provider}`,
    privacy: 'Your password stays with the platform. It shares only what you allow.',
    inApp: 'Signing in often fails inside of another app.',
    toBrowser: 'Open in your own browser',
    scan: 'Sign in with your phone',
  },
  qr: {
    lead: (provider: string) => `Scan this code with the ${provider} app on your phone.`,
    scanned: 'Now confirm it on your phone.',
    expired: 'This code has expired.',
    beware: 'Scan only a code that you asked for yourself: it signs in the screen that shows it.',
  },
  signedIn: {
    title: 'You are signed in',
    as: (name: string) => `You are signed in as ${name}.`,
    someone: 'somebody without a name',
    goOn: 'Continue',
    goOnTo: (app: string) => `Continue to ${app}`,
    another: 'Or use another account:',
  },
  signOut: {
    title: 'Sign out?',
    lead: 'You will have to sign in again in every app that uses this sign-in.',
    confirm: 'Sign out',
    stay: 'Stay signed in',
  },
  signedOut: {
    title: 'You are signed out',
    lead: 'The platform you signed in with may still know you.',
  },
  consent: {
    title: (app: string) => `Allow ${app} to use your account?`,
    sees: 'It will be able to',
    scopes: {
      openid: 'recognise you',
      profile: 'see your name and picture',
      email: 'see your email address',
      platform: 'see what the platform tells about you, such as your number of followers',
      offline_access: 'do so while you are away',
    } as Record<string, string>,
    leads: (host: string) => `You will return to ${host}.`,
    approve: 'Allow',
    deny: 'Cancel',
  },
  answer: { title: 'Almost there' },
  account: {
    title: 'Your account',
    accounts: 'You can sign in with',
    since: (date: string) => `linked on ${date}`,
    disconnect: (provider: string) => `Disconnect ${provider}`,
    link: (provider: string) => `Link ${provider}`,
    sessions: 'Where you are signed in',
    someBrowser: 'A browser',
    thisBrowser: 'this browser',
    seen: (date: string) => `last seen on ${date}`,
    end: 'Sign out there',
    endOthers: 'Sign out everywhere else',
    consents: 'What you have allowed',
    withdraw: 'Take it back',
    remove: 'Delete your account',
    removeLead:
      'We forget you, and you are signed out everywhere. Apps keep what they have. This cannot be undone.',
    keep: 'Keep this account',
    removed: 'Your account is deleted',
    removedLead: 'The platform may still list us among your connected apps: remove us there, too.',
  },
  error: {
    tryAgain: 'Try again',
    backTo: 'Go back to where you came from',
    switchAccount: 'Sign in with the other account',
    toSignIn: 'Go to sign-in',
    reference: 'Reference',
    code: 'Code',
  },
  errors: {
    access_denied: ['Sign-in cancelled', 'You or the platform cancelled it. Nothing has changed.'],
    account_taken: [
      'That account belongs to somebody else here',
      'If it is yours, sign in with it and disconnect it first.',
    ],
    already_signed_in: ['You are already signed in', 'This browser is signed in as somebody else.'],
    attempt_missing: lost,
    client_unknown: unregistered('client_id'),
    code_expired: lost,
    configuration: broken,
    cross_site: ['This request came from another site', 'For your safety it was not carried out.'],
    id_token_hint_refused: signOutRefused('id_token_hint'),
    internal: [
      'Something went wrong on our side',
      'Try again. If it happens again, tell us the reference below.',
    ],
    method_not_allowed: nothing,
    not_eligible: [
      'This account cannot sign in here',
      'The platform does not allow it yet. Try another account.',
    ],
    not_found: nothing,
    post_logout_redirect_uri_refused: signOutRefused('post_logout_redirect_uri'),
    provider_invalid: unavailable,
    provider_refused: broken,
    provider_unavailable: unavailable,
    provider_unknown: nothing,
    redirect_uri_refused: unregistered('redirect_uri'),
    request_invalid: [
      'This request is not complete',
      'Something is missing or malformed. Start again from the app.',
    ],
    request_too_large: ['This request is too large', 'Deleting the cookies of this site may help.'],
    return_url_refused: unregistered('callbackUrl'),
    scope_missing: [
      'Something is missing',
      'You switched off what is needed here. Try again, and leave it on.',
    ],
    sign_in_again: [
      'Sign in again first',
      'Changing your account needs a sign-in within the last ten minutes.',
    ],
    too_many_requests: ['Too many requests', 'They come from your address. Try again in a minute.'],
    unavailable,
  } satisfies Record<string, Explanation>,
}

function unregistered(parameter: string): Explanation {
  return [
    'This app cannot be answered',
    `It has not registered this ${parameter}. Tell whoever runs it.`,
  ]
}

function signOutRefused(parameter: string): Explanation {
  return [
    'This sign-out cannot be carried out',
    `The app sent no valid ${parameter}. Sign out on the sign-in page.`,
  ]
}
