import * as z from 'zod/mini'
import { randomSecret } from '../crypto/random.ts'
import { reported, SignInError } from '../errors.ts'
import { boundedFetch, isPassing } from './bounded-fetch.ts'
import { serverOf } from './discovery.ts'
import { refusal } from './refusal.ts'
import type { ResolvedProvider } from './resolve.ts'

const text = z.optional(z.string())
const answer = z.object({
  scan_qrcode_url: text,
  token: text,
  client_ticket: text,
  status: text,
  code: text,
  redirect_uri: text,
  error: text,
  log_id: text,
})

/** A code to be scanned with the platform's app, and what belongs to it. */
export interface QrLogin {
  /** What the code says. */
  link: string
  /** What we ask with. */
  token: string
  /** What the phone must have read: who scanned another code is somebody else. */
  ticket: string
}

/** Asks the platform for a code, and writes our ticket into it. */
export async function requestQrCode(provider: ResolvedProvider, scope: string): Promise<QrLogin> {
  const { scan_qrcode_url, token } = await ask(provider, 'get_qrcode', { scope })
  if (!scan_qrcode_url || !token) throw new SignInError('provider_invalid')
  const ticket = randomSecret()
  const link = scan_qrcode_url.replace(/([?&]client_ticket=)[^&]*/, `$1${ticket}`)
  return { link, token, ticket }
}

export type QrProgress =
  | { status: 'new' | 'scanned' | 'expired' }
  | { status: 'confirmed'; code: string; redirectUri: string }

/** How far it is. The code that it ends with is told once. */
export async function checkQrCode(
  provider: ResolvedProvider,
  { token, ticket }: QrLogin,
): Promise<QrProgress> {
  const said = await ask(provider, 'check_qrcode', {
    client_secret: provider.clientSecrets[0] ?? '',
    token,
  })
  const { status, client_ticket, code, redirect_uri } = said
  if (status === 'new') return { status }
  if (status !== 'scanned' && status !== 'confirmed') return { status: 'expired' }
  if (client_ticket !== ticket) throw new SignInError('provider_invalid')
  if (status === 'scanned') return { status }
  const address = URL.parse(redirect_uri ?? '')
  const shown = code ?? address?.searchParams.get('code')
  if (!address || !shown) throw new SignInError('provider_invalid')
  return { status, code: shown, redirectUri: `${address.origin}${address.pathname}` }
}

/** Beside the token endpoint, in its dialect. */
async function ask(
  provider: ResolvedProvider,
  name: 'get_qrcode' | 'check_qrcode',
  params: Record<string, string>,
): Promise<z.infer<typeof answer>> {
  try {
    const { token_endpoint = '' } = await serverOf(provider)
    const response = await boundedFetch(new URL(`../${name}/`, token_endpoint).href, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_key: provider.clientId, ...params }).toString(),
    })
    const { data } = answer.safeParse(await response.json().catch(() => undefined))
    if (response.ok && data && !data.error) return data
    const detail = {
      upstreamStatus: response.status,
      ...reported({ upstreamError: data?.error, logId: data?.log_id }),
    }
    const code = isPassing(response.status) ? 'provider_unavailable' : 'provider_refused'
    throw new SignInError(code, { detail })
  } catch (cause) {
    throw refusal(cause)
  }
}
