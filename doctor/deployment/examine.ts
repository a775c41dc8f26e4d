import { type Finding, problem } from '../finding.ts'
import { messageOf } from '../message-of.ts'
import { checkClock } from './clock.ts'
import { checkCookies } from './cookies.ts'
import { checkDiscovery } from './discovery.ts'
import { checkHeaders } from './headers.ts'
import { checkHealth } from './health.ts'
import { checkKeys } from './keys.ts'
import { checkSignIn } from './sign-in.ts'
import { checkWebhook } from './webhook.ts'

/** Everything that can be seen of a running service from outside, without signing in. */
export async function examineDeployment(
  origin: string,
  { offline }: { offline: boolean },
): Promise<Finding[]> {
  const health = await attempt('health', () => checkHealth(origin))
  // Who does not answer, or is not set up, gives the same answer to everything.
  if (health.some(({ status }) => status === 'problem')) return health
  const findings = await Promise.all([
    attempt('discovery', () => checkDiscovery(origin)),
    attempt('JWKS', () => checkKeys(origin)),
    attempt('cookies', () => checkCookies(origin)),
    attempt('headers', () => checkHeaders(origin)),
    attempt('sign-in', () => checkSignIn(origin, offline)),
    attempt('webhook', () => checkWebhook(origin)),
    attempt('clock', () => checkClock(origin)),
  ])
  return [...health, ...findings.flat()]
}

async function attempt(name: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check()
  } catch (error) {
    return [
      problem(name, {
        what: `No answer: ${messageOf(error)}.`,
        why: 'Nobody can sign in at an address that does not answer.',
        fix: 'See that the address is right and the service is deployed: `npx wrangler deployments list`.',
      }),
    ]
  }
}
