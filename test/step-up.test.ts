import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { Browser, LOGIN, serviceWith, standIn } from './browser.ts'
import { RelyingApp } from './oidc/relying-app.ts'

const clients = (env as unknown as { CLIENTS: { client_id: string }[] }).CLIENTS

/** A deployment whose shop may see what the platform tells, and whose blog needs people's numbers. */
const service = serviceWith({
  CLIENTS: clients.map((client) => ({
    ...client,
    ...(client.client_id === 'shop' && { scope: 'openid profile platform' }),
    ...(client.client_id === 'web' && {
      scope: 'openid profile platform',
      upstream_scope: ['user.info.stats'],
    }),
  })),
})

async function newcomer(): Promise<{ browser: Browser; handle: string }> {
  const handle = `u${crypto.randomUUID().slice(0, 8)}`
  await standIn.post('users', { handle, bio: 'Bakes.', verified: true, followers: 12 })
  return { browser: new Browser(service), handle }
}

function leadsTo(response: Response): URL {
  return new URL(response.headers.get('Location') ?? '/nowhere', LOGIN)
}

/** Follows a request from the authorization endpoint to the platform. */
async function toPlatform(browser: Browser, url: string): Promise<URL> {
  const { pathname, search } = leadsTo(await browser.get(url))
  const path = pathname.endsWith('/signin') ? `${pathname}/tiktok` : pathname
  return leadsTo(await browser.get(`${path}${search}`))
}

async function userinfo(app: RelyingApp, browser: Browser, scope: string) {
  const answered = await browser.get(await app.authorizationUrl({ scope }))
  const response = await browser.fetch('/oidc/token', {
    form: {
      grant_type: 'authorization_code',
      client_id: app.clientId,
      code: leadsTo(answered).searchParams.get('code') ?? '',
      redirect_uri: app.redirectUri,
      code_verifier: app.verifier,
    },
  })
  const { access_token } = await response.json<{ access_token: string }>()
  const told = await browser.get('/oidc/userinfo', { Authorization: `Bearer ${access_token}` })
  return told.json<Record<string, unknown>>()
}

describe('what the platform tells besides', () => {
  it('reaches a client in one claim, behind a scope, with the time it was read', async () => {
    const { browser, handle } = await newcomer()
    await browser.signIn(handle)
    const app = new RelyingApp('shop')

    const claims = await userinfo(app, browser, 'openid platform')

    const platform = claims['platform'] as Record<string, unknown>
    expect(platform).toMatchObject({ provider: 'tiktok', username: handle, is_verified: true })
    expect(Math.abs(Number(platform['read_at']) - Date.now() / 1000)).toBeLessThan(60)
    expect(JSON.stringify(claims)).not.toContain('open_id')
    expect(JSON.stringify(claims)).not.toContain('null')
    expect(platform).not.toHaveProperty('follower_count')
  })

  it('reaches nobody without the scope, and no session', async () => {
    const { browser, handle } = await newcomer()
    await browser.signIn(handle)

    expect(await userinfo(new RelyingApp('shop'), browser, 'openid profile')).not.toHaveProperty(
      'platform',
    )
    expect(JSON.stringify(await browser.session())).not.toContain('is_verified')
  })

  it('follows what was granted', async () => {
    const { browser, handle } = await newcomer()
    await browser.signIn(handle, { grant: 'user.info.basic' })

    const { platform } = await userinfo(new RelyingApp('shop'), browser, 'openid platform')

    expect(Object.keys(platform as object).toSorted()).toEqual(['provider', 'read_at'])
  })
})

describe('a client that needs more', () => {
  it('leads who has granted less to the platform, which asks for it', async () => {
    const { browser, handle } = await newcomer()
    await browser.signIn(handle)
    const { sid } = decodeJwt((await browser.session())?.token ?? '')
    const app = new RelyingApp('web')
    const url = await app.authorizationUrl()

    const authorization = await toPlatform(browser, url)

    expect(authorization.searchParams.get('scope')).toBe(
      'user.info.basic,user.info.profile,user.info.stats',
    )
    expect(authorization.searchParams.get('disable_auto_auth')).toBe('1')
    const back = leadsTo(await browser.get(await browser.approve(authorization, handle)))
    const answer = leadsTo(await browser.get(back.href))
    expect(answer.origin).toBe('https://web.example')
    expect(answer.searchParams.get('code')).toMatch(/^ac_/)
    expect(decodeJwt((await browser.session())?.token ?? '')).toMatchObject({ sid })
  })

  it('asks nobody twice', async () => {
    const { browser, handle } = await newcomer()
    const app = new RelyingApp('web')
    const authorization = await toPlatform(browser, await app.authorizationUrl())
    await browser.get(await browser.approve(authorization, handle))

    const answer = leadsTo(await browser.get(await app.authorizationUrl()))

    expect(answer.searchParams.get('code')).toMatch(/^ac_/)
  })

  it('gets nobody who refuses it: a page explains, and offers another try', async () => {
    const { browser, handle } = await newcomer()
    await browser.signIn(handle)
    const authorization = await toPlatform(browser, await new RelyingApp('web').authorizationUrl())

    const refused = await browser.get(
      await browser.approve(authorization, handle, 'user.info.basic,user.info.profile'),
    )

    expect(refused.status).toBe(403)
    const page = await refused.text()
    expect(page).toContain('scope_missing')
    const again = page
      .match(/href="(\/api\/auth\/signin\/tiktok[^"]+)"/)?.[1]
      ?.replaceAll('&amp;', '&')
    const retry = leadsTo(await browser.get(again ?? ''))
    expect(retry.searchParams.get('disable_auto_auth')).toBe('1')
    expect(retry.searchParams.get('scope')).toContain('user.info.stats')
    expect(await browser.session()).not.toBeNull()
  })

  it('is told so when it must not ask', async () => {
    const { browser, handle } = await newcomer()
    await browser.signIn(handle)

    const answer = leadsTo(
      await browser.get(await new RelyingApp('web').authorizationUrl({ prompt: 'none' })),
    )

    expect(answer.searchParams.get('error')).toBe('interaction_required')
  })

  it('changes nothing for others', async () => {
    const { browser, handle } = await newcomer()
    await browser.signIn(handle)

    const answer = leadsTo(
      await browser.get(await new RelyingApp('shop').authorizationUrl({ scope: 'openid' })),
    )

    expect(answer.searchParams.get('code')).toMatch(/^ac_/)
  })
})
