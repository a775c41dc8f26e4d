import { type Finding, good, problem, skipped } from '../finding.ts'
import { visit } from '../visit.ts'

/** The platform signs what it tells; whoever does not is turned away. */
export async function checkWebhook(origin: string): Promise<Finding[]> {
  const { status, json } = await visit(`${origin}/api/auth/webhook/tiktok`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{}',
  })
  if (status === 401) return [good('webhook')]
  if (json?.['error'] === 'provider_unknown')
    return [skipped('webhook', 'TikTok is not enabled here')]
  return [
    problem('webhook', {
      what: `/api/auth/webhook/tiktok answers ${status} to a message without a signature, and not 401.`,
      why:
        status < 300
          ? 'Anybody could sign people out.'
          : 'People who remove us at the platform would stay signed in here.',
      fix: 'See what answers in front of the service (a firewall rule, another route), and that the deployed version is this one.',
    }),
  ]
}
