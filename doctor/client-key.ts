import { isLoopback } from '../src/config/loopback.ts'
import { type Finding, good, problem, warning } from './finding.ts'

/** The keys that were ever seen look like this. The platform promises nothing. */
const SANDBOX = /^sbaw[a-z0-9]{14,}$/
const PRODUCTION = /^aw[a-z0-9]{14,}$/

/** Whether a key fits the address of the service. It is not repeated: it may be a secret in the wrong place. */
export function checkClientKey(key: string, origin: string, isStandIn: boolean): Finding {
  if (SANDBOX.test(key)) return isLoopback(origin) ? good(NAME, 'sandbox') : sandboxInPublic
  if (!PRODUCTION.test(key)) return unlikely
  return isLoopback(origin) && !isStandIn ? productionOnLoopback(origin) : good(NAME, 'production')
}

const NAME = 'client key'

const sandboxInPublic = warning(NAME, {
  what: "The key is a sandbox's (sbaw…), and the service is public.",
  why: 'Only the target users of the sandbox can sign in; all others see the word non_sandbox_target.',
  fix: 'Put the key and the secret of the app in their place once it is live (aw…).',
})

const unlikely = warning(NAME, {
  what: 'The key does not look like one of the platform, which are aw… or sbaw… and 14 letters or digits.',
  why: 'People then see the word client_key.',
  fix: 'Copy the Client Key, not the Client Secret or an app id, from the portal into AUTH_TIKTOK_ID.',
})

function productionOnLoopback(origin: string): Finding {
  return problem(NAME, {
    what: "The key is a production app's (aw…), and the service has a loopback address.",
    why: 'The platform takes loopback addresses for sandboxes alone.',
    fix: `Use the key and the secret of a sandbox, and register ${origin}/api/auth/callback/tiktok on its Desktop tab.`,
  })
}
