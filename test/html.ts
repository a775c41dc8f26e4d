/** The error code that one of our error pages shows, if it is one. */
export async function errorCode(response: Response): Promise<string | undefined> {
  return (await response.text()).match(/<dd[^>]*>(\w+)<\/dd>/)?.[1]
}

/** What a page confirms, or an empty string. */
export function confirmation(html: string): string {
  return unescapeHtml(html.match(/ role="status">(?:<p>)?([^<]*)<\/p>/)?.[1] ?? '')
}

/** The address of the first link whose address contains this text, or an empty string. */
export function findLink(html: string, text: string): string {
  const addresses = Array.from(html.matchAll(/href="([^"]*)"/g), ([, address = '']) =>
    unescapeHtml(address),
  )
  return addresses.find((address) => address.includes(text)) ?? ''
}

/** The values of all inputs with this name, in the order of the page. */
export function inputValues(html: string, name: string): string[] {
  const inputs = html.matchAll(new RegExp(`name="${name}" value="([^"]+)"`, 'g'))
  return Array.from(inputs, ([, value = '']) => unescapeHtml(value))
}

/** The hidden fields of all forms on a page. */
export function hiddenFields(html: string): URLSearchParams {
  const inputs = html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)
  return new URLSearchParams(
    Array.from(inputs, ([, name = '', value = '']) => [name, unescapeHtml(value)]),
  )
}

/** The texts and choices of a page's form, as a browser sends them if nothing is changed. */
export function shownFields(html: string): Record<string, string> {
  const inputs = html.matchAll(/<input name="(\w+)"[^>]* value="([^"]*)"/g)
  const areas = html.matchAll(/<textarea name="(\w+)"[^>]*>([^<]*)</g)
  const choices = html.matchAll(/<select name="(\w+)"(?:(?!<\/select>).)*? selected="">([^<]*)</gs)
  return Object.fromEntries(
    [...inputs, ...areas, ...choices].map(([, name = '', value = '']) => [
      name,
      unescapeHtml(value === 'not set' ? '' : value),
    ]),
  )
}

/**
 * The address at which the page is shown in another language, relative to that of the page; or an
 * empty string.
 */
export function languageSwitchPath(html: string, language: string): string {
  const form = html.match(/<form(?: action="([^"]+)")?>(.*?)<\/form>/s)
  const [, action = '', fields = ''] = form ?? []
  if (!fields.includes(`name="language" value="${language}"`)) return ''
  const params = hiddenFields(fields)
  params.set('language', language)
  return `${action}?${params}`
}

/** The text that this HTML stands for. */
export function unescapeHtml(html: string): string {
  const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
  return html.replaceAll(/&(#?\w+);/g, (entity, name: string) => characters[name] ?? entity)
}

/** The text that the page states as the problem of a field. */
export function problemAt(page: string, field: string): string | undefined {
  const [, problemId] =
    page.match(
      new RegExp(`id="${field}" name="${field}" aria-invalid="true" aria-describedby="([\\w-]+) `),
    ) ?? []
  return page.match(new RegExp(`id="${problemId}">([^<]*)`))?.[1]
}
