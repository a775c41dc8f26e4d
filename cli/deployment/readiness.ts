import { isObject } from '../../src/foundation/values/json.ts'
import { BINDING_CONSEQUENCES } from '../binding-consequences.ts'
import { type Finding, good, problem, skipped, warning } from '../finding.ts'
import { sendRequest } from '../http-request.ts'

const NAME = 'storage'

interface Check {
  name: string
  ready: boolean
  detail?: string
  problem?: string
  fix?: string
}

/** Checks what the service reports about its storage, its bindings and its providers. */
export async function checkReadiness(origin: string): Promise<Finding[]> {
  const { status, json } = await sendRequest(`${origin}/readyz`)
  const checks = Array.isArray(json?.['checks']) ? json['checks'].filter(isCheck) : []
  if (status === 404) return [skipped(NAME, 'not checked: the deployed version has no /readyz')]
  if (checks.length === 0) {
    return [
      problem(NAME, {
        what: `/readyz returned status ${status} and no checks.`,
        why: 'It is not known whether users can sign in.',
        fix: 'Read the log of the service: npx wrangler tail',
      }),
    ]
  }
  const failed = checks.filter(({ ready }) => !ready)
  const warnings = checks.filter((check) => check.ready && check.problem).map(toWarning)
  if (failed.length > 0) return [...failed.map(toProblem), ...warnings]
  const providers = checks.flatMap(({ name, problem: reason }) =>
    reason === undefined ? (/^provider (.+)/.exec(name)?.[1] ?? []) : [],
  )
  return [
    good(NAME, describeStorage(checks)),
    ...(providers.length > 0 ? [good('discovery of providers', providers.join(', '))] : []),
    ...warnings,
    ...checks
      .filter(({ name }) => name === 'schedule')
      .flatMap(({ name, detail }) => (detail === undefined ? [] : [skipped(name, detail)])),
  ]
}

function isCheck(value: unknown): value is Check {
  return isObject(value) && typeof value['name'] === 'string' && typeof value['ready'] === 'boolean'
}

function toProblem({ name, problem: what = 'It is not ready.', fix = '' }: Check): Finding {
  const subject = name.startsWith('provider ') ? name : NAME
  return problem(subject, { what: `${name}: ${what}`, why: consequenceOf(name, what), fix })
}

/** Users can sign in, but not in every way. */
function toWarning({ name, problem: what = '', fix = '' }: Check): Finding {
  const why = name === 'webhooks' ? 'Users can sign in.' : 'Other ways to sign in work.'
  return warning(name, { what, why, fix })
}

/** The checks whose names are not those of their bindings. */
const BINDINGS: Readonly<Record<string, string>> = { D1: 'DIRECTORY', KV: 'SESSIONS' }

function consequenceOf(check: string, what: string): string {
  if (check.startsWith('provider ')) return 'Nobody can sign in through this provider.'
  if (check === 'settings')
    return 'The service runs without the provider, the client or the API that has the problem.'
  if (check === 'credentials') return 'Nobody can sign in.'
  if (check === 'schedule') return 'Users can sign in.'
  if (check.startsWith('binding ')) return 'Nobody can sign in by email.'
  if (what.startsWith('The database is full')) {
    return 'New users cannot sign in, and sign-ins of others may not be recorded.'
  }
  const binding = BINDINGS[check] ?? check.replace(/^object /, '')
  return BINDING_CONSEQUENCES[binding] ?? 'It is not known whether users can sign in.'
}

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five']

/** Such as "D1 schema 1, KV, three objects". */
function describeStorage(checks: readonly Check[]): string {
  const objects = checks.filter(({ name }) => name.startsWith('object ')).length
  const others = checks
    .filter(({ name }) => name === 'D1' || name === 'KV')
    .map(({ name, detail }) => (detail ? `${name} ${detail}` : name))
  return [...others, `${NUMBERS[objects] ?? objects} objects`].join(', ')
}
