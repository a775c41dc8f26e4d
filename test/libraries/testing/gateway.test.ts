import { describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../../src/libraries/testing/video-platform/app.ts'
import { API, authorizeUrl, exchangeCode, logIn, post, SANDBOX, WEB } from './client.ts'

describe('the API gateway', () => {
  it.each([
    ['POST', '/v2/oauth/token'],
    ['POST', '/v2/oauth/revoke'],
    ['POST', '/v2/oauth/get_qrcode'],
    ['GET', '/v2/oauth/check_qrcode/'],
    ['GET', '/v2/user/info'],
    ['GET', '/v2/oauth/token/'],
    ['GET', '/v2/oauth/revoke/'],
    ['POST', '/v2/user/info/'],
    ['GET', '/v2/research/'],
    ['GET', '/v2/auth/authorize/'],
  ])('[V7] responds with 404 to %s %s', async (method, path) => {
    const response = await createVideoPlatform().request(API + path, { method })

    expect(response.status).toBe(404)
    expect(response.headers.get('Content-Type')).toMatch(/^text\/plain/)
    expect(await response.text()).toBe('Unsupported path(Janus)')
  })

  it('sends the log id as a header and in the body, and forbids caching', async () => {
    const response = await post(createVideoPlatform(), '/v2/oauth/token/', SANDBOX)
    const body: { log_id: string } = await response.json()

    expect(body.log_id).toMatch(/^\d{14}[0-9A-F]{20}$/)
    expect(response.headers.get('x-tt-logid')).toBe(body.log_id)
    expect(response.headers.get('Cache-Control')).toContain('no-store')
  })

  it('does not serve the API on the host of the pages', async () => {
    const response = await createVideoPlatform().request(`${WEB}/v2/oauth/token/`, {
      method: 'POST',
    })

    expect(response.status).toBe(404)
  })

  it('serves pages and API on one loopback origin', async () => {
    const standIn = createVideoPlatform()
    const loopbackUrl = authorizeUrl().replace(WEB, 'http://localhost:8788')

    expect((await standIn.request(loopbackUrl)).status).toBe(200)
    expect((await standIn.request('http://localhost:8788/v2/user/info/')).status).toBe(401)
  })

  it('rejects any other host', async () => {
    const response = await createVideoPlatform().request('https://platform.example/')

    expect(response.status).toBe(403)
  })
})

describe('two stand-ins', () => {
  it('share nothing', async () => {
    const callback = await logIn(createVideoPlatform())
    const response = await exchangeCode(createVideoPlatform(), callback)

    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
  })
})
