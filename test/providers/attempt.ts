import type { Attempt } from '../../src/core/signin/attempt.ts'
import { ATTEMPT_SECRETS } from './fixtures/fixture.ts'

/** A sign-in attempt as it is stored in its cookie. */
export const attempt: Attempt = {
  correlationId: '23456-789BC',
  provider: '',
  ...ATTEMPT_SECRETS,
  mayReplaceSession: false,
  level: 'silent',
  expiresAt: 0,
}

/** {@link https://www.rfc-editor.org/rfc/rfc7636#appendix-B} */
export const CODE_CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
