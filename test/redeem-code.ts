import type { Browser } from './browser.ts'
import { basic, type RelyingApp, SECRETS } from './core/oidc/relying-app.ts'

/**
 * Redeems the code of a callback at the deployment of this browser. `RelyingApp.exchange` does the
 * same with a client library, but at the default deployment only.
 */
export function redeemCode(
  browser: Browser,
  app: RelyingApp,
  callback: URL,
  changes: Record<string, string> = {},
): Promise<Response> {
  const secret = SECRETS[app.clientId]
  const form = {
    grant_type: 'authorization_code',
    client_id: app.clientId,
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: app.redirectUri,
    code_verifier: app.verifier,
    ...changes,
  }
  const headers = secret === undefined ? {} : basic(app.clientId, secret)
  return browser.fetch('/oidc/token', { form, headers })
}
