import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { adminApi } from '../../../src/features/admin/admin-api.ts'
import { ADMIN_ROLES, type AdminRole } from '../../../src/features/admin/roles.ts'
import { type Browser, issuedSecrets, LOGIN } from '../../browser.ts'
import { advanceClock, stopClock } from '../../clock.ts'
import { continueUrl } from '../../continue-url.ts'
import { getUserinfo, postForm } from '../../core/oidc/relying-app.ts'
import {
  approveConsent,
  consentForm,
  signInOnPage,
  startAtTikTok,
} from '../../core/oidc/user-steps.ts'
import { OWN_PAGE } from '../../link-account.ts'
import { signInNewUser } from '../../new-user.ts'
import { redirectUrl } from '../../redirect.ts'
import { createPasskeyUser, createUnconfirmedUser, usePasskey } from '../passkeys/passkey-user.ts'
import { ADMIN_API, callApi, readProblem } from './machine-client.ts'

const CLIENT = { client_id: 'vestibule-login' }
const SCOPE =
  'offline_access admin:read admin:support admin:write admin:administrators admin:metrics'

/** The scopes of the admin API, with what the consent page says about them. */
const DESCRIPTIONS = adminApi({ issuer: LOGIN }).scopes.map(
  // The page adapts the first letter and the full stop to the language.
  ({ name, description }) => [name, description.slice(1, -1)] as const,
)

interface Tokens {
  access_token: string
  refresh_token: string
  scope: string
}

interface User {
  browser: Browser
  handle: string
}

/** Starts the sign-in of a user on a command line, up to the consent page. */
async function startLogin({ browser, handle }: User) {
  const started = await postForm('/oidc/device', { ...CLIENT, scope: SCOPE, resource: ADMIN_API })
  const { device_code, user_code } = await started.json<Record<string, string>>()
  advanceClock(2)
  const entered = await browser.post('/device', { user_code: user_code ?? '' })
  const toSignIn = await browser.get(await continueUrl(entered))
  return { device_code, page: await signInOnPage(browser, toSignIn, handle) }
}

/** Signs a user in on a command line, as `npx vestibule-auth login` does. */
async function login(user: User): Promise<Tokens & { page: string }> {
  const { device_code, page } = await startLogin(user)
  const html = await page.clone().text()
  await approveConsent(user.browser, page)
  const response = await postForm('/oidc/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: device_code ?? '',
    ...CLIENT,
  })
  expect(response.status).toBe(200)
  const tokens = await response.json<Tokens>()
  for (const secret of [device_code ?? '', tokens.access_token, tokens.refresh_token]) {
    issuedSecrets.add(secret)
  }
  return { ...tokens, page: html }
}

async function signInAs(role: AdminRole | undefined) {
  const user = await signInNewUser()
  if (role) await setRole(user.userId, role)
  return user
}

function setRole(userId: string, role: AdminRole): Promise<unknown> {
  return env.DIRECTORY.prepare("INSERT OR REPLACE INTO administrators VALUES (?, ?, 1, 'operator')")
    .bind(userId, role)
    .run()
}

function createClient(token: string): Promise<Response> {
  const body = { client_id: `c-${crypto.randomUUID()}`, redirect_uris: ['https://new.example/'] }
  return callApi('/clients', { method: 'POST', body, token })
}

/**
 * Approves the request at this path. The passkey of the user is asked for twice, and someone who
 * does not have it continues with TikTok.
 */
async function approveWithTikTok({
  browser,
  handle,
  path,
}: {
  browser: Browser
  handle: string
  path: string
}): Promise<Response> {
  let response = await browser.get(path)
  while (response.status === 303) {
    advanceClock(2)
    const platform = await startAtTikTok(browser, redirectUrl(response, 303))
    await browser.get(await browser.approve(platform, handle))
    response = await browser.get(path)
  }
  const form = await consentForm(response)
  return browser.fetch('/oidc/consent', { form, headers: OWN_PAGE })
}

beforeEach(() => {
  stopClock()
})

describe('an administrator at a command line', () => {
  it.each(ADMIN_ROLES)('may do what their role allows: %s', async (role) => {
    const { access_token: token } = await login(await signInAs(role))

    expect((await callApi('/users', { token })).status).toBe(200)
    expect((await createClient(token)).status).toBe(role === 'owner' ? 201 : 403)
  })

  it('is named in the audit log', async () => {
    const owner = await signInAs('owner')
    const { access_token: token } = await login(owner)

    await createClient(token)

    const entry = await env.DIRECTORY.prepare(
      "SELECT actor FROM audit WHERE event = 'client_created' AND actor = ?",
    )
      .bind(owner.userId)
      .first()
    expect(entry).toEqual({ actor: owner.userId })
  })

  it('keeps the new access when the former one is revoked', async () => {
    const owner = await signInAs('owner')
    const former = await login(owner)
    const { access_token: token, refresh_token } = await login(owner)
    const refresh = (token: string) =>
      postForm('/oidc/token', { grant_type: 'refresh_token', refresh_token: token, ...CLIENT })

    await postForm('/oidc/revoke', { token: former.refresh_token, ...CLIENT })

    expect((await refresh(former.refresh_token)).status).toBe(400)
    expect((await callApi('/users', { token })).status).toBe(200)
    expect((await refresh(refresh_token)).status).toBe(200)
  })

  it('has to sign in again for it, although the browser has a session', async () => {
    const { browser } = await signInAs('owner')
    const started = await postForm('/oidc/device', { ...CLIENT, scope: SCOPE })
    const { user_code } = await started.json<{ user_code: string }>()
    advanceClock(2)
    const response = await browser.get(
      await continueUrl(await browser.post('/device', { user_code })),
    )

    expect(response.headers.get('Location')).toContain('prompt=login')
  })

  it('has to use their passkey for it, if they have one', async () => {
    const { browser, userId, handle } = await createPasskeyUser()
    await setRole(userId, 'owner')
    const started = await postForm('/oidc/device', { ...CLIENT, scope: SCOPE })
    const { user_code } = await started.json<{ user_code: string }>()
    advanceClock(2)
    const entered = await browser.post('/device', { user_code })
    const path = await continueUrl(entered)
    const approved = await approveWithTikTok({ browser, handle, path })

    const signInAgain = redirectUrl(approved, 303)
    expect(signInAgain.pathname).toBe('/api/auth/signin')
    expect(signInAgain.searchParams.get('callbackUrl')).toBe(path)
  })

  it.each<[AdminRole | undefined, string[]]>([
    ['owner', ['read', 'support', 'write', 'administrators', 'metrics']],
    ['support', ['read', 'support', 'metrics']],
    [undefined, []],
  ])('is offered the scopes of the role %s, and no others', async (role, names) => {
    const user = await signInAs(role)
    const { page, scope } = await login(user)

    const offered = DESCRIPTIONS.filter(([, description]) => page.includes(description))
    expect(offered.map(([name]) => name).sort()).toEqual(
      names.map((name) => `admin:${name}`).sort(),
    )
    expect(scope.split(' ').sort()).toEqual(
      ['offline_access', ...names.map((name) => `admin:${name}`)].sort(),
    )
  })

  it('is shown the page again if the role has changed while it was open', async () => {
    const user = await signInAs('owner')
    const { page } = await startLogin(user)
    const html = await page.clone().text()
    const form = await consentForm(page)
    await setRole(user.userId, 'support')

    const headers = { 'Sec-Fetch-Site': 'same-origin' }
    const decided = await user.browser.fetch('/oidc/consent', { form, headers })

    const again = await (await user.browser.get(await continueUrl(decided))).text()
    expect(again).toContain('id="approve"')
    expect(html).toContain('hange administrators')
    expect(again).not.toContain('hange administrators')
  })

  it('[S6] is not let in by a passkey that is unconfirmed, but by TikTok', async () => {
    const { browser, userId, handle, authenticator } = await createUnconfirmedUser()
    await setRole(userId, 'owner')
    const started = await postForm('/oidc/device', { ...CLIENT, scope: SCOPE })
    const { user_code } = await started.json<{ user_code: string }>()
    advanceClock(2)
    const path = await continueUrl(await browser.post('/device', { user_code }))
    const question = await browser.get(redirectUrl(await browser.get(path), 303).href)
    expect(await question.text()).not.toContain('data-options=')

    const signIn = await browser.get(
      `/api/auth/signin?${new URLSearchParams({ callbackUrl: path })}`,
    )
    await usePasskey(browser, await signIn.text(), { authenticator })
    const withPasskey = await browser.get(path)
    const platform = await startAtTikTok(browser, redirectUrl(withPasskey, 303))
    await browser.get(await browser.approve(platform, handle))
    const withTikTok = await approveWithTikTok({ browser, handle, path })

    expect(redirectUrl(withPasskey, 303).pathname).toBe('/api/auth/signin')
    expect(await continueUrl(withTikTok)).toContain(path)
  })

  it('does not get more with a later role, unless they allow more', async () => {
    const user = await signInAs('support')
    const { access_token: token } = await login(user)
    await setRole(user.userId, 'owner')

    expect((await callApi('/users', { token })).status).toBe(200)
    const response = await createClient(token)
    expect(response.status).toBe(403)
    expect(response.headers.get('WWW-Authenticate')).toContain('scope="admin:write"')
  })

  it('is told that the role forbids something, which another token would not change', async () => {
    const { access_token: token } = await login(await signInAs('support'))

    const response = await createClient(token)

    expect(response.status).toBe(403)
    expect(response.headers.get('WWW-Authenticate')).toBeNull()
    expect((await readProblem(response)).detail).toBe('Your role, support, does not allow this.')
  })

  it('loses the access with the role, at the next request', async () => {
    const owner = await signInAs('owner')
    const { access_token: token } = await login(owner)
    await setRole(owner.userId, 'support')
    const asSupport = await createClient(token)
    await env.DIRECTORY.prepare('DELETE FROM administrators WHERE name = ?')
      .bind(owner.userId)
      .run()

    expect(asSupport.status).toBe(403)
    expect((await callApi('/users', { token })).status).toBe(404)
  })

  it('loses the access when they remove it on the account page, or log out', async () => {
    const owner = await signInAs('owner')
    const first = await login(owner)
    await owner.browser.post('/account/consents', CLIENT)
    const second = await login(owner)
    await postForm('/oidc/revoke', { ...CLIENT, token: second.refresh_token })

    expect((await callApi('/users', { token: first.access_token })).status).toBe(404)
    expect((await callApi('/users', { token: second.access_token })).status).toBe(404)
  })

  it('gets a new token with the refresh token, for nothing but the admin API', async () => {
    const { refresh_token } = await login(await signInAs('owner'))

    const response = await postForm('/oidc/token', {
      grant_type: 'refresh_token',
      refresh_token,
      ...CLIENT,
    })
    const tokens = await response.json<Tokens>()
    issuedSecrets.add(tokens.access_token).add(tokens.refresh_token)

    expect(tokens.refresh_token).not.toBe(refresh_token)
    expect((await callApi('/users', { token: tokens.access_token })).status).toBe(200)
    expect((await getUserinfo(tokens.access_token)).status).toBe(401)
  })
})

describe('the admin API', () => {
  it('does not exist for users without a role, and records their attempt', async () => {
    const user = await signInAs(undefined)
    const { access_token: token } = await login(user)

    expect((await callApi('/users', { token })).status).toBe(404)
    const entry = await env.DIRECTORY.prepare(
      "SELECT event FROM audit WHERE actor = ? AND event = 'admin_denied'",
    )
      .bind(user.userId)
      .first()
    expect(entry).not.toBeNull()
  })

  it('is for no other client of users', async () => {
    const response = await postForm('/oidc/device', {
      client_id: 'television',
      scope: SCOPE,
      resource: ADMIN_API,
    })

    expect(await response.json()).toMatchObject({ error: 'invalid_target' })
  })

  it('is for no client that has the id of the command line', async () => {
    const { access_token: token } = await login(await signInAs('owner'))
    const body = { ...CLIENT, redirect_uris: ['https://new.example/'] }

    const response = await callApi('/clients', { method: 'POST', body, token })

    expect(response.status).toBe(400)
  })
})
