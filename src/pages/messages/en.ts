/** English, and the shape every other language has. */
export const en = {
  language: 'en',
  signIn: {
    title: 'Sign in',
    titleFor: (app: string) => `Sign in to ${app}`,
    lead: 'Choose how you would like to sign in.',
    continueWith: (provider: string) => `Continue with ${provider}`,
    privacy: 'Your password stays with the platform. We only learn what you allow it to share.',
    inApp: 'You are in a browser inside of another app, where signing in often fails.',
    toBrowser: 'Open in your own browser',
    scan: 'Sign in with your phone',
  },
  qr: {
    title: 'A code to sign in with your phone',
    lead: (provider: string) => `Scan this code with the ${provider} app on your phone.`,
    scanned: 'Now confirm it on your phone.',
    expired: 'This code has expired.',
    another: 'Show another code',
    beware: 'Scan only a code that you asked for yourself: it signs in the screen that shows it.',
  },
  signedIn: {
    title: 'You are signed in',
    as: (name: string) => `You are signed in as ${name}.`,
    someone: 'somebody without a name',
    goOn: 'Continue',
    goOnTo: (app: string) => `Continue to ${app}`,
    another: 'Or use another account:',
    signOut: 'Sign out',
  },
  signOut: {
    title: 'Sign out?',
    lead: 'You will have to sign in again in every app that uses this sign-in.',
    confirm: 'Sign out',
    stay: 'Stay signed in',
  },
  signedOut: {
    title: 'You are signed out',
    lead: 'Your session in this browser has ended. The platform you signed in with may still know you.',
    again: 'Sign in again',
  },
  consent: {
    title: (app: string) => `Allow ${app} to use your account?`,
    lead: (name: string) => `You are signed in as ${name}.`,
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
  answer: {
    title: 'Almost there',
    lead: (host: string) => `Continue to ${host}.`,
    goOn: 'Continue',
  },
  account: {
    title: 'Your account',
    as: (name: string) => `You are signed in as ${name}.`,
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
      'You will be signed out everywhere, and we forget you. What apps keep themselves stays with them. This cannot be undone.',
    keep: 'Keep it',
    removed: 'Your account is deleted',
    removedLead: 'The platform may still list us among your connected apps: remove us there, too.',
  },
  error: {
    tryAgain: 'Try again',
    backTo: 'Go back to where you came from',
    switchAccount: 'Sign in with the other account',
    stay: 'Keep my present session',
    toSignIn: 'Go to sign-in',
    reference: 'Reference',
    code: 'Code',
  },
  errors: {
    access_denied: {
      title: 'Sign-in cancelled',
      text: 'You, or the platform, did not allow this sign-in. Nothing has changed, and you can try again.',
    },
    account_taken: {
      title: 'That account belongs to somebody else here',
      text: 'Nothing was linked. If it is yours, sign in with it and unlink it there first.',
    },
    client_unknown: {
      title: 'Unknown app',
      text: 'The app that sent you here is not registered (client_id). Please tell whoever runs it.',
    },
    id_token_hint_refused: {
      title: 'This sign-out cannot be carried out',
      text: 'The app did not prove who it is (id_token_hint). You can sign out from the sign-in page.',
    },
    post_logout_redirect_uri_refused: {
      title: 'This sign-out cannot be carried out',
      text: 'The address to return to (post_logout_redirect_uri) is not one the app has registered. You can sign out from the sign-in page.',
    },
    redirect_uri_refused: {
      title: 'This app cannot be answered',
      text: 'The address it wants the answer at (redirect_uri) is not one it has registered. Please tell whoever runs it.',
    },
    already_signed_in: {
      title: 'You are already signed in',
      text: 'This browser is signed in as somebody else. Choose which account it should use.',
    },
    attempt_missing: {
      title: 'This sign-in cannot be finished',
      text: 'It took too long, was finished already, or was started in another browser. Please start again.',
    },
    code_expired: {
      title: 'The sign-in took too long',
      text: 'The platform no longer accepts this sign-in. Please try again.',
    },
    configuration: {
      title: 'This service is not set up correctly',
      text: 'Nobody can sign in until its operator has fixed the settings. Please tell them the reference below.',
    },
    cross_site: {
      title: 'This request came from another site',
      text: 'For your safety it was not carried out. If you meant to do this, start from the sign-in page.',
    },
    internal: {
      title: 'Something went wrong on our side',
      text: 'Please try again. If it happens again, tell us the reference below.',
    },
    method_not_allowed: {
      title: 'That does not work here',
      text: 'This address does not answer requests of that kind.',
    },
    not_eligible: {
      title: 'The platform does not let this account sign in here',
      text: 'The platform says that your account may not be used with this app yet. Try another account.',
    },
    not_found: {
      title: 'Nothing here',
      text: 'There is no page at this address.',
    },
    provider_invalid: {
      title: 'The platform gave an answer we cannot use',
      text: 'You have not been signed in. Please try again in a moment.',
    },
    provider_refused: {
      title: 'The platform refused this service',
      text: 'This is not your fault: the operator has to fix it. Please tell them the reference below.',
    },
    provider_unavailable: {
      title: 'The platform does not answer',
      text: 'It seems to have trouble at the moment. Please try again in a minute.',
    },
    provider_unknown: {
      title: 'Unknown way to sign in',
      text: 'This service does not offer that platform.',
    },
    request_invalid: {
      title: 'This request is not complete',
      text: 'Something in the address is missing or malformed. Please start again from the app.',
    },
    request_too_large: {
      title: 'This request is too large',
      text: 'It was not read. Deleting the cookies of this site may help.',
    },
    return_url_refused: {
      title: 'That app is not registered here',
      text: 'The address to return to (callbackUrl) does not belong to an app this service knows.',
    },
    scope_missing: {
      title: 'Something is missing',
      text: 'You left out what is needed to sign in here. Try again, and leave everything switched on.',
    },
    sign_in_again: {
      title: 'Please sign in again first',
      text: 'To change your accounts you have to have signed in within the last ten minutes.',
    },
    too_many_requests: {
      title: 'Too many requests',
      text: 'Something at your address asks too often. Wait a minute, and try again.',
    },
    unavailable: {
      title: 'Not available right now',
      text: 'Nothing is lost. Please try again in a moment.',
    },
  },
}
