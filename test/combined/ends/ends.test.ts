import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { OPERATIONS } from '../../../cli/admin/operations.ts'
import { createUserApp } from '../../../src/core/app.ts'
import { validateOptions } from '../../../src/core/config/options.ts'
import { readEnglish } from '../../../src/core/messages/english.ts'
import { CLIENT_GRANT_TYPES } from '../../../src/core/registration-schemas/clients.ts'
import { PURPOSES } from '../../../src/foundation/crypto/seal.ts'
import { UnavailableError } from '../../../src/server.ts'
import { advanceClock, setClock } from '../../clock.ts'
import { readConfig } from '../../deployment.ts'
import { userObject } from '../../storage.ts'
import { everyWayToSignIn } from '../every-way-to-sign-in.ts'
import { ENDINGS, type Ending, NOT_ENDING } from './endings.ts'
import document from './ends.md?raw'
import { HOLDINGS, NOT_HELD, obtainTokens } from './holdings.ts'
import { createWorld, type World } from './world.ts'

/** When it is checked what has ended, in seconds after the request. */
const CHECKED_AT = [0, 15, 60]

/** When copies of registrations were read again, and when the access tokens have expired. */
const LATER = [70, 700]

const { rows, columns, reasons } = parseTable(document)

describe('what has ended', () => {
  it.each(Object.entries(ENDINGS))('after this: %s', async (name, ending) => {
    expect(await measure(ending)).toEqual(rows[name])
  })
})

/** For each holding, after how many seconds it has ended; `valid` if it has not. */
async function measure(ending: Ending): Promise<Record<string, string>> {
  const bare = await createWorld(ending.variant)
  await ending.prepare?.(bare)
  const world = { ...bare, ...(await obtainTokens(bare)) }
  const checks = await obtainAll(world)
  // Tokens name the second in which they were issued.
  advanceClock(2)
  await ending.end(world)
  await allPublished(world.userId)
  const endedAt = Date.now() / 1000
  const states = new Map<string, string>()
  for (const time of [...CHECKED_AT, ...LATER]) {
    setClock(endedAt + time)
    for (const [name, check] of checks) {
      if (states.has(name) || !isChecked(name, time)) continue
      const state = await check().catch(unavailable)
      if (state !== true) states.set(name, state === false ? `${time} s` : `${state}, ${time} s`)
    }
  }
  return Object.fromEntries(
    columns.map((name) => [name, checks.has(name) ? (states.get(name) ?? 'valid') : 'none']),
  )
}

/** How each holding that can exist is checked. Those that can be used again are valid now. */
async function obtainAll(world: World): Promise<Map<string, () => Promise<boolean>>> {
  const checks = new Map<string, () => Promise<boolean>>()
  for (const [name, { obtain }] of Object.entries(HOLDINGS)) {
    const check = await obtain(world)
    if (check) checks.set(name, check)
  }
  for (const [name, check] of checks) {
    if (HOLDINGS[name]?.usedAt === undefined) expect([name, await check()]).toEqual([name, true])
  }
  return checks
}

/** For an error that does not mean that something has ended. */
function unavailable(error: unknown): string {
  if (error instanceof UnavailableError) return 'unavailable'
  throw error
}

function isChecked(name: string, time: number): boolean {
  const { usedAt = time, isConfirmedLater = false } = HOLDINGS[name] ?? {}
  return usedAt === time && (CHECKED_AT.includes(time) || isConfirmedLater)
}

/** Waits for what the user's object does after the response. */
async function allPublished(userId: string): Promise<void> {
  await vi.waitFor(async () => {
    const pending = await runInDurableObject(userObject(userId), (_, { storage }) =>
      Array.from(storage.kv.list({ prefix: 'revocation:' }), ([key]) => key),
    )
    expect(pending).toEqual([])
  })
  // Copies of sessions, and tokens at the provider.
  await scheduler.wait(50)
}

describe('the table', () => {
  const { declared } = validateOptions(everyWayToSignIn, readEnglish)

  it('has a row for each ending, and a column for each holding', () => {
    expect(Object.keys(rows)).toEqual(Object.keys(ENDINGS))
    expect(columns).toEqual(Object.keys(HOLDINGS))
  })

  it('says why a cell cannot exist', () => {
    const used = new Set(document.match(/(?<=\| )none: [\w ]+(?= \|)/g))
    expect([...used].sort()).toEqual(reasons.toSorted())
  })

  it('has a row for each route and operation that changes something, or a reason why not', () => {
    const operations = Object.entries(OPERATIONS).filter(([, { method }]) => method !== 'get')
    const routes = createUserApp(readConfig, declared)
      .routes.filter(({ method }) => method === 'POST')
      .map(({ method, path }) => `${method} ${path}`)
    const requests = [...operations.map(([id]) => id), ...new Set(routes)]
    const others = ['GET /oidc/logout', 'vestibule-auth/server']
    const ending = Object.values(ENDINGS).map(({ by }) => by)

    expect([...new Set(ending), ...Object.keys(NOT_ENDING)].sort()).toEqual(
      [...requests, ...others].sort(),
    )
  })

  it('has a column for each kind of sealed value and grant type, or a reason why not', () => {
    const { features } = declared
    const seals = [...PURPOSES, ...features.flatMap((feature) => feature.seals ?? [])]
    const grantTypes = features.flatMap((feature) => feature.grantTypes ?? [])
    const kinds = [...seals, ...CLIENT_GRANT_TYPES, ...grantTypes.map(({ name }) => name)]
    const held = Object.values(HOLDINGS).flatMap((holding) => [
      ...(holding.seals ?? []),
      ...(holding.grantTypes ?? []),
    ])

    expect([...new Set(held), ...Object.keys(NOT_HELD)].sort()).toEqual([...new Set(kinds)].sort())
  })
})

function parseTable(markdown: string) {
  const cells = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  const [head = '', , ...lines] = markdown.split('\n').filter((line) => line.startsWith('|'))
  const [, ...names] = cells(head)
  return {
    columns: names,
    rows: Object.fromEntries(
      lines.map((line) => {
        const [name = '', ...values] = cells(line)
        const states = values.map((value) => value.replace(/^none: .*/, 'none'))
        return [name, Object.fromEntries(names.map((column, index) => [column, states[index]]))]
      }),
    ),
    reasons: Array.from(markdown.matchAll(/^- `(none: [\w ]+)`: /gm), ([, cell = '']) => cell),
  }
}
