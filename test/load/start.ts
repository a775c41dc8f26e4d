import { parseArgs } from 'node:util'
import { startServices } from '../../demo/services.ts'
import { describeLoad, loadWithSignIns } from './load.ts'

/** Away from the ports of `npm start` and of the tests, which may be running. */
const PORT = '21787'

const HELP = `Usage: npm run load [-- --rate N] [--minutes N] [--port N]

Signs people in at a fixed rate, against a service of its own on this machine, and checks every answer.
Ends with 1 if one was wrong. How long they took is told, and never judged.

  --rate N      sign-ins a second (50 unless you say otherwise)
  --minutes N   for how long (10)
  --port N      the first of five ports in a row (${PORT})
  --help        shows this
`

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '50' },
    minutes: { type: 'string', default: '10' },
    port: { type: 'string', default: PORT },
    help: { type: 'boolean', default: false },
  },
})
const [perSecond, seconds] = [Number(values.rate), Number(values.minutes) * 60]
if (values.help || !(perSecond > 0 && seconds > 0)) {
  process.stdout.write(HELP)
  process.exit(values.help ? 0 : 2)
}

const { stop, ...places } = await startServices({ port: Number(values.port) })
process.stdout.write(`${perSecond} sign-ins a second for ${seconds} s …\n`)
const report = await loadWithSignIns(places, { perSecond, seconds })
await stop()
for (const [what, times] of countOf([...report.wrong, ...report.refused])) {
  process.stdout.write(`  ${times} × ${what}\n`)
}
process.stdout.write(`${describeLoad(report)}\n`)
process.exitCode = report.wrong.length > 0 ? 1 : 0

function countOf(texts: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}
