import type { Page } from 'playwright-core'
import { continueAs } from '../visit.ts'
import { CALLBACK } from './registered.ts'

/** Follows an authorization request as a person does, and returns the address the browser is sent back to. */
export async function signInAt(request: URL, page: Page, persona: string): Promise<URL> {
  const callback = page.waitForRequest(`${CALLBACK}**`)
  await page.goto(request.href)
  await continueAs(page, persona)
  return new URL((await callback).url())
}
