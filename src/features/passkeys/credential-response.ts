import { base64url } from 'jose'
import * as z from 'zod/mini'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { parseJson } from '../../foundation/values/json.ts'

/** 1023 bytes ({@link https://www.w3.org/TR/webauthn-3/#credential-id}), in base64url. */
const MAX_ID_LENGTH = 1364

/** An attestation without certificates, which is the longest field, has less than a kilobyte. */
const MAX_FIELD_LENGTH = 8192

/** Browsers have seven names for transports. */
const MAX_TRANSPORTS = 8

const assertionResponse = z.object({
  ...credentialFields(),
  response: z.object({
    clientDataJSON: encodedBytes(),
    authenticatorData: encodedBytes(),
    signature: encodedBytes(),
    userHandle: z.nullish(encodedBytes()),
  }),
})

const attestationResponse = z.object({
  ...credentialFields(),
  response: z.object({
    clientDataJSON: encodedBytes(),
    attestationObject: encodedBytes(),
    transports: z.optional(
      z.array(z.string().check(z.regex(/^[a-z-]{1,20}$/))).check(z.maxLength(MAX_TRANSPORTS)),
    ),
  }),
})

function credentialFields() {
  const id = encodedBytes(MAX_ID_LENGTH).check(z.refine(isCanonical))
  return { id, rawId: id, type: z.literal('public-key') }
}

function encodedBytes(maxLength = MAX_FIELD_LENGTH) {
  return z.string().check(z.regex(/^[\w-]+$/), z.maxLength(maxLength))
}

/**
 * The last character has bits that decoding ignores, so several texts stand for the same id. Only
 * the one that browsers send is compared with stored ids: another would look like an unknown
 * passkey.
 */
function isCanonical(text: string): boolean {
  return base64url.encode(decode(text)) === text
}

/** Our pages cannot be framed, so a response from a frame is not ours. */
const clientData = z.object({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.optional(z.literal(false)),
  topOrigin: z.optional(z.undefined()),
})

/** What a browser sends for a passkey that it has used. Not verified. */
export type AssertionResponse = z.infer<typeof assertionResponse>

/** What a browser sends for a passkey that it has created. Not verified. */
export type AttestationResponse = z.infer<typeof attestationResponse>

export function parseAssertion(text: string): AssertionResponse {
  return parseResponse(assertionResponse, text)
}

export function parseAttestation(text: string): AttestationResponse {
  return parseResponse(attestationResponse, text)
}

/** The fields we need, and no others. */
function parseResponse<Result>(schema: z.ZodMiniType<Result>, text: string): Result {
  const { data, error } = schema.safeParse(parseJson(text))
  if (!data) throw new SignInError('request_invalid', { cause: error, parameter: 'credential' })
  return data
}

/** What the browser says about a ceremony. Not verified. Its challenge identifies the attempt. */
export function readClientData({
  response,
}: Pick<AssertionResponse | AttestationResponse, 'response'>): z.infer<typeof clientData> {
  return parseResponse(clientData, new TextDecoder().decode(decode(response.clientDataJSON)))
}

/** The characters have been checked, but not the length, which can be impossible. */
function decode(text: string): Uint8Array {
  try {
    return base64url.decode(text)
  } catch (cause) {
    throw new SignInError('request_invalid', { cause, parameter: 'credential' })
  }
}
