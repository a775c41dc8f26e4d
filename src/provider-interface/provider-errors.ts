/** What of our registration at a provider an error is about. */
type ErrorSubject = 'credentials' | 'redirect_uri' | 'scope' | 'app'

/**
 * The errors of authorization and token endpoints for which the operator's registration at the
 * provider is the cause: those of RFC 6749, and those of providers that have their own.
 */
const SUBJECTS: Readonly<Record<string, ErrorSubject>> = {
  invalid_client: 'credentials',
  incorrect_client_credentials: 'credentials', // GitHub
  bad_client_secret: 'credentials', // Slack
  invalid_client_id: 'credentials', // Slack
  redirect_uri_mismatch: 'redirect_uri', // GitHub, Google
  bad_redirect_uri: 'redirect_uri', // Slack
  invalid_redirect_uri: 'redirect_uri',
  invalid_scope: 'scope',
  // About a client that was authenticated, and depends on what is exchanged (RFC 6749 §5.2).
  unauthorized_client: 'app',
  application_suspended: 'app', // GitHub
}

/** What an error code is about. It comes from a provider or a log. */
export function subjectOfError(code: string): ErrorSubject | undefined {
  return Object.hasOwn(SUBJECTS, code) ? SUBJECTS[code] : undefined
}
