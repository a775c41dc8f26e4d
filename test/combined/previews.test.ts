import { describe, expect, it } from 'vitest'
import { options } from '../../src/deployment.ts'
import { createVestibule } from '../../src/vestibule.ts'
import { Browser, serviceOf } from '../browser.ts'
import { formRequest, RelyingApp } from '../core/oidc/relying-app.ts'
import { openService, signedIn, UnregisteredApp } from '../features/agents/unregistered-app.ts'
import { signInNewUser } from '../new-user.ts'
import { redirectUrl } from '../redirect.ts'
import { clientsWith } from '../registered-clients.ts'

const PREVIEW = 'https://pr-42.preview.shop.example/callback'
const CLIENTS = clientsWith({
  shop: { redirect_uris: ['https://*.preview.shop.example/callback'] },
})

describe('a preview', () => {
  it.each([
    ['before', options.features ?? []],
    ['after', options.features?.toReversed() ?? []],
  ])(
    'can push its requests, with previews() listed %s senderConstrained()',
    async (_, features) => {
      const service = serviceOf(createVestibule({ ...options, features }), { CLIENTS })
      const app = new RelyingApp('shop')
      const url = new URL(await app.authorizationUrl({ redirect_uri: PREVIEW }))
      const headers = { Origin: new URL(PREVIEW).origin }

      const pushed = await service(
        formRequest('/oidc/par', Object.fromEntries(url.searchParams), headers),
      )
      const { request_uri } = await pushed.json<{ request_uri: string }>()
      const { browser } = await signInNewUser(new Browser(service))
      const query = new URLSearchParams({ client_id: 'shop', request_uri })
      const callback = redirectUrl(await browser.get(`/oidc/authorize?${query}`), 303)

      expect(pushed.headers.get('Access-Control-Allow-Origin')).toBe(headers.Origin)
      expect(callback.href).toContain(`${PREVIEW}?code=`)
    },
  )

  it('[N1] is not at a wildcard of an unregistered client, whatever its document says', async () => {
    const app = new UnregisteredApp()
    const wildcard = `https://*.${app.host}/callback`
    await app.publish({ first_party: true, redirect_uris: [app.redirectUri, wildcard] })
    const browser = await signedIn(openService)

    expect((await app.authorize(browser)).status).toBe(200)
    for (const redirect_uri of [`https://pr-1.${app.host}/callback`, wildcard]) {
      const response = await app.authorize(browser, { redirect_uri })
      expect(response.status).toBe(400)
      expect(response.headers.get('Location')).toBeNull()
    }
  })
})
