export type { RequestHeaders, TokenSource } from './verify/bearer-token.ts'
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
