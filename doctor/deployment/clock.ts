import { type Finding, good, problem, skipped } from '../finding.ts'
import { visit } from '../visit.ts'

/** Verifiers seldom allow for more than a minute between two clocks; half of it leaves room for the other one. */
const MOST_APART = 30 // seconds

/** Tokens are good from one second to another, and whoever checks them must agree on the time. */
export async function checkClock(origin: string): Promise<Finding[]> {
  const before = Date.now()
  const { headers } = await visit(`${origin}/healthz`)
  const theirs = Date.parse(headers.get('Date') ?? '')
  if (Number.isNaN(theirs)) return [skipped('clock', 'the answer does not tell the time')]
  // Between asking and hearing, the service looked at its clock.
  const ours = (before + Date.now()) / 2
  const apart = Math.round((theirs - ours) / 1000)
  if (Math.abs(apart) <= MOST_APART) return [good('clock')]
  return [
    problem('clock', {
      what: `The clock of the service is ${Math.abs(apart)} s ${apart > 0 ? 'ahead of' : 'behind'} this machine's.`,
      why: 'Where clocks differ, tokens seem expired or not yet good, and signed messages of the platform are refused.',
      fix: 'Set the clock of this machine by NTP. Where APIs run, too.',
    }),
  ]
}
