import { env } from 'cloudflare:workers'
import { UnsecuredJWT } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { countWrongSecret, rejectGuessing } from '../../src/core/limits/guess-limit.ts'
import { countSignIn, noteSecretUse, sendCounts } from '../../src/core/metrics/count.ts'
import { credentialIds } from '../../src/core/registrations/credential-ids.ts'
import { isClientKnownAsRevoked } from '../../src/core/revocations/client-revocations.ts'
import { BoundedMap } from '../../src/core/storage/bounded-map.ts'
import { fetchProviderDocument } from '../../src/core/upstream/fetch-provider-document.ts'
import type { ResolvedProvider } from '../../src/core/upstream/resolved-provider.ts'
import { issuingServer } from '../../src/core/upstream/token-endpoint.ts'
import { findUnregisteredClient } from '../../src/features/agents/find-unregistered-client.ts'
import { advanceClock, MINUTE } from '../clock.ts'
import { readConfig } from '../deployment.ts'
import { OPEN_SETTINGS, UnregisteredApp } from '../features/agents/unregistered-app.ts'

/** How many entries the maps have in these tests, and how many are added. */
const BOUND = 2
const ADDED = ['a', 'b', 'c', 'd']

const { set } = BoundedMap.prototype

/** The bounded maps that were used, with their own bounds and with what was added. */
const used = new Map<BoundedMap<unknown, unknown>, { bound: number; keys: Set<unknown> }>()

/** Gives bounded maps the bound of these tests when something is added to them. */
function observeMaps(): void {
  vi.spyOn(BoundedMap.prototype, 'set').mockImplementation(function (
    this: BoundedMap<unknown, unknown>,
    key,
    value,
  ) {
    const known = used.get(this) ?? { bound: this.maxSize, keys: new Set() }
    if (!used.has(this)) {
      this.clear()
      Object.assign(this, { maxSize: BOUND })
    }
    used.set(this, known)
    known.keys.add(key)
    return set.call(this, key, value)
  })
}

afterEach(() => {
  vi.restoreAllMocks()
  for (const [map, { bound }] of used) Object.assign(map, { maxSize: bound })
  used.clear()
})

/** A provider that publishes a document at each URL, or none. */
function providerWith(status: number): ResolvedProvider {
  return {
    id: crypto.randomUUID(),
    fetch: async (url: string) =>
      Response.json({ issuer: new URL('.', url).href.slice(0, -1) }, { status }),
  } as never
}

/** Fills what is kept in memory with more than fits, and uses what was dropped. */
type Fill = () => Promise<void>

/**
 * What modules keep while an isolate lives: how it is filled, or what it can only have. A map with
 * keys that requests choose is a {@link BoundedMap}.
 */
const KEPT: Record<string, Fill | string> = {
  'core/limits/guess-limit.ts blockedUntil': async () => {
    const network = { name: '192.0.2.1', subnet: '' }
    for (const id of ADDED.map(() => crypto.randomUUID())) {
      const guess = async () => {
        for (let count = 0; count < 20; count += 1) await countWrongSecret(env, id, network)
      }
      await expect(guess()).rejects.toThrow()
      expect(() => rejectGuessing(id, network)).toThrow()
    }
  },
  'core/metrics/count.ts notedOn': async () => {
    for (const id of [...ADDED, ...ADDED]) noteSecretUse('web', id)
  },
  'core/metrics/count.ts unsent': async () => {
    let minutes = {}
    const collectCounts = async (_: Env, { signIns }: { signIns: object }) => {
      minutes = signIns
    }
    for (let minute = 0; minute < 70; minute += 1) {
      advanceClock(MINUTE)
      countSignIn('succeeded')
    }
    await sendCounts(env, { features: [{ collectCounts }] })
    expect(Object.keys(minutes)).toHaveLength(60)
  },
  'core/metrics/count.ts plannedAt': 'a time',
  'core/metrics/count.ts durationSeries': 'the routes of the table of metrics',
  'core/audit/audit-log.ts prunedMinute': 'a time',
  'core/audit/audit-log.ts countedHour': 'a time',
  'core/audit/user-events.ts prunedHour': 'a time',
  'features/webhooks/deliveries.ts prunedHour': 'a time',
  'features/agents/parse-metadata.ts schemas': 'two schemas',
  'core/registrations/credential-ids.ts known': async () => {
    const config = readConfig(env)
    const read = () => Promise.all(ADDED.map((id) => credentialIds(config, id, 'x')))
    expect(await read()).toEqual(await read())
  },
  'core/revocations/client-revocations.ts keys': async () => {
    const config = readConfig(env)
    for (const clientId of [...ADDED, ...ADDED]) {
      const request = { clientId, claims: { iat: 1, jti: '1' } }
      expect(await isClientKnownAsRevoked(env, config, request)).toBe(false)
    }
  },
  'core/upstream/fetch-provider-document.ts lastGoodMetadata': async () => {
    const provider = providerWith(200)
    for (const path of [...ADDED, ...ADDED]) {
      const { status } = await fetchProviderDocument(provider, `https://idp.example/${path}`)
      expect(status).toBe(200)
    }
  },
  'core/upstream/fetch-provider-document.ts skippedUntil': async () => {
    const provider = providerWith(404)
    for (const path of [...ADDED, ...ADDED]) {
      const { status } = await fetchProviderDocument(provider, `https://idp.example/${path}`)
      expect(status).toBe(503)
    }
  },
  'core/upstream/token-endpoint.ts tenants': async () => {
    const provider = {
      ...providerWith(404),
      hasTenantIssuers: true,
      issuer: 'https://idp.example/common/v2.0',
      authorization: { params: {} },
      token: {},
      userinfo: {},
    } as never
    for (const id of [...ADDED, ...ADDED]) {
      const id_token = new UnsecuredJWT({ tid: id.repeat(36) }).encode()
      const server = await issuingServer(provider, {} as never, Response.json({ id_token }))
      expect(server.issuer).toBe(`https://idp.example/${id.repeat(36)}/v2.0`)
    }
  },
  'core/upstream/private-jwk.ts importedKeys': 'the keys of the settings',
  'core/oidc/revocation-feed.ts feeds': 'times that are rounded: see revocation-feed.test.ts',
  'features/agents/find-unregistered-client.ts copies': async () => {
    const config = readConfig({ ...env, ...OPEN_SETTINGS } as never)
    const apps = await Promise.all(ADDED.map(() => new UnregisteredApp().publish()))
    for (const { clientId } of [...apps, ...apps]) {
      const request = { clientId, reading: 'any', requester: undefined } as const
      const client = await findUnregisteredClient(env, config, request)
      expect(client?.client_id).toBe(clientId)
    }
  },
  'libraries/client/client.ts clients': 'the login services and clients that a page configures',
  'libraries/client/proof.ts nonces': 'the origins that an app calls',
}

const sources = import.meta.glob<string>(
  ['../../src/**/*.{ts,tsx}', '!../../src/libraries/testing/**'],
  { query: '?raw', import: 'default', eager: true },
)

/** Maps and sets that have no content of their own, arrays that are empty, and variables. */
const STATE =
  /^(?:export )?(?:let (\w+)|const (\w+)[^=\n]*= (?:new (?:(?:Map|Set)\b[^;(]*\(\)|BoundedMap\b|WeakMap<[^;(]*Map<)|\[\]$))/gm

it('Everything that modules keep in memory is listed here', () => {
  const found = Object.entries(sources).flatMap(([path, source]) =>
    Array.from(
      source.matchAll(STATE),
      ([, variable, constant]) => `${path.slice('../../src/'.length)} ${variable ?? constant}`,
    ),
  )

  expect(found.toSorted()).toEqual(Object.keys(KEPT).toSorted())
})

describe.each(
  Object.entries(KEPT).flatMap(([name, fill]) =>
    typeof fill === 'function' ? [{ name, fill }] : [],
  ),
)('$name', ({ name, fill }) => {
  it('has no more than fits, and still works', async () => {
    observeMaps()
    await fill()

    // Counts by minute are no map.
    if (name.endsWith(' unsent')) return
    const filled = [...used].filter(([, { keys }]) => keys.size > BOUND)
    expect(filled.map(([map, { bound }]) => [map.size, bound <= 1000])).toEqual([[BOUND, true]])
  })
})
