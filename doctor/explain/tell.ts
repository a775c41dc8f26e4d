import { en } from '../../src/pages/messages/en.ts'
import { paint } from '../paint.ts'
import { plain } from '../plain.ts'
import { PLATFORM_WORDS } from '../platform-words.ts'
import { adviceFor } from './advice.ts'
import type { LogLine } from './log-lines.ts'
import { describeStep, isWaiting } from './step.ts'

/** What happened to a sign-in, for people. */
export function tellSignIn(reference: string, lines: readonly LogLine[]): string {
  const told = lines.filter((line, index) => !isRepeated(line, lines[index + 1], reference))
  const steps = told.flatMap((line, index) => [
    `  ${index + 1}. ${timeOf(line)}${plain(describeStep(line, index === 0))}${mark(line, reference)}`,
    ...details(line).map((detail) => `     ${detail}`),
  ])
  const advice = [...beginning(lines), ...adviceFor(lines)]
  return `${[...steps, '', ...advice.map((text) => `  ${paint('bold', 'To do:')} ${text}`)].join('\n')}\n`
}

/** A page that waits for a phone asks every few seconds: the last time tells it all. */
function isRepeated(line: LogLine, next: LogLine | undefined, reference: string): boolean {
  const isReported = line.requestId === reference
  return (
    !isReported &&
    line.code === undefined &&
    isWaiting(line) &&
    next !== undefined &&
    isWaiting(next)
  )
}

function timeOf({ at = Number.NaN }: LogLine): string {
  const date = new Date(at)
  if (Number.isNaN(date.valueOf())) return ''
  return `${date.toISOString().replace('T', ' ').slice(0, 19)}  `
}

function mark({ requestId }: LogLine, reference: string): string {
  return requestId === reference ? ` ${paint('bold', `← ${reference}`)}` : ''
}

/** What the platform said, what the person saw, and what only the log knows. */
function details(line: LogLine): string[] {
  const { upstreamError, upstreamErrorType, upstreamStatus, logId, code, hint } = line
  const words = [...new Set([upstreamError, upstreamErrorType])].filter(
    (word) => word !== undefined,
  )
  const answer = [
    ...words.map(explainWord),
    ...(upstreamStatus === undefined ? [] : [`status ${upstreamStatus}`]),
    ...(logId === undefined ? [] : [`its log id ${logId}`]),
  ]
  return [
    ...(answer.length > 0 ? [`The platform said: ${answer.join('; ')}.`] : []),
    ...(code !== undefined ? whatWasSeen(code) : []),
    ...(hint === undefined ? [] : [`Noted: ${hint}`]),
    ...troubles(line),
  ].map(plain)
}

function explainWord(word: string): string {
  const meaning = Object.hasOwn(PLATFORM_WORDS, word) ? PLATFORM_WORDS[word] : undefined
  return meaning ? `${word} (${meaning})` : word
}

/** In the words of the page, whatever language it was in. */
function whatWasSeen(code: string): string[] {
  const page = Object.entries(en.errors).find(([name]) => name === code)?.[1]
  return page ? [`The person saw: “${page.title}. ${page.text}”`] : []
}

/** Problems of the configuration are told in full; of the stack of an error, its first line. */
function troubles({ trouble = [] }: LogLine): string[] {
  const all = typeof trouble === 'string' ? [trouble.split('\n')[0] ?? ''] : trouble
  return all.map((text) => `Trouble: ${text}`)
}

function beginning([first]: readonly LogLine[]): string[] {
  const isReturn = first?.route?.includes('/callback')
  return isReturn ? ['Its beginning is not in this log: look further back if you need it.'] : []
}
