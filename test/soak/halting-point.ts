import { startLoopbackServer } from '../e2e/loopback-server.ts'

/** The address that `test/halting-service.ts` calls to halt a request: it never responds. */
export interface HaltingPoint {
  /** Returns headers that halt a request after this many storage calls. */
  haltAfter: (storageCalls: number) => { headers: Record<string, string>; reached: Promise<true> }
  close: () => Promise<void>
}

export async function startHaltingPoint(): Promise<HaltingPoint> {
  const onCall = new Map<string, () => void>()
  const { port, close } = await startLoopbackServer(({ url = '' }) => onCall.get(url)?.())
  return {
    haltAfter: (storageCalls) => {
      const path = `/${crypto.randomUUID()}`
      return {
        headers: {
          'Halt-After': String(storageCalls),
          'Halt-At': `http://127.0.0.1:${port}${path}`,
        },
        reached: new Promise((resolve) => onCall.set(path, () => resolve(true))),
      }
    },
    close,
  }
}
