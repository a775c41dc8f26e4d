/*
 * The package's entry point `vestibule/providers`. The providers whose users sign in on pages of this service contain
 * code for Workers, which tools that only read the catalogue cannot run; so they are exported here.
 */

// biome-ignore lint/performance/noReExportAll: the catalogue is complete, and what is not imported is not bundled.
export * from './providers/index.ts'
export { Passkey } from './signin/passkeys/passkey.tsx'
