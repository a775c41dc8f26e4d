/** What the platform means by its words for an error, in ours. */
export const PLATFORM_WORDS: Readonly<Record<string, string>> = {
  access_denied:
    'the person cancelled, or the platform does not let this account sign in elsewhere',
  access_token_invalid: 'it no longer takes the access token that it has just issued',
  client_key: 'the key is unknown, or its app is not live or has no Login Kit',
  code_challenge: 'the challenge is missing, and the callback is a loopback address',
  code_challenge_method: 'the challenge is of another method than S256',
  internal_error: 'it has trouble of its own',
  invalid_client:
    'key and secret do not belong together: one is wrong, or they are of a sandbox and of its app',
  invalid_grant: 'the code is unknown, was used before, or has expired',
  invalid_params: 'a field that was asked for is not one of its own',
  invalid_request:
    'the request is malformed, or the callback or the verifier differ from those that the sign-in began with',
  invalid_scope: 'a scope is not on the app, or not approved',
  non_sandbox_target: 'the account is not among the target users of the sandbox',
  other: 'a word that it is not known to use, which is kept out of the log',
  param_error: 'a parameter is missing or wrong; the second word names it',
  rate_limit_exceeded: 'too many requests of this app within a minute',
  redirect_uri: 'the callback is not registered for this key, letter for letter',
  response_type: 'it was asked for something else than a code',
  scope: 'a scope is not on the app, or not approved',
  scope_not_authorized: 'a field was asked for that the person did not allow',
  scope_permission_missed: 'a field was asked for that the person did not allow',
  server_error: 'it has trouble of its own',
  temporarily_unavailable: 'it has trouble of its own',
  unauthorized_client:
    'the app may not sign people in: it is not live, or the key is of another portal',
  unsupported_grant_type: 'it does not know this kind of request',
  unsupported_response_type: 'it was asked for something else than a code',
}
