/** What users notice while the service cannot use a binding. */
export const BINDING_CONSEQUENCES: Readonly<Record<string, string>> = {
  SESSIONS: 'Sign-ins work, but each request with a session asks the object of its user.',
  DIRECTORY: 'Nobody can sign in. Present sessions, refreshes and userinfo work.',
  USERS: 'Nobody can sign in, and apps get no tokens.',
  KEYRING: 'No token can be signed or verified, except where the keys are still in memory.',
  GUARDS:
    'Nobody can sign in with email, passkeys or credentials, or on devices, and no client with private_key_jwt. Clients cannot register themselves, and nothing that they publish is fetched. Other sign-ins work.',
  REVOCATIONS:
    'Sign-ins work, but userinfo and introspection respond with 503, APIs that read the revocation feed learn late of sign-outs, and clients cannot be created, disabled or deleted.',
  METRICS: 'Sign-ins work, but /admin/api/metrics responds with 503.',
  CLIENT_METADATA:
    'Sign-ins work, but no client that nobody has registered can be used, and none with jwks_uri.',
  USER_RATE_LIMIT: 'Sign-ins work, but requests of users are not limited.',
  CLIENT_RATE_LIMIT: 'Sign-ins work, but requests of clients are not limited.',
}
