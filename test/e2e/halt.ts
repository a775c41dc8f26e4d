import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Where a halting service calls, and is kept waiting for as long as it lives. */
export interface Halt {
  /** Makes a request stop after so many answers of the storage. */
  after: (answers: number) => { headers: Record<string, string>; reached: Promise<true> }
  close: () => Promise<void>
}

export async function openHalt(): Promise<Halt> {
  const waiting = new Map<string, () => void>()
  const server = createServer(({ url = '' }) => waiting.get(url)?.())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    after: (answers) => {
      const path = `/${crypto.randomUUID()}`
      return {
        headers: { 'Halt-After': String(answers), 'Halt-At': `http://127.0.0.1:${port}${path}` },
        reached: new Promise((resolve) => waiting.set(path, () => resolve(true))),
      }
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
