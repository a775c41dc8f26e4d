import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { clientStore } from '../../../src/administration/registrations/client-store.ts'
import { actionPath } from '../../../src/features/admin/console/action-routes.tsx'
import { type Browser, serviceWith } from '../../browser.ts'
import { config, newId, ORIGIN } from '../../core/registrations/stored-clients.ts'
import { hiddenFields } from '../../html.ts'
import { signInNewUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { signInAdministrator, signInWithRole, submitForm } from './administrator.ts'
import { ADMIN_API, connectMachine, readProblem } from './machine-client.ts'
import { operations } from './operations.ts'

/** What those who help users may do, besides reading. Owners may do everything. */
const SUPPORT: readonly string[] = [
  'exportUser',
  'blockUser',
  'unblockUser',
  'endUserSessions',
  'endUserSession',
  'revokeUserClient',
  'removeUserAccount',
]

/** The pages of the operations that take more than a confirmation. */
const FORMS: Record<string, string> = {
  createClient: '/new/clients',
  updateClient: '/clients/shop/edit',
  createApi: '/new/apis',
  updateApi: '/apis/shop/edit',
  createWebhook: '/new/webhooks',
  updateWebhook: '/webhooks/shop/edit',
  setAdministrator: '/new/administrators',
}

/** Every operation that the console has a page or form for, besides reading. */
const CHANGES = operations
  .map((operation) => {
    const path = operation.button === undefined ? FORMS[operation.id] : actionPath(operation)
    return [operation.id, path && `/admin${path.replaceAll(/:\w+/g, 'none')}`] as const
  })
  .filter((change): change is [string, string] => change[1] !== undefined)
  .concat([['setAdministrator', '/admin/administrators/none/edit']])

const FULL_SCOPE = 'admin:read admin:write admin:administrators'

interface Entry {
  name: string
  role: string
  source: string
  user_id?: string
  created_by?: string
}

async function storedRoles(): Promise<Record<string, string>> {
  const { results } = await env.DIRECTORY.prepare('SELECT name, role FROM administrators').all<{
    name: string
    role: string
  }>()
  return Object.fromEntries(results.map(({ name, role }) => [name, role]))
}

async function auditEntries(subject: string) {
  const { results } = await env.DIRECTORY.prepare(
    "SELECT event, actor, detail FROM audit WHERE subject = ? AND event LIKE 'administrator%' ORDER BY id",
  )
    .bind(subject)
    .all()
  return results
}

async function csrfTokenOf(browser: Browser): Promise<string> {
  const { csrfToken } = await browser.json<{ csrfToken: string }>('/api/auth/csrf')
  return csrfToken
}

/** Makes the user an owner under the name of their account, which is returned. */
async function addOwnerByAccount(userId: string): Promise<string> {
  const row = await env.DIRECTORY.prepare(
    `INSERT INTO administrators
     SELECT 'tiktok:' || provider_account_id, 'owner', 1, 'operator' FROM accounts WHERE user_id = ?
     RETURNING name`,
  )
    .bind(userId)
    .first<string>('name')
  return row ?? ''
}

beforeEach(async () => {
  await env.DIRECTORY.prepare('DELETE FROM administrators').run()
})

describe('the role of an administrator', () => {
  it('is tested with every operation that changes something', () => {
    const untested = operations
      .filter(({ method, id }) => method !== 'get' && !CHANGES.some(([other]) => other === id))
      .map(({ id }) => id)

    expect(untested).toEqual(['removeFormerClientSecret', 'importUsers']) // not in the console
  })

  it.each(CHANGES)('[F10] allows support %s only if it helps a user: %s', async (id, path) => {
    const { browser, userId } = await signInWithRole('support')
    const csrfToken = await csrfTokenOf(browser)
    const isAllowed = SUPPORT.includes(id)

    const page = await browser.get(path)
    const form = await browser.post(path, { csrfToken })

    expect(page.status === 403, path).toBe(!isAllowed)
    expect(form.status === 403, path).toBe(!isAllowed)
    const denial = await env.DIRECTORY.prepare(
      "SELECT detail FROM audit WHERE event = 'admin_denied' AND actor = ?",
    )
      .bind(userId)
      .first('detail')
    expect(denial).toBe(isAllowed ? null : `GET ${path}`)
    if (!isAllowed) expect(await page.text()).toContain('Your role, support, does not allow this.')
  })

  it('allows owners everything', async () => {
    const { browser } = await signInWithRole('owner')

    for (const [, path] of CHANGES) expect((await browser.get(path)).status, path).not.toBe(403)
  })

  it('lets both read everything, and shows only the links that it allows', async () => {
    const id = newId('shop')
    await clientStore.create(env, config, {
      registration: { client_id: id, redirect_uris: ['https://new.example/callback'] },
      origin: ORIGIN,
    })
    const { userId } = await signInNewUser()
    const pages = ['', '/users', `/users/${userId}`, '/clients', `/clients/${id}`, '/apis', '/keys']
    const linksOf = async (role: 'owner' | 'support') => {
      const { browser } = await signInWithRole(role)
      const links = new Set<string>()
      for (const path of [...pages, '/administrators', '/audit']) {
        const response = await browser.get(`/admin${path}`)
        expect(response.status, path).toBe(200)
        const page = await response.text()
        expect(page).toContain(`(${role})`)
        for (const [, link = ''] of page.matchAll(/href="\/admin\/([^"?]*)"/g)) links.add(link)
      }
      return links
    }

    const ofSupport = await linksOf('support')
    const ofOwner = await linksOf('owner')

    expect(ofSupport).toContain(`users/${userId}/block`)
    expect(ofSupport).toContain(`users/${userId}/export`)
    expect(ofOwner).toContain('new/administrators')
    for (const link of [
      ...['new/clients', 'new/apis', 'new/administrators', 'keys/rotate', 'keys/revoke'],
      ...[`users/${userId}/delete`, `clients/${id}/edit`, `clients/${id}/delete`],
    ]) {
      expect(ofOwner, link).toContain(link)
      expect(ofSupport, link).not.toContain(link)
    }
  })

  it('changes with the next request', async () => {
    const { administrator } = await signInAdministrator()
    const { browser, userId } = await signInWithRole('support')
    expect((await browser.get('/admin/new/clients')).status).toBe(403)

    await submitForm(administrator, `/admin/administrators/${userId}/edit`, { role: 'owner' })
    expect((await browser.get('/admin/new/clients')).status).toBe(200)

    await submitForm(administrator, `/admin/administrators/${userId}/edit`, { role: 'support' })
    expect((await browser.get('/admin/new/clients')).status).toBe(403)

    await submitForm(administrator, `/admin/administrators/${userId}/delete`)
    expect((await browser.get('/admin')).status).toBe(404)
  })

  it('is given again by the button of the page that reports a change or a removal, which needs the same role and sign-in', async () => {
    const { administrator } = await signInAdministrator()
    const { browser, userId } = await signInWithRole('support')
    const path = `/admin/administrators/${userId}`
    /** Presses the button of the message on the list. */
    const undo = async () => {
      const page = await (await administrator.get('/admin/administrators')).text()
      const [form = ''] = page.match(/<form method="post"(?:(?!<\/form>).)*Undo/s) ?? []
      const action = form.match(/action="([^"]*)"/)?.[1] ?? ''
      const fields = Object.fromEntries(hiddenFields(form))
      expect((await browser.post(action, fields)).status).not.toBe(303)
      expect((await administrator.post(action, { ...fields, csrfToken: 'x' })).status).toBe(403)
      return administrator.post(action, fields)
    }

    await submitForm(administrator, `${path}/edit`, { role: 'owner' })
    expect((await undo()).status).toBe(303)
    expect((await browser.get('/admin')).status).toBe(200)
    expect((await browser.get('/admin/new/clients')).status).toBe(403)

    await submitForm(administrator, `${path}/delete`)
    expect((await browser.get('/admin')).status).toBe(404)
    expect((await undo()).status).toBe(303)
    expect((await browser.get('/admin')).status).toBe(200)
    expect((await browser.get('/admin/new/clients')).status).toBe(403)
    const changes = await env.DIRECTORY.prepare(
      "SELECT count(*) AS count FROM audit WHERE subject = ? AND event LIKE 'administrator%'",
    )
      .bind(userId)
      .first('count')
    expect(changes).toBe(4)
  })

  it('is the highest one of a user with two entries', async () => {
    const { browser, userId } = await signInWithRole('support')
    await addOwnerByAccount(userId)

    expect((await browser.get('/admin/new/clients')).status).toBe(200)
  })

  it('is not known to this version if it is neither: the console does not exist', async () => {
    const { browser, userId } = await signInWithRole('owner')
    await env.DIRECTORY.prepare("UPDATE administrators SET role = 'auditor' WHERE name = ?")
      .bind(userId)
      .run()

    expect((await browser.get('/admin')).status).toBe(404)
  })
})

describe('an owner', () => {
  it.each(['block', 'end-sessions', 'delete'])(
    '[F10] is not changed with %s by support, nor by a machine that may not change administrators',
    async (action) => {
      const owner = await signInWithRole('owner')
      const { browser } = await signInWithRole('support')
      const path = `/admin/users/${owner.userId}/${action}`

      const page = await (await browser.get(`/admin/users/${owner.userId}`)).text()
      const form = await submitForm(browser, path)
      const machine = await connectMachine()
      const response = await (action === 'delete'
        ? machine.call(`/users/${owner.userId}`, { method: 'DELETE' })
        : machine.call(`/users/${owner.userId}/${action}`, { method: 'POST' }))

      expect(page).toContain('<span class="pill mute">owner</span>')
      expect(page).toContain(`/admin/users/${owner.userId}/export`)
      expect(page).not.toContain(path)
      expect([403, 409]).toContain(form.status)
      expect(response.status).toBe(403)
      expect((await readProblem(response)).detail).toContain('whom only owners can change')
      expect((await owner.browser.get('/admin')).status).toBe(200)
    },
  )

  it('can block another owner, and is warned on a page that changes their own access', async () => {
    const { browser, userId } = await signInWithRole('owner')
    const other = await signInWithRole('owner')
    const warning = 'This is you: you may lose your access to this console.'

    for (const path of [
      ...[`users/${userId}/block`, `users/${userId}/delete`],
      ...[`administrators/${userId}/edit`, `administrators/${userId}/delete`],
    ]) {
      expect(await (await browser.get(`/admin/${path}`)).text(), path).toContain(warning)
    }
    const page = await (await browser.get(`/admin/users/${other.userId}/block`)).text()
    const blocked = await submitForm(browser, `/admin/users/${other.userId}/block`)

    expect(page).not.toContain(warning)
    expect(blocked.status).toBe(303)
    expect((await other.browser.get('/admin')).status).toBe(404)
    expect(page).toContain('unless you remove them from the administrators')
    const list = await (await browser.get('/admin/administrators')).text()
    expect(list).toMatch(new RegExp(`/admin/users/${other.userId}".*?>blocked<`))
  })

  it('is neither removed nor demoted if no other owner can sign in', async () => {
    const { browser, userId } = await signInWithRole('owner')
    const blocked = await signInWithRole('owner')
    await env.DIRECTORY.prepare('UPDATE users SET blocked_at = 1 WHERE id = ?')
      .bind(blocked.userId)
      .run()
    const { call } = await connectMachine({ scope: FULL_SCOPE })
    await call('/administrators/tiktok:nobody', { method: 'PUT', body: { role: 'owner' } })

    const removal = await call(`/administrators/${userId}`, { method: 'DELETE' })
    const body = { role: 'support' }
    const demotion = await call(`/administrators/${userId}`, { method: 'PUT', body })
    const form = await submitForm(browser, `/admin/administrators/${userId}/delete`)

    expect(removal.status).toBe(409)
    expect((await readProblem(removal)).detail).toContain('is the last owner who can sign in')
    expect(demotion.status).toBe(409)
    expect(form.status).toBe(409)
    expect(await form.text()).toContain('is the last owner who can sign in')
    expect(await storedRoles()).toMatchObject({ [userId]: 'owner' })
    expect(await auditEntries(userId)).toEqual([])
    // Others can be removed.
    for (const name of [blocked.userId, 'tiktok:nobody']) {
      expect((await call(`/administrators/${name}`, { method: 'DELETE' })).status).toBe(204)
    }
  })

  it('is neither blocked nor deleted if no other owner can sign in', async () => {
    const { browser, userId } = await signInWithRole('owner')
    // A second entry for the same user is no second owner.
    const name = await addOwnerByAccount(userId)
    const support = await signInWithRole('support')
    const { call } = await connectMachine({ scope: `${FULL_SCOPE} admin:support` })

    const responses = [
      await call(`/users/${userId}/block`, { method: 'POST' }),
      await call(`/users/${userId}`, { method: 'DELETE' }),
    ]
    const form = await submitForm(browser, `/admin/users/${userId}/block`)

    for (const response of responses) {
      expect(response.status).toBe(409)
      expect((await readProblem(response)).detail).toBe(
        `${userId} is the last owner who can sign in: make another user an owner first.`,
      )
    }
    expect(form.status).toBe(409)
    expect(await form.text()).toContain('is the last owner who can sign in')
    expect((await browser.get('/admin')).status).toBe(200)
    const blocked = await env.DIRECTORY.prepare(
      "SELECT count(*) AS n FROM audit WHERE event = 'user_blocked' AND subject = ?",
    )
    expect(await blocked.bind(userId).first('n')).toBe(0)

    // Others are blocked and deleted, and once there is another owner, this one, too.
    expect((await call(`/users/${support.userId}/block`, { method: 'POST' })).status).toBe(200)
    await signInWithRole('owner')
    expect((await call(`/users/${userId}/block`, { method: 'POST' })).status).toBe(200)
    const { items } = await (await call('/administrators')).json<{ items: Entry[] }>()
    expect(items).toContainEqual(
      expect.objectContaining({ name, user_id: userId, blocked_at: expect.any(Number) }),
    )
    expect((await call(`/users/${userId}`, { method: 'DELETE' })).status).toBe(204)
  })

  it('keeps the account that names the last owner who can sign in', async () => {
    const { userId } = await signInNewUser()
    const name = await addOwnerByAccount(userId)
    await env.DIRECTORY.prepare(
      `INSERT INTO accounts (provider, issuer, provider_account_id, user_id, client_id, created_at, updated_at)
       VALUES ('other', '', ?1, ?1, 'x', 1, 1)`,
    )
      .bind(userId)
      .run()
    const { call } = await connectMachine({ scope: `${FULL_SCOPE} admin:support` })
    const remove = () =>
      call(`/users/${userId}/accounts/${encodeURIComponent(name)}/remove`, { method: 'POST' })

    const rejected = await remove()
    await signInWithRole('owner')

    expect(rejected.status).toBe(409)
    expect((await readProblem(rejected)).detail).toContain('is the last owner who can sign in')
    expect((await remove()).status).toBe(204)
  })

  it.each(['block', 'delete'])('[Q4] remains after a %s of all owners at once', async (action) => {
    const owners = [await signInWithRole('owner'), await signInWithRole('owner')]
    const { call } = await connectMachine({ scope: `${FULL_SCOPE} admin:support` })

    const responses = await Promise.all(
      owners.map(({ userId }) =>
        action === 'delete'
          ? call(`/users/${userId}`, { method: 'DELETE' })
          : call(`/users/${userId}/block`, { method: 'POST' }),
      ),
    )

    const success = action === 'delete' ? 204 : 200
    expect(responses.map(({ status }) => status).toSorted()).toEqual([success, 409])
    const pages = await Promise.all(owners.map(({ browser }) => browser.get('/admin')))
    expect(pages.map(({ status }) => status).toSorted()).toEqual([200, 404])
  })

  it('[Q4] remains if two owners remove each other at the same time', async () => {
    const owners = [await signInWithRole('owner'), await signInWithRole('owner')]
    const { call } = await connectMachine({ scope: FULL_SCOPE })

    const responses = await Promise.all(
      owners.map(({ userId }) => call(`/administrators/${userId}`, { method: 'DELETE' })),
    )

    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 409])
    expect(Object.values(await storedRoles())).toEqual(['owner'])
  })
})

describe('two owners who are owners by their accounts', () => {
  /** Makes a new user an owner by their account, and adds another one. */
  async function addOwner() {
    const { userId } = await signInNewUser()
    const name = await addOwnerByAccount(userId)
    await env.DIRECTORY.prepare(
      `INSERT INTO accounts (provider, issuer, provider_account_id, user_id, client_id, created_at, updated_at)
       VALUES ('other', '', ?1, ?1, 'x', 1, 1)`,
    )
      .bind(userId)
      .run()
    return { userId, name, path: `/users/${userId}/accounts/${encodeURIComponent(name)}/remove` }
  }

  it('[Q4] do not both lose their accounts if they remove them at the same time', async () => {
    const owners = [await addOwner(), await addOwner()]
    const { call } = await connectMachine({ scope: `${FULL_SCOPE} admin:support` })

    const responses = await Promise.all(owners.map(({ path }) => call(path, { method: 'POST' })))

    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 409])
    const { items } = await (await call('/administrators')).json<{ items: Entry[] }>()
    expect(items.filter(({ user_id }) => user_id !== undefined)).toHaveLength(1)
  })

  it('[Q4] do not both lose their role if one is removed and the other loses their account', async () => {
    const [first, second] = [await addOwner(), await addOwner()]
    const { call } = await connectMachine({ scope: `${FULL_SCOPE} admin:support` })

    const responses = await Promise.all([
      call(first.path, { method: 'POST' }),
      call(`/administrators/${encodeURIComponent(second.name)}`, { method: 'DELETE' }),
    ])

    expect(responses.map(({ status }) => status).toSorted()).toEqual([204, 409])
  })

  it('do not lose the account of the last one with another id of it', async () => {
    const owner = await addOwner()
    await env.DIRECTORY.prepare(
      `INSERT INTO accounts (provider, issuer, provider_account_id, user_id, client_id, union_id, created_at, updated_at)
       SELECT provider, issuer, 'other ' || provider_account_id, user_id, 'x', union_id, 1, 1
       FROM accounts WHERE user_id = ? AND provider = 'tiktok'`,
    )
      .bind(owner.userId)
      .run()
    const { call } = await connectMachine({ scope: `${FULL_SCOPE} admin:support` })
    const other = encodeURIComponent(owner.name.replace(':', ':other '))

    const response = await call(`/users/${owner.userId}/accounts/${other}/remove`, {
      method: 'POST',
    })

    expect(response.status).toBe(409)
    const { items } = await (await call('/administrators')).json<{ items: Entry[] }>()
    expect(items).toMatchObject([{ name: owner.name, user_id: owner.userId }])
  })
})

describe('administrators of the admin API', () => {
  it('are added, changed, listed and removed, which is recorded with who did it', async () => {
    await signInWithRole('owner')
    const { userId } = await signInNewUser()
    const { call, clientId } = await connectMachine({ scope: FULL_SCOPE })
    const path = `/administrators/${userId}`
    const put = (role: string) => call(path, { method: 'PUT', body: { role } })

    const added = await put('support')
    await put('support')
    await put('owner')
    const list = await (await call('/administrators')).json<{ items: Entry[] }>()
    const removed = await call(path, { method: 'DELETE' })
    const again = await call(path, { method: 'DELETE' })

    const actor = `client:${clientId}`
    expect(added.status).toBe(200)
    const entry = { name: userId, source: 'database', user_id: userId, created_by: actor }
    expect(await added.json()).toMatchObject({ ...entry, role: 'support' })
    expect(list.items).toContainEqual(expect.objectContaining({ ...entry, role: 'owner' }))
    expect(removed.status).toBe(204)
    expect(again.status).toBe(404)
    expect(await auditEntries(userId)).toEqual([
      { event: 'administrator_added', actor, detail: 'support' },
      { event: 'administrator_changed', actor, detail: 'owner' },
      { event: 'administrator_removed', actor, detail: 'owner' },
    ])
  })

  it.each([
    ['usr_short', 'must be usr_… or provider:account id.'],
    ['tiktok:a b', 'must be usr_… or provider:account id.'],
    ['tictok:1', 'has an account of tictok, with which nobody can become an administrator'],
    [`tiktok:${'x'.repeat(600)}`, 'must be usr_… or provider:account id.'],
  ])('[R1] are not added with the name %s', async (name, message) => {
    const { call } = await connectMachine({ scope: FULL_SCOPE })

    const response = await call(`/administrators/${encodeURIComponent(name)}`, {
      method: 'PUT',
      body: { role: 'owner' },
    })

    expect(response.status).toBe(400)
    const { problems } = await readProblem(response)
    expect(problems?.[0]).toMatchObject({ path: ['name'] })
    expect(problems?.[0]?.message).toContain(message)
    expect(await storedRoles()).toEqual({})
  })

  it.each([undefined, {}, { role: 'root' }, { role: 'owner', name: 'x' }])(
    '[R1] are not added with the body %o',
    async (body) => {
      const { userId } = await signInNewUser()
      const { call } = await connectMachine({ scope: FULL_SCOPE })

      const response = await call(`/administrators/${userId}`, { method: 'PUT', body })

      expect(response.status).toBe(400)
      expect(await storedRoles()).toEqual({})
    },
  )

  it('of AUTH_ADMINS are listed as owners, and are neither changed nor removed', async () => {
    const { userId } = await signInNewUser()
    const service = serviceWith({ AUTH_ADMINS: `${userId},tiktok:nobody` })
    const { call } = await connectMachine({ scope: FULL_SCOPE }, service)

    const { items } = await (await call('/administrators')).json<{ items: Entry[] }>()
    const responses = [
      await call(`/administrators/${userId}`, { method: 'DELETE' }),
      await call(`/administrators/${userId}`, { method: 'PUT', body: { role: 'support' } }),
    ]

    expect(items).toMatchObject([
      { name: 'tiktok:nobody', role: 'owner', source: 'settings' },
      { name: userId, role: 'owner', source: 'settings', user_id: userId },
    ])
    for (const response of responses) {
      expect(response.status).toBe(409)
      expect((await readProblem(response)).detail).toContain('is in AUTH_ADMINS in the settings')
    }
  })

  it('[F10] cannot be changed by a client that registers another one, or uses its secret', async () => {
    const writer = await connectMachine()
    const strong = await connectMachine({ scope: FULL_SCOPE })
    const id = newId('machine')
    const registration = {
      client_id: id,
      grant_types: ['client_credentials'],
      resources: [ADMIN_API],
    }
    const strongPath = `/clients/${strong.clientId}`

    const created = await writer.call('/clients', {
      method: 'POST',
      body: { ...registration, scope: FULL_SCOPE },
    })
    const weak = await writer.call('/clients', {
      method: 'POST',
      body: { ...registration, scope: 'admin:read' },
    })
    const changes = [
      await writer.call(`/clients/${id}`, { method: 'PATCH', body: { scope: FULL_SCOPE } }),
      await writer.call(strongPath, { method: 'PATCH', body: { client_name: 'Mine' } }),
      await writer.call(`${strongPath}/rotate-secret`, { method: 'POST' }),
      await writer.call(`${strongPath}/enable`, { method: 'POST' }),
    ]

    expect(weak.status).toBe(201)
    for (const response of [created, ...changes]) {
      expect(response.status).toBe(403)
      expect((await readProblem(response)).detail).toContain('admin:administrators')
    }
    const rotated = await strong.call(`${strongPath}/rotate-secret`, { method: 'POST' })
    expect(rotated.status).toBe(200)
  })
})

describe('administrators in the console', () => {
  it('are added, changed and removed, which is recorded with the person who did it', async () => {
    const { browser, userId: ownId } = await signInWithRole('owner')
    const { userId } = await signInNewUser()
    const path = `/admin/administrators/${userId}`

    const added = await submitForm(browser, '/admin/new/administrators', {
      name: userId,
      role: 'support',
    })
    const list = await (await browser.get('/admin/administrators')).text()
    await submitForm(browser, `${path}/edit`, { name: 'usr_ignored', role: 'owner' })
    const question = await (await browser.get(`${path}/delete`)).text()
    const removed = await submitForm(browser, `${path}/delete`)

    expect(redirectUrl(added, 303).pathname).toBe('/admin/administrators')
    expect(list).toContain(`${path}/delete`)
    expect(list).toMatch(/<td[^>]*>support<\/td>/)
    expect(list).toContain(' (you)')
    expect(question).toContain(`<code>${userId}</code>`)
    expect(question).toContain('the user cannot use the console')
    expect(redirectUrl(removed, 303).pathname).toBe('/admin/administrators')
    expect(await storedRoles()).toEqual({ [ownId]: 'owner' })
    expect(await auditEntries(userId)).toEqual([
      { event: 'administrator_added', actor: ownId, detail: 'support' },
      { event: 'administrator_changed', actor: ownId, detail: 'owner' },
      { event: 'administrator_removed', actor: ownId, detail: 'owner' },
    ])
  })

  it('have the problems of a form at its fields', async () => {
    const { browser } = await signInWithRole('owner')

    const response = await submitForm(browser, '/admin/new/administrators', { name: 'mia' })

    expect(response.status).toBe(400)
    const page = await response.text()
    expect(page).toContain('User or account: must be usr_… or provider:account id.')
    expect(page).toContain('Role is missing.')
  })

  it('of AUTH_ADMINS have no links, but the reason', async () => {
    const { administrator, userId } = await signInAdministrator()

    const page = await (await administrator.get('/admin/administrators')).text()
    const response = await submitForm(administrator, `/admin/administrators/${userId}/delete`)

    expect(page).not.toContain(`/admin/administrators/${userId}/`)
    expect(page).toContain('are in <code>AUTH_ADMINS</code>')
    expect(response.status).toBe(409)
    expect(await response.text()).toContain('is in AUTH_ADMINS in the settings')
  })

  it.each(['edit', 'delete'])('that do not exist have no page: %s', async (action) => {
    const { browser } = await signInWithRole('owner')

    const response = await browser.get(`/admin/administrators/tiktok:nobody/${action}`)

    expect(response.status).toBe(404)
    expect(await response.text()).toContain('There is no administrator with this ID')
  })
})
