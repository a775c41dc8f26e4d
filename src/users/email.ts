/** Longer addresses cannot be delivered (RFC 5321 §4.5.3.1.3). */
const MAX_LENGTH = 254

/**
 * The canonical spelling of an email address, or `undefined` if it is not one. It is normalized
 * before it is validated; otherwise normalizing could turn a validated address into a different
 * one.
 */
export function normalizeEmail(email: string | null | undefined): string | undefined {
  const [local, host, ...rest] = (email ?? '').normalize('NFKC').trim().split('@')
  if (!local || !host || rest.length > 0) return undefined
  const address = `${local}@${host.toLowerCase()}`
  if (address.length > MAX_LENGTH || /[\s,;:<>()"[\]\\]/.test(address)) return undefined
  return address
}
