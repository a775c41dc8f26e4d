import { domainToASCII } from 'node:url'

const LIST_URL = 'https://publicsuffix.org/list/public_suffix_list.dat'

const TIMEOUT = 10_000 // milliseconds

/** Names below which anyone can register one, as browsers know them ({@link https://publicsuffix.org/list/}). */
export class PublicSuffixes {
  readonly #rules: ReadonlySet<string>

  constructor(list: string) {
    const rules = list
      .split('\n')
      .map((line) => line.split(/\s/, 1)[0] ?? '')
      .filter((rule) => rule !== '' && !rule.startsWith('//'))
    this.#rules = new Set(rules.map(toAscii))
  }

  has(host: string): boolean {
    if (this.#rules.has(`!${host}`)) return false
    const parent = host.slice(host.indexOf('.') + 1)
    // A top-level domain that the list does not have is a suffix, too.
    return this.#rules.has(host) || this.#rules.has(`*.${parent}`) || !host.includes('.')
  }
}

/** Rules may begin with `!` or `*.`, which is not part of the name. */
function toAscii(rule: string): string {
  const [, prefix = '', name = ''] = /^(!|\*\.)?(.*)$/.exec(rule) ?? []
  return prefix + domainToASCII(name)
}

/** The current list; undefined if it cannot be read. It is too large to be part of the package. */
export async function readPublicSuffixes(): Promise<PublicSuffixes | undefined> {
  try {
    const response = await fetch(LIST_URL, { signal: AbortSignal.timeout(TIMEOUT) })
    return response.ok ? new PublicSuffixes(await response.text()) : undefined
  } catch {
    return undefined
  }
}
