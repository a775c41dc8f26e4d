import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { parseArguments, singlePositional, UsageError } from './command-line.ts'
import { errorMessage } from './error-message.ts'
import { describeSignIn } from './explain/describe-sign-in.ts'
import { findSignIn } from './explain/find-sign-in.ts'
import { type LogLine, readLogLines } from './explain/log-lines.ts'
import { jsonForTerminal } from './sanitize-for-terminal.ts'

const HELP = `Usage: npx vestibule-auth explain <reference> --log FILE
       npx vestibule-auth explain <reference> < FILE

Reports what happened during one sign-in, step by step. The reference is the one that the user sees
on the error page, such as 7KQ2M-X4RTB. The log contains the lines that the service prints, or the
output of \`npx wrangler tail\`.

Options:
  --log FILE  read the log from this file instead of standard input
  --json      print one JSON object
  -h, --help  print this help

Exit codes: 0 if the sign-in was found, 1 if it was not found, 2 for invalid arguments.
`

const HOW_TO_GET_LOGS = `To get the log of the past:

  1. In the Cloudflare dashboard, open Workers & Pages, select the Worker, then Observability.
  2. Search for the reference in the Query Builder, and choose a time range. How far back the log
     goes depends on your plan.
  3. Search for the \`attempt\` of the event that you find: all steps of the sign-in have it.
  4. Save these lines to a file, and run: npx vestibule-auth explain <reference> --log FILE

To record the log from now on, without the dashboard:

  npx wrangler tail --format json > tail.log
`

/** Two groups of five letters or digits, as the service creates them. */
const REFERENCE = /^[0-9A-Z]{5}-[0-9A-Z]{5}$/

/** Reports what happened during the sign-in that a reference belongs to. */
export async function runExplain(args: string[]): Promise<number> {
  const { values, positionals } = parseArguments(
    {
      args,
      allowPositionals: true,
      options: {
        log: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    },
    HELP,
  )
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const reference = parseReference(singlePositional(positionals, HELP))
  if (values.log === undefined && process.stdin.isTTY) {
    process.stdout.write(
      `No log was given: use --log FILE, or pipe the log in.\n\n${HOW_TO_GET_LOGS}`,
    )
    return 1
  }
  const lines = findSignIn(await readLog(values.log), reference)
  const isFound = lines.length > 0
  if (values.json) {
    process.stdout.write(`${jsonForTerminal({ reference, found: isFound, lines }, 2)}\n`)
  } else if (isFound) {
    process.stdout.write(describeSignIn(reference, lines))
  } else {
    process.stdout.write(`${reference} is not in this log.\n\n${HOW_TO_GET_LOGS}`)
  }
  return isFound ? 0 : 1
}

/**
 * Accepts a reference in lower case, with spaces or without its hyphen, as users read it out or
 * type it.
 */
function parseReference(text: string | undefined): string {
  if (text === undefined) throw new UsageError('The reference is missing.', { help: HELP })
  const letters = text.toUpperCase().replace(/[\s-]/g, '')
  const reference = `${letters.slice(0, 5)}-${letters.slice(5)}`
  if (REFERENCE.test(reference)) return reference
  throw new UsageError(`${text} is not a reference. References look like 7KQ2M-X4RTB.`, {
    help: HELP,
  })
}

async function readLog(file: string | undefined): Promise<LogLine[]> {
  if (file === undefined) {
    return readLogLines(createInterface({ input: process.stdin, crlfDelay: Infinity }))
  }
  try {
    const log = await open(file)
    return await readLogLines(log.readLines())
  } catch (cause) {
    throw new UsageError(`The log cannot be read: ${errorMessage(cause)}`, { help: HELP, cause })
  }
}
