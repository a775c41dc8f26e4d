import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { options } from '../../../src/deployment.ts'
import { createVerifier } from '../../../src/verify.ts'
import { createVestibule } from '../../../src/vestibule.ts'
import { Browser, LOGIN, serviceOf, serviceWith } from '../../browser.ts'
import { advanceClock, stopClock } from '../../clock.ts'
import { expectListed, lists, readFeed } from '../../core/oidc/read-revocation-feed.ts'
import { calls, recordedBindings } from '../../core/oidc/recorded-calls.ts'
import {
  basic,
  bearer,
  formRequest,
  OFFLINE_ACCESS,
  RelyingApp,
} from '../../core/oidc/relying-app.ts'
import { approveConsent } from '../../core/oidc/user-steps.ts'
import { signInNewUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { clientsWith } from '../../registered-clients.ts'
import { connectMachine } from '../admin/machine-client.ts'
import {
  API,
  changeRole,
  newUserWithRoles,
  requestTokens,
  sendTokenRequest,
  service,
  WITH_API,
} from './role-user.ts'

async function sessionClaims(browser: Browser) {
  return decodeJwt((await browser.session())?.token ?? '')
}

describe('the roles of a user', () => {
  it('are in session tokens and in the ID tokens of first-party apps, in the order of the declaration', async () => {
    const { browser } = await newUserWithRoles('author', 'editor')

    const { id_token } = await requestTokens(browser)

    expect(await sessionClaims(browser)).toMatchObject({ roles: ['editor', 'author'] })
    expect(decodeJwt(id_token)).toMatchObject({ roles: ['editor', 'author'] })
    expect((await browser.session())?.user).toMatchObject({ roles: ['editor', 'author'] })
  })

  it('are an empty list for a user who has none', async () => {
    const { browser } = await signInNewUser(new Browser(service))

    expect(await sessionClaims(browser)).toMatchObject({ roles: [] })
    expect((await browser.session())?.user).not.toHaveProperty('roles')
  })

  it('[F1] are in an access token only for an API that lists them, and only those that it lists', async () => {
    const { browser } = await newUserWithRoles('editor', 'author')
    const rolesAt = async (resource: string) => {
      const tokens = await requestTokens(browser, { resource })
      return decodeJwt(tokens.access_token)['roles']
    }

    expect(await rolesAt(API)).toEqual(['editor'])
    expect(await rolesAt('https://stock.example')).toBeUndefined()
  })

  it('are not in userinfo, nor in the ID token of an app of another company, whose users see what the API gets', async () => {
    const { browser, userId } = await newUserWithRoles('editor', 'author')
    const app = new RelyingApp('kiosk')
    const settings = {
      ...WITH_API,
      APIS: [{ identifier: API, name: 'Orders', roles: ['editor'], clients: ['kiosk'] }],
    }
    const other = new Browser(serviceOf(deploymentWith({}), settings)).withCookiesOf(browser)
    const url = await app.authorizationUrl({ resource: API })

    const page = await other.get(url)
    const html = await page.clone().text()
    const callback = redirectUrl(await approveConsent(other, page))
    const response = await serviceOf(
      deploymentWith({}),
      settings,
    )(formRequest('/oidc/token', { client_id: 'kiosk', ...app.codeExchangeForm(callback) }))
    const tokens = await response.json<{ access_token: string; id_token: string }>()

    expect(html).toContain('Let Orders know your roles (editor)')
    expect(decodeJwt(tokens.id_token)).not.toHaveProperty('roles')
    expect(decodeJwt(tokens.access_token)).toMatchObject({ sub: userId, roles: ['editor'] })
    const own = await requestTokens(browser)
    const userinfo = await service(
      new Request(`${LOGIN}/oidc/userinfo`, { headers: bearer(own.access_token) }),
    )
    expect(await userinfo.json()).not.toHaveProperty('roles')
  })

  it('are not those that callbacks.claims returns', async () => {
    const { browser } = await signInNewUser()
    const claims = () => ({ roles: ['editor'], plan: 'gold' })
    const other = new Browser(serviceOf(deploymentWith({ callbacks: { claims } })))

    expect(await sessionClaims(other.withCookiesOf(browser))).toMatchObject({
      roles: [],
      plan: 'gold',
    })
  })

  it('are known to callbacks.claims', async () => {
    const { browser } = await newUserWithRoles('author')
    const claims = ({ user }: { user: { roles?: readonly string[] } }) => ({ of: user.roles })
    const other = new Browser(serviceOf(deploymentWith({ callbacks: { claims } })))

    expect(await sessionClaims(other.withCookiesOf(browser))).toMatchObject({ of: ['author'] })
  })

  it('need no further call to storage', async () => {
    const { handle } = await newUserWithRoles('editor')
    const recorded = serviceOf(deploymentWith({}), { ...WITH_API, ...recordedBindings })
    const browser = new Browser(recorded)
    await browser.signIn(handle)
    await browser.session()
    calls.length = 0

    await new Browser(recorded).signIn(handle)
    await browser.session()

    expect(calls).toEqual([
      'DIRECTORY.batch',
      'USERS.openSession',
      'SESSIONS.put',
      'USERS.readSession',
    ])
  })
})

function deploymentWith(changes: Partial<typeof options>) {
  return createVestibule({ ...options, ...changes })
}

describe('a role that was given', () => {
  it('is in the next token: of a refresh, and of the session endpoint', async () => {
    const { browser, userId } = await newUserWithRoles()
    const app = new RelyingApp()
    const callback = await app.callbackFor(browser, { ...OFFLINE_ACCESS, resource: API })
    const tokens = await sendTokenRequest(app, app.codeExchangeForm(callback))
    expect(decodeJwt(tokens.access_token)).toMatchObject({ roles: [] })

    await changeRole(userId, 'editor')
    const { refresh_token } = tokens
    const next = await sendTokenRequest(app, { grant_type: 'refresh_token', refresh_token })

    expect(decodeJwt(next.access_token)).toMatchObject({ roles: ['editor'] })
    expect(decodeJwt(next.id_token)).toMatchObject({ roles: ['editor'] })
    expect(await sessionClaims(browser)).toMatchObject({ roles: ['editor'] })
    expect(await lists(await readFeed(), tokens.access_token)).toBe(false)
  })

  it('is shown by the copy of a session', async () => {
    const { browser, userId } = await newUserWithRoles()

    await changeRole(userId, 'editor')

    const path = '/api/auth/session?token=false'
    expect(await browser.json(path)).toMatchObject({ user: { roles: ['editor'] } })
  })
})

describe('a role that was taken away', () => {
  it('[G8] ends the tokens that have it at once; the session and its next tokens continue', async () => {
    const { browser, userId } = await newUserWithRoles('editor')
    const verifier = createVerifier({
      issuer: LOGIN,
      audience: API,
      interval: 0.001,
      fetch: (url, init) => service(new Request(url, init)),
    })
    const before = await requestTokens(browser, { resource: API })
    const session = (await browser.session())?.token ?? ''
    await expect(verifier.verify(before.access_token)).resolves.toMatchObject({ roles: ['editor'] })

    await changeRole(userId, 'editor', 'take')
    await expectListed(before.access_token)
    await expectListed(session)
    advanceClock(5)

    await expect(verifier.verify(before.access_token)).rejects.toMatchObject({ status: 401 })
    const form = { grant_type: 'refresh_token', refresh_token: before.refresh_token }
    const after = await sendTokenRequest(new RelyingApp(), form)
    await expect(verifier.verify(after.access_token)).resolves.toMatchObject({ roles: [] })
    expect(await sessionClaims(browser)).toMatchObject({ roles: [] })
  })

  it('stays in tokens until they expire, if the owner says so', async () => {
    const { browser, userId } = await newUserWithRoles('editor')
    const { access_token } = await requestTokens(browser, { resource: API })

    await changeRole(userId, 'editor', 'take-later')

    expect(await sessionClaims(browser)).toMatchObject({ roles: [] })
    expect(await lists(await readFeed(), access_token)).toBe(false)
  })

  it('[G3] is not part of the introspection of a token that has it', async () => {
    const { browser, userId } = await newUserWithRoles('editor')
    const tokens = await requestTokens(browser, { resource: API })
    const introspect = async (token: string) => {
      const response = await service(formRequest('/oidc/introspect', { token }, basic('web')))
      return response.json()
    }
    expect(await introspect(tokens.access_token)).toMatchObject({ roles: ['editor'] })

    await changeRole(userId, 'editor', 'take-later')

    expect(await introspect(tokens.access_token)).toMatchObject({ active: true, roles: [] })
    expect(await introspect(tokens.refresh_token)).toMatchObject({ active: true, roles: [] })
  })

  it('[G8] is not part of the introspection of a refresh token by an app of another company', async () => {
    const { browser } = await newUserWithRoles('editor')
    const { refresh_token } = await requestTokens(browser)
    const CLIENTS = clientsWith({ web: { first_party: false } })
    const other = serviceWith({ ...WITH_API, CLIENTS })
    const request = formRequest('/oidc/introspect', { token: refresh_token }, basic('web'))

    const introspected = await (await other(request)).json()

    expect(introspected).toMatchObject({ active: true })
    expect(introspected).not.toHaveProperty('roles')
  })

  it('is not given back by a sign-in that found the user before', async () => {
    stopClock()
    const { handle, userId } = await newUserWithRoles('editor')
    const browser = new Browser(service)
    const authorization = await browser.start()
    const callback = await browser.approve(authorization, handle)
    const { roles } = (await env.DIRECTORY.prepare('SELECT roles FROM users WHERE id = ?')
      .bind(userId)
      .first<{ roles: string }>()) ?? { roles: '' }
    await changeRole(userId, 'editor', 'take')
    // What the sign-in would have read a moment earlier.
    await env.DIRECTORY.prepare('UPDATE users SET roles = ? WHERE id = ?').bind(roles, userId).run()

    await browser.get(callback)

    expect(await sessionClaims(browser)).toMatchObject({ roles: [] })
  })
})

describe('an access token of a machine', () => {
  it('has no roles', async () => {
    const { token } = await connectMachine({}, service)

    expect(decodeJwt(token)).not.toHaveProperty('roles')
  })
})
