import { describe, expect, it } from 'vitest'
import { createVideoPlatform } from '../../demo/video-platform/app.ts'
import { authorizeUrl, exchange, logIn, post, SANDBOX } from './visitor.ts'

const API = 'https://open.tiktokapis.com'

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
  ])('[V7] does not know %s %s', async (method, path) => {
    const response = await createVideoPlatform().request(API + path, { method })

    expect(response.status).toBe(404)
    expect(response.headers.get('Content-Type')).toMatch(/^text\/plain/)
    expect(await response.text()).toBe('Unsupported path(Janus)')
  })

  it('gives every answer its log id, the one the body names, and forbids storing it', async () => {
    const response = await post(createVideoPlatform(), '/v2/oauth/token/', SANDBOX)
    const body: { log_id: string } = await response.json()

    expect(body.log_id).toMatch(/^\d{14}[0-9A-F]{20}$/)
    expect(response.headers.get('x-tt-logid')).toBe(body.log_id)
    expect(response.headers.get('Cache-Control')).toContain('no-store')
  })

  it('has no API at the address of the pages', async () => {
    const url = 'https://www.tiktok.com/v2/oauth/token/'
    const response = await createVideoPlatform().request(url, { method: 'POST' })

    expect(response.status).toBe(404)
  })

  it('serves both surfaces from one loopback origin', async () => {
    const stage = createVideoPlatform()
    const local = (url: string) => url.replace('https://www.tiktok.com', 'http://localhost:8788')

    expect((await stage.request(local(authorizeUrl()))).status).toBe(200)
    expect((await stage.request('http://localhost:8788/v2/user/info/')).status).toBe(401)
  })

  it('answers nowhere else', async () => {
    const response = await createVideoPlatform().request('https://platform.example/')

    expect(response.status).toBe(403)
  })
})

describe('two stand-ins', () => {
  it('share nothing', async () => {
    const callback = await logIn(createVideoPlatform())
    const response = await exchange(createVideoPlatform(), callback)

    expect(await response.json()).toMatchObject({ error: 'invalid_grant' })
  })
})
