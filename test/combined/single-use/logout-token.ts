import { decodeJwt } from 'jose'
import { createServer } from '../../../src/server.ts'
import { LOGIN } from '../../browser.ts'
import { MINUTE } from '../../clock.ts'
import { logoutDeliveries } from '../../core/oidc/logout-token-receiver.ts'
import { RelyingApp, SECRETS } from '../../core/oidc/relying-app.ts'
import { redeemCode } from '../../redeem-code.ts'
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
    const app = new RelyingApp('web')
    const response = await redeemCode(browser, app, await app.callbackFor(browser))
    const { id_token } = await response.json<{ id_token: string }>()
    await browser.post('/api/auth/signout', {})
    await deployment.cleanUp()
    // Other tests have sessions at the same app.
    const [delivery] = await logoutDeliveries({ sid: String(decodeJwt(id_token)['sid']) })
    const token = new URLSearchParams(delivery?.body).get('logout_token') ?? ''
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
