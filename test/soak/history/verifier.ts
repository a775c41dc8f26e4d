import { Worker } from 'node:worker_threads'

/** An API that verifies tokens with `vestibule-auth/verify`. */
export interface Verifier {
  /** How far its clock is ahead, in seconds. */
  clock: number
  /** The status with which it responds to a token. */
  verify: (token: string) => Promise<number>
  stop: () => Promise<unknown>
}

export function startVerifier(options: {
  issuer: string
  audience: readonly string[]
  clock: number
}): Verifier {
  const thread = new Worker(new URL('./verifier-thread.ts', import.meta.url), {
    workerData: options,
  })
  const waiting = new Map<number, (status: number) => void>()
  thread.on('message', ({ number, status }: { number: number; status: number }) => {
    waiting.get(number)?.(status)
    waiting.delete(number)
  })
  let sent = 0
  return {
    clock: options.clock,
    verify: (token) =>
      new Promise((resolve) => {
        sent += 1
        waiting.set(sent, resolve)
        thread.postMessage({ number: sent, token })
      }),
    stop: () => thread.terminate(),
  }
}
