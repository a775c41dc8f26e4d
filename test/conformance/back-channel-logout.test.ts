import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { LOGIN, standIn } from '../browser.ts'
import { signedIn } from '../oidc/relying-app.ts'
import { Certifier, discovery } from './certifier.ts'

const BYE = 'https://certifier.example/post_logout_redirect'
const STATE = 's'.repeat(128)

interface Delivery {
  path: string
  type: string
  body: string
}

/** What the app has been told at its back-channel address. */
async function told(): Promise<Delivery[]> {
  const received: Delivery[] = await (await fetch('https://told.example/received')).json()
  return received.filter(({ path }) => path === '/certifier')
}

describe('the back-channel logout plan', () => {
  it('oidcc-backchannel-logout-discovery-endpoint-verification: announces it, with sessions', async () => {
    const metadata = await discovery()

    expect(metadata).toMatchObject({
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    })
    expect(URL.parse(String(metadata['end_session_endpoint']))?.protocol).toBe('https:')
  })

  it('[J8] oidcc-backchannel-rp-initiated-logout: tells the app, leads back, and has logged out', async () => {
    await standIn.post('users', { handle: 'back-channel' })
    const browser = await signedIn('back-channel')
    const { id_token: hint = '' } = await new Certifier('query').tokens(browser)
    const { sub, sid } = (await new Certifier('query').verify(hint)).payload
    const object = env.USERS.get(env.USERS.idFromName(sub ?? ''))
    const before = (await told()).length

    const query = { id_token_hint: hint, post_logout_redirect_uri: BYE, state: STATE }
    const response = await browser.get(`/oidc/logout?${new URLSearchParams(query)}`)
    await runDurableObjectAlarm(object)
    await vi.waitFor(async () => expect((await told()).length).toBe(before + 1))

    const [{ type = '', body = '' } = {}] = (await told()).slice(before)
    expect(type).toMatch(/^application\/x-www-form-urlencoded/)
    const form = new URLSearchParams(body)
    expect([...form.keys()]).toEqual(['logout_token'])
    const keys = createLocalJWKSet(await browser.json('/.well-known/jwks.json'))
    const { payload } = await jwtVerify(form.get('logout_token') ?? '', keys, {
      issuer: LOGIN,
      audience: 'certifier',
      algorithms: ['RS256'],
      maxTokenAge: '1 day',
    })
    expect(payload).toMatchObject({ sub, sid, jti: expect.stringMatching(/./) })
    expect(sid).toEqual(expect.stringMatching(/./))
    expect(payload['events']).toEqual({ 'http://schemas.openid.net/event/backchannel-logout': {} })
    expect(payload).not.toHaveProperty('nonce')
    expect(response.headers.get('Location')).toBe(`${BYE}?state=${STATE}`)
    const certifier = new Certifier('query')
    const silent = await certifier.ask(browser, { prompt: 'none' })
    expect(await certifier.refusal(silent)).toBe('login_required')
  })
})
