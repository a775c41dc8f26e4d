import { options } from '../../src/deployment.ts'
import { Credentials, Email, Passkey } from '../../src/providers.ts'

/** A deployment with every way to sign in. */
export const everyWayToSignIn = {
  ...options,
  providers: [
    ...options.providers,
    Passkey(),
    Email({ from: 'login@acme.example', sendVerificationRequest() {} }),
    Credentials({
      credentials: { name: {}, password: { type: 'password' } },
      authorize: () => null,
    }),
  ],
}
