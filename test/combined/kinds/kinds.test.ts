import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { CLIENT_KINDS } from '../../../src/administration/client-kinds.ts'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import { options } from '../../../src/deployment.ts'
import { formRequest } from '../../core/oidc/relying-app.ts'
import {
  config,
  newId,
  newIsolate,
  ORIGIN,
  redirectUri,
} from '../../core/registrations/stored-clients.ts'
import { API_SETS, type ApiSet, KINDS, KINDS_OF_SERVICE, type Kind, Subject } from './kinds.ts'
import { RULES, type Rule } from './rules.ts'
import { isImpossible, TABLE } from './table.ts'

const SETS = Object.keys(API_SETS) as ApiSet[]
const NAMES = Object.keys(RULES) as Rule[]

/** What a user allowed, and when they signed in, would change what these observe. */
const NEEDS_NEW_USER = (kind: Kind, rule: Rule) => rule === 'consent' || kind === 'command line'

const subjects = new Map<string, Promise<Subject>>()

function subjectFor(kind: Kind, set: ApiSet, rule: Rule): Promise<Subject> {
  if (NEEDS_NEW_USER(kind, rule)) return Subject.create(kind, set)
  const name = `${kind} ${set}`
  const subject = subjects.get(name) ?? Subject.create(kind, set)
  subjects.set(name, subject)
  return subject
}

describe('the table of kinds and rules', () => {
  it('has a cell for each kind, rule and set of APIs', () => {
    expect(Object.keys(TABLE).toSorted()).toEqual([...KINDS].toSorted())
    for (const [kind, rules] of Object.entries(TABLE)) {
      expect(Object.keys(rules).toSorted(), kind).toEqual(NAMES.toSorted())
      for (const [rule, cell] of Object.entries(rules)) {
        expect(Object.keys(cell), `${kind}, ${rule}`).toEqual(SETS)
      }
    }
  })

  it('has each kind that the service knows', () => {
    const { kinds, unregistered, profiles } = KINDS_OF_SERVICE
    const represented = Object.values({ ...kinds, ...unregistered, ...profiles })
    const finders = (options.features ?? []).filter((feature) => 'findClient' in feature)

    expect(Object.keys(kinds)).toEqual(Object.keys(CLIENT_KINDS))
    expect(KINDS).toEqual(expect.arrayContaining(represented))
    // The clients of the command line, and unregistered ones.
    expect(finders.map(({ id }) => id).toSorted()).toEqual(['admin', 'agents'])
  })
})

describe.each(KINDS)('a client of the kind %s', (kind) => {
  describe.each(SETS)('with this number of APIs: %s', (set) => {
    for (const rule of NAMES) {
      const expected = TABLE[kind][rule][set]
      if (isImpossible(expected)) it.skip(`${rule}: ${expected.reason}`)
      else {
        it(rule, async () => {
          const subject = await subjectFor(kind, set, rule)

          expect(await RULES[rule](subject)).toEqual(expected)
        })
      }
    }
  })
})

describe('a client whose entry in the settings is invalid', () => {
  it('is not replaced by one in the database with the same id', async () => {
    const client_id = newId()
    const registration = {
      client_id,
      redirect_uris: [redirectUri(client_id)],
      token_endpoint_auth_method: 'none',
      first_party: true,
    }
    await clientStore.create(env, config, { registration, origin: ORIGIN })
    const invalid = { client_id, redirect_uris: ['no address'] }
    const { service, ...isolate } = newIsolate({ CLIENTS: [invalid] })
    const form = { grant_type: 'refresh_token', refresh_token: 'rt_x', client_id }
    const origin = `https://${client_id}.example`

    const refreshed = await service(formRequest('/oidc/token', form))
    const read = await service(
      new Request('https://login.example/api/auth/session', { headers: { Origin: origin } }),
    )

    expect(await newIsolate().accepts(client_id)).toBe(true)
    expect(await isolate.accepts(client_id)).toBe(false)
    expect(await refreshed.json()).toMatchObject({ error: 'invalid_client' })
    expect(read.headers.get('Access-Control-Allow-Origin')).not.toBe(origin)
  })
})
