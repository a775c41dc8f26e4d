import * as fc from 'fast-check'
import { expect } from 'vitest'
import { SHOP } from './browser.ts'

/** The longest return address, as documented. */
export const MAX_LENGTH = 8000

/** Requests of about this length or more are rejected before the return address is read. */
const MAX_REQUEST_LENGTH = 16_000

/** [R6] A request accepts return addresses up to a fixed length, and names longer ones as the error. */
export async function expectLengthLimit(
  send: (callbackUrl: string) => Promise<Response>,
): Promise<void> {
  const check = async (callbackUrl: string) => {
    const response = await send(callbackUrl)
    const isTooLong = Math.max(callbackUrl.length, new URL(callbackUrl).href.length) > MAX_LENGTH
    const requestLength = new URLSearchParams({ callbackUrl }).toString().length
    if (requestLength > MAX_REQUEST_LENGTH && response.status !== 400) {
      expect([413, 414]).toContain(response.status)
    } else if (isTooLong) {
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({
        error: 'request_invalid',
        parameter: 'callbackUrl',
      })
    } else expect([200, 302, 303]).toContain(response.status)
  }
  const addressOf = (length: number, unit: string) =>
    `${SHOP}/?${unit.repeat(length)}`.slice(0, length)

  for (const length of [MAX_LENGTH - 1, MAX_LENGTH, MAX_LENGTH + 1]) {
    await check(addressOf(length, 'a'))
    await check(addressOf(length, '%20'))
  }
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: SHOP.length, max: 3000 }),
      fc.constantFrom('a', '%C3%A9', 'é', '漢', '🦊', "'"),
      async (length, unit) => check(addressOf(length, unit)),
    ),
    { numRuns: 100 },
  )
}
