/** Longer addresses are not delivered (RFC 5321 §4.5.3.1.3). */
const LONGEST_ADDRESS = 254

/**
 * One spelling for an address, or nothing for what is none. Normalised first and checked then: the
 * other way round, an address could turn into another one after it was checked.
 */
export function normaliseEmail(email: string | null | undefined): string | undefined {
  const [local, host, ...rest] = (email ?? '').normalize('NFKC').trim().split('@')
  if (!local || !host || rest.length > 0) return undefined
  const address = `${local}@${host.toLowerCase()}`
  if (address.length > LONGEST_ADDRESS || /[\s,;:<>()"[\]\\]/.test(address)) return undefined
  return address
}
