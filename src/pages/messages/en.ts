import type { SignInErrorCode } from '../../errors.ts'

/** What an error page and a JSON error response say about one error code. */
interface ErrorMessage {
  title: ErrorText
  /** What happened, who must act, and what to do next. */
  text: ErrorText
}

/** A text that names the provider of the sign-in is neutral without a name: it may not be known. */
export type ErrorText = string | ((provider?: string) => string)

/** What an app may do with each scope, as the end of a sentence. Apps may have others of their own. */
export interface ScopeMessages {
  openid: string
  profile: string
  email: string
  platform: string
  offline_access: string
  [scope: string]: string
}

/** The texts of all pages; every language has the same shape as English. */
export type Messages = typeof en

export const en = {
  language: 'en',
  /** The language's own name. */
  languageName: 'English',
  signIn: {
    title: 'Sign in',
    titleFor: (app: string) => `Sign in to ${app}`,
    lead: 'Choose how you would like to sign in.',
    signInWith: (provider: string) => `Sign in with ${provider}`,
    /** With the name of the only provider, or without if there are several. */
    privacyNote: (provider?: string) =>
      provider
        ? `Your password stays with ${provider}. ${provider} shares only what you allow.`
        : 'Your passwords stay with these services, which share only what you allow.',
    inAppBrowserWarning: 'You opened this page inside another app, where signing in often fails.',
    openInBrowser: 'Open in your own browser',
    signInWithQrCode: (provider: string) => `Scan a QR code with ${provider}`,
    or: 'or',
    newUserNote: 'New here? Signing in creates your account.',
    lastUsed: 'Last used',
    /** In a browser whose session has ended. */
    sessionEnded:
      'This browser is no longer signed in: you may have signed it out from another browser, or you may not have used it for a long time.',
  },
  qr: {
    lead: (provider: string) => `Scan this code with the ${provider} app on your phone.`,
    scanned: 'Now confirm the sign-in on your phone.',
    expired: 'This code has expired.',
    newCode: 'Show a new code',
    warning:
      'Scan only a code that you requested yourself: the device that shows it will be signed in to your account.',
  },
  signedIn: {
    title: 'You are signed in',
    as: (name: string) => `You are signed in as ${name}.`,
    unnamedUser: 'a user without a name',
    continue: 'Continue',
    continueAs: (name: string) => `Continue as ${name}`,
    continueTo: (app: string) => `Continue to ${app}`,
    useAnotherAccount: 'Or use a different account:',
  },
  stepUp: {
    signInTitle: 'Confirm that it is you',
    /** With the change to the account that the user wants to make, as on its button. */
    signInLead: (change?: string) =>
      change
        ? `To protect your account, please sign in again before you continue with “${change}”, even if you have just signed in.`
        : 'To protect your account, please sign in again before you continue.',
    /** For a change that has a page of its own. */
    confirmedLater: 'Nothing will change until you confirm on the next page.',
    permissionTitle: (app: string) => `${app} is asking for more access`,
    permissionLead: 'Sign in again, and allow the following on the page that opens:',
    permissionLeadWith: (provider: string) =>
      `Sign in again with ${provider}, and allow the following on the page that opens:`,
  },
  signOut: {
    title: 'Sign out?',
    lead: 'You will have to sign in again in every app that you use with this account.',
    confirm: 'Sign out',
    staySignedIn: 'Stay signed in',
  },
  signedOut: {
    title: 'You are signed out',
    lead: (provider: string) => `You may still be signed in to ${provider}.`,
  },
  consent: {
    title: (app: string) => `Allow ${app} to use your account?`,
    permissionsHeading: 'The app will be able to:',
    scopes: {
      openid: 'recognise you when you come back',
      profile: 'see your name, username, picture and profile link',
      email: 'see your email address',
      platform:
        'see what the service that you sign in with shares about you, such as your number of followers',
      offline_access: 'keep this access when you are not using the app',
      'user.info.profile': 'see your username, bio and profile link',
      'user.info.stats': 'see how many followers, likes and videos you have',
      'video.list': 'see your public videos',
    } as ScopeMessages,
    /** Instead of an email address that the user does not have. */
    noEmail: 'none yet; also applies to one that you add later',
    useApi: (api: string) => `use ${api}`,
    /** Below what cannot be declined, if something else can. */
    alwaysIncluded: 'Always included',
    optional:
      'Deselect what you do not want to allow. Some features of the app may not work without it.',
    returnsTo: (host: string) => `You will return to ${host}.`,
    lasts: (duration: string) =>
      `The app keeps this access for up to ${duration} after you last signed in to it.`,
    revocable: 'You can remove this access at any time on your account page.',
    approve: 'Allow',
    deny: 'Do not allow',
  },
  continuing: {
    title: 'Continue to finish signing in',
    lead: 'If nothing happens, press the button.',
  },
  account: {
    title: 'Your account',
    /** What the page confirms after a change. */
    done: {
      linked: (provider: string) => `You can now sign in with ${provider}.`,
      alreadyLinked: (provider: string) =>
        `This ${provider} account is already linked. To link another one, first switch accounts on ${provider}.`,
      passkeyAdded: 'Your passkey has been added.',
      passkeyRenamed: 'Your passkey has been renamed.',
      sessionEnded: (device: string) =>
        `You have been signed out of the other browser (${device}).`,
      otherSessionsEnded: 'You have been signed out everywhere else.',
      consentWithdrawn: (app: string) =>
        `${app} can no longer use your account. It keeps the data that it already has.`,
      /** After a new sign-in that a change required; with the change, as on its button. */
      confirmed: (change?: string) =>
        change
          ? `Thank you. You now have ten minutes to continue with “${change}”.`
          : 'Thank you. You now have ten minutes to repeat what you wanted to do.',
    },
    /** On the first visit of a new user. */
    created: 'Your new account was created when you signed in.',
    accountsHeading: 'Ways to sign in',
    noAccounts: 'No accounts are linked.',
    addedOn: (date: string) => `Added on ${date}`,
    disconnect: (provider: string) => `Disconnect ${provider}`,
    onlyMethod: 'Your only way to sign in. To remove it, first add another.',
    /** The pages on which an account, an address or a passkey is removed. */
    removal: {
      title: (provider: string) => `Disconnect ${provider}?`,
      effect: (provider: string) =>
        `You will no longer be able to sign in here with this ${provider} account. The ${provider} account itself will not be deleted.`,
      /** With the other ways to sign in, such as “TikTok or Google”. */
      sessions: (methods: string) =>
        `To protect your account, you will be signed out everywhere, including here. You can then sign in with ${methods}.`,
      doneTitle: (provider: string) => `${provider} is disconnected`,
      signedOut: 'You have been signed out everywhere.',
      signInAgain: (methods: string) => `Sign in again with ${methods}.`,
      unknownTitle: 'This way to sign in is not in your account',
    },
    /** Leads to the page on which another account is linked; also its title. */
    addMethod: 'Add a way to sign in',
    link: (provider: string) => `Link ${provider}`,
    linkAnother: (provider: string) => `Link another ${provider} account`,
    sessionsHeading: 'Where you are signed in',
    unknownBrowser: 'Unknown browser',
    thisBrowser: 'this browser',
    signedInOn: (date: string, provider?: string) =>
      provider ? `signed in with ${provider} on ${date}` : `signed in on ${date}`,
    lastUsedOn: (date: string) => `last used on ${date}`,
    usedFor: (apps: string) => `signed in to ${apps}`,
    endOtherSessions: 'Sign out everywhere else',
    consentsHeading: 'Apps that you have given access',
    noConsents: 'No apps from other companies have access at the moment.',
    withdrawConsent: 'Remove access',
    /** Asks for confirmation before an app loses its access. */
    withdrawal: {
      title: (app: string) => `Remove access for ${app}?`,
      effect: (app: string) =>
        `${app} will no longer be able to use your account. It keeps the data that it already has.`,
      later: 'If you sign in to it again, it will ask for access again.',
    },
    dataHeading: 'Your data',
    dataNote:
      'You can download a file (JSON) with your profile, your ways to sign in, your sessions, app permissions and security records.',
    downloadData: 'Download your data',
    deleteAccount: 'Delete your account',
    deleteLead: 'This cannot be undone. If you delete your account:',
    deleteEffects: {
      data: 'Your profile, such as your name and picture, and all your ways to sign in are deleted from this service.',
      accounts: (services: string) =>
        `Your accounts at other services (${services}) are not deleted.`,
      sessions: 'You are signed out everywhere, and no app can use your account any more.',
      apps: 'Apps keep the data that they already have. Ask them to delete it.',
      records: (duration: string) =>
        `Security records of this account, such as the times of sign-ins, are kept for ${duration}, without your name.`,
      later: 'If you sign in again later, you get a new, empty account.',
    },
    deletePermanently: 'Delete permanently',
    deletedTitle: 'Your account is deleted',
    /** The names of the providers are a list in the language of the page. */
    deletedConnections: (providers: string) =>
      `You may still find this service among your connected apps at ${providers}. You can remove it there, too.`,
  },
  actions: {
    cancel: 'Cancel',
    tryAgain: 'Try again',
    goBack: 'Go back',
    goBackTo: (app: string) => `Go back to ${app}`,
    goToSignIn: 'Go to sign-in',
    keepCurrentAccount: 'Keep the current account',
    switchAccount: 'Sign in with the other account',
    useDifferentAccount: 'Use a different account',
    chooseProvider: 'Choose another way to sign in',
    goToAccount: 'Go to your account',
    checkAgain: 'Check again',
    showMore: (count: string) => `Show ${count} more`,
  },
  footer: {
    privacyPolicy: (app: string) => `Privacy policy of ${app}`,
    terms: (app: string) => `Terms of service of ${app}`,
    language: 'Language',
  },
  errorPage: {
    code: 'Error code',
    parameter: 'Parameter',
    reference: 'Reference',
    otherAccount: (account: string) => `The other account: ${account}`,
    /** The link to the operator of this service. */
    contact: 'Contact support',
  },
  errors: {
    access_denied: {
      title: 'You were not signed in',
      text: (provider = 'the service that you sign in with') =>
        `The sign-in was cancelled. Nothing has changed, and you can try again at any time. If you did not cancel it, perhaps ${provider} does not let this account sign in to other apps.`,
    },
    account_taken: {
      title: 'Already linked to another account',
      text: 'This way to sign in already belongs to another account of this service. You can keep using both accounts, or sign in with it, disconnect it there, and then link it here.',
    },
    already_signed_in: {
      title: 'You are already signed in',
      text: 'This browser is signed in with a different account. Decide which of the two you want to use.',
    },
    attempt_missing: {
      title: 'This sign-in cannot be finished',
      text: 'It took too long, was already finished, or was started in another browser. Please start again.',
    },
    client_unknown: {
      title: 'This app is not registered',
      text: 'The app that sent you here is not registered with this service. Please report this to the people who run the app: only they can fix it.',
    },
    code_expired: {
      title: 'The confirmation has expired',
      text: (provider = 'The service that you sign in with') =>
        `${provider} confirmed your sign-in, but the confirmation expired or was used before we could check it. Please sign in again.`,
    },
    configuration: {
      title: 'This service is not set up correctly',
      text: 'This is not your fault. Nobody can sign in until the operator of this service corrects its settings. Please send them the reference below.',
    },
    credentials_rejected: {
      title: 'That was not correct',
      text: 'The code, or the details that you entered to sign in, were not correct. Check them and try again.',
    },
    cross_site: {
      title: 'This request came from another site',
      text: 'It was not carried out, to protect your account. If you wanted to do this, open the sign-in page or your account page and do it there.',
    },
    id_token_hint_refused: {
      title: 'The app could not sign you out',
      text: 'Its request to sign you out was not valid, so we did not carry it out. You may still be signed in: sign out here. The people who run the app can fix this.',
    },
    internal: {
      title: 'Something went wrong on our side',
      text: 'This is not your fault. Please try again. If it happens again, send the reference below to the operator of this service.',
    },
    method_not_allowed: {
      title: 'This page cannot be opened like this',
      text: 'The address belongs to a form or to an app and does not accept this kind of request. Start again at the sign-in page or on your account page. If an app sent you here, please report this to the people who run it.',
    },
    not_allowed: {
      title: 'You cannot sign in with this account',
      text: 'The operator of this service does not allow this account. Use a different account, or contact the operator with the error code and the reference below.',
    },
    not_eligible: {
      title: 'This account cannot sign in here yet',
      text: (provider = 'the service that you sign in with') =>
        `For now, ${provider} lets only selected test accounts sign in here. Use a different account, or ask the operator of this service to add yours.`,
    },
    not_found: {
      title: 'Page not found',
      text: 'There is no page at this address. Check that it is spelled correctly, or continue at the sign-in page or on your account page.',
    },
    passkey_rejected: {
      title: 'This passkey was not accepted',
      text: 'It could not be verified. Nothing has changed. Try another passkey, or sign in another way and check the passkeys on your account page.',
    },
    passkey_unknown: {
      title: 'This passkey is not registered here',
      text: 'It may have been removed, or its account deleted. Sign in another way. If your device still offers this passkey, delete it from the passwords that are saved there.',
    },
    post_logout_redirect_uri_refused: {
      title: 'Sign-out was stopped',
      text: 'The app wanted to send you to an address that it has not registered. You may still be signed in: sign out here. The people who run the app can fix this.',
    },
    provider_invalid: {
      title: (provider = 'The service that you sign in with') =>
        `${provider} sent an invalid response`,
      text: 'We could not verify who you are, so you were not signed in. Please try again. If it happens again, send the reference below to the operator of this service.',
    },
    provider_misconfigured: {
      title: 'This sign-in option does not work',
      text: 'This is not your fault, and trying again will not help: only the operator of this service can correct it. Please send them the reference below. If you can also sign in another way, choose that one.',
    },
    provider_refused: {
      title: (provider = 'The service that you sign in with') =>
        `${provider} did not accept our request`,
      text: 'This is not your fault, and only the operator of this service can fix it. Please send them the reference below.',
    },
    provider_unavailable: {
      title: (provider = 'The service that you sign in with') => `${provider} is not responding`,
      text: (provider = 'The service that you sign in with') =>
        `${provider} is overloaded or has a temporary problem, so you were not signed in. Please try again in a minute.`,
    },
    provider_unknown: {
      title: 'This sign-in option does not exist',
      text: 'The sign-in option in this address is not available here. Go to the sign-in page to see the ones that are.',
    },
    redirect_uri_refused: {
      title: 'This app cannot receive your sign-in',
      text: 'It wanted the result sent to an address that it has not registered. Please report this to the people who run the app: only they can fix it.',
    },
    request_invalid: {
      title: 'This request is not valid',
      text: 'A part of it is missing, repeated or malformed. Go back to the app and start again. If it happens again, please report this to the people who run the app.',
    },
    request_too_large: {
      title: 'This request is too large',
      text: 'The address, the form or the cookies that your browser sent are too long. Delete the cookies of this site, then go back to the app and start again.',
    },
    return_url_refused: {
      title: 'This link leads to an unknown site',
      text: 'After sign-in it would send you to an address that is not registered with this service, so we stopped here. If an app gave you this link, please report this to the people who run it.',
    },
    scope_missing: {
      title: 'A required permission is missing',
      text: (provider = 'another service') =>
        `When you signed in with ${provider}, you turned off a permission that is needed here. Please sign in again and leave it on.`,
    },
    sign_in_again: {
      title: 'Sign in again first',
      text: 'To protect your account, this requires a new sign-in. Sign in once more, then repeat what you wanted to do within ten minutes.',
    },
    too_many_guesses: {
      title: 'Too many wrong attempts',
      text: 'What you entered was wrong too often, so this sign-in was stopped to protect the account. Please start again. If that is refused too, wait 15 minutes.',
    },
    too_many_requests: {
      title: 'Too many requests',
      text: 'Too many requests came from you or your network in a short time. Please wait a minute, then try again.',
    },
    unavailable: {
      title: 'Not available right now',
      text: 'This service has a temporary problem and could not complete your request. If you were changing something, the change may be incomplete. Please try again in a minute.',
    },
    user_blocked: {
      title: 'Your account is blocked',
      text: 'The operator of this service has blocked your account, so you cannot sign in with it. If you think this is a mistake, contact them and include the reference below.',
    },
  } satisfies Record<SignInErrorCode, ErrorMessage>,
}
