import { Hono } from 'hono'
import { areApproved, findOpenApp } from './apps.ts'
import { malformed, readClientForm, readPlainForm } from './client-form.ts'
import { OAuthError } from './errors.ts'
import { newToken } from './identifiers.ts'
import type { StandInEnv } from './platform.ts'
import { QrLogin } from './qr-login.ts'
import { splitScopes } from './scopes.ts'

/** In the place where the app writes a ticket of its own before it draws the code. */
const TO_BE_FILLED = 'tobefilled'

/** Logging in on one screen with the phone that is logged in already. */
export const qrCode = new Hono<StandInEnv>()
  .post('/v2/oauth/get_qrcode/', async (c) => {
    const platform = c.get('platform')
    const fields = await readPlainForm(c)
    const clientKey = fields.get('client_key')
    const scopes = splitScopes(fields.get('scope') ?? '')
    if (!clientKey) throw malformed()

    const app = findOpenApp(platform.apps, clientKey)
    if (app === undefined) {
      throw new OAuthError('unauthorized_client', 'The client is not authorized for QR code login.')
    }
    if (!areApproved(app, scopes)) {
      throw new OAuthError('invalid_scope', 'The scope is invalid or not approved for the client.')
    }
    // Nobody documents which redirect goes with a code that names none: the first that is a whole address.
    const redirect = app.redirectUris.find(({ uri }) => !uri.includes(':*'))
    if (redirect === undefined) throw malformed()

    const state = fields.get('state')
    const request = { app, scopes, state, redirectUri: redirect.uri }
    const login = new QrLogin({ ...request, pkce: 'ignored', alwaysAsks: true }, platform.now())
    const token = newToken('qrt')
    platform.qrLogins.set(token, login)
    return c.json({ scan_qrcode_url: linkOf(login), token })
  })
  .post('/v2/oauth/check_qrcode/', async (c) => {
    const platform = c.get('platform')
    const { app, fields } = await readClientForm(c)
    const shown = fields.get('token')
    if (!shown) throw malformed()
    const login = platform.qrLogins.get(shown)
    if (login?.request.app.clientKey !== app.clientKey) {
      throw new OAuthError('invalid_request', 'The QR code token is invalid.')
    }

    const { status, callback } = login.tell(platform.now())
    const answer = { client_ticket: login.clientTicket, status }
    if (callback === undefined) return c.json(answer)
    const { searchParams } = new URL(callback)
    return c.json({
      ...answer,
      redirect_uri: callback,
      code: searchParams.get('code'),
      ...(searchParams.has('state') && { state: searchParams.get('state') }),
    })
  })

function linkOf({ request, ticket }: QrLogin): string {
  const query = new URLSearchParams({
    client_key: request.app.clientKey,
    scope: request.scopes.join(','),
    client_ticket: TO_BE_FILLED,
    authorize_ticket: ticket,
  })
  return `aweme://authorize?${query}`
}
