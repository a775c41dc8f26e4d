export type { ProofAlgorithm } from './foundation/resource-server/dpop-proof.ts'
export type { ResourceMetadata } from './foundation/resource-server/resource-metadata.ts'
export { TokenError } from './foundation/resource-server/token-error.ts'
export type { DpopOptions } from './libraries/verify/possession.ts'
export type { TokenSource } from './libraries/verify/presented-token.ts'
export type { RequestHeaders } from './libraries/verify/request-headers.ts'
export {
  createVerifier,
  type Requirements,
  type TokenClaims,
  type VerifiedToken,
  type Verifier,
  type VerifierOptions,
} from './libraries/verify/verifier.ts'
