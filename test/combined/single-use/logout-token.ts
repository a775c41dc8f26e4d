import { createServer } from '../../../src/server.ts'
import { LOGIN } from '../../browser.ts'
import { MINUTE } from '../../clock.ts'
import { logoutDeliveries } from '../../core/oidc/logout-token-receiver.ts'
import { RelyingApp, SECRETS } from '../../core/oidc/relying-app.ts'
import type { SingleUse } from './single-use.ts'

/** A token, and how far the clock of an app may differ. */
const LIFETIME = 2 * MINUTE + 30

/** At the back-channel address of an app that uses `vestibule-auth/server`. */
export const logoutToken: SingleUse = {
  usedUpBy: [],
  lifetime: LIFETIME,
  repeatable: [LIFETIME, 'It ends a session, which has no effect the second time.'],
  async obtain(deployment) {
    const browser = await deployment.signedIn()
    await new RelyingApp('web').callbackFor(browser)
    const before = await logoutDeliveries({ path: '/web' })
    await browser.post('/api/auth/signout', {})
    await deployment.cleanUp()
    const deliveries = await logoutDeliveries({ path: '/web' })
    const body = deliveries.slice(before.length).at(-1)?.body
    const token = new URLSearchParams(body).get('logout_token') ?? ''
    return async (service) => {
      const login = createServer({
        url: LOGIN,
        clientId: 'web',
        clientSecret: SECRETS['web'] ?? '',
        secret: 'the first secret of the web app, 1',
        origin: 'https://web.example',
        fetch: (url, init) => service(new Request(url, init)),
      })
      return (await login.verifyLogoutToken(token))?.jti
    }
  },
}
