import { env } from 'cloudflare:workers'
import { options } from './deployment.ts'
import { Email, Passkey } from './providers.ts'
import { createVestibule } from './vestibule.ts'

/**
 * The deployment of this repository with the ways to sign in that it does not have, for local work
 * only.
 */
const vestibule = createVestibule({
  ...options,
  providers: [
    ...options.providers,
    Passkey(),
    Email({
      from: 'Login service <login@vestibule.example>',
      async sendVerificationRequest({ identifier, url, message, fetch }) {
        const response = await fetch(`${Reflect.get(env, 'MAILBOX_URL')}/messages`, {
          method: 'POST',
          body: JSON.stringify({ to: identifier, url, ...message }),
        })
        if (!response.ok) throw new Error(`The mailbox responded with ${response.status}.`)
      },
    }),
  ],
})

/**
 * Pages show times in the time zone that Cloudflare reports for a request. Here it is that of this
 * machine.
 */
export default {
  ...vestibule.worker,
  fetch(request, ...context) {
    const located = new Request(request, { cf: { timezone: Reflect.get(env, 'TIME_ZONE') } })
    return vestibule.worker.fetch(located, ...context)
  },
} satisfies typeof vestibule.worker

export const {
  UserObject,
  KeyringObject,
  GuardObject,
  RevocationsObject,
  MetricsObject,
  ClientMetadataObject,
} = vestibule.objects
