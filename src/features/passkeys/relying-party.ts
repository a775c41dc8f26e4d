import type { Config } from '../../core/config/config.ts'
import { ATTEMPT_LIFETIME } from '../../core/config/lifetimes.ts'
import type { UserRecord } from '../../core/users/user.ts'
import { digest } from '../../foundation/crypto/digest.ts'
import type { Passkey } from './passkeys.ts'

/**
 * ES256, EdDSA and RS256 ({@link https://www.iana.org/assignments/cose}), which all platforms have
 * one of.
 */
export const ALGORITHMS = [-7, -8, -257]

/** This service as WebAuthn names it. Passkeys are bound to the id. */
export function relyingParty({ issuer, serviceName, localProviders }: Config) {
  const provider = localProviders.find((local) => local.type === 'webauthn')
  const id = provider?.rpId ?? new URL(issuer).hostname
  return { id, name: serviceName, origin: issuer }
}

/**
 * The origins that may use passkeys of another host, which browsers fetch from that host
 * ({@link https://www.w3.org/TR/webauthn-3/#sctn-related-origins}).
 */
export function relatedOrigins({ issuer }: Config) {
  return { origins: [issuer] }
}

/** Whether browsers accept the host: a page at an IP address cannot use passkeys. */
export function canHavePasskeys({ issuer }: Config): boolean {
  return !/^[\d.]+$|^\[/.test(new URL(issuer).hostname)
}

/**
 * What an authenticator stores as the user's id. Not the id itself: authenticators may reveal it to
 * whoever holds them, and it is the user's id in every app.
 */
export function userHandle({ id }: { id: string }): Promise<string> {
  return digest(`passkey ${id}`)
}

type DescribedPasskey = Pick<Passkey, 'credentialId' | 'transports'>

function describeCredential({ credentialId, transports }: DescribedPasskey) {
  return { type: 'public-key', id: credentialId, transports }
}

/**
 * {@link https://www.w3.org/TR/webauthn-3/#dictdef-publickeycredentialrequestoptionsjson}. Without
 * passkeys to choose from, the user chooses one of those that their devices have.
 */
export function requestOptions(
  config: Config,
  challenge: string,
  allowed: readonly DescribedPasskey[] = [],
) {
  return {
    challenge,
    rpId: relyingParty(config).id,
    userVerification: 'required',
    timeout: ATTEMPT_LIFETIME * 1000,
    allowCredentials: allowed.map(describeCredential),
  }
}

/** {@link https://www.w3.org/TR/webauthn-3/#dictdef-publickeycredentialcreationoptionsjson} */
export async function creationOptions(
  config: Config,
  challenge: string,
  { user, passkeys }: { user: UserRecord; passkeys: readonly DescribedPasskey[] },
) {
  const { id, name } = relyingParty(config)
  const userName = user.email ?? user.username ?? user.name ?? name
  return {
    challenge,
    rp: { id, name },
    user: { id: await userHandle(user), name: userName, displayName: user.name ?? userName },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
    timeout: ATTEMPT_LIFETIME * 1000,
    excludeCredentials: passkeys.map(describeCredential),
  }
}
