import type { Context } from 'hono'
import type { App } from './apps.ts'
import { OAuthError } from './errors.ts'
import { readForm } from './form.ts'
import type { StandInEnv } from './platform.ts'

const FORM = 'application/x-www-form-urlencoded'

/** A form whose client key and secret belong together. */
export interface ClientForm {
  app: App
  fields: ReadonlyMap<string, string>
}

/** What token and revocation endpoint check first; HTTP Basic is not even looked at. */
export async function readClientForm(c: Context<StandInEnv>): Promise<ClientForm> {
  const fields = await readPlainForm(c)
  const clientKey = fields.get('client_key')
  const clientSecret = fields.get('client_secret')
  if (!clientKey) throw malformed()
  if (!clientSecret) {
    throw new OAuthError('invalid_request', 'Client secret is missed in request.')
  }
  const app = c.get('platform').apps.get(clientKey)
  const isKnown = app?.clientSecret === clientSecret || app?.previousSecret === clientSecret
  if (app === undefined || !isKnown) {
    throw new OAuthError('invalid_client', 'Client key or secret is incorrect.')
  }
  return { app, fields }
}

/** A form with the one content type the platform takes, and nothing in it twice. */
export async function readPlainForm(c: Context<StandInEnv>): Promise<ReadonlyMap<string, string>> {
  requireBareContentType(c.req.header('Content-Type') ?? '')
  const pairs = [...(await readForm(c))]
  const fields = new Map(pairs)
  if (fields.size < pairs.length) throw malformed()
  return fields
}

/** The answer to whatever is missing or odd. */
export function malformed(): OAuthError {
  return new OAuthError('invalid_request', 'The request parameters are malformed.')
}

/** Even a `charset` parameter, harmless elsewhere, is refused. */
function requireBareContentType(contentType: string): void {
  if (contentType === FORM) return
  if (contentType.startsWith(FORM)) throw malformed()
  throw new OAuthError(
    'invalid_request',
    'Only `application/x-www-form-urlencoded` is accepted as Content-Type.',
  )
}
