/** What the platform's error codes mean. Each text is printed after its code. */
const PLATFORM_ERROR_MEANINGS: Readonly<Record<string, string>> = {
  access_denied:
    'the user cancelled, or the platform does not allow this account to sign in to apps',
  access_token_invalid: 'the platform rejects the access token that it has just issued',
  client_key: 'the client key is unknown, or its app is not live or does not have Login Kit',
  code_challenge: 'the callback is a loopback address, and the request has no code_challenge',
  code_challenge_method: 'the code_challenge_method is not S256',
  internal_error: 'an internal error of the platform',
  invalid_client:
    'the key and the secret do not belong together: one is wrong, or one is from a sandbox and the other from the production app',
  invalid_grant: 'the code is unknown, already used or expired',
  invalid_params: 'a requested profile field does not exist',
  invalid_request:
    'the request is malformed, or its redirect_uri or code_verifier does not match the authorization request',
  invalid_scope: 'a requested scope is not on the app or not approved',
  non_sandbox_target: "the account is not one of the sandbox's target users",
  other: 'an error code in an unexpected format, which is not logged',
  param_error: 'a parameter is missing or wrong; the error type names it',
  rate_limit_exceeded: 'the app sent too many requests within a minute',
  redirect_uri: 'the redirect URI is not registered for this key in exactly this spelling',
  response_type: 'the request asked for something other than a code',
  scope: 'a requested scope is not on the app or not approved',
  scope_not_authorized: 'a profile field was requested that the user did not allow',
  scope_permission_missed: 'a profile field was requested that the user did not allow',
  server_error: 'an internal error of the platform',
  temporarily_unavailable: 'the platform is temporarily unavailable',
  unauthorized_client:
    'the app may not sign users in: it is not live, or the key is from another developer portal',
  unsupported_grant_type: 'the platform does not support this grant type',
  unsupported_response_type: 'the request asked for something other than a code',
}

/** The meaning of one error code, if it is documented above. */
export function platformErrorMeaning(code: string): string | undefined {
  return Object.hasOwn(PLATFORM_ERROR_MEANINGS, code) ? PLATFORM_ERROR_MEANINGS[code] : undefined
}
