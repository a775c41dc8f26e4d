import type { SignInErrorCode } from '../../foundation/errors/sign-in-error.ts'
import type { Text } from './messages.ts'

/**
 * The English texts, which the other languages are translated from. A value in braces is inserted
 * into the text. `{count}` is a number: a language in which the sentence depends on it has one
 * sentence per category of `Intl.PluralRules`, such as `{ one: '…', other: '…' }`.
 * docs/languages.md says how texts are written.
 */
export const en = {
  /** The language's own name. */
  languageName: 'English',

  'signIn.title': 'Sign in',
  'signIn.titleFor': 'Sign in to {app}',
  'signIn.lead': 'Choose how you would like to sign in.',
  'signIn.signInWith': 'Sign in with {provider}',
  'signIn.inAppBrowserWarning':
    'You opened this page inside another app, where signing in often fails.',
  'signIn.openInBrowser': 'Open in your own browser',
  'signIn.or': 'or',
  'signIn.newUserNote': 'New here? Signing in creates your account.',
  'signIn.lastUsed': 'Last used',
  // If there are many ways to sign in.
  'signIn.search': 'Search',
  'signIn.noMatch': 'Nothing found.',
  /** After a user cancelled at the provider. */
  'signIn.cancelled': 'Sign-in cancelled. Try again or choose another way.',
  /** In a browser whose session has ended. */
  'signIn.sessionEnded':
    'This browser is no longer signed in: you may have signed it out from another browser, or you may not have used it for a long time.',

  'signedIn.title': 'You are signed in',
  'signedIn.as': 'You are signed in as {name}.',
  'signedIn.unnamedUser': 'a user without a name',
  'signedIn.continue': 'Continue',
  'signedIn.continueAs': 'Continue as {name}',
  'signedIn.continueTo': 'Continue to {app}',
  'signedIn.useAnotherAccount': 'Or use a different account:',

  'stepUp.signInTitle': 'Confirm it’s you',
  /** With the change to the account that the user wants to make, as on its button. */
  'stepUp.signInLead': 'To protect your account, sign in once more.',
  'stepUp.signInLeadFor': 'To continue with “{change}”, sign in once more.',
  /** For an app that requires a new sign-in. */
  'stepUp.requestedBy': '{app} asks you to sign in once more.',
  /** After the sentence about a change, if the provider may have signed the user in silently. */
  'stepUp.silent':
    'You have only just signed in, but perhaps without being asked for anything. Anyone who uses this browser could have done that.',
  /** After the same sentences, if the user has just signed in with an unconfirmed account. */
  'stepUp.unconfirmed':
    'Your last sign-in is not sufficient here: you have not confirmed that way to sign in yet. Please use another.',
  /** For a change that has a page of its own. */
  'stepUp.confirmedLater': 'Nothing will change until you confirm on the next page.',
  /** After the sentences about a change that an administrator makes in the console. */
  'stepUp.validFor': 'You will then not be asked again for ten minutes.',
  /** Below the ways to sign in that prove most, if the user has others. */
  'stepUp.strongest':
    'Your other ways to sign in are not sufficient for this. If you have lost this one, contact us.',
  /** Instead of the ways to sign in, if those that prove most cannot be used. */
  'stepUp.unavailable':
    'To protect your account, this needs one of your ways to sign in that is not available at the moment. Please try again later.',
  'stepUp.permissionTitle': '{app} is asking for more access',
  'stepUp.permissionLead': 'Sign in again, and allow the following on the page that opens:',
  'stepUp.permissionLeadWith':
    'Sign in again with {provider}, and allow the following on the page that opens:',

  'signOut.title': 'Sign out?',
  'signOut.lead': 'You will have to sign in again in every app that you use with this account.',
  'signOut.confirm': 'Sign out',
  'signOut.staySignedIn': 'Stay signed in',

  'signedOut.title': 'You are signed out',
  'signedOut.lead': 'You may still be signed in to {provider}.',

  'consent.title': 'Allow {app} to use your account?',
  /** A link next to the user's name. */
  'consent.notYou': 'Not you?',
  'consent.permissionsHeading': 'The app will be able to:',
  /** Instead of it, if the user has decided about a part of it before. */
  'consent.addedHeading': 'New: the app will also be able to:',
  /** Followed by that part. */
  'consent.decidedBefore': 'What you have already decided',
  'consent.scopes.openid': 'recognise you when you come back',
  'consent.scopes.profile': 'see your name, username, picture and profile link',
  'consent.scopes.email': 'see your email address',
  'consent.scopes.platform':
    'see what the service that you sign in with shares about you, such as your number of followers',
  'consent.scopes.offline_access': 'keep this access when you are not using the app',
  'consent.scopes.user.info.profile': 'see your username, bio and profile link',
  'consent.scopes.user.info.stats': 'see how many followers, likes and videos you have',
  'consent.scopes.video.list': 'see your public videos',
  /** Instead of an email address that the user does not have. */
  'consent.noEmail': 'none yet; also applies to one that you add later',
  'consent.useApi': 'use {api}',
  /** Below what cannot be declined, if something else can. */
  'consent.alwaysIncluded': 'Always included',
  'consent.optional':
    'Deselect what you do not want to allow. Some features of the app may not work without it.',
  'consent.returnsTo': 'You will return to {host}.',
  'consent.lasts': 'The app keeps this access for up to {duration} after you last signed in to it.',
  'consent.revocable': 'You can remove this access at any time on your account page.',
  /** Below the button that continues to a native app of the operator. */
  'consent.nativeApp': 'Only continue if you have just started to sign in to {app} yourself.',
  'consent.approve': 'Allow',
  'consent.deny': 'Do not allow',

  /** With the app that the user signs in to, if it is known. */
  'continuing.title': 'Signing you in…',
  'continuing.titleFor': 'Signing you in to {app}',
  'continuing.lead': 'If nothing happens, press the button.',
  /** Below the button that opens a native app. */
  'continuing.appMissing': 'If {app} still does not open, it may not be installed on this device.',

  'account.title': 'Your account',
  // What the page confirms after a change.
  'account.done.linked': 'You can now sign in with {provider}.',
  'account.done.alreadyLinked':
    'This {provider} account is already linked. To link another one, first switch accounts on {provider}.',
  'account.done.methodConfirmed': 'Thank you. This way to sign in is confirmed.',
  'account.done.sessionEnded': 'You have been signed out of the other browser ({device}).',
  'account.done.otherSessionsEnded': 'You have been signed out everywhere else.',
  'account.done.consentWithdrawn':
    '{app} can no longer use your account. It keeps the data that it already has.',
  /** After a new sign-in that a change required; with the change, as on its button. */
  'account.done.confirmed': 'Thank you. You now have ten minutes to repeat what you wanted to do.',
  'account.confirmedFor': 'Thank you. You now have ten minutes to continue with “{change}”.',
  /** On the first visit of a new user. */
  'account.created': 'Your new account was created when you signed in.',
  /** Above the ways to sign in that were added or removed recently. */
  'account.changes':
    'Your ways to sign in have changed. If this was not you, remove what you do not recognise, sign out everywhere else, and contact us.',
  /** Above a way to sign in that somebody else may have added. */
  'account.unconfirmed':
    'Did you add this way to sign in? If not, remove it. Until you confirm it, it can be used to sign in, but not to change your account.',
  'account.confirmation.confirm': 'I added it',
  /** With the other ways to sign in, such as “TikTok or Google”. */
  'account.confirmation.later':
    'To confirm it, sign out and sign in again with {methods}, on {date} or later.',
  'account.confirmation.email':
    'Apps get your address {email} only once you have confirmed this way to sign in.',
  // The page on which it is confirmed.
  'account.confirmation.title': 'Did you add this way to sign in?',
  'account.confirmation.effect':
    'Once you confirm it, whoever can use it can change your account and remove your other ways to sign in.',
  'account.accountsHeading': 'Ways to sign in',
  'account.noAccounts': 'No accounts are linked.',
  'account.addedOn': 'Added on {date}',
  'account.removedOn': 'Removed on {date}',
  'account.disconnect': 'Disconnect {provider}',
  'account.onlyMethod': 'Your only way to sign in. To remove it, first add another.',
  'account.onlyConfirmed':
    'Your only confirmed way to sign in. To remove it, first confirm another.',
  'account.notConfirmed': 'Not confirmed',
  // The pages on which an account, an address or a passkey is removed.
  'account.removal.title': 'Disconnect {provider}?',
  'account.removal.effect':
    'You will no longer be able to sign in here with this {provider} account. The {provider} account itself will not be deleted.',
  /** With the other ways to sign in, such as “TikTok or Google”. */
  'account.removal.sessions':
    'To protect your account, you will be signed out everywhere, including here. You can then sign in with {methods}.',
  'account.removal.doneTitle': '{provider} is disconnected',
  'account.removal.signedOut': 'You have been signed out everywhere.',
  'account.removal.signInAgain': 'Sign in again with {methods}.',
  'account.removal.unknownTitle': 'This way to sign in is not in your account',
  /** Leads to the page on which another account is linked; also its title. */
  'account.addMethod': 'Add a way to sign in',
  'account.link': 'Link {provider}',
  'account.linkAnother': 'Link another {provider} account',
  'account.sessionsHeading': 'Where you are signed in',
  'account.unknownBrowser': 'Unknown browser',
  'account.thisBrowser': 'this browser',
  'account.signedInOn': 'signed in on {date}',
  'account.signedInWithOn': 'signed in with {provider} on {date}',
  'account.lastUsedOn': 'last used on {date}',
  'account.usedFor': 'signed in to {apps}',
  'account.endOtherSessions': 'Sign out everywhere else',
  'account.consentsHeading': 'Apps that you have given access',
  'account.noConsents': 'No apps from other companies have access at the moment.',
  'account.withdrawConsent': 'Remove access',
  // Asks for confirmation before an app loses its access.
  'account.withdrawal.title': 'Remove access for {app}?',
  'account.withdrawal.effect':
    '{app} will no longer be able to use your account. It keeps the data that it already has.',
  'account.withdrawal.later': 'If you sign in to it again, it will ask for access again.',
  'account.dataHeading': 'Your data',
  'account.dataNote':
    'You can download a file (JSON) with your profile, your ways to sign in, your sessions, app permissions and security records.',
  'account.downloadData': 'Download your data',
  'account.deleteAccount': 'Delete your account',
  'account.deleteLead': 'This cannot be undone. If you delete your account:',
  'account.deleteEffects.data':
    'Your profile, such as your name and picture, and all your ways to sign in are deleted from this service.',
  'account.deleteEffects.accounts': 'Your accounts at other services ({services}) are not deleted.',
  'account.deleteEffects.sessions':
    'You are signed out everywhere, and no app can use your account any more.',
  'account.deleteEffects.apps': 'Apps keep the data that they already have. Ask them to delete it.',
  'account.deleteEffects.records':
    'Security records of this account, such as the times of sign-ins, are kept for {duration}, without your name.',
  'account.deleteEffects.later': 'If you sign in again later, you get a new, empty account.',
  'account.deletePermanently': 'Delete permanently',
  'account.deletedTitle': 'Your account is deleted',
  /** The names of the providers are a list in the language of the page. */
  'account.deletedConnections':
    'You may still find this service among your connected apps at {providers}. You can remove it there, too.',

  'actions.cancel': 'Cancel',
  'actions.tryAgain': 'Try again',
  'actions.goBack': 'Go back',
  'actions.goBackTo': 'Go back to {app}',
  'actions.goToSignIn': 'Go to sign-in',
  'actions.keepCurrentAccount': 'Keep the current account',
  'actions.switchAccount': 'Sign in with the other account',
  'actions.useDifferentAccount': 'Use a different account',
  'actions.chooseProvider': 'Choose another way to sign in',
  'actions.goToAccount': 'Go to your account',
  'actions.checkAgain': 'Check again',
  'actions.showMore': 'Show {count} more',

  'footer.privacyPolicy': 'Privacy policy of {app}',
  'footer.terms': 'Terms of service of {app}',
  'footer.language': 'Language',

  'errorPage.details': 'Details for support',
  'errorPage.code': 'Error code',
  'errorPage.parameter': 'Parameter',
  'errorPage.reference': 'Reference',
  'errorPage.otherAccount': 'The other account: {account}',
  /** The link to the operator of this service. */
  'errorPage.contact': 'Contact support',

  'errors.access_denied.title': 'You were not signed in',
  'errors.access_denied.text':
    'The sign-in was cancelled. Nothing has changed, and you can try again at any time. If you did not cancel it, perhaps the service that you sign in with does not let this account sign in to other apps.',
  'errors.access_denied.textFor':
    'The sign-in was cancelled. Nothing has changed, and you can try again at any time. If you did not cancel it, perhaps {provider} does not let this account sign in to other apps.',
  'errors.account_rejected.title': 'The service that you sign in with did not sign you in',
  'errors.account_rejected.titleFor': '{provider} did not sign you in',
  'errors.account_rejected.text':
    'The service that you sign in with does not let this account sign in to other apps. Perhaps the account is restricted, or its owner is too young. Only that service can change this. If you ask for help, include the details below.',
  'errors.account_rejected.textFor':
    '{provider} does not let this account sign in to other apps. Perhaps the account is restricted, or its owner is too young. Only {provider} can change this. If you ask for help, include the details below.',
  'errors.account_taken.title': 'Already linked to another account',
  'errors.account_taken.text':
    'This way to sign in already belongs to another account of this service. You can keep using both accounts, or sign in with it, disconnect it there, and then link it here.',
  'errors.already_signed_in.title': 'You are already signed in',
  'errors.already_signed_in.text':
    'This browser is signed in with a different account. Decide which of the two you want to use.',
  'errors.attempt_missing.title': 'This sign-in cannot be finished',
  'errors.attempt_missing.text':
    'It took too long, was already finished, or was started in another browser. Please start again.',
  'errors.client_unknown.title': 'This app is not registered',
  'errors.client_unknown.text':
    'The app that sent you here is not registered with this service. Please report this to the people who run the app: only they can fix it.',
  'errors.client_unreadable.title': 'The details of this app could not be read',
  'errors.client_unreadable.text':
    'The app that sent you here publishes its details on its own website, and we could not read them. Please try again later. If it happens again, report it to the people who run the app.',
  'errors.code_expired.title': 'The confirmation has expired',
  'errors.code_expired.text':
    'The service that you sign in with confirmed your sign-in, but the confirmation expired or was used before we could check it. Please sign in again.',
  'errors.code_expired.textFor':
    '{provider} confirmed your sign-in, but the confirmation expired or was used before we could check it. Please sign in again.',
  'errors.configuration.title': 'This service is not set up correctly',
  'errors.configuration.text':
    'This is not your fault. Nobody can sign in until the operator of this service corrects its settings. Please send them the reference below.',
  'errors.credentials_rejected.title': 'That was not correct',
  'errors.credentials_rejected.text':
    'The code, or the details that you entered to sign in, were not correct. Check them and try again.',
  'errors.cross_site.title': 'This request came from another site',
  'errors.cross_site.text':
    'It was not carried out, to protect your account. If you wanted to do this, open the sign-in page or your account page and do it there.',
  'errors.id_token_hint_missing.title': 'This app sent an incomplete sign-out request',
  'errors.id_token_hint_missing.text':
    'The parameter id_token_hint is missing, so we cannot check where the app wants to send you. You may still be signed in: sign out here. The people who run the app can fix this.',
  'errors.id_token_hint_refused.title': 'The app could not sign you out',
  'errors.id_token_hint_refused.text':
    'Its request to sign you out was not valid, so we did not carry it out. You may still be signed in: sign out here. The people who run the app can fix this.',
  'errors.internal.title': 'Something went wrong on our side',
  'errors.internal.text':
    'This is not your fault. Please try again. If it happens again, send the reference below to the operator of this service.',
  'errors.method_not_allowed.title': 'This page cannot be opened like this',
  'errors.method_not_allowed.text':
    'The address belongs to a form or to an app and does not accept this kind of request. Start again at the sign-in page or on your account page. If an app sent you here, please report this to the people who run it.',
  'errors.not_allowed.title': 'You cannot sign in with this account',
  'errors.not_allowed.text':
    'The operator of this service does not allow this account. Use a different account, or contact the operator with the error code and the reference below.',
  'errors.not_eligible.title': 'This account cannot sign in here yet',
  'errors.not_eligible.text':
    'For now, the service that you sign in with lets only selected test accounts sign in here. Use a different account, or ask the operator of this service to add yours.',
  'errors.not_eligible.textFor':
    'For now, {provider} lets only selected test accounts sign in here. Use a different account, or ask the operator of this service to add yours.',
  'errors.not_found.title': 'Page not found',
  'errors.not_found.text':
    'There is no page at this address. Check that it is spelled correctly, or continue at the sign-in page or on your account page.',
  'errors.post_logout_redirect_uri_refused.title': 'Sign-out was stopped',
  'errors.post_logout_redirect_uri_refused.text':
    'The app wanted to send you to an address that it has not registered. You may still be signed in: sign out here. The people who run the app can fix this.',
  'errors.provider_invalid.title': 'The service that you sign in with sent an invalid response',
  'errors.provider_invalid.titleFor': '{provider} sent an invalid response',
  'errors.provider_invalid.text':
    'We could not verify who you are, so you were not signed in. Please try again. If it happens again, send the reference below to the operator of this service.',
  'errors.provider_misconfigured.title': 'This sign-in option does not work',
  'errors.provider_misconfigured.text':
    'This is not your fault, and trying again will not help: only the operator of this service can correct it. Please send them the reference below. If you can also sign in another way, choose that one.',
  'errors.provider_refused.title': 'The service that you sign in with did not accept our request',
  'errors.provider_refused.titleFor': '{provider} did not accept our request',
  'errors.provider_refused.text':
    'This is not your fault, and only the operator of this service can fix it. Please send them the reference below.',
  'errors.provider_unavailable.title': 'The service that you sign in with is not responding',
  'errors.provider_unavailable.titleFor': '{provider} is not responding',
  'errors.provider_unavailable.text':
    'The service that you sign in with is overloaded or has a temporary problem, so you were not signed in. Please try again in a minute.',
  'errors.provider_unavailable.textFor':
    '{provider} is overloaded or has a temporary problem, so you were not signed in. Please try again in a minute.',
  'errors.provider_unknown.title': 'This sign-in option does not exist',
  'errors.provider_unknown.text':
    'The sign-in option in this address is not available here. Go to the sign-in page to see the ones that are.',
  'errors.redirect_uri_missing.title': 'This app sent an incomplete sign-in request',
  'errors.redirect_uri_missing.text':
    'The parameter redirect_uri is missing, so we do not know where to send the result. Please report this to the people who run the app: only they can fix it.',
  'errors.redirect_uri_refused.title': 'This app cannot receive your sign-in',
  'errors.redirect_uri_refused.text':
    'It wanted the result sent to an address that it has not registered. Please report this to the people who run the app: only they can fix it.',
  'errors.request_invalid.title': 'This request is not valid',
  'errors.request_invalid.text':
    'A part of it is missing, repeated or malformed. Go back to the app and start again. If it happens again, please report this to the people who run the app.',
  'errors.request_too_large.title': 'This request is too large',
  'errors.request_too_large.text':
    'The address, the form or the cookies that your browser sent are too long. Delete the cookies of this site, then go back to the app and start again.',
  'errors.return_url_refused.title': 'This link leads to an unknown site',
  'errors.return_url_refused.text':
    'After sign-in it would send you to an address that is not registered with this service, so we stopped here. If an app gave you this link, please report this to the people who run it.',
  'errors.scope_missing.title': 'A required permission is missing',
  'errors.scope_missing.text':
    'When you signed in with another service, you turned off a permission that is needed here. Please sign in again and leave it on.',
  'errors.scope_missing.textFor':
    'When you signed in with {provider}, you turned off a permission that is needed here. Please sign in again and leave it on.',
  'errors.sign_in_again.title': 'Sign in again first',
  'errors.sign_in_again.text':
    'To protect your account, this requires a new sign-in. Sign in once more, then repeat what you wanted to do within ten minutes.',
  'errors.too_many_guesses.title': 'Too many wrong attempts',
  'errors.too_many_guesses.text':
    'What you entered was wrong too often, so this sign-in was stopped to protect the account. Please start again. If that is refused too, wait 15 minutes.',
  'errors.too_many_requests.title': 'Too many requests',
  'errors.too_many_requests.text':
    'Too many requests came from you or your network in a short time. Please wait a minute, then try again.',
  'errors.unavailable.title': 'Not available right now',
  'errors.unavailable.text':
    'This service has a temporary problem and could not complete your request. If you were changing something, the change may be incomplete. Please try again in a minute.',
  'errors.user_blocked.title': 'Your account is blocked',
  'errors.user_blocked.text':
    'The operator of this service has blocked your account, so you cannot sign in with it. If you think this is a mistake, contact them and include the reference below.',
} as const satisfies Record<ErrorKey, string> & Record<string, Text>

type ErrorKey = `errors.${Exclude<SignInErrorCode, FeatureErrorCode>}.${'title' | 'text'}`

/** The error whose texts are those of a feature. */
type FeatureErrorCode = 'request_uri_invalid'
