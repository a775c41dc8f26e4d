import type { TestProject } from 'vitest/node'
import { DEMO, startServices } from '../../demo/services.ts'
import { chromiumPath, HOW_TO_GET_CHROMIUM } from './chromium.ts'
import { PORTS } from './ports.ts'

/** Starts what `npm start` starts. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!chromiumPath) process.stderr.write(`${HOW_TO_GET_CHROMIUM}\n`)
  const { stop, ...services } = await startServices({ ...DEMO, port: PORTS.readme })
  project.provide('services', services)
  return stop
}
