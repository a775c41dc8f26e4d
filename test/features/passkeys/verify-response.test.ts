import {
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type WebAuthnCredential,
} from '@simplewebauthn/server'
import * as fc from 'fast-check'
import { base64url } from 'jose'
import { describe, expect, it } from 'vitest'
import type { Config } from '../../../src/core/config/config.ts'
import {
  parseAssertion,
  parseAttestation,
} from '../../../src/features/passkeys/credential-response.ts'
import { ALGORITHMS } from '../../../src/features/passkeys/relying-party.ts'
import {
  verifyAssertion,
  verifyAttestation,
} from '../../../src/features/passkeys/verify-response.ts'
import { level } from '../../soak/level.ts'
import { type Algorithm, Authenticator } from './authenticator.ts'

const CONFIG = {
  issuer: 'https://login.example',
  serviceName: 'Login',
  localProviders: [],
} as Partial<Config> as Config
const CHALLENGE = 'x'.repeat(43)
const EXPECTED = {
  expectedChallenge: CHALLENGE,
  expectedOrigin: 'https://login.example',
  expectedRPID: 'login.example',
}

/** Bytes that differ from correct ones at a few places. */
const changes = fc.array(
  fc.record({
    position: fc.nat(),
    remove: fc.nat({ max: 2 }),
    insert: fc.uint8Array({ maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 2 },
)

type Changes = typeof changes extends fc.Arbitrary<infer Value> ? Value : never

function change(bytes: Uint8Array, places: Changes): Uint8Array<ArrayBuffer> {
  const result = [...bytes]
  for (const { position, remove, insert } of places) {
    result.splice(position % (result.length + 1), remove, ...insert)
  }
  return new Uint8Array(result)
}

async function create(algorithm: Algorithm) {
  const authenticator = new Authenticator(algorithm)
  const creation = {
    challenge: CHALLENGE,
    rp: { id: 'login.example' },
    user: { id: 'dXNlcg', name: 'Mia', displayName: 'Mia' },
    excludeCredentials: [],
  }
  return { authenticator, credential: JSON.parse(await authenticator.create(creation)) }
}

/** The result, or undefined if it throws. */
async function attempt<Result>(verify: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await verify()
  } catch {
    return undefined
  }
}

// biome-ignore lint/suspicious/noExplicitAny: changed responses.
function verifyNew(credential: any) {
  return attempt(() =>
    verifyAttestation(CONFIG, CHALLENGE, parseAttestation(JSON.stringify(credential))),
  )
}

// biome-ignore lint/suspicious/noExplicitAny: changed responses.
async function verifyNewWithLibrary(response: any): Promise<WebAuthnCredential | undefined> {
  const result = await attempt(() =>
    verifyRegistrationResponse({ ...EXPECTED, response, supportedAlgorithmIDs: ALGORITHMS }),
  )
  return result?.registrationInfo?.credential
}

describe.each<Algorithm>(['ES256', 'EdDSA', 'RS256'])('a changed response with %s', (algorithm) => {
  it('[W9] is not accepted for a new passkey if @simplewebauthn/server rejects it', async () => {
    const { credential } = await create(algorithm)
    expect(await verifyNew(credential)).toBeDefined()

    await fc.assert(
      fc.asyncProperty(changes, async (places) => {
        const original = base64url.decode(credential.response.attestationObject)
        const attestationObject = base64url.encode(change(original, places))
        const changed = { ...credential, response: { ...credential.response, attestationObject } }

        const ours = await verifyNew(changed)

        if (ours) {
          const theirs = await verifyNewWithLibrary(changed)
          expect(theirs).toMatchObject({ id: ours.credentialId, counter: ours.counter })
        }
      }),
      { numRuns: level.forgeries },
    )
  })

  it('[W9] is not accepted for an assertion if @simplewebauthn/server rejects it', async () => {
    const { authenticator, credential } = await create(algorithm)
    const passkey = await verifyNew(credential)
    const libraryCredential = await verifyNewWithLibrary(credential)
    if (!passkey || !libraryCredential) throw new Error('The correct response was rejected.')
    const request = { challenge: CHALLENGE, rpId: 'login.example', allowCredentials: [] }

    await fc.assert(
      fc.asyncProperty(
        fc.option(changes),
        fc.option(changes),
        async (dataChanges, signatureChanges) => {
          const response = JSON.parse(
            await authenticator.get(request, {
              changeData: (data) => (dataChanges ? change(data, dataChanges) : data),
            }),
          )
          const signature = base64url.decode(response.response.signature)
          if (signatureChanges) {
            response.response.signature = base64url.encode(change(signature, signatureChanges))
          }

          const ours = await attempt(() =>
            verifyAssertion(CONFIG, CHALLENGE, {
              response: parseAssertion(JSON.stringify(response)),
              passkey: { ...passkey, name: 'My phone' },
            }),
          )

          const theirs = await attempt(() =>
            verifyAuthenticationResponse({ ...EXPECTED, response, credential: libraryCredential }),
          )
          if (!dataChanges && !signatureChanges) expect(ours).toBeDefined()
          if (ours) {
            expect(theirs).toMatchObject({
              verified: true,
              authenticationInfo: {
                newCounter: ours.counter,
                credentialBackedUp: ours.isBackedUp,
              },
            })
          }
        },
      ),
      { numRuns: level.forgeries },
    )
  })
})
