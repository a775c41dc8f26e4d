import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { options } from '../../../src/deployment.ts'
import { admin } from '../../../src/features/admin/feature.ts'
import { type RolesOptions, roles } from '../../../src/features/roles/feature.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, lastLogEntry, serviceOf } from '../../browser.ts'
import { lists, readFeed, sessionToken } from '../../core/oidc/read-revocation-feed.ts'
import { configReaderWith } from '../../deployment.ts'
import { errorCode } from '../../html.ts'
import { createPlatformUser, signInNewUser } from '../../new-user.ts'
import { connectMachine } from '../admin/machine-client.ts'
import { changeRole } from './role-user.ts'

/** A deployment whose callback is this one. */
function serviceWithSignIn(signIn: NonNullable<RolesOptions['signIn']>) {
  const names = ['editor', 'author']
  const features = [admin(), roles({ names, signIn })]
  return serviceOf(createVestibule({ ...options, features }))
}

async function rolesOf(browser: Browser): Promise<unknown> {
  return decodeJwt(await sessionToken(browser))['roles']
}

async function events(userId: string) {
  const { results } = await env.DIRECTORY.prepare(
    "SELECT event, actor, detail FROM audit WHERE subject = ? AND event LIKE 'roles_%' ORDER BY id",
  )
    .bind(userId)
    .all()
  return results
}

describe('signIn of roles()', () => {
  it('gives a new user roles, which are recorded', async () => {
    const signIn = vi.fn(() => ['author'])
    const handle = await createPlatformUser()
    const browser = new Browser(serviceWithSignIn(signIn))

    await browser.signIn(handle)

    expect(await rolesOf(browser)).toEqual(['author'])
    const userId = (await browser.session())?.user.id ?? ''
    await vi.waitFor(async () =>
      expect(await events(userId)).toEqual([
        { event: 'roles_given', actor: 'service', detail: 'author' },
      ]),
    )
    expect(signIn).toHaveBeenCalledWith({
      user: expect.objectContaining({ name: expect.any(String) }),
      account: expect.objectContaining({ provider: 'tiktok' }),
      profile: expect.any(Object),
      fetch: expect.any(Function),
    })
  })

  it('replaces the roles of the user, also those that an owner gave, and ends the tokens that had them', async () => {
    const { browser, handle, userId } = await signInNewUser()
    await changeRole(userId, 'editor')
    const before = await sessionToken(browser)
    const other = new Browser(serviceWithSignIn(() => ['author']))

    await other.signIn(handle)
    const after = await sessionToken(other)

    expect(decodeJwt(after)['roles']).toEqual(['author'])
    await vi.waitFor(async () => {
      const feed = await readFeed()
      expect(await lists(feed, before)).toBe(true)
      expect(await lists(feed, after)).toBe(false)
    })
    await vi.waitFor(async () =>
      expect(await events(userId)).toEqual(
        expect.arrayContaining([
          { event: 'roles_given', actor: 'service', detail: 'author' },
          { event: 'roles_taken', actor: 'service', detail: 'editor' },
        ]),
      ),
    )
  })

  it('ends no tokens if it only gives roles', async () => {
    const { browser, handle } = await signInNewUser()
    const before = await sessionToken(browser)
    const other = new Browser(serviceWithSignIn(() => ['author']))

    await other.signIn(handle)

    expect(await rolesOf(other)).toEqual(['author'])
    expect(await lists(await readFeed(), before)).toBe(false)
  })

  it('is followed by the lists of users who have a role', async () => {
    const { handle, userId } = await signInNewUser()
    await changeRole(userId, 'editor')
    const { call } = await connectMachine()
    const usersWith = async (role: string) => {
      const list = await call(`/roles/${role}/users?limit=200`)
      return (await list.json<{ items: { id: string }[] }>()).items.map(({ id }) => id)
    }

    await new Browser(serviceWithSignIn(() => ['author'])).signIn(handle)

    await vi.waitFor(async () => expect(await usersWith('author')).toContain(userId))
    expect(await usersWith('editor')).not.toContain(userId)
  })

  it('leaves the roles as they are with undefined, and takes them all with an empty list', async () => {
    const { handle, userId } = await signInNewUser()
    await changeRole(userId, 'editor')
    const unchanged = new Browser(serviceWithSignIn(() => undefined))
    const emptied = new Browser(serviceWithSignIn(() => []))

    await unchanged.signIn(handle)
    expect(await rolesOf(unchanged)).toEqual(['editor'])
    await emptied.signIn(handle)

    expect(await rolesOf(emptied)).toEqual([])
  })

  it.each([
    [() => ['editr'], '"editr" is not a role of this deployment'],
    [() => 'editor', 'must return a list of roles or undefined'],
    [
      () => {
        throw new Error('The directory does not respond.')
      },
      'signIn of roles() failed',
    ],
  ])('rejects the sign-in, and stores nothing, if it fails: %#', async (signIn, reason) => {
    const handle = await createPlatformUser()
    const browser = new Browser(serviceWithSignIn(signIn as NonNullable<RolesOptions['signIn']>))

    const response = await browser.signIn(handle)

    expect(response.status).toBe(500)
    expect(await errorCode(response)).toBeDefined()
    expect(JSON.stringify(lastLogEntry('roles()'))).toContain(JSON.stringify(reason).slice(1, -1))
    expect(await browser.session()).toBeNull()
    const query = 'SELECT count(*) AS count FROM users WHERE username = ?'
    expect(await env.DIRECTORY.prepare(query).bind(handle).first()).toEqual({ count: 0 })
  })
})

describe('the names of roles()', () => {
  it.each([
    [[], 'needs from 1 to 50 names'],
    [['editor', 'editor'], 'has a name twice'],
    [['the editor'], '"the editor"'],
    [['1st'], '"1st"'],
    [['x'.repeat(33)], 'at most 32 characters'],
    [Array.from({ length: 51 }, (_, index) => `role${index}`), 'has 51'],
  ])('are checked when the deployment starts: %#', (names, problem) => {
    expect(() => roles({ names })).toThrow(problem)
  })

  it.each([
    [options.features ?? [], ['roles', 0], 'must be editor or author.'],
    [[admin()], ['roles'], expect.stringContaining('needs roles(), which features does not list')],
  ])('are required of the roles of APIs: %#', (features, path, message) => {
    const apis = { APIS: [{ identifier: 'https://a.example', roles: ['editr'] }] }

    const { problems } = configReaderWith({ features })({ ...env, ...apis })

    expect(problems).toContainEqual({
      path: ['APIS', 0, ...path],
      code: 'unlisted',
      message,
    })
  })
})
