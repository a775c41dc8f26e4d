import { styleText } from 'node:util'
import { en } from '../../src/core/messages/en.ts'
import { createMessages } from '../../src/core/messages/messages.ts'
import { featureTexts } from '../../src/feature-texts.ts'
import { textOfErrorPage } from '../../src/features/admin/explain-outcome.ts'
import { platformErrorMeaning } from '../platform-error-meanings.ts'
import { sanitizeForTerminal } from '../sanitize-for-terminal.ts'
import { adviceFor } from './advice.ts'
import { describeStep, isQrPolling } from './describe-step.ts'
import type { LogLine } from './log-lines.ts'

/** Which features the service has is not known. */
const ENGLISH = createMessages('en', Object.assign({}, en, ...Object.values(featureTexts)))

/** Describes a sign-in for operators: its steps, then what to do. */
export function describeSignIn(reference: string, lines: readonly LogLine[]): string {
  const shown = lines.filter((line, index) => !isRepeatedPolling(line, lines[index + 1], reference))
  const steps = shown.flatMap((line, index) => [
    `  ${index + 1}. ${formatTime(line)}${sanitizeForTerminal(describeStep(line, index === 0))}${formatMark(line, reference)}`,
    ...describeDetails(line).map((detail) => `     ${sanitizeForTerminal(detail)}`),
  ])
  const advice = [...adviceOnMissingStart(lines), ...adviceFor(lines)]
  const label = styleText('bold', 'To do:')
  return `${[...steps, '', ...advice.map((text) => `  ${label} ${text}`)].join('\n')}\n`
}

/**
 * A page with a QR code polls every few seconds. Of a series of such requests only the last is
 * shown.
 */
function isRepeatedPolling(line: LogLine, next: LogLine | undefined, reference: string): boolean {
  if (line.requestId === reference || line.code !== undefined) return false
  return isQrPolling(line) && next !== undefined && isQrPolling(next)
}

function formatTime({ at = Number.NaN }: LogLine): string {
  const date = new Date(at)
  if (Number.isNaN(date.valueOf())) return ''
  return `${date.toISOString().replace('T', ' ').slice(0, 19)}  `
}

/** Marks the request whose reference was given. */
function formatMark({ requestId }: LogLine, reference: string): string {
  return requestId === reference ? ` ${styleText('bold', `← ${reference}`)}` : ''
}

/** What the provider reported, what the user saw, and what else the log contains. */
function describeDetails(line: LogLine): string[] {
  const { hint, network } = line
  return [
    ...describeProviderError(line),
    ...describeShownText(line),
    ...(network === undefined ? [] : [`The request came from the network ${network}.`]),
    ...(hint === undefined ? [] : [`Hint: ${hint}`]),
    ...describeCause(line),
  ]
}

function describeProviderError(line: LogLine): string[] {
  const { provider = 'tiktok', upstreamError, upstreamErrorType, upstreamStatus, logId } = line
  const errors = [...new Set([upstreamError, upstreamErrorType])].filter(
    (error) => error !== undefined,
  )
  // The meanings are those that TikTok documents.
  const parts = provider === 'tiktok' ? errors.map(withMeaning) : errors
  if (upstreamStatus !== undefined) parts.push(`status ${upstreamStatus}`)
  if (logId !== undefined) parts.push(`its log id ${logId}`)
  return parts.length > 0 ? [`The provider reported: ${parts.join('; ')}.`] : []
}

function withMeaning(error: string): string {
  const meaning = platformErrorMeaning(error)
  return meaning ? `${error} (${meaning})` : error
}

/** What the user saw, if the request failed. A user who cancels returns to the sign-in page. */
function describeShownText({ code, status, providerName }: LogLine): string[] {
  if (code === undefined) return []
  return status === 303 && code === 'access_denied'
    ? [`The user saw: “${ENGLISH.t('signIn.cancelled')}”`]
    : describeErrorPage(code, providerName)
}

/** The text of the error page, if there is one. */
export function describeErrorPage(code: string, providerName?: string): string[] {
  const text = textOfErrorPage(ENGLISH, code, providerName)
  return text === undefined ? [] : [`The user saw: “${text}”`]
}

/** Lists all problems of the configuration, but only the first line of a stack trace. */
function describeCause({ cause = [] }: LogLine): string[] {
  const texts = typeof cause === 'string' ? [cause.split('\n')[0] ?? ''] : cause
  return texts.map((text) => `Error: ${text}`)
}

function adviceOnMissingStart([first]: readonly LogLine[]): string[] {
  if (!first?.route?.includes('/callback')) return []
  return ['The start of this sign-in is not in this log: search further back if you need it.']
}
