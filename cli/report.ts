import { styleText } from 'node:util'
import type { Finding } from './finding.ts'
import { jsonForTerminal, sanitizeForTerminal } from './sanitize-for-terminal.ts'

/** Fits most terminals without wrapping. */
const MAX_LINE_LENGTH = 100 // characters

/** Whether any finding is a problem. Warnings and skipped checks are not problems. */
export function hasProblems(findings: readonly Finding[]): boolean {
  return findings.some(({ status }) => status === 'problem')
}

/**
 * The report for operators: good findings share lines, every other finding has a line of its own.
 */
export function formatReport(findings: readonly Finding[]): string {
  const goodFindings = findings.filter(({ status }) => status === 'good')
  const otherFindings = findings.filter(({ status }) => status !== 'good')
  const lines = [...formatGoodFindings(goodFindings), ...otherFindings.map(formatFinding)]
  return `${lines.map((line) => `  ${line}`).join('\n')}\n${summarize(findings)}\n`
}

/** The report for programs: one JSON object. */
export function formatReportAsJson(
  subject: string | undefined,
  findings: readonly Finding[],
): string {
  const report = { ok: !hasProblems(findings), subject: subject ?? 'configuration', findings }
  return `${jsonForTerminal(report, 2)}\n`
}

function formatGoodFindings(findings: readonly Finding[]): string[] {
  const lines: string[] = []
  for (const { name, detail } of findings) {
    const entry = sanitizeForTerminal(detail === undefined ? `✓ ${name}` : `✓ ${name} (${detail})`)
    const last = lines.at(-1)
    if (last !== undefined && last.length + entry.length < MAX_LINE_LENGTH) {
      lines[lines.length - 1] = `${last} ${entry}`
    } else {
      lines.push(entry)
    }
  }
  // Coloured last, so that escape sequences do not count towards the length of a line.
  return lines.map((line) => line.replaceAll('✓', styleText('green', '✓')))
}

function formatFinding({ name, status, detail = '', diagnosis }: Finding): string {
  if (!diagnosis) return styleText('gray', sanitizeForTerminal(`- ${name}: ${detail}`))
  const { what, why, fix } = diagnosis
  const mark = status === 'problem' ? styleText('red', '✗') : styleText('yellow', '!')
  const text = sanitizeForTerminal(`${name}: ${what} ${why}`)
  return `${mark} ${text} ${styleText('bold', 'Fix:')} ${sanitizeForTerminal(fix)}`
}

function summarize(findings: readonly Finding[]): string {
  const counts = (['problem', 'warning'] as const).flatMap((status) => {
    const { length } = findings.filter((finding) => finding.status === status)
    if (length === 0) return []
    return [length === 1 ? `1 ${status}` : `${length} ${status}s`]
  })
  return counts.length > 0 ? `${counts.join(', ')}.` : 'All good.'
}
