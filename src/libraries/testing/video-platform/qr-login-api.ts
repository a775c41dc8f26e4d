import { Hono } from 'hono'
import { areScopesApproved, findLoginApp } from './apps.ts'
import { malformedRequest, readClientForm, readForm } from './client-form.ts'
import { OAuthError } from './errors.ts'
import { newToken } from './identifiers.ts'
import type { StandInEnv } from './platform.ts'
import { QrLogin } from './qr-login.ts'
import { splitScopes } from './scopes.ts'

/** The app replaces this placeholder by a ticket of its own before it draws the QR code. */
const TICKET_PLACEHOLDER = 'tobefilled'

/** The API for login by QR code: the user confirms on a phone that is already logged in. */
export const qrLoginApi = new Hono<StandInEnv>()
  .post('/v2/oauth/get_qrcode/', async (c) => {
    const platform = c.get('platform')
    const fields = await readForm(c)
    const clientKey = fields.get('client_key')
    const scopes = splitScopes(fields.get('scope') ?? '')
    if (!clientKey) throw malformedRequest()

    const app = findLoginApp(platform.apps, clientKey)
    if (app === undefined) {
      throw new OAuthError('unauthorized_client', 'The client is not authorized for QR code login.')
    }
    if (!areScopesApproved(app, scopes)) {
      throw new OAuthError('invalid_scope', 'The scope is invalid or not approved for the client.')
    }
    // Which redirect URI belongs to a QR code is not documented: the stand-in takes the first with
    // a fixed port.
    const redirect = app.redirectUris.find(({ uri }) => !uri.includes(':*'))
    if (redirect === undefined) throw malformedRequest()

    const login = new QrLogin(
      {
        app,
        scopes,
        state: fields.get('state'),
        redirectUri: redirect.uri,
        pkce: 'ignored',
        alwaysShowsConsent: true,
      },
      platform.now(),
    )
    const token = newToken('qrt')
    platform.qrLogins.set(token, login)
    return c.json({ scan_qrcode_url: createLink(login), token })
  })
  .post('/v2/oauth/check_qrcode/', async (c) => {
    const platform = c.get('platform')
    const { app, fields } = await readClientForm(c)
    const token = fields.get('token')
    if (!token) throw malformedRequest()
    const login = platform.qrLogins.get(token)
    if (login?.request.app.clientKey !== app.clientKey) {
      throw new OAuthError('invalid_request', 'The QR code token is invalid.')
    }

    const { status, callback } = login.takeResult(platform.now())
    const progress = { client_ticket: login.clientTicket, status }
    if (callback === undefined) return c.json(progress)
    const { searchParams } = new URL(callback)
    return c.json({
      ...progress,
      redirect_uri: callback,
      code: searchParams.get('code'),
      ...(searchParams.has('state') && { state: searchParams.get('state') }),
    })
  })

function createLink({ request, ticket }: QrLogin): string {
  const query = new URLSearchParams({
    client_key: request.app.clientKey,
    scope: request.scopes.join(','),
    client_ticket: TICKET_PLACEHOLDER,
    authorize_ticket: ticket,
  })
  return `aweme://authorize?${query}`
}
