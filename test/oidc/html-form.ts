/** The hidden fields of all forms on a page. */
export function hiddenFields(html: string): URLSearchParams {
  const inputs = html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)
  return new URLSearchParams(
    Array.from(inputs, ([, name = '', value = '']) => [name, unescapeHtml(value)]),
  )
}

export function unescapeHtml(html: string): string {
  const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
  return html.replaceAll(/&(#?\w+);/g, (entity, name: string) => characters[name] ?? entity)
}
