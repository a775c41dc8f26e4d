import type { Attempt } from '../../src/signin/attempt.ts'

/** A sign-in attempt as it is stored in its cookie. The code verifier is that of RFC 7636 appendix B. */
export const attempt: Attempt = {
  v: 2,
  correlationId: '23456-789BC',
  provider: '',
  state: 'the-state',
  codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  nonce: 'the-nonce',
  returnTo: '/',
  mayReplaceSession: false,
  isPrompted: false,
  expiresAt: 0,
}

/** {@link https://www.rfc-editor.org/rfc/rfc7636#appendix-B} */
export const CODE_CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
