import { type Finding, good, problem, skipped } from '../finding.ts'
import { sendRequest } from '../http-request.ts'

const NAME = 'clock'

/**
 * Verifiers rarely tolerate more than a minute between two clocks; half of it is left for the
 * verifier's own clock.
 */
const MAX_DIFFERENCE = 30 // seconds

/**
 * Compares the clock of the service with the local one: tokens are valid only if all clocks agree.
 */
export async function checkClock(origin: string): Promise<Finding[]> {
  const sentAt = Date.now()
  const { headers } = await sendRequest(`${origin}/healthz`)
  const receivedAt = Date.now()
  const serviceTime = Date.parse(headers.get('Date') ?? '')
  if (Number.isNaN(serviceTime)) return [skipped(NAME, 'the response has no valid Date header')]
  // The service read its clock at some moment between the request and the response.
  const localTime = (sentAt + receivedAt) / 2
  const seconds = Math.round((serviceTime - localTime) / 1000)
  if (Math.abs(seconds) <= MAX_DIFFERENCE) return [good(NAME)]
  return [
    problem(NAME, {
      what: `The clock of the service is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} this machine's clock.`,
      why: 'If clocks differ, tokens appear expired or not yet valid, and signed webhooks are rejected.',
      fix: 'Synchronise the clock of this machine with NTP, and those of the machines that run your APIs.',
    }),
  ]
}
