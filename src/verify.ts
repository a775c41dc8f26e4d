export type { ProofAlgorithm } from './verify/dpop-proof.ts'
export type { DpopOptions } from './verify/possession.ts'
export type { TokenSource } from './verify/presented-token.ts'
export type { RequestHeaders } from './verify/request-headers.ts'
export type { ResourceMetadata } from './verify/resource-metadata.ts'
export { TokenError } from './verify/token-error.ts'
export {
  createVerifier,
  type Requirements,
  type TokenClaims,
  type VerifiedToken,
  type Verifier,
  type VerifierOptions,
} from './verify/verifier.ts'
