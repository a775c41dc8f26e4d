import { decodeJwt } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { advanceClock, MINUTE, stopClock } from '../../clock.ts'
import { lists, readFeed } from '../../core/oidc/read-revocation-feed.ts'
import { newAppUser, newInstance } from '../../libraries/server/app-browser.ts'
import { changeRole } from './role-user.ts'

/** A user of an app, who has a role there. */
async function newEditor() {
  const user = await newAppUser()
  await changeRole(user.userId, 'editor')
  advanceClock(9 * MINUTE)
  const { headers } = await user.login.getToken(user.app.request('/'))
  user.app.store(headers)
  expect(await user.login.getSession(user.app.request('/'))).toMatchObject({
    user: { roles: ['editor'] },
    claims: { roles: ['editor'] },
  })
  return user
}

describe('the roles in a session of vestibule-auth/server', () => {
  it('are current after a renewal, which needs no sign-in', async () => {
    stopClock()
    const { login, app, userId } = await newEditor()

    await changeRole(userId, 'author')
    expect((await login.getSession(app.request('/')))?.user.roles).toEqual(['editor'])
    advanceClock(9 * MINUTE)
    const { token, headers } = await login.getToken(app.request('/'))
    app.store(headers)

    expect(token).not.toBeNull()
    expect((await login.getSession(app.request('/')))?.user.roles).toEqual(['editor', 'author'])
  })

  it('[J12] do not contain one that was taken away fifteen seconds ago; the user stays signed in', async () => {
    stopClock()
    const { login, app, userId } = await newEditor()
    const { token: before } = await login.getToken(app.request('/'))
    advanceClock(2)

    await changeRole(userId, 'editor', 'take')
    await vi.waitFor(async () => expect(await lists(await readFeed(), before ?? '')).toBe(true))
    advanceClock(15)

    expect(await login.getSession(app.request('/'))).toMatchObject({
      user: { id: userId },
      claims: { roles: [] },
    })
    expect(await login.getToken(app.request('/'), { canSetHeaders: false })).toMatchObject({
      token: null,
    })
    const { token, headers } = await login.getToken(app.request('/'))
    app.store(headers)
    expect(decodeJwt(token ?? '').iat).toBeGreaterThan(decodeJwt(before ?? '').iat ?? 0)
    expect(await login.getSession(app.request('/'))).toMatchObject({ claims: { roles: [] } })
  })

  it('[J12] do not contain one that was taken away after the session was confirmed', async () => {
    stopClock()
    const { login, app, userId } = await newEditor()
    const { token: before } = await login.getToken(app.request('/'))
    advanceClock(11 * MINUTE)
    expect((await login.getSession(app.request('/')))?.user.roles).toEqual(['editor'])

    await changeRole(userId, 'editor', 'take')
    await vi.waitFor(async () => expect(await lists(await readFeed(), before ?? '')).toBe(true))
    advanceClock(15)

    expect(await login.getSession(app.request('/'))).toMatchObject({
      user: { id: userId },
      claims: { roles: [] },
    })
  })

  it('do not contain one that was taken away while nobody asked, when the revocation feed has forgotten it', async () => {
    stopClock()
    const { app, userId } = await newEditor()

    await changeRole(userId, 'editor', 'take')
    advanceClock(30 * MINUTE)
    const { login } = newInstance()

    expect(await login.getSession(app.request('/'))).toMatchObject({ claims: { roles: [] } })
  })
})
