import { options } from '../../src/deployment.ts'
import { Credentials, Email, Passkey } from '../../src/providers.ts'
import type { VestibuleOptions } from '../../src/vestibule.ts'
import { acme, company } from '../providers/providers-in-code.ts'

/** What the deployment has sent by email, the newest last. */
export const sentMessages: { url: string; token: string }[] = []

export const PASSWORD = 'correct horse battery staple'

/** A deployment with every feature and every way to sign in. */
export const matrixOptions: VestibuleOptions = {
  ...options,
  providers: [
    ...options.providers,
    acme,
    company,
    Passkey(),
    Email({
      from: 'login@acme.example',
      sendVerificationRequest({ url, token }) {
        sentMessages.push({ url, token })
      },
    }),
    Credentials({
      credentials: { name: {}, password: { type: 'password' } },
      authorize: ({ name, password }) =>
        password === PASSWORD ? { id: String(name), name: String(name) } : null,
    }),
  ],
}
