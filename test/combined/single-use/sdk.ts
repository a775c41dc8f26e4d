import { issuedSecrets } from '../../browser.ts'
import { MINUTE } from '../../clock.ts'
import {
  callSdk,
  challenge,
  ID_TOKEN,
  OWN_APP,
  PROVIDER_CODE,
  TOKEN_EXCHANGE,
} from '../../features/native-apps/native-app.ts'
import { createPlatformUser } from '../../new-user.ts'
import { appProvider, type Service } from './deployment.ts'
import { grantOf, requestTokens } from './grants.ts'
import type { SingleUse } from './single-use.ts'

const USED_UP = { usedUpBy: ['features/native-apps/sign-in.ts'] }

/** How old an ID token may be, which the SDK has just received. */
const MAX_AGE = 5 * MINUTE

/** How far the clock of a provider may be ahead. */
const EARLY = 60 // seconds

function exchange(service: Service, form: Record<string, string>) {
  const { client_id } = OWN_APP
  return requestTokens(service, { client_id, scope: 'openid profile offline_access', ...form })
}

function exchangeIdToken(service: Service, subject_token: string, form = {}) {
  issuedSecrets.add(subject_token)
  return exchange(service, {
    grant_type: TOKEN_EXCHANGE,
    provider: 'oidc',
    subject_token,
    subject_token_type: ID_TOKEN,
    ...form,
  })
}

/** In a new ID token each time. */
export const nonceOfSdk: SingleUse = {
  ...USED_UP,
  lifetime: 10 * MINUTE,
  async obtain(deployment) {
    const nonce = await challenge(deployment.isolate)
    const sub = crypto.randomUUID()
    return async (service) => {
      const jti = crypto.randomUUID()
      const token = await appProvider.sign({ sub, nonce, jti })
      return grantOf(await exchangeIdToken(service, token, { nonce }))
    }
  },
}

/** One of a provider whose clock is so many seconds ahead. */
export function idToken(early: number): SingleUse {
  return {
    ...USED_UP,
    lifetime: MAX_AGE + 1 + early,
    async obtain() {
      const iat = Math.floor(Date.now() / 1000) + early
      const token = await appProvider.sign({ sub: crypto.randomUUID(), iat })
      return async (service) => grantOf(await exchangeIdToken(service, token))
    },
  }
}

export const idTokenOfSdk = idToken(0)
export const earlyIdTokenOfSdk = idToken(EARLY)

/** The platform rejects it too, so that what counts is whether the service asks the platform. */
export const codeOfTikTok: SingleUse = {
  ...USED_UP,
  lifetime: 20 * MINUTE,
  hasNoEnd: 'The platform rejects it then, whose codes are valid for less.',
  async obtain() {
    const { code, code_verifier } = await callSdk(await createPlatformUser())
    return async (service) => {
      const form = { grant_type: PROVIDER_CODE, provider: 'tiktok', code, code_verifier }
      const { error_description: text, ...tokens } = await exchange(service, form)
      return text === 'The token, nonce or code was already used.'
        ? undefined
        : (text ?? grantOf(tokens))
    }
  },
}
