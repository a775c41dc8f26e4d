import { parseArgs } from 'node:util'
import { measureColdStart, measureJobs } from './measure.ts'
import { figuresOf, tableOf } from './report.ts'
import { setStage } from './stage.ts'
import { type Running, startObjects, startWorker } from './workerd.ts'

const USUAL_ROUNDS = 50

const HELP = `Usage: npm run bench [-- options]

Measures what each job costs the service in CPU time, beside a bare worker that does the least the job
allows, and prints the ratios. Takes about three minutes on a calm machine, longer on a busy one.
Ends with status 1 if a figure is over its bound. Linux only: the figures come from /proc.

  --rounds N   how often each job is measured (${USUAL_ROUNDS} unless you say otherwise); fewer are quicker and less sure
  --inside     counts the Durable Objects' own work, too: they run in the workers' processes
  --logging    counts printing the log, too, as workerd does it on a machine of your own
  --json       prints JSON in place of the table
  --help       shows this
`

const options = readOptions()
if (process.platform !== 'linux') {
  process.stderr.write('The benchmark runs on Linux only: it reads CPU times from /proc.\n')
  process.exit(2)
}

const started = Date.now()
let told = ''
const running: Running[] = []
tell('Bundling …')
const scene = await setStage(options)
try {
  const { stage, service, floor, gzip } = scene
  const objects = options.inside ? 'here' : 'there'
  if (objects === 'there') running.push(await startObjects(stage, [service, floor]))
  const sides = {
    floor: await startWorker(stage, floor, objects),
    service: await startWorker(stage, service, objects),
  }
  running.push(sides.floor, sides.service)
  const costs = await measureJobs(sides, options.rounds, (round) =>
    tell(round > 0 ? `Round ${round} of ${options.rounds} …` : 'Warming up …'),
  )
  tell('Starting and stopping …')
  await stopAll()
  const figures = figuresOf(costs, gzip, await measureColdStart(stage, scene))
  clearProgress()
  process.stdout.write(
    options.json ? `${JSON.stringify(figures, null, 2)}\n` : `${tableOf(figures)}\n`,
  )
  process.exitCode = figures.some(({ isOver }) => isOver) ? 1 : 0
} catch (error) {
  clearProgress()
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 2
} finally {
  await stopAll()
  await scene.clear()
}

async function stopAll(): Promise<void> {
  await Promise.all(running.splice(0).map(({ stop }) => stop()))
}

function readOptions(): { rounds: number; inside: boolean; logging: boolean; json: boolean } {
  try {
    const { values } = parseArgs({
      options: {
        rounds: { type: 'string' },
        inside: { type: 'boolean', default: false },
        logging: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean' },
      },
    })
    if (values.help) {
      process.stdout.write(HELP)
      process.exit()
    }
    const rounds = Number(values.rounds ?? USUAL_ROUNDS)
    if (Number.isInteger(rounds) && rounds > 0) return { ...values, rounds }
    throw new RangeError('--rounds must be a whole number.')
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${HELP}`)
    return process.exit(2)
  }
}

/** One line that is written over and over; where nobody watches, a line for each thing that begins. */
function tell(what: string): void {
  const seconds = Math.round((Date.now() - started) / 1000)
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K  ${what} (${seconds} s)`)
  else if (what !== told) process.stderr.write(`  ${what} (${seconds} s)\n`)
  told = what
}

function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[K')
}
