import { parentPort, workerData } from 'node:worker_threads'

/*
 * An API whose clock is ahead or behind: a thread of its own, because the clock is a global. Receives
 * tokens, and responds whether it accepts them.
 */

const { issuer, audience, clock } = workerData as {
  issuer: string
  audience: string[]
  clock: number
}

const RealDate = Date
globalThis.Date = class extends RealDate {
  constructor(...input: [] | [number]) {
    super(...((input.length === 0 ? [Date.now()] : input) as [number]))
  }

  static override now(): number {
    return RealDate.now() + clock * 1000
  }
} as DateConstructor

const { createVerifier } = await import('../../../src/verify.ts')
const { verify } = createVerifier({ issuer, audience, token: ['access', 'session'] })

parentPort?.on('message', async ({ number, token }: { number: number; token: string }) => {
  const status = await verify(token).then(
    () => 200,
    (error: { status?: number }) => error.status ?? 500,
  )
  parentPort?.postMessage({ number, status })
})
