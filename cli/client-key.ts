import { isLoopback } from '../src/foundation/values/loopback.ts'
import { type Finding, good, warning } from './finding.ts'

const NAME = 'client key'

/**
 * The format of all keys seen so far. The platform does not document it, so a mismatch is only a
 * warning.
 */
const SANDBOX_KEY = /^sbaw[a-z0-9]{14,}$/
const PRODUCTION_KEY = /^aw[a-z0-9]{14,}$/

/**
 * Checks that the client key fits the address of the service. Never prints the key: it may be a
 * misplaced secret.
 */
export function checkClientKey(key: string, origin: string): Finding {
  if (SANDBOX_KEY.test(key)) {
    return isLoopback(origin) ? good(NAME, 'sandbox') : sandboxKeyOnPublicService
  }
  // The service itself rejects a production key on loopback.
  return PRODUCTION_KEY.test(key) ? good(NAME, 'production') : unusualKey
}

const sandboxKeyOnPublicService = warning(NAME, {
  what: 'The client key belongs to a sandbox (sbaw…), but the service has a public address.',
  why: "Only the sandbox's target users can sign in; all others see the platform's error page non_sandbox_target.",
  fix: 'Once the app is live, replace AUTH_TIKTOK_ID and AUTH_TIKTOK_SECRET with the key (aw…) and secret of the production app.',
})

const unusualKey = warning(NAME, {
  what: 'The client key does not look like a key of the platform: aw… or sbaw…, followed by at least 14 lowercase letters or digits.',
  why: "If the platform does not recognise it, users see the platform's error page client_key.",
  fix: 'Copy the Client Key from the developer portal into AUTH_TIKTOK_ID, not the Client Secret or an app ID.',
})
