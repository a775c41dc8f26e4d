import { env } from 'cloudflare:workers'
import { serviceOf } from '../browser.ts'
import { stepped } from './stepped-deployment.ts'

/** A deployment with steps, whose user objects know them. */
export function steppedService(changes: Record<string, unknown> = {}) {
  return serviceOf(stepped, { TERMS: env.DIRECTORY, USERS: env.TEST_STEPPED_USERS, ...changes })
}
