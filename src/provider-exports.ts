/*
 * The package's entry point `vestibule-auth/providers`. The providers whose users sign in on pages
 * of this service contain code for Workers, which tools that only read the catalogue cannot run; so
 * they are exported here.
 */

export { clockSkew, clockTolerance } from 'oauth4webapi'

// biome-ignore lint/performance/noReExportAll: the catalogue is complete, and what is not imported is not bundled.
export * from './providers/index.ts'

export { Credentials } from './signin/credentials/credentials.tsx'
export { CloudflareSender } from './signin/email/cloudflare-sender.ts'
export { Email } from './signin/email/email.tsx'
export { PostmarkSender } from './signin/email/postmark-sender.ts'
export { ResendSender } from './signin/email/resend-sender.ts'
export { RecipientRejectedError } from './signin/email/sender-error.ts'
export { SesSender } from './signin/email/ses-sender.ts'

export { Passkey } from './signin/passkeys/passkey.tsx'
