import { expect, it, onTestFinished } from 'vitest'
import { startServices } from '../../demo/services.ts'
import { describeLoad, loadWithSignIns } from '../load/load.ts'

/** Little enough for a busy machine; `npm run load` does ten minutes of fifty. */
const LOAD = { perSecond: 5, seconds: 10 }

/** A crowd would be in the way of the other tests, so it has services of its own. */
const PORT = 20_787

it('[R13] fifty sign-ins in ten seconds get no wrong answer', { timeout: 90_000 }, async () => {
  const { stop, ...places } = await startServices({ port: PORT })
  onTestFinished(stop)

  const report = await loadWithSignIns(places, LOAD)

  process.stdout.write(`[R13] ${describeLoad(report)}\n`)
  expect(report.wrong).toEqual([])
  expect(report.right).toBeGreaterThan(0)
})
