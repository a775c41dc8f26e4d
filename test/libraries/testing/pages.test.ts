import { describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../../src/libraries/testing/video-platform/app.ts'
import {
  authorizeUrl,
  BASIC,
  openPage,
  PROFILE,
  readLocation,
  STATS,
  submitForm,
  WEB,
  WEB_CALLBACK,
} from './client.ts'

const LOGIN = '/v2/auth/login'
const LOGOUT = '/v2/auth/logout'
const CONSENT = '/v2/auth/consent'

describe('a page of the stand-in', () => {
  it('lets the user select a persona, each with a description', async () => {
    const html = await (await openPage(createVideoPlatform(), authorizeUrl())).text()

    for (const handle of ['mia', 'noah', 'uma', 'emil', 'lena', 'zoe', 'bruno', 'kim', 'tova']) {
      expect(html).toContain(`data-testid="persona-${handle}"`)
    }
    expect(html).toContain('no account is needed')
    expect(html).toMatch(/^<!doctype html><html lang="en">/)
  })

  it('escapes a malicious display name', async () => {
    const page = await openPage(createVideoPlatform(), authorizeUrl({ __as: 'zoe' }))
    const html = await page.text()

    expect(html).not.toContain('<script')
    expect(html).toContain('&lt;script&gt;')
  })

  it('escapes the parameters of the error page', async () => {
    const path = '/v2/auth/error?error=%3Cscript%3E&error_type=%22%3E%3Cb%3E'
    const html = await (await openPage(createVideoPlatform(), path)).text()

    expect(html).not.toContain('<script>')
    expect(html).not.toContain('<b>')
  })

  it('loads no resources and runs no scripts', async () => {
    const page = await openPage(createVideoPlatform(), authorizeUrl())

    expect(page.headers.get('Content-Security-Policy')).toContain("default-src 'none'")
    expect(await page.text()).not.toMatch(/<script|src=|https?:\/\/(?!login\.example)/)
  })

  it('leads through login and consent with plain forms', async () => {
    const standIn = createVideoPlatform()
    const query = authorizeQuery({ scope: `${BASIC},${PROFILE},${STATS}` })

    const login = await submitForm(standIn, LOGIN, {
      fields: { place: authorizePath(query), persona: 'mia' },
    })
    expect(login.status).toBe(303)
    const Cookie = login.headers.get('Set-Cookie')?.split(';')[0] ?? ''
    const consent = await standIn.request(readLocation(login).href, { headers: { Cookie } })
    const html = await consent.text()
    expect(html).toContain(`data-testid="scope-${BASIC}"`)
    expect(html).toContain(`data-testid="scope-${PROFILE}"`)
    expect(html).toMatch(/value="user.info.basic" checked="" disabled=""/)

    const allowed = await standIn.request(WEB + CONSENT, {
      method: 'POST',
      body: new URLSearchParams({ query, decision: 'allow', scope: STATS }),
      headers: { Cookie },
    })
    expect(allowed.status).toBe(303)
    const location = readLocation(allowed)
    expect(location.origin + location.pathname).toBe(WEB_CALLBACK)
    expect(location.searchParams.get('scopes')).toBe(`${BASIC},${STATS}`)
  })

  it('redirects to the app with access_denied when the user cancels', async () => {
    const denied = await submitForm(createVideoPlatform(), CONSENT, {
      fields: { query: authorizeQuery(), decision: 'deny' },
      persona: 'mia',
    })

    expect(readLocation(denied).searchParams.get('error')).toBe('access_denied')
  })

  it('is skipped at the second login', async () => {
    const standIn = createVideoPlatform()
    const fields = { query: authorizeQuery(), decision: 'allow' }
    await submitForm(standIn, CONSENT, { fields, persona: 'mia' })
    const response = await openPage(standIn, authorizeUrl(), 'mia')

    expect(response.status).toBe(302)
    expect(readLocation(response).searchParams.has('code')).toBe(true)
  })

  it('lets the user switch to another persona', async () => {
    const standIn = createVideoPlatform()
    const logout = await submitForm(standIn, LOGOUT, {
      fields: { place: authorizePath(authorizeQuery()) },
      persona: 'mia',
    })

    expect(logout.headers.get('Set-Cookie')).toContain('Max-Age=0')
    const page = await openPage(standIn, readLocation(logout))
    expect(await page.text()).toContain('data-testid="persona-noah"')
  })

  it.each(['tova', 'bruno'])(
    'logs out %s, who may not log in to the app, so that another persona can be selected',
    async (persona) => {
      const rejected = await openPage(createVideoPlatform(), authorizeUrl(), persona)

      expect(rejected.status).toBe(302)
      expect(rejected.headers.get('Set-Cookie')).toContain('Max-Age=0')
    },
  )

  it('validates the request again when the consent form is submitted', async () => {
    const query = authorizeQuery({ redirect_uri: 'https://evil.example/' })
    const response = await submitForm(createVideoPlatform(), CONSENT, {
      fields: { query, decision: 'allow' },
      persona: 'mia',
    })

    expect(readLocation(response).href).toMatch(/^https:\/\/www\.tiktok\.com\/v2\/auth\/error\?/)
  })

  it('redirects to the login page when consent is submitted without a login', async () => {
    const response = await submitForm(createVideoPlatform(), CONSENT, {
      fields: { query: authorizeQuery(), decision: 'allow' },
    })

    expect(readLocation(response).href).toMatch(/\/v2\/auth\/authorize\/\?/)
  })

  it.each(['https://evil.example/', '//evil.example/', '/\\evil.example/', ''])(
    'does not redirect to another site after the login: "%s"',
    async (place) => {
      const login = await submitForm(createVideoPlatform(), LOGIN, {
        fields: { place, persona: 'mia' },
      })

      expect(login.headers.get('Location')).toBe('/')
    },
  )

  it('shows on the front page which persona is logged in', async () => {
    const page = await openPage(createVideoPlatform(), 'http://localhost:8788/', 'mia')

    expect(await page.text()).toContain('data-testid="logged-in"')
  })
})

function authorizeQuery(changes: Record<string, string> = {}): string {
  return new URL(authorizeUrl(changes)).searchParams.toString()
}

function authorizePath(query: string): string {
  return `/v2/auth/authorize/?${query}`
}
