import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Browser, LOGIN, SHOP, serviceWith } from '../browser.ts'
import { RelyingApp, resumed, signedIn } from './relying-app.ts'

const clients = (env as unknown as { CLIENTS: Record<string, unknown>[] }).CLIENTS

afterEach(() => {
  vi.useRealTimers()
})

function later(seconds: number): void {
  vi.useFakeTimers({ now: Date.now() + seconds * 1000, toFake: ['Date'] })
}

/** A signed-in browser of somebody who has not agreed to anything. */
async function undecided(persona = 'noah'): Promise<Browser> {
  const browser = await signedIn(persona)
  const id = (await browser.session())?.user.id ?? ''
  await runInDurableObject(env.USERS.get(env.USERS.idFromName(id)), (_, { storage }) => {
    for (const [name] of storage.kv.list({ prefix: 'consent:' })) storage.kv.delete(name)
  })
  return browser
}

/** The sealed request on a consent page. */
async function requestOn(response: Response): Promise<string> {
  return (await response.text()).match(/name="request" value="([^"]+)"/)?.[1] ?? ''
}

/** Where a redirect of ours leads, and what it says there. */
function leadsTo(response: Response): URL {
  return new URL(response.headers.get('Location') ?? '/nowhere', LOGIN)
}

describe('prompt and max_age', () => {
  it.each([{ max_age: '0' }, { prompt: 'select_account' }])(
    '[A17][A18] %o wants a new sign-in, and the token says when',
    async (changes) => {
      const browser = await signedIn()
      const before = (await new RelyingApp().tokens(browser)).claims()?.['auth_time'] as number
      later(10)
      const app = new RelyingApp()

      const toSignIn = await browser.get(await app.authorizationUrl(changes))
      expect(leadsTo(toSignIn).pathname).toBe('/api/auth/signin')
      expect(leadsTo(toSignIn).searchParams.get('prompt')).toBe('login')
      await browser.signIn('mia', { callbackUrl: await resumed(toSignIn), prompt: 'login' })
      later(5)
      const answered = await browser.get(await resumed(toSignIn))

      const after = (await app.exchange(leadsTo(answered))).claims()?.['auth_time'] as number
      expect(after).toBeGreaterThanOrEqual(before + 10)
    },
  )

  it.each([
    ['as it is', (_: URLSearchParams) => {}],
    ['without its mark', (query: URLSearchParams) => query.delete('reauth')],
    ['with an invented mark', (query: URLSearchParams) => query.set('reauth', 'AAAA')],
    ['with another state', (query: URLSearchParams) => query.set('state', 'other')],
  ])('[A17] is not satisfied by coming back %s, without a sign-in', async (_, tamper) => {
    const browser = await signedIn()
    later(10)
    for (const changes of [{ prompt: 'login' }, { max_age: '5' }]) {
      const url = await new RelyingApp().authorizationUrl(changes)
      const query = new URLSearchParams((await resumed(await browser.get(url))).split('?')[1])
      tamper(query)

      const response = await browser.get(`/oidc/authorize?${query}`)

      expect(leadsTo(response).pathname).toBe('/api/auth/signin')
    }
  })

  it('[A17] is not satisfied by the mark of another request, or an old one', async () => {
    const browser = await signedIn()
    later(10)
    const first = await resumed(
      await browser.get(await new RelyingApp().authorizationUrl({ prompt: 'login' })),
    )
    await browser.signIn('mia', { prompt: 'login' })
    later(10)
    const other = new URL(await new RelyingApp().authorizationUrl({ prompt: 'login' }))
    other.searchParams.set('reauth', new URLSearchParams(first.split('?')[1]).get('reauth') ?? '')

    const query = new URLSearchParams(first.split('?')[1])
    query.set('state', 'other')

    expect(leadsTo(await browser.get(other.href)).pathname).toBe('/api/auth/signin')
    expect(leadsTo(await browser.get(`/oidc/authorize?${query}`)).pathname).toBe('/api/auth/signin')
    expect(leadsTo(await browser.get(first)).searchParams.has('code')).toBe(true)
    later(900)
    expect(leadsTo(await browser.get(first)).pathname).toBe('/api/auth/signin')
  })

  it('[A17][A18] wants a new sign-in from who has signed in within the same second', async () => {
    vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] })
    const browser = await signedIn()

    for (const changes of [{ prompt: 'login' }, { max_age: '0' }]) {
      const response = await browser.get(await new RelyingApp().authorizationUrl(changes))

      expect(leadsTo(response).pathname).toBe('/api/auth/signin')
      expect(leadsTo(await browser.get(await resumed(response))).pathname).toBe('/api/auth/signin')
    }
  })

  it('[A15] prompt=none shows nothing: a recent sign-in or an error', async () => {
    const browser = await undecided()
    later(10)
    const error = async (clientId: string, changes: Record<string, string>) =>
      (
        await new RelyingApp(clientId).callback(browser, { prompt: 'none', ...changes })
      ).searchParams.get('error')

    expect(await error('web', { max_age: '5' })).toBe('login_required')
    expect(await error('web', { max_age: '100' })).toBeNull()
    expect(await error('kiosk', {})).toBe('consent_required')
  })
})

describe('id_token_hint', () => {
  it('[A19] of who is signed in is answered silently, even expired', async () => {
    const browser = await signedIn()
    const { id_token: hint } = await new RelyingApp().tokens(browser)
    later(3601)

    const tokens = await new RelyingApp().tokens(browser, { prompt: 'none', id_token_hint: hint })

    expect(tokens.claims()?.sub).toBe(decodeJwt(hint ?? '').sub)
  })

  it('[A19] of somebody else leads to no code for who is here', async () => {
    const { id_token } = await new RelyingApp().tokens(await signedIn('mia'))
    const browser = await signedIn('noah')
    const app = new RelyingApp()

    const silent = await app.callback(browser, { prompt: 'none', id_token_hint: id_token })
    const asked = await browser.get(await app.authorizationUrl({ id_token_hint: id_token }))

    expect(silent.searchParams.get('error')).toBe('login_required')
    expect(leadsTo(asked).pathname).toBe('/api/auth/signin')
  })

  it('[A19] of another client, changed or invented is refused', async () => {
    const browser = await signedIn()
    const { id_token = '' } = await new RelyingApp('post').tokens(browser)
    const own = (await new RelyingApp().tokens(browser)).id_token ?? ''
    const unsigned = `${btoa('{"alg":"none"}').replaceAll('=', '')}.${own.split('.')[1]}.`

    for (const hint of [id_token, `${own}x`, own.slice(0, -9), unsigned, 'a.b.c', 'x']) {
      const response = await browser.get(
        await new RelyingApp().authorizationUrl({ id_token_hint: hint }),
      )

      expect(leadsTo(response).searchParams.get('error')).toBe('invalid_request')
    }
  })
})

describe('the consent page', () => {
  it('[A27] names the app, where it leads and what it asks, before any code', async () => {
    const browser = await undecided()

    const response = await browser.get(await new RelyingApp('kiosk').authorizationUrl())

    expect([response.status, response.headers.get('Location')]).toEqual([200, null])
    const page = await response.text()
    for (const text of [
      'The kiosk',
      'kiosk.example',
      'Noah',
      'recognise you',
      'name and picture',
      'id="approve"',
    ])
      expect(page).toContain(text)
    expect(page).not.toContain('email')
  })

  it('[A28] is shown again for more scopes and for prompt=consent, and not for fewer', async () => {
    const browser = await undecided()
    const ask = async (changes: Record<string, string>) =>
      browser.get(await new RelyingApp('kiosk').authorizationUrl(changes))
    const agree = async (response: Response) =>
      browser.post('/oidc/consent', { request: await requestOn(response), answer: 'approve' })

    await agree(await ask({}))
    expect((await ask({})).status).toBe(303)
    expect((await ask({ scope: 'openid' })).status).toBe(303)
    expect((await ask({ prompt: 'consent' })).status).toBe(200)
    const wider = await ask({ scope: 'openid email' })
    expect(wider.status).toBe(200)
    await agree(wider)
    expect((await ask({ scope: 'openid profile email' })).status).toBe(303)
    // For this app alone, and for this person.
    expect((await browser.get(await new RelyingApp('native').authorizationUrl())).status).toBe(200)
    const other = await undecided('lena')
    expect((await other.get(await new RelyingApp('kiosk').authorizationUrl())).status).toBe(200)
  })

  it.each<[string, Record<string, string>]>([
    ['no scope', { scope: '' }],
    ['an unknown scope', { scope: 'x:y' }],
    ['a claim of another scope', { scope: 'openid', claims: '{"userinfo":{"name":null}}' }],
    ['a claim for the ID token', { scope: 'openid', claims: '{"id_token":{"email":null}}' }],
  ])('[A27][A28] is not spared who asks for %s', async (name, changes) => {
    const browser = await undecided()
    const app = new RelyingApp('kiosk')
    if (name.includes('claim')) {
      const page = await browser.get(await app.authorizationUrl({ scope: 'openid' }))
      await browser.post('/oidc/consent', { request: await requestOn(page), answer: 'approve' })
    }

    const silent = await app.callback(browser, { prompt: 'none', ...changes })

    expect(silent.searchParams.get('error')).toBe('consent_required')
  })

  it('[A29] takes no answer from who has signed out', async () => {
    const browser = await undecided()
    const url = await new RelyingApp('kiosk').authorizationUrl()
    const request = await requestOn(await browser.get(url))
    const kept = new Map(browser.cookies)
    await browser.post('/api/auth/signout', {})
    for (const [name, value] of kept) browser.cookies.set(name, value)

    const response = await browser.post('/oidc/consent', { request, answer: 'approve' })

    expect([response.status, response.headers.get('Location')]).toEqual([400, null])
    expect((await (await signedIn('noah')).get(url)).status).toBe(200)
  })

  it.each(['query', 'form_post'])(
    '[A6] tells the app when the person says no (%s)',
    async (response_mode) => {
      const browser = await undecided()
      const app = new RelyingApp('kiosk')
      const page = await browser.get(await app.authorizationUrl({ response_mode }))

      const denied = await browser.post('/oidc/consent', {
        request: await requestOn(page),
        answer: 'deny',
      })

      const told = denied.headers.get('Location') ?? (await denied.text())
      for (const text of ['access_denied', app.state, app.redirectUri]) expect(told).toContain(text)
      expect((await browser.get(await app.authorizationUrl())).status).toBe(200)
    },
  )

  it.each<[string, Record<string, string>]>([
    ['another site', { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }],
    ['a sibling', { Origin: 'https://evil.login.example', 'Sec-Fetch-Site': 'same-site' }],
    ['a registered app', { Origin: SHOP, 'Sec-Fetch-Site': 'same-site' }],
    ['a sandboxed frame', { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }],
    ['nobody knows where, without our token', { 'Sec-Fetch-Site': '' }],
  ])('[A29] takes no answer from %s', async (_, headers) => {
    const browser = await undecided()
    const url = await new RelyingApp('kiosk').authorizationUrl()
    const request = await requestOn(await browser.get(url))
    const form = { request, answer: 'approve' }
    const sent = headers['Sec-Fetch-Site'] === '' ? {} : headers

    const response = await browser.fetch('/oidc/consent', { form, headers: sent })

    expect(response.status).toBe(403)
    expect((await browser.get(url)).status).toBe(200)
  })

  it('[A26] takes an answer to nothing but what it asked this person', async () => {
    const browser = await undecided()
    const url = await new RelyingApp('kiosk').authorizationUrl()
    const request = await requestOn(await browser.get(url))
    const others = await requestOn(await (await undecided('lena')).get(url))
    const cookie = browser.cookies.get('__Host-vestibule.session') ?? ''

    for (const forged of [
      others,
      `${request.slice(0, -3)}AAA`,
      new URL(url).search,
      cookie,
      '',
      'x',
    ]) {
      const response = await browser.post('/oidc/consent', { request: forged, answer: 'approve' })

      expect([response.status, response.headers.get('Location')]).toEqual([400, null])
    }
    expect((await browser.get(url)).status).toBe(200)
  })

  it.each<[string, (client: Record<string, unknown>) => unknown[]]>([
    ['removed', () => []],
    ['given another address', (client) => [{ ...client, redirect_uris: [`${SHOP}/new`] }]],
  ])('[A25] goes nowhere once the client is %s', async (_, change) => {
    const before = await undecided()
    const sealed = await requestOn(
      await before.get(await new RelyingApp('kiosk').authorizationUrl()),
    )
    const CLIENTS = clients.flatMap((one) => (one['client_id'] === 'kiosk' ? change(one) : [one]))
    const browser = new Browser(serviceWith({ CLIENTS }))
    for (const [name, value] of before.cookies) browser.cookies.set(name, value)

    for (const answer of ['approve', 'deny']) {
      const response = await browser.post('/oidc/consent', { request: sealed, answer })

      expect([response.status, response.headers.get('Location')]).toEqual([400, null])
    }
  })

  it.each([
    ['redirect_uri', 'https://evil.example/'],
    ['response_type', 'token'],
    ['client_id', 'blog'],
  ])(
    '[A11][A25] a %s changed on the way back from the sign-in room is checked like any',
    async (name, value) => {
      const browser = new Browser()
      const back = await resumed(await browser.get(await new RelyingApp().authorizationUrl()))
      const query = new URLSearchParams(back.split('?')[1])
      query.set(name, value)

      const returned = await browser.signIn('mia', { callbackUrl: `/oidc/authorize?${query}` })
      const response = await browser.get(returned.headers.get('Location') ?? '')

      const answer = leadsTo(response)
      expect(answer.searchParams.has('code')).toBe(false)
      expect(['https://web.example', LOGIN]).toContain(answer.origin)
    },
  )
})
