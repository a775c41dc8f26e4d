import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { policyOf } from '../../../src/features/agents/policy.ts'
import { formatProblem } from '../../../src/foundation/values/problem.ts'
import { readConfig } from '../../deployment.ts'

/** The problems of the configuration that are new with this value. */
function findProblems(UNREGISTERED_CLIENTS: unknown): string[] {
  return readConfig({ ...env, UNREGISTERED_CLIENTS }).problems.map(formatProblem)
}

describe('UNREGISTERED_CLIENTS', () => {
  it('is a table or JSON, and accepts no clients by default', () => {
    const policy = { hosts: ['claude.ai', '*.example.com', '*'], registration: true }
    const withDefaults = { ...policy, client_assertion_audience: 'issuer' }
    const read = (UNREGISTERED_CLIENTS: unknown) =>
      policyOf(readConfig({ ...env, UNREGISTERED_CLIENTS }))

    expect(read(policy)).toEqual(withDefaults)
    expect(read(JSON.stringify(policy))).toEqual(withDefaults)
    expect(read(undefined)).toMatchObject({ hosts: [], registration: false })
  })

  it.each<[unknown, string]>([
    ['[broken', 'UNREGISTERED_CLIENTS is text that is not valid JSON.'],
    ['[]', 'UNREGISTERED_CLIENTS must be a table: [vars.UNREGISTERED_CLIENTS].'],
    [{ host: ['claude.ai'] }, 'UNREGISTERED_CLIENTS.host does not exist: did you mean hosts?'],
    [{ hosts: 'claude.ai' }, 'UNREGISTERED_CLIENTS.hosts must be a list of hosts.'],
    [{ registration: 'yes' }, 'UNREGISTERED_CLIENTS.registration must be true or false.'],
    ...['https://claude.ai', 'Claude.ai', 'claude', '*.', 'a.*.example', '*claude.ai', ''].map(
      (host): [unknown, string] => [
        { hosts: [host] },
        'UNREGISTERED_CLIENTS.hosts.0 must be a host in lower case such as claude.ai, *.example.com for its subdomains, or * for every host.',
      ],
    ),
  ])('reports what is wrong with %j', (value, problem) => {
    expect(() => findProblems(value)).toThrow(problem)
  })
})
