/*
 * The package's entry point `vestibule-auth/providers`. The providers whose users sign in on pages
 * of this service contain code for Workers, which tools that only read the catalogue cannot run; so
 * they are exported here.
 */

export { clockSkew, clockTolerance } from 'oauth4webapi'
export { Credentials } from './features/credentials/feature.ts'
export { CloudflareSender } from './features/email/cloudflare-sender.ts'
export { Email } from './features/email/feature.ts'
export { PostmarkSender } from './features/email/postmark-sender.ts'
export { ResendSender } from './features/email/resend-sender.ts'
export { RecipientRejectedError } from './features/email/sender-error.ts'
export { SesSender } from './features/email/ses-sender.ts'
export { Passkey } from './features/passkeys/feature.ts'
// biome-ignore lint/performance/noReExportAll: the catalogue is complete, and what is not imported is not bundled.
export * from './providers/index.ts'
