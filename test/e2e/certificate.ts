import { generateKeyPairSync, sign } from 'node:crypto'

/** The DER tags (X.680) that occur in a certificate. */
const [BOOLEAN, INTEGER, BITS, OCTETS, OID, UTF8, TIME, SEQUENCE, SET] = [
  0x01, 0x02, 0x03, 0x04, 0x06, 0x0c, 0x17, 0x30, 0x31,
] as const

const ECDSA_WITH_SHA256 = der(SEQUENCE, der(OID, '2a8648ce3d040302'))
const TRUE = der(BOOLEAN, 'ff')

/**
 * Generates a key and a self-signed certificate for `localhost` (RFC 5280 §4.1), so that no private
 * key has to be stored in the repository.
 */
export function createCertificate(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = der(
    SEQUENCE,
    der(SET, der(SEQUENCE, der(OID, '550403'), der(UTF8, Buffer.from('localhost')))),
  )
  const alternative = der(SEQUENCE, der(0x82, Buffer.from('localhost')))
  const body = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, '02')),
    der(INTEGER, '01'),
    ECDSA_WITH_SHA256,
    name,
    der(SEQUENCE, time(-1), time(1)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      0xa3,
      der(
        SEQUENCE,
        der(SEQUENCE, der(OID, '551d11'), der(OCTETS, alternative)),
        der(SEQUENCE, der(OID, '551d13'), TRUE, der(OCTETS, der(SEQUENCE, TRUE))),
      ),
    ),
  )
  const signature = der(BITS, '00', sign('sha256', body, privateKey))
  const certificate = der(SEQUENCE, body, ECDSA_WITH_SHA256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}

/** The time this many days from now. */
function time(days: number): Buffer {
  const date = new Date(Date.now() + days * 24 * 3_600_000)
  const digits = date.toISOString().replace(/[-:T]|\..*/g, '')
  return der(TIME, Buffer.from(`${digits.slice(2)}Z`))
}

function der(tag: number, ...parts: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)),
  )
  const { length } = content
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
