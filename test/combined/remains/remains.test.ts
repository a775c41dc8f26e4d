import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import document from '../../../docs/storage.md?raw'
import { UserObject } from '../../../src/core/users/user-object.ts'
import wrangler from '../../../wrangler.toml?raw'
import { Browser, logLines, serviceWith } from '../../browser.ts'
import { DAY, MINUTE, setClock, stopClock } from '../../clock.ts'
import { setReceiverResponse } from '../../core/oidc/logout-token-receiver.ts'
import { RelyingApp } from '../../core/oidc/relying-app.ts'
import { signInOnPage } from '../../core/oidc/user-steps.ts'
import { readConfig } from '../../deployment.ts'
import { OPEN_SETTINGS, UnregisteredApp } from '../../features/agents/unregistered-app.ts'
import { Authenticator } from '../../features/passkeys/authenticator.ts'
import { addPasskey } from '../../features/passkeys/passkey-user.ts'
import { addApp, optionalService } from '../../features/totp/totp-browser.ts'
import { blockAndUnblock, registerWebhook, runSchedule } from '../../features/webhooks/webhook.ts'
import { signInNewUser } from '../../new-user.ts'
import { redeemCode } from '../../redeem-code.ts'
import { unreachable, userObject, withMethods } from '../../storage.ts'
import { createWebhookNow, deliver } from '../../webhook-delivery.ts'
import { HOLDINGS, obtainTokens } from '../ends/holdings.ts'
import { createWorld } from '../ends/world.ts'
import {
  CLASSES,
  ignoreOtherUsers,
  listTables,
  passTime,
  passTimeOf,
  readCopies,
  readObjects,
  readSettled,
  type StoredObject,
  tablesWith,
} from './storage.ts'
import { OTHER_OBJECTS, TABLES_AFTER_DELETION, USER_OBJECT } from './stored-kinds.ts'

/** The objects whose alarms run. Those of the keyring would create keys. */
const CLEANED = ['UserObject', 'GuardObject', 'RevocationsObject', 'ClientMetadataObject']

/** What the user with everything does not have, or not for long enough to be seen. */
const ELSEWHERE = ['revocation', 'disconnected', 'blocked', 'version']

/** The clock of the tests stands still meanwhile. */
const IMMEDIATELY = 30 // seconds

/** After the last alarm that there can be. */
const NEVER = 253_402_300_799 // seconds since 1970

const OTHERS = CLASSES.filter((name) => name !== 'UserObject')

/** A user about whom everything is stored that can be, and what names them. */
async function newUserWithEverything() {
  const bare = await createWorld({
    createService: (settings) => optionalService({ ...OPEN_SETTINGS, ...settings }),
  })
  const { browser, elsewhere, service, handle, userId, administer } = bare
  await administer(`/users/${userId}/roles/author/give`)
  const world = { ...bare, ...(await obtainTokens(bare)) }
  const consent = await HOLDINGS['consent page']?.obtain(world)
  expect(await consent?.()).toBe(true)
  await addPasskey(browser, new Authenticator())
  await addApp(browser)
  await object(userId).changeRecord({
    feature: 'totp',
    key: 'short-lived',
    value: '"x"',
    expiresAt: now() + 20 * MINUTE,
    version: undefined,
  })
  const agent = await new UnregisteredApp().publish()
  expect(await agent.code(browser)).not.toBe('')
  await HOLDINGS['device request, undecided']?.obtain(world)
  // One app is notified when the session ends, and one that was notified does not respond.
  await useWeb(browser)
  const failing = new Browser(service)
  await failing.signIn(handle, { prompt: 'login' })
  await setReceiverResponse(await useWeb(failing), '500')
  for (const ended of [failing, elsewhere]) await ended.post('/api/auth/signout', {})
  await vi.waitFor(async () => {
    const logout = (await stored(userId)).records.find(({ kind }) => kind === 'logout')
    expect(logout?.value).toMatchObject({ attempts: 1 })
  })
  // As after ten seconds in which nobody has used it.
  await evictDurableObject(object(userId))
  return { ...world, agent, names: [userId, handle, ...(await accountIds(userId))] }
}

/** Signs in to the app `web`, and returns the id of the session. */
async function useWeb(browser: Browser): Promise<string> {
  const app = new RelyingApp('web')
  const response = await redeemCode(browser, app, await app.callbackFor(browser))
  const { id_token } = await response.json<{ id_token: string }>()
  return String(decodeJwt(id_token)['sid'])
}

async function accountIds(userId: string): Promise<string[]> {
  const query = 'SELECT provider_account_id AS id FROM accounts WHERE user_id = ?'
  const { results } = await env.DIRECTORY.prepare(query).bind(userId).all<{ id: string }>()
  return results.map(({ id }) => id)
}

function object(userId: string) {
  return env.TEST_TOTP_USERS.get(env.TEST_TOTP_USERS.idFromName(userId))
}

function stored(userId: string): Promise<StoredObject> {
  return readSettled(object(userId) as unknown as DurableObjectStub)
}

/** The object of a user of the default deployment. */
function defaultObject(userId: string): DurableObjectStub {
  return userObject(userId) as unknown as DurableObjectStub
}

function now(): number {
  return Math.floor(Date.now() / 1000)
}

/** The kinds of what is stored, each once, in the order of the declaration. */
function kindsOf({ records }: Pick<StoredObject, 'records'>): string[] {
  const kinds = new Set(records.map(({ kind }) => kind))
  const unknown = [...kinds].filter((kind) => !(kind in USER_OBJECT))
  return [...Object.keys(USER_OBJECT).filter((kind) => kinds.has(kind)), ...unknown]
}

/** What expires, or is tried again, has an alarm at that time or before, and so has what depends on it. */
function checkAlarm({ records, alarm = Number.POSITIVE_INFINITY }: StoredObject): void {
  expect(logLines.filter((line) => line.includes('user_cleanup_failed'))).toEqual([])
  const late = records.filter(({ kind, value }) => {
    const { due, isKept } = USER_OBJECT[kind] ?? {}
    const latest = due?.(value as never) ?? (isKept ? Number.POSITIVE_INFINITY : NEVER)
    return alarm > Math.max(latest, now() + IMMEDIATELY)
  })
  expect(late.map(({ text }) => [text, alarm - now()])).toEqual([])
}

beforeAll(ignoreOtherUsers)

describe('docs/storage.md', () => {
  const section = (title: string) => document.split(`\n## ${title}`)[1]?.split('\n## ')[0] ?? ''
  const firstCells = (title: string) =>
    Array.from(section(title).matchAll(/^\| (?!---)([^|]*`[^|]*) \|/gm), ([, cell = '']) => cell)

  it('lists every table of the directory', async () => {
    const listed = firstCells('D1').flatMap((cell) => cell.match(/\w+/g) ?? [])

    expect(listed.sort()).toEqual((await listTables()).sort())
  })

  it("lists every kind of record in a user's object, as these tests do", () => {
    const listed = firstCells('Durable Object `UserObject`').map(
      (cell) => cell.match(/`([\w-]+)/)?.[1],
    )

    expect(listed).toEqual(Object.keys(USER_OBJECT))
  })

  it('lists every class of objects', () => {
    const declared = Array.from(wrangler.matchAll(/^class_name = "(\w+)"/gm), ([, name]) => name)
    const listed = Array.from(document.matchAll(/^## Durable Object `(\w+)`/gm), ([, name]) => name)

    expect(listed).toEqual(CLASSES)
    expect(declared).toEqual(CLASSES)
    expect(Object.keys(OTHER_OBJECTS)).toEqual(OTHERS)
  })
})

describe('a user with everything', () => {
  it.each<[string, (user: Awaited<ReturnType<typeof newUserWithEverything>>) => Promise<unknown>]>([
    ['the user', ({ browser }) => browser.post('/account/delete', {})],
    ['an administrator', ({ administer, userId }) => administer(`/users/${userId}`, 'DELETE')],
  ])('leaves only what docs/storage.md lists when deleted by %s', async (_, remove) => {
    const user = await newUserWithEverything()
    const { userId, names } = user
    const before = await stored(userId)
    checkAlarm(before)

    await remove(user)

    const deleted = await stored(userId)
    checkAlarm(deleted)
    expect(kindsOf(deleted).filter((kind) => !USER_OBJECT[kind]?.afterDeletion)).toEqual([])
    // The others have tests of their own.
    const seen = new Set([...kindsOf(before), ...kindsOf(deleted), ...ELSEWHERE])
    expect(Object.keys(USER_OBJECT).filter((kind) => !seen.has(kind))).toEqual([])
    expect(await tablesWith(names)).toEqual(TABLES_AFTER_DELETION)
    for (const { records } of [deleted, ...(await readObjects(...OTHERS))]) {
      const naming = records.filter(({ text }) => names.some((name) => text.includes(name)))
      expect(naming).toEqual([])
    }
    await vi.waitFor(async () => expect(await readCopies()).not.toContain(userId))

    await passTime(10 * MINUTE, ['UserObject'], checkAlarm)
    expect(kindsOf(await stored(userId))).toEqual(['logout'])
    await passTime(DAY, ['UserObject'], checkAlarm)
    expect(await stored(userId)).toMatchObject({ records: [], alarm: undefined })
  })

  it('who never comes back leaves only what docs/storage.md lists', async () => {
    const { userId, agent } = await newUserWithEverything()
    for (const className of CLEANED) {
      const objects = await readObjects(className)
      expect([className, objects.length > 0]).toEqual([className, true])
      objects.forEach(checkAlarm)
    }
    expect(await tablesWith([agent.clientId])).toContain('unregistered_clients')

    await passTime(20 * MINUTE, ['UserObject'], checkAlarm)
    const { records } = await stored(userId)
    expect(records.some(({ text }) => text.includes('short-lived'))).toBe(false)
    await passTime(400 * DAY, CLEANED, checkAlarm)

    const kept = Object.keys(USER_OBJECT).filter((kind) => USER_OBJECT[kind]?.isKept)
    expect([...kindsOf(await stored(userId)), 'blocked', 'version'].sort()).toEqual(kept.sort())
    const cleaned = CLEANED.filter((name) => OTHER_OBJECTS[name]?.isKept === false)
    expect(await readObjects(...cleaned)).toEqual([])
    expect(await tablesWith([agent.clientId])).not.toContain('unregistered_clients')
  })

  it('who is blocked leaves that', async () => {
    const { userId, administer } = await newUserWithEverything()
    await administer(`/users/${userId}/block`)
    await passTime(400 * DAY, ['UserObject'], checkAlarm)

    expect(kindsOf(await stored(userId))).toEqual([
      'consent',
      'roles',
      'passkey',
      'record',
      'blocked',
    ])
  })
})

describe('a deleted user', () => {
  it('leaves nothing when the provider reports the deletion', async () => {
    stopClock()
    const { handle, userId } = await signInNewUser()
    const names = [userId, handle, ...(await accountIds(userId))]

    await deliver(await createWebhookNow(handle, { reason: 'account-deleted' }))

    expect(await tablesWith(names)).toEqual(TABLES_AFTER_DELETION)
    const left = await readSettled(defaultObject(userId))
    checkAlarm(left)
    expect(kindsOf(left)).toContain('erased')
    expect(kindsOf(left).filter((kind) => !USER_OBJECT[kind]?.afterDeletion)).toEqual([])
    await passTimeOf(defaultObject(userId), 10 * MINUTE)
    expect(kindsOf(await readSettled(defaultObject(userId)))).toEqual([])
  })

  it('leaves nothing if an administrator removes an account at the same time', async () => {
    const USERS = withMethods((stub, name) => {
      if (name !== 'removeMethod') return Reflect.get(stub, name)
      return async (account: Parameters<UserObject['removeMethod']>[0]) => {
        await stub.deleteUserData([])
        return stub.removeMethod(account)
      }
    })
    const { userId, administer } = await createWorld({
      hasTwoAccounts: true,
      createService: (settings) => serviceWith({ ...settings, USERS }),
    })

    await administer(`/users/${userId}/accounts/gitlab:second-${userId}/remove`)

    await passTimeOf(defaultObject(userId), 10 * MINUTE)
    expect(kindsOf(await readSettled(defaultObject(userId)))).toEqual([])
  })
})

describe('what stops sign-ins that began before the provider reported this', () => {
  it.each([
    ['account-deleted', 'erased'],
    ['disconnected', 'disconnected'],
  ])('is kept until they have expired, and no longer: %s', async (reason, kind) => {
    stopClock()
    const { handle, userId } = await signInNewUser()
    const stub = defaultObject(userId)

    await deliver(await createWebhookNow(handle, { reason }))

    await passTimeOf(stub, 9 * MINUTE)
    expect(kindsOf(await readSettled(stub))).toContain(kind)
    await passTimeOf(stub, MINUTE)
    expect(kindsOf(await readSettled(stub))).not.toContain(kind)
  })
})

/** Each is named in every table that has something about it, and then deleted. Returns its name. */
const REGISTRATIONS: Record<string, () => Promise<string>> = {
  async client() {
    const { service, administer, clientId, authorizationRequest, handle } = await createWorld()
    const browser = new Browser(service)
    const query = new URLSearchParams(authorizationRequest)
    await signInOnPage(browser, await browser.get(`/oidc/authorize?${query}`), handle)
    expect(await tablesWith([clientId])).toEqual(expect.arrayContaining(['clients', 'counters']))
    await administer(`/clients/${clientId}`, 'DELETE')
    return clientId
  },
  async API() {
    const { administer, api } = await createWorld()
    expect(await tablesWith([api])).toContain('apis')
    await administer(`/apis/${encodeURIComponent(api)}`, 'DELETE')
    return api
  },
  async webhook() {
    const webhook = await registerWebhook({ events: ['user.blocked'] })
    await webhook.respond('500')
    await blockAndUnblock((await signInNewUser()).userId)
    await runSchedule()
    const tables = ['webhooks', 'webhook_deliveries']
    expect(await tablesWith([webhook.name])).toEqual(expect.arrayContaining(tables))
    await webhook.delete()
    return webhook.name
  },
}

describe('a registration that was deleted', () => {
  it.each([
    ['client', ['audit', 'counters']],
    ['API', ['audit', 'clients']],
    ['webhook', ['audit']],
  ])('is only in the tables that may name it: %s', async (kind, tables) => {
    const name = await REGISTRATIONS[kind]?.()

    expect((await tablesWith([name ?? ''])).sort()).toEqual(tables)
  })
})

describe('a revocation that cannot be published', () => {
  it('has an alarm after each attempt, until it is published', async () => {
    stopClock()
    const { userId } = await signInNewUser()
    const stub = defaultObject(userId)
    const failing = { ...env, REVOCATIONS: unreachable(env.REVOCATIONS) } as Env
    const attempt = async (run: (user: UserObject) => Promise<unknown>) => {
      await runInDurableObject(stub, (_, state) => run(new UserObject(state, failing, readConfig)))
      const found = await readSettled(stub)
      expect(kindsOf(found)).toContain('revocation')
      checkAlarm(found)
      return found.alarm ?? 0
    }

    let due = await attempt((user) => user.endAllSessions())
    for (let round = 0; round < 3; round++) {
      setClock(due)
      due = await attempt((user) => user.alarm())
    }
    await passTimeOf(stub, MINUTE)

    expect(kindsOf(await readSettled(stub))).not.toContain('revocation')
  })
})
