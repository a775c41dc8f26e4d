import { isLoopback } from '../../src/config/loopback.ts'
import { type Finding, good, problem } from '../finding.ts'
import { type Answer, visit } from '../visit.ts'

/** Whether the service is there, is this one, and is set up. */
export async function checkHealth(origin: string): Promise<Finding[]> {
  if (origin.startsWith('http:') && !isLoopback(origin)) return [unencrypted(origin)]
  const answer = await visit(`${origin}/healthz`)
  if (answer.status === 200 && answer.json?.['status'] === 'ok') return [good('health')]
  const location = answer.headers.get('Location')
  if (location) return [elsewhere(URL.parse(location, origin)?.origin ?? location)]
  if (answer.json?.['error'] === 'configuration') return misconfigured(answer)
  return [strange(answer)]
}

function unencrypted(origin: string): Finding {
  return problem('https', {
    what: 'The address is not https.',
    why: 'Who is on the way could read every session.',
    fix: `Ask for ${origin.replace('http:', 'https:')}, and set AUTH_URL to it.`,
  })
}

function elsewhere(there: string): Finding {
  return problem('address', {
    what: `The service sends visitors on to ${there}.`,
    why: 'Its issuer, its cookies and its callback are of that address alone.',
    fix: `npx vestibule doctor ${there}`,
  })
}

/** A service on this machine names its problems; a public one keeps them to its log. */
function misconfigured({ json }: Answer): Finding[] {
  const { reference, problems } = json ?? {}
  const named = Array.isArray(problems) ? problems.map(String) : []
  const whats = named.length > 0 ? named : [`The service is not set up (reference ${reference}).`]
  return whats.map((what) =>
    problem('settings', {
      what,
      why: 'It answers nothing but an error until this is right.',
      fix: 'Run `npx vestibule doctor` where it is deployed from, or read `trouble` in the log line with that reference.',
    }),
  )
}

function strange({ status }: Answer): Finding {
  return problem('health', {
    what: `/healthz answers ${status}, and not with {"status":"ok"}.`,
    why: 'Something else listens at this address, or the service is not deployed.',
    fix: 'Compare the address with AUTH_URL and `routes` in wrangler.toml.',
  })
}
