import { isLoopback } from '../../foundation/values/loopback.ts'

/**
 * An origin without a trailing slash. Only those of this computer may be without https.
 *
 * @throws TypeError that says what the option must be
 */
export function readOrigin(
  option: string,
  value: string,
  expected = 'an origin such as https://example.com',
): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isHttp = url?.protocol === 'http:'
  if (isHttp && !isLoopback(value)) {
    throw new TypeError(`${option} must begin with https://, except on localhost. It is ${value}.`)
  }
  const isWeb = isHttp || url?.protocol === 'https:'
  if (url && isWeb && url.origin === value.replace(/\/$/, '')) return url.origin
  throw new TypeError(`${option} must be ${expected}. It is ${value}.`)
}
