/** An IPv6 address in a /48 network that no other test uses. */
export function randomAddress(): string {
  const [first = 0, ...others] = crypto.getRandomValues(new Uint16Array(5))
  const groups = [0xfd00 | (first & 0xff), ...others].map((group) => group.toString(16))
  return `${groups.slice(0, 4).join(':')}::${groups[4]}`
}
