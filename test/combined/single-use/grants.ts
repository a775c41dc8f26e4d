import { decodeJwt } from 'jose'
import { Browser, issuedSecrets } from '../../browser.ts'
import { advanceClock, DAY, HOUR, MINUTE } from '../../clock.ts'
import { continueUrl } from '../../continue-url.ts'
import { handleContent } from '../../core/oidc/handle-content.ts'
import { formRequest, OFFLINE_ACCESS, RelyingApp } from '../../core/oidc/relying-app.ts'
import { approveConsent, signInOnPage } from '../../core/oidc/user-steps.ts'
import { redirectUrl } from '../../redirect.ts'
import type { Deployment, Service } from './deployment.ts'
import type { SingleUse } from './single-use.ts'

const TELEVISION = { client_id: 'television' }
const POLL_INTERVAL = 5 // seconds

const app = new RelyingApp('shop')

export interface Tokens {
  access_token?: string
  id_token?: string
  refresh_token?: string
  error_description?: string
}

/** Sends a token request, with the proof of a key if there is one. */
export async function requestTokens(
  service: Service,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Tokens> {
  const tokens = await (await service(formRequest('/oidc/token', form, headers))).json<Tokens>()
  for (const token of [tokens.access_token, tokens.refresh_token]) {
    if (token) issuedSecrets.add(token)
  }
  return tokens
}

/** The form that redeems a new code of the user of this browser, for the client `shop`. */
export async function codeForm(browser: Browser): Promise<Record<string, string>> {
  const callback = await app.callbackFor(browser, OFFLINE_ACCESS)
  return { client_id: 'shop', ...app.codeExchangeForm(callback) }
}

/** The grant to which the tokens of a response belong; undefined for an error. */
export function grantOf({ access_token }: Tokens): string | undefined {
  return access_token && decodeJwt(access_token).jti?.split('.')[0]
}

export const authorizationCode: SingleUse = {
  usedUpBy: ['core/oidc/token.ts'],
  lifetime: MINUTE,
  async obtain(deployment) {
    const form = await codeForm(await deployment.signedIn())
    return async (service) => grantOf(await requestTokens(service, form))
  },
}

export const refreshToken: SingleUse = {
  usedUpBy: ['core/oidc/token.ts'],
  lifetime: 30 * DAY,
  repeatable: [20, 'Several tabs refresh at the same time, and responses are lost.'],
  async obtain(deployment) {
    const form = await codeForm(await deployment.signedIn())
    const { refresh_token = '' } = await requestTokens(deployment.isolate, form)
    const refreshForm = { client_id: 'shop', grant_type: 'refresh_token', refresh_token }
    return async (service) => {
      const { refresh_token: successor } = await requestTokens(service, refreshForm)
      return successor && JSON.stringify((await handleContent(successor)) ?? 'of another secret')
    }
  },
}

/** From when the user has approved the request. */
export const deviceCode: SingleUse = {
  usedUpBy: ['features/device/device-code.ts'],
  lifetime: MINUTE,
  async obtain(deployment) {
    const request = formRequest('/oidc/device', { ...TELEVISION, ...OFFLINE_ACCESS })
    const device = await (await deployment.isolate(request)).json<Record<string, string>>()
    const { device_code = '', user_code = '' } = device
    issuedSecrets.add(device_code)
    const browser = await deployment.signedIn()
    const page = await browser.get(await continueUrl(await browser.post('/device', { user_code })))
    await approveConsent(browser, page)
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    let polledAt = 0
    return async (service) => {
      // The device waits, unless it sends several polls at the same time.
      const waited = Date.now() / 1000 - polledAt
      if (waited < POLL_INTERVAL) advanceClock(POLL_INTERVAL - waited)
      const tokens = await requestTokens(service, { ...TELEVISION, grant_type, device_code })
      polledAt = Date.now() / 1000
      return grantOf(tokens)
    }
  },
}

/** Pushes a request of the client `shop`, and returns the path that a browser opens. */
async function pushRequest(deployment: Deployment): Promise<string> {
  const form = Object.fromEntries(new URL(await app.authorizationUrl()).searchParams)
  const pushed = await deployment.isolate(formRequest('/oidc/par', form))
  const { request_uri } = await pushed.json<{ request_uri: string }>()
  return `/oidc/authorize?${new URLSearchParams({ client_id: 'shop', request_uri })}`
}

/** The code in a response of the authorization endpoint; undefined if it has an error. */
function codeIn(response: Response): string | undefined {
  if (response.status !== 303) return undefined
  return redirectUrl(response).searchParams.get('code') ?? undefined
}

export const pushedRequest: SingleUse = {
  usedUpBy: ['features/sender-constrained/pushed-requests.ts'],
  lifetime: MINUTE,
  async obtain(deployment) {
    const path = await pushRequest(deployment)
    const user = await deployment.signedIn()
    return async (service) => codeIn(await new Browser(service).withCookiesOf(user).get(path))
  },
}

/** The last moment at which a pushed request can be opened, in seconds. */
const OPENED_AT = MINUTE - 1

/** A browser has opened it at the last moment. Its user signs in, also after another one has. */
export const openedRequest: SingleUse = {
  usedUpBy: ['features/sender-constrained/pushed-requests.ts'],
  lifetime: OPENED_AT + HOUR,
  async obtain(deployment) {
    const path = await pushRequest(deployment)
    const opened = new Browser(deployment.isolate)
    advanceClock(OPENED_AT)
    const page = await opened.get(path)
    advanceClock(-OPENED_AT)
    return async (service) => {
      const browser = new Browser(service).withCookiesOf(opened)
      if (!(await browser.get(redirectUrl(page).href)).ok) return undefined
      return codeIn(await signInOnPage(browser, page.clone()))
    }
  },
}
