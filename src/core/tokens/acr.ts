import type { Config } from '../config/config.ts'

/**
 * How a user was authenticated: the values of the claim `acr`. The first is registered by
 * {@link https://openid.net/specs/openid-connect-eap-acr-values-1_0-final.html}.
 */
export const ACR = {
  /** Phishing-resistant: with a key that works for this service only. */
  phishingResistant: 'phr',
  /** By this service in another way: with a code in an email, or with a password. */
  local: 'local',
  /** By another service. */
  federated: 'federated',
} as const

/** The user proved to have a key (RFC 8176). */
const POSSESSION = 'pop'

/** How this service authenticated a user itself (RFC 8176); absent if another service did. */
export type AuthenticationMethods = readonly string[] | undefined

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
  return amr.includes(POSSESSION) ? ACR.phishingResistant : ACR.local
}

/** The values of `acr` that users of this deployment can have. */
export function supportedAcrValues({ providers, localProviders }: Config): string[] {
  const local = localProviders.map(({ method }) =>
    method.amr?.includes(POSSESSION) ? ACR.phishingResistant : ACR.local,
  )
  return Object.values(ACR).filter((value) =>
    value === ACR.federated ? providers.length > 0 : local.includes(value),
  )
}
