import { type Finding, good, problem, skipped } from '../finding.ts'
import { sendRequest } from '../http-request.ts'

const NAME = 'webhook'
const PATH = '/api/auth/webhook/tiktok'

/** Checks that a webhook without the platform's signature reaches the service and is rejected. */
export async function checkWebhook(origin: string): Promise<Finding[]> {
  const { status, json } = await sendRequest(`${origin}${PATH}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  })
  if (status === 401) return [good(NAME)]
  if (json?.['error'] === 'provider_unknown') return [skipped(NAME, 'TikTok is not enabled')]
  const isAccepted = status < 300
  return [
    problem(NAME, {
      what: `${PATH} returned status ${status} instead of 401 for a webhook without a signature.`,
      why: isAccepted
        ? 'Anyone could sign users out.'
        : 'Users who remove the app at the platform would stay signed in here.',
      fix: 'Check what responds in front of the service (a firewall rule, another route), and that the deployed version matches this checkout.',
    }),
  ]
}
