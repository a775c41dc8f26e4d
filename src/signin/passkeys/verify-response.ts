import { base64url } from 'jose'
import { nowInSeconds } from '../../clock.ts'
import type { Config } from '../../config/config.ts'
import { SignInError } from '../../errors.ts'
import type { Passkey, PasskeyUse } from '../../users/passkeys.ts'
import type { AssertionResponse, AttestationResponse } from './credential-response.ts'
import { ALGORITHMS, relyingParty } from './relying-party.ts'

/*
 * The library is loaded by the first response that is verified, which keeps it out of the cold start.
 */

/** Verifies a new passkey. Attestations are not requested; one that is sent nevertheless must be valid. */
export async function verifyAttestation(
  config: Config,
  challenge: string,
  response: AttestationResponse,
): Promise<Omit<Passkey, 'name'>> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { verified, registrationInfo } = await rejectInvalid(
    verifyRegistrationResponse({
      ...expectations(config, challenge),
      response: { ...toLibraryFormat(response), response: withoutTransports(response) },
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  )
  if (!verified || registrationInfo.credential.id !== response.id) throw rejected()
  const { credential, aaguid, credentialDeviceType, credentialBackedUp } = registrationInfo
  return {
    credentialId: credential.id,
    publicKey: base64url.encode(credential.publicKey),
    counter: credential.counter,
    transports: response.response.transports ?? [],
    aaguid,
    isBackupEligible: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
    createdAt: nowInSeconds(),
  }
}

/** Verifies that the passkey signed this challenge, and that the authenticator verified the user. */
export async function verifyAssertion(
  config: Config,
  challenge: string,
  { response, passkey }: { response: AssertionResponse; passkey: Passkey },
): Promise<PasskeyUse> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { userHandle: _, ...assertion } = response.response
  const { verified, authenticationInfo } = await rejectInvalid(
    verifyAuthenticationResponse({
      ...expectations(config, challenge),
      response: { ...toLibraryFormat(response), response: assertion },
      credential: {
        id: passkey.credentialId,
        publicKey: base64url.decode(passkey.publicKey) as Uint8Array<ArrayBuffer>,
        // The user's object compares the counters, because two assertions may arrive at the same time.
        counter: 0,
      },
    }),
  )
  if (!verified) throw rejected()
  return {
    credentialId: passkey.credentialId,
    counter: authenticationInfo.newCounter,
    isBackupEligible: authenticationInfo.credentialDeviceType === 'multiDevice',
    isBackedUp: authenticationInfo.credentialBackedUp,
    usedAt: nowInSeconds(),
  }
}

function expectations(config: Config, challenge: string) {
  const { id, origin } = relyingParty(config)
  return {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
  }
}

/** Extensions are neither requested nor read. */
function toLibraryFormat({ id, rawId, type }: AssertionResponse | AttestationResponse) {
  return { id, rawId, type, clientExtensionResults: {} }
}

function withoutTransports({ response }: AttestationResponse) {
  const { clientDataJSON, attestationObject } = response
  return { clientDataJSON, attestationObject }
}

/** The library throws for everything that is wrong with a response, including malformed bytes. */
async function rejectInvalid<Result>(verification: Promise<Result>): Promise<Result> {
  try {
    return await verification
  } catch (cause) {
    throw rejected(cause)
  }
}

/** The same error for every reason, so that it reveals nothing about a passkey that someone has. */
export function rejected(cause?: unknown): SignInError {
  return new SignInError('passkey_rejected', { cause })
}
