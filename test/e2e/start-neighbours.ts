import type { TestProject } from 'vitest/node'
import { type Neighbours, startNeighbours } from '../../demo/neighbours.ts'
import { chromiumPath, HOW_TO_GET_CHROMIUM } from './chromium.ts'
import { CLIENTS } from './clients/registered.ts'

/** Away from the ports of `npm start`, which may be running. */
const PORT = 18_787

declare module 'vitest' {
  interface ProvidedContext {
    neighbours: Omit<Neighbours, 'stop'>
  }
}

/** One set of neighbours for all tests; each test brings people of its own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!chromiumPath) process.stderr.write(`${HOW_TO_GET_CHROMIUM}\n`)
  const { stop, ...neighbours } = await startNeighbours({ port: PORT, clients: CLIENTS })
  project.provide('neighbours', neighbours)
  return stop
}
