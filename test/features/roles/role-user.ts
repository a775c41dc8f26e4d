import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { Browser, serviceWith } from '../../browser.ts'
import { basic, formRequest, OFFLINE_ACCESS, RelyingApp } from '../../core/oidc/relying-app.ts'
import { signInNewUser } from '../../new-user.ts'
import { connectMachine } from '../admin/machine-client.ts'

/** An API that lists a role. The other one of the tested deployment, `author`, it does not. */
export const API = 'https://orders.example'

/** The settings of a deployment with it. */
export const WITH_API = {
  APIS: [
    ...((env as unknown as { APIS: object[] }).APIS ?? []),
    { identifier: API, name: 'Orders', roles: ['editor'] },
  ],
}

export const service = serviceWith(WITH_API)

/** Gives or takes roles through the admin API. */
export async function changeRole(
  userId: string,
  role: string,
  action: 'give' | 'take' | 'take-later' = 'give',
): Promise<void> {
  const { call } = await connectMachine({}, service)
  const response = await call(`/users/${userId}/roles/${role}/${action}`, { method: 'POST' })
  expect(response.status, await response.text()).toBe(200)
}

/** A new user who has these roles. */
export async function newUserWithRoles(...roles: string[]) {
  const user = await signInNewUser(new Browser(service))
  for (const role of roles) await changeRole(user.userId, role)
  return user
}

/** The tokens that the app `web` gets for the user, or with a refresh token. */
export async function requestTokens(
  browser: Browser,
  { resource, clientId = 'web' }: { resource?: string; clientId?: string } = {},
) {
  const app = new RelyingApp(clientId)
  const callback = await app.callbackFor(browser, { ...OFFLINE_ACCESS, resource })
  return sendTokenRequest(app, app.codeExchangeForm(callback))
}

export async function sendTokenRequest(app: RelyingApp, form: Record<string, string>) {
  const request = formRequest('/oidc/token', form, basic(app.clientId))
  const response = await service(request)
  expect(response.status).toBe(200)
  return response.json<{ access_token: string; id_token: string; refresh_token: string }>()
}
