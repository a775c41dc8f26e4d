import type { Finding } from './finding.ts'
import { paint } from './paint.ts'
import { plain } from './plain.ts'

/** The usual width of a terminal, and a little less. */
const WIDTH = 100

/** Warnings and what was not looked at do not count. */
export function isGood(findings: readonly Finding[]): boolean {
  return findings.every(({ status }) => status !== 'problem')
}

/** For people: what is good in a few lines, then one line for everything else. */
export function report(findings: readonly Finding[]): string {
  const others = findings.filter(({ status }) => status !== 'good')
  const lines = [...wrap(findings.filter(({ status }) => status === 'good')), ...others.map(tell)]
  return `${lines.map((line) => `  ${line}`).join('\n')}\n${count(findings)}\n`
}

/** For programs. */
export function reportAsJson(subject: string | undefined, findings: readonly Finding[]): string {
  const body = { ok: isGood(findings), subject: subject ?? 'configuration', findings }
  return `${JSON.stringify(body, null, 2)}\n`
}

/** As many as a line holds, side by side. */
function wrap(findings: readonly Finding[]): string[] {
  const lines: { text: string; length: number }[] = []
  for (const { name, detail } of findings) {
    const words = plain(detail === undefined ? `✓ ${name}` : `✓ ${name} (${detail})`)
    const text = words.replace('✓', paint('green', '✓'))
    const last = lines.at(-1)
    if (last && last.length + words.length < WIDTH) {
      last.text += ` ${text}`
      last.length += words.length + 1
    } else lines.push({ text, length: words.length })
  }
  return lines.map(({ text }) => text)
}

function tell({ name, status, detail = '', trouble }: Finding): string {
  if (!trouble) return paint('grey', plain(`- ${name}: ${detail}`))
  const { what, why, fix } = trouble
  const mark = status === 'problem' ? paint('red', '✗') : paint('yellow', '!')
  return `${mark} ${plain(`${name}: ${what} ${why}`)} ${paint('bold', 'Fix:')} ${plain(fix)}`
}

function count(findings: readonly Finding[]): string {
  const number = (status: Finding['status'], word: string) => {
    const { length } = findings.filter((finding) => finding.status === status)
    return length > 0 ? [`${length} ${word}${length === 1 ? '' : 's'}`] : []
  }
  const counts = [...number('problem', 'problem'), ...number('warning', 'warning')]
  return counts.length > 0 ? `${counts.join(', ')}.` : 'All good.'
}
