import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { listAuditEntries, readAuditSize } from '../../../src/administration/read-audit.ts'
import { deleteUserCompletely } from '../../../src/core/users/remove-user.ts'
import {
  blockUser,
  endUserSessions,
  readUserDetails,
  unblockUser,
} from '../../../src/features/admin/users/manage-users.ts'
import { Browser, serviceWith } from '../../browser.ts'
import { readConfig } from '../../deployment.ts'
import { signInNewUser } from '../../new-user.ts'
import { connectMachine } from './machine-client.ts'

const config = readConfig(env)
const origin = { actor: 'usr_admin', network: '192.0.2.0/24', requestId: 'ADMIN-00001' }

/** Its requests are finished when it returns. */
const service = serviceWith({})

describe('the audit log', () => {
  it('records what administrators do to a user', async () => {
    const { userId } = await signInNewUser()
    const change = { userId, origin }
    const sid = (await readUserDetails(env, config, userId))?.sessions[0]?.sid
    await endUserSessions(env, config, { ...change, sid })
    await endUserSessions(env, config, { ...change, sid })
    await endUserSessions(env, config, change)
    await blockUser(env, config, change)
    await unblockUser(env, config, change)
    await deleteUserCompletely(env, config, change)

    const entries = (await listAuditEntries(env, { subject: userId, limit: 100 })).entries.filter(
      ({ actor }) => actor === 'usr_admin',
    )
    expect(entries).toHaveLength(5)
    for (const entry of entries) expect(entry).toMatchObject({ ...origin, outcome: 'ok' })
    expect(entries.map(({ event }) => event).toSorted()).toEqual([
      'sessions_ended',
      'sessions_ended',
      'user_blocked',
      'user_deleted',
      'user_unblocked',
    ])
  })

  it('records the rejected sign-in of a blocked user once, with the user', async () => {
    const { handle, userId } = await signInNewUser(new Browser(service))
    await blockUser(env, config, { userId, origin })

    const response = await new Browser(service).signIn(handle)

    const requestId = response.headers.get('X-Request-Id')
    const { entries } = await listAuditEntries(env, { limit: 1000 })
    expect(entries.filter((entry) => entry.requestId === requestId)).toMatchObject([
      { event: 'sign_in', outcome: 'user_blocked', subject: userId, actor: userId },
    ])
  })

  it('has its number of entries in a metric [R4]', async () => {
    const { call } = await connectMachine()
    await signInNewUser()
    const { entries } = await readAuditSize(env)

    const metrics = await (await call('/metrics')).text()

    expect(metrics).toContain(`\nvestibule_audit_entries{} ${entries}\n`)
  })
})
