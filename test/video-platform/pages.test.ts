import { describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../demo/video-platform/app.ts'
import {
  authorizeUrl,
  BASIC,
  PROFILE,
  STATS,
  type Stage,
  toQuery,
  WEB_CALLBACK,
} from './visitor.ts'

describe('the pages of the stand-in', () => {
  it('ask a stranger who they are, with a sentence on every persona', async () => {
    const html = await (await createVideoPlatform().request(authorizeUrl())).text()

    for (const handle of ['mia', 'noah', 'uma', 'emil', 'lena', 'zoe', 'bruno', 'kim', 'tova']) {
      expect(html).toContain(`data-testid="persona-${handle}"`)
    }
    expect(html).toContain('no account is needed')
    expect(html).toMatch(/^<!doctype html><html lang="en">/)
  })

  it('escape a hostile display name', async () => {
    const page = await createVideoPlatform().request(authorizeUrl({ __as: 'zoe' }))
    const html = await page.text()

    expect(html).not.toContain('<script')
    expect(html).toContain('&lt;script&gt;')
  })

  it('escape what a link to the error page says', async () => {
    const url = 'https://www.tiktok.com/v2/auth/error?error=%3Cscript%3E&error_type=%22%3E%3Cb%3E'
    const html = await (await createVideoPlatform().request(url)).text()

    expect(html).not.toContain('<script>')
    expect(html).not.toContain('<b>')
  })

  it('load nothing and run nothing', async () => {
    const page = await createVideoPlatform().request(authorizeUrl())

    expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'")
    expect(await page.text()).not.toMatch(/<script|src=|https?:\/\/(?!login\.example)/)
  })

  it('lead through login and consent with plain forms', async () => {
    const stage = createVideoPlatform()
    const query = queryOf({ scope: `${BASIC},${PROFILE},${STATS}` })

    const login = await submit(stage, 'login', { place: addressOf(query), persona: 'mia' })
    expect(login.status).toBe(303)
    const cookie = cookieOf(login)
    const consent = await stage.request(follow(login), { headers: { Cookie: cookie } })
    const html = await consent.text()
    expect(html).toContain(`data-testid="scope-${BASIC}"`)
    expect(html).toContain(`data-testid="scope-${PROFILE}"`)
    expect(html).toMatch(/value="user.info.basic" checked="" disabled=""/)

    const allowed = await submit(
      stage,
      'consent',
      { query, decision: 'allow', scope: STATS },
      cookie,
    )
    expect(allowed.status).toBe(303)
    const location = new URL(follow(allowed))
    expect(location.origin + location.pathname).toBe(WEB_CALLBACK)
    expect(location.searchParams.get('scopes')).toBe(`${BASIC},${STATS}`)
  })

  it('return the refusal of whoever cancels', async () => {
    const fields = { query: queryOf(), decision: 'deny' }
    const denied = await submit(createVideoPlatform(), 'consent', fields, personaCookie('mia'))

    expect(new URL(follow(denied)).searchParams.get('error')).toBe('access_denied')
  })

  it('remember who logged in, so that a second sign-in needs no page', async () => {
    const stage = createVideoPlatform()
    const fields = { query: queryOf(), decision: 'allow' }
    await submit(stage, 'consent', fields, personaCookie('mia'))
    const again = await stage.request(authorizeUrl(), { headers: { Cookie: personaCookie('mia') } })

    expect(again.status).toBe(302)
    expect(new URL(follow(again)).searchParams.has('code')).toBe(true)
  })

  it('let a person become another', async () => {
    const stage = createVideoPlatform()
    const out = await submit(stage, 'logout', { place: addressOf(queryOf()) }, personaCookie('mia'))

    expect(out.headers.get('Set-Cookie')).toContain('Max-Age=0')
    const page = await stage.request(follow(out))
    expect(await page.text()).toContain('data-testid="persona-noah"')
  })

  it.each(['tova', 'bruno'])(
    'log out the refused %s, whom nobody could leave else',
    async (who) => {
      const headers = { Cookie: personaCookie(who) }
      const refused = await createVideoPlatform().request(authorizeUrl(), { headers })

      expect(refused.status).toBe(302)
      expect(refused.headers.get('Set-Cookie')).toContain('Max-Age=0')
    },
  )

  it('check the request again when a form comes back tampered with', async () => {
    const query = queryOf({ redirect_uri: 'https://evil.example/' })
    const fields = { query, decision: 'allow' }
    const response = await submit(createVideoPlatform(), 'consent', fields, personaCookie('mia'))

    expect(follow(response)).toMatch(/^https:\/\/www\.tiktok\.com\/v2\/auth\/error\?/)
  })

  it('ask who is there when consent comes from nobody', async () => {
    const stage = createVideoPlatform()
    const response = await submit(stage, 'consent', { query: queryOf(), decision: 'allow' })

    expect(follow(response)).toMatch(/\/v2\/auth\/authorize\/\?/)
  })

  it.each(['https://evil.example/', '//evil.example/', '/\\evil.example/', ''])(
    'lead nowhere else after logging in: "%s"',
    async (place) => {
      const login = await submit(createVideoPlatform(), 'login', { place, persona: 'mia' })

      expect(login.headers.get('Location')).toBe('/')
    },
  )

  it('say on the front page who is logged in', async () => {
    const headers = { Cookie: personaCookie('mia') }
    const page = await createVideoPlatform().request('http://localhost:8788/', { headers })

    expect(await page.text()).toContain('data-testid="logged-in"')
  })
})

function queryOf(changes: Record<string, string> = {}): string {
  return new URL(authorizeUrl(changes)).searchParams.toString()
}

function addressOf(query: string): string {
  return `/v2/auth/authorize/?${query}`
}

async function submit(
  stage: Stage,
  form: 'login' | 'logout' | 'consent',
  fields: Record<string, string>,
  cookie = '',
): Promise<Response> {
  return stage.request(`https://www.tiktok.com/v2/auth/${form}`, {
    method: 'POST',
    body: toQuery(fields),
    headers: { Cookie: cookie },
  })
}

function follow(response: Response): string {
  return new URL(response.headers.get('Location') ?? '', 'https://www.tiktok.com').href
}

function cookieOf(response: Response): string {
  return response.headers.get('Set-Cookie')?.split(';')[0] ?? ''
}

function personaCookie(handle: string): string {
  return `video-platform-persona=${handle}`
}
