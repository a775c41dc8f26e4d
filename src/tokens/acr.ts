import type { Config } from '../config/config.ts'

/**
 * How a user was authenticated: the values of the claim `acr`. The first is registered by
 * {@link https://openid.net/specs/openid-connect-eap-acr-values-1_0-final.html}.
 */
export const ACR = {
  /** Phishing-resistant: with a passkey. */
  phishingResistant: 'phr',
  /** By this service in another way: with a code in an email, or with a password. */
  local: 'local',
  /** By another service. */
  federated: 'federated',
} as const

/** How this service authenticated a user itself (RFC 8176); absent if another service did. */
export type AuthenticationMethods = readonly string[] | undefined

/**
 * A passkey proves possession of its key (`pop`) and the presence of the user (`user`). The
 * authenticator has also verified the user, with a fingerprint, a face or a PIN, which makes two
 * factors (`mfa`). Without attestation, nobody knows which of these it was, or whether the key is
 * in hardware.
 */
export const PASSKEY_METHODS: readonly string[] = ['pop', 'user', 'mfa']

/**
 * The value of `acr` that describes these methods. That of the first factor is stored if a step has
 * added others.
 */
export function acrOf({
  amr,
  acr,
}: {
  amr?: AuthenticationMethods
  acr?: string | undefined
}): string {
  if (acr !== undefined) return acr
  if (!amr || amr.length === 0) return ACR.federated
  return amr.includes('pop') ? ACR.phishingResistant : ACR.local
}

/** The values of `acr` that users of this deployment can have. */
export function supportedAcrValues({ providers, localProviders }: Config): string[] {
  const types = localProviders.map(({ type }) => type)
  return [
    ...(types.includes('webauthn') ? [ACR.phishingResistant] : []),
    ...(types.some((type) => type !== 'webauthn') ? [ACR.local] : []),
    ...(providers.length > 0 ? [ACR.federated] : []),
  ]
}
