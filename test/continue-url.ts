import { expect } from 'vitest'
import { findLink } from './html.ts'

/**
 * The address at which the page after a form post continues. Fails unless the page also links to
 * it.
 */
export async function continueUrl(response: Response): Promise<string> {
  expect([response.status, response.headers.get('Location')]).toEqual([200, null])
  const [, url = ''] = response.headers.get('Refresh')?.match(/^0; url=(\S+)$/) ?? []
  expect(url).not.toBe('')
  expect(findLink(await response.text(), url)).toBe(url)
  return url
}
