import type { CredentialsConfig, LocalKind } from '../../providers/local-types.ts'

/** A credentials provider with its code. */
export type CredentialsProvider = CredentialsConfig & { kind: LocalKind }

/** The name of the field that identifies the account: the first that is no password. */
export function identifyingField({ credentials }: CredentialsConfig): string | undefined {
  return Object.entries(credentials).find(([, { type }]) => type !== 'password')?.[0]
}
