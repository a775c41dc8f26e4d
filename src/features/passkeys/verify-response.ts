import { decodeCBOR } from '@levischuck/tiny-cbor'
import { base64url } from 'jose'
import type { Config } from '../../core/config/config.ts'
import { digest } from '../../foundation/crypto/digest.ts'
import { nowInSeconds } from '../../foundation/values/clock.ts'
import { type AuthenticatorData, parseAuthenticatorData } from './authenticator-data.ts'
import {
  type AssertionResponse,
  type AttestationResponse,
  readClientData,
} from './credential-response.ts'
import { passkeyError } from './errors.ts'
import type { Passkey, PasskeyUse } from './passkeys.ts'
import { toJwk, verifySignature } from './public-key.ts'
import { relyingParty } from './relying-party.ts'

/**
 * Verifies a new passkey. Attestations are not requested, and a response with one is rejected.
 * {@link https://www.w3.org/TR/webauthn-3/#sctn-registering-a-new-credential}
 */
export function verifyAttestation(
  config: Config,
  challenge: string,
  response: AttestationResponse,
): Promise<Omit<Passkey, 'name'>> {
  return rejectInvalid(async () => {
    requireClientData(config, response, { type: 'webauthn.create', challenge })
    const bytes = parseAttestationObject(decode(response.response.attestationObject))
    const { credential, ...data } = parseAuthenticatorData(bytes)
    await requireAuthenticatorData(config, data)
    if (credential?.id !== response.id) throw new Error('The passkey has another id.')
    return {
      credentialId: credential.id,
      publicKey: await toJwk(credential.publicKey),
      counter: data.counter,
      transports: response.response.transports ?? [],
      aaguid: credential.aaguid,
      isBackupEligible: data.isBackupEligible,
      isBackedUp: data.isBackedUp,
      createdAt: nowInSeconds(),
    }
  })
}

/**
 * Verifies that the passkey signed this challenge, and that the authenticator verified the user
 * ({@link https://www.w3.org/TR/webauthn-3/#sctn-verifying-assertion}). The user's object compares
 * the counters, because two assertions may arrive at the same time.
 */
export function verifyAssertion(
  config: Config,
  challenge: string,
  { response, passkey }: { response: AssertionResponse; passkey: Passkey },
): Promise<PasskeyUse> {
  return rejectInvalid(async () => {
    requireClientData(config, response, { type: 'webauthn.get', challenge })
    const { clientDataJSON, authenticatorData, signature } = response.response
    const bytes = decode(authenticatorData)
    const { counter, isBackupEligible, isBackedUp, ...data } = parseAuthenticatorData(bytes)
    await requireAuthenticatorData(config, { ...data, isBackupEligible, isBackedUp })
    const clientDataHash = await crypto.subtle.digest('SHA-256', decode(clientDataJSON))
    const signed = new Uint8Array([...bytes, ...new Uint8Array(clientDataHash)])
    const isValid = await verifySignature(passkey.publicKey, decode(signature), signed)
    if (!isValid) throw new Error('The signature is not valid.')
    return {
      credentialId: passkey.credentialId,
      counter,
      isBackupEligible,
      isBackedUp,
      usedAt: nowInSeconds(),
    }
  })
}

function requireClientData(
  config: Config,
  response: AssertionResponse | AttestationResponse,
  expected: { type: string; challenge: string },
): void {
  const { type, challenge, origin } = readClientData(response)
  if (type !== expected.type) throw new Error('The response is of another ceremony.')
  if (challenge !== expected.challenge) throw new Error('The challenge is another one.')
  if (origin !== relyingParty(config).origin) throw new Error('The origin is not ours.')
}

async function requireAuthenticatorData(
  config: Config,
  data: Omit<AuthenticatorData, 'counter' | 'credential'>,
): Promise<void> {
  const expectedHash = await digest(relyingParty(config).id)
  if (data.rpIdHash !== expectedHash) throw new Error('The RP id is not ours.')
  if (!data.isUserPresent) throw new Error('The user was not present.')
  if (!data.isUserVerified) throw new Error('The user was not verified.')
  if (data.isBackedUp && !data.isBackupEligible) throw new Error('The flags are contradictory.')
}

/** The authenticator data of a new passkey without an attestation. */
function parseAttestationObject(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const object = decodeCBOR(bytes)
  if (!(object instanceof Map)) throw new Error('The attestation object is not a map.')
  const statement = object.get('attStmt')
  const hasNoAttestation =
    object.get('fmt') === 'none' && statement instanceof Map && statement.size === 0
  if (!hasNoAttestation) throw new Error('The passkey has an attestation.')
  const data = object.get('authData')
  if (!(data instanceof Uint8Array)) throw new Error('The authenticator data is missing.')
  return new Uint8Array(data)
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(base64url.decode(text))
}

/** Everything that is wrong with a response leads to the same error, also malformed bytes. */
async function rejectInvalid<Result>(verify: () => Promise<Result>): Promise<Result> {
  try {
    return await verify()
  } catch (cause) {
    throw rejected(cause)
  }
}

/** The same error for every reason, so that it reveals nothing about a passkey that someone has. */
export function rejected(cause?: unknown): Error {
  return passkeyError('passkey_rejected', cause)
}
