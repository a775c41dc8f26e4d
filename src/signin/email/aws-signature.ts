const ALGORITHM = 'AWS4-HMAC-SHA256'

const utf8 = new TextEncoder()

interface UnsignedRequest {
  /** Without a query. */
  url: string
  /** In lower case. */
  headers: Readonly<Record<string, string>>
  body: string
  service: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  time: Date
}

interface SignedRequest {
  url: string
  headers: Record<string, string>
  body: string
}

/**
 * Signs a POST request for a service of AWS (Signature Version 4).
 * {@link https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html}
 */
export async function signAwsRequest(request: UnsignedRequest): Promise<SignedRequest> {
  const { url, body, service, region, accessKeyId, secretAccessKey } = request
  const { host, pathname } = new URL(url)
  const timestamp = request.time.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const date = timestamp.slice(0, 8)
  const headers = { ...request.headers, host, 'x-amz-date': timestamp }
  const sorted = Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1))
  const signedHeaders = sorted.map(([name]) => name).join(';')
  const canonicalRequest = [
    'POST',
    pathname,
    '',
    ...sorted.map(([name, value]) => `${name}:${value.trim()}`),
    '',
    signedHeaders,
    await sha256Hex(body),
  ].join('\n')
  const scope = `${date}/${region}/${service}/aws4_request`
  const text = [ALGORITHM, timestamp, scope, await sha256Hex(canonicalRequest)].join('\n')

  let key: Uint8Array = utf8.encode(`AWS4${secretAccessKey}`)
  for (const part of [date, region, service, 'aws4_request']) key = await hmac(key, part)
  const signature = toHex(await hmac(key, text))
  const { host: _, ...sentHeaders } = headers
  const authorization = `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`
  return { url, body, headers: { ...sentHeaders, authorization } }
}

async function hmac(key: Uint8Array, text: string): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey(
    'raw',
    key,
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, utf8.encode(text)))
}

async function sha256Hex(text: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8.encode(text))))
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
