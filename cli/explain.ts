import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { adviceForFailure, failureOfEntry } from '../src/features/admin/explain-outcome.ts'
import { parseReference } from '../src/foundation/values/reference.ts'
import { AdminApi, type Resource } from './admin/admin-api.ts'
import { formatEntry } from './admin/audit-entries.ts'
import { CONNECTION_OPTIONS } from './admin/connection.ts'
import { printJson } from './admin/format.ts'
import { defineCommand } from './command.ts'
import { CommandError } from './command-error.ts'
import { errorMessage } from './error-message.ts'
import { describeErrorPage, describeSignIn } from './explain/describe-sign-in.ts'
import { findSignIn } from './explain/find-sign-in.ts'
import { type LogLine, readLogLines } from './explain/log-lines.ts'

const HOW_TO_GET_LOGS = `To get the log of the past:

  1. In the Cloudflare dashboard, open Workers & Pages, select the Worker, then Observability.
  2. Search for the reference in the Query Builder, and choose a time range. How far back the log
     goes depends on your plan.
  3. Search for the \`attempt\` of the event that you find: all steps of the sign-in have it.
  4. Save these lines to a file, and run: npx vestibule-auth explain <reference> --log FILE

To record the log from now on, without the dashboard:

  npx wrangler tail --format json > tail.log
`

/** Reports what happened during the sign-in that a reference belongs to. */
export const explain = defineCommand({
  argument: '<reference>',
  alternative: '<reference> < FILE',
  summary: 'Report what happened during one sign-in, step by step',
  details: `The reference is the one that the user sees on the error page, such as 7KQ2-MX4R-TB3W. The log contains
the lines that the service prints, or the output of \`npx wrangler tail\`. Without it, or if it does
not have the reference, the audit log is asked, with the access of \`connect\` or \`login\`. It has less:
of the failures of unknown users, one of each kind in an hour.`,
  options: {
    log: {
      type: 'string',
      value: 'FILE',
      help: 'read the log from this file instead of standard input',
    },
    ...CONNECTION_OPTIONS,
  },
  exitCodes: '0 if the sign-in was found, 1 if it was not found',
  async run({ values, argument, rejectUsage }) {
    const reference =
      parseReference(argument) ??
      rejectUsage(`${argument} is not a reference. References look like 7KQ2-MX4R-TB3W.`)
    const log = await readLog(values.log, rejectUsage)
    const lines = findSignIn(log ?? [], reference)
    const found = lines.length > 0 ? undefined : await findEntries(reference, values)
    const entries = found ?? []
    const isFound = lines.length > 0 || entries.length > 0
    if (values.json) {
      printJson({ reference, found: isFound, lines, entries })
    } else if (lines.length > 0) {
      process.stdout.write(describeSignIn(reference, lines))
    } else {
      const problem = log
        ? `${reference} is not in this log.`
        : 'No log was given: use --log FILE, or pipe the log in.'
      const answer = found && describeEntries(reference, found)
      process.stdout.write(`${answer ?? ''}${problem}\n\n${HOW_TO_GET_LOGS}`)
    }
    return isFound ? 0 : 1
  },
})

/** The entries of the audit log. Undefined if this computer cannot read it. */
async function findEntries(
  reference: string,
  values: Parameters<typeof AdminApi.open>[0],
): Promise<Resource[] | undefined> {
  try {
    const api = await AdminApi.open(values)
    return await api.list('listAuditEntries', { request_id: reference })
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    process.stderr.write(`The audit log was not read: ${error.message}\n`)
    return undefined
  }
}

function describeEntries(reference: string, entries: readonly Resource[]): string {
  if (entries.length === 0) return `The audit log does not have ${reference}.\n`
  const described = entries.toReversed().flatMap((entry) => {
    const outcome = String(entry['outcome'])
    const { provider, detail } = entry as { provider?: string; detail?: string }
    const page = describeErrorPage(outcome).map((text) => `     ${text}`)
    const advice =
      page.length === 0
        ? []
        : [`     To do: ${adviceForFailure(failureOfEntry({ outcome, provider, detail }))}`]
    return [`  ${formatEntry(entry).replace('\n', '\n  ')}`, ...page, ...advice]
  })
  return `The audit log has:\n\n${described.join('\n')}\n\n`
}

/** Undefined if no log was given: without a file, and with nothing in standard input. */
async function readLog(
  file: string | undefined,
  rejectUsage: (message: string) => never,
): Promise<LogLine[] | undefined> {
  if (file === undefined) return process.stdin.isTTY ? undefined : await readInput()
  try {
    const log = await open(file)
    return await readLogLines(log.readLines())
  } catch (cause) {
    return rejectUsage(`The log cannot be read: ${errorMessage(cause)}`)
  }
}

async function readInput(): Promise<LogLine[] | undefined> {
  let isEmpty = true
  async function* readText() {
    for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
      if (line.trim() !== '') isEmpty = false
      yield line
    }
  }
  const lines = await readLogLines(readText())
  return isEmpty ? undefined : lines
}
