import { UnavailableError } from './session.ts'

/** The login service responds within seconds, or not at all. */
const TIMEOUT = 15_000 // milliseconds

/** Sends a request to the login service and returns the JSON of its response. */
export async function requestJson<Body>(url: string, init: RequestInit): Promise<Body> {
  const response = await send(url, init)
  const body = await response.json().catch((cause: unknown) => {
    throw new UnavailableError('The response of the login service is not JSON.', {
      status: response.status,
      cause,
    })
  })
  if (response.ok) return body
  throw new UnavailableError(body?.error_description ?? 'The login service is unavailable.', {
    status: response.status,
    code: body?.error,
  })
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    const headers = { Accept: 'application/json' }
    return await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT), ...init })
  } catch (cause) {
    throw new UnavailableError('The login service cannot be reached.', { cause })
  }
}

/** The claims of a token that came from the login service; APIs verify it. */
export function decodeClaims<Claims>(token: string): Claims {
  const [, payload = ''] = token.split('.')
  const bytes = atob(payload.replaceAll('-', '+').replaceAll('_', '/'))
  const text = new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
  return JSON.parse(text)
}
