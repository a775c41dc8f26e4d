import { LOGIN } from '../browser.ts'

/** What the app is told, wherever the answer stands: in the address, or in the form of a page. */
export async function answerOf(response: Response): Promise<URLSearchParams> {
  const location = response.headers.get('Location')
  if (location) return new URL(location, LOGIN).searchParams
  const inputs = (await response.text()).matchAll(
    /<input type="hidden" name="([^"]*)" value="([^"]*)"/g,
  )
  return new URLSearchParams(
    Array.from(inputs, ([, name = '', value = '']) => [name, unescapeHtml(value)]),
  )
}

export function unescapeHtml(html: string): string {
  const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
  return html.replaceAll(/&(#?\w+);/g, (all, name: string) => names[name] ?? all)
}
