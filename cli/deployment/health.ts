import { objectsIn } from '../../src/foundation/values/json.ts'
import { isLoopback } from '../../src/foundation/values/loopback.ts'
import { type Finding, good, problem } from '../finding.ts'
import { type HttpResponse, sendRequest } from '../http-request.ts'

/** Checks that the service responds at this address and is configured. */
export async function checkHealth(origin: string): Promise<Finding[]> {
  if (origin.startsWith('http:') && !isLoopback(origin)) return [unencrypted(origin)]
  const response = await sendRequest(`${origin}/healthz`)
  if (response.status === 200 && response.json?.['status'] === 'ok') return [good('health')]
  const location = response.headers.get('Location')
  if (location) return [redirected(URL.parse(location, origin)?.origin ?? location)]
  if (response.json?.['error'] === 'configuration') return misconfigured(origin, response)
  return [unexpected(response)]
}

function unencrypted(origin: string): Finding {
  return problem('https', {
    what: 'The address is not https.',
    why: 'Anyone on the network path could read every session.',
    fix: `Use ${origin.replace('http:', 'https:')}, and set AUTH_URL to it.`,
  })
}

function redirected(target: string): Finding {
  return problem('address', {
    what: `The service redirects to ${target}.`,
    why: 'Its issuer, cookies and callback are valid only at that address.',
    fix: `Run npx vestibule-auth doctor ${target}`,
  })
}

/** A local service lists its problems in the response, a public one at `/readyz`. */
async function misconfigured(origin: string, { json }: HttpResponse): Promise<Finding[]> {
  const { reference, problems } = json ?? {}
  const listed = Array.isArray(problems) ? problems : await reportedProblems(origin)
  const unknown = `The service is not configured (reference ${reference}).`
  const descriptions = listed.length > 0 ? listed.map(String) : [unknown]
  return descriptions.map((what) =>
    problem('settings', {
      what,
      why: 'Until this is fixed, the service responds to every request with an error.',
      fix: 'Run `npx vestibule-auth doctor` in the checkout that you deploy from, or read `cause` in the log line with that reference.',
    }),
  )
}

async function reportedProblems(origin: string): Promise<unknown[]> {
  const { json } = await sendRequest(`${origin}/readyz`)
  return objectsIn(json?.['checks']).flatMap(({ name, problem: reported }) =>
    name === 'settings' ? (reported ?? []) : [],
  )
}

function unexpected({ status }: HttpResponse): Finding {
  return problem('health', {
    what:
      status === 200
        ? '/healthz did not return {"status":"ok"}.'
        : `/healthz returned status ${status}.`,
    why: 'Another server responds at this address, or the service is not deployed.',
    fix: 'Compare the address with AUTH_URL and with `routes` in wrangler.toml.',
  })
}
