import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { options } from '../../../src/deployment.ts'
import { admin } from '../../../src/features/admin/feature.ts'
import { roles } from '../../../src/features/roles/feature.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, serviceOf, serviceWith } from '../../browser.ts'
import { signInNewUser } from '../../new-user.ts'
import { failingAt, userObject, withMethods } from '../../storage.ts'
import { signInAdministrator, signInWithRole, submitForm } from '../admin/administrator.ts'
import { connectMachine, readProblem } from '../admin/machine-client.ts'
import { changeRole, newUserWithRoles, service } from './role-user.ts'

interface Entry {
  event: string
  actor: string
  detail: string
}

async function auditEntries(userId: string): Promise<Entry[]> {
  const { results } = await env.DIRECTORY.prepare(
    "SELECT event, actor, detail FROM audit WHERE subject = ? AND event LIKE 'roles_%' ORDER BY id",
  )
    .bind(userId)
    .all<Entry>()
  return results
}

async function storedCopy(userId: string): Promise<string | null | undefined> {
  const row = await env.DIRECTORY.prepare('SELECT roles FROM users WHERE id = ?')
    .bind(userId)
    .first<{ roles: string | null }>()
  return row?.roles
}

describe('giving and taking roles', () => {
  it('is recorded, and listed by role and by user', async () => {
    const { userId } = await signInNewUser()
    const { call, clientId } = await connectMachine()
    const change = (role: string, action: string) =>
      call(`/users/${userId}/roles/${role}/${action}`, { method: 'POST' })

    const given = await (await change('editor', 'give')).json()
    await change('author', 'give')
    await change('author', 'give')
    await change('author', 'take-later')

    expect(given).toEqual({ id: userId, roles: ['editor'] })
    const actor = `client:${clientId}`
    expect(await auditEntries(userId)).toEqual([
      { event: 'roles_given', actor, detail: 'editor' },
      { event: 'roles_given', actor, detail: 'author' },
      { event: 'roles_taken', actor, detail: 'author, tokens kept' },
    ])
    expect(await (await call('/roles')).json()).toEqual({
      items: [{ name: 'editor' }, { name: 'author' }],
    })
    const listed = await (await call('/roles/editor/users?limit=200')).json<{ items: object[] }>()
    expect(listed.items).toContainEqual(expect.objectContaining({ id: userId }))
    const others = await (await call('/roles/author/users?limit=200')).json<{ items: object[] }>()
    expect(others.items).not.toContainEqual(expect.objectContaining({ id: userId }))
    expect(await (await call(`/users/${userId}`)).json()).toMatchObject({ roles: ['editor'] })
    expect((await call('/roles/owner/users')).status).toBe(404)
  })

  it('lists users page by page', async () => {
    const ids = [await newUserWithRoles('author'), await newUserWithRoles('author')]
    const { call } = await connectMachine()
    const found: string[] = []
    let cursor = ''
    do {
      const response = await call(`/roles/author/users?limit=1&cursor=${cursor}`)
      const page = await response.json<{ items: { id: string }[]; next_cursor?: string }>()
      found.push(...page.items.map(({ id }) => id))
      cursor = page.next_cursor ?? ''
    } while (cursor !== '')

    expect(found).toEqual(expect.arrayContaining(ids.map(({ userId }) => userId)))
    expect(new Set(found).size).toBe(found.length)
  })

  it('rejects a name that the deployment does not declare, and a user who does not exist', async () => {
    const { userId } = await signInNewUser()
    const { call } = await connectMachine()

    const unknown = await call(`/users/${userId}/roles/editr/give`, { method: 'POST' })
    const mistyped = await call(`/users/${userId}/roles/editr/take`, { method: 'POST' })
    const nobody = await call(`/users/usr_${'x'.repeat(22)}/roles/editor/give`, { method: 'POST' })

    expect(mistyped.status).toBe(400)
    expect(unknown.status).toBe(400)
    const { detail } = await readProblem(unknown)
    expect(detail).toBe(
      '"editr" is not a role of this deployment, which has editor, author. Did you mean editor?',
    )
    expect(nobody.status).toBe(404)
    expect(await auditEntries(userId)).toEqual([])
  })

  it('takes a role that the deployment no longer declares, and gives it to nobody', async () => {
    const { userId } = await newUserWithRoles('editor')
    const features = [admin(), roles({ names: ['author'] })]
    const { call } = await connectMachine({}, serviceOf(createVestibule({ ...options, features })))
    const change = (action: string) =>
      call(`/users/${userId}/roles/editor/${action}`, { method: 'POST' })

    expect((await change('give')).status).toBe(400)
    const taken = await change('take')

    expect(taken.status).toBe(200)
    expect(await taken.json()).toEqual({ id: userId, roles: [] })
    expect(await storedCopy(userId)).toContain('"names":[]')
  })

  it('needs admin:write, which administrators with the role support do not have', async () => {
    const { userId } = await signInNewUser()
    const { call } = await connectMachine({ scope: 'admin:read admin:support' })
    const { browser } = await signInWithRole('support')

    const response = await call(`/users/${userId}/roles/editor/give`, { method: 'POST' })
    const page = await (await browser.get(`/admin/users/${userId}`)).text()
    const form = await browser.get(`/admin/users/${userId}/roles/editor/give`)

    expect(response.status).toBe(403)
    expect(page).toContain('<h2>Roles</h2>')
    expect(page).not.toContain('/roles/editor/give')
    expect(form.status).toBe(403)
  })

  it('can be repeated if the database did not respond, and is then recorded once', async () => {
    const { userId } = await signInNewUser()
    const { call } = await connectMachine()
    const path = `/users/${userId}/roles/editor/give`
    const { call: failing } = await connectMachine(
      {},
      serviceWith({ USERS: failingAt('changeRole') }),
    )

    expect((await failing(path, { method: 'POST' })).status).toBe(503)
    expect(await auditEntries(userId)).toEqual([])
    // The object has changed, but the copy was not stored.
    await call(path, { method: 'POST' })
    await env.DIRECTORY.batch([
      env.DIRECTORY.prepare('UPDATE users SET roles = NULL WHERE id = ?').bind(userId),
      env.DIRECTORY.prepare('DELETE FROM audit WHERE subject = ?').bind(userId),
    ])
    await call(path, { method: 'POST' })
    await call(path, { method: 'POST' })

    expect(await auditEntries(userId)).toHaveLength(1)
    expect(await storedCopy(userId)).toBe('{"names":["editor"],"version":1}')
  })

  it('[Q1] is recorded, although another change has overtaken it on the way to the database', async () => {
    const { userId } = await signInNewUser()
    const { call } = await connectMachine()
    const giveBoth = withMethods((stub, method) => {
      if (method !== 'changeRole') return Reflect.get(stub, method)
      return async (change: unknown) => {
        const result = await Reflect.get(stub, method)(change)
        await call(`/users/${userId}/roles/author/give`, { method: 'POST' })
        return result
      }
    })
    const { call: overtaken } = await connectMachine({}, serviceWith({ USERS: giveBoth }))

    const response = await overtaken(`/users/${userId}/roles/editor/give`, { method: 'POST' })

    expect(response.status).toBe(200)
    const recorded = (await auditEntries(userId)).map(({ detail }) => detail)
    expect(recorded.toSorted()).toEqual(['author', 'editor'])
    expect(await storedCopy(userId)).toBe('{"names":["editor","author"],"version":2}')
  })

  it('stores nothing for a user who is deleted meanwhile', async () => {
    const { userId } = await signInNewUser()
    const { call } = await connectMachine()
    const deleteFirst = withMethods((stub, method) => {
      if (method !== 'changeRole') return Reflect.get(stub, method)
      return async (change: unknown) => {
        await call(`/users/${userId}`, { method: 'DELETE' })
        return Reflect.get(stub, method)(change)
      }
    })
    const { call: late } = await connectMachine({}, serviceWith({ USERS: deleteFirst }))

    const response = await late(`/users/${userId}/roles/editor/give`, { method: 'POST' })

    expect(response.status).toBe(404)
    const { featureRecords } = await userObject(userId).readUserData()
    expect(JSON.parse(featureRecords)).toMatchObject({ roles: [] })
  })

  it('[Q1] keeps every one of several changes at the same time, also in the copy', async () => {
    const { userId } = await signInNewUser()
    const { call } = await connectMachine()
    const change = (role: string, action: string) =>
      call(`/users/${userId}/roles/${role}/${action}`, { method: 'POST' })

    await Promise.all([
      change('editor', 'give'),
      change('author', 'give'),
      change('editor', 'give'),
      change('author', 'give'),
    ])

    const copy = JSON.parse((await storedCopy(userId)) ?? '{}')
    expect(copy.names.toSorted()).toEqual(['author', 'editor'])
    expect(copy.version).toBe(2)
  })
})

describe('a role of an app', () => {
  it('[S9] gives no access to the console or the admin API', async () => {
    const { browser } = await newUserWithRoles('editor', 'author')

    expect((await browser.get('/admin')).status).toBe(404)
    expect((await browser.get('/admin/users')).status).toBe(404)
  })
})

describe('the console', () => {
  it('gives and takes roles on the page of a user, after a confirmation that names the role', async () => {
    const { administrator } = await signInAdministrator()
    const { userId } = await signInNewUser()
    const path = `/admin/users/${userId}/roles/editor`

    const before = await (await administrator.get(`/admin/users/${userId}`)).text()
    const confirmation = await (await administrator.get(`${path}/give`)).text()
    await submitForm(administrator, `${path}/give`)
    const after = await (await administrator.get(`/admin/users/${userId}`)).text()
    const list = await (await administrator.get('/admin/roles/editor')).text()
    await submitForm(administrator, `${path}/take`)

    expect(before).toContain(`${path}/give`)
    expect(confirmation).toContain('<code>editor</code>')
    expect(after).toContain(`${path}/take-later`)
    expect(list).toContain(userId)
    expect(await (await administrator.get('/admin/roles/editor')).text()).not.toContain(userId)
    expect((await administrator.get('/admin/roles/owner')).status).toBe(404)
    expect(await (await administrator.get('/admin/roles')).text()).toContain('/admin/roles/author')
  })
})

describe('the account page', () => {
  it('shows the roles of the user', async () => {
    const { browser } = await newUserWithRoles('editor', 'author')
    const other = await signInNewUser(new Browser(service))

    expect(await (await browser.get('/account')).text()).toContain('Roles: editor, author')
    expect(await (await other.browser.get('/account')).text()).not.toContain('Roles:')
  })
})

describe('the roles of a user', () => {
  it('are part of the export, and deleted with the user', async () => {
    const { userId } = await newUserWithRoles('editor')
    const { call } = await connectMachine()

    const exported = await (await call(`/users/${userId}/export`)).json<{ user: object }>()
    await call(`/users/${userId}`, { method: 'DELETE' })
    const again = await call(`/users/${userId}/roles/editor/give`, { method: 'POST' })

    expect(exported).toMatchObject({ roles: ['editor'] })
    expect(exported.user).not.toHaveProperty('roles')
    expect(again.status).toBe(404)
    expect(await storedCopy(userId)).toBeUndefined()
    const { featureRecords } = await userObject(userId).readUserData()
    expect(JSON.parse(featureRecords)).toMatchObject({ roles: [] })
  })

  it('are kept while the user is signed out', async () => {
    const { browser, userId, handle } = await newUserWithRoles('editor')
    await userObject(userId).endAllSessions()

    await browser.signIn(handle)

    expect((await browser.session())?.user).toMatchObject({ roles: ['editor'] })
  })

  it('are given to a blocked user, who has them once unblocked', async () => {
    const { browser, userId, handle } = await newUserWithRoles()
    const { call } = await connectMachine()
    await call(`/users/${userId}/block`, { method: 'POST' })

    await changeRole(userId, 'author')
    await call(`/users/${userId}/unblock`, { method: 'POST' })
    await browser.signIn(handle)

    expect((await browser.session())?.user).toMatchObject({ roles: ['author'] })
  })
})
