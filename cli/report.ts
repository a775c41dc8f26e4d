import { styleText } from 'node:util'
import type { Diagnosis, Finding } from './finding.ts'
import { jsonForTerminal, sanitizeForTerminal } from './sanitize-for-terminal.ts'

/** Whether any finding is a problem. Warnings and skipped checks are not problems. */
export function hasProblems(findings: readonly Finding[]): boolean {
  return findings.some(({ status }) => status === 'problem')
}

/**
 * The report for operators: one line for each check, and below a problem why it matters and how to
 * fix it. What is good comes first, so that the problems are read last.
 */
export function formatReport(findings: readonly Finding[]): string {
  const goodFindings = findings.filter(({ status }) => status === 'good')
  const otherFindings = findings.filter(({ status }) => status !== 'good')
  const lines = [
    ...goodFindings.map(formatFinding),
    ...[...Map.groupBy(otherFindings, remedyOf).values()].flatMap(formatFindings),
  ]
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

/** Equal for findings that have the same remedy, which is then printed once. */
function remedyOf(finding: Finding): string {
  const { name, status, detail, diagnosis } = finding
  return JSON.stringify([name, status, detail, diagnosis?.why, diagnosis?.fix])
}

/** One line for each of several findings with the same remedy, and then the remedy. */
function formatFindings(findings: readonly Finding[]): string[] {
  const lines = findings.map(formatFinding)
  const diagnosis = findings[0]?.diagnosis
  return diagnosis === undefined ? lines : [...lines, ...formatRemedy(diagnosis)]
}

function formatFinding({ name, status, detail, diagnosis }: Finding): string {
  if (status === 'good') {
    const text = detail === undefined ? name : `${name} (${detail})`
    return `${styleText('green', '✓')} ${sanitizeForTerminal(text)}`
  }
  if (!diagnosis) return styleText('gray', sanitizeForTerminal(`- ${name}: ${detail ?? ''}`))
  const mark = status === 'problem' ? styleText('red', '✗') : styleText('yellow', '!')
  return `${mark} ${sanitizeForTerminal(`${name}: ${diagnosis.what}`)}`
}

function formatRemedy({ why, fix }: Diagnosis): string[] {
  return [
    `    ${sanitizeForTerminal(why)}`,
    `    ${styleText('bold', 'Fix:')} ${sanitizeForTerminal(fix)}`,
  ]
}

function summarize(findings: readonly Finding[]): string {
  const counts = (['problem', 'warning'] as const).flatMap((status) => {
    const { length } = findings.filter((finding) => finding.status === status)
    if (length === 0) return []
    return [length === 1 ? `1 ${status}` : `${length} ${status}s`]
  })
  return counts.length > 0 ? `${counts.join(', ')}.` : 'All good.'
}
