import * as z from 'zod/mini'
import { boundedFetch } from '../../core/fetch/bounded-fetch.ts'
import { authorizationServer } from '../../core/upstream/authorization-server.ts'
import type { ResolvedProvider } from '../../core/upstream/resolved-provider.ts'
import { invalidResponse, translateUpstreamError } from '../../core/upstream/upstream-error.ts'
import { randomSecret } from '../../foundation/crypto/random.ts'
import { upstreamErrorDetail } from '../../foundation/errors/failure-detail.ts'
import { SignInError } from '../../foundation/errors/sign-in-error.ts'
import { isTransientStatus } from '../../provider-interface/transient-status.ts'

const optionalText = z.optional(z.string())

/** The fields of both QR endpoints' responses. */
const qrResponse = z.object({
  scan_qrcode_url: optionalText,
  token: optionalText,
  client_ticket: optionalText,
  status: optionalText,
  code: optionalText,
  redirect_uri: optionalText,
  error: optionalText,
  log_id: optionalText,
})

/**
 * Characters of a URL or token, as many as a QR code of ours can hold, so that the attempt's cookie
 * holds them too.
 */
const QR_VALUE = /^[!#-[\]-~]{1,458}$/

/** A QR code for TikTok's app. */
export type QrLogin = {
  /** The content of the QR code. */
  link: string
  /** Identifies the code when its status is requested. */
  token: string
  /** Part of the link. A status with another ticket belongs to another code. */
  ticket: string
}

/** Requests a QR code and puts our own ticket into its link. */
export async function requestQrCode(provider: ResolvedProvider, scope: string): Promise<QrLogin> {
  const { scan_qrcode_url, token } = await callQrEndpoint(provider, 'get_qrcode', { scope })
  const ticket = randomSecret()
  const link = scan_qrcode_url?.replace(/([?&]client_ticket=)[^&]*/, `$1${ticket}`)
  if (!link || !token || !QR_VALUE.test(link) || !QR_VALUE.test(token)) {
    throw invalidResponse('The response has no QR code.')
  }
  return { link, token, ticket }
}

type QrStatus =
  | { status: 'new' | 'scanned' | 'expired' }
  | { status: 'confirmed'; code: string; redirectUri: string }

/** Requests the status of a QR code. TikTok returns the authorization code only once. */
export async function readQrStatus(
  provider: ResolvedProvider,
  { token, ticket }: QrLogin,
): Promise<QrStatus> {
  const { status, client_ticket, code, redirect_uri } = await callQrEndpoint(
    provider,
    'check_qrcode',
    { client_secret: provider.clientSecrets[0] ?? '', token },
  )
  if (status === 'new') return { status }
  if (status !== 'scanned' && status !== 'confirmed') return { status: 'expired' }
  if (client_ticket !== ticket) throw invalidResponse('The status belongs to another QR code.')
  if (status === 'scanned') return { status }
  const redirectUrl = URL.parse(redirect_uri ?? '')
  const authorizationCode = code ?? redirectUrl?.searchParams.get('code')
  if (!redirectUrl || !authorizationCode) {
    throw invalidResponse('The status is confirmed, but has no code or redirect_uri.')
  }
  const redirectUri = `${redirectUrl.origin}${redirectUrl.pathname}`
  return { status, code: authorizationCode, redirectUri }
}

/** The QR endpoints are next to the token endpoint and use TikTok's parameter names. */
async function callQrEndpoint(
  provider: ResolvedProvider,
  name: 'get_qrcode' | 'check_qrcode',
  params: Record<string, string>,
): Promise<z.infer<typeof qrResponse>> {
  try {
    const { token_endpoint = '' } = await authorizationServer(provider)
    const response = await boundedFetch(new URL(`../${name}/`, token_endpoint).href, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_key: provider.clientId, ...params }),
    })
    const { data } = qrResponse.safeParse(await response.json().catch(() => undefined))
    if (response.ok && data && !data.error) return data
    const code = isTransientStatus(response.status) ? 'provider_unavailable' : 'provider_refused'
    throw new SignInError(code, {
      detail: {
        upstreamStatus: response.status,
        ...upstreamErrorDetail({ error: data?.error, logId: data?.log_id }),
      },
    })
  } catch (cause) {
    throw translateUpstreamError(cause)
  }
}
