import { createReadStream } from 'node:fs'
import { appendFile, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { isObject, objectsIn, parseJson } from '../../src/foundation/values/json.ts'
import { defineCommand } from '../command.ts'
import { CommandError } from '../command-error.ts'
import { errorMessage } from '../error-message.ts'
import { replaceFile } from '../replace-file.ts'
import { sanitizeForTerminal } from '../sanitize-for-terminal.ts'
import { AdminApi } from './admin-api.ts'
import { CONNECTION_OPTIONS } from './connection.ts'
import {
  convertExport,
  EXPORT_FORMATS,
  type ExportFormat,
  isUnverifiedAddress,
} from './export-formats.ts'
import { printJson, printLine } from './format.ts'
import { operationHelp } from './operation-help.ts'

/** The API accepts no more in one request. */
const MAX_BATCH_LINES = 1000
const MAX_BATCH_SIZE = 500_000 // bytes

/**
 * While one request is being processed, the next one is sent. More would only wait for the
 * database.
 */
const CONCURRENT_REQUESTS = 2

/** How long to wait before a failed request is repeated. */
const RETRY_DELAYS = [1000, 5000] // milliseconds

/** How often the progress is printed if the output is not a terminal. */
const PROGRESS_INTERVAL = 5000 // milliseconds

/** Consecutive lines of the file, which are sent in one request. */
interface Batch {
  /** The first and the last line, counted from 1. */
  first: number
  last: number
  bytes: number
  lines: { number: number; text: string }[]
}

interface LineProblem {
  line: number
  problem: string
  /** Of the line, if it has them. */
  former_id?: string
  blocked?: true
}

/** Fields of a line. */
interface LineFields {
  line: number
  fields: string[]
}

/** What the service reports about a batch. */
interface BatchResult {
  problems: LineProblem[]
  /** The fields of lines that are stored shortened, or not at all. */
  changes: LineFields[]
  ids: unknown[]
}

/** What is done, and stored in the progress file. */
interface Progress {
  /** All lines up to this one are done. */
  line: number
  bytes: number
  /** In bytes, to notice that the file was changed. */
  fileSize: number
  imported: number
  existing: number
  problems: number
  /** How many lines have each problem. */
  reasons: Record<string, number>
  /** How many lines with a problem are of blocked users. */
  blockedProblems: number
  /** Fields that the service does not store: in how many lines, and the first of them. */
  unused: Record<string, FieldCount>
  /** Fields that are stored shortened, or not at all, because of their value. */
  changed: Record<string, FieldCount>
}

/** In how many lines a field is, and in which one first. */
interface FieldCount {
  lines: number
  first: number
}

/** Imports users from a file, and continues where it was interrupted. */
export const importUsers = defineCommand({
  argument: '<file.ndjson>',
  ...operationHelp('importUsers'),
  details: `Each line is an account: {"provider": "tiktok", "provider_account_id": "…", "name": "Mia"}. The fields are
listed in docs/operations.md. Accounts that exist already are not changed, so lines can be repeated. Lines with
the same former_id or union_id are one user, and must follow each other.

With --from, FILE is an export of another service, and its lines are written to FILE.ndjson first.

If the command is interrupted, run it again: it continues where it stopped, with the help of
FILE.progress. Lines that cannot be imported are written to FILE.problems, and the others are imported. Lines of
which a value is too long or invalid, such as a name or a picture, are imported without it or with its beginning, and
are listed in FILE.changes. The new ids of users with a former_id are written to FILE.ids.`,
  options: {
    from: {
      type: 'string',
      value: 'SERVICE',
      help: `the service that exported the file: ${EXPORT_FORMATS.join(', ')}`,
    },
    ...CONNECTION_OPTIONS,
  },
  async run({ values, argument, rejectUsage }) {
    const { from } = values
    const format = EXPORT_FORMATS.find((name) => name === from)
    if (from !== undefined && !format) {
      rejectUsage(`${from} is not one of ${EXPORT_FORMATS.join(', ')}.`)
    }
    const exportSize = await readSize(argument, rejectUsage)
    const file = format ? await convertFile(argument, format) : argument
    const fileSize = format ? await readSize(file, rejectUsage) : exportSize
    await checkOrder(file)
    const api = await AdminApi.open(values)
    const progress = await readProgress(file, fileSize)
    if (progress.line > 0) process.stderr.write(`Continuing after line ${progress.line}.\n`)
    else {
      await rm(problemsPath(file), { force: true })
      await rm(idsPath(file), { force: true })
      await rm(changesPath(file), { force: true })
    }

    await sendFile(api, file, progress)
    await rm(progressPath(file), { force: true })
    const { imported, existing, problems, reasons, blockedProblems, unused, changed } = progress
    if (values.json) {
      printJson({
        imported,
        existing,
        problems,
        reasons,
        blocked_problems: blockedProblems,
        unused,
        changed,
      })
    } else {
      printLine(`Imported ${count(imported, 'account')}; ${existing} existed already.`)
      for (const [name, { lines, first }] of Object.entries(unused)) {
        printLine(`Not stored: ${name}, in ${count(lines, 'line')}, the first is line ${first}.`)
      }
      for (const [name, { lines, first }] of Object.entries(changed)) {
        printLine(
          `Too long or invalid: ${name}, in ${count(lines, 'line')}, the first is line ${first}. It was cut or left out there; ${changesPath(file)} lists all of them.`,
        )
      }
    }
    if (problems > 0) throw new CommandError(describeProblems(file, progress))
  },
})

function describeProblems(file: string, { problems, reasons, blockedProblems }: Progress): string {
  const counts = Object.entries(reasons)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, lines]) => `- ${count(lines, 'line')}: ${sanitizeForTerminal(reason)}`)
  return [
    `${count(problems, 'line')} could not be imported: ${problemsPath(file)} has the reasons.`,
    ...counts,
    ...(blockedProblems > 0
      ? [`Of blocked users, who are not blocked here: ${count(blockedProblems, 'line')}.`]
      : []),
  ].join('\n')
}

function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`
}

async function readSize(file: string, rejectUsage: (message: string) => never): Promise<number> {
  return stat(file).then(
    (status) => (status.isFile() ? status.size : rejectUsage(`${file} is not a file.`)),
    (cause) => rejectUsage(`The file cannot be read: ${errorMessage(cause)}`),
  )
}

/** Writes the lines of an export to a file of their own, and returns its path. */
async function convertFile(file: string, format: ExportFormat): Promise<string> {
  const converted = `${file}.ndjson`
  await writeFile(converted, convertExport(format, await readFile(file, 'utf8')))
  return converted
}

async function sendFile(api: AdminApi, file: string, progress: Progress): Promise<void> {
  const display = new ProgressDisplay(progress)
  const batches = readBatches(file, progress.line)
  const completed = new Map<number, Batch>()
  let failure: unknown
  let saved = Promise.resolve()
  const sendBatches = async () => {
    for await (const batch of shared(batches)) {
      if (failure !== undefined) return
      try {
        const { problems, changes, ids } = await sendBatch(api, batch, progress)
        await appendLines(problemsPath(file), problems)
        await appendLines(idsPath(file), ids)
        await appendLines(changesPath(file), changes)
      } catch (error) {
        failure ??= error
        return
      }
      completed.set(batch.first, batch)
      // One after another, so that an older state does not replace a newer one.
      if (advance(progress, completed)) saved = saved.then(() => saveProgress(file, progress))
      await saved
      display.update()
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, sendBatches))
  display.end()
  if (failure === undefined) return
  if (!(failure instanceof CommandError)) throw failure
  throw new CommandError(
    `${failure.message}\nThe import stopped after line ${progress.line}. Run the same command again to continue there.`,
    { cause: failure },
  )
}

/** Lets several loops take items of one generator; leaving one loop does not end the generator. */
async function* shared<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  while (true) {
    const { value, done } = await items.next()
    if (done) return
    yield value
  }
}

/**
 * Batches contain whole groups: the service assigns lines with the same `former_id` or `union_id` to
 * one user only within a request.
 */
async function* readBatches(file: string, skippedLines: number): AsyncGenerator<Batch> {
  let batch: Batch | undefined
  for await (const group of readGroups(file, skippedLines)) {
    const { lines, bytes } = group
    const isFull =
      batch !== undefined &&
      (batch.lines.length + lines.length > MAX_BATCH_LINES || batch.bytes + bytes > MAX_BATCH_SIZE)
    if (batch && isFull) yield batch
    if (!batch || isFull) {
      batch = group
    } else {
      batch.last = group.last
      batch.bytes += bytes
      batch.lines.push(...lines)
    }
  }
  if (batch) yield batch
}

/** Consecutive lines of one user, as far as they fit into one request. */
async function* readGroups(file: string, skippedLines: number): AsyncGenerator<Batch> {
  let group: (Batch & { user: string | undefined }) | undefined
  for await (const { number, text } of readLines(file)) {
    if (number <= skippedLines) continue
    const bytes = Buffer.byteLength(text) + 1
    const user = sharedUser(text)
    const isOfGroup =
      group !== undefined &&
      user !== undefined &&
      group.user === user &&
      group.lines.length < MAX_BATCH_LINES &&
      group.bytes + bytes <= MAX_BATCH_SIZE
    if (group && !isOfGroup) yield group
    if (!group || !isOfGroup) group = { first: number, last: number, bytes: 0, lines: [], user }
    group.last = number
    group.bytes += bytes
    if (text.trim() !== '') group.lines.push({ number, text })
  }
  if (group) yield group
}

async function* readLines(file: string): AsyncGenerator<{ number: number; text: string }> {
  const input = createReadStream(file, 'utf8')
  let number = 0
  for await (const text of createInterface({ input, crlfDelay: Infinity })) {
    number += 1
    yield { number, text }
  }
}

/** Lines of one user must follow each other; otherwise they could become two users. */
async function checkOrder(file: string): Promise<void> {
  const lastLines = new Map<string, number>()
  for await (const { number, text } of readLines(file)) {
    const user = sharedUser(text)
    if (user === undefined) continue
    const last = lastLines.get(user)
    if (last !== undefined && last !== number - 1) {
      throw new CommandError(
        `Lines ${last} and ${number} belong to one user, but there are others between them. Lines with the same former_id or union_id are one user, and must follow each other: sort the file by it. Nothing was imported.`,
      )
    }
    lastLines.set(user, number)
  }
}

/** What lines of the same user have in common, if the user can have several. */
function sharedUser(text: string): string | undefined {
  if (!/"(union|former)_id"/.test(text)) return undefined
  const line = parseJson(text)
  if (!isObject(line)) return undefined
  if (typeof line['former_id'] === 'string') return JSON.stringify([line['former_id']])
  if (typeof line['union_id'] !== 'string') return undefined
  return JSON.stringify([line['provider'], line['issuer'], line['union_id']])
}

async function sendBatch(
  api: AdminApi,
  { lines }: Batch,
  progress: Progress,
): Promise<BatchResult> {
  let ids: unknown[] = []
  const valid: { number: number; text: string }[] = []
  const problems: LineProblem[] = []
  let changes: LineFields[] = []
  for (const line of lines) {
    const problem = findLocalProblem(line.text)
    if (problem === undefined) valid.push(line)
    else problems.push(describeLine(line, problem))
  }
  if (valid.length > 0) {
    const body = valid.map(({ text }) => text).join('\n')
    const result = await sendWithRetries(api, body)
    progress.imported += Number(result['imported'] ?? 0)
    progress.existing += Number(result['existing'] ?? 0)
    // The service counts the lines of the request.
    const lineOf = (line: unknown) => valid[Number(line) - 1] ?? { number: 0, text: '' }
    for (const { line, problem } of objectsIn(result['problems'])) {
      problems.push(describeLine(lineOf(line), String(problem)))
    }
    countFields(progress.unused, readFields(result['unused_fields'], lineOf))
    changes = readFields(result['changed_fields'], lineOf)
    countFields(progress.changed, changes)
    ids = objectsIn(result['ids'])
  }
  countProblems(progress, problems)
  return { problems: problems.sort((a, b) => a.line - b.line), changes, ids }
}

function countProblems(progress: Progress, problems: readonly LineProblem[]): void {
  for (const { problem, blocked } of problems) {
    progress.problems += 1
    progress.reasons[problem] = (progress.reasons[problem] ?? 0) + 1
    if (blocked) progress.blockedProblems += 1
  }
}

/** What is wrong with a line that is not sent. */
function findLocalProblem(text: string): string | undefined {
  const line = parseJson(text)
  if (!isObject(line)) return 'The line is not a JSON object.'
  return isUnverifiedAddress(line) ? 'The address is not verified.' : undefined
}

function describeLine(
  { number, text }: { number: number; text: string },
  problem: string,
): LineProblem {
  const line = parseJson(text)
  const { former_id: formerId, blocked } = isObject(line) ? line : {}
  return {
    line: number,
    problem,
    ...(typeof formerId === 'string' && { former_id: formerId }),
    ...(blocked === true && { blocked }),
  }
}

/** The service counts the lines of the request. */
function readFields(
  reported: unknown,
  lineOf: (line: unknown) => { number: number },
): LineFields[] {
  return objectsIn(reported).flatMap(({ line, fields }) =>
    Array.isArray(fields) ? [{ line: lineOf(line).number, fields: fields.map(String) }] : [],
  )
}

function countFields(counts: Record<string, FieldCount>, lines: readonly LineFields[]): void {
  for (const { line, fields } of lines) {
    for (const name of fields) {
      const { lines = 0, first = line } = counts[name] ?? {}
      counts[name] = { lines: lines + 1, first: Math.min(first, line) }
    }
  }
}

/**
 * Repeats requests that failed because of the connection or the service; imports can be repeated
 * safely.
 */
async function sendWithRetries(api: AdminApi, body: string) {
  for (const delay of RETRY_DELAYS) {
    try {
      return await api.send('importUsers', { body })
    } catch (error) {
      if (!(error instanceof CommandError && error.isTemporary)) throw error
      await setTimeout(delay)
    }
  }
  return await api.send('importUsers', { body })
}

/** Counts completed batches that follow each other without a gap. Returns false if there are none. */
function advance(progress: Progress, completed: Map<number, Batch>): boolean {
  const before = progress.line
  for (let next = completed.get(progress.line + 1); next; next = completed.get(progress.line + 1)) {
    completed.delete(next.first)
    progress.line = next.last
    progress.bytes += next.bytes
  }
  return progress.line !== before
}

async function saveProgress(file: string, progress: Progress): Promise<void> {
  await replaceFile(progressPath(file), `${JSON.stringify(progress)}\n`, 0o666)
}

async function readProgress(file: string, fileSize: number): Promise<Progress> {
  const text = await readFile(progressPath(file), 'utf8').catch(() => undefined)
  if (text === undefined) {
    const counts = { imported: 0, existing: 0, problems: 0, reasons: {}, blockedProblems: 0 }
    return { line: 0, bytes: 0, fileSize, ...counts, unused: {}, changed: {} }
  }
  const stored = parseJson(text)
  const isValid =
    isObject(stored) &&
    isObject(stored['unused']) &&
    isObject(stored['changed']) &&
    isObject(stored['reasons']) &&
    ['line', 'bytes', 'fileSize', 'imported', 'existing', 'problems', 'blockedProblems'].every(
      (name) => Number.isSafeInteger(stored[name]),
    )
  if (isValid && stored['fileSize'] === fileSize) return stored as unknown as Progress
  throw new CommandError(
    `${progressPath(file)} belongs to another version of the file. Delete it to start from the first line; accounts that exist already are not changed.`,
  )
}

async function appendLines(file: string, lines: readonly unknown[]): Promise<void> {
  if (lines.length === 0) return
  await appendFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

function progressPath(file: string): string {
  return `${file}.progress`
}

function idsPath(file: string): string {
  return `${file}.ids`
}

function changesPath(file: string): string {
  return `${file}.changes`
}

function problemsPath(file: string): string {
  return `${file}.problems`
}

/** Prints how far the import is, how fast, and how long the rest takes. */
class ProgressDisplay {
  readonly #progress: Progress
  readonly #start: Progress
  readonly #startedAt = performance.now()
  #printedAt = performance.now()

  constructor(progress: Progress) {
    this.#progress = progress
    this.#start = { ...progress }
  }

  update(): void {
    const now = performance.now()
    if (!process.stderr.isTTY && now - this.#printedAt < PROGRESS_INTERVAL) return
    this.#printedAt = now
    const { line, bytes, fileSize, problems } = this.#progress
    const seconds = (now - this.#startedAt) / 1000
    const rate = Math.round((line - this.#start.line) / seconds)
    const remaining = ((fileSize - bytes) * seconds) / Math.max(1, bytes - this.#start.bytes)
    const text = `${line} lines, ${rate} per second, ${formatDuration(remaining)} remaining, ${problems} problems`
    process.stderr.write(process.stderr.isTTY ? `\r${text}   ` : `${text}\n`)
  }

  end(): void {
    if (process.stderr.isTTY) process.stderr.write('\n')
  }
}

function formatDuration(seconds: number): string {
  const rounded = Math.ceil(seconds)
  return rounded < 60 ? `${rounded} s` : `${Math.floor(rounded / 60)} min ${rounded % 60} s`
}
