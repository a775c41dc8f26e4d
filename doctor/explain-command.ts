import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { readLogLines } from './explain/log-lines.ts'
import { linesOfSignIn } from './explain/sign-in.ts'
import { tellSignIn } from './explain/tell.ts'
import { messageOf } from './message-of.ts'
import { UsageError } from './usage-error.ts'

const HELP = `Usage: npx vestibule explain <reference> --log FILE
       npx vestibule explain <reference> < FILE

Tells what happened to one sign-in, step by step, by the reference that its person reports (such
as 7KQ2M-X4RTB) and the log of the service. It takes the lines as the service prints them, and what
\`npx wrangler tail\` prints.

  --log FILE   the log, in place of what is piped in
  --json       one JSON object, for programs
  --help       shows this

Ends with 0 if the sign-in was found, 1 if it was not, 2 if the command was not understood.
`

const HOW_TO_GET_LOGS = `In the Cloudflare dashboard, Workers & Pages, select the Worker, then Observability: put the reference
into the search of the Query Builder and choose a time range. How far it goes back depends on the plan.
The event's \`attempt\` is the name of the sign-in: search for that, and you have all of its steps. Put
these lines into a file, and run

  npx vestibule explain <reference> --log FILE

What happens from now on can be had without the dashboard:

  npx wrangler tail --format json > tail.log
`

/** Two times five letters and digits, as the service makes them. */
const REFERENCE = /^[0-9A-Z]{5}-[0-9A-Z]{5}$/

/** Tells what happened to the sign-in that a reference belongs to. */
export async function explain(flags: string[]): Promise<number> {
  const { values, positionals } = readFlags(flags)
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const [given, ...others] = positionals
  if (given === undefined) throw new UsageError('Which reference?', { help: HELP })
  if (others.length > 0) throw new UsageError(`What is ${others[0]}?`, { help: HELP })
  const reference = spell(given)
  if (values.log === undefined && process.stdin.isTTY) {
    process.stdout.write(`Where is the log? ${HOW_TO_GET_LOGS}`)
    return 1
  }
  const lines = linesOfSignIn(await readLogLines(await openLog(values.log)), reference)
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ reference, found: lines.length > 0, lines }, null, 2)}\n`
      : lines.length > 0
        ? tellSignIn(reference, lines)
        : `${reference} is not in this log. ${HOW_TO_GET_LOGS}`,
  )
  return lines.length > 0 ? 0 : 1
}

function readFlags(flags: string[]) {
  try {
    return parseArgs({
      args: flags,
      allowPositionals: true,
      options: {
        log: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    throw new UsageError(messageOf(error), { help: HELP, cause: error })
  }
}

/** As it was read out on the phone. */
function spell(given: string): string {
  const letters = given.toUpperCase().replace(/[\s-]/g, '')
  const reference = `${letters.slice(0, 5)}-${letters.slice(5)}`
  if (REFERENCE.test(reference)) return reference
  throw new UsageError(`${given} is not a reference: they look like 7KQ2M-X4RTB.`, { help: HELP })
}

async function openLog(file: string | undefined): Promise<AsyncIterable<string>> {
  if (file === undefined) return createInterface({ input: process.stdin, crlfDelay: Infinity })
  const stream = createReadStream(file, 'utf8')
  try {
    await new Promise<void>((resolve, reject) =>
      stream.once('open', () => resolve()).once('error', reject),
    )
  } catch (error) {
    throw new UsageError(messageOf(error), { help: HELP, cause: error })
  }
  return createInterface({ input: stream, crlfDelay: Infinity })
}
