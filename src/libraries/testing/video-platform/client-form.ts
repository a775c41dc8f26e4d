import type { Context } from 'hono'
import type { App } from './apps.ts'
import { OAuthError } from './errors.ts'
import type { StandInEnv } from './platform.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** A form with the key and secret of a registered app. */
export interface ClientForm {
  app: App
  fields: ReadonlyMap<string, string>
}

/** Authenticates the client. The secret is accepted in the form only, not as HTTP Basic. */
export async function readClientForm(c: Context<StandInEnv>): Promise<ClientForm> {
  const fields = await readForm(c)
  const clientKey = fields.get('client_key')
  const clientSecret = fields.get('client_secret')
  if (!clientKey) throw malformedRequest()
  if (!clientSecret) {
    throw new OAuthError('invalid_request', 'Client secret is missed in request.')
  }
  const app = c.get('platform').apps.get(clientKey)
  const isSecretValid = app?.clientSecret === clientSecret || app?.previousSecret === clientSecret
  if (app === undefined || !isSecretValid) {
    throw new OAuthError('invalid_client', 'Client key or secret is incorrect.')
  }
  return { app, fields }
}

/** Reads a form without repeated fields. */
export async function readForm(c: Context<StandInEnv>): Promise<ReadonlyMap<string, string>> {
  requireBareContentType(c.req.header('Content-Type') ?? '')
  const entries = [...(await c.req.formData())]
  const fields = new Map(entries.map(([name, value]) => [name, String(value)]))
  if (fields.size < entries.length) throw malformedRequest()
  return fields
}

/** The platform's error for missing and unexpected parameters. */
export function malformedRequest(): OAuthError {
  return new OAuthError('invalid_request', 'The request parameters are malformed.')
}

/** The platform rejects even a `charset` parameter. */
function requireBareContentType(contentType: string): void {
  if (contentType === FORM_TYPE) return
  if (contentType.startsWith(FORM_TYPE)) throw malformedRequest()
  throw new OAuthError(
    'invalid_request',
    'Only `application/x-www-form-urlencoded` is accepted as Content-Type.',
  )
}
