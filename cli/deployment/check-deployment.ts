import { errorMessage } from '../error-message.ts'
import { type Finding, problem } from '../finding.ts'
import { checkClock } from './clock.ts'
import { checkCookies } from './cookies.ts'
import { checkDiscovery } from './discovery.ts'
import { checkHeaders } from './headers.ts'
import { checkHealth } from './health.ts'
import { checkJwks } from './jwks.ts'
import { checkReadiness } from './readiness.ts'
import { checkSignIn } from './sign-in.ts'
import { checkWebhook } from './webhook.ts'

/** Runs every check that is possible from outside a running service without signing in. */
export async function checkDeployment(
  origin: string,
  { offline }: { offline: boolean },
): Promise<Finding[]> {
  const health = await runCheck('health', () => checkHealth(origin))
  // A service that does not respond or is misconfigured would fail every other check for the same
  // reason.
  if (health.some(({ status }) => status === 'problem')) return health
  const findings = await Promise.all([
    runCheck('storage', () => checkReadiness(origin)),
    runCheck('discovery', () => checkDiscovery(origin)),
    runCheck('JWKS', () => checkJwks(origin)),
    runCheck('cookies', () => checkCookies(origin)),
    runCheck('headers', () => checkHeaders(origin)),
    runCheck('sign-in', () => checkSignIn(origin, offline)),
    runCheck('webhook', () => checkWebhook(origin)),
    runCheck('clock', () => checkClock(origin)),
  ])
  return [...health, ...findings.flat()]
}

/** Runs one check. A request that fails becomes a problem, so that the other checks still run. */
async function runCheck(name: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check()
  } catch (error) {
    return [
      problem(name, {
        what: `No response: ${errorMessage(error)}.`,
        why: 'Nobody can sign in while the service does not respond.',
        fix: 'Check that the address is correct and that the service is deployed: `npx wrangler deployments list`.',
      }),
    ]
  }
}
