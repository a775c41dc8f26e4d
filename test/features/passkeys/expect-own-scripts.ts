import { expect } from 'vitest'

/**
 * The page has the script of all pages and its own, which its policy allows by the nonce, and may
 * send no requests.
 */
export async function expectOwnScripts(response: Response): Promise<void> {
  const policy = response.headers.get('Content-Security-Policy') ?? ''
  const [, nonce] = policy.match(/script-src 'nonce-([\w-]+)'/) ?? []
  const html = await response.text()
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('connect-src')
  const script = `<script nonce="${nonce}">`
  expect(html.match(/<script[^>]*>/g)).toEqual([script, script])
}
