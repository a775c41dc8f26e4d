import { runDurableObjectAlarm } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { userObject } from '../../storage.ts'
import { logoutDeliveries } from '../oidc/logout-token-receiver.ts'
import { discoveryDocument, verifyWithPublishedKeys } from '../oidc/published-metadata.ts'
import { logoutUrl, signedInAsNewUser } from '../oidc/relying-app.ts'
import { ConformanceClient, LONG_STATE } from './conformance-client.ts'

const POST_LOGOUT_REDIRECT_URI = 'https://certifier.example/post_logout_redirect'

describe('the back-channel logout plan', () => {
  it('oidcc-backchannel-logout-discovery-endpoint-verification: discovery lists logout with sessions', async () => {
    const metadata = await discoveryDocument()

    expect(metadata).toMatchObject({
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    })
    expect(URL.parse(String(metadata['end_session_endpoint']))?.protocol).toBe('https:')
  })

  it('[J8] oidcc-backchannel-rp-initiated-logout: sends a logout token, redirects back and ends the session', async () => {
    const browser = await signedInAsNewUser()
    const client = new ConformanceClient('query')
    const { id_token = '' } = await client.tokens(browser)
    const { sub, sid } = (await client.verifyIdToken(id_token)).payload
    const parameters = {
      id_token_hint: id_token,
      post_logout_redirect_uri: POST_LOGOUT_REDIRECT_URI,
      state: LONG_STATE,
    }
    const deliveries = () => logoutDeliveries({ path: '/certifier', sid: String(sid) })

    const response = await browser.get(logoutUrl(parameters))
    await runDurableObjectAlarm(userObject(sub ?? ''))
    await vi.waitFor(async () => expect(await deliveries()).toHaveLength(1))

    const [{ type = '', body = '' } = {}] = await deliveries()
    expect(type).toMatch(/^application\/x-www-form-urlencoded/)
    const form = new URLSearchParams(body)
    expect([...form.keys()]).toEqual(['logout_token'])
    const { payload } = await verifyWithPublishedKeys(form.get('logout_token') ?? '', {
      audience: 'certifier',
      algorithms: ['RS256'],
      maxTokenAge: '1 day',
    })
    expect(payload).toMatchObject({ sub, sid, jti: expect.stringMatching(/./) })
    expect(sid).toEqual(expect.stringMatching(/./))
    expect(payload['events']).toEqual({ 'http://schemas.openid.net/event/backchannel-logout': {} })
    expect(payload).not.toHaveProperty('nonce')
    expect(response.headers.get('Location')).toBe(`${POST_LOGOUT_REDIRECT_URI}?state=${LONG_STATE}`)
    const silent = await client.authorize(browser, { prompt: 'none' })
    expect(await client.readError(silent)).toBe('login_required')
  })
})
