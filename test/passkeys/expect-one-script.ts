import { expect } from 'vitest'

/** The page has one script, which its policy allows by the nonce, and may send no requests. */
export async function expectOneScript(response: Response): Promise<void> {
  const policy = response.headers.get('Content-Security-Policy') ?? ''
  const [, nonce] = policy.match(/script-src 'nonce-([\w-]+)'/) ?? []
  const html = await response.text()
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('connect-src')
  expect(html.match(/<script/g)).toHaveLength(1)
  expect(html).toContain(`<script nonce="${nonce}">`)
}
